"""A game against bots at the local terminal, in one process."""

import asyncio
import os
from dataclasses import dataclass, field
from functools import partial

from server import logs
from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Visit
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import QuickGame, TableOptions
from server.coordinator.people.people import People
from server.runtime.thinkers import Thinkers
from server.session.account import Account, GameLibrary
from server.settings.settings import Settings
from server.storage.databases.database import Database, end_process
from server.storage.databases.sqlite import SqliteMemory
from server.storage.history_store import HistoryStore
from server.storage.people import PeopleStore
from server.storage.table_store import TableStore
from server.terminal.capabilities import ByteStream, Capabilities
from server.timers import Clock, SystemClock
from server.transport.access.login import Login, parse_login
from server.transport.session.frontends import frontend_for
from server.transport.session.server import Caller, Frontend, GameServer, Session, SessionNotice
from server.transport.session.terminals import LocalTerminal


@dataclass(slots=True, eq=False)
class _OwnGames(Account):
    """Keeps nothing but the games, until the program ends."""

    library: GameLibrary | None = field()


def run(options: TableOptions, name: str, deal: str = "") -> None:
    """Play until the player leaves, and restore the terminal.

    ``deal`` is a code or a word for the first game.
    """
    # Log lines would end up in the middle of the screen.
    logs.set_up(level="error")
    asyncio.run(_play(options, name, deal))


async def _play(options: TableOptions, name: str, deal: str) -> None:
    clock = SystemClock()
    database = Database(SqliteMemory())
    thinkers = Thinkers()
    lobby = Lobby(TableStore(database), clock, think=thinkers.think)
    people = People(PeopleStore(database), clock)
    history = HistoryStore(database)
    database.when_lost = lambda _: lobby.send_away("lost")
    make = partial(_frontend, clock)
    server = GameServer(Settings(), Arrivals(lobby, people), make, history=history)
    # That of a machine in a domain may have that in front of it.
    login = parse_login(name).without_domain()
    caller = Caller(Login(login.name), "", "", "tty", QuickGame(options, deal=deal))
    terminal = LocalTerminal(os.environ)
    session = Session(server, terminal, caller)
    with terminal.taken_over(session.feed, session.resized, session.hang_up):
        await asyncio.wait([session.task])
    if database.lost:
        end_process(database.lost)
    await lobby.close()
    await thinkers.aclose()


def _frontend(
    clock: Clock,
    terminal: ByteStream,
    visit: Visit,
    notices: tuple[SessionNotice, ...],
    account: Account,
    wanted: Capabilities | None,
) -> Frontend:
    """A ``MakeFrontend`` without accounts: there is nothing to come back to, only the games of this visit.

    ``notices`` tell how to log in under another name, which nobody has done here.
    """
    return frontend_for(clock, terminal, visit, (), _OwnGames(account.library), wanted)
