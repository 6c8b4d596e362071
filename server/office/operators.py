"""Who is an operator: the keys in a file, in the format of OpenSSH's ``authorized_keys``.

It is the key that this very connection has proven that counts, not the account: another key of the same
account may lie on another machine, and makes nobody an operator.
"""

import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncssh
import structlog

FILE: Final = "authorized_keys"
"""In the directory of the server's keys."""

log = structlog.get_logger("operators")

_MOST_BYTES: Final = 1024 * 1024
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


class Operators:
    """The keys in ``path``, which is read again whenever it has changed; ``now`` is the time in seconds.

    Of a line's options ``from`` and ``expiry-time`` count; a line for a certificate authority makes nobody an
    operator, all other options mean nothing here.
    """

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self._path: Final = path
        self._now: Final = now
        self._seen: tuple[int, ...] | None = None
        self._lines: tuple[asyncssh.SSHAuthorizedKeys, ...] = ()

    def knows(self, key: bytes, address: str) -> bool:
        """Whether who has proven this key (in its wire form), and comes from ``address``, is an operator."""
        self._look()
        if not key or not self._lines:
            return False
        try:
            proven = asyncssh.public_key.decode_ssh_public_key(key)
        except asyncssh.KeyImportError:
            return False
        return any(self._fits(line, proven, address) for line in self._lines)

    def _fits(self, line: asyncssh.SSHAuthorizedKeys, key: asyncssh.SSHKey, address: str) -> bool:
        options = line.validate(key, address, address)
        if options is None:
            return False
        ends = options.get("expiry-time", [])
        return isinstance(ends, list) and all(self._now() < _moment(str(end)) for end in ends)

    def _look(self) -> None:
        try:
            found = self._path.stat()
        except OSError:
            self._seen, self._lines = None, ()
            return
        seen = (found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
        if seen == self._seen:
            return
        self._seen, self._lines = seen, ()
        if found.st_mode & _OTHERS_MAY_WRITE:
            advice = f"others may write there; put it right with: chmod go-w {self._path}"
            log.error("operators not read", file=str(self._path), reason=advice)
            return
        try:
            text = self._path.read_bytes()[:_MOST_BYTES].decode("utf-8", "replace")
        except OSError as problem:
            log.error("operators not read", file=str(self._path), reason=problem.strerror)
            return
        self._lines = tuple(_lines(text, self._path))
        log.info("operators read", file=str(self._path), keys=len(self._lines))


def _lines(text: str, path: Path) -> list[asyncssh.SSHAuthorizedKeys]:
    # A line each: one that cannot be read must neither hide the others nor pass unnoticed.
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append(asyncssh.import_authorized_keys(line))
        except ValueError:
            log.warning("no key", file=str(path), line=number)
    return found


def _moment(text: str) -> float:
    """``YYYYMMDD[HHMM[SS]]``, with a Z in UTC, else in local time; one that nobody understands is over."""
    digits, zulu = text.removesuffix("Z"), text.endswith("Z")
    for form in ("%Y%m%d", "%Y%m%d%H%M", "%Y%m%d%H%M%S"):
        try:
            if len(digits) == len(datetime(2000, 1, 1).strftime(form)):
                found = datetime.strptime(digits, form)
                return found.replace(tzinfo=UTC if zulu else None).timestamp()
        except ValueError:
            continue
    return 0.0
