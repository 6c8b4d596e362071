r"""Parses login names, and reads the files of listed keys.

In a login name, a table's code is followed by its invitation code if it is private. The name ``today`` is
nobody's: it asks for today's tide.

Clients put the domain of their machine around it: ``DOMAIN\user`` and ``user@domain`` (OpenSSH for Windows),
``DOMAIN+user`` (Cygwin, MSYS2, Git Bash, winbind). Nobody has chosen to be called like that.
"""

import difflib
import os
import re
import stat
import time
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import structlog

from server.cleaning import clean_name, clean_text, clean_word
from server.coordinator.people.names import TODAY, plain_code
from server.i18n.lookup import languages

if TYPE_CHECKING:
    import asyncssh


CODE: Final = re.compile(r"(?:[bdklmnprstvz][aeiou]){4}")
"""What a table's code may look like; whether there is such a table, the lobby knows."""

PLAYERS: Final = "players"
"""File in the keys directory: keys that need no password, and may come in when only listed keys may."""
OPERATORS: Final = "authorized_keys"
"""File with the keys of operators."""

_MOST_SUFFIXES: Final = 8
_OPTIONS: Final = ("plain", "rename", "watch", "guest")
_AROUND: Final = re.compile(r"^[^+]*[\\/]|(?<=.)[@%][^+]*")
"""Domains, in all forms but with a ``+``."""
_DOMAINS: Final = ("azuread", "microsoftaccount", "workgroup", "corp", "intranet", "domain")
"""Usual ones, beside those in capitals."""


class Login(NamedTuple):
    """A login name, taken apart."""

    name: str
    """Cleaned; empty when nothing is left of it."""
    plain: bool = False
    """Line mode is asked for."""
    reader: bool = False
    """A screen reader reads what line mode says."""
    rename: bool = False
    """Whether a known person is renamed to this name from now on."""
    language: str = ""
    """Empty when none is asked for."""
    watch: bool = False
    """To watch, not to play."""
    today: bool = False
    """To play today's tide."""
    code: str = ""
    """Code of the table to sit down at, or to watch; empty for the lobby."""
    word: str = ""
    """The invitation code of that table, if it is private; cleaned."""
    rejoin: str = ""
    """A code to come back with, or to add a key with, as it was typed; empty without one."""
    program: bool = False
    """Lines of JSON are asked for, by a command and never by a suffix."""
    guest: bool = False
    """No key is going to be shown, and nothing else."""
    steered: bool = False
    """A person steers what asks for them."""
    replay: str = ""
    """The code of a game to be shown, by a command and never by a suffix: then nobody comes in."""
    turns: bool = False
    """A list of games is asked for, by a command and never by a suffix: nobody comes in for that, either."""
    unknown: tuple[str, ...] = ()
    """Suffixes that mean nothing, cleaned."""
    altered: bool = False
    """The name is not all that was typed: too long, or with signs that names do not have."""
    user: str = ""
    """The name, if what stands before it and a ``+`` is a domain; empty where it cannot be one."""
    had_domain: bool = False
    """That is how ``without_domain`` has read it."""

    def without_domain(self, *, is_table: bool = False) -> "Login":
        """Read a login name as a client of a machine in a domain means it.

        ``is_table`` says whether anybody may know of a table with its code: private ones must not
        be told by the name that somebody gets.
        """
        word, domain = self.user.lower(), _is_domain(self.name)
        if self.code == word:
            meant = bool(self.word) or not domain or is_table
        else:
            close = difflib.get_close_matches(word, (*_OPTIONS, *languages()), cutoff=0.75)
            meant = not domain and (len(word) < 3 or bool(close))
        if not self.user or meant:
            return self
        name, altered = _name(self.user)
        shown = clean_word(self.user, 16)
        return self._replace(
            name=name,
            altered=altered,
            code="" if self.code == word else self.code,
            unknown=tuple(each for each in self.unknown if each != shown),
            had_domain=True,
        )


def _is_domain(name: str) -> bool:
    """Whether it looks like one, and hardly like what people call themselves."""
    return name.isupper() or "." in name or name.lower() in _DOMAINS


def _name(typed: str) -> tuple[str, bool]:
    """A name, and whether it is another one than was typed."""
    name = clean_name(typed)
    return name, name != unicodedata.normalize("NFC", "_".join(typed.split()))


def parse_login(raw: str) -> Login:
    """Take a login name apart. Never raises; what means nothing is listed in ``unknown``."""
    name, *suffixes = _AROUND.sub("", raw[:512]).split("+")
    cleaned, altered = _name(name.removeprefix("@"))
    today = cleaned.lower() == TODAY
    login = Login("" if today else cleaned, today=today)
    login = login._replace(altered=altered or (not cleaned and raw[:1] not in ("", "+")))
    unknown: list[str] = []
    user = ""
    for suffix in suffixes[:_MOST_SUFFIXES]:
        word = clean_text(suffix, 64).lower()
        if word == "plain":
            login = login._replace(plain=True)
        elif word == "reader":
            login = login._replace(plain=True, reader=True)
        elif word == "rename":
            login = login._replace(rename=True)
        elif word == "watch":
            login = login._replace(watch=True)
        elif word == "guest" and not login.code:
            login = login._replace(guest=True)
        elif word in languages():
            login = login._replace(language=word)
        elif CODE.fullmatch(word) and not login.code:
            login = login._replace(code=word)
            user = user or suffix
        elif plain_code(word) and not login.rejoin:
            login = login._replace(rejoin=word)
        elif word and login.code and not login.word:
            # After a code there is nothing else it could be.
            login = login._replace(word=word)
        else:
            user = user or suffix
            unknown += filter(None, [clean_word(suffix, 16)])
    # Without a letter or a digit it is nobody's; and who adds several things has typed them.
    can_be = any(map(str.isalnum, clean_name(user))) and (
        _is_domain(cleaned) or (cleaned and len(suffixes) == 1)
    )
    return login._replace(unknown=tuple(unknown), user=user if can_be else "")


keys_log = structlog.get_logger("keys")

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

    def knows(self, key: bytes, address: str) -> bool:
        """Return whether a key in its wire form, or empty, is listed for somebody from ``address``."""
        self._look()
        lines = self._lines.get(b64encode(key).decode("ascii").rstrip("="))
        if not lines:
            return False  # nearly everybody; decoding the key takes longer
        from asyncssh.public_key import decode_ssh_public_key

        decoded = decode_ssh_public_key(key)
        return any(self._fits(line, decoded, address) for line in lines)

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
                keys_log.error("keys_not_read", file=str(self.path), reason=problem.strerror)

    def _read(self) -> None:
        import asyncssh  # a server has it long since; who plays alone needs none of it

        with self.path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & _OTHERS_MAY_WRITE:
                reason = f"others may write there; put it right with: chmod go-w {self.path}"
                keys_log.error("keys_not_read", file=str(self.path), reason=reason)
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
        keys_log.info("keys_read", file=str(self.path), keys=usable)
        if unusable:
            keys_log.warning("lines_are_no_keys", file=str(self.path), lines=unusable[:20])


def _moment(text: str) -> float:
    """``YYYYMMDD[HHMM[SS]]``, with a Z in UTC, else in local time; one that nobody understands is over."""
    digits, zone = text.removesuffix("Z"), UTC if text.endswith("Z") else None
    form = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}.get(len(digits), "")
    try:
        return datetime.strptime(digits, form).replace(tzinfo=zone).timestamp()
    except ValueError:
        return 0.0
