"""Reading settings: from the defaults, a TOML file, the environment and the command line.

Later sources win. The file is ``--config``, ``TIDE_CONFIG``, or ``tide.toml`` in the state directory; its key
``limits.sessions`` is ``TIDE_LIMITS_SESSIONS`` in the environment and ``--limits-sessions`` on the command
line. A ``ConfigError`` names source and key.
"""

import difflib
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from server.cleaning import NOTICE_LINES, TEXT_WIDTH, clean_text, is_cut
from server.private_files import read_text
from server.settings.settings import (
    PREFIX,
    ConfigError,
    Settings,
    declared,
    in_words,
)


def database_url(settings: Settings) -> str:
    """Return the URL of the database; empty for a file in the state directory. Raises ``ConfigError``."""
    url, path = settings.database, settings.database_file
    if path is None:
        return url
    if url:
        raise ConfigError("database and database_file: only one of them can be used")
    where = f"database_file: {path}"
    try:
        url = read_text(path).strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "is not UTF-8 text"
        raise ConfigError(f"{where}: {reason}") from None
    if not url:
        raise ConfigError(f"{where} is empty")
    check_url(url, where)
    return url


_HOST_AND_PORT: Final = re.compile(
    r"((?P<name>[A-Za-z0-9][A-Za-z0-9.-]*)|\[(?P<address>[0-9A-Fa-f:.]+)\])(:(?P<port>[0-9]{1,5}))?"
)


def public_address(settings: Settings) -> tuple[str, int] | None:
    """Return host and port that players type for SSH, if they are set; the port is 0 if it is not."""
    text = settings.public_address
    return _typed_address(text, "public_address") if text else None


def _typed_address(text: str, where: str) -> tuple[str, int]:
    """Return host and port, or 0, of ``HOST`` or ``HOST:PORT``. Raises ``ConfigError``."""
    named = _HOST_AND_PORT.fullmatch(text)
    if named is None or int(named["port"] or 0) >= 1 << 16:
        raise ConfigError(
            f"{where}: must be HOST or HOST:PORT, such as tide.example:22 or [2001:db8::1]:22"
        )
    return named["name"] or named["address"], int(named["port"] or 0)


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
    """Return a warning if every user of this machine can read the file with the database's URL."""
    path = settings.database_file
    if path is None or not path.stat().st_mode & stat.S_IROTH:
        return []
    told = "every user of this machine can read"
    return [f"database_file: {told} {path}: chmod o-rwx {shlex.quote(str(path))}"]


def without_password(url: str) -> str:
    """Return a URL that may be shown."""
    hidden = re.sub(r"^(\w+://[^:/@]*):.*@", r"\1:***@", url)
    return re.sub(r"(?<=[?&])(\w*password=)[^&]*", r"\1***", hidden)


def check_url(url: str, where: str) -> None:
    """Check a URL; a ``ConfigError`` says nothing of it, as there may be a password in it."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise ConfigError(f"{where}: must be a URL that begins with postgresql://")
    if where.startswith("command line") and url != without_password(url):
        raise ConfigError(
            f"{where}: everybody on this machine can see a password there (`ps`): put the URL into "
            f"{PREFIX}DATABASE_URL or into a file (--database-file), or the password into ~/.pgpass"
        )


ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = "tide.toml"


def in_checkout(root: Path = ROOT) -> bool:
    """Return whether this runs from a checkout, and not from an installed package."""
    return (root / "pyproject.toml").is_file() and (root / "keys").is_dir()


def default_places() -> tuple[Path, Path]:
    """Return the default directories of state and keys."""
    if in_checkout():
        return ROOT / "state", ROOT / "keys"
    from platformdirs import PlatformDirs

    places = PlatformDirs("turn-the-tide", appauthor=False)
    try:
        return places.user_state_path, places.user_data_path / "keys"
    except RuntimeError:  # without a home directory, other places have to be set
        return Path("~/state"), Path("~/keys")


Layer = tuple[str, Mapping[str, Any]]
"""A source (``default``, the path of the file, ``environment`` or ``command line``) and its values by key."""


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> Settings:
    """Return the settings in force. ``flags`` has values by key; ``None`` was not given.

    Raises ``ConfigError``.
    """
    return settings_of(layers(flags, environ, config))


def layers(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> list[Layer]:
    """Return the sources of settings, checked; later ones win. Arguments and exceptions as for ``load``."""
    environ = os.environ if environ is None else environ
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    state, keys = default_places()
    state = Path(given.get("state") or environ.get(f"{PREFIX}STATE") or state)
    found: list[Layer] = [("default", {"state": str(state), "keys": str(keys)})]
    file = config or (Path(environ[f"{PREFIX}CONFIG"]) if environ.get(f"{PREFIX}CONFIG") else None)
    if path := file or (state / FILE if os.path.isfile(state / FILE) else None):
        read = _read(path)
        if file is None and "state" in read:
            raise ConfigError(
                f"{path}: state: this file was found in the state directory; set it somewhere else"
            )
        found.append((str(path), _checked(read, str(path), strict=True)))
    names = {one.key: one.variable for one in declared().values()}
    variables = {key: value for key, name in names.items() if (value := environ.get(name))}
    both = (("environment", variables), ("command line", given))
    return found + [(source, _checked(values, source, strict=False)) for source, values in both]


def settings_of(found: Iterable[Layer]) -> Settings:
    """Return the settings of these ``layers``. Raises ``ConfigError``."""
    merged: dict[str, Any] = {}
    for _, values in found:
        merged |= values
    for place in ("state", "keys", "tls_cert", "tls_key", "database_file"):
        if place not in merged:
            continue
        try:
            merged[place] = str(Path(merged[place]).expanduser().absolute())
        except RuntimeError:
            raise ConfigError(
                f"{place}: there is no home directory for it; {PREFIX}{place.upper()} says where it is"
            ) from None
    settings = _convert(merged, strict=False)
    if settings.lan and "host" not in merged:
        settings = msgspec.structs.replace(settings, host="*")
    notice = [line for line in settings.notice.splitlines() if clean_text(line)]
    if len(notice) > NOTICE_LINES or any(map(is_cut, notice)):
        raise ConfigError(f"notice: at most {NOTICE_LINES} lines of {TEXT_WIDTH} columns")
    for key in ("timing.bot", "timing.hurried"):
        ends = [f"{key}_least", f"{key}_most"]
        least, most = [declared()[end].value_in(settings) for end in ends]
        if least > most and merged.keys() >= {*ends}:
            raise ConfigError(f"{ends[0]} ({least:g}) must not be more than {ends[1]} ({most:g})")
    return settings


def _convert(values: Mapping[str, Any], *, strict: bool) -> Settings:
    nested: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[name] = value
    return msgspec.convert(nested, Settings, strict=strict, dec_hook=_path)


def _path(kind: type, value: object) -> object:
    """Convert a path, the one type here that msgspec does not know."""
    if kind is Path and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError("Expected a path")


def _read(path: Path) -> dict[str, Any]:
    """Return the values in a file, by key."""
    try:
        read = tomllib.loads(read_text(path))
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"{path}: is not valid TOML: {problem}") from None
    except RecursionError:
        raise ConfigError(f"{path}: is not valid TOML: nested too deeply") from None
    except ValueError:  # Python converts no more than 4,300 digits
        raise ConfigError(f"{path}: is not valid TOML: a number has too many digits") from None
    sections = {key.partition(".")[0] for key in declared() if "." in key}
    found: dict[str, Any] = {}
    for key, value in read.items():
        if key in sections and isinstance(value, dict):
            found |= {f"{key}.{name}": part for name, part in value.items()}
        else:
            found[key] = value
    return found


# What Docker and Kubernetes set in every container for a service that is called "tide".
_ORCHESTRATED: Final = re.compile(rf"{PREFIX}(SERVICE_|PORT_\d|PORT$|NAME$|ENV_)")


def unknown_variables(environ: Mapping[str, str] | None = None) -> list[str]:
    """Return a warning for each variable that looks like a setting and is none."""
    environ = os.environ if environ is None else environ
    known = [f"{PREFIX}CONFIG", *(one.variable for one in declared().values())]
    found = []
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in known or _ORCHESTRATED.match(variable):
            continue
        near = difflib.get_close_matches(variable.upper(), known, n=1, cutoff=0.75)
        found.append(
            f"{variable}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
        )
    return found


_CHECKS: Final[Mapping[str, Callable[[str, str], object]]] = {
    "database": check_url,
    "public_address": _typed_address,
    "doors_listen": places_in,
    "door_of": places_in,
}
"""Checks of settings that are text."""


def _checked(values: dict[str, Any], where: str, *, strict: bool) -> dict[str, Any]:
    """Check values, and return them. Strings may stand for numbers unless ``strict``."""
    for key, value in values.items():
        name = key.rpartition(".")[2]
        within = key.removesuffix(name)
        known = {
            one.removeprefix(within).partition(".")[0]
            for one in declared()
            if one.startswith(within)
        }
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {within}{near[0]}?" if near else ""
            raise ConfigError(f"{where}: {key}: there is no such setting{hint}")
        spelled = f"{where}: {_spelling(where, key)}"
        try:
            _convert({key: value}, strict=strict)
        except msgspec.ValidationError:
            setting = declared().get(key)
            wanted = in_words(setting.kind) if setting else f"a section, [{key}]"
            raise ConfigError(f"{spelled}: must be {wanted}") from None
        if value and (check := _CHECKS.get(key)):
            check(value, spelled)
    return values


def _spelling(where: str, key: str) -> str:
    """Return a key as it is spelled in a source."""
    setting = declared().get(key)
    if setting is None or where not in {"environment", "command line"}:
        return key
    return setting.variable if where == "environment" else setting.option
