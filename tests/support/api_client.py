"""A program at the other end of a real line: sends lines of JSON, and understands what comes."""

import asyncio
import json
from typing import Any

import asyncssh

from tests.support.patience import PATIENCE


class Line:
    """One session of a program."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process

    async def next(self, kind: str) -> dict[str, Any]:
        """The next line that has this field."""
        async with asyncio.timeout(PATIENCE):
            while line := await self.process.stdout.readline():
                data: dict[str, Any] = json.loads(line)
                if kind in data:
                    return data
        raise AssertionError(f"the session is over, and no {kind} has come")

    async def do(self, line: str) -> dict[str, Any]:
        self.process.stdin.write(f"{line}\n")
        return await self.next("ok")


async def calling(client: asyncssh.SSHClientConnection) -> Line:
    return Line(await client.create_process("api", encoding="utf-8"))
