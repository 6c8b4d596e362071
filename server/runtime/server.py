"""A running server: everything put together, and taken apart again in good order."""

import asyncio
import os
import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from server import logs
from server.config import Settings, unknown_variables
from server.coordinator.clock import SystemClock
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.people.people import People
from server.measures import QUICK, Distribution
from server.runtime import gc_policy
from server.runtime.banner import JoinInstructions, JoinLine, way_in
from server.runtime.health import DRAINING, OPEN, Health, measure_lag, watch_writes
from server.runtime.operators import open_office
from server.runtime.reload import Reloader
from server.runtime.sd_notify import READY, STOPPING, SdNotify
from server.runtime.shutdown import ControllingTerminal, Shutdown, listen
from server.storage.database import Database
from server.storage.history_sql import SqlHistory
from server.storage.people_sql import SqlPeople
from server.storage.sql import open_state
from server.transport.session.frontends import face_for
from server.transport.session.server import GameServer
from server.transport.ssh.host_keys import COMING, HostKey, KeyProblem, load, load_or_make
from server.transport.ssh.server import SshServer
from server.transport.telnet.server import CertificateProblem, TelnetServer, load_certificate

if TYPE_CHECKING:
    from server.runtime.metrics_server import MetricsServer
    from server.transport.lan.discovery import Announcement

log = structlog.get_logger("server")

SWITCH_SECONDS: Final = 0.0002
"""How long the event loop may go on while a thread that writes to the disk waits for its turn in Python. It
needs several turns for every bid: with Python's 5 ms, the slowest bids take twice as long."""

CHECKPOINT_SECONDS: Final = 60.0
"""What was written lately is alone in the write-ahead log for this long at most."""


def run(settings: Settings, reload: Callable[[], Settings], hung_up: Sequence[int] = ()) -> None:
    """Serve until told to stop. ``reload`` reads the settings anew, or raises ``ConfigError``; ``hung_up``
    has the SIGHUPs that have come so far.

    Raises ``BindProblem``, ``CannotOpen``, ``CertificateProblem``, ``KeyProblem`` or ``WordProblem``.
    """
    _see_to_a_home(settings.state)
    logs.set_up(settings.log, settings.log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    logs.set_addresses(settings.log_addresses)
    for problem in unknown_variables():
        log.warning("unknown variable", reason=problem)
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(settings, reload, hung_up))
    finally:
        # Before anybody says on the terminal why it has ended.
        logs.drain()


def _see_to_a_home(otherwise: Path) -> None:
    """Asyncssh asks for a home directory, though we have it look for nothing there; a user in a container may
    have none.
    """
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = str(otherwise)


async def _serve(
    settings: Settings, reload: Callable[[], Settings], hung_up: Sequence[int]
) -> None:
    stopping, rereading, terminal = Shutdown(), Reloader(settings, reload), ControllingTerminal()
    # SIGHUP also comes when the window is closed in which the server was started.
    listen(stopping, lambda: stopping.at_once() if terminal.hung_up else rereading.now(), hung_up)
    _raise_descriptor_limit()
    key, coming = load_or_make(settings.keys), load(settings.keys, COMING)
    certificate = load_certificate(settings.tls_cert, settings.tls_key)
    state = await open_state(settings.state)
    observing: MetricsServer | None = None
    try:
        clock, history = SystemClock(), SqlHistory(state.database)
        lobby = Lobby(
            state.tables,
            clock,
            timing=settings.timing,
            limits=settings.tables,
            strength=history.shown_rating,
            gone=lambda player: house.left(player),  # noqa: PLW0108 - there is no house yet
        )
        people = People(SqlPeople(state.database), clock, seated=lobby.knows)
        keys, places = Distribution(QUICK), list[str]()
        make_face = partial(
            face_for, clock, drawn=keys.add, way_in=lambda: places[0] if places else ""
        )
        house = GameServer(settings, lobby, make_face, people=people, history=history)
        house.gate.check()
        rereading.apply_to(lobby, house)
        operating = await open_office(
            settings, state.database, clock, house, lobby, rereading, stopping
        )
        watch = Health(house, lobby, state.database, keys)
        observing = _observing(settings, watch)
        line = SshServer(house, key, coming)
        telnet = TelnetServer(house, certificate) if settings.telnet else None
        tables = await take_up(lobby, line, *([telnet] if telnet is not None else []))
        places.append(way_in(settings.host, JoinLine(line.addresses, line.port)))
        if telnet is not None:
            telnet.advice = f"ssh -p {line.port} HOST"
        announced = _announced(settings, line, key, lambda: rereading.settings.door)
        rereading.begin(partial(_reread_files, settings, line, telnet, announced))
        _print_welcome(settings, line, telnet, key, announced, observing)
        log.info(
            "open",
            host=settings.host,
            ssh_port=line.port,
            telnet_port=telnet.port if telnet is not None else None,
            tables=tables,
            database="new database" if state.new else "known",
            metrics_port=observing.port if observing is not None else None,
        )
        watch.status = OPEN
        supervisor = SdNotify()
        supervisor.tell(READY)
        gc_policy.settle()
        cleaning = gc_policy.keep_clean(
            clock, lambda: max(house.guard.gone, house.ended), lambda: len(house.sessions)
        )
        chores = [
            asyncio.create_task(people.keep_tidy(), name="tidy"),
            asyncio.create_task(operating.office.keep_tidy(), name="tidy office"),
            asyncio.create_task(cleaning, name="clean"),
            asyncio.create_task(measure_lag(watch, asyncio.get_running_loop().time), name="lag"),
            asyncio.create_task(watch_writes(watch), name="writes"),
            asyncio.create_task(_keep_checkpointed(state.database, clock), name="checkpoints"),
            asyncio.create_task(supervisor.keep_telling(clock), name="alive"),
        ]
        if announced is not None:
            chores.append(_keep_announced(announced, lobby, clock))
        await stopping.asked()
        watch.status = DRAINING
        house.closing = True
        supervisor.tell(STOPPING)
        await stopping.last_call(lobby, clock, rereading.settings.stop_seconds)
        await _end(chores)
        log.info("closing", sessions=len(house.sessions))
        line.stop_listening()
        if telnet is not None:
            telnet.stop_listening()
        await lobby.close()
        await house.close()
        await operating.close()
        if telnet is not None:
            await telnet.close()
        await line.close()
    finally:
        if observing is not None:
            await observing.close()
        await state.close()
    log.info("closed")


async def take_up(lobby: Lobby, *lines: SshServer | TelnetServer) -> int:
    """Take the ports, then the tables, and only then people: before the tables are back, who comes back would
    not find the own seat, and a guest without one is forgotten. How many tables there are.

    Raises ``BindProblem`` or ``StoreError``.
    """
    for line in lines:
        line.bind()
    tables = await lobby.recover()
    for line in lines:
        line.open()
    return tables


def _print_welcome(
    settings: Settings,
    line: SshServer,
    telnet: TelnetServer | None,
    key: HostKey,
    announced: "Announcement | None",
    observing: "MetricsServer | None",
) -> None:
    JoinInstructions(
        host=settings.host,
        ssh=JoinLine(line.addresses, line.port),
        telnet=JoinLine(telnet.addresses, telnet.port) if telnet is not None else None,
        key=key,
        lan=announced.place if announced is not None else "",
        door=settings.door,
        metrics_port=observing.port if observing is not None else None,
    ).print()


async def _keep_checkpointed(database: Database, clock: SystemClock) -> None:
    while True:
        await clock.sleep_until(clock.time() + CHECKPOINT_SECONDS)
        await database.checkpoint()


async def _end(chores: list[asyncio.Task[None]]) -> None:
    for chore in chores:
        chore.cancel()
    await asyncio.gather(*chores, return_exceptions=True)


def _raise_descriptor_limit() -> None:
    """As many connections as the system lets us have."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _reread_files(
    settings: Settings,
    line: SshServer,
    telnet: TelnetServer | None,
    announced: "Announcement | None",
) -> None:
    """Files beside the settings, at the places where they were when the server started."""
    _reread_keys(settings.keys, line, announced)
    if telnet is not None:
        _reread_certificate(settings, telnet)


def _reread_keys(directory: Path, line: SshServer, announced: "Announcement | None") -> None:
    """Keys that cannot be used change nothing, and are told to the log."""
    try:
        key, coming = load(directory), load(directory, COMING)
    except KeyProblem as problem:
        log.error("keys not reread", reason=str(problem))
        return
    if key is None:
        log.error("keys not reread", reason=f"there is no key in {directory}")
        return
    line.use(key, coming)
    if announced is not None:
        announced.fingerprint = key.fingerprint
    log.info("keys reread", key=key.fingerprint, coming=coming.fingerprint if coming else None)


def _reread_certificate(settings: Settings, telnet: TelnetServer) -> None:
    """One that cannot be used changes nothing, and is told to the log."""
    try:
        telnet.use(load_certificate(settings.tls_cert, settings.tls_key))
    except CertificateProblem as problem:
        log.error("certificate not reread", reason=str(problem))


def _observing(settings: Settings, watch: Health) -> "MetricsServer | None":
    if settings.metrics_port is None:
        return None
    from server.runtime.metrics_server import MetricsServer

    return MetricsServer(watch, settings.metrics_port)


def _keep_announced(
    announced: "Announcement", lobby: Lobby, clock: SystemClock
) -> asyncio.Task[None]:
    from server.runtime.lan import standing

    telling = announced.keep_telling(clock, lambda: standing(lobby))
    return asyncio.create_task(telling, name="announce")


def _announced(
    settings: Settings, line: SshServer, key: HostKey, door: Callable[[], str]
) -> "Announcement | None":
    if not settings.lan:
        return None
    # Others need none of what this takes.
    from server.runtime.lan import announcement

    return announcement(settings.host, line, key, door)
