"""A server plays whole games without what PostgreSQL needs: it is not even there."""

import sys
from pathlib import Path
from typing import Final

from tests.e2e.crowd import plays_as_program
from tests.e2e.enemies import Ports
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


async def test_whole_games_over_ssh_without_psycopg(tmp_path: Path) -> None:
    command = (sys.executable, "-c", _TIDE, "serve")
    server = Server(tmp_path, command=command, **AT_ONCE)
    ports = Ports((await server.started()).ssh_port, 0)
    try:
        for name in ("crab", "cod"):
            assert await plays_as_program(ports, name) == ""
    finally:
        assert await server.stopped() == 0
    assert [it["game"] for it in server.events if it["event"] == "game_over"] == [1, 1]
    assert not [it for it in server.events if it["level"] == "error"]
