import os
import shutil
import stat
import subprocess
from pathlib import Path

import asyncssh
import pytest

from server.transport.hostkeys import FILE, KeyProblem, load_or_make


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
    with pytest.raises(KeyProblem, match=f"^{tmp_path}/file"):
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
