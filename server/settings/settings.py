"""Every setting of a server: a field of ``Settings`` with its default and its description.

Each is declared once: file, environment, ``tide serve`` and docs/settings.md are made from ``declared``.
"""

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_type_hints

from msgspec import Meta, Struct, inspect

from server import Problem

PREFIX: Final = "TIDE_"
DAY: Final = 24 * 60 * 60
Count = Annotated[int, Meta(ge=1, le=2**40)]
Span = Annotated[float, Meta(ge=0, le=366 * DAY)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Delay = Annotated[float, Meta(ge=0, le=3_600)]


class ConfigError(Problem):
    """An invalid setting."""

    status = 2


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds each."""

    reveal: Annotated[
        Span, "Time to read a reveal: the next round's clock and the bots wait for it."
    ] = 4.0
    stage: Annotated[Span, "The same after the last reveal of a stage."] = 8.0
    bot_least: Annotated[Span, "Minimum time a bot takes to bid, whatever it holds."] = 0.8
    bot_most: Annotated[Span, "Maximum time a bot takes to bid."] = 2.5
    hurried_least: Annotated[Span, "Minimum time once everyone but bots has bid."] = 0.3
    hurried_most: Annotated[Span, "Maximum time once everyone but bots has bid."] = 0.9
    thinking: Annotated[
        Span, "How long a bot that thinks may keep others waiting before `tidal` bids instead."
    ] = 5.0
    away: Annotated[Span, "Time after which a bot bids for a player who is away."] = 3.0
    absent: Annotated[
        Span, "How long a player must be disconnected before the others may vote for a bot."
    ] = 120.0
    suspend: Annotated[Span, "How long a game goes on with nobody connected before it waits."] = (
        600.0
    )
    keep: Annotated[Span, "How long a waiting game is kept (14 days)."] = 14 * DAY
    # Counted again from a restart.
    guests: Annotated[
        Span,
        "The same for a game of guests only that nobody watches, unless paused or played "
        "by correspondence.",
    ] = 900.0
    open_seat: Annotated[
        Span,
        "Before a game, how long a disconnected player's seat is reserved (by correspondence: as "
        "long as a round may take).",
    ] = 60.0
    over: Annotated[Span, "How long a table whose game is over is kept with nobody connected."] = (
        300.0
    )
    countdown: Annotated[
        Span,
        "How long a tournament's round that somebody begins is counted down, unless they insist.",
    ] = 10.0
    rematch: Annotated[
        Span,
        "How long the half who want another game wait for the others, whose seats bots take then.",
    ] = 30.0
    recovery: Annotated[Span, "Extra time for the first round after a restart or a pause."] = 30.0
    correspondence: Annotated[
        Span, "Minimum time left in a correspondence round after a restart."
    ] = 3600.0
    lobby: Annotated[Span, "How long changes are gathered before the lobby is updated."] = 0.05
    # A crowd in the lobby must not slow down the tables.
    lobby_each: Annotated[Span, "Added to that for every visitor who is to be updated."] = 0.005
    lobby_again: Annotated[Span, "Minimum time between two updates of the lobby."] = 2.0
    removed: Annotated[
        Span, "How long a player whom the owner removed cannot sit down there again."
    ] = 300.0
    follow: Annotated[
        Span, "Minimum time at a table for spectators who follow the busiest one."
    ] = 15.0
    retry: Annotated[Span, "Time before a failed write is tried again."] = 2.0


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits on tables and games."""

    tables: Annotated[
        Count,
        "Tables. One more closes a deserted one: of guests first, then of the address "
        "with most tables, then the longest deserted; a game by correspondence after others.",
    ] = 1000
    # A player sits at one of them; bots play on at the others.
    tables_per_player: Annotated[
        Count,
        "Tables opened by one player whose games are not over, without those by "
        "correspondence at which the player sits.",
    ] = 8
    correspondence_per_player: Annotated[
        Count, "Games by correspondence in which one player has a seat."
    ] = 20
    tables_per_address: Annotated[
        Count,
        "The same for one address. At most a quarter of the tables that are still free, "
        "but always a fifth of this number.",
    ] = 200
    games_per_player: Annotated[
        Count, "Games and tables that one player may start in a burst; then one every ten seconds."
    ] = 40
    games_per_address: Annotated[Count, "The same for one address; then one every two seconds."] = (
        240
    )
    rated_programs: Annotated[bool, "Let programs play in rated games."] = True
    spectators: Annotated[Count, "Spectators at one table."] = 500
    commands: Annotated[Count, "Unanswered commands of one player."] = 32


class ServerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits per server, address and session. An IPv6 address counts as its /64."""

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
        Count,
        "Connections and extra sessions from one address before it has to wait; ten times as many "
        "from a /24 (/48 of IPv6).",
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
    pause_bytes: Annotated[Count, "With more unsent output than this, nothing is drawn."] = 16_384
    unread_bytes: Annotated[Count, "With more unsent output than this, a session is ended."] = (
        262_144
    )
    stuck_seconds: Annotated[Seconds, "A session that reads nothing for this long is ended."] = 60.0


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings. Paths are absolute."""

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
    post_quantum_only: Annotated[
        bool, "Offer ML-KEM key exchange only; excludes OpenSSH before 9.9 and old PuTTY."
    ] = False
    doors: Annotated[
        int,
        Meta(ge=0, le=64),
        "Processes to which players connect, beside one with the tables; 0 is one process for all.",
    ] = 0
    doors_listen: Annotated[
        str,
        "HOST:PORT where the coordinator waits for doors on other machines, by TLS; * is every address. "
        "Off by default.",
    ] = ""
    door_of: Annotated[
        str,
        "HOST:PORT of a coordinator on another machine, several between commas: this one has doors only, "
        "unless doors_listen is set, too.",
    ] = ""
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
    forbidden_names: Annotated[
        str,
        "Words that no new name may contain, between commas; also in other letters or with signs.",
    ] = ""
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


class Setting(NamedTuple):
    """The declaration of a setting."""

    key: str
    """The key in the file, with its section: ``limits.sessions``."""
    kind: inspect.Type
    default: object
    description: str
    section: str = ""
    """The description of its section."""

    @property
    def variable(self) -> str:
        """The name in the environment."""
        if self.key == "database":
            return f"{PREFIX}DATABASE_URL"
        return PREFIX + self.key.replace(".", "_").upper()

    @property
    def option(self) -> str:
        """The name on the command line."""
        return "--" + self.key.replace(".", "-").replace("_", "-")

    @property
    def choices(self) -> tuple[str, ...]:
        """The values, if they can be listed."""
        kind = self.kind
        return tuple(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ()

    def value_in(self, settings: "Settings") -> Any:
        """Return the value in ``settings``."""
        return operator.attrgetter(self.key)(settings)


def in_words(kind: inspect.Type) -> str:
    """Return what a setting of this kind must be."""
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
    """Return all settings by key, in the order of their declaration."""
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
