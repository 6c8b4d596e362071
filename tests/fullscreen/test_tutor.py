"""The guide of a first game: what it says when, and how it looks on the screen."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs

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
from server.session.preferences import SOLO, TUTORIAL
from server.session.tutorial import Lesson, Topic, Tutorial, lesson_in_words, lessons
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import wrap
from tests.support.fakes import Player1
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


DRY = (0, 0, 0, 0)
YOU_TAKE = resolved(takers=(0, 2), bids=(50, 5, 40, 6))
YOU_LOSE = resolved(losses=(Loss(8, (0,), ()),), life_preservers=(0, 4, 4, 4))
CEM_IS_OUT = resolved(losses=(Loss(8, (), (2,)), Loss(3, (1,), ())), levels=(0, 3, None, 0))


@pytest.mark.parametrize(
    ("levels", "event", "topic", "said"),
    [
        (DRY, resolved(), Topic.REVEAL, "Guide: Puffin bid the highest card (50) and took the 3, "),
        (DRY, resolved(), Topic.REVEAL, "cem (40) took the 8. Nobody else takes one."),
        (DRY, YOU_TAKE, Topic.REVEAL, "Guide: You bid the highest card (50)"),
        (
            *(DRY, resolved(takers=(1, 0), bids=(40, 50, 5, 6)), Topic.REVEAL),
            "Puffin bid the highest card (50) and took the 3, you (40) took the 8",
        ),
        (DRY, resolved(), Topic.LOSS, "cem now has the highest tide (8)"),
        (DRY, YOU_LOSE, Topic.LOSS, "You now have the highest tide (8)"),
        (
            *(DRY, resolved(losses=(Loss(8, (1, 2), ()),)), Topic.SHARED),
            "Puffin and cem share the highest tide (8)",
        ),
        (
            *(DRY, resolved(losses=(Loss(8, (0, 2), ()),)), Topic.SHARED),
            "You and cem share the highest tide (8)",
        ),
        (
            *(DRY, resolved(losses=(), loss_end=LossEnd.NO_TIDE), Topic.NO_TIDE),
            "nobody loses anything",
        ),
        (
            *(DRY, resolved(life_preservers=(4, 4, 0, 4)), Topic.LAST_ONE_GONE),
            "cem has no life preserver left",
        ),
        (DRY, YOU_LOSE, Topic.LAST_ONE_GONE, "Your last life preserver is gone"),
        (DRY, CEM_IS_OUT, Topic.OUT, "Guide: cem: no life preserver left"),
        (
            *(DRY, resolved(losses=(Loss(8, (), (0,)),), levels=(None, 3, 8, 0)), Topic.OUT),
            "you are out of this stage",
        ),
        (DRY, CEM_IS_OUT, Topic.PASSED_ON, "passed on: Puffin."),
        (
            *(DRY, resolved(losses=(Loss(8, (), (2,)), Loss(3, (0,), ()))), Topic.PASSED_ON),
            "the loss was passed on to you.",
        ),
        (DRY, resolved(), Topic.SPARED, "Your 5 took no tide card"),
        (DRY, YOU_TAKE, Topic.TAKEN, "You took the 3."),
        ((9, 0, 0, 0), YOU_TAKE, Topic.COVERED, "You covered your 9 with the 3"),
        ((0, 9, 0, 0), resolved(), Topic.COVERED, "Puffin covered the 9 with the 3"),
    ],
)
def test_what_there_is_to_learn_of_a_round(
    levels: tuple[int, ...], event: RoundResolved, topic: Topic, said: str
) -> None:
    found = learnt(event, before=snapshot(levels), told=frozenset(Topic) - {topic})
    assert said in say(found, topic)


def test_of_the_first_round_low_cards_and_of_a_last_one_the_next_loss_are_not_spoken_of() -> None:
    assert Topic.SPARED not in topics(learnt(resolved(round_=0)))
    scored = StageScored(
        0, StageResult((4,) * 4, (), (False,) * 4, (3,), (0, 4, 4, 5), (0, 4, 4, 5))
    )
    found = topics(learnt(YOU_LOSE, scored))
    assert Topic.POINTS in found
    assert Topic.LAST_ONE_GONE not in found


def test_why_somebody_is_out_is_told_before_that() -> None:
    found = learnt(resolved(losses=(Loss(8, (1,), (2,)),), levels=(0, 8, None, 0)))
    topics = [lesson.topic for lesson in found]
    assert topics.index(Topic.SHARED) < topics.index(Topic.OUT)
    passed = learnt(resolved(losses=(Loss(8, (), (1, 2)), Loss(3, (0,), ()))))
    topics = [lesson.topic for lesson in passed]
    assert topics.index(Topic.SHARED) < topics.index(Topic.OUT)


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


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [Size(80, 24), Size(40, 15)], ids=lambda s: f"{s.columns}")
async def test_a_whole_first_game(language: str, size: Size) -> None:
    words = words_for(language)
    sitting = Sitting(size, language=language)
    guide, reveal = sitting.controller.context.guide, sitting.controller.context.reveal
    async with sitting.pilot:
        await sitting.wait()
        await sitting.press("t")
        await sitting.wait(0.5)
        for _ in range(300):
            over = sitting.status is Status.OVER
            if reveal.scene is None:
                # Of what is unread at the end only the last sentence is shown.
                for lesson in guide.unread[-1:] if over else guide.unread[:1]:
                    for word in lesson_in_words(lesson, words).split():
                        assert word in " ".join(sitting.pilot.text.split()), sitting.pilot.text
                if over:
                    break
            await sitting.press(" ")
            if sitting.status is Status.PLAYING:
                await sitting.press("right", "enter")
            await sitting.wait(4)
        assert topics(guide.unread)[-1] is Topic.FULL_GAME
        assert words.t("a whole game") in sitting.pilot.text
        await sitting.press("r")
        await sitting.wait(0.5)
        info = sitting.controller.page.table.info
        assert (info.status, info.options) == (Status.PLAYING, SOLO)
        sitting.controller.context.leave()
    sitting.controller.close()
    sitting.visit.close()


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
