"""The server's own key: made on the first start, kept for ever, readable by nobody else.

Ed25519 and nothing else: an RSA key would bring SHA-1 signatures back (``ssh-audit`` says so).
"""

import os
import secrets
import stat
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh

FILE: Final = "ssh_host_ed25519_key"
ALGORITHM: Final = "ssh-ed25519"
_COMMENT: Final = "turn-the-tide"
_OTHERS: Final = 0o077
_OTHERS_MAY_WRITE: Final = 0o022


class KeyProblem(Exception):
    """The host key cannot be used; the message is one line for the operator, with the way out."""


class HostKey(NamedTuple):
    """A key pair that identifies this server."""

    key: asyncssh.SSHKey
    path: Path
    made: bool
    """Whether it was made just now."""

    @property
    def fingerprint(self) -> str:
        """As ``ssh`` shows it to a player who connects for the first time."""
        return self.key.get_fingerprint("sha256")

    @property
    def line(self) -> str:
        """As ``ssh-keygen -lf`` shows it."""
        comment = self.key.get_comment() or "no comment"
        return f"256 {self.fingerprint} {comment} (ED25519)"

    def known_hosts(self, host: str, port: int) -> str:
        """A line for a player's ``known_hosts``."""
        place = host if port == 22 else f"[{host}]:{port}"
        public = self.key.export_public_key("openssh").decode("ascii").split()
        return f"{place} {public[0]} {public[1]}"


def load_or_make(directory: Path) -> HostKey:
    """The host key in ``directory``, made there if there is none. Raises ``KeyProblem``."""
    path = directory / FILE
    try:
        _make_directory(directory)
        made = not path.exists() and _make(path)
        return HostKey(_load(path), path, made)
    except OSError as problem:
        where = problem.filename or path
        raise KeyProblem(f"{where}: {problem.strerror or problem}") from None


def _make_directory(directory: Path) -> None:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = stat.S_IMODE(directory.stat().st_mode)
    if mode & _OTHERS_MAY_WRITE:
        raise KeyProblem(
            f"{directory}: others may write there, and so replace the host key; put it right with: "
            f"chmod go-w {directory}"
        )


def _make(path: Path) -> bool:
    """Make a key, so that at every instant there is either all of it or nothing. False when another
    process was quicker.
    """
    key = asyncssh.generate_private_key(ALGORITHM, comment=_COMMENT)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        _write(draft, key.export_private_key("openssh"), 0o600)
        try:
            # Unlike a rename, a link never replaces what is there.
            os.link(draft, path)
        except FileExistsError:
            return False
    finally:
        draft.unlink(missing_ok=True)
    public = path.with_name(path.name + ".pub")
    public.unlink(missing_ok=True)
    _write(public, key.export_public_key("openssh"), 0o644)
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return True


def _write(path: Path, data: bytes, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _load(path: Path) -> asyncssh.SSHKey:
    # Looked at and read through one descriptor, so that nobody can swap the file in between.
    with path.open("rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & _OTHERS:
            raise KeyProblem(
                f"{path}: this private key can be read by others (mode {mode:04o}); if nobody has, put it "
                f"right with: chmod 600 {path}"
            )
        data = file.read(65_536)
    try:
        key = asyncssh.import_private_key(data)
    except asyncssh.KeyImportError as problem:
        raise KeyProblem(f"{path}: is no usable private key: {problem}") from None
    if key.get_algorithm() != ALGORITHM:
        raise KeyProblem(
            f"{path}: is a key of type {key.get_algorithm()}, and only {ALGORITHM} is used here"
        )
    return key
