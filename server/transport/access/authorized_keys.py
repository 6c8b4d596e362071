"""A file of public keys, in the format of OpenSSH's ``authorized_keys``, that may change at any time."""

import os
import stat
import time
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

if TYPE_CHECKING:
    import asyncssh

log = structlog.get_logger("keys")

_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_ANY_KEY: Final = "AAAA"
"""Beginning of every public key in base64: the length of the name of its kind, in four bytes."""
_State = tuple[int, ...] | None


class AuthorizedKeys:
    """Knows the keys in ``path``. Looked at again whenever the file has changed; no file is no keys.

    Of a line's options ``from`` counts, and is matched against addresses, and ``expiry-time``; a line for a
    certificate authority lets nobody in, and all other options mean nothing here. ``now`` is the time in
    seconds since 1970.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path: Final = path
        self._now: Final = now
        self._state: _State = None
        self._lines: dict[str, list[asyncssh.SSHAuthorizedKeys]] = {}
        """Lines by each word that may be their key: in base64, as it stands there."""

    def mentions(self, key: bytes) -> bool:
        """Return whether the key with this wire form is in the file at all, perhaps only in a comment."""
        self._look()
        return _in_base64(key) in self._lines

    def knows(self, key: "asyncssh.SSHKey", address: str) -> bool:
        """Return whether this key is listed for somebody who comes from ``address``."""
        self._look()
        lines = self._lines.get(_in_base64(key.public_data), ())
        return any(self._fits(line, key, address) for line in lines)

    def knows_wire(self, key: bytes, address: str) -> bool:
        """Return ``knows`` for a key in its wire form, which is empty where none was proven."""
        if not self.mentions(key):
            return False  # nearly everybody; taking their keys apart takes longer
        from asyncssh.public_key import decode_ssh_public_key

        return self.knows(decode_ssh_public_key(key), address)

    def _fits(
        self, line: "asyncssh.SSHAuthorizedKeys", key: "asyncssh.SSHKey", address: str
    ) -> bool:
        options = line.validate(key, address, address)
        if options is None:
            return False
        ends = options.get("expiry-time", [])
        return isinstance(ends, list) and all(self._now() < _moment(str(end)) for end in ends)

    def _look(self) -> None:
        try:
            found = self.path.stat()
            state: _State = found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode
        except OSError:
            state = None
        if state == self._state:
            return
        self._state, self._lines = state, {}
        if state is not None:
            try:
                self._read()
            except OSError as problem:
                log.error("keys_not_read", file=str(self.path), reason=problem.strerror)

    def _read(self) -> None:
        import asyncssh  # a server has it long since; who plays alone needs none of it

        with self.path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & _OTHERS_MAY_WRITE:
                reason = f"others may write there; put it right with: chmod go-w {self.path}"
                log.error("keys_not_read", file=str(self.path), reason=reason)
                return
            text = file.read(4 * 1024 * 1024).decode("utf-8-sig", "replace")
        usable, unusable = 0, []
        for number, entry in enumerate(text.split("\n"), 1):
            # asyncssh would take what stands behind a form feed and the like for a line of its own.
            line = " ".join(entry.splitlines())
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                # A line each: asyncssh would skip the bad ones without a word.
                one = asyncssh.import_authorized_keys(line)
            except ValueError:
                unusable.append(number)
                continue
            usable += 1
            for word in line.split():
                if word.startswith(_ANY_KEY):
                    self._lines.setdefault(word.rstrip("="), []).append(one)
        log.info("keys_read", file=str(self.path), keys=usable)
        if unusable:
            log.warning("lines_are_no_keys", file=str(self.path), lines=unusable[:20])


def _in_base64(key: bytes) -> str:
    return b64encode(key).decode("ascii").rstrip("=")


def _moment(text: str) -> float:
    """``YYYYMMDD[HHMM[SS]]``, with a Z in UTC, else in local time; one that nobody understands is over."""
    digits, zone = text.removesuffix("Z"), UTC if text.endswith("Z") else None
    form = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}.get(len(digits), "")
    try:
        return datetime.strptime(digits, form).replace(tzinfo=zone).timestamp()
    except ValueError:
        return 0.0
