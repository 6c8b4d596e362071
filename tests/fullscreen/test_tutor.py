"""The guide of a first game: what it says when, and how it looks on the screen."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs
from syrupy.assertion import SnapshotAssertion

from engine.editions import Edition, Rules
from engine.state import Loss, LossEnd, RoundResult, StageResult
from server.coordinator.messages import (
    Happening,
    QuickGame,
    RoundResolved,
    StageScored,
    Status,
    TableSnapshot,
)
from server.i18n.lookup import languages, words_for
from server.session.account import LESSON
from server.session.preferences import SOLO, TUTORIAL
from server.session.tutorial import Lesson, Topic, Tutorial, lesson_in_words, lessons
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import wrap
from tests.support.accounts import FakeAccount
from tests.support.fakes import Player1, router_for
from tests.support.pilot import Sitting
from tests.support.snapshots import Game

FIRST = Rules(players=4, stages=1)
ENGLISH = words_for("en")
BEFORE_A_REVEAL = (Topic.WELCOME, Topic.HAND, Topic.TIDES, Topic.BID, Topic.SEALED)


def topics(found: Sequence[Lesson]) -> list[Topic]:
    return [lesson.topic for lesson in found]


def say(found: Sequence[Lesson], topic: Topic) -> str:
    (lesson,) = [each for each in found if each.topic is topic]
    return lesson_in_words(lesson, ENGLISH)


def snapshot(levels: Sequence[int] = (0, 0, 0, 0)) -> TableSnapshot:
    """A table of four at which the tides stand like that."""
    made = Game(FIRST).snapshot()
    assert made.table is not None
    seats = zip(made.table.seats, levels, strict=True)
    table = made.table._replace(seats=tuple(seat._replace(level=level) for seat, level in seats))
    return structs.replace(made, table=table)


def resolved(round_: int = 1, **changes: object) -> RoundResolved:
    """A round that ada has nothing to do with."""
    result = RoundResult(
        offer=(3, 8),
        bids=(5, 50, 40, 6),
        takers=(1, 2),
        levels=(0, 3, 8, 0),
        life_preservers=(4, 4, 4, 4),
        losses=(Loss(8, (2,), ()),),
        loss_end=LossEnd.PAID,
    )
    return RoundResolved(0, round_, result._replace(**changes))  # type: ignore[arg-type]


def learnt(
    *happenings: Happening,
    before: TableSnapshot | None = None,
    told: frozenset[Topic] = frozenset({Topic.REVEAL}),
) -> tuple[Lesson, ...]:
    before = before or snapshot()
    return lessons(told, before, snapshot(), happenings)


# ---------------------------------------------------------------- what is said when


def test_first_the_hand_the_tides_and_the_bid() -> None:
    game = Game(FIRST)
    now = game.snapshot()
    found = lessons(frozenset(), None, now, game.taken())
    assert topics(found) == [Topic.WELCOME, Topic.HAND, Topic.TIDES, Topic.BID]
    assert now.table is not None
    assert now.table.offer is not None
    low, high = now.table.offer
    assert "12 rounds" in say(found, Topic.WELCOME)
    assert f"begin with {now.table.seats[0].start}." in say(found, Topic.HAND)
    assert f"highest bid takes the {low}, the second highest the {high}" in say(found, Topic.TIDES)


def test_nothing_is_said_twice_or_to_a_spectator() -> None:
    game = Game(FIRST)
    now = game.snapshot()
    said = frozenset(topics(lessons(frozenset(), None, now, ())))
    assert lessons(said, now, now, ()) == ()
    assert lessons(frozenset(), None, game.snapshot(-1), ()) == ()


def test_a_sealed_bid_can_be_replaced_as_long_as_it_is_not_the_last_round() -> None:
    game = Game(FIRST)
    game.bid(0)
    found = lessons(frozenset(), None, game.snapshot(), ())
    assert f"Your {game.bids[0]} lies face down" in say(found, Topic.SEALED)


def test_the_first_reveal_says_who_took_what_and_who_lost() -> None:
    game = Game(FIRST)
    before = game.snapshot()
    game.taken()
    game.play_round()
    event = next(each for each in game.taken() if isinstance(each, RoundResolved))
    found = lessons(
        frozenset(Topic) - {Topic.REVEAL, Topic.LOSS}, before, game.snapshot(), (event,)
    )
    first, second = event.result.takers
    names = [seat.name for seat in game.snapshot().info.seats]
    assert say(found, Topic.REVEAL) == (
        f"Guide: {names[first]} bid the highest card ({event.result.bids[first]}) and took the"
        f" {event.result.offer[0]}, {names[second]} ({event.result.bids[second]}) took the"
        f" {event.result.offer[1]}. Nobody else takes one."
    )
    (loser,) = event.result.lost
    assert f"{names[loser]} now has the highest tide" in say(found, Topic.LOSS)


def test_low_cards_leave_the_water_to_others() -> None:
    assert "Your 5 took no tide card" in say(learnt(resolved()), Topic.SPARED)
    assert Topic.SPARED not in topics(learnt(resolved(round_=0)))


def test_a_tide_that_was_taken_stays() -> None:
    found = learnt(resolved(takers=(0, 2), bids=(50, 5, 40, 6)))
    assert "You took the 3." in say(found, Topic.TAKEN)


@pytest.mark.parametrize(
    ("levels", "takers", "said"),
    [
        ((9, 0, 0, 0), (0, 2), "You covered your 9 with the 3"),
        ((0, 9, 0, 0), (1, 2), "Puffin covered the 9 with the 3"),
    ],
)
def test_a_high_tide_is_covered_with_a_low_one(
    levels: tuple[int, ...], takers: tuple[int, int], said: str
) -> None:
    bids = (50, 5, 40, 6) if takers[0] == 0 else (5, 50, 40, 6)
    found = learnt(resolved(takers=takers, bids=bids), before=snapshot(levels))
    assert said in say(found, Topic.COVERED)


def test_two_who_share_the_highest_tide_both_pay() -> None:
    found = learnt(resolved(losses=(Loss(8, (1, 2), ()),)))
    assert "Puffin and cem share the highest tide (8)" in say(found, Topic.SHARED)


def test_the_last_life_preserver() -> None:
    assert "cem has no life preserver left" in say(
        learnt(resolved(life_preservers=(4, 4, 0, 4))), Topic.LAST_ONE_GONE
    )
    mine = resolved(life_preservers=(0, 4, 4, 4), losses=(Loss(8, (0,), ()),))
    assert "Your last life preserver is gone" in say(learnt(mine), Topic.LAST_ONE_GONE)
    scored = StageScored(
        0, StageResult((4,) * 4, (), (False,) * 4, (3,), (0, 4, 4, 5), (0, 4, 4, 5))
    )
    found = topics(learnt(mine, scored))
    assert Topic.POINTS in found
    assert Topic.LAST_ONE_GONE not in found, "there is no next loss in this stage"


def test_going_out_and_passing_on() -> None:
    losses = (Loss(8, (), (2,)), Loss(3, (1,), ()))
    found = learnt(resolved(losses=losses, levels=(0, 3, None, 0)))
    assert say(found, Topic.OUT).startswith("Guide: cem: no life preserver left")
    assert say(found, Topic.PASSED_ON).endswith("passed on: Puffin.")
    mine = learnt(resolved(losses=(Loss(8, (), (0,)),), levels=(None, 3, 8, 0)))
    assert "you are out of this stage" in say(mine, Topic.OUT)


def test_why_somebody_is_out_is_told_before_that() -> None:
    found = learnt(resolved(losses=(Loss(8, (1,), (2,)),), levels=(0, 8, None, 0)))
    topics = [lesson.topic for lesson in found]
    assert topics.index(Topic.SHARED) < topics.index(Topic.OUT)
    passed = learnt(resolved(losses=(Loss(8, (), (1, 2)), Loss(3, (0,), ()))))
    topics = [lesson.topic for lesson in passed]
    assert topics.index(Topic.SHARED) < topics.index(Topic.OUT)


def test_nobody_has_a_tide_card() -> None:
    found = learnt(resolved(losses=(), loss_end=LossEnd.NO_TIDE))
    assert "nobody loses anything" in say(found, Topic.NO_TIDE)


def test_a_round_teaches_a_few_things_at_a_time() -> None:
    losses = (Loss(8, (), (2, 3)), Loss(3, (1,), ()))
    event = resolved(losses=losses, life_preservers=(4, 0, 0, 0))
    new = [topic for topic in topics(learnt(event)) if topic not in BEFORE_A_REVEAL]
    assert len(new) == 2


def test_near_the_end_the_lowest_tide_is_spoken_of() -> None:
    game = Game(FIRST, bytes([3] * 32))
    seen = {}
    while game.state.phase.value != "over":
        left = game.rules.rounds - len(game.state.stage.rounds)
        seen[left] = Topic.LOWEST in topics(lessons(frozenset(), None, game.snapshot(), ()))
        game.play_round()
    assert all(said == (1 < left <= 3) for left, said in seen.items())


@pytest.mark.parametrize(("stages", "ends"), [(1, True), (4, False)])
def test_the_end_of_the_stage_and_what_a_full_game_adds(stages: int, ends: bool) -> None:
    game = Game(Rules(players=4, stages=stages))
    game.taken()
    game.play_out()
    found = topics(lessons(frozenset(), None, game.snapshot(), game.taken()))
    assert Topic.POINTS in found
    assert (Topic.FULL_GAME in found) is ends


# ---------------------------------------------------------------- the guide


def test_the_guide_stays_with_one_game() -> None:
    guide, game = Tutorial(), Game(FIRST)
    now = game.snapshot()
    assert guide.updated(None, now, ()) == ()
    assert guide.begin(None) == ()
    assert guide.updated(None, None, ()) == ()
    assert topics(guide.updated(None, now, ()))[0] is Topic.WELCOME
    assert guide.more == 3
    guide.read()
    assert guide.lesson is not None
    assert guide.lesson.topic is Topic.HAND
    again = structs.replace(now, info=structs.replace(now.info, game=2))
    assert guide.updated(now, again, ()) == ()
    assert not guide.here
    assert guide.lesson is None


def test_what_has_been_read_gives_way_and_what_has_not_stays() -> None:
    guide = Tutorial()
    guide.begin(snapshot())
    guide.read()
    guide.updated(snapshot(), snapshot(), (resolved(),))
    assert topics(guide.unread)[:3] == [Topic.TIDES, Topic.BID, Topic.REVEAL]
    for _ in range(9):
        guide.read()
    assert guide.more == 0
    assert guide.lesson is not None


# ---------------------------------------------------------------- in words


def every_lesson() -> list[Lesson]:
    """Each with as long names and numbers as there are."""
    first, second = names = ("Schildkröte", "Nachtigall")
    values = {
        **dict.fromkeys(("count", "card", "next", "tide", "low", "high", "old", "new"), 12),
        "name": first,
        "first": first,
        "second": second,
    }
    return [
        Lesson(topic, values | {"names": names if topic is Topic.SHARED else names[:1]}, variant)
        for topic in Topic
        for variant in (0, 1, 2)
    ]


@pytest.mark.parametrize("language", languages())
def test_every_lesson_fits_where_it_is_shown(language: str) -> None:
    """Four rows on a phone, two below the hand on a usual terminal."""
    for lesson in every_lesson():
        text = lesson_in_words(lesson, words_for(language))
        assert len(wrap(text, 37)) <= 4, text
        assert len(wrap(text, 77)) <= 2, text


# ---------------------------------------------------------------- on the screen


async def with_guide(game: Game, **abilities: Any) -> Player1:
    player = Player1(game, **abilities)
    await player.lobby()
    await player.press("t")
    assert player.visit.commands == [QuickGame(TUTORIAL)]
    await player.table()
    return player


@pytest.mark.parametrize(
    "size", [Size(80, 24), Size(60, 20), Size(40, 15)], ids=lambda s: f"{s.columns}x{s.rows}"
)
async def test_lessons_on_the_screen(size: Size, golden: SnapshotAssertion) -> None:
    player = await with_guide(Game(FIRST))
    player.size = size
    assert player.text == golden(name="first")
    await player.press(" ", " ", " ")
    player.game.play_round()
    await player.table()
    await player.press(" ")
    assert player.text == golden(name="reveal")


@pytest.mark.parametrize("size", [Size(80, 24), Size(140, 30), Size(60, 20), Size(40, 15)])
async def test_a_lesson_hides_nothing_that_decides_a_bid(size: Size) -> None:
    player = await with_guide(Game(FIRST))
    player.size = size
    player.game.play_round()
    await player.table()
    player.controller.context.reveal.stop()
    await player.press("home")
    guided = player.text.splitlines()
    said = player.controller.context.lesson
    await player.press("t")
    plain = player.text.splitlines()
    shown = " ".join(" ".join(guided).replace("│", " ").split())
    for word in said.split():
        assert word in shown
    hand = next(n for n, line in enumerate(plain) if "[" in line)
    main = 90 if size.columns == 140 else size.columns
    # Only arrows, where there was nothing, point at what it speaks of.
    before = [re.sub("[»«]", " ", line[:main]).rstrip() for line in guided[: hand + 2]]
    assert before == [line[:main].rstrip() for line in plain[: hand + 2]]


async def test_space_reads_on_and_enter_never_does() -> None:
    player = await with_guide(Game(FIRST))
    await player.clock.advance(1)
    assert "Press Space to go on." in player.text
    first = player.controller.context.lesson
    await player.press("enter", "enter", "4", "x")
    assert player.controller.context.lesson == first
    for _ in range(3):
        await player.press(" ")
    assert "Choose a card; Enter bids it." in player.text
    await player.press(" ")
    assert len(player.visit.commands) == 1
    await player.press("right", "enter")
    assert len(player.visit.commands) == 2


def test_a_lesson_goes_with_the_round_it_was_about() -> None:
    guide = Tutorial()
    guide.begin(snapshot())
    for _ in range(3):
        guide.read()
    first = guide.updated(snapshot(), snapshot(), (resolved(),))
    guide.updated(snapshot(), snapshot(), ())
    assert guide.lesson == first[0]
    for _ in first:
        guide.read()
    guide.updated(snapshot(), snapshot(), (resolved(),))
    assert guide.lesson is None


async def test_the_guide_comes_to_any_game_of_ones_own_and_goes() -> None:
    player = Player1(Game(Rules(Edition.GAMEWRIGHT, players=3)))
    await player.table()
    assert "Guide: " not in player.text
    await player.press("t")
    assert "Guide: " in player.text
    await player.press("t")
    assert "Guide: " not in player.text
    player.viewer = -1
    await player.table()
    await player.press("t")
    assert not player.controller.context.guide.here


async def test_a_refused_game_brings_no_guide() -> None:
    from server.coordinator.messages import Reply

    player = Player1(Game(FIRST))
    await player.lobby()
    player.visit.replies.append(Reply("too_many_tables"))
    await player.press("t")
    assert not player.controller.context.guide.here


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [Size(80, 24), Size(40, 15)], ids=lambda s: f"{s.columns}")
async def test_a_whole_first_game(language: str, size: Size) -> None:
    words = words_for(language)
    sitting = Sitting(size, language=language)
    heard: dict[str, None] = {}
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("t")
        await sitting.wait(0.5)
        guide = sitting.controller.context.guide
        for _ in range(300):
            if sitting.controller.context.reveal.scene is None:
                # Of what is unread at the end only the last sentence is shown.
                over = sitting.status is Status.OVER
                shown = guide.unread[-1:] if over else guide.unread[:1]
                for word in "".join(lesson_in_words(each, words) for each in shown).split():
                    assert word in " ".join(sitting.pilot.text.split()), sitting.pilot.text
            if guide.lesson is not None:
                heard[lesson_in_words(guide.lesson, words)] = None
            if sitting.status is Status.OVER and sitting.controller.context.reveal.scene is None:
                break
            await sitting.press(" ")
            if guide.lesson is not None:
                heard[lesson_in_words(guide.lesson, words)] = None
            if sitting.status is Status.PLAYING:
                await sitting.press("right", "enter")
            await sitting.wait(4)
        ends = words.t("Guide: {lesson}", lesson="").strip()
        assert ends in sitting.pilot.text
        heard |= dict.fromkeys(lesson_in_words(each, words) for each in guide.unread)
        assert words.t("a whole game") in sitting.pilot.text
        await sitting.press("r")
        await sitting.wait(0.5)
        table = sitting.controller.context.table
        assert table is not None
        assert (table.info.status, table.info.options) == (Status.PLAYING, SOLO)
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()
    for topic in (Topic.WELCOME, Topic.POINTS, Topic.FULL_GAME):
        assert lesson_in_words(Lesson(topic, {"count": 12}), words) in heard
    assert len(heard) >= 8


# ---------------------------------------------------------------- coming back


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("after", [0, 1, 4, 9])
def test_who_comes_back_learns_the_rest_and_nothing_twice(seed: int, after: int) -> None:
    game = Game(FIRST, bytes([seed + 1] * 32))
    here = Tutorial()
    now = game.snapshot()
    here.begin(now)
    missed: list[Topic] = []
    for _ in range(after):
        game.play_round()
        before, now = now, game.snapshot()
        missed = topics(here.updated(before, now, _resolved(game)))
    if now.info.status is not Status.PLAYING:
        return
    back = Tutorial()
    again = topics(back.come_back(now, "harbour/1"))
    assert set(missed) <= set(again)
    assert back.lesson is not None or not again
    while now.info.status is Status.PLAYING:
        game.play_round()
        before, now = now, game.snapshot()
        happened = _resolved(game)
        assert topics(back.updated(before, now, happened)) == topics(
            here.updated(before, now, happened)
        )


def _resolved(game: Game) -> tuple[RoundResolved, ...]:
    return tuple(event for event in game.taken() if isinstance(event, RoundResolved))


def test_the_guide_comes_back_only_to_the_game_it_was_at() -> None:
    now = Game(FIRST).snapshot()
    for remembered in ("", "harbour/2", "reef/1"):
        guide = Tutorial()
        assert guide.come_back(now, remembered) == ()
        assert not guide.here
    assert Tutorial().come_back(structs.replace(now, own=None), "harbour/1") == ()
    assert Tutorial().come_back(None, "harbour/1") == ()


async def test_a_lesson_goes_on_after_the_line_was_lost() -> None:
    account = FakeAccount("k7m2-p9xq-3dhw")

    async def at_the_table(game: Game) -> Player1:
        player = Player1(game)
        player.controller = router_for(player.visit, player.clock, Capabilities(), account)
        player.controller.attach(lambda **_: None)
        return player

    first = await at_the_table(Game(FIRST))
    await first.lobby()
    await first.press("t")
    await first.table()
    assert account.settings[LESSON] == "harbour/1"
    first.game.play_round()
    first.game.taken()
    second = await at_the_table(first.game)
    await second.table(resynced=True)
    assert "Guide: " in second.text
    assert "Keep your tide low" not in second.text
    await second.press("t")
    assert account.settings[LESSON] == ""
    third = await at_the_table(first.game)
    await third.table(resynced=True)
    assert "Guide: " not in third.text


@pytest.mark.parametrize("size", [Size(40, 15), Size(80, 24), Size(200, 50)])
@pytest.mark.parametrize("unicode", [True, False])
async def test_what_the_guide_speaks_of_stands_out(size: Size, unicode: bool) -> None:
    player = await with_guide(Game(FIRST), unicode=unicode)
    player.size = size
    arrow = "«" if unicode else "<"
    seen: dict[Topic, int] = {}
    rows: list[str] = []
    for _ in range(4):
        lesson = player.controller.context.guide.lesson
        assert lesson is not None
        rows = player.text.splitlines()
        seen[lesson.topic] = next(
            n for n, row in enumerate(rows) if arrow in row.partition(" ")[2] and n > 0
        )
        await player.press(" ")
    name, offer, dealt = (
        next(n for n, row in enumerate(rows) if said in row)
        for said in (
            ("ada", "highest takes", "25")
            if size.columns < 80
            else ("ada you", "tides ", "your hand")
        )
    )
    assert seen[Topic.WELCOME] == name
    assert abs(seen[Topic.TIDES] - offer) <= 1
    assert abs(seen[Topic.HAND] - dealt) <= 1
    assert seen[Topic.BID] == seen[Topic.HAND]


def test_what_happens_to_who_learns_is_told_to_you() -> None:
    took = resolved(takers=(0, 2), bids=(50, 5, 40, 6))
    assert say(learnt(took, told=frozenset()), Topic.REVEAL).startswith(
        "Guide: You bid the highest card (50)"
    )
    second = resolved(takers=(1, 0), bids=(40, 50, 5, 6))
    assert "Puffin bid the highest card (50) and took the 3, you (40) took the 8" in say(
        learnt(second, told=frozenset()), Topic.REVEAL
    )
    mine = resolved(losses=(Loss(8, (0,), ()),), levels=(8, 3, 0, 0))
    assert "You now have the highest tide (8)" in say(learnt(mine), Topic.LOSS)
    shared = resolved(losses=(Loss(8, (0, 2), ()),))
    assert "You and cem share the highest tide (8)" in say(learnt(shared), Topic.SHARED)
    passed = resolved(losses=(Loss(8, (), (2,)), Loss(3, (0,), ())), levels=(3, 0, None, 0))
    assert say(learnt(passed), Topic.PASSED_ON).endswith("the loss was passed on to you.")
