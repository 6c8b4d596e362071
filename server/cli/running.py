"""A running server: everything put together, and taken apart again in good order."""

import asyncio
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import structlog

from server import logs
from server.cli import garbage
from server.cli.rereading import Rereading
from server.cli.stopping import Stopping, Terminal, listen
from server.config import Settings
from server.coordinator.clock import SystemClock
from server.coordinator.lobby import Lobby
from server.coordinator.people import People
from server.storage.history_sql import SqlHistory
from server.storage.people_sql import SqlPeople
from server.storage.sql import open_state
from server.transport.faces import face_for
from server.transport.hostkeys import HostKey, load_or_make
from server.transport.house import House
from server.transport.ssh import SshLine
from server.transport.telnet import TelnetLine, load_certificate

log = structlog.get_logger("server")


def run(settings: Settings, reload: Callable[[], Settings]) -> None:
    """Serve until told to stop. ``reload`` reads the settings anew, or raises ``ConfigError``.

    Raises ``BindProblem``, ``CannotOpen``, ``CertificateProblem`` or ``KeyProblem``.
    """
    logs.set_up(settings.log, settings.log_level)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(settings, reload))


async def _serve(settings: Settings, reload: Callable[[], Settings]) -> None:
    stopping, rereading, terminal = Stopping(), Rereading(settings, reload), Terminal()
    # SIGHUP also comes when the window is closed in which the server was started.
    listen(stopping, lambda: stopping.at_once() if terminal.hung_up else rereading.now())
    _raise_descriptor_limit()
    key = load_or_make(settings.keys)
    certificate = load_certificate(settings.tls_cert, settings.tls_key)
    state = await open_state(settings.state)
    try:
        clock = SystemClock()
        lobby = Lobby(state.tables, clock, timing=settings.timing, limits=settings.tables)
        people = People(SqlPeople(state.database), clock, seated=lobby.knows)
        history = SqlHistory(state.database)
        house = House(settings, lobby, partial(face_for, clock), people=people, history=history)
        rereading.apply_to(lobby, house)
        line = SshLine(house, key)
        telnet = TelnetLine(house, certificate) if settings.telnet else None
        await line.open()
        if telnet is not None:
            telnet.advice = f"ssh -p {line.port} HOST"
            await telnet.open()
        tables = await lobby.recover()
        _print_welcome(settings, line, telnet, key)
        log.info(
            "open",
            host=settings.host,
            ssh_port=line.port,
            telnet_port=telnet.port if telnet is not None else None,
            tables=tables,
        )
        garbage.settle()
        cleaning = garbage.keep_clean(clock, lambda: house.ended, lambda: len(house.sessions))
        chores = [
            asyncio.create_task(people.keep_tidy(), name="tidy"),
            asyncio.create_task(cleaning, name="clean"),
        ]
        await stopping.asked()
        await stopping.last_call(lobby, clock, rereading.settings.stop_seconds)
        for chore in chores:
            chore.cancel()
        log.info("closing", sessions=len(house.sessions))
        line.stop_listening()
        if telnet is not None:
            telnet.stop_listening()
        await lobby.close()
        await house.close()
        if telnet is not None:
            await telnet.close()
        await line.close()
    finally:
        await state.close()
    log.info("closed")


def _raise_descriptor_limit() -> None:
    """As many connections as the system lets us have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _print_welcome(
    settings: Settings, line: SshLine, telnet: TelnetLine | None, key: HostKey
) -> None:
    lines = ["Turn the Tide is open. To join, type:", ""]
    lines += [f"    {command}" for command in join_lines(settings.host, line)]
    if telnet is not None:
        places = _all_places(settings.host, telnet.addresses)
        lines += ["", "or, where nobody minds who reads along:", ""]
        lines += [f"    telnet {place} {telnet.port}" for place in places]
    lines += ["", f"Host key: {key.line}"]
    if key.made:
        lines.append(f"It was made just now, and is kept in {key.path}.")
    lines.append("Ctrl-C closes the house.")
    with suppress(OSError):  # nobody needs to read it
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()


def join_lines(host: str, line: SshLine) -> list[str]:
    """What players type, one line for each way in."""
    port = "" if line.port == 22 else f"-p {line.port} "
    return [f"ssh {port}{place}" for place in _all_places(host, line.addresses)]


def _all_places(host: str, addresses: list[str]) -> list[str]:
    """Names under which players reach any of these addresses, each once."""
    found = dict.fromkeys(place for address in addresses for place in _places(host, address))
    return list(found)


def _places(host: str, address: str) -> list[str]:
    """Names under which players reach ``address``."""
    if address in {"127.0.0.1", "::1"} and host == "localhost":
        return ["localhost"]
    if address not in {"0.0.0.0", "::"}:
        return [address]
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ["localhost", *_own_address(family)]


def _own_address(family: socket.AddressFamily) -> list[str]:
    """The address that this machine uses towards others; nothing is sent to find out."""
    beyond = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((beyond, 9))
        return [probe.getsockname()[0]]
    return []
