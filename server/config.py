"""What can be set: one frozen ``Settings``, from the defaults, a TOML file, the environment and flags.

Later ones win. The file is ``--config``, ``TIDE_CONFIG``, or ``tide.toml`` in the state directory; a key
``limits.sessions`` in it is ``TIDE_LIMITS_SESSIONS`` in the environment. Whatever is wrong becomes one
``ConfigError`` that names the place and the key.
"""

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from server.coordinator.timing import TableLimits, Timing

ROOT: Final = Path(__file__).resolve().parent.parent
FILE: Final = "tide.toml"
PREFIX: Final = "TIDE_"
_LONGEST: Final = 366 * 24 * 60 * 60
_MOST: Final = 2**40
"""More than there is of anything, and few enough to calculate with."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1, le=_MOST)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Delay = Annotated[float, Meta(ge=0, le=3_600)]


class ConfigError(Exception):
    """A setting that cannot be used; the message is one line for the operator."""


class ServerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """What one server, one address and one session may take. An IPv6 address counts as its /64."""

    sessions: Count = 10_000
    """Connections that have come in, all together."""
    sessions_per_address: Count = 250
    waiting: Count = 1_000
    """Connections that have not yet come in (handshake, keys), all together."""
    """With as many, whoever comes takes the place of who has waited longest where the most come from."""
    waiting_per_address: Count = 64
    attempts: Count = 100
    """Connections from one address before it has to wait."""
    attempts_seconds: Seconds = 50.0
    """In this time an address gets all its attempts back."""
    login_seconds: Seconds = 60.0
    """To come in; an ML-KEM handshake takes 20 s at 1,200 baud."""
    first_byte_seconds: Seconds = 5.0
    """Of these, for an SSH client to say anything: each does so by itself, at once."""
    idle_connection_seconds: Seconds = 60.0
    """A connection without a session, before its first or after its last."""
    channels: Count = 4
    """Sessions that one connection may have at a time."""
    wire_bytes: Count = 32_768
    """Bytes that a connection may send at once ..."""
    wire_bytes_per_second: Count = 8_192
    """... and from then on; what comes faster is read later."""
    setup_bytes: Count = 262_144
    """Bytes that a connection may send before it has a session."""
    keys: Count = 1_024
    """The same for what is typed, in bytes of text: at once ..."""
    keys_per_second: Count = 256
    """... and from then on."""
    pause_bytes: Count = 16_384
    """Unsent output above which nothing is drawn."""
    unread_bytes: Count = 262_144
    """Unsent output above which a session is ended."""
    stuck_seconds: Seconds = 60.0
    """A session of whose output nothing has been read for so long is ended."""
    resize_seconds: Delay = 0.1
    """A terminal that changes its size is drawn anew at most so often, and less if it does not stop."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a server is told. Paths are absolute."""

    host: str = "localhost"
    """An address or name to listen at; ``*`` is every address of this machine, IPv4 and IPv6."""
    lan: bool = False
    """Announce the server on the local network; ``host`` is then ``*`` unless it is set."""
    ssh_port: Port = 2222
    """0 takes a free one."""
    telnet: bool = True
    """Telnet as well, which is not encrypted."""
    telnet_port: Port = 2323
    """0 takes a free one."""
    telnet_tls_port: Port = 2324
    """For telnet within TLS, off without a certificate; 0 takes a free one."""
    tls_cert: Path | None = None
    """A PEM file with a certificate (and those that vouch for it), for telnet within TLS."""
    tls_key: Path | None = None
    """A PEM file with its key, unless that is in the same file."""
    state: Path = Path()
    keys: Path = Path()
    post_quantum_only: bool = False
    """Offer the hybrid ML-KEM key exchange alone: shuts out OpenSSH before 9.9 and older PuTTYs."""
    metrics_port: Port | None = None
    """Prometheus' figures and ``/healthz``, on this machine alone; 0 takes a free one, without one there are
    none."""
    door: Literal["open", "word", "keys"] = "open"
    """Who may come in: everybody, whoever knows the word that ``tide word`` sets, or the keys in the files
    ``players`` and ``authorized_keys`` of the keys directory. Telnet has no keys."""
    notice: str = ""
    """Told to everybody who comes in."""
    log: Literal["auto", "human", "json"] = "auto"
    """``auto`` writes for people on a terminal, JSON elsewhere."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_addresses: Literal["full", "short", "none"] = "full"
    """Players' addresses in log lines: whole, the network that they are in (/24, or /48 of IPv6), or none."""
    stop_seconds: Delay = 30.0
    """Told to stop by SIGTERM, the server leaves those who play so long; 0 stops at once."""
    limits: ServerLimits = field(default_factory=ServerLimits)
    tables: TableLimits = field(default_factory=TableLimits)
    timing: Timing = field(default_factory=Timing)


def in_checkout(root: Path = ROOT) -> bool:
    """Whether this runs from a checkout, and not from an installed package."""
    return (root / "pyproject.toml").is_file() and (root / "keys").is_dir()


def default_places() -> tuple[Path, Path]:
    """Where state and keys live when nobody says otherwise."""
    if in_checkout():
        return ROOT / "state", ROOT / "keys"
    from platformdirs import PlatformDirs

    places = PlatformDirs("turn-the-tide", appauthor=False)
    try:
        return places.user_state_path, places.user_data_path / "keys"
    except RuntimeError:  # nobody's home; that matters only if nothing else is said
        return Path("~/state"), Path("~/keys")


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> Settings:
    """The settings that are in force. ``flags`` has keys as in the file; a value of ``None`` was not given.

    Raises ``ConfigError``.
    """
    environ = os.environ if environ is None else environ
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    state, keys = default_places()
    state = Path(given.get("state") or environ.get(f"{PREFIX}STATE") or state)
    merged: dict[str, Any] = {"state": str(state), "keys": str(keys)}
    file = config or (Path(environ[f"{PREFIX}CONFIG"]) if environ.get(f"{PREFIX}CONFIG") else None)
    found = file or (state / FILE if _is_file(state / FILE) else None)
    if found:
        read = _read(found)
        if file is None and "state" in read:
            raise ConfigError(
                f"{found}: state: this file was found in the state directory; set it elsewhere"
            )
        _overlay(merged, _checked(read, str(found), strict=True))
    _overlay(merged, _checked(_from_environ(environ), "environment", strict=False))
    _overlay(merged, _checked(given, "command line", strict=False))
    for place in ("state", "keys", "tls_cert", "tls_key"):
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
    return settings


def _convert(values: Mapping[str, Any], *, strict: bool) -> Settings:
    return msgspec.convert(values, Settings, strict=strict, dec_hook=_path)


def _path(kind: type, value: object) -> object:
    """The hook of msgspec for the one type here that it does not know."""
    if kind is Path and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError("Expected a path")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise ConfigError(f"{path}: is not valid TOML: {problem}") from None
    except RecursionError:
        raise ConfigError(f"{path}: is not valid TOML: nested too deeply") from None
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise ConfigError(f"{path}: is not valid TOML: a number has too many digits") from None


# What Docker and Kubernetes tell every container about a service that is called "tide".
_ORCHESTRATED: Final = re.compile(rf"{PREFIX}(SERVICE_|PORT_\d|PORT$|NAME$|ENV_)")

_SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "limits": ServerLimits.__struct_fields__,
    "tables": tuple(part.name for part in dataclasses.fields(TableLimits)),
    "timing": tuple(part.name for part in dataclasses.fields(Timing)),
}
"""Tables of the file, and the keys in them."""


def _from_environ(environ: Mapping[str, str]) -> dict[str, Any]:
    """What the environment sets; other variables that begin with ``TIDE_`` are none of our business."""
    found: dict[str, Any] = {}
    for name in Settings.__struct_fields__:
        if name in _SECTIONS:
            for key in _SECTIONS[name]:
                if value := environ.get(f"{PREFIX}{name}_{key}".upper()):
                    found.setdefault(name, {})[key] = value
        elif value := environ.get(f"{PREFIX}{name}".upper()):
            found[name] = value
    return found


def unknown_variables(environ: Mapping[str, str] | None = None) -> list[str]:
    """What to tell an operator about variables that look like settings and are none, a line each."""
    environ = os.environ if environ is None else environ
    known = [f"{PREFIX}CONFIG"]
    for name in Settings.__struct_fields__:
        known += (f"{PREFIX}{name}_{key}".upper() for key in _SECTIONS.get(name, ()))
        known += [] if name in _SECTIONS else [f"{PREFIX}{name}".upper()]
    found = []
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in known or _ORCHESTRATED.match(variable):
            continue
        near = difflib.get_close_matches(variable.upper(), known, n=1, cutoff=0.75)
        found.append(
            f"{variable}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
        )
    return found


def _overlay(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict):
            _overlay(below.setdefault(key, {}), value)
        else:
            below[key] = value


def _checked(values: dict[str, Any], where: str, *, strict: bool) -> dict[str, Any]:
    """``values`` as they are when each can be used. Strings stand for numbers unless ``strict``."""
    _check_known(values, Settings.__struct_fields__, where, "")
    for key, value in values.items():
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for name, part in inner:
            asked = {key: part if name is None else {name: part}}
            full = key if name is None else f"{key}.{name}"
            try:
                _check_number(_convert(asked, strict=strict), key, name)
            except msgspec.ValidationError as problem:
                shown = _spelling(where, full)
                reason = str(problem).split(" - at ")[0].replace("`", "")
                raise ConfigError(f"{where}: {shown}: {reason}") from None
    return values


def _spelling(where: str, key: str) -> str:
    """A key as it is written there."""
    if where == "environment":
        return PREFIX + key.replace(".", "_").upper()
    return "--" + key.replace("_", "-") if where == "command line" else key


def _check_number(settings: Settings, key: str, name: str | None) -> None:
    """A number in the coordinator's sections must be one to wait for, or to count to."""
    value = getattr(getattr(settings, key), name) if name else None
    if isinstance(value, float) and not 0 <= value <= _LONGEST:
        raise msgspec.ValidationError(f"Expected seconds from 0 to {_LONGEST}")
    if isinstance(value, int) and value < 1:
        raise msgspec.ValidationError("Expected `int` >= 1")
    if isinstance(value, int) and value > _MOST:
        raise msgspec.ValidationError(f"Expected `int` <= {_MOST}")


def _check_known(
    values: Mapping[str, Any], known: tuple[str, ...], where: str, within: str
) -> None:
    for key, value in values.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean {within}{near[0]}?" if near else ""
            raise ConfigError(f"{where}: {within}{key}: there is no such setting{hint}")
        if not within and key in _SECTIONS and isinstance(value, dict):
            _check_known(value, _SECTIONS[key], where, f"{key}.")
