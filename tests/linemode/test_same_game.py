"""The same game, played on the full screen, in lines and by a program: all players learn the same."""

import random
import re
from typing import Any, NamedTuple

from engine.editions import Rules
from engine.state import Loss, LossEnd, RoundResult
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Player, Status
from server.i18n.lookup import words_for
from server.terminal.capabilities import Size
from server.text.rounds import bids_in_words, losses_in_words
from tests.support.api_program import Program
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.pilot import Sitting, lowest
from tests.support.through_frames import enter
from tests.support.transcript import Reader


class Learnt(NamedTuple):
    """What somebody knows who has only seen what the face showed."""

    hands: list[list[int]]
    """Before each bid."""
    rounds: dict[int, tuple[set[str], str]]
    """By number: the bids with what they took, and who lost what and why."""
    totals: dict[str, int]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text)]


def _words(text: str) -> str:
    """Sentences without what only keeps them apart on one face: full stops, and capitals after them."""
    return " ".join(text.replace(".", " ").split()).casefold()


async def on_the_screen() -> Learnt:
    sitting = Sitting(Size(110, 50))
    learnt = Learnt([], {}, {})
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("l", "n", "down", "left", "down", "left", "left", "enter")
        await sitting.wait(0.1)
        await sitting.press("enter")
        await sitting.wait(0.5)
        for _ in range(100):
            if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
                break
            _read_log(sitting, learnt)
            if sitting.controller.context.reveal.scene is not None:
                await sitting.press("enter")
            elif "Enter bid " in sitting.pilot.text:
                hand = _hand_on(sitting.pilot.text)
                learnt.hands.append(hand)
                await sitting.press(*str(hand[0]), "enter")
            await sitting.wait(4)
        for line in sitting.pilot.text.splitlines():
            seat = re.match(
                r"[> ] (?:[A-Z] )?(\w+) .*?[ +-]\d'? +(-?\d+)\*?(?:  |$)",
                line.split("│")[0].rstrip() + "  ",
            )
            if seat:
                learnt.totals[seat[1]] = _numbers(line.split("│")[0])[-1]
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
    return learnt


def _hand_on(screen: str) -> list[int]:
    """The cards of the hand, wherever and however large they are drawn."""
    lines = screen.splitlines()
    at = next(number for number, line in enumerate(lines) if "your hand" in line)
    # The chosen card is drawn a little higher than the others.
    return sorted(card for line in lines[at - 1 : at + 1] for card in _numbers(line))


def _read_log(sitting: Sitting, learnt: Learnt) -> None:
    for found in re.finditer(
        r"^ *round (\d+) +(.+ took .+)\n((?: {8,}\S.*\n)*)", sitting.pilot.text + "\n", re.MULTILINE
    ):
        bids = {bid.strip() for bid in found[2].split("·")}
        told = bids, _words(found[3])
        # The oldest round may be cut off at the bottom: it was told in full when it was newer.
        before = learnt.rounds.setdefault(int(found[1]), told)
        learnt.rounds[int(found[1])] = max(before, told, key=lambda each: len(each[1]))


def a_lobby(clock: FakeClock) -> Lobby:
    """One where the same game is played each time."""
    return Lobby(
        MemoryStore(),
        clock,
        new_seed=lambda: bytes(range(32)),
        new_rng=lambda: random.Random(1),
        choose=lowest,
    )


async def in_lines() -> Learnt:
    clock = FakeClock()
    lobby = a_lobby(clock)
    learnt = Learnt([], {}, {})
    visit = enter(lobby, Player("ada-id", "ada", True))
    async with Reader(visit, clock) as ada:
        await ada.say("new 3 players 1 stage", "add 2", "start")
        for _ in range(100):
            heard = await ada.say("log")
            for line in heard:
                found = re.match(r"Round (\d+): (.+? took .+? took [^.]+)\. (.*)", line)
                if found:
                    learnt.rounds[int(found[1])] = set(found[2].split(", ")), _words(found[3])
            heard += await ada.say("hand")
            standings = re.search(r"^Standings: .*$", ada.paper.written, re.MULTILINE)
            if standings:
                for name, total in re.findall(r"(\w+) (-?\d+)", standings[0]):
                    learnt.totals[name] = int(total)
                break
            hand = [line for line in heard if line.startswith("Your hand: ")]
            if hand and not any("is sealed" in line for line in heard):
                cards = _numbers(hand[0])
                learnt.hands.append(cards)
                ada.session.feed(f"{cards[0]}\n")
            await clock.advance(4)
    await lobby.close()
    return learnt


def _result(data: dict[str, Any]) -> RoundResult:
    """A round as a program is told it, to be put into the words of the other faces."""
    losses = [
        Loss(loss["level"], tuple(loss["lost"]), tuple(loss["eliminated"]))
        for loss in data["losses"]
    ]
    return RoundResult(
        (data["tides"][0], data["tides"][1]),
        tuple(data["bids"]),
        (data["takers"][0], data["takers"][1]),
        tuple(data["levels"]),
        tuple(data["life_preservers"]),
        tuple(losses),
        LossEnd(data["loss_end"]),
    )


async def by_a_program() -> Learnt:
    clock = FakeClock()
    lobby = a_lobby(clock)
    learnt = Learnt([], {}, {})
    async with Program(enter(lobby, Player("ada-id", "ada", True)), clock) as ada:
        await ada.ok("new", options={"players": 3, "stages": 1})
        await ada.ok("add")
        await ada.ok("add")
        await ada.ok("start")
        while ada.table["status"] == "playing":
            if ada.you["to_bid"]:
                learnt.hands.append(ada.you["legal"])
                await ada.bid(ada.you["legal"][0])
            assert await clock.next()
            ada.new()
        names = tuple(seat["name"] for seat in ada.table["seats"])
        rules = Rules(players=3, stages=1)
        for each in ada.happenings:
            if each["kind"] == "round_resolved":
                result = _result(each["result"])
                bids = bids_in_words(result, names, words_for("en"))
                losses = losses_in_words(result, names, rules, words_for("en"), 0, counted=False)
                learnt.rounds[each["round"] + 1] = set(bids), _words(" ".join(losses))
        seats = zip(names, ada.game["seats"], strict=True)
        learnt.totals.update({name: seat["score"] for name, seat in seats})
    await lobby.close()
    return learnt


async def test_all_faces_tell_the_same_game() -> None:
    screen, lines, program = await on_the_screen(), await in_lines(), await by_a_program()
    assert program.hands == lines.hands
    assert program.totals == lines.totals
    assert program.rounds == lines.rounds
    assert lines.hands
    assert screen.hands == lines.hands
    assert len(lines.rounds) >= 3
    assert screen.rounds == lines.rounds
    assert len(lines.totals) == 3
    assert screen.totals == lines.totals
