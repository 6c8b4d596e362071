"""From views to what is shown: levels, signs, sentences, and rounds played back."""

import pytest

from engine.editions import Edition, Rules
from engine.state import Loss, LossEnd, Phase, RoundResult
from engine.views import RoundScene, TableView, turning_order
from server.coordinator.messages import (
    Refusal,
    Reply,
    RoundResolved,
    StageScored,
    StageStarted,
)
from server.fullscreen.table.tide_gauges import kept_of, kept_row
from server.fullscreen.widgets.drawing import look_for
from server.i18n.lookup import words_for
from server.playback import (
    SummaryScene,
    present_reveal,
    reveal_steps,
    round_scene,
    scenes_from,
)
from server.text.refusals import refusal
from server.text.rounds import bids_in_words, climax_in_words, losses_in_words, stage_end_in_words
from server.viewmodels.table import log_of, present_table, seat_names, verdict
from tests.support.snapshots import Game, table_info
from tests.support.snapshots import seat as seat_info

EN = words_for("en")
LOOK = look_for("en", True, False)
NAMES = ("ada", "bo", "cem", "dora", "eve")
AMIGO = Rules(players=5)
GAMEWRIGHT = Rules(Edition.GAMEWRIGHT, players=5)
MILD = Rules(Edition.BGA, players=5, modified_drowning=True)


def result(
    *losses: Loss, end: LossEnd = LossEnd.PAID, levels: tuple[int | None, ...] = (4, 11, 9, 0, 3)
) -> RoundResult:
    return RoundResult((4, 11), (52, 44, 31, 16, 2), (0, 1), levels, (1, 1, 1, 1, 1), losses, end)


# ---------------------------------------------------------------- why


def test_bids_are_told_from_the_highest_and_none_of_who_was_out() -> None:
    round_ = result()._replace(bids=(None, 44, 31, None, 52), takers=(4, 1))
    assert bids_in_words(round_, NAMES, EN) == (
        "eve (52) took 4",
        "bo (44) took 11",
        "cem 31",
    )


OUT_1 = Loss(11, (), (1,))
OUT_1_SAID = "bo had no life preserver left to lose (tide 11, the highest) and is out of this stage"
CASES = [
    (
        AMIGO,
        result(Loss(11, (1,), ())),
        ["bo lost a life preserver (tide 11, the highest), 1 left"],
    ),
    (
        AMIGO,
        result(Loss(11, (1, 2), ())),
        ["bo and cem share the highest tide (11): each lost a life preserver, 1 and 1 left"],
    ),
    (
        AMIGO,
        result(OUT_1, Loss(9, (2,), ())),
        [
            OUT_1_SAID,
            "nobody could pay, so cem, now the highest (tide 9), lost a life preserver, 1 left",
        ],
    ),
    (
        AMIGO,
        result(OUT_1, Loss(9, (), (2,)), Loss(4, (0, 4), ())),
        [
            OUT_1_SAID,
            "passed on: cem, now the highest (tide 9), had none left and is out as well",
            "nobody could pay, so ada and eve, now the highest (tide 4), lost a life preserver each,"
            " 1 and 1 left",
        ],
    ),
    (
        AMIGO,
        result(Loss(11, (1,), (2,))),
        [
            "bo and cem share the highest tide (11): bo lost a life preserver, 1 left;"
            " cem had none left and went out",
            "nothing is passed on: a life preserver was lost",
        ],
    ),
    (
        AMIGO,
        result(Loss(11, (), (1, 2)), Loss(4, (0,), (3,))),
        [
            "bo and cem share the highest tide (11) and had no life preserver left to lose:"
            " both are out of this stage",
            "nobody could pay, so of the highest now (tide 4) ada lost a life preserver, 1 left;"
            " dora had none left and went out as well",
        ],
    ),
    (
        AMIGO,
        result(OUT_1, end=LossEnd.TWO_LEFT, levels=(4, None, None, None, 3)),
        [OUT_1_SAID, "nothing is passed on: only two are left"],
    ),
    (
        AMIGO,
        result(OUT_1, end=LossEnd.TWO_LEFT, levels=(None, None, None, None, 3)),
        [OUT_1_SAID, "nothing is passed on: only one is left"],
    ),
    (
        GAMEWRIGHT,
        result(OUT_1, end=LossEnd.NOT_PASSED_ON),
        [OUT_1_SAID, "nothing is passed on in this edition"],
    ),
    (
        MILD,
        result(OUT_1, end=LossEnd.NOT_PASSED_ON),
        [OUT_1_SAID, "nothing is passed on at this table"],
    ),
    (
        AMIGO,
        result(end=LossEnd.NO_TIDE),
        ["nobody still in shows a tide card: nobody loses anything"],
    ),
]


@pytest.mark.parametrize(("rules", "round_", "said"), CASES)
def test_why_is_always_said(rules: Rules, round_: RoundResult, said: list[str]) -> None:
    assert list(losses_in_words(round_, NAMES, rules, EN)) == said


@pytest.mark.parametrize(
    ("levels", "rounds", "why"),
    [
        ((1, 2, 3, None, None), 12, "every card has been played"),
        ((1, 2, None, None, None), 12, "only two are left, so it ends at once"),
        ((1, 2, None, None, None), 5, "only two are left, so it ends at once"),
        ((1, None, None, None, None), 5, "only one is left, so it ends at once"),
        ((None,) * 5, 5, "nobody is left, so it ends at once"),
    ],
)
def test_why_a_stage_is_over(levels: tuple[int | None, ...], rounds: int, why: str) -> None:
    assert stage_end_in_words(result(levels=levels), rounds, AMIGO, EN) == why


def test_every_refusal_has_a_sentence() -> None:
    details: dict[str, str | int] = {"most": 1, "least": 8, "seconds": 5, "tournament": "Cup"}
    for code in {*Refusal, "players", "stages", "modified_drowning"}:
        assert "That did not work" not in refusal(Reply(code, details), EN), code
    told = refusal(Reply("tournament_plan", {"what": "rounds"}), words_for("de"))
    assert told == "So lässt sich kein Turnier eröffnen: Runden."


# ---------------------------------------------------------------- signs


def test_the_leader_is_marked_only_when_somebody_is_behind() -> None:
    game = Game(Rules(players=3))
    info = table_info(game.rules)
    start = present_table(info, game.view, EN)
    assert not any(seat.leader for seat in start.seats)
    while game.state.stage.number == 0:
        game.play_round()
    view = game.view
    later = present_table(info, view, EN)
    best = max(seat.score for seat in view.seats)
    assert [seat.leader for seat in later.seats] == [seat.score == best for seat in view.seats]


# ---------------------------------------------------------------- playing back


@pytest.mark.parametrize("seed", range(6))
def test_a_round_played_back_is_what_the_engine_shows(seed: int) -> None:
    """Without offer and phase: those belong to the next round."""
    game = Game(Rules(players=5), bytes([seed] * 32))
    while game.state.phase is not Phase.OVER:
        before = game.view
        game.play_round()
        after = game.view
        if after.stage == before.stage and after.phase is not Phase.OVER:
            assert neutral(round_scene(before, after.rounds[-1]).after) == neutral(after)


def neutral(view: TableView) -> TableView:
    return view._replace(offer=None, phase=Phase.TIDES)


def test_scenes_lead_from_stage_to_stage() -> None:
    game = Game(Rules(players=3), bytes([5] * 32))
    view = game.view
    game.taken()
    game.play_out()
    events = game.taken()
    scenes = scenes_from(view, events)
    rounds = [event for event in events if isinstance(event, RoundResolved)]
    stages = [event for event in events if isinstance(event, StageScored)]
    shown = [scene for scene in scenes if isinstance(scene, RoundScene)]
    summaries = [scene for scene in scenes if isinstance(scene, SummaryScene)]
    assert [scene.result for scene in shown] == [event.result for event in rounds]
    assert [scene.result for scene in summaries] == [event.result for event in stages]
    assert [scene.last for scene in summaries] == [False, False, True]
    for scene, event in zip(shown, rounds, strict=True):
        assert (scene.before.stage, scene.before.round) == (event.stage, event.round)
        levels = tuple(None if seat.eliminated else seat.level for seat in scene.after.seats)
        assert levels == event.result.levels
    started = [event for event in events if isinstance(event, StageStarted)]
    assert [event.stage for event in started] == [1, 2]


def test_what_was_missed_is_not_made_up() -> None:
    game = Game()
    game.play_rounds(3)
    events = game.taken()
    late = game.view
    assert scenes_from(late, events[-4:]) == []
    assert scenes_from(None, events) == []


def test_a_step_of_a_reveal_is_presented_once_for_all_seats() -> None:
    game = Game()
    view = game.view
    game.play_round()
    outcome, info = game.view.rounds[-1], table_info(game.rules)
    seats = [
        [present_reveal(info, round_scene(view, outcome), EN, it) for it in reveal_steps(outcome)]
        for _ in range(2)
    ]
    assert all(one is other for one, other in zip(*seats, strict=True))


def test_a_reveal_hides_every_card_until_its_turn() -> None:
    game = Game()
    game.play_rounds(4)
    view = game.view
    game.play_round()
    outcome = game.view.rounds[-1]
    info = table_info(game.rules)
    scene = round_scene(view, outcome)
    before = present_table(info, scene.before, EN)
    assert [outcome.bids[seat] for seat in turning_order(outcome)] == sorted(
        filter(None, outcome.bids)
    )
    order, (*steps, end) = turning_order(outcome), reveal_steps(outcome)
    assert [step.up for step in steps[: len(order) + 1]] == list(range(len(order) + 1))
    for step in steps:
        model = present_reveal(info, scene, EN, step)
        up = {seat.seat for seat in model.seats if seat.card}
        assert up == set(order[: step.up])
        if not step.water:
            assert [seat.level for seat in model.seats] == [seat.level for seat in before.seats]
        else:
            # The water is on its way; what it says there is what the last step says.
            took = zip(outcome.takers, outcome.offer, strict=True)
            said = {seat: str(tide) for seat, tide in took}
            assert all(model.seats[seat].level_words == tide for seat, tide in said.items())
        assert any(seat.rank for seat in model.seats) == step.taking
        assert bool(model.climax[0]) == (step.climax > 0)
        if not step.climax:
            assert [seat.left for seat in model.seats] == [seat.left for seat in before.seats]
    last = present_reveal(info, scene, EN, end)
    assert last.climax == climax_in_words(outcome, seat_names(info), EN)
    assert log_of(info, scene.after, EN)[0].why == losses_in_words(
        outcome, seat_names(info), game.rules, EN, counted=False
    )
    assert [seat.level for seat in last.seats] == [level or 0 for level in outcome.levels]
    assert [seat.rank for seat in last.seats if seat.rank] != []
    assert {seat.seat for seat in last.seats if seat.losing} == set(
        outcome.lost + outcome.eliminated
    )
    # Of each of them one life preserver stands out: the one that has just been turned over.
    shown = kept_row(tuple(map(kept_of, last.seats)), 14, LOOK)
    marked = [text for style, text in shown if style == "bad"]
    assert marked == [LOOK.glyphs.lost] * len(outcome.lost)


def test_a_seat_whose_player_has_left_wins_for_its_bot() -> None:
    game = Game(Rules(players=3, stages=1))
    game.play_out()
    first = game.view.winners[0]
    names = [who.name for who in table_info(game.rules).seats]
    left = table_info(
        game.rules, seats=tuple(seat_info(name, left=name == names[first]) for name in names)
    )
    for info, language, told in (
        (table_info(game.rules), "en", f"{names[first]} wins "),
        (left, "en", f"{names[first]} (bot) wins "),
        (left, "de", f"{names[first]} (Bot) gewinnt "),
    ):
        assert verdict(info, game.view, words_for(language)).startswith(told)
