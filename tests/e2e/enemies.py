"""Hostile clients: one for each kind of attack in docs/threat-model.md that real sockets can carry out."""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import asyncssh

from tests.support.clients import Keyless, connect

HOST: Final = "127.0.0.1"
SECONDS: Final = 10.0
"""An attack lasts so long at most."""


@dataclass
class Ports:
    """Of a server."""

    ssh: int
    telnet: int
    admin: Path = Path()
    """The operators' socket."""


@dataclass
class Enemy:
    """One attack: where it comes from, and what it draws at random. Limits that are counted by address must
    not hit others than its own.
    """

    ports: Ports
    address: str
    chance: random.Random
    left: list[asyncio.StreamReader] = field(default_factory=list)
    """Lines on which nothing is said any more, for the server to end."""
    came: int = 0
    """Connections that were had, and logins: with none of them nothing was attacked."""

    async def connects(self, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A bare connection."""
        line = await asyncio.open_connection(HOST, port, local_addr=(self.address, 0))
        self.came += 1
        return line

    def logs_in(self, name: str = "eve", **more: Any) -> Any:
        """By SSH, without a key."""
        return connect(
            self.ports.ssh,
            name,
            client_factory=lambda: _Login(self),
            login_timeout=60,
            local_addr=(self.address, 0),
            **more,
        )

    def rubbish(self, size: int) -> bytes:
        """Any bytes but letters and ends of lines, which could begin a game with a person in it: what enemies
        leave behind must not count as one.
        """
        return bytes(
            byte
            for byte in self.chance.randbytes(size)
            if byte not in b"\r\n" and not chr(byte).isalpha()
        )

    async def sends_by_telnet(self, *pieces: bytes, login: bytes = b"eve\r\n") -> None:
        """Say it, read for a while whatever comes, and drop the line."""
        await self._sends(self.ports.telnet, login, *pieces)

    async def _sends(self, port: int, *pieces: bytes) -> None:
        reader, writer = await self.connects(port)
        try:
            for piece in pieces:
                writer.write(piece)
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await reader.read(65_536)
            async with asyncio.timeout(3):
                while await reader.read(65_536):
                    pass
        finally:
            writer.transport.abort()

    async def leaves_open(self, port: int, said: bytes) -> None:
        """Say something, and then nothing more: the server has to hang up."""
        reader, writer = await self.connects(port)
        reader.writer = writer  # type: ignore[attr-defined]  # it lives as long as the other end
        self.left.append(reader)
        writer.write(said)


class _Login(Keyless):
    def __init__(self, enemy: Enemy) -> None:
        self._enemy = enemy

    def auth_completed(self) -> None:
        self._enemy.came += 1


# ---------------------------------------------------------------- by telnet


async def _rubbish_by_telnet(enemy: Enemy) -> None:
    await enemy.sends_by_telnet(enemy.rubbish(200_000))


async def _telnet_commands(enemy: Enemy) -> None:
    command = enemy.chance.choice(
        [b"\xff\xfd\x06", b"\xff\xfb\x18", b"\xff\xf6", b"\xff\xfa\x18\0" + b"x" * 5000]
    )
    await enemy.sends_by_telnet(command * 20_000)


async def _subnegotiation_without_end(enemy: Enemy) -> None:
    option = enemy.chance.choice([b"\x18\0", b"\x1f", b"\x27\0\0", b"\x2a\1", b"\xc9"])
    await enemy.sends_by_telnet(b"\xff\xfa" + option + enemy.chance.randbytes(300_000))


async def _strange_charsets(enemy: Enemy) -> None:
    """And types, and environments: a new name each time, for whoever remembers names."""
    number = enemy.chance.randrange(1 << 32)
    await enemy.sends_by_telnet(
        *(b"\xff\xfa\x2a\2;x-%d-%d\xff\xf0" % (number, turn) for turn in range(4)),
        b"\xff\xfa\x18\0TERM-%d\xff\xf0" % number,
        b"\xff\xfa\x27\0\0LANG\1xx_%d.CS-%d\xff\xf0" % (number, number),
        b'\xff\xfa\xc9Core.Hello {"client": "%d"}\xff\xf0' % number,
    )


async def _a_line_without_end(enemy: Enemy) -> None:
    await enemy.sends_by_telnet(b"9" * 1_000_000)


async def _floods_the_chat(enemy: Enemy) -> None:
    lines = [b"say %d, %d\r\n" % (turn, enemy.chance.randrange(1 << 32)) for turn in range(60)]
    await enemy.sends_by_telnet(b"".join(lines), b"report ada rude\r\n" * 20)


async def _fills_the_house(enemy: Enemy) -> None:
    """With tables, each of which is left to the bots."""
    await enemy.sends_by_telnet(
        *(b"new 3 players 1 stage\r\n", b"leave\r\n", b"yes\r\n") * 5,
        b"play\r\nleave\r\nyes\r\n" * 5,
    )


# ---------------------------------------------------------------- before any login


async def _rubbish_by_ssh(enemy: Enemy) -> None:
    await enemy._sends(enemy.ports.ssh, b"SSH-2.0-x\r\n" + enemy.chance.randbytes(50_000))


async def _other_protocols(enemy: Enemy) -> None:
    said = enemy.chance.choice(
        [
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01\x02\0\x01\0\x01\xfc",
            b"EHLO x\r\n",
            b"\0" * 64,
        ]
    )
    for port in (enemy.ports.ssh, enemy.ports.telnet):
        with suppress(TimeoutError):
            await enemy._sends(port, said)


async def _knocks(enemy: Enemy) -> None:
    writers = []
    for _ in range(60):
        _, writer = await enemy.connects(enemy.ports.ssh)
        writers.append(writer)
    for writer in writers:
        writer.transport.abort()


async def _says_nothing(enemy: Enemy) -> None:
    """Or next to nothing; a TLS handshake that leads nowhere is one of them."""
    await enemy.leaves_open(enemy.ports.ssh, b"SSH-2.0-s")
    await enemy.leaves_open(enemy.ports.telnet, b"\x16\x03\x01\x02\0\x01")
    await enemy.leaves_open(enemy.ports.telnet, b"")


# ---------------------------------------------------------------- by SSH


async def _rubbish_typed(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        process.stdin.write(b"l" + enemy.rubbish(20_000))
        await asyncio.sleep(2)
        client.abort()


async def _tiny_packets(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        for _ in range(3000):
            process.stdin.write(b"?")
        await asyncio.sleep(2)
        client.abort()


async def _types_and_takes_back(enemy: Enemy) -> None:
    """In a line of the chat, again and again: every change could be kept, to be undone."""
    async with enemy.logs_in() as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        process.stdin.write(b"l")
        await asyncio.sleep(0.5)
        process.stdin.write(b"t" + b"9" * 400 + b"8\x08" * 800)
        await asyncio.sleep(3)
        client.abort()


async def _deaf(enemy: Enemy) -> None:
    async with enemy.logs_in("eve+watch") as client:
        channel, _ = await client.create_session(
            asyncssh.SSHClientSession, term_type="xterm", encoding=None, window=4096
        )
        channel.pause_reading()
        for _ in range(20):
            channel.write(b"?\x0c")
            await asyncio.sleep(0.1)
        client.abort()


async def _channels(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        opening = [client.create_process(term_type="xterm", encoding=None) for _ in range(30)]
        await asyncio.gather(*opening, return_exceptions=True)
        client.abort()


async def _resizes(enemy: Enemy) -> None:
    chance = enemy.chance
    async with enemy.logs_in() as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        for _ in range(500):
            process.change_terminal_size(chance.randrange(500), chance.randrange(500))
        await asyncio.sleep(1)
        client.abort()


async def _environment(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        env = {f"LC_{enemy.chance.randrange(1 << 32)}": "x" * 100 for _ in range(1000)}
        await client.create_process(term_type="xterm", encoding=None, env=env)
        await asyncio.sleep(0.5)
        client.abort()


async def _new_keys(enemy: Enemy) -> None:
    async with enemy.logs_in(rekey_bytes=1) as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        for _ in range(50):
            process.stdin.write(b"?")
            await asyncio.sleep(0.02)
        client.abort()


async def _commands_and_files(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        for asked in ({"command": "rm -rf /"}, {"command": "\x1b[2J" * 50}, {"subsystem": "sftp"}):
            with suppress(asyncssh.Error):
                process = await client.create_process(encoding=None, **asked)
                async with asyncio.timeout(2):
                    await process.wait_closed()
        client.abort()


async def _forwards(enemy: Enemy) -> None:
    async with enemy.logs_in() as client:
        with suppress(asyncssh.Error, OSError):
            await client.open_connection("127.0.0.1", 22)
        with suppress(asyncssh.Error, asyncssh.ChannelListenError, OSError):
            await client.forward_remote_port("", 0, "127.0.0.1", 1)
        with suppress(asyncssh.Error, OSError):
            await client.create_process(x11_forwarding="ignore_failure", term_type="xterm")
        client.abort()


async def _guesses_codes(enemy: Enemy) -> None:
    for _ in range(8):
        guess = "".join(enemy.chance.choice("23456789bcdfghjkmnpqrstvwxyz") for _ in range(12))
        async with enemy.logs_in(f"eve+{guess}") as client:
            await client.create_process(term_type="xterm", encoding=None)
            client.abort()


async def _asks_for_nothing(enemy: Enemy) -> None:
    """Comes in, opens no channel, and stays: the server has to hang up."""
    client = await enemy.logs_in()
    reader = asyncio.StreamReader()
    reader.writer = client  # type: ignore[attr-defined]
    enemy.left.append(reader)

    async def ends() -> None:
        await client.wait_closed()
        reader.feed_eof()

    reader.ending = asyncio.create_task(ends())  # type: ignore[attr-defined]


# ---------------------------------------------------------------- as a program, and as a neighbour


async def _a_program_gone_mad(enemy: Enemy) -> None:
    lines = [
        b"no json",
        b"[" * 5000,
        b'{"do": "play"}',
        b'{"do": "bid", "card": 61, "stage": 0, "round": 0}',
        b'{"do": "bid", "card": 1, "stage": 9, "round": 99}',
        b'{"do": "join", "table": "%d"}' % enemy.chance.randrange(1 << 32),
        b'{"do": "vote", "motion": "x"}',
        b'{"do": "say", "text": "%d"}' % enemy.chance.randrange(1 << 32),
        b'{"id": %s}' % (b"9" * 3000),
        b'{"do": "leave"}',
        b"\xff\xfe",
    ]
    async with enemy.logs_in() as client:
        process = await client.create_process("api", encoding=None)
        enemy.chance.shuffle(lines)
        for line in [*lines, b'{"do": "leave"}']:
            process.stdin.write(line + b"\n")
        process.stdin.write(b"x" * 100_000)
        await asyncio.sleep(2)
        client.abort()


async def _looks_up_without_end(enemy: Enemy) -> None:
    wanted = [
        *(b'{"do": "%s", "game": 1}' % what for what in (b"own", b"record", b"summary")),
        *(b'{"do": "%s"}' % what for what in (b"today", b"results", b"best", b"statistics")),
        b'{"do": "review", "game": 1, "seat": 9}',
        b'{"do": "games", "mine": false}',
        b'{"do": "season", "before": 600}',
    ]
    async with enemy.logs_in() as client:
        programs = [await client.create_process("api", encoding=None) for _ in range(4)]
        for program in programs:
            program.stdin.write(b"\n".join(enemy.chance.choices(wanted, k=200)) + b"\n")
        await asyncio.sleep(2)
        client.abort()


async def _rubbish_for_operators(enemy: Enemy) -> None:
    reader, writer = await asyncio.open_unix_connection(enemy.ports.admin)
    enemy.came += 1
    try:
        said = [b"no order\n", b'{"action": "kick"}\n', b"[" * 9000 + b"\n", b"x" * 200_000]
        writer.write(enemy.chance.choice(said))
        await reader.read()
    finally:
        writer.close()


WAYS: Final[tuple[Callable[[Enemy], Awaitable[None]], ...]] = (
    _rubbish_by_telnet,
    # The first who types a text has prompt_toolkit make its key bindings, once: in the first wave, so.
    _types_and_takes_back,
    _rubbish_by_ssh,
    _rubbish_typed,
    _telnet_commands,
    _deaf,
    _channels,
    _resizes,
    _knocks,
    _subnegotiation_without_end,
    _strange_charsets,
    _a_line_without_end,
    _floods_the_chat,
    _fills_the_house,
    _other_protocols,
    _tiny_packets,
    _environment,
    _new_keys,
    _commands_and_files,
    _forwards,
    _guesses_codes,
    _a_program_gone_mad,
    _looks_up_without_end,
    _rubbish_for_operators,
    # What the server ends by itself takes longest.
    _says_nothing,
    _asks_for_nothing,
)


def address(number: int) -> str:
    """Another one for every number, for a long time."""
    return f"127.{66 + number // 62_500 % 64}.{number // 250 % 250}.{number % 250 + 1}"


async def attacks(
    ports: Ports, number: int, chance: random.Random, left: list[asyncio.StreamReader]
) -> tuple[str, bool]:
    """One of the ways to mean harm, for a few seconds: its name, and whether it was let in so far that it
    could. Lines that are left to the server to end are added to ``left``.
    """
    way, enemy = WAYS[number % len(WAYS)], Enemy(ports, address(number), chance, left)
    with suppress(OSError, asyncssh.Error, TimeoutError):
        async with asyncio.timeout(SECONDS):
            await way(enemy)
    return way.__name__.strip("_"), enemy.came > 0


async def drops(ports: Ports, number: int) -> None:
    """Come in as far as ``number`` says, and drop the line without a word."""
    phase, enemy = number % 8, Enemy(ports, address(number), random.Random(number))
    with suppress(OSError, asyncssh.Error):
        if phase < 4:
            _, writer = await enemy.connects(ports.ssh if phase % 2 else ports.telnet)
            if phase == 1:
                writer.write(b"SSH-2.0-Drop\r\n" + os.urandom(40))
            elif phase == 2:
                writer.write(f"drop{number}\r\nlobby\r\n".encode())
                await asyncio.sleep(0.2)
            writer.transport.abort()
            return
        client = await enemy.logs_in(f"drop{number}")
        if phase > 4:
            process = await client.create_process(term_type="xterm", encoding=None)
            if phase > 5:
                with suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        await process.stdout.read(200)
                process.stdin.write(b"l" if phase == 6 else b"?")
        client.abort()
