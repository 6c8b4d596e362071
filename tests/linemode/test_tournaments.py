"""Tournaments by sentences alone."""

import pytest

from server.coordinator import messages as m
from server.session.account import Account
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
        assert told[0] == '"sails" is no option of a tournament.'
        assert not ada.visit.commands
        told = await ada.say("tournament open Friday cup: 3 rounds, 3 players, 2 stages")
        assert told == ["The tournament is open: players can register."]
        (command,) = ada.visit.commands
        assert isinstance(command, m.OpenTournament)
        assert (command.plan.name, command.plan.rounds) == ("Friday cup", 3)
        assert command.plan.options.rules.stages == 2
