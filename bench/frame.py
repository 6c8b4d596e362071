"""What a frame costs, in time and bytes, and a session in memory; beside stock prompt_toolkit.

``python -m bench.frame`` prints a table. All of it is measured in one run on one core, because only the
ratios mean something on another machine. The screen is table-like: 80 x 24, five basins, sixteen colours.
"""

import asyncio
import gc
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, islice
from statistics import median

from prompt_toolkit.application import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import DummyInput

from bench.stock import THEME, OwnContainer, OwnRun, Stock, milliseconds_for
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import Frame, Row, fit, row
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.key_bindings import bindings_of
from server.terminal.keys.key_table import Key
from server.terminal.output_budget import Budget

SIZE = Size(80, 24)
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


def stock(windows: int) -> Callable[[Picture], list[str]]:
    """prompt_toolkit's, for one seat: see ``Stock``."""
    screen = Stock(windows, SIZE)
    return lambda picture: [screen.draw(seat_frame(picture, 0).rows)]


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


SESSIONS = {
    "a session": PlayerApplication,
    "prompt_toolkit's run_async": OwnRun,
    "prompt_toolkit's renderer, own container": OwnContainer,
}


async def session_costs(
    made_by: type[PlayerApplication], sessions: int = 200
) -> tuple[float, float, float]:
    """KB that a running session holds, ms to begin one, and ms a broadcast costs each session in all."""

    async def begin(many: int) -> list[tuple[PlayerApplication, Seated, asyncio.Task[None]]]:
        made = []
        for number in range(many):
            seated = Seated(number % 5)
            session = made_by(Sink(), seated)
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
            ("status, prompt_toolkit, 24 windows", stock(24), statuses),
            ("status, prompt_toolkit, one window", stock(1), statuses),
            ("status, prompt_toolkit, own container", stock(0), statuses),
            ("reveal, one seat alone", ours(1), reveals),
            ("reveal, each of five seats", ours(5), reveals),
            ("reveal, prompt_toolkit, 24 windows", stock(24), reveals),
            ("reveal, prompt_toolkit, own container", stock(0), reveals),
            ("whole screen, one seat alone", ours(1, forget=True), reveals),
            ("whole screen, each of five seats", ours(5, forget=True), reveals),
        ]
        for name, draw, pictures in lines:
            cost = measure(draw, pictures(), frames)
            print(f"{name:44}{cost.milliseconds:9.4f}{cost.bytes:8.0f}")
    print(f"\n{'':44}{'KB held':>9}{'ms to begin':>13}{'ms a status':>13}")
    runs = [[asyncio.run(session_costs(each)) for each in SESSIONS.values()] for _ in range(3)]
    for name, costs in zip(SESSIONS, zip(*runs, strict=True), strict=True):
        held, begun, told = map(median, zip(*costs, strict=True))
        print(f"{name:44}{held:9.1f}{begun:13.4f}{told:13.4f}")
    print(f"\n{'':44}{'ms':>9}{'Vt100Parser':>13}")
    for digits in (1000, 2000):
        mine, theirs = milliseconds_for(f"\x1b[{'1' * digits}z")
        print(f"{f'an escape sequence of {digits:,} digits':44}{mine:9.4f}{theirs:13.1f}")


if __name__ == "__main__":
    main()
