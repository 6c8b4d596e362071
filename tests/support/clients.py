"""Those who come over SSH: how they connect, what they see on a screen, and what programs read.

``telnet_caller`` has who comes by telnet, and ``fuzz.servers`` who comes without a socket.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, Self

import asyncssh
import pyte

from tests.support.api_program import CHECK
from tests.support.patience import PATIENCE

_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"

Data = dict[str, Any]


class Keyless(asyncssh.SSHClient):
    """Answers no questions: as ``ssh`` does for who has no key."""

    lost: Exception | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = exc

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Any
    ) -> Any:
        return []


def connect(
    port: int, name: str = "ada", keys: Sequence[asyncssh.SSHKey] = (), **options: Any
) -> Any:
    """A connection to this machine, with nothing of the user's; to be awaited, or used as an asynchronous
    context manager.
    """
    return asyncssh.connect(
        options.pop("host", "127.0.0.1"),
        port,
        username=name,
        known_hosts=None,
        client_keys=options.pop("client_keys", None) or list(keys) or None,
        agent_path=None,
        config=None,
        client_factory=options.pop("client_factory", Keyless),
        **options,
    )


class Screen(asyncssh.SSHClientSession[bytes]):
    """A terminal in memory: ``text`` is what a player would see. Frames that the server marks as belonging
    together are shown as a whole.
    """

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._held = b""
        self._news = asyncio.Event()
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None
        self.received = 0
        self.closed = False
        self.exit_status: int | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        self._held += data
        if self._held.rfind(_BEGIN) > self._held.rfind(_END):
            return
        self._stream.feed(self._held)
        self._held = b""
        self._news.set()

    def exit_status_received(self, status: int) -> None:
        self.exit_status = status

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self._news.set()

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.screen.display)

    def press(self, keys: str) -> None:
        assert self._channel is not None
        self._channel.write(keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        assert self._channel is not None
        self.screen.resize(rows, columns)
        self._channel.change_terminal_size(columns, rows)

    async def news(self, seconds: float | None = None) -> bool:
        """Wait until something has come; false when nothing did within that time."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    async def until(self, happened: Callable[[Self], object]) -> None:
        """Wait until ``happened`` is true of what is on the screen."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not happened(self):
                    await self.news()
        except TimeoutError:
            raise AssertionError(f"waited in vain; the screen:\n{self.text}") from None

    async def sees(self, *texts: str) -> None:
        """Wait until all of the texts are on the screen at once."""
        await self.until(lambda screen: all(text in screen.text for text in texts))


class _Connects(Protocol):
    def connect(self, name: str, **options: Any) -> Any: ...


@asynccontextmanager
async def seated(
    opened: _Connects,
    name: str,
    *,
    columns: int = 80,
    rows: int = 24,
    command: str | None = None,
    **options: Any,
) -> AsyncIterator[Screen]:
    """A player who has connected as ``name``, and asks for this ``command``."""
    async with opened.connect(name, **options) as client:
        _, screen = await client.create_session(
            lambda: Screen(columns, rows),
            command,
            term_type="xterm-256color",
            term_size=(columns, rows),
            encoding=None,
        )
        yield screen


class Program:
    """Sends lines of JSON, and understands what comes."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process
        self.heard: list[Data] = []
        self.update: Data = {}
        """The last one."""

    def send(self, line: str) -> None:
        if not self.process.stdin.is_closing():
            self.process.stdin.write(f"{line}\n")

    async def next(self, kind: str = "") -> Data:
        """The next line, or the next that has this field."""
        async with asyncio.timeout(PATIENCE):
            while line := await self.process.stdout.readline():
                data: Data = json.loads(line)
                CHECK.validate(data)
                self.heard.append(data)
                self.update = data.get("update", self.update)
                if not kind or kind in data:
                    return data
        raise AssertionError(f"the session is over, and no {kind or 'line'} has come")

    async def until(self, happened: Callable[[Self], object]) -> None:
        """Read on until it is true."""
        while not happened(self):
            await self.next()

    async def do(self, what: str, **fields: Any) -> Data:
        """Give a command; the answer to it."""
        return await self.say(json.dumps({"do": what, **fields}))

    async def say(self, line: str) -> Data:
        """Send a line; the answer to it."""
        self.send(line)
        return await self.next("ok")

    async def bid(self) -> Data:
        """The lowest card that may be bid."""
        game, you = self.update["game"], self.update["you"]
        card = you["legal"][0]
        return await self.do("bid", card=card, stage=game["stage"], round=game["round"])


async def program(client: asyncssh.SSHClientConnection) -> Program:
    """A session that speaks JSON."""
    return Program(await client.create_process("api", encoding="utf-8"))
