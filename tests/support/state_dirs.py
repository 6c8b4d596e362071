"""A state directory with finished games in it, and the commands that look at it."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from click.testing import CliRunner

from server.cli.commands import tide as command
from server.storage.table_store import FinishedGame
from tests.support.databases import archived, begun
from tests.support.games import record
from tests.support.state import open_state

ENDED = 1_700_000_000.0


class Outcome:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err
        self.lines, self.errors = out.splitlines(), err.splitlines()


def tide(*arguments: str | Path, stdin: str | bytes = b"") -> Outcome:
    """Run a command; an exception that gets out of it fails the test."""
    told = CliRunner().invoke(
        command, [*map(str, arguments)], input=stdin, env={"LC_ALL": "C", "TZ": "UTC"}
    )
    if told.exception and not isinstance(told.exception, SystemExit):
        raise told.exception
    return Outcome(told.exit_code, told.stdout, told.stderr)


def filled(state: Path, games: int = 3) -> Path:
    """A state directory with so many finished games (1, 2, ...) and a table that is still played."""

    async def fill() -> None:
        async with aclosing(await open_state(state)) as opened:
            for number in range(1, games + 1):
                over = FinishedGame(record(number).fields(), ("account:ada", "", "", ""), ENDED)
                await archived(opened.database, f"table-{number}", over)
            if not await opened.tables.load():
                await opened.tables.append(begun("running", 7))

    asyncio.run(fill())
    return state
