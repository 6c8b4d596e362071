"""Tournaments: to register and to withdraw, and what one of them has come to."""

from msgspec.structs import replace

from server.coordinator import messages as m
from tests.support.faces import AnyFace, Face, at_home, on_each_face
from tests.support.fakes import FakeVisit
from tests.support.standings_shown import a_tournament


async def is_held(ada: Face, view: m.TournamentView) -> FakeVisit:
    """There is this tournament, which is told whoever asks."""
    assert isinstance(ada.visit, FakeVisit)
    ada.visit.replies = [m.Reply(tournament=view)] * 2
    ada.visit.feed.push(replace(ada.visit.feed.now, tournaments=(view.info,)))
    await ada.clock.advance(0)
    return ada.visit


@on_each_face
async def test_to_register_and_to_withdraw(face: AnyFace) -> None:
    async with at_home(face) as ada:
        for entered in (False, True):
            view = a_tournament(m.TournamentPhase.OPEN)
            view = replace(view, info=replace(view.info, entered=entered))
            visit, cup = await is_held(ada, view), view.info.id
            await ada.does("withdraw" if entered else "register", cup=cup)
            done = m.WithdrawFromTournament(cup) if entered else m.EnterTournament(cup)
            assert done in visit.commands


@on_each_face
async def test_the_standings(face: AnyFace) -> None:
    async with at_home(face) as ada:
        view = a_tournament(m.TournamentPhase.PLAYING)
        await is_held(ada, view)
        await ada.does("see the tournament", cup=view.info.id)
        first = view.rows[0]
        ada.learns(
            first.name, tournament={"standings": [{"place": first.place, "name": first.name}]}
        )
