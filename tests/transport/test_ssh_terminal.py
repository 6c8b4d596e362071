"""What passes between a terminal and its face."""

import asyncio
from collections.abc import AsyncIterator

import asyncssh
import pytest

from server.terminal.capabilities import Colours, Size
from tests.support.connections import Open, all_of, open_server, until
from tests.support.turns import few_turns


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server() as one:
        yield one


async def test_a_session_from_the_first_line_to_the_last(opened: Open) -> None:
    async with opened.connect("ada") as client:
        process = await client.create_process(term_type="xterm", term_size=(100, 30))
        process.stdin.write("xyzq")
        assert await all_of(process.stdout) == "ada 100x30\r\nbye\r\n"
        await process.wait_closed()
    assert process.exit_status == 0
    await opened.empty()


@pytest.mark.parametrize(
    ("asked", "drawn"),
    [
        ((0, 0), (80, 24)),
        ((0, 50), (80, 50)),
        ((20, 5), (20, 5)),
        ((1000, 1000), (300, 100)),
        ((2**32 - 1, 5), (300, 5)),
    ],
)
async def test_absurd_sizes_are_clamped(
    opened: Open, asked: tuple[int, int], drawn: tuple[int, int]
) -> None:
    async with opened.connect() as client:
        await client.create_process(term_type="xterm", term_size=asked)
        assert (await opened.frontend()).terminal.size == drawn


async def test_the_environment_says_what_the_terminal_can_do(opened: Open) -> None:
    env = {"COLORTERM": "truecolor", "LC_ALL": "C", "LD_PRELOAD": "x", "SECRET": "y"}
    async with opened.connect() as client:
        await client.create_process(term_type="xterm", env=env)
        abilities = (await opened.frontend()).terminal.abilities
    assert abilities.colours is Colours.TRUE
    assert not abilities.unicode


@pytest.mark.parametrize(
    ("env", "term", "lines", "sent"),
    [
        ({"LANG": "de_DE.UTF-8"}, "xterm", False, "Jörg ½".encode()),
        ({}, "xterm", False, "Jörg ½".encode()),
        ({"LANG": "de_DE.ISO-8859-1"}, "xterm", False, "Jörg ½".encode("latin-1")),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "xterm", False, b"Jorg ?"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "xterm", True, b"Joerg  1/2"),
        ({}, "vt220", False, b"Jorg ?"),
        ({}, "linux", False, "Jörg ½".encode()),
        ({}, "syncterm", False, "Jörg ½".encode("cp437")),
    ],
)
async def test_letters_come_in_the_terminals_own_character_set(
    opened: Open, env: dict[str, str], term: str, lines: bool, sent: bytes
) -> None:
    async with opened.connect() as client:
        process = await client.create_process(term_type=term, env=env, encoding=None)
        frontend = await opened.frontend()
        frontend.terminal.expect(lines=lines)
        frontend.terminal.write("<Jörg ½>")
        said = b""
        while b">" not in said:
            said += await process.stdout.read(100)
    assert sent in said


@pytest.mark.parametrize(("speed", "thin"), [(1_200, True), (38_400, False), (0, False)])
async def test_a_slow_terminal_says_so_when_it_asks_for_a_screen(
    opened: Open, speed: int, thin: bool
) -> None:
    modes = {asyncssh.PTY_OP_ISPEED: speed, asyncssh.PTY_OP_OSPEED: speed}
    async with opened.connect() as client:
        await client.create_process(term_type="vt100", term_modes=modes)
        frontend = await opened.frontend()
        assert frontend.terminal.abilities.thin is thin
        assert frontend.terminal.facts.speed == speed


async def test_a_flurry_of_resizes_comes_through_in_turns_and_nobody_else_waits(
    opened: Open,
) -> None:
    timers = few_turns(opened.server.players)
    async with opened.connect() as client, opened.connect("bo", local_addr=("127.0.0.2", 0)) as bo:
        process = await client.create_process(term_type="xterm", term_size=(80, 24))
        frontend = await opened.frontend()
        honest = await bo.create_process(term_type="xterm")
        other = await opened.frontend(1)
        width = 80
        while not opened.server.players.waiting:
            width += 1
            process.change_terminal_size(width, 24)
            await asyncio.sleep(0)
        honest.stdin.write("?")
        await other.until(lambda other: "?" in other.typed)
        for more in range(100):
            process.change_terminal_size(width + more, 24)

        def over() -> bool:
            timers.advance(0.1)
            return frontend.sizes[-1] == Size(width + 99, 24)

        await until(over)


async def test_what_is_no_utf8_is_taken_for_latin_1_and_split_characters_are_joined(
    opened: Open,
) -> None:
    async with opened.connect() as client:
        process = await client.create_process(term_type="xterm", encoding=None)
        frontend = await opened.frontend()
        process.stdin.write(b"\xff\xfea\xc3")
        await frontend.until(lambda frontend: "a" in frontend.typed)
        process.stdin.write(b"\xbcb")
        await frontend.until(lambda frontend: "b" in frontend.typed)
    assert frontend.typed == "\u00ff\u00fea\u00fcb"


async def test_the_end_of_input_is_the_end(opened: Open) -> None:
    async with opened.connect() as client:
        process = await client.create_process(term_type="xterm")
        frontend = await opened.frontend()
        process.stdin.write_eof()
        await process.wait_closed()
        assert frontend.ended.is_set()


async def test_signals_interrupt_or_end(opened: Open) -> None:
    async with opened.connect() as client:
        process = await client.create_process(term_type="xterm")
        frontend = await opened.frontend()
        process.send_signal("INT")
        await frontend.until(lambda frontend: frontend.typed == "\x03")
        process.send_signal("TERM")
        await process.wait_closed()
        assert frontend.ended.is_set()


async def test_a_dropped_line_ends_everything(opened: Open) -> None:
    client = await opened.connect()
    await client.create_process(term_type="xterm")
    frontend = await opened.frontend()
    client.abort()
    await frontend.ended.wait()
    await opened.empty()
    await client.wait_closed()


async def test_a_face_that_fails_costs_one_session_and_says_so() -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    async with open_server(make_frontend=fail) as opened:  # type: ignore[arg-type]
        async with opened.connect() as client:
            process = await client.create_process(term_type="xterm")
            assert "Something went wrong" in await all_of(process.stdout)
        await opened.empty()


@pytest.mark.slow
async def test_the_house_closes_in_good_order() -> None:
    async with open_server() as opened:
        client = await opened.connect()
        process = await client.create_process(term_type="xterm")
        (await opened.frontend()).feed("q")
        await opened.line.close()
        await client.wait_closed()
        await process.wait_closed()
        assert process.exit_status == 0


async def test_ipv6_where_there_is_some(opened: Open) -> None:
    if "::1" not in opened.line.listening.addresses:
        pytest.skip("this machine has no IPv6")
    async with opened.connect(host="::1") as client:
        await client.run("help", check=True)


async def test_a_frame_is_one_packet(opened: Open) -> None:
    async with opened.comes() as frontend:
        connection = frontend.terminal._connection  # type: ignore[attr-defined]
        frontend.terminal.write("the first screenful " * 20)
        before = connection._send_seq
        for _ in range(10):
            frontend.terminal.write("a frame")
        assert connection._send_seq == before + 10
