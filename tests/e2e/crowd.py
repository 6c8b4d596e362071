"""Everybody else who comes to a server: players on telnet, people who watch, lines that drop, and
enemies.
"""

import asyncio
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import asyncssh

from tests.e2e.players import Keyless, Screen

HOST = "127.0.0.1"
ENEMY = "127.0.0.66"
"""The address that enemies come from: limits that are counted by address must not hit the others."""
_HAND = re.compile(r"Your hand: ([\d ]+)\.")
_QUIET = 0.05


@dataclass
class Ports:
    """Of a server."""

    ssh: int
    telnet: int


async def plays_by_telnet(ports: Ports, name: str) -> bool:
    """One short game against bots in line mode; whether it was over in the end."""
    reader, writer = await asyncio.open_connection(HOST, ports.telnet)
    heard = ""
    writer.write(f"{name}\r\n".encode())
    begun = False
    try:
        while "The game is over." not in heard:
            try:
                async with asyncio.timeout(_QUIET):
                    data = await reader.read(8192)
                if not data:
                    return False
                heard = heard[-4000:] + data.decode("utf-8", "replace")
                continue
            except TimeoutError:
                pass
            if not begun:
                begun = "Say play" in heard
                writer.write(b"play\r\n" if begun else b"")
            elif hands := _HAND.findall(heard):
                # The highest or the lowest card; told that it is not in the hand any more, ask for the hand.
                cards = hands[-1].split()
                heard = ""
                writer.write(f"bid {cards[-1 if len(cards) % 2 else 0]}\r\n".encode())
            else:
                writer.write(b"hand\r\n")
        writer.write(b"leave\r\nquit\r\n")
        return True
    except OSError:
        return False
    finally:
        writer.transport.abort()


def _client(ports: Ports, name: str, *, enemy: bool = False) -> Any:
    return asyncssh.connect(
        HOST,
        ports.ssh,
        username=name,
        known_hosts=None,
        client_keys=None,
        agent_path=None,
        config=None,
        client_factory=Keyless,
        login_timeout=60,
        local_addr=(ENEMY if enemy else HOST, 0),
    )


async def watches(ports: Ports, name: str) -> None:
    """Look on at the busiest table for a moment."""
    with suppress(OSError, asyncssh.Error):
        async with _client(ports, f"{name}+watch") as client:
            channel, _ = await client.create_session(
                Screen, term_type="xterm-256color", term_size=(100, 30), encoding=None
            )
            await asyncio.sleep(0.5)
            channel.write(b"p")
            await asyncio.sleep(0.5)


async def drops(ports: Ports, number: int) -> None:
    """Come in as far as ``number`` says, and drop the line without a word."""
    phase = number % 8
    with suppress(OSError, asyncssh.Error):
        if phase < 4:
            port = ports.ssh if phase % 2 else ports.telnet
            _, writer = await asyncio.open_connection(HOST, port, local_addr=(ENEMY, 0))
            if phase == 1:
                writer.write(b"SSH-2.0-Drop\r\n" + os.urandom(40))
            elif phase == 2:
                writer.write(f"drop{number}\r\nlobby\r\n".encode())
                await asyncio.sleep(0.2)
            writer.transport.abort()
            return
        client = await _client(ports, f"drop{number}", enemy=True)
        if phase > 4:
            process = await client.create_process(term_type="xterm", encoding=None)
            if phase > 5:
                with suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        await process.stdout.read(200)
                process.stdin.write(b"l" if phase == 6 else b"?")
        client.abort()


async def attacks(ports: Ports, number: int, chance: random.Random) -> None:
    """One of the ways to mean harm, for a few seconds."""
    ways: list[Callable[[Ports, random.Random], Any]] = [
        _rubbish_by_telnet,
        _rubbish_by_ssh,
        _rubbish_typed,
        _commands,
        _deaf,
        _channels,
        _resizes,
        _knocks,
    ]
    with suppress(OSError, asyncssh.Error, TimeoutError):
        async with asyncio.timeout(10):
            await ways[number % len(ways)](ports, chance)


def _rubbish(chance: random.Random, size: int) -> bytes:
    """Any bytes but letters and ends of lines, which could begin a game: what enemies leave behind must not
    count as one.
    """
    return bytes(
        byte for byte in chance.randbytes(size) if byte not in b"\r\n" and not chr(byte).isalpha()
    )


async def _telnet(ports: Ports, data: bytes) -> None:
    reader, writer = await asyncio.open_connection(HOST, ports.telnet, local_addr=(ENEMY, 0))
    try:
        writer.write(data)
        for _ in range(20):
            async with asyncio.timeout(1):
                if not await reader.read(65_536):
                    break
    finally:
        writer.transport.abort()


async def _rubbish_by_telnet(ports: Ports, chance: random.Random) -> None:
    await _telnet(ports, b"eve\r\n" + _rubbish(chance, 200_000))


async def _commands(ports: Ports, chance: random.Random) -> None:
    command = chance.choice(
        [b"\xff\xfd\x06", b"\xff\xfb\x18", b"\xff\xf6", b"\xff\xfa\x18\0" + b"x" * 5000]
    )
    await _telnet(ports, b"eve\r\n" + command * 20_000)


async def _rubbish_by_ssh(ports: Ports, chance: random.Random) -> None:
    reader, writer = await asyncio.open_connection(HOST, ports.ssh, local_addr=(ENEMY, 0))
    try:
        writer.write(b"SSH-2.0-x\r\n" + chance.randbytes(50_000))
        await reader.read()
    finally:
        writer.transport.abort()


async def _rubbish_typed(ports: Ports, chance: random.Random) -> None:
    async with _client(ports, "eve", enemy=True) as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        process.stdin.write(b"l" + _rubbish(chance, 20_000))
        await asyncio.sleep(2)
        client.abort()


async def _deaf(ports: Ports, chance: random.Random) -> None:
    async with _client(ports, "eve+watch", enemy=True) as client:
        channel, _ = await client.create_session(
            asyncssh.SSHClientSession, term_type="xterm", encoding=None, window=4096
        )
        channel.pause_reading()
        for _ in range(20):
            channel.write(b"?\x0c")
            await asyncio.sleep(0.1)
        client.abort()


async def _channels(ports: Ports, chance: random.Random) -> None:
    async with _client(ports, "eve", enemy=True) as client:
        opening = [client.create_process(term_type="xterm", encoding=None) for _ in range(30)]
        await asyncio.gather(*opening, return_exceptions=True)
        client.abort()


async def _resizes(ports: Ports, chance: random.Random) -> None:
    async with _client(ports, "eve", enemy=True) as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        for _ in range(500):
            process.change_terminal_size(chance.randrange(500), chance.randrange(500))
        await asyncio.sleep(1)
        client.abort()


async def _knocks(ports: Ports, chance: random.Random) -> None:
    writers = []
    for _ in range(60):
        _, writer = await asyncio.open_connection(HOST, ports.ssh, local_addr=(ENEMY, 0))
        writers.append(writer)
    for writer in writers:
        writer.transport.abort()
