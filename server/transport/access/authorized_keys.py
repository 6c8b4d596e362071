"""A file of public keys, in the format of OpenSSH's ``authorized_keys``, that may change at any time."""

import os
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

if TYPE_CHECKING:
    import asyncssh

log = structlog.get_logger("keys")

_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
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
        self._keys: dict[bytes, list[asyncssh.SSHAuthorizedKeys]] = {}

    def __contains__(self, key: bytes) -> bool:
        """Whether the key with this wire form is listed at all, whoever has it."""
        self._look()
        return key in self._keys

    def knows(self, key: "asyncssh.SSHKey", address: str) -> bool:
        """Whether this key is listed for who comes from ``address``."""
        self._look()
        return any(self._fits(line, key, address) for line in self._keys.get(key.public_data, ()))

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
        self._state, self._keys = state, {}
        if state is not None:
            try:
                self._read()
            except OSError as problem:
                log.error("keys_not_read", file=str(self.path), reason=problem.strerror)

    def _read(self) -> None:
        import asyncssh  # a server has it long since; who plays alone needs none of it

        from server.transport.asyncssh_hooks import authorized_keys_in

        with self.path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & _OTHERS_MAY_WRITE:
                reason = f"others may write there; put it right with: chmod go-w {self.path}"
                log.error("keys_not_read", file=str(self.path), reason=reason)
                return
            text = file.read(4 * 1024 * 1024).decode("utf-8", "replace")
        unusable = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                # A line each: asyncssh would skip the bad ones without a word.
                one = asyncssh.import_authorized_keys(line)
            except ValueError:
                unusable.append(number)
                continue
            keys = authorized_keys_in(one)
            if not keys:
                unusable.append(number)
            for key in keys:
                self._keys.setdefault(key.public_data, []).append(one)
        log.info("keys_read", file=str(self.path), keys=len(self._keys))
        if unusable:
            log.warning("lines_are_no_keys", file=str(self.path), lines=unusable[:20])


def _moment(text: str) -> float:
    """``YYYYMMDD[HHMM[SS]]``, with a Z in UTC, else in local time; one that nobody understands is over."""
    digits, zone = text.removesuffix("Z"), UTC if text.endswith("Z") else None
    form = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}.get(len(digits), "")
    try:
        return datetime.strptime(digits, form).replace(tzinfo=zone).timestamp()
    except ValueError:
        return 0.0
