import os
import shutil
import stat
import subprocess
from pathlib import Path

import asyncssh
import pytest

from server.transport.ssh.server import (
    COMING,
    FILE,
    FORMER,
    KeyProblem,
    change,
    load,
    load_or_make,
    make_coming,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    first = load_or_make(tmp_path / "keys")
    again = load_or_make(tmp_path / "keys")
    assert (first.made, again.made) == (True, False)
    assert first.fingerprint == again.fingerprint
    assert mode(tmp_path / "keys") == 0o700
    assert mode(first.path) == 0o600
    assert {path.name for path in first.path.parent.iterdir()} == {FILE, f"{FILE}.pub"}


def test_a_key_that_an_editor_has_put_a_byte_order_mark_before_is_the_same(tmp_path: Path) -> None:
    made = load_or_make(tmp_path)
    made.path.write_text(made.path.read_text(), "utf-8-sig")
    assert load_or_make(tmp_path).fingerprint == made.fingerprint


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen here")
def test_the_fingerprint_is_the_one_that_ssh_keygen_shows(tmp_path: Path) -> None:
    made = load_or_make(tmp_path)
    shown = subprocess.run(
        ["ssh-keygen", "-lf", made.path], check=True, capture_output=True, text=True
    )
    assert shown.stdout.strip() == made.line
    derived = subprocess.run(
        ["ssh-keygen", "-yf", made.path], check=True, capture_output=True, text=True
    )
    public = made.path.with_name(f"{FILE}.pub").read_text().split()
    assert derived.stdout.split()[:2] == public[:2]


def test_a_known_hosts_line_is_understood(tmp_path: Path) -> None:
    made = load_or_make(tmp_path)
    known = asyncssh.import_known_hosts(made.known_hosts("tide.example", 2222) + "\n")
    keys = asyncssh.match_known_hosts(known, "tide.example", "", 2222)[0]
    assert [key.get_fingerprint() for key in keys] == [made.fingerprint]
    assert made.known_hosts("tide.example", 22).startswith("tide.example ssh-ed25519 ")


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o604, 0o620])
def test_a_key_that_others_can_read_is_refused_with_the_fix(tmp_path: Path, bits: int) -> None:
    path = load_or_make(tmp_path).path
    path.chmod(bits)
    with pytest.raises(KeyProblem, match=f"chmod 600 {path}"):
        load_or_make(tmp_path)


def test_a_directory_that_others_can_write_is_refused_with_the_fix(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(KeyProblem, match=f"chmod go-w {tmp_path}"):
        load_or_make(tmp_path)


def test_rubbish_and_other_kinds_of_key_are_refused(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"rubbish\xff")
    path.chmod(0o600)
    with pytest.raises(KeyProblem, match="no usable private key"):
        load_or_make(tmp_path)
    ecdsa = asyncssh.generate_private_key("ecdsa-sha2-nistp256")
    path.write_bytes(ecdsa.export_private_key("openssh"))
    with pytest.raises(KeyProblem, match="ecdsa-sha2-nistp256, and only ssh-ed25519"):
        load_or_make(tmp_path)


def test_a_place_that_cannot_be_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyProblem, match=f"{tmp_path}/file/keys cannot be made.*--keys"):
        load_or_make(tmp_path / "file" / "keys")


def test_two_servers_that_start_at_once_agree_on_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link
    others: list[str] = []

    def other_is_quicker(draft: Path, path: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        others.append(load_or_make(tmp_path).fingerprint)
        link(draft, path)

    monkeypatch.setattr(os, "link", other_is_quicker)
    ours = load_or_make(tmp_path)
    assert ([ours.fingerprint], ours.made) == (others, False)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen here")
def test_a_record_for_the_dns_is_the_one_that_ssh_keygen_shows(tmp_path: Path) -> None:
    made = load_or_make(tmp_path)
    shown = subprocess.run(
        ["ssh-keygen", "-r", "tide.example.", "-f", made.path],
        check=True,
        capture_output=True,
        text=True,
    )
    assert made.sshfp("tide.example.") in shown.stdout.splitlines()


def test_a_key_to_come_is_made_once_and_takes_the_place_of_the_other(tmp_path: Path) -> None:
    old = load_or_make(tmp_path)
    assert load(tmp_path, COMING) is None
    new = make_coming(tmp_path)
    assert new.made
    assert make_coming(tmp_path).fingerprint == new.fingerprint != old.fingerprint
    assert mode(new.path) == 0o600
    assert change(tmp_path).fingerprint == new.fingerprint
    assert {path.name for path in tmp_path.iterdir()} == {FILE, f"{FILE}.pub", FORMER}
    public = asyncssh.read_public_key(tmp_path / f"{FILE}.pub")
    assert public.get_fingerprint() == new.fingerprint
    former = load(tmp_path, FORMER)
    assert former is not None
    assert former.fingerprint == old.fingerprint
    assert mode(former.path) == 0o600
    # And once more, over the former one.
    third = make_coming(tmp_path).fingerprint
    assert change(tmp_path).fingerprint == third
    former = load(tmp_path, FORMER)
    assert former is not None
    assert former.fingerprint == new.fingerprint


@pytest.mark.parametrize("call", ["link", "replace", "unlink"])
def test_an_interrupted_change_leaves_a_key_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    old = load_or_make(tmp_path)
    new = make_coming(tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(KeyProblem, match="No space left"):
            change(tmp_path)
    left = load(tmp_path)
    assert left is not None
    assert left.fingerprint == old.fingerprint
    assert change(tmp_path).fingerprint == new.fingerprint
