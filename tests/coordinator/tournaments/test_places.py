"""The places of a tournament: how many one address may have, and how they become free again."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from tests.support.cups import PLAN, Cup, cup
from tests.support.memory_stores import copy_of
from tests.support.tables import Guest

SCHOOL = "192.0.2.1"
OF_120 = replace(PLAN, places=120)


def come(held: Cup, count: int, source: str, name: str = "p") -> list[Guest]:
    """So many people of one address, or each of an own one where there is a ``{}``."""
    return [
        held.server.enter(f"{name}{number}", source=source.format(number + 1))
        for number in range(count)
    ]


async def codes(held: Cup, guests: Sequence[Guest]) -> set[str]:
    """What they are told who register."""
    return {await each.code(m.EnterTournament(held.id)) for each in guests}


async def test_sixty_of_one_address_fill_their_half_of_a_cup_of_120_and_others_the_rest() -> None:
    async with cup() as held:
        await held.opened(OF_120)
        assert await codes(held, come(held, 60, SCHOOL, "school")) == {"ok"}
        (late,) = come(held, 1, SCHOOL, "late")
        reply = await late.submit(m.EnterTournament(held.id))
        assert reply == m.Reply("tournament_share", {"most": 60, "tournament": held.id})
        assert await codes(held, come(held, 60, "198.51.100.{}")) == {"ok"}
        assert await late.code(m.EnterTournament(held.id)) == "tournament_full"
        assert (await held.view()).info.players == 120


async def test_a_director_who_lifts_the_share_lets_one_address_fill_a_cup() -> None:
    async with cup() as held:
        await held.opened(OF_120)
        people = come(held, 120, SCHOOL)
        assert await codes(held, people) == {"ok", "tournament_share"}
        assert not (await held.view()).info.lifted
        await held.direct(m.Directing.LIFT)
        assert (await held.view()).info.lifted
        assert await codes(held, people[60:]) == {"ok"}
        await held.direct(m.Directing.BEGIN)
        await held.clock.settle()
        assert all(each.status() is m.Status.PLAYING for each in people)


@pytest.mark.parametrize(
    "source", ["192.168.1.{}", "192.168.1.7", "10.0.0.1", "fd00:1:2:3::/64", "127.0.0.1", ""]
)
async def test_on_a_private_network_or_through_a_proxy_there_is_no_share(source: str) -> None:
    async with cup() as held:
        await held.opened(OF_120)
        assert await codes(held, come(held, 120, source)) == {"ok"}


async def test_many_networks_of_one_site_are_one() -> None:
    async with cup() as held:
        await held.opened(replace(PLAN, places=8))
        told = [
            await each.code(m.EnterTournament(held.id))
            for each in come(held, 5, "2001:db8:7:{:x}::/64")
        ]
        assert told == [*["ok"] * 4, "tournament_share"]
        assert await codes(held, come(held, 1, "2001:db8:8::/64", "other")) == {"ok"}


async def test_shares_hold_after_a_restart_and_what_is_kept_tells_no_address() -> None:
    async with cup() as held:
        await held.opened(replace(PLAN, places=8))
        first = come(held, 4, SCHOOL)
        assert await codes(held, first) == {"ok"}
        id_, store, clock = held.id, copy_of(held.store), held.clock
        state = store.sql("SELECT state FROM tournaments")[0].state
        assert SCHOOL not in state
    async with cup(store, clock, rng=2) as back:
        back.id = id_
        assert await codes(back, come(back, 1, SCHOOL, "late")) == {"tournament_share"}
        (gone, *_) = come(back, 4, SCHOOL)
        await gone.ok(m.WithdrawFromTournament(id_))
        assert await codes(back, come(back, 1, SCHOOL, "late")) == {"ok"}
        await back.direct(m.Directing.END)
        assert back.held.sources == {}


async def test_a_director_removes_a_player_who_is_told_and_may_come_back() -> None:
    async with cup() as held:
        await held.opened(replace(PLAN, places=8))
        guests = held.come(9)
        assert await codes(held, guests[:8]) == {"ok"}
        await held.direct(m.Directing.REMOVE, "P3")
        word = guests[3].last.said[-1]
        assert (word.kind, word.text) == ("tournament_removed", "Friday cup")
        assert (await held.view()).info.players == 7
        assert await codes(held, [guests[8]]) == {"ok"}
        assert await codes(held, [guests[3]]) == {"tournament_full"}
        for name in ("p3", "nobody", ""):
            with pytest.raises(m.Refused) as refused:
                await held.direct(m.Directing.REMOVE, name)
            assert refused.value.reply == m.Reply("nobody_entered", {"name": name})
        stranger = guests[0]
        asked = m.DirectTournament(held.id, m.Directing.REMOVE, "p1")
        assert await stranger.code(asked) == "not_yours_to_direct"


async def test_who_has_registered_and_gone_loses_the_place_to_who_is_there() -> None:
    async with cup() as held:
        await held.opened(replace(PLAN, places=10))
        gone = come(held, 10, "198.51.100.{}", "gone")
        assert await codes(held, gone) == {"ok"}
        for each in gone:
            each.visit.close()
        here = held.come(10)
        assert await codes(held, here) == {"tournament_full"}
        await held.direct(m.Directing.REMOVE_ABSENT)
        assert (await held.view()).info.players == 0
        assert await codes(held, here) == {"ok"}
        await held.direct(m.Directing.REMOVE_ABSENT)
        assert (await held.view()).info.players == 10


@pytest.mark.parametrize("what", m.Directing)
async def test_one_that_is_over_is_directed_no_more(what: m.Directing) -> None:
    async with cup() as held:
        await held.opened()
        await held.direct(m.Directing.END)
        with pytest.raises(m.Refused) as refused:
            await held.direct(what, "p0")
        assert refused.value.reply.code == "tournament_over"
