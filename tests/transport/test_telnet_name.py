"""Telnet's question for a name: the words that are no name, MUD clients' logins, and scanners."""

from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from server.transport.access.limiter import Reason
from server.transport.telnet import connection
from server.transport.telnet import protocol as t
from server.transport.telnet.login import ScannerWatch
from tests.support.connections import until
from tests.support.telnet_caller import OpenTelnet, open_telnet


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "QUIET", 0.05)


@pytest.fixture
async def telnet() -> AsyncIterator[OpenTelnet]:
    async with open_telnet() as one:
        yield one


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("connect al hunter2", "al"),
        ("create bo hunter2", "bo"),
        ("CONNECT Al hunter2", "Al"),
        ("  connect \t al \t hunter2  ", "al"),
        ("connect\tal\thunter2", "al"),
        ("connect\u00a0al\u00a0hunter2", "al"),
        ('connect "al" "hunter2"', "al"),
        ('connect "Al Bo" hunter2', "Al_Bo"),
        ("connect 'Al Bo' hunter2", "Al_Bo"),
        ('connect "al hunter2', "al"),
        ("connect al=hunter2", "al"),
        ("connect al:hunter2", "al"),
        ("connect al/hunter2", "al"),
        ("/connect al hunter2", "al"),
        ("@connect al hunter2", "al"),
        ("login: al hunter2", "al"),
        ("logon al hunter2", "al"),
        ("user al hunter2", "al"),
        ("new al hunter2", "al"),
        ("user", "user"),
        ("New York", "New_York"),
        ("connect al hunter2 and more of it", "al"),
        ("co al hunter2", "al"),
        ("cr al hunter2", "al"),
        ("login al hunter2", "al"),
        ("connect al", "al"),
        ("connect connect", "connect"),
        ("connect Connect hunter2", "Connect"),
        ("connect who", "who"),
        ("connect Shell", "Shell"),
        ("co", "co"),
        ("Co Smith", "Co_Smith"),
        ("connecta", "connecta"),
    ],
)
async def test_of_what_mud_clients_send_the_name_counts(
    telnet: OpenTelnet, line: str, name: str
) -> None:
    with capture_logs() as logged:
        async with telnet.comes(line) as (mud, frontend):
            assert frontend.visit.player.name == name
            assert "unter" not in mud.text + frontend.typed + str(frontend.notices)
            assert "unter" not in str(telnet.opened.lobby.feed.snapshot())
    assert "unter" not in str(logged)


async def test_what_follows_the_name_asks_for_as_much_as_before(telnet: OpenTelnet) -> None:
    async with telnet.comes("connect al+de+plain hunter2") as (_, frontend):
        assert frontend.terminal.abilities.language == "de"
        code = frontend.account.rejoin_code
        async with telnet.comes(f"connect {code}") as (_, again):
            assert again.visit.player == frontend.visit.player


@pytest.mark.parametrize("line", ["connect", "CREATE  ", 'connect ""'])
async def test_a_login_without_a_name_is_asked_again(telnet: OpenTelnet, line: str) -> None:
    async with telnet.call(silent=True) as mud:
        mud.line(line)
        await mud.reads("Type your name after that")
        assert mud.text.count("Your name, or") == 2
        mud.line("al")
        assert (await telnet.opened.frontend()).visit.player.name == "al"


@pytest.mark.parametrize(
    "word",
    ["quit", "exit", "QUIT", " Exit ", "/quit", "logout", "bye", "/exit", "ende", "tchau"],
)
async def test_who_wants_to_leave_leaves(telnet: OpenTelnet, word: str) -> None:
    async with telnet.call(silent=True) as caller:
        caller.line(word)
        await caller.end()
        assert caller.text.endswith("Goodbye.\r\n")
    await telnet.empty()
    assert not telnet.opened.frontends


@pytest.mark.parametrize("key", [b"\x03", b"\x04"])
async def test_ctrl_c_and_ctrl_d_leave(telnet: OpenTelnet, key: bytes) -> None:
    async with telnet.call(silent=True) as caller:
        await caller.reads("Your name")
        caller.send(b"ad" + key)
        await caller.end()
    assert not telnet.opened.frontends


async def test_who_is_here_is_told_before_there_is_a_name(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as ada, telnet.call(silent=True) as bo:
        ada.line("who")
        await ada.reads("Nobody is here.")
        ada.line("ada")
        await ada.reads("ada 80x24")
        bo.line("who")
        await bo.reads(": ada.")
        bo.line("bo")
        await bo.reads("bo 80x24")


@pytest.mark.parametrize("word", ["help", "hilfe", "Ajuda", "?"])
async def test_help_is_understood_in_every_language(telnet: OpenTelnet, word: str) -> None:
    async with telnet.call(silent=True) as caller:
        caller.line(word)
        await caller.reads("NAME+plain")


async def test_the_words_are_understood_in_the_language_of_the_client(telnet: OpenTelnet) -> None:
    async with telnet.terminal(will={t.TTYPE, t.NAWS, t.NEW_ENVIRON}) as caller:
        await caller.until(lambda one: any(sub[:1] == t.NEW_ENVIRON for sub in one.subs))
        caller.sub(t.NEW_ENVIRON + t.IS + t.VAR + b"LANG" + t.VALUE + b"de_DE.UTF-8")
        await caller.reads("Dein Name")
        caller.line("hilfe")
        await caller.reads("NAME+plain")
        caller.line("ende")
        await caller.end()
        assert "Auf Wiedersehen." in caller.text


async def test_who_never_gives_a_name_is_told_so(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as caller:
        for _ in range(9):
            caller.line("?")
        await caller.end()
        assert caller.text.endswith("connect again when you are ready.\r\n")


@pytest.mark.parametrize(
    "line",
    ["enable", "shell", "sh", "system", "SYSTEM", "linuxshell", "/bin/busybox MIRAI", "/bin/sh"],
)
async def test_scanners_are_shown_out(telnet: OpenTelnet, line: str) -> None:
    with capture_logs() as logged:
        async with telnet.call(silent=True) as eve:
            eve.line(line)
            await eve.end()
            assert "This is a card game and no shell." in eve.text
    await telnet.empty()
    assert not telnet.opened.frontends
    assert telnet.opened.server.limiter.counts[Reason.SHELL] == 1
    assert {entry["log_level"] for entry in logged} == {"info"}


async def test_a_person_called_shell_is_told_how_to_come_in(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as caller:
        caller.line("Shell")
        await caller.end()
        assert "connect again and type: connect Shell" in caller.text


MIRAI = ("root", "xc3511", "enable", "system", "shell", "sh", "/bin/busybox MIRAI")


@pytest.mark.parametrize("at_once", [True, False])
async def test_mirai_is_shown_out(telnet: OpenTelnet, at_once: bool) -> None:
    async with telnet.call(silent=True) as eve:
        if at_once:
            for line in MIRAI:
                eve.line(line)
        else:
            eve.line(MIRAI[0])
            frontend = await telnet.opened.frontend()
            for line in MIRAI[1:]:
                eve.line(line)
            await until(frontend.ended.is_set)
        await eve.end()
    await telnet.empty()
    assert telnet.opened.server.limiter.counts[Reason.SHELL] == 1


def test_nobody_else_is_taken_for_a_scanner() -> None:
    for text in (
        "ada\r\nsh\rsh\rsh\r",
        "ada\r\nsay enable the shell\r\n",
        "a\r" * 11 + "sh\renable\r",
    ):
        watch = ScannerWatch()
        assert not any(watch.tries_shells(char) for char in text)
    watch = ScannerWatch()
    tried = [watch.tries_shells(one) for one in ("root\renab", "le\r", "x\r\n", "sh\r\n")]
    assert tried == [False, False, False, True]
