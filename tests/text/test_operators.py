"""What operators type, and what it means."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import FOR_EVER, LONGEST, Action
from server.i18n.lookup import languages, words_for
from server.text.operator_orders import ORDERS, BadOperatorCommand, parse_order

WORD = st.one_of(
    st.sampled_from([order.usage.split()[0] for order in ORDERS]),
    st.sampled_from(["bo", "2h", "ever", "1", "name", "network", "99999w", "all", "stop", ""]),
    st.text(max_size=8),
)


def meant(typed: list[str]) -> Action | BadOperatorCommand:
    try:
        return parse_order(typed)
    except BadOperatorCommand as problem:
        return problem


@given(st.lists(WORD, max_size=6))
def test_every_line_is_an_order_or_is_explained(typed: list[str]) -> None:
    action = meant(typed)
    if isinstance(action, BadOperatorCommand):
        assert all(action.in_words(words_for(each)) for each in languages())
        return
    encoded = msgspec.json.encode(action)
    assert msgspec.json.decode(encoded, type=Action) == action, "as the socket takes it"


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("people", asked.SeePeople()),
        ("REPORTS all", asked.SeeReports(closed=True)),
        ("audit 12", asked.SeeAudit(12)),
        ("kick bo shouts a lot", asked.Kick("bo", "shouts a lot")),
        ("vouch bo", asked.Vouch("bo")),
        ("unvouch bo", asked.Unvouch("bo")),
        ("mute bo 90s", asked.MutePerson("bo", 90.0)),
        ("ban Name bo EVER", asked.BanSomebody("name", "bo", FOR_EVER)),
        (
            "ban network 192.0.2.0/24 4w spam",
            asked.BanSomebody("network", "192.0.2.0/24", 2_419_200.0, "spam"),
        ),
        ("drain", asked.Drain()),
        ("drain stop", asked.Drain(stop=True)),
        ("close 4", asked.CloseReport(4)),
        ("close Kadubilo", asked.CloseTable("kadubilo")),
        ("answer 4 thank you", asked.AnswerReport(4, "thank you")),
        ("direct KADUBILO begin", asked.DirectingOrder("kadubilo", "begin")),
        ("direct kadubilo remove Ada", asked.DirectingOrder("kadubilo", "remove", "Ada")),
        ("tournament Cup rounds=5", asked.TournamentOrder("Cup", {"rounds": 5})),
        (
            'tournament "Friday cup" rounds=5 players=3',
            asked.TournamentOrder("Friday cup", {"rounds": 5, "players": 3}),
        ),
        ("tournament 'Friday cup'", asked.TournamentOrder("Friday cup")),
    ],
)
def test_what_orders_mean(typed: str, action: Action) -> None:
    assert parse_order(typed.split()) == action


def test_a_shell_hands_over_a_quoted_name_in_one_piece() -> None:
    opened = parse_order(["tournament", '"Friday cup"', "rounds=5"])
    assert opened == asked.TournamentOrder("Friday cup", {"rounds": 5})


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", 'Type "help"'),
        ("fly", 'There is no command "fly"'),
        ("kick", "Like this: kick NAME"),
        ("drain cancel", "Like this: drain [stop]"),
        ("drain stop now", "Like this: drain [stop]"),
        ("undrain stop", "Like this: undrain"),
        ("close 3 fixed", "Like this: close NUMBER"),
        ("ban name", "Like this: ban KIND WHO"),
        ("ban name bo", "How long?"),
        ("mute bo ever", "How long?"),
        ("mute bo 0h", "How long?"),
        (f"mute bo {LONGEST}w", "How long?"),
        ("unban", "Which number?"),
        ("tournament Cup rounds 5", "Like this: rounds=5"),
        ("close -1", "Which number?"),
    ],
)
def test_what_is_wrong_with_an_order(typed: str, why: str) -> None:
    with pytest.raises(BadOperatorCommand) as problem:
        parse_order(typed.split())
    assert problem.value.in_words(words_for("en")).startswith(why)


def test_every_order_that_is_listed_exists() -> None:
    listed = {order.usage.split()[0] for order in ORDERS}
    kinds = [kind for part in Action.__args__ for kind in getattr(part, "__args__", (part,))]
    tags = {kind.__struct_config__.tag for kind in kinds}
    # A table is closed with close and its code; a tournament's record is for tide tournament.
    assert listed == tags - {"close_table", "tournament_record"}
