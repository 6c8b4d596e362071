"""What a frame costs, in time and bytes, and a session in memory; beside stock prompt_toolkit.

``python -m bench.frame`` prints a table. All of it is measured in one run on one core, because only the
ratios mean something on another machine. The screen is table-like: 80 x 24, five basins, sixteen colours.
"""

import asyncio
import gc
import io
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, islice
from statistics import median

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size as PtkSize
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import Frame, Row, fit, row
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.sgr import NAMES, CellStyle
from server.terminal.drawing.theme import theme_for
from server.terminal.key_bindings import bindings_of
from server.terminal.keys.key_table import Key
from server.terminal.output_budget import Budget

SIZE = Size(80, 24)
THEME = theme_for(Capabilities(colours=Colours.SIXTEEN))
SEATS = ("ada", "bo", "cem", "dora", "eve")
RULE = row(("rule", "─" * 80))


# ------------------------------------------------------------------------------------------ the screen


@dataclass(frozen=True, slots=True)
class Picture:
    """What a table shows; enough of it to weigh as much as the real one."""

    status: tuple[str, ...]
    levels: tuple[int, ...] = (7, 11, 3, 5, 0)
    left: tuple[int, ...] = (3, 2, 5, 1, 2)
    tides: tuple[int, int] = (4, 7)
    round: int = 8
    log: tuple[str, ...] = ("ada 52 took 7, bo 44 took 11", "bo loses a life preserver (tide 11)")


@lru_cache(maxsize=64)
def shared_rows(picture: Picture) -> tuple[Row, ...]:
    """What all seats of a table see alike; made once for each change."""
    low, high = picture.tides
    head = row(
        ("title", " Turn the Tide "), ("dim", f"  harbour, stage 5/5, round {picture.round}/12")
    )
    cards = (
        row("   ", ("heading", "on offer"), "   ", ("rule", "┌────┐ ┌────┐")),
        row("              ", ("rule", "│"), ("tide.low", f" {low:>2} "), ("rule", "│ │"),
            ("tide.high", f" {high:>2} "), ("rule", "│")),
        row("              ", ("rule", "└────┘ └────┘")),
    )  # fmt: skip
    names = row(*(("seat", fit(f" {i + 1} {name}", 16)) for i, name in enumerate(SEATS)))
    water = tuple(
        row(*chain.from_iterable(_basin(level, line) for level in picture.levels))
        for line in range(5, -1, -1)
    )
    preservers = row(
        *chain.from_iterable(
            row(" ", ("preserver.left", "o " * n), ("preserver.lost", ". " * (5 - n)), "     ")
            for n in picture.left
        )
    )
    status = row(*(("dim", fit(f" {text}", 16)) for text in picture.status))
    log = tuple(row("  ", ("dim", line)) for line in picture.log)
    return (head, RULE, *cards, names, *water, preservers, status, RULE, *log, RULE)


def _basin(level: int, line: int) -> Row:
    filled = level - 2 * line
    if filled <= 0:
        return row(("rule", "│"), " " * 15)
    depth = f"water.{12 - 2 * line}"
    if filled == 1:
        return row(("rule", "│"), (depth, f"▄▄▄▄▄ {level:>2} ▄▄▄▄▄▄"))
    return row(("rule", "│"), (depth, "█" * 15))


def seat_frame(picture: Picture, seat: int) -> Frame:
    """The whole screen of one seat."""
    rows = shared_rows(picture)
    own = hand_rows(seat)
    return Frame((*rows[:14], *own, *rows[14:], FOOTER))


@lru_cache(maxsize=5)
def hand_rows(seat: int) -> tuple[Row, ...]:
    """One's own cards."""
    numbers = "    ".join(f"{7 * seat + 3 * i + 2:>2}" for i in range(8))
    return (
        row("  ", ("heading", "your hand"), "    ", ("card", numbers)),
        row("               ", ("preserver.half", "half  one   one   half")),
    )


FOOTER = row(("key", "  Enter"), ("key.label", " bid   "), ("key", "l"), ("key.label", " log   "),
             ("key", "?"), ("key.label", " help   "), ("key", "Esc"), ("key.label", " leave"))  # fmt: skip

QUIET = ("thinking...",) * 5


def statuses() -> Iterator[Picture]:
    """One seat's status changes each time, to words not seen before."""
    texts = list(QUIET)
    for number in count():
        said = "thinking" if number // 5 % 2 else "sealed as"
        texts[number % 5] = f"{said} {number}"
        yield Picture(tuple(texts))


def reveals() -> Iterator[Picture]:
    """A reveal each time: two basins, two preservers, the tides, all states and the log change."""
    for number in count():
        a, b = number % 12 + 1, (5 * number) % 12 + 1
        yield Picture(
            QUIET if number % 2 else (f"took {number}",) * 5,
            levels=(a, 11, 3, b, 0),
            left=(3, 2, 4 + number % 2, 1, 2),
            tides=(min(a, b), max(a, b)),
            round=number % 12 + 1,
            log=(
                f"ada {number % 60 + 1} took {a}, dora {number % 59 + 2} took {b}",
                f"cem loses {a}",
            ),
        )


# ---------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True, slots=True)
class Cost:
    """Median CPU milliseconds and median bytes of a frame."""

    milliseconds: float
    bytes: float


def measure(draw: Callable[[Picture], list[str]], pictures: Iterator[Picture], frames: int) -> Cost:
    """Draw so many pictures; ``draw`` returns what each of the screens was sent."""
    times, sizes = [], []
    for _ in range(3):  # warm up
        draw(next(pictures))
    for _ in range(frames):
        picture = next(pictures)
        shared_rows(picture)
        begin = time.process_time_ns()
        sent = draw(picture)
        times.append((time.process_time_ns() - begin) / len(sent) / 1e6)
        sizes.append(sum(len(text.encode()) for text in sent) / len(sent))
    return Cost(median(times), median(sizes))


def ours(seats: int, forget: bool = False) -> Callable[[Picture], list[str]]:
    """Our renderer for so many seats of one table."""
    screens = [(seat, FrameEncoder(THEME)) for seat in range(seats)]

    def draw(picture: Picture) -> list[str]:
        sent = []
        for seat, renderer in screens:
            if forget:
                renderer.forget()
            sent.append(renderer.update(seat_frame(picture, seat), SIZE))
        return sent

    return draw


class Stock:
    """prompt_toolkit's own layout and renderer with the same content, one window a row or one in all."""

    def __init__(self, windows: int):
        self.written = io.StringIO()
        self.rows: tuple[Row, ...] = ()
        output = Vt100_Output(
            self.written,
            lambda: PtkSize(rows=SIZE.rows, columns=SIZE.columns),
            term="xterm",
            default_color_depth=ColorDepth.DEPTH_4_BIT,
            enable_cpr=False,
        )
        body = (
            [Window(FormattedTextControl(self._row(y)), height=1) for y in range(SIZE.rows)]
            if windows > 1
            else [Window(FormattedTextControl(self._all))]
        )
        self.app: Application[None] = Application(
            Layout(HSplit(body)), full_screen=True, input=DummyInput(), output=output
        )

    def _row(self, y: int) -> Callable[[], StyleAndTextTuples]:
        return lambda: fragments(self.rows[y]) if y < len(self.rows) else []

    def _all(self) -> StyleAndTextTuples:
        return [part for line in self.rows for part in (*fragments(line), ("", "\n"))]

    def __call__(self, picture: Picture) -> list[str]:
        self.rows = seat_frame(picture, 0).rows
        with set_app(self.app):
            self.app.render_counter += 1
            self.app.renderer.render(self.app, self.app.layout)
        sent = self.written.getvalue()
        self.written.seek(0)
        self.written.truncate()
        return [sent]


@lru_cache(maxsize=1024)
def fragments(line: Row) -> StyleAndTextTuples:
    return [(_style(THEME.look(style)), text) for style, text in line]


def _style(look: CellStyle) -> str:
    words = [f"ansi{_named(look.fg)}"] if look.fg else []
    words += [f"bg:ansi{_named(look.bg)}"] if look.bg else []
    return " ".join(
        [*words, *(flag for flag in ("bold", "reverse", "underline") if getattr(look, flag))]
    )


def _named(colour: str) -> str:
    name = NAMES[int(colour) % 10]
    return "gray" if name == "white" else name


# ----------------------------------------------------------------------------------------- sessions


class Seated:
    """A controller that shows a picture."""

    key_bindings = bindings_of(())

    def __init__(self, seat: int):
        self.seat = seat
        self.picture = Picture(QUIET)
        self.entry: Buffer | None = None
        self.done = False
        self.changed: Callable[[], None] = lambda: None

    def attach(self, invalidate: Callable[[], None]) -> None:
        self.changed = invalidate

    def frame(self, size: Size) -> Frame:
        return seat_frame(self.picture, self.seat)

    @property
    def focus(self) -> object:
        return self

    def press(self, key: Key | None, name: str) -> None:
        """Keys change nothing here."""

    def failed(self, error: Exception, *, drawing: bool) -> bool:
        return False

    def text(self, text: str) -> None:
        """Nor does pasted text."""


class Sink:
    """A terminal that nobody looks at."""

    budget = Budget()

    def __init__(self) -> None:
        self.size = SIZE
        self.abilities = Capabilities(colours=Colours.SIXTEEN)
        self.writable = True
        self.bytes = 0

    def write(self, text: str) -> None:
        self.bytes += len(text)

    def close(self) -> None:
        """Nothing to close."""


async def session_costs(sessions: int = 200) -> tuple[float, float, float]:
    """KB that a running session holds, ms to begin one, and ms a broadcast costs each session in all."""

    async def begin(many: int) -> list[tuple[PlayerApplication, Seated, asyncio.Task[None]]]:
        made = []
        for number in range(many):
            seated = Seated(number % 5)
            session = PlayerApplication(Sink(), seated)
            made.append((session, seated, asyncio.create_task(session.run_async())))
        await asyncio.sleep(0.01)
        return made

    async def end(made: list[tuple[PlayerApplication, Seated, asyncio.Task[None]]]) -> None:
        for session, _, _ in made:
            session.end_of_input()
        await asyncio.gather(*(task for _, _, task in made))

    await end(await begin(10))
    start = time.process_time()
    timed = await begin(sessions)
    beginning = (time.process_time() - start) * 1000 / sessions
    broadcasts = []
    for picture in islice(statuses(), 12):
        shared_rows(picture)
        start = time.process_time()
        for _, seated, _ in timed:
            seated.picture = picture
            seated.changed()
        await asyncio.sleep(0.08)
        broadcasts.append((time.process_time() - start) * 1000 / sessions)
    await end(timed)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    weighed = await begin(sessions)
    gc.collect()
    kilobytes = (tracemalloc.get_traced_memory()[0] - before) / 1024 / sessions
    tracemalloc.stop()
    await end(weighed)
    return kilobytes, beginning, median(broadcasts)


def main(frames: int = 300) -> None:
    """Measure everything and print it."""
    python = sys.version.split()[0]
    print(f"a frame of {SIZE.columns}x{SIZE.rows}, five basins, sixteen colours; Python {python}")
    print(f"{'':44}{'ms':>9}{'bytes':>8}")
    with create_app_session(input=DummyInput()):
        lines: list[tuple[str, Callable[[Picture], list[str]], Callable[[], Iterator[Picture]]]] = [
            ("status, one seat alone", ours(1), statuses),
            ("status, each of five seats", ours(5), statuses),
            ("status, prompt_toolkit, 24 windows", Stock(24), statuses),
            ("status, prompt_toolkit, one window", Stock(1), statuses),
            ("reveal, one seat alone", ours(1), reveals),
            ("reveal, each of five seats", ours(5), reveals),
            ("reveal, prompt_toolkit, 24 windows", Stock(24), reveals),
            ("whole screen, one seat alone", ours(1, forget=True), reveals),
            ("whole screen, each of five seats", ours(5, forget=True), reveals),
        ]
        for name, draw, pictures in lines:
            cost = measure(draw, pictures(), frames)
            print(f"{name:44}{cost.milliseconds:9.4f}{cost.bytes:8.0f}")
    kilobytes, beginning, broadcast = asyncio.run(session_costs())
    print(f"{'a session: KB held':44}{kilobytes:9.1f}")
    print(f"{'a session: ms to begin, with its first frame':44}{beginning:9.4f}")
    print(f"{'a session: ms a status, timers and all':44}{broadcast:9.4f}")


if __name__ == "__main__":
    main()
