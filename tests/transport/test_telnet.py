"""The telnet line: who is there, what they can show, and how they come in and leave."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.terminal.capabilities import Colours
from server.transport.telnet import connection
from server.transport.telnet import protocol as t
from tests.support.connections import until
from tests.support.keys import ANSWERS
from tests.support.patience import PATIENCE
from tests.support.telnet_caller import OpenTelnet, open_telnet


@pytest.fixture
async def telnet() -> AsyncIterator[OpenTelnet]:
    async with open_telnet() as one:
        yield one


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """For clients that will not answer anyway."""
    monkeypatch.setattr(connection, "QUIET", 0.05)


async def test_a_terminal_is_found_out_asked_for_a_name_and_gets_the_screen(
    telnet: OpenTelnet,
) -> None:
    async with telnet.terminal(size=(100, 30)) as ada:
        await ada.reads("not encrypted", "ssh -p 22 HOST", "Your name")
        assert "Auf Deutsch: NAME+de. Em português: NOME+pt." in ada.text
        assert t.WILL + t.ECHO not in ada.commands
        ada.line("ada")
        await ada.reads("ada 100x30")
        frontend = await telnet.opened.frontend()
        assert not frontend.terminal.abilities.lines
        assert frontend.terminal.abilities.cursor
        assert frontend.terminal.abilities.echoes
        assert frontend.terminal.abilities.colours is Colours.INDEXED
        assert frontend.visit.player.guest


@pytest.mark.slow
async def test_a_silent_client_is_in_line_mode_within_a_second(telnet: OpenTelnet) -> None:
    loop = asyncio.get_running_loop()
    before = loop.time()
    async with telnet.call(silent=True) as nc:
        await nc.reads("Your name")
        assert loop.time() - before >= connection.QUIET < 1
        # Three bytes of rubbish on a bare connection, then blanks over them, and nothing more of the sort.
        assert nc.commands == [t.DO + t.TTYPE]
        assert nc.text.startswith("\b\b\b   \b\b\bTurn the Tide")
        nc.send(b"ada\n")
        await nc.reads("ada 80x24")
        frontend = await telnet.opened.frontend()
        assert frontend.terminal.abilities.lines
        assert not frontend.terminal.abilities.cursor
        assert nc.commands == [t.DO + t.TTYPE]


async def test_who_has_answered_everything_does_not_have_to_wait(
    telnet: OpenTelnet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "QUIET", 2 * PATIENCE)
    monkeypatch.setattr(connection, "LONGEST", 2 * PATIENCE)
    async with telnet.terminal() as ada:
        await ada.reads("Your name")


@pytest.mark.usefixtures("quickly")
async def test_ends_of_lines_come_in_every_shape(telnet: OpenTelnet) -> None:
    for number, end in enumerate((b"\r\n", b"\r\0", b"\n", b"\r")):
        async with telnet.call(silent=True) as nc:
            await nc.reads("Your name")
            nc.send(b"ada" + end + b"one" + end + b"two" + end)
            frontend = await telnet.opened.frontend(number)
            await frontend.until(lambda one: "two" in one.typed)
            assert frontend.typed.replace("\n", "\r") == "one\rtwo\r"


@pytest.mark.usefixtures("quickly")
async def test_what_is_typed_before_the_question_is_its_answer(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as nc:
        nc.send(b"ada+de+nonsense\nlobby\n")
        frontend = await telnet.opened.frontend()
        assert frontend.visit.player.name == "ada"
        assert frontend.terminal.abilities.language == "de"
        assert ("unknown_suffix", "nonsense") in [notice[:2] for notice in frontend.notices]
        await frontend.until(lambda one: one.typed == "lobby\n")


@pytest.mark.usefixtures("quickly")
async def test_enter_alone_gives_a_guest_a_name(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as nc:
        nc.send(b"\r\n")
        frontend = await telnet.opened.frontend()
        assert frontend.visit.player.name


@pytest.mark.usefixtures("quickly")
async def test_what_a_terminal_answers_is_no_part_of_a_name(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as nc:
        for answer in ANSWERS:
            for byte in answer.encode():
                nc.send(bytes([byte]))
            nc.send(b"a")
        nc.send(b"\x7f" * len(ANSWERS) + b"a\x1b[100;1ua\r\n")
        frontend = await telnet.opened.frontend()
        assert frontend.visit.player.name == "ada"


@pytest.mark.usefixtures("quickly")
async def test_a_guest_comes_back_by_the_rejoin_code_alone(telnet: OpenTelnet) -> None:
    async with telnet.comes("ada") as (_, frontend):
        code = frontend.account.rejoin_code
        for typed in (f" {code.upper()} ", f"ada+{code}+plain"):
            async with telnet.comes(typed) as (_, back):
                assert back.visit.player == frontend.visit.player


async def test_the_window_is_followed(telnet: OpenTelnet) -> None:
    async with telnet.comes("ada", telnet.terminal()) as (ada, frontend):
        ada.resize(120, 40)
        await frontend.until(lambda one: one.sizes[-1] == (120, 40))
        ada.resize(65535, 65535)
        await frontend.until(lambda one: one.sizes[-1] == (300, 100))
        ada.resize(0, 0)
        await frontend.until(lambda one: one.sizes[-1] == (80, 24))


async def test_commands_of_the_client_are_keys(telnet: OpenTelnet) -> None:
    async with telnet.comes("ada", telnet.terminal()) as (ada, frontend):
        keys = ((t.IP, "\x03"), (t.BRK, "\x03"), (t.EOF, "\x04"), (t.EC, "\x7f"), (t.EL, "\x15"))
        for command, _ in keys:
            ada.send(b"a" + t.IAC + command)
        expected = "".join(f"a{key}" for _, key in keys)
        await frontend.until(lambda one: one.typed == expected)
        ada.send(t.IAC + t.AYT)
        await ada.until(lambda one: "This is Turn the Tide" in one.text)


async def test_text_beyond_ascii_and_the_escape_byte(telnet: OpenTelnet) -> None:
    latin = {t.TTYPE, t.NAWS, t.CHARSET}
    async with telnet.terminal(will=latin) as ada:
        await ada.until(lambda one: t.WILL + t.CHARSET in one.commands)
        await ada.until(lambda one: any(sub[:2] == t.CHARSET + t.REQUEST for sub in one.subs))
        ada.sub(t.CHARSET + t.ACCEPTED + b"ISO-8859-1")
        await ada.reads("Your name")
        ada.send("jörgÿ\r\n".encode("latin-1").replace(t.IAC, t.IAC + t.IAC))
        frontend = await telnet.opened.frontend()
        assert frontend.visit.player.name == "jörgÿ"
        assert not frontend.terminal.abilities.unicode
        frontend.terminal.write("ÿ – ж\r\n")
        await ada.until(lambda one: b"\xff - z\r\n" in one.data)


async def test_leaving_says_good_bye_before_the_line_ends(telnet: OpenTelnet) -> None:
    async with telnet.terminal() as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await telnet.opened.frontend()
        ada.send(b"q and much more that nobody reads any longer" * 20)
        await ada.end()
        assert ada.text.endswith("bye\r\n")
    await telnet.empty()
    await until(lambda: not telnet.line.context.connections)


@pytest.mark.slow
@pytest.mark.usefixtures("quickly")
async def test_who_ends_the_input_still_reads_the_answers(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as nc:
        nc.send(b"ada\nq\n")
        nc.writer.write_eof()
        await nc.end()
        assert nc.text.endswith("bye\r\n")
    async with telnet.call(silent=True) as nc:
        nc.send(b"bo\n")
        nc.writer.write_eof()
        frontend = await telnet.opened.frontend(1)
        async with asyncio.timeout(PATIENCE):
            await frontend.ended.wait()
    await telnet.empty()


async def test_a_logout_is_a_good_bye(telnet: OpenTelnet) -> None:
    async with telnet.terminal() as ada:
        await ada.reads("Your name")
        ada.send(t.IAC + t.DO + t.LOGOUT)
        await ada.end()
    await telnet.empty()


async def test_paragraphs_are_marked_for_those_who_know_marks(telnet: OpenTelnet) -> None:
    async with telnet.terminal(do=(t.EOR,), types=("TINTIN++", "XTERM", "MTTS 13")) as mud:
        await mud.reads("Your name")
        await mud.until(lambda one: t.CMD_EOR in one.commands)
    async with telnet.terminal() as plain:
        await plain.reads("Your name")
        await plain.until(lambda one: t.GA in one.commands)


async def test_microsofts_client_is_asked_for_little(telnet: OpenTelnet) -> None:
    async with telnet.terminal(types=("ANSI", "VT100", "VT52", "VTNT")) as ada:
        await ada.reads("Your name")
        assert t.DO + t.NEW_ENVIRON not in ada.commands
        assert t.DO + t.CHARSET not in ada.commands
        ada.line("ada")
        frontend = await telnet.opened.frontend()
        assert not frontend.terminal.abilities.lines
        assert not frontend.terminal.abilities.unicode


async def test_the_environment_tells_language_and_colours_but_never_who_it_is(
    telnet: OpenTelnet,
) -> None:
    options = {t.TTYPE, t.NAWS, t.NEW_ENVIRON}
    async with telnet.terminal(will=options) as ada:
        await ada.until(lambda one: any(sub[:2] == t.NEW_ENVIRON + t.SEND for sub in one.subs))
        asked = next(sub for sub in ada.subs if sub[:1] == t.NEW_ENVIRON)
        assert b"USER" not in asked
        assert len(asked) < 200
        told = {b"LANG": b"de_DE.UTF-8", b"COLORTERM": b"truecolor", b"USER": b"root"}
        ada.sub(
            t.NEW_ENVIRON + t.IS
            + b"".join(t.VAR + name + t.VALUE + value for name, value in told.items())
        )  # fmt: skip
        await ada.reads("Dein Name")
        ada.line("")
        frontend = await telnet.opened.frontend()
        assert frontend.terminal.abilities.language == "de"
        assert frontend.terminal.abilities.colours is Colours.TRUE
        assert frontend.visit.player.name != "root"
