"""Whose turn it is while bots have more to think about than they can."""

import asyncio
from collections import Counter

import pytest

from engine.bots import question
from engine.deal import deal_game
from engine.editions import Rules
from server.coordinator.table.play import start
from server.coordinator.table.ports import Asker, Urgency
from server.runtime import thinkers
from server.runtime.thinkers import Job, Thinkers, Turns

RULES = Rules()
QUESTION = question("tidal", start(RULES, deal_game(bytes(32), RULES)).game, 0, bytes(32))
HINT, REVIEW = Urgency.HINT, Urgency.REVIEW
SCHOOL, ATTACKER = "192.0.2.1", "198.51.100.7"


class Line:
    """Questions that wait for one worker."""

    def __init__(self) -> None:
        self.turns = Turns()
        self._number = 0

    def ask(self, urgency: Urgency, person: str, address: str = SCHOOL) -> Job:
        self._number += 1
        answer = asyncio.get_running_loop().create_future()
        job = Job(self._number, QUESTION, answer, Asker(urgency, person, address))
        self.turns.add(job)
        return job

    def answer(self) -> Asker:
        job = self.turns.take()
        assert job is not None
        return job.asker

    def rest(self) -> list[Asker]:
        return [self.answer() for _ in range(len(self.turns))]


@pytest.mark.parametrize("addresses", [1, 5], ids=["one address", "an address each"])
async def test_the_most_urgent_comes_first(addresses: int) -> None:
    line = Line()
    for number, urgency in enumerate(reversed(Urgency)):
        line.ask(urgency, f"id-{number}", f"192.0.2.{number % addresses}")
    assert [asker.urgency for asker in line.rest()] == list(Urgency)


async def test_sixty_people_at_a_school_take_turns_with_one_address_that_floods() -> None:
    """With 200 hints outstanding at each moment, as many as there are guests at that address."""
    line, served = Line(), list[Asker]()
    for number in range(200):
        line.ask(HINT, f"guest-{number}", ATTACKER)
    for number in range(60):
        line.ask(HINT, f"pupil-{number}")
    while len(served) < 120:
        served.append(line.answer())
        if served[-1].address == ATTACKER:
            line.ask(HINT, served[-1].person, ATTACKER)
    for first in range(0, 120, 2):
        assert {asker.address for asker in served[first : first + 2]} == {SCHOOL, ATTACKER}
    pupils = Counter(asker.person for asker in served if asker.address == SCHOOL)
    assert pupils == {f"pupil-{number}": 1 for number in range(60)}


async def test_a_bid_at_a_school_waits_for_one_question_of_the_flood_at_most() -> None:
    line = Line()
    for number in range(200):
        line.ask(Urgency.BID, f"guest-{number}", ATTACKER)
    assert line.answer().address == ATTACKER
    line.ask(HINT, "pupil")
    line.ask(Urgency.BID, "pupil")
    line.ask(Urgency.COUNTS, "teacher")
    assert [line.answer() for _ in range(2)] == [
        Asker(Urgency.COUNTS, "teacher", SCHOOL),
        Asker(Urgency.BID, "guest-1", ATTACKER),
    ], "the teacher had the turn of the address in this round"
    assert line.answer() == Asker(Urgency.BID, "pupil", SCHOOL)
    assert line.answer().address == ATTACKER
    assert line.answer() == Asker(HINT, "pupil", SCHOOL)


async def test_at_one_address_whoever_asks_for_much_waits_for_it() -> None:
    line = Line()
    for _ in range(50):
        line.ask(Urgency.BID, "glutton")
    line.ask(HINT, "ada")
    line.ask(HINT, "bo")
    assert [line.answer().person for _ in range(4)] == ["glutton", "ada", "bo", "glutton"]
    line.ask(HINT, "ada")
    line.ask(HINT, "cy")
    assert [line.answer().person for _ in range(3)] == ["cy", "ada", "glutton"], "also later"


async def test_a_flood_cannot_fill_the_queue_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_WAITING", 2)
    monkeypatch.setattr(thinkers, "_WORKERS", 0)
    pool = Thinkers()
    flood = [pool.think(QUESTION, Asker(HINT, "guest", ATTACKER)) for _ in range(3)]
    assert [answer.done() for answer in flood] == [False, False, True]
    assert not pool.think(QUESTION, Asker(HINT, "ada", SCHOOL)).done()
    assert flood[1].result() == 0, "it has no answer, as the third had none"
    counts = [pool.think(QUESTION, Asker(Urgency.COUNTS, "guest", ATTACKER)) for _ in range(3)]
    flood[0].cancel()
    assert pool.think(QUESTION, Asker(HINT, "bo", SCHOOL)).result() == 0, "a bid that counts stays"
    assert not any(bid.done() for bid in counts)
    await pool.aclose()
