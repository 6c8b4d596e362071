"""Orders of operators, reports of players and what the house says, in line mode."""

import math

from server.coordinator.messages import QuickGame, ServerMessage
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import OperatorReply
from tests.support.accounts import KEY, FakeAccount, FakeOperators
from tests.support.tables import UNTIMED, World, world
from tests.support.transcript import Reader


def reader(place: World, account: FakeAccount) -> Reader:
    return Reader(place.enter("ada").visit, place.clock, account)


async def test_looks_are_read_out_at_once() -> None:
    async with (
        world() as place,
        reader(place, FakeAccount(operator_actions=FakeOperators())) as ada,
    ):
        said = await ada.say("admin people")
        assert said[0].startswith("bo: account, at Shoal, ssh 2001:db8::7")
        assert KEY in said[0]
        assert (await ada.say("admin audit"))[-1] == 'There is more: "audit 3"'
        assert "ban KIND WHO TIME [REASON]: keep somebody out" in " ".join(await ada.say("admin"))


async def test_who_is_sent_away_goes_only_after_a_yes() -> None:
    operator_actions = FakeOperators()
    async with (
        world() as place,
        reader(place, FakeAccount(operator_actions=operator_actions)) as ada,
    ):
        for order in ("kick bo loud", "mute bo 2h", "ban name bo 1h", "drain stop"):
            assert await ada.say(f"admin {order}") == [f'Type "yes" to confirm: {order}.']
            assert await ada.say("no") == ["All right, nothing changed."]
        assert operator_actions.done == []
        assert await ada.say("admin kick bo loud", "yes") == [
            'Type "yes" to confirm: kick bo loud.',
            "bo has been kicked.",
        ]
        assert operator_actions.done == [asked.Kick("bo", "loud")]
        operator_actions.answer = OperatorReply(facts={"people": 2})
        assert await ada.say("admin say cake  at five") == ["Told 2 people."]
        assert operator_actions.done[-1] == asked.Broadcast("cake at five")


async def test_of_who_is_not_here_nothing_is_asked() -> None:
    refused = OperatorReply("nobody_called", {"name": "ed"})
    operators = FakeOperators(answer=refused)
    async with (
        world() as place,
        reader(place, FakeAccount(operator_actions=operators)) as ada,
    ):
        assert await ada.say("admin kick ed") == ['Nobody here is called "ed".']
        assert operators.done == [asked.Kick("ed")]  # refused orders are written down, too


async def test_who_is_no_operator_is_told_so() -> None:
    async with world() as place, reader(place, FakeAccount()) as ada:
        assert await ada.say("admin people") == [
            "Your key is not, or no longer, an operator's.",
        ]
        assert not any("admin" in line for line in await ada.say("help"))


async def test_what_the_house_says_in_the_lobby_and_at_a_table() -> None:
    async with world() as place, reader(place, FakeAccount()) as ada:
        place.lobby.say(ServerMessage("broadcast", "cake at five"))
        await place.clock.advance(1)
        assert ada.new()[-1] == "From the server: cake at five"
        await ada.visit.submit(QuickGame(UNTIMED))
        await place.clock.advance(1)
        ada.new()
        place.lobby.say(ServerMessage("broadcast", "more cake"))
        await place.clock.advance(1)
        assert "From the server: more cake" in ada.new()


async def test_no_new_games_and_new_games_again() -> None:
    async with world() as place, reader(place, FakeAccount()) as ada:
        ada.new()
        place.lobby.announce_closing(math.inf)
        await place.clock.advance(5)
        assert ada.new() == ["No new game begins here for now. Games in progress go on."]
        assert await ada.say("play") == ["No new games begin here just now."]
        place.lobby.announce_closing(0.0)
        await place.clock.advance(5)
        assert ada.new() == ["The server stays open, and new games may begin."]


async def test_who_is_sent_away_is_told_why() -> None:
    async with world() as place, reader(place, FakeAccount()) as ada:
        place.lobby.say_to("id-ada", ServerMessage("kicked", "too loud"))
        place.lobby.people["id-ada"].feed.close("kicked")
        await place.clock.advance(1)
        assert ada.new()[-1] == (
            "An operator has ended your connection; your seat is kept. The reason: too loud"
        )
