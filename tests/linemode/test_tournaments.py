"""Tournaments by sentences alone."""

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from server.session.account import Account
from server.session.usual_tables import TOURNAMENT
from tests.support.fakes import FakeVisit
from tests.support.homes import at_home


async def test_who_may_open_one_is_told_how_and_chooses_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home, _ = at_home()
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        assert await ada.say("tournament") == ["There is no tournament."]
        monkeypatch.setattr(Account, "opens_tournaments", True)
        assert 'You can open one: type "tournament open NAME".' in await ada.say("tournament")
        told = await ada.say("tournament open")
        assert "5 rounds" in told[-1]
        told = await ada.say("tournament open cup: 9 sails")
        assert told[0] == '"sails" is not an option of a tournament.'
        assert not ada.visit.commands
        told = await ada.say("tournament open Friday cup: 3 rounds, 3 players, 2 stages")
        assert told == ["The tournament is open: players can register."]
        (command,) = ada.visit.commands
        assert isinstance(command, m.OpenTournament)
        assert (command.plan.name, command.plan.rounds) == ("Friday cup", 3)
        assert command.plan.options.rules.stages == 2


CUP = m.TournamentInfo(
    "kadubilo",
    m.TournamentPlan("Friday cup", TOURNAMENT),
    m.TournamentPhase.OPEN,
    0,
    8,
    "ada",
    guests=False,
    directs=True,
)


async def test_a_director_removes_players_and_lifts_the_share_of_an_address() -> None:
    home, _ = at_home()
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        ada.visit.feed.push(replace(ada.visit.feed.now, tournaments=(CUP,)))
        await ada.clock.advance(0)
        assert await ada.say("tournament remove bo") == ["Done."]
        assert await ada.say("tournament remove cem KADUBILO") == ["Done."]
        told = await ada.say("tournament remove")
        assert told == ['All who are not connected lose their places. Type "yes" to do it.']
        assert await ada.say("yes") == ["Done."]
        assert 'cannot be taken back. Type "yes"' in (await ada.say("tournament lift"))[0]
        assert await ada.say("yes") == ["Done."]
        what = m.Directing
        assert ada.visit.commands == [
            m.DirectTournament("kadubilo", what.REMOVE, "bo"),
            m.DirectTournament("kadubilo", what.REMOVE, "cem"),
            m.DirectTournament("kadubilo", what.REMOVE_ABSENT),
            m.DirectTournament("kadubilo", what.LIFT),
        ]
        refused = m.Reply("nobody_entered", {"name": "dora"})
        ada.visit.replies.append(refused)
        told = await ada.say("tournament remove dora")
        assert told == ['Nobody called "dora" is registered.']


async def test_registering_has_the_words_that_people_try() -> None:
    home, _ = at_home()
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        for word in ("enter", "register", "join"):
            assert (await ada.say(f"tournament {word} kadubilo"))[0].startswith(
                "You are registered"
            )
        assert ada.visit.commands == [m.EnterTournament("kadubilo")] * 3


async def test_a_cup_that_is_over_tells_the_place_and_not_that_one_is_registered() -> None:
    home, _ = at_home()
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        over = replace(CUP, phase=m.TournamentPhase.OVER, round=2, entered=True, place=1)
        ada.visit.feed.push(replace(ada.visit.feed.now, tournaments=(over,)))
        await ada.clock.advance(0)
        told = await ada.say("tournament")
        assert told[0] == "Friday cup (kadubilo): over, 8 players, your place: 1."
