"""A server plays whole games without what PostgreSQL needs: it is not even there."""

import sys
from pathlib import Path
from typing import Final

from tests.support.clients import Program, connect, program
from tests.support.connections import key
from tests.support.servers import AT_ONCE, Server

LEFT_OUT: Final = ("psycopg",)

_TIDE: Final = f"""
import sys


class Without:
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {LEFT_OUT!r}):
            raise ModuleNotFoundError(name + " is left out", name=name)


sys.meta_path.insert(0, Without())
from server.cli import main

sys.argv[0] = "tide"
main()
"""


async def _play(line: Program) -> None:
    """A game to its end."""
    options = {"players": 3, "stages": 1, "pace": "untimed"}
    assert (await line.do("play", options=options))["ok"]
    bid_for, before = -1, _over(line)
    while _over(line) == before:
        game, you = line.update["game"], line.update["you"]
        if you and you["to_bid"] and game["round"] != bid_for:
            bid_for = game["round"]
            assert (await line.bid())["ok"]
        else:
            await line.next("update")


def _over(line: Program) -> int:
    """How many games."""
    told = [it for data in line.heard if "update" in data for it in data["update"]["happenings"]]
    return sum(it["kind"] == "game_over" for it in told)


async def test_whole_games_over_ssh_without_psycopg(tmp_path: Path) -> None:
    command = (sys.executable, "-c", _TIDE, "serve")
    server = Server(tmp_path, command=command, **AT_ONCE)
    port = (await server.started()).ssh_port
    try:
        async with connect(port, "crab", [key("crab")]) as client:
            line = await program(client)
            for _ in range(2):
                await _play(line)
                assert (await line.do("leave"))["ok"]
    finally:
        assert await server.stopped() == 0
    assert [it["game"] for it in server.events if it["event"] == "game_over"] == [1, 1]
    assert not [it for it in server.events if it["level"] == "error"]
