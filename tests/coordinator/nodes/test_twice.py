"""What a node hears twice, or late: what was so before is not so again."""

import asyncio
import random

import pytest

from tests.support.nodes import TestNode, house
from tests.support.tables import Guest


@pytest.mark.parametrize("seed", [0, 4, 16, 22, 25, 34, 41, 52])
async def test_people_who_come_and_go_are_known_whatever_is_heard_again(seed: int) -> None:
    lot = random.Random(seed)
    async with house("a", "b", "c") as here:
        nodes = {each.node.membership.id: each for each in here.nodes.values()}
        doors: list[TestNode] = [*nodes.values()]
        connected: dict[str, Guest] = {}
        for _ in range(40):
            name, kind = lot.choice(["ada", "bo", "cem", "dora"]), lot.random()
            before = connected.get(name)
            if before is None or kind < 0.5:
                connected[name] = lot.choice(doors).guest(name)
                if before is not None and lot.random() < 0.5:
                    before.visit.close()
            elif kind < 0.7:
                connected.pop(name).visit.close()
            told = [
                (to, message)
                for _, to, topic, message in here.hub.sent[-60:]
                if topic in ("changed", "state") and to in nodes
            ]
            for to, message in lot.sample(told, min(len(told), lot.randrange(3))):
                asyncio.get_running_loop().call_soon(nodes[to].bus.heard, message)
            await here.clock.advance(lot.choice([0.0, 0.0, 0.02, 0.3, 1.0]))
        await here.clock.advance(10.0)
        assert not [name for name, guest in connected.items() if guest.visit.feed.closed]
        for node in doors:
            assert sorted(node.lobby.feed.snapshot().players) == sorted(connected)
