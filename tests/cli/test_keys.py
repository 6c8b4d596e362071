"""``tide keys``: what an operator publishes, and a change of keys that no player's ssh complains about."""

import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest

from server.cli.config import LEARNING_DAYS
from server.transport.ssh.server import COMING, FILE, load, load_or_make
from tests.support.patience import eventually
from tests.support.servers import Server
from tests.support.state_dirs import tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow

needs_ssh = pytest.mark.skipif(not shutil.which("ssh"), reason="there is no ssh here")


def keys(directory: Path, *arguments: str) -> list[str]:
    done = tide("keys", *arguments, "--keys", directory)
    assert (done.status, done.err) == (0, "")
    return done.lines


def refused(directory: Path, *arguments: str) -> str:
    done = tide("keys", *arguments, "--keys", directory)
    assert done.status in {1, 2}
    assert done.out == ""
    assert done.err.count("\n") == 1
    return done.err


def fingerprint(directory: Path, name: str = FILE) -> str | None:
    key = load(directory, name)
    return key.fingerprint if key else None


def age(path: Path, days: float) -> None:
    then = time.time() - days * 24 * 60 * 60
    os.utime(path, (then, then))


def test_what_to_publish(tmp_path: Path) -> None:
    key = load_or_make(tmp_path)
    assert keys(tmp_path, "show", "tide.example", "192.0.2.7", "--ssh-port", "22") == [
        "The key in use:",
        f"  {key.line}",
        "For known_hosts:",
        f"  {key.known_hosts('tide.example', 22)}",
        f"  {key.known_hosts('192.0.2.7', 22)}",
        "For DNS (SSHFP; only useful with DNSSEC):",
        f"  {key.sshfp('tide.example.')}",
    ]
    assert f"  {key.known_hosts('localhost', 2222)}" in keys(tmp_path, "show")
    keys(tmp_path, "rotate")
    assert "The key announced, not yet in use:" in keys(tmp_path, "show")


def test_a_change_takes_two_steps_and_two_weeks(tmp_path: Path) -> None:
    old = load_or_make(tmp_path).fingerprint
    assert "there is no new key" in refused(tmp_path, "rotate", "--finish")
    assert "Made a new key" in keys(tmp_path, "rotate")[0]
    new = fingerprint(tmp_path, COMING)
    assert "There is already a new key" in keys(tmp_path, "rotate")[0]
    assert fingerprint(tmp_path, COMING) == new
    age(tmp_path / COMING, LEARNING_DAYS - 1)
    assert "only 13 days old" in refused(tmp_path, "rotate", "--finish")
    assert fingerprint(tmp_path) == old
    age(tmp_path / COMING, LEARNING_DAYS + 1)
    assert str(new) in keys(tmp_path, "rotate", "--finish")[0]
    assert fingerprint(tmp_path) == new


def test_a_leaked_key_is_changed_at_once(tmp_path: Path) -> None:
    old = load_or_make(tmp_path).fingerprint
    assert fingerprint(tmp_path, COMING) is None
    said = keys(tmp_path, "rotate", "--at-once")
    assert fingerprint(tmp_path) not in {None, old}
    assert "delete it if it has leaked" in said[1]


def test_a_new_key_can_be_given_up(tmp_path: Path) -> None:
    load_or_make(tmp_path)
    keys(tmp_path, "rotate")
    assert keys(tmp_path, "rotate", "--cancel")[0] == "The new key has been discarded."
    assert {path.name for path in tmp_path.iterdir()} == {FILE, f"{FILE}.pub"}
    assert keys(tmp_path, "rotate", "--cancel")[0] == "There was no new key."
    assert "--cancel cannot be combined" in refused(tmp_path, "rotate", "--cancel", "--finish")


def test_where_there_is_no_key_that_is_said(tmp_path: Path) -> None:
    for command in ("show", "rotate"):
        assert f"there is no key in {tmp_path}" in refused(tmp_path, command)
    (load_or_make(tmp_path).path).chmod(0o644)
    assert "chmod 600" in refused(tmp_path, "show")


@needs_ssh
def test_ssh_learns_the_new_key_and_is_not_alarmed_when_it_is_in_use(tmp_path: Path) -> None:
    directory, known = tmp_path / "keys", tmp_path / "known_hosts"

    def learnt() -> set[str]:
        return set(re.findall(r"ssh-ed25519 (\S+)", known.read_text()))

    with Server(tmp_path) as server:

        def ssh(*, strict: str) -> list[str]:
            # The first value of an option is the one that counts.
            options = (
                f"UserKnownHostsFile={known}",
                f"StrictHostKeyChecking={strict}",
                "UpdateHostKeys=yes",
            )
            program, *rest = server.ssh()
            return [program, *(part for option in options for part in ("-o", option)), *rest]

        with Window(ssh(strict="accept-new")) as ada:
            ada.wait_for("You are ada.")
        old = learnt()
        assert len(old) == 1
        keys(directory, "rotate")
        new = fingerprint(directory, COMING)
        server.send(signal.SIGHUP)
        assert server.logged("keys_reread")["coming"] == new
        with Window(ssh(strict="yes")) as ada:
            ada.wait_for("You are ada.")
            eventually(lambda: len(learnt()) == 2)
        keys(directory, "rotate", "--at-once")
        server.send(signal.SIGHUP)
        assert server.logged("keys_reread", 2)["key"] == new == fingerprint(directory)
        with Window(ssh(strict="yes")) as ada:
            ada.wait_for("You are ada.")
            # What is announced no more is forgotten.
            eventually(lambda: len(learnt()) == 1)
        assert not learnt() & old


def test_a_key_that_cannot_be_used_changes_nothing_while_the_server_runs(tmp_path: Path) -> None:
    directory = tmp_path / "keys"
    with Server(tmp_path) as server:
        made = fingerprint(directory)
        keys(directory, "rotate")
        (directory / COMING).chmod(0o644)
        server.send(signal.SIGHUP)
        assert "chmod 600" in str(server.logged("keys_not_reread")["reason"])
        (directory / COMING).chmod(0o600)
        server.send(signal.SIGHUP)
        assert server.logged("keys_reread")["key"] == made
        assert server.stop() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a key for somebody else")
def test_root_makes_a_key_that_the_server_can_read(tmp_path: Path) -> None:
    path = load_or_make(tmp_path).path
    os.chown(path, 12345, 12346)
    keys(tmp_path, "rotate")
    made = (tmp_path / COMING).stat()
    assert (made.st_uid, made.st_gid) == (12345, 12346)
