"""Settings that say where something is: URLs (perhaps with passwords in them), and addresses."""

import re
import shlex
import stat
from pathlib import Path
from typing import Final

from server.private_files import read_text
from server.settings.settings import PREFIX, URLS, ConfigError, Settings


def database_url(settings: Settings) -> str:
    """The URL of the database; empty for a file in the state directory. Raises ``ConfigError``."""
    return _url("database", settings.database, settings.database_file)


_HOST_AND_PORT: Final = re.compile(
    r"((?P<name>[A-Za-z0-9][A-Za-z0-9.-]*)|\[(?P<address>[0-9A-Fa-f:.]+)\])(:(?P<port>[0-9]{1,5}))?"
)


def public_address(settings: Settings) -> tuple[str, int] | None:
    """Host and port that players type for SSH, if they are set; the port is 0 where none is named."""
    if not settings.public_address:
        return None
    named = _HOST_AND_PORT.fullmatch(settings.public_address)
    assert named is not None, "settings are checked"
    return named["name"] or named["address"], int(named["port"] or 0)


def check_address(text: str, where: str) -> None:
    """Raises ``ConfigError``."""
    named = _HOST_AND_PORT.fullmatch(text)
    if text and (named is None or int(named["port"] or 0) >= 1 << 16):
        raise ConfigError(
            f"{where}: must be HOST or HOST:PORT, such as tide.example:22 or [2001:db8::1]:22"
        )


def places_in(text: str, where: str) -> list[tuple[str, int]]:
    """Return hosts and ports that stand between commas. Raises ``ConfigError``."""
    return [host_and_port(each, where) for each in text.split(",")]


def host_and_port(text: str, where: str) -> tuple[str, int]:
    """Return what ``HOST:PORT`` names; the host may be ``*``. Raises ``ConfigError``."""
    host, _, port = text.strip().rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 1 << 16:
        raise ConfigError(
            f"{where}: must be HOST:PORT, such as 192.0.2.1:2300 or [2001:db8::1]:2300"
        )
    return host.removeprefix("[").removesuffix("]"), int(port)


def readable_by_all(settings: Settings) -> list[str]:
    """A line for each file with a URL, perhaps with a password in it, that everybody here can read."""
    return [
        f"{key}_file: every user of this machine can read {path}: chmod o-rwx {shlex.quote(str(path))}"
        for key in URLS
        if (path := getattr(settings, f"{key}_file")) and path.stat().st_mode & stat.S_IROTH
    ]


def _url(key: str, url: str, path: Path | None) -> str:
    if path is None:
        return url
    if url:
        raise ConfigError(f"{key} and {key}_file: only one of them can be used")
    try:
        url = read_text(path).strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "is not UTF-8 text"
        raise ConfigError(f"{key}_file: {path}: {reason}") from None
    if not url:
        raise ConfigError(f"{key}_file: {path} is empty")
    check_url(key, url, f"{key}_file: {path}")
    return url


def without_password(url: str) -> str:
    """A URL that may be shown."""
    hidden = re.sub(r"^(\w+://[^:/@]*):.*@", r"\1:***@", url)
    return re.sub(r"(?<=[?&])(\w*password=)[^&]*", r"\1***", hidden)


def check_url(key: str, url: str, where: str) -> None:
    """Raises ``ConfigError`` without anything of the URL: there may be a password in it."""
    schemes = URLS[key]
    if url and not url.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ConfigError(f"{where}: must be a URL that begins with {schemes[0]}://")
    if where.startswith("command line") and url != without_password(url):
        raise ConfigError(
            f"{where}: everybody on this machine can see a password there (`ps`): put the URL into "
            f"{PREFIX}{key.upper()}_URL or into a file (--{key}-file), or the password into ~/.pgpass"
        )
