"""Tournaments by sentences alone."""

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from server.session.account import Account
from server.session.preferences import TOURNAMENT
from tests.support.fakes import FakeVisit
from tests.support.homes import at_home
from tests.support.snapshots import Game
from tests.support.transcript import Reader


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


async def is_held(ada: Reader, cup: m.TournamentInfo) -> FakeVisit:
    assert isinstance(ada.visit, FakeVisit)
    ada.visit.feed.push(replace(ada.visit.feed.now, tournaments=(cup,)))
    await ada.clock.advance(0)
    return ada.visit


async def test_a_director_removes_players_and_lifts_the_share_of_an_address() -> None:
    home, _ = at_home()
    async with home as ada:
        visit = await is_held(ada, CUP)
        assert await ada.say("tournament remove bo") == ["Done."]
        assert await ada.say("tournament remove cem KADUBILO") == ["Done."]
        told = await ada.say("tournament remove")
        assert told == ['Everybody who is not connected loses their place. Type "yes" to confirm.']
        assert await ada.say("yes") == ["Done."]
        assert 'cannot be undone. Type "yes"' in (await ada.say("tournament lift"))[0]
        assert await ada.say("yes") == ["Done."]
        what = m.Directing
        assert visit.commands == [
            m.DirectTournament("kadubilo", what.REMOVE, "bo"),
            m.DirectTournament("kadubilo", what.REMOVE, "cem"),
            m.DirectTournament("kadubilo", what.REMOVE_ABSENT),
            m.DirectTournament("kadubilo", what.LIFT),
        ]
        visit.replies.append(m.Reply("nobody_entered", {"name": "dora"}))
        told = await ada.say("tournament remove dora")
        assert told == ['Nobody called "dora" is registered.']


async def test_who_leaves_a_table_of_a_cup_is_told_the_way_back() -> None:
    home, _ = at_home()
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        table = Game().snapshot()
        info = replace(table.info, event="tournament/kadubilo/1")
        ada.visit.feed.push(m.Update(None, replace(table, info=info), (), False, ""))
        await ada.clock.advance(0)
        told = f'A bot bids for you until you are back: "join {info.id}". Type "yes" to leave.'
        assert await ada.say("leave") == [told]
        await ada.say("yes")
        assert ada.visit.commands == [m.LeaveTable()]


async def test_registering_has_the_words_that_people_try_and_needs_no_code() -> None:
    home, _ = at_home()
    async with home as ada:
        visit = await is_held(ada, CUP)
        for typed in ("enter kadubilo", "register kadubilo", "join kadubilo", "register"):
            assert await ada.say(f"tournament {typed}") == [
                "You are registered for Friday cup. Your seat comes with the next round."
            ]
        assert visit.commands == [m.EnterTournament("kadubilo")] * 4


async def test_a_cup_that_is_over_tells_the_place_and_not_that_one_is_registered() -> None:
    home, _ = at_home()
    async with home as ada:
        over = replace(CUP, phase=m.TournamentPhase.OVER, round=2, entered=True, place=1)
        await is_held(ada, over)
        told = await ada.say("tournament")
        assert told[0] == "Friday cup (kadubilo): over, 8 players, your place: 1."


VIEW = m.TournamentView(
    replace(CUP, phase=m.TournamentPhase.OVER, round=2, winners=("bo",)),
    tuple(
        m.TournamentRow(
            place,
            name,
            total,
            0.0,
            0.0,
            "0",
            withdrawn=False,
            you=name == "ada",
            rounds=(m.TournamentCell(1, 2, (), 7, total, stayed=True),) * 2,
        )
        for place, name, total in (
            (1, "bo", 4.0),
            (2, "cem", 1.0),
            (3, "eve", 0.0),
            (4, "ada", -5.0),
        )
    ),
    (),
    ("c0ffee", "d1ce"),
    ("5eed", "feed"),
)


@pytest.mark.parametrize("entered", [True, False])
async def test_who_has_won_is_told_in_the_lobby_and_players_are_told_more(entered: bool) -> None:
    home, _ = at_home(way_in="-p 2222 tide.example")
    async with home as ada:
        playing = replace(CUP, phase=m.TournamentPhase.PLAYING, round=2, entered=entered)
        visit = await is_held(ada, playing)
        ada.new()
        visit.replies.append(m.Reply(tournament=VIEW))
        await is_held(ada, replace(VIEW.info, entered=entered))
        told = ada.new()
        assert told[0] == "bo wins Friday cup!"
        more = [
            "Friday cup is over.",
            "1. bo: +4.00 (+4.00, +4.00)",
            "2. cem: +1.00 (+1.00, +1.00)",
            "3. eve: 0.00 (0.00, 0.00)",
            "4. ada: -5.00 (-5.00, -5.00), that is you",
            '"tournament share kadubilo": a text about it to share.',
        ]
        assert told[1:] == (more if entered else [])


async def test_a_text_about_a_cup_that_is_over() -> None:
    home, _ = at_home(way_in="-p 2222 tide.example")
    async with home as ada:
        assert isinstance(ada.visit, FakeVisit)
        ada.visit.replies.append(m.Reply(tournament=VIEW))
        assert await ada.say("tournament share kadubilo") == [
            "Turn the Tide - Friday cup - 2 rounds - 4 players",
            "1. bo: +4.00",
            "2. cem: +1.00",
            "3. eve: 0.00",
            "4. ada: -5.00",
            "ssh -p 2222 tide.example",
            'Whoever runs the server writes its record to a file with "tide tournament export'
            ' kadubilo".',
        ]
        going_on = replace(VIEW.info, phase=m.TournamentPhase.PLAYING)
        ada.visit.replies.append(m.Reply(tournament=replace(VIEW, info=going_on)))
        (told,) = await ada.say("tournament share kadubilo")
        assert told == "There will be something to share when the tournament is over."
