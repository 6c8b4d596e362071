"""What a client asks for over and over is answered in turns and whole; an honest player beside it waits for
nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import count
from typing import Any

import pytest

from server.terminal.meter import SECONDS_A_BYTE
from server.transport.telnet import protocol as t
from tests.support.connections import AT_ONCE, real_frontend, until
from tests.support.telnet_caller import OpenTelnet, open_telnet
from tests.support.turns import few_turns
from tests.transport.floods import fill, over_ssh

_TABLES = 120
_SIZES = count()


def _types(text: bytes) -> Callable[[Any], None]:
    return lambda channel: channel.write(text)


def _resizes(channel: Any) -> None:
    channel.change_terminal_size(200 + next(_SIZES) % 50, 60)


FLOODS = {
    "look": ("api", None, _types(b'{"do": "look"}\n')),
    "play and leave": ("api", None, _types(b'{"do": "play"}\n{"do": "leave"}\n')),
    "rubbish": ("api", None, _types(b"{}\n" * 20)),
    "help": (None, None, _types(b"help\n")),
    "endless line": (None, None, _types(b"x" * 500)),
    "Ctrl-L": (None, (250, 70), _types(b"?\x0c")),
    "title and lobby": (None, (250, 70), _types(b"l\x1b\x1b")),
    "keys": (None, (80, 24), _types(b"\x1b[C\x1b[D" * 40)),
    "sizes": (None, (200, 60), _resizes),
}


@pytest.fixture
async def telnet() -> AsyncIterator[OpenTelnet]:
    async with open_telnet(make_frontend=real_frontend, timing=AT_ONCE) as one:
        await fill(one.opened, _TABLES)
        yield one


@pytest.mark.parametrize(("command", "size", "send"), FLOODS.values(), ids=FLOODS)
async def test_beside_a_flood_an_honest_key_is_answered_at_once_and_nothing_is_lost(
    telnet: OpenTelnet,
    command: str | None,
    size: tuple[int, int] | None,
    send: Callable[[Any], None],
) -> None:
    opened = telnet.opened
    timers = few_turns(opened.server.players)
    async with (
        over_ssh(opened, "eve", command, size) as (channel, answers),
        over_ssh(opened, "ada", None, (80, 24), "127.0.0.2") as (keys, screen),
    ):
        await until(lambda: answers.received and screen.received)
        sent, welcome = 0, answers.received
        # A resize is drawn 50 ms after it, by the loop's own time.
        while not opened.server.players.waiting:
            send(channel)
            sent += 1
            await asyncio.sleep(0.005)
        shown = screen.received
        keys.write(b"?")
        await until(lambda: screen.received > shown)
        assert opened.server.players.waiting == 1
        # Nobody can be sent more at once than what is left of the share pays for, and a picture.
        assert answers.received - welcome < opened.server.players.burst / SECONDS_A_BYTE + 65_536
        for _ in range(3):  # it goes on
            send(channel)
            sent += 1

        def over() -> bool:
            timers.advance(1.0)
            answered = answers.answers >= sent or command != "api"
            return answered and not opened.server.players.waiting

        await until(over)


async def test_are_you_there_has_a_short_answer(telnet: OpenTelnet) -> None:
    async with telnet.terminal(size=(200, 60)) as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await ada.sees("ada")
        before = ada.received
        ada.send((t.IAC + t.AYT) * 400)
        await ada.reads("This is Turn the Tide")
        # What comes after them has been answered, so they have been read.
        ada.send(t.IAC + t.DO + t.TM)
        await ada.until(lambda one: t.WILL + t.TM in one.commands)
        assert ada.received - before < 20_000
        assert ada.text.count("This is Turn the Tide") <= 2


async def test_directories_are_told_once(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as crawler:
        crawler.send((t.IAC + t.DO + t.MSSP + t.IAC + t.DONT + t.MSSP) * 50)
        crawler.send(t.IAC + t.DO + t.TM)
        await crawler.until(lambda one: t.WILL + t.TM in one.commands)
        assert sum(sub[:1] == t.MSSP for sub in crawler.subs) == 1
