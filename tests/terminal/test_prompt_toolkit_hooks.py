"""A process runs a thousand prompt_toolkit Applications, which leave alone what belongs to all of them."""

import asyncio
import gc
import signal
import sys
import weakref
from contextlib import suppress

from prompt_toolkit.application import Application, application, get_app
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import DummyOutput

from server.terminal.application import PlayerApplication
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from tests.support.fake_clock import FakeTimers
from tests.support.pilot import NORMAL, FakeTerminal, Pilot
from tests.support.talk import Talk


def test_a_session_is_an_application_as_it_comes() -> None:
    app = PlayerApplication(FakeTerminal(NORMAL, Capabilities()), Talk(), FakeTimers())
    stock = Application[None](
        layout=Layout(Window()), input=DummyInput(), output=DummyOutput(), full_screen=True
    )
    assert vars(app).keys() > vars(stock).keys() - {"__orig_class__"}
    assert PlayerApplication.run_async is Application.run_async
    assert PlayerApplication._redraw is Application._redraw


def test_default_key_bindings_are_loaded_once() -> None:
    for name in ("load_key_bindings", "load_page_navigation_bindings"):
        load = getattr(application, name)
        assert load() is load()


async def test_a_running_session_leaves_alone_what_is_the_process_s() -> None:
    class Looking(Talk):
        def frame(self, size: Size) -> Frame:
            seen.append(_of_the_process())
            return super().frame(size)

    seen: list[object] = []
    before = _of_the_process()
    async with Pilot(Looking()) as pilot:
        assert get_app() is not pilot.session
    assert seen == [before]
    assert _of_the_process() == before
    assert not pilot.session.is_running


def _of_the_process() -> tuple[object, ...]:
    loop = asyncio.get_running_loop()
    handlers = loop.get_exception_handler(), loop.slow_callback_duration
    return (sys.breakpointhook, signal.getsignal(signal.SIGWINCH), *handlers)


async def test_what_outlives_a_session_does_not_keep_it() -> None:
    class Opening(Talk):
        def frame(self, size: Size) -> Frame:
            tables.append(asyncio.create_task(going_on.wait()))
            return super().frame(size)

    tables: list[asyncio.Task[bool]] = []
    going_on = asyncio.Event()
    pilot = Pilot(Opening())
    async with pilot:
        gone = weakref.ref(pilot.session)
    del pilot
    await asyncio.sleep(0)
    gc.collect()
    assert tables
    assert gone() is None
    going_on.set()


async def test_keys_that_one_session_leaves_behind_are_nobody_else_s() -> None:
    one, other = Talk(), Talk()
    async with Pilot(one) as pilot:
        pilot.session.feed("q")
        pilot.session.key_processor.feed_multiple([KeyPress("s"), KeyPress("e")])
        with suppress(EOFError):
            await pilot.ended()
    async with Pilot(other) as pilot:
        pilot.press("x")
    assert other.pressed == ["x"]
