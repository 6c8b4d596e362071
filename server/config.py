"""Settings: one frozen ``Settings`` from the defaults, a TOML file, the environment and the command line.

Later sources win. The file is ``--config``, ``TIDE_CONFIG``, or ``tide.toml`` in the state directory; its key
``limits.sessions`` is ``TIDE_LIMITS_SESSIONS`` in the environment and ``--limits-sessions`` on the command
line. Each setting is declared once, in a field with its description: ``declared`` has what file, environment,
``tide serve`` and docs/settings.md are made from. Whatever is wrong becomes one ``ConfigError`` that names
source and key.
"""

import difflib
import operator
import os
import re
import shlex
import socket
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

import msgspec
from msgspec import Meta, Struct, inspect

from server.coordinator.table_settings import TableLimits, Timing
from server.problem import Problem

ROOT: Final = Path(__file__).resolve().parent.parent
FILE: Final = "tide.toml"
PREFIX: Final = "TIDE_"
URLS: Final = {"database": ("postgresql", "postgres"), "bus": ("nats", "tls")}
"""Settings that are URLs, and how these may begin. A password in one is shown to nobody."""
_MOST: Final = 2**40
"""More than there is of anything, and few enough to calculate with."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1, le=_MOST)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Delay = Annotated[float, Meta(ge=0, le=3_600)]


class ConfigError(Problem):
    """A setting that cannot be used."""

    status = 2


class ServerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """What one server, one address and one session may take. An IPv6 address counts as its /64."""

    sessions: Annotated[Count, "Logged-in connections in total."] = 10_000
    sessions_per_address: Annotated[Count, "Logged-in connections from one address."] = 250
    waiting: Annotated[
        Count,
        "Connections that have not logged in yet, in total. One more replaces the oldest "
        "from the address with the most.",
    ] = 1_000
    waiting_per_address: Annotated[
        Count, "The same from one address. One more replaces the oldest."
    ] = 64
    attempts: Annotated[
        Count, "Connections and extra sessions from one address before it has to wait."
    ] = 100
    attempts_seconds: Annotated[Seconds, "Time in which an address regains all its attempts."] = (
        50.0
    )
    # An ML-KEM handshake takes 20 s at 1,200 baud.
    login_seconds: Annotated[Seconds, "Time to log in, and later to exchange new SSH keys."] = 60.0
    # Every SSH client speaks first, and at once.
    first_byte_seconds: Annotated[Seconds, "Time for an SSH client to send its first byte."] = 5.0
    idle_connection_seconds: Annotated[
        Seconds, "How long a connection may be open without a session."
    ] = 60.0
    channels: Annotated[Count, "Simultaneous sessions of one connection."] = 4
    wire_bytes: Annotated[Count, "Bytes a connection may send in a burst."] = 32_768
    wire_bytes_per_second: Annotated[
        Count, "Bytes a second after that; faster input is delayed."
    ] = 8_192
    setup_bytes: Annotated[Count, "Bytes a connection may send before it has a session."] = 262_144
    keys: Annotated[Count, "Bytes of typed text in a burst."] = 1_024
    keys_per_second: Annotated[Count, "Bytes of typed text a second after that."] = 256
    commands: Annotated[
        Count, "Commands a second of a program, twice as many in a burst; its bytes are wire_bytes."
    ] = 50
    pause_bytes: Annotated[Count, "With more unsent output than this, nothing is drawn."] = 16_384
    unread_bytes: Annotated[Count, "With more unsent output than this, a session is ended."] = (
        262_144
    )
    stuck_seconds: Annotated[Seconds, "A session that reads nothing for this long is ended."] = 60.0
    resize_seconds: Annotated[
        Delay, "Minimum time between redraws for a terminal that is being resized."
    ] = 0.1


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a host can set. Paths are absolute."""

    host: Annotated[str, "Address or name to listen on; * is every address, IPv4 and IPv6."] = (
        "localhost"
    )
    lan: Annotated[
        bool, "Announce the server on the local network, and listen on every address."
    ] = False
    ssh_port: Annotated[Port, "Port for SSH; 0 picks a free one."] = 2222
    public_address: Annotated[
        str,
        "HOST or HOST:PORT that players type for SSH where that is not this machine: behind a router or a "
        "load balancer, in a container.",
    ] = ""
    telnet: Annotated[bool, "Accept telnet, which is not encrypted."] = True
    telnet_port: Annotated[Port, "Port for telnet; 0 picks a free one."] = 2323
    telnet_tls_port: Annotated[
        Port, "Port for telnet with TLS, used if there is a certificate; 0 picks one."
    ] = 2324
    tls_cert: Annotated[Path | None, "PEM file with a certificate chain, for telnet with TLS."] = (
        None
    )
    tls_key: Annotated[
        Path | None, "PEM file with its private key, unless that is in the same."
    ] = None
    proxies: Annotated[
        str,
        "Networks of load balancers, which have to say by PROXY protocol v2 for whom they connect.",
    ] = ""
    state: Annotated[Path, "Directory of games and results."] = Path()
    keys: Annotated[Path, "Directory of the server's SSH keys."] = Path()
    database: Annotated[
        str,
        "URL of a PostgreSQL database for games and results, in place of a file in state; "
        "the variable is TIDE_DATABASE_URL.",
    ] = ""
    database_file: Annotated[
        Path | None, "File with that URL, for one with a password; in place of database."
    ] = None
    bus: Annotated[
        str,
        "URL of a NATS server, through which several servers with one database are one; "
        "the variable is TIDE_BUS_URL.",
    ] = ""
    bus_file: Annotated[
        Path | None, "File with that URL, for one with a password; in place of bus."
    ] = None
    bus_ca: Annotated[
        Path | None,
        "PEM file of the authorities whose certificates a bus with tls:// may have; by default the system's.",
    ] = None
    node: Annotated[str, "Name of this server among those; by default the name of the machine."] = (
        ""
    )
    post_quantum_only: Annotated[
        bool, "Offer ML-KEM key exchange only; excludes OpenSSH before 9.9 and old PuTTY."
    ] = False
    metrics_port: Annotated[
        Port | None,
        "Port for Prometheus metrics and /healthz; 0 picks a free one. Off by default.",
    ] = None
    metrics_host: Annotated[
        str,
        "Address or name to listen on for metrics, as for host; whoever can reach it may read them.",
    ] = "localhost"
    access: Annotated[
        Literal["open", "password", "keys"],
        "Who may log in: open is everyone, password those who know the server's password, "
        "keys listed keys only.",
    ] = "open"
    notice: Annotated[str, "Shown to everyone who logs in; up to six lines."] = ""
    log: Annotated[
        Literal["auto", "human", "json"],
        "Log format; auto is human on a terminal and json elsewhere.",
    ] = "auto"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], "Least severe level logged."
    ] = "info"
    log_addresses: Annotated[
        Literal["full", "short", "none"],
        "Players' addresses in the log; short is the network (/24, or /48 of IPv6).",
    ] = "full"
    stop_seconds: Annotated[
        Delay, "Time for running games to end after SIGTERM; 0 stops at once."
    ] = 30.0
    limits: Annotated[ServerLimits, "Limits per server, address and connection"] = ServerLimits()
    tables: Annotated[TableLimits, "Limits on tables and games"] = TableLimits()
    timing: Annotated[Timing, "Timing of games, in seconds"] = Timing()


RENAMED: Final = {"access": ("door", {"word": "password"})}
"""What a setting was called, and its values, with the new ones: still understood."""


class Setting(NamedTuple):
    """The declaration of one setting, from which its key, variable, option and documentation are made."""

    key: str
    """As in the file, with its section: ``limits.sessions``."""
    kind: inspect.Type
    default: object
    description: str
    section: str = ""
    """The description of its section."""

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        if self.key in URLS:
            return f"{PREFIX}{self.key.upper()}_URL"
        return PREFIX + self.key.replace(".", "_").upper()

    @property
    def option(self) -> str:
        """Its name on the command line."""
        return "--" + self.key.replace(".", "-").replace("_", "-")

    @property
    def choices(self) -> tuple[str, ...]:
        """The values there are, if they can be listed."""
        kind = self.kind
        return tuple(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ()

    def value_in(self, settings: "Settings") -> Any:
        """Its value."""
        return operator.attrgetter(self.key)(settings)


def in_words(kind: inspect.Type) -> str:
    """What a setting of this kind can be, behind "must be"."""
    match kind:
        case inspect.UnionType(types=(first, *_)):
            return in_words(first)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(ge=None, gt=bound, le=most):
            return f"a number above {bound}, at most {most:.10g}"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least:.10g} to {most:.10g}"
        case inspect.LiteralType(values=values):
            return " or ".join(map(str, values))
        case inspect.CustomType():
            return "a path"
        case _:
            return "text"


@cache
def declared() -> Mapping[str, Setting]:
    """All settings by key, in the order in which they are declared."""
    return {setting.key: setting for setting in _declared(Settings, "", "")}


def _declared(owner: type, prefix: str, section: str) -> Iterator[Setting]:
    kind = inspect.type_info(owner)
    assert isinstance(kind, inspect.StructType | inspect.DataclassType)
    hints = get_type_hints(owner, include_extras=True)
    for one in kind.fields:
        description = hints[one.name].__metadata__[-1]
        if isinstance(one.type, inspect.StructType | inspect.DataclassType):
            yield from _declared(one.type.cls, f"{one.name}.", description)
        else:
            yield Setting(f"{prefix}{one.name}", one.type, one.default, description, section)


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


Layer = tuple[str, Mapping[str, Any]]
"""A source (``default``, the path of the file, ``environment`` or ``command line``) and its values by key."""


def load(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> Settings:
    """The settings in force. ``flags`` has values by key; a value of ``None`` was not given.

    Raises ``ConfigError``.
    """
    return settings_of(layers(flags, environ, config))


def layers(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> list[Layer]:
    """Where settings come from, each checked; later ones win. Arguments and exceptions as for ``load``."""
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
                f"{path}: state: this file was found in the state directory; set it elsewhere"
            )
        found.append((str(path), _checked(read, str(path), strict=True)))
    names = {
        **{old: f"{PREFIX}{old.upper()}" for old, _ in RENAMED.values()},
        **{one.key: one.variable for one in declared().values()},
    }
    variables = {key: value for key, name in names.items() if (value := environ.get(name))}
    both = (("environment", variables), ("command line", given))
    return found + [(source, _checked(values, source, strict=False)) for source, values in both]


def settings_of(found: Iterable[Layer]) -> Settings:
    """What ``layers`` come to. Raises ``ConfigError``."""
    merged: dict[str, Any] = {}
    for _, values in found:
        merged |= values
    for place in ("state", "keys", "tls_cert", "tls_key", "database_file", "bus_file", "bus_ca"):
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


def database_url(settings: Settings) -> str:
    """The URL of the database; empty for a file in the state directory. Raises ``ConfigError``."""
    return _url("database", settings.database, settings.database_file)


def bus_url(settings: Settings) -> str:
    """The URL of the bus; empty where this server is the only one. Raises ``ConfigError``."""
    url = _url("bus", settings.bus, settings.bus_file)
    database = database_url(settings)
    if url and not database:
        raise ConfigError(
            "bus: servers that share a bus share a database, too: say which (--database, TIDE_DATABASE_URL "
            "or database_file), or leave out the bus"
        )
    if database and not url:
        raise ConfigError(
            "database: a server on PostgreSQL needs a NATS server, too: say which (--bus, TIDE_BUS_URL or "
            "bus_file), or leave out the database: then everything is in a file"
        )
    return url


def node_name(settings: Settings) -> str:
    """What this server is called among others: letters, digits and hyphens. Raises ``ConfigError``."""
    name = settings.node or socket.gethostname().partition(".")[0].replace("_", "-")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}", name):
        raise ConfigError(
            f"node: {name!r} cannot be the name of a node: up to 40 letters, digits and hyphens can "
            "(--node, TIDE_NODE)"
        )
    return name


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


def _check_address(text: str, where: str) -> None:
    """Raises ``ConfigError``."""
    named = _HOST_AND_PORT.fullmatch(text)
    if text and (named is None or int(named["port"] or 0) >= 1 << 16):
        raise ConfigError(
            f"{where}: must be HOST or HOST:PORT, such as tide.example:22 or [2001:db8::1]:22"
        )


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
        url = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "is not UTF-8 text"
        raise ConfigError(f"{key}_file: {path}: {reason}") from None
    if not url:
        raise ConfigError(f"{key}_file: {path} is empty")
    _check_url(key, url, f"{key}_file: {path}")
    return url


def without_password(url: str) -> str:
    """A URL that may be shown."""
    hidden = re.sub(r"((?:^|,)\s*\w+://[^:/@]*):.*@", r"\1:***@", url)
    # Of NATS, a name without a password is a token.
    hidden = re.sub(r"((?:^|,)\s*(?:nats|tls)://)[^:/@]+@", r"\1***@", hidden)
    return re.sub(r"(?<=[?&])(\w*password=)[^&]*", r"\1***", hidden)


def _check_url(key: str, url: str, where: str) -> None:
    """Raises ``ConfigError`` without anything of the URL: there may be a password in it."""
    schemes = URLS[key]
    if url and not url.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ConfigError(f"{where}: must be a URL that begins with {schemes[0]}://")
    if where.startswith("command line") and url != without_password(url):
        raise ConfigError(
            f"{where}: everybody on this machine can see a password there (`ps`): put the URL into "
            f"{PREFIX}{key.upper()}_URL or into a file (--{key}-file)"
            + (", or the password into ~/.pgpass" if key == "database" else "")
        )


def _convert(values: Mapping[str, Any], *, strict: bool) -> Settings:
    nested: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[name] = value
    return msgspec.convert(nested, Settings, strict=strict, dec_hook=_path)


def _path(kind: type, value: object) -> object:
    """The hook of msgspec for the one type here that it does not know."""
    if kind is Path and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError("Expected a path")


def _read(path: Path) -> dict[str, Any]:
    """The values in a file, by key."""
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
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
    sections = {key.partition(".")[0] for key in declared() if "." in key}
    found: dict[str, Any] = {}
    for key, value in read.items():
        if key in sections and isinstance(value, dict):
            found |= {f"{key}.{name}": part for name, part in value.items()}
        else:
            found[key] = value
    return found


# What Docker and Kubernetes tell every container about a service that is called "tide".
_ORCHESTRATED: Final = re.compile(rf"{PREFIX}(SERVICE_|PORT_\d|PORT$|NAME$|ENV_)")


def unknown_variables(environ: Mapping[str, str] | None = None) -> list[str]:
    """What to tell an operator about variables that look like settings and are none, a line each."""
    environ = os.environ if environ is None else environ
    known = [f"{PREFIX}CONFIG", *(one.variable for one in declared().values())]
    known += [f"{PREFIX}{old.upper()}" for old, _ in RENAMED.values()]
    found = []
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in known or _ORCHESTRATED.match(variable):
            continue
        near = difflib.get_close_matches(variable.upper(), known, n=1, cutoff=0.75)
        found.append(
            f"{variable}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
        )
    return found


def _checked(values: dict[str, Any], where: str, *, strict: bool) -> dict[str, Any]:
    """``values`` as they are when each can be used, by their new names. Strings stand for numbers unless
    ``strict``.
    """
    values = {**values}
    for new, (old, changed) in RENAMED.items():
        if old in values:
            value = values.pop(old)
            values.setdefault(new, value)
        if isinstance(values.get(new), str):
            values[new] = changed.get(values[new], values[new])
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
        try:
            _convert({key: value}, strict=strict)
        except msgspec.ValidationError:
            setting = declared().get(key)
            wanted = in_words(setting.kind) if setting else f"a section, [{key}]"
            raise ConfigError(f"{where}: {_spelling(where, key)}: must be {wanted}") from None
        if key in URLS:
            _check_url(key, value, f"{where}: {_spelling(where, key)}")
        if key == "public_address":
            _check_address(value, f"{where}: {_spelling(where, key)}")
    return values


def _spelling(where: str, key: str) -> str:
    """A key as it is written there."""
    setting = declared().get(key)
    if setting is None or where not in {"environment", "command line"}:
        return key
    return setting.variable if where == "environment" else setting.option
