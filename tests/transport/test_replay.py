"""``ssh HOST replay CODE``: a finished game for whoever has its code, and for nobody else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.records.record_format import Record
from server.coordinator.people.people import Credential
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.events import Event, EventStore
from server.storage.history import replay_code
from server.storage.history_store import HistoryStore
from server.storage.table_store import FinishedGame
from server.transport.ssh.session import ReplayFrontend
from tests.support.clients import seated
from tests.support.connections import Open, fingerprint, key, open_server, until
from tests.support.databases import archived, keep
from tests.support.games import record

NAMES = ("ada", "bo", "cem", "dora")
PUBLIC = record(1, NAMES, id="f3" * 16 + "-1", table="Harbour")
PRIVATE = record(2, NAMES, id="a5" * 16 + "-1", private=True)
OF_TODAY = record(3, NAMES, id="77" * 16 + "-1", seats=[{"kind": "human"}] * 4)


def code(number: int, of: Record) -> str:
    return replay_code(number, of)


SHOW = f"replay {code(1, PUBLIC)}"


@asynccontextmanager
async def a_house() -> AsyncIterator[Open]:
    """Game 1 may be seen by anybody, 2 is of a private table, and others still play the deal of 3."""
    opened = Database(SqliteMemory())
    async with open_server(history=HistoryStore(opened)) as house:
        ada = await house.people.admit(Credential(fingerprint("ada")), "ada")
        players = (ada.player.id, "", "", "")
        await keep(opened, 1, PUBLIC, *players)
        await keep(opened, 2, PRIVATE, *players)
        await EventStore(opened).add(Event("day-1", "day", 1.0, 2.0, "", ""))
        over = FinishedGame(OF_TODAY.fields(), players, 3.0, event="day-1")
        await archived(opened, "3-1", over)
        yield house


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (code(2, PRIVATE), "That game was played at a private table: only its players can see it."),
        (
            code(3, OF_TODAY),
            "Others may still play this deal: when that is over, everybody can see",
        ),
        (code(1, PUBLIC)[:-1] + "x", "Which game? Its code is in what was shared"),
        ("1-00000000", "That game cannot be shown."),
        ("99-00000000", "That game cannot be shown."),
        ("1", "Which game? Its code is in what was shared: "),
        ("", "Which game? Its code is in what was shared: "),
    ],
)
async def test_who_may_not_see_it_is_told_why_and_nobody_comes_in(asked: str, said: str) -> None:
    async with a_house() as house, house.connect("+guest") as client:
        done = await client.run(f"replay {asked}")
        assert done.exit_status in (1, 2)
        assert said in f"{done.stdout}{done.stderr}"
        await until(lambda: not house.server.sessions)
        assert not house.frontends


async def test_whoever_has_a_key_reads_it_in_the_own_language() -> None:
    async with a_house() as house:
        people = house.people
        ada = await people.admit(Credential(fingerprint("ada")), "ada")
        await people.store.set_settings(ada.player.id, {"language": "de"})
        for name, said in (
            ("ada", "Wiederholung auf"),
            ("ada+en", "Replay of"),
            ("eve", "Replay of"),
        ):
            async with house.connect(name, [key(name[:3])]) as client:
                assert said in str((await client.run(SHOW)).stdout)
        async with seated(house, "ada", command=SHOW, keys=[key("ada")]) as shown:
            await shown.sees("Wiederholung")


async def test_the_players_of_a_private_game_see_it_with_their_key() -> None:
    async with a_house() as house:
        for who, allowed in (("ada", True), ("eve", False)):
            async with house.connect("somebody", [key(who)]) as client:
                done = await client.run(f"replay {code(2, PRIVATE)}")
                assert ("Stage 1 of 4." in str(done.stdout)) is allowed
                assert done.exit_status == (0 if allowed else 1)


async def test_without_a_terminal_all_of_it_is_printed() -> None:
    async with a_house() as house, house.connect("+guest") as client:
        done = await client.run(SHOW, input="")
        assert (done.exit_status, done.stderr) == (0, "")
        lines = str(done.stdout).splitlines()
        assert lines[0] == "Replay of Harbour: ada, bo, cem, dora."
        assert sum(line.startswith("Points: ") for line in lines) == 4
        assert any(line.startswith("Standings: ") for line in lines)
        assert not any("holds" in line for line in lines), "nobody's hand is told"
        assert max(map(len, lines)) < 80


async def test_in_a_terminal_it_is_the_page_of_a_replay_without_an_account() -> None:
    async with a_house() as house, seated(house, "+guest", command=SHOW) as shown:
        await shown.sees("Replay, as everybody could see it.")
        (session,) = house.server.sessions
        assert isinstance(session.frontend, ReplayFrontend)
        assert session.player is None
        assert not house.here - 1
        shown.press("2")
        await shown.sees("Replay, as bo saw it.")
        shown.press("a")
        await shown.sees("All hands open")
        shown.resize(40, 15)
        await shown.sees("Esc back")
        shown.press("q")
        await shown.sees("guest 40x15")
        assert session.player is not None
        assert session.player.guest
        assert house.frontends


async def test_ctrl_c_hangs_up_and_a_line_terminal_goes_on() -> None:
    async with a_house() as house, seated(house, "+guest", command=SHOW) as shown:
        await shown.sees("Replay, as everybody could see it.")
        shown.press("\x03")
        await shown.until(lambda screen: screen.closed)
        assert shown.exit_status == 0
        await until(lambda: not house.server.sessions)
        assert not house.frontends
    async with a_house() as house, seated(house, "+guest+plain", command=SHOW):
        await until(lambda: house.frontends)
