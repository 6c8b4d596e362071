"""What is typed into a face, screen or lines, while others are at the same table; and what is drawn."""

import asyncio
import json
import re
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from server.coordinator.messages import QuickGame
from server.session.preferences import SOLO
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import CursorPosition, Frame, Row
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import SEA, theme_for
from server.transport.access.login import Login, parse_login
from server.transport.net.terminal_detection import Charset, clamp
from server.transport.session.server import Caller, Session
from tests.fuzz.callers import LINES
from tests.fuzz.harness import Harness, in_a_hurry
from tests.fuzz.inputs import NASTY, decoded, text, typed
from tests.fuzz.ours import strange_in
from tests.fuzz.servers import GENEROUS, Onlooker, Place, a_place
from tests.support.api_program import OBJECTS


def check_screen(steps: list[str | tuple[int, int]]) -> None:
    """Whatever is typed on a full screen of whatever size, by somebody who is at first at a table with
    others, in the lobby or in a game: what is drawn stays within the screen and holds nothing but the
    server's own sequences, the screen never scrolls, and the others play on.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            eve = Onlooker(lines=False)
            session = _comes(place, eve, Login("eve"), len(steps))
            await asyncio.sleep(1)
            for step in steps:
                if isinstance(step, str):
                    session.feed(step)
                else:
                    eve.size = clamp(*step)
                    eve.glass.resize(eve.size)
                    # A terminal moves its text about; what it does then is not the server's doing.
                    eve.glass.screen.reset_mode(7 << 5)
                    session.resized()
                await asyncio.sleep(1)
                # Who has left sees good-bye on the terminal's own screen.
                assert eve.closed or eve.glass.screen.scrolled == 0
            session.hang_up()
            await asyncio.sleep(1)
            await place.still_works()

    in_a_hurry(main)


def check_lines(typed_in: list[str]) -> None:
    """Whatever is typed in line mode, under whatever name, by somebody who is at first at a table with
    others, in the lobby or in a game: what is answered holds nothing but shown characters and ends of
    lines, there is not much more of it than a page for a line, and the others play on.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            eve = Onlooker(lines=True)
            login = parse_login(typed_in[0] if typed_in else "eve")
            session = _comes(place, eve, login, len(typed_in))
            total = 0
            for chunk in typed_in:
                raw = chunk.replace("{table}", place.table)
                total += len(raw)
                session.feed(raw)
                await asyncio.sleep(1)
            assert len(eve.written) < 100_000 + 3_000 * total
            session.hang_up()
            await asyncio.sleep(1)
            await place.still_works()

    in_a_hurry(main)


class Wire(Onlooker):
    """The far end of a program's line, which wants to have read one JSON object for each line."""

    def __init__(self) -> None:
        super().__init__(lines=True)
        self.abilities = replace(self.abilities, program=True)

    @property
    def heard(self) -> list[dict[str, Any]]:
        *lines, rest = self.written.split("\n")
        assert rest == ""
        return [json.loads(line) for line in lines]


def check_api(sent: list[bytes]) -> None:
    """Whatever a program sends, at a table with others: all that it gets is lines of JSON without a control
    character, first the greeting, then one answer to each line in their order unless it leaves, which are
    about as long as what was sent; and the others play on.
    """

    async def main() -> None:
        async with a_place(GENEROUS) as place:
            eve = Wire()
            session = _sits_down(place, eve, Login("eve", code=place.table, program=True))
            if not sent:
                await asyncio.sleep(1)
            charset = Charset("utf-8", program=True)
            whole = b""
            for chunk in sent:
                data = chunk.replace(b"{table}", place.table.encode())
                whole += data
                session.feed(charset.typed(data))
                await asyncio.sleep(1)
            heard = eve.heard
            assert "hello" in heard[0]
            answers = [each for each in heard if "ok" in each]
            lines = re.split(rb"[\x03\x04]", whole)[0].split(b"\n")
            asked = [line for line in lines if line and not line.decode(errors="replace").isspace()]
            if "end" in heard[-1]:
                assert len(answers) <= len(asked)
            else:
                # The last one may still have to be ended.
                assert len(asked) - 1 <= len(answers) <= len(asked)
            assert all(each["ok"] or each["text"] for each in answers)
            session.hang_up()
            await asyncio.sleep(1)
            await place.still_works()

    in_a_hurry(main)


def _comes(place: Place, terminal: Onlooker, login: Login, number: int) -> Session:
    """To one of three places, as the number of what is to be typed will have it."""
    if number % 3 == 0:
        return _sits_down(place, terminal, login._replace(code=place.table))
    begin = QuickGame(SOLO) if number % 3 == 1 else None
    caller = Caller(login._replace(code=""), "", "203.0.113.5", "ssh", begin)
    return Session(place.server, terminal, caller)


def _sits_down(place: Place, terminal: Onlooker, login: Login) -> Session:
    return Session(place.server, terminal, Caller(login, "", "203.0.113.5", "ssh"))


def check_drawing(shown: list[tuple[list[Row], Size, CursorPosition | None]]) -> None:
    """Whatever text gets as far as a frame, of whatever size: what is sent for it holds nothing but the
    server's own sequences and shown characters, and the same frame again costs nothing.
    """
    for colours in Colours:
        renderer = FrameEncoder(theme_for(Capabilities(colours=colours)), synchronized=True)
        assert not strange_in(renderer.enter())
        for rows, size, cursor in shown:
            frame = Frame(tuple(rows), cursor)
            strange = strange_in(renderer.update(frame, size))
            assert not strange, strange
            assert renderer.update(Frame(tuple(rows), cursor), size) == ""
        assert not strange_in(renderer.leave())


_ROW = st.lists(st.tuples(st.sampled_from(sorted(SEA)), text(80)), max_size=4).map(tuple)
_SIZE = st.builds(Size, st.integers(1, 300), st.integers(1, 100))
_CURSOR = st.none() | st.builds(CursorPosition, st.integers(0, 400), st.integers(0, 400))


def _all_of(raw: str) -> list[Any]:
    return [([(("", raw),)] * 3, Size(40, 3), None)]


SCREEN = Harness(
    "screen",
    st.lists(
        st.one_of(
            typed(4),
            st.sampled_from(["q\r", "\x1b", "n\r", "\r", "l", "o", "?", "a", "e", "v", "L", "p"]),
            st.tuples(st.integers(0, 400), st.integers(0, 200)),
        ),
        max_size=15,
    ),
    check_screen,
    ([(1, 1), "?", (300, 100), "o"], [(2, 200), "\x1b", (400, 1)], ["\x1b[200~" + "\x1b[2J" * 99]),
    lambda data: list(decoded(data).split("|")),
    examples=80,
)
LINES_TYPED = Harness(
    "lines",
    st.lists(
        st.builds(lambda line: f"{line}\n", st.one_of(LINES, LINES, LINES, text(80)))
        | typed()
        | text(30),
        max_size=12,
    ),
    check_lines,
    tuple([name, f"{name}\n", f"join {name}\n"] for name in NASTY),
    lambda data: decoded(data).split("|"),
    examples=100,
)
API_LINES = Harness(
    "api",
    st.lists(
        st.one_of(
            OBJECTS.map(lambda line: line + b"\n"),
            st.sampled_from(
                [
                    b'{"do": "bid", "card": 1, "stage": 0, "round": 0}\n',
                    b'{"do": "leave"}\n',
                    b'{"do": "join", "table": "{table}"}\n',
                    b'{"do": "play"}\n{"id": 1, "do": "look"}\n',
                    b"\x04",
                ]
            ),
            text(80).map(lambda raw: raw.encode("utf-8", "surrogatepass")),
            st.binary(max_size=20),
        ),
        max_size=12,
    ),
    check_api,
    tuple(
        [f'{{"do": "say", "id": 1, "text": "{name}"}}\n'.encode("utf-8", "surrogatepass")]
        for name in NASTY
    )
    + ([b"[" * 5000 + b"\n"], [b"\xef\xbb\xbf\n"], [b"9" * 5000 + b"\n{}\n"]),
    lambda data: data.split(b"|"),
    examples=40,
)
DRAWING = Harness(
    "drawing",
    st.lists(st.tuples(st.lists(_ROW, max_size=6), _SIZE, _CURSOR), max_size=4),
    check_drawing,
    tuple(map(_all_of, NASTY)),
    lambda data: _all_of(decoded(data)),
    examples=60,
)
