"""Processes in which bots think: what they answer, and what becomes of them and of the server."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from engine.bots import Question, choose, question
from engine.deal import deal_game
from engine.editions import Rules
from server.coordinator.messages import AddBot, CreateTable, Pace, StartGame, Status, TableOptions
from server.coordinator.table.play import start
from server.coordinator.table.ports import Asker, Urgency
from server.runtime import thinkers
from server.runtime.thinkers import Thinkers
from tests.support.patience import PATIENCE
from tests.support.tables import world

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(range(32))


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_REST", 0.0)


@asynccontextmanager
async def pool(*command: str) -> AsyncIterator[Thinkers]:
    async with aclosing(Thinkers(command or thinkers.COMMAND)) as made, asyncio.timeout(PATIENCE):
        yield made


BID = Asker(Urgency.BID, "id-ada", "192.0.2.1")
COUNTS = BID._replace(urgency=Urgency.COUNTS)


def asked(strategy: str = "expert", seat: int = 0) -> Question:
    rules = Rules()
    return question(strategy, start(rules, deal_game(SEED, rules)).game, seat, SEED)


def python(code: str) -> tuple[str, ...]:
    return sys.executable, "-c", code


async def test_the_same_question_has_the_same_answer_here_and_there() -> None:
    one = asked()
    here = choose(one.strategy, one.view, one.history, random.Random(one.seed))
    async with pool() as made:
        assert [await made.think(one, BID) for _ in range(2)] == [here, here]
        assert await made.think(asked("tidal"), BID) == asked("tidal").answer(choose)


async def test_a_bot_that_fails_is_named_in_the_log_and_others_go_on() -> None:
    async with pool() as made:
        with capture_logs() as log:
            assert await made.think(asked("nobody"), BID) == 0
        assert [(each["event"], each["strategy"]) for each in log] == [("bot_failed", "nobody")]
        assert await made.think(asked(), BID) in asked().view.hand


async def test_a_process_that_dies_is_replaced_and_the_bid_thought_of_anew(tmp_path: Path) -> None:
    # The first process dies of the first question.
    code = f"""
import os, sys, pathlib
from server.runtime import thinker
mark = pathlib.Path({str(tmp_path / "mark")!r})
if not mark.exists():
    mark.touch()
    sys.stdin.buffer.read1()
    os.kill(os.getpid(), 9)
thinker.main()
"""
    async with pool(*python(code)) as made:
        with capture_logs() as log:
            assert await made.think(asked(), BID) in asked().view.hand
        assert [each["event"] for each in log] == ["thinker_died"]


@pytest.mark.parametrize(
    "command",
    [
        ("/nowhere/python",),
        python("raise SystemExit"),
        python("print('nonsense', flush=True); input()"),
        python("import sys; sys.stdout.write('9' * 100_000); input()"),
        python("import sys; sys.stdout.buffer.write(b'\\xff\\n')"),
    ],
    ids=["not there", "ends", "nonsense", "no end", "no text"],
)
async def test_where_no_process_answers_the_bot_cannot_choose(command: tuple[str, ...]) -> None:
    async with pool(*command) as made:
        assert [await made.think(asked(), BID) for _ in range(2)] == [0, 0]


async def test_one_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_SECONDS", 0.01)
    async with pool(*python("input(); input()")) as made:
        assert await made.think(asked(), BID) == 0


async def test_where_a_game_counts_it_is_asked_until_there_is_an_answer(tmp_path: Path) -> None:
    code = f"""
import pathlib
from server.runtime import thinker
marks = pathlib.Path({str(tmp_path)!r})
tries = len(list(marks.iterdir()))
(marks / str(tries)).touch()
if tries == 7:
    thinker.main()
"""
    async with pool(*python(code)) as made:
        assert await made.think(asked(), COUNTS) in asked().view.hand


async def test_without_numpy_the_log_says_so_once() -> None:
    code = """
import sys
sys.modules["numpy"] = None
from server.runtime import thinker
thinker.main()
"""
    async with pool(*python(code)) as made:
        with capture_logs() as log:
            answers = [made.think(asked(), BID) for _ in range(5)]
            assert [await each for each in answers] == [0] * 5
            assert await made.think(asked(), COUNTS) == 0
        assert [(each["event"], each["error"]) for each in log] == [
            ("bot_failed", "ModuleNotFoundError numpy")
        ]


async def test_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_WAITING", 2)
    async with pool() as made:
        waiting = [made.think(asked(seat=seat), BID) for seat in range(2)]
        assert made.think(asked(), BID).result() == 0
        patient = made.think(asked(seat=2), COUNTS)
        assert all([await each for each in [*waiting, patient]])


async def test_what_nobody_waits_for_any_more_is_not_thought_of() -> None:
    async with pool(*python("raise SystemExit")) as made:
        answer = made.think(asked(), COUNTS)
        answer.cancel()
        with capture_logs() as log:
            assert await made.think(asked("tidal"), BID) == 0
        assert len(log) == 3, "of the second question only"


async def test_processes_are_nice_and_ignore_what_is_meant_for_the_server() -> None:
    code = """
import os, signal
from engine.bots import Question
from server.runtime import thinker
def answer(question, choose):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), number)
    return os.nice(0)
Question.answer = answer
thinker.main()
"""
    async with pool(*python(code)) as made:
        assert await made.think(asked(), BID) == min(19, os.nice(0) + 5)


async def test_they_end_when_the_server_is_killed() -> None:
    code = """
import asyncio, os, pathlib
from server.runtime import thinkers
from tests.runtime.test_thinkers import asked
async def main():
    pool = thinkers.Thinkers()
    process = await pool._start()
    print(process.pid, await pool._ask(process, asked("tidal")), flush=True)
    os.kill(os.getpid(), 9)
asyncio.run(main())
"""
    # The thinker has this end of the pipe as well if it inherits anything.
    server = await asyncio.create_subprocess_exec(
        *python(code), stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    said, _ = await asyncio.wait_for(server.communicate(), PATIENCE)
    assert server.returncode == -signal.SIGKILL
    pid, _, card = said.decode().partition(" ")
    assert int(card) in asked().view.hand
    async with asyncio.timeout(PATIENCE):
        while (Path("/proc") / pid / "cmdline").exists():  # noqa: ASYNC110
            await asyncio.sleep(0)


async def test_a_whole_game_with_bots_that_think() -> None:
    options = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED)
    async with pool() as made, world(think=made.think) as server:
        ada = server.enter("ada")
        await ada.ok(CreateTable(options))
        for strategy in ("expert", "master"):
            await ada.ok(AddBot(-1, strategy))
        await ada.ok(StartGame())
        (actor,) = server.lobby.tables.actors.values()
        while ada.status() is Status.PLAYING:
            # The clock stands still while they think.
            await asyncio.gather(*actor._thinking.thoughts.values())
            if ada.owes():
                await ada.bid()
            await server.clock.next()
        tally = server.lobby.shared.tally
        assert tally.thinking_fallbacks == 0
        assert tally.thinking_seconds.count >= 4
