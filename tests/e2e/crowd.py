"""Everybody else who comes to a server and means no harm: players on telnet, programs, people who watch, and
people who try whatever there is.
"""

import asyncio
import random
import re
from contextlib import suppress
from typing import Any, Final

import asyncssh

from tests.e2e.enemies import HOST, Ports
from tests.support.clients import Program, Screen, connect, program

_HAND = re.compile(r"Your hand: ([\d ]+)\.")
_QUIET = 0.05


async def plays_by_telnet(ports: Ports, name: str) -> str:
    """One short game against bots in line mode; empty when it was over in the end, or else what was heard
    last.
    """
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
                    return heard or "nothing"
                heard = heard[-4000:] + data.decode("utf-8", "replace")
                continue
            except TimeoutError:
                pass
            if not begun:
                begun = 'Type "play"' in heard
                writer.write(b"play 3 players 1 stage\r\n" if begun else b"")
            elif hands := _HAND.findall(heard):
                # The highest or the lowest card; told that it is not in the hand any more, ask for the hand.
                cards = hands[-1].split()
                heard = ""
                writer.write(f"bid {cards[-1 if len(cards) % 2 else 0]}\r\n".encode())
            else:
                writer.write(b"hand\r\n")
        writer.write(b"leave\r\nquit\r\n")
        return ""
    except OSError as problem:
        return f"{heard}\n{problem!r}"
    finally:
        writer.transport.abort()


def _client(ports: Ports, name: str) -> Any:
    return connect(ports.ssh, name, login_timeout=60, local_addr=(HOST, 0))


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


def _is_over(line: dict[str, Any]) -> bool:
    happenings = line.get("update", {}).get("happenings", ())
    return any(each["kind"] == "game_over" for each in happenings)


async def plays_as_program(ports: Ports, name: str) -> str:
    """The same by lines of JSON."""
    player: Program | None = None
    try:
        async with _client(ports, name) as client:
            player = await program(client)
            await player.do("play", options={"players": 3, "stages": 1})
            asked = None
            # What came of a bid is told before its answer: the last update may have been read already.
            while not any(map(_is_over, player.heard)):
                game, you = player.update.get("game"), player.update.get("you")
                moment = (game["stage"], game["round"]) if game else None
                if you and you["to_bid"] and moment != asked:
                    asked = moment
                    await player.bid()
                else:
                    await player.next("update")
            for line in ('{"do": "say", "text": "gg"}', '{"do": "leave"}', '{"do": "quit"}'):
                player.send(line)
            await player.process.wait_closed()
            return ""
    except (OSError, asyncssh.Error, AssertionError) as problem:
        last = player.heard[-1] if player and player.heard else "nothing"
        return f"{last}\n{problem!r}"


_EVERYTHING: Final = (
    "who", "lobby", "games", "replay 1", "next", "go 3", "eyes 1", "reveal", "back", "leave", "results",
    "best", "account", "rules", "more", "help bid", "chat", "say {}", "shout {}", "tell eye0 {}",
    "reply {}", "phrase 1", "mute eye1", "unmute eye1", "block eye2", "unblock eye2", "report eye3 {}",
    "set sound off", "set language de", "set language en", "watch", "more", "leave", "learn", "more",
    "leave", "yes", "new 3 players 1 stage", "options", "add greedy", "private {}", "public", "invite",
    "start", "table", "tides", "log", "played", "scores", "vote pause", "resume", "leave", "yes", "{}",
    "screen", "leave", "yes",
)  # fmt: skip


async def wanders(ports: Ports, name: str, chance: random.Random) -> None:
    """Try everything that there is in line mode, in about that order, leaving some of it out."""
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(HOST, ports.telnet)
        try:
            writer.write(f"{name}\r\n".encode())
            for line in ("en", *_EVERYTHING, "leave", "yes", "quit"):
                if chance.random() < 0.2 and line != "quit":
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(_QUIET):
                        while await reader.read(65_536):
                            pass
                writer.write((line.format(chance.randrange(1 << 32)) + "\r\n").encode())
            async with asyncio.timeout(5):
                while await reader.read(65_536):
                    pass
        except TimeoutError:
            pass
        finally:
            writer.transport.abort()
