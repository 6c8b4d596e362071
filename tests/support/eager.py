"""A coroutine that has nothing to wait for is over at once, and needs no task."""

from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any


def begin(work: Coroutine[Any, Any, None]) -> Coroutine[Any, Any, None] | None:
    """Carry ``work`` out as far as it goes without waiting, and raise what it raises. Then there is what is
    left of it, to be awaited; ``None`` when that is nothing. Until it waits it belongs to no task.
    """
    try:
        awaited = work.send(None)
    except StopIteration:
        return None
    return _rest(work, awaited)


async def _rest(work: Coroutine[Any, Any, None], awaited: object) -> None:
    await _steps(work, awaited)


@coroutine
def _steps(work: Coroutine[Any, Any, None], awaited: object) -> Generator[object, Any, None]:
    while True:
        try:
            answer = yield awaited
        except BaseException as error:  # cancelled, too, and its own to handle
            carry_on: Callable[[], object] = partial(work.throw, error)
        else:
            carry_on = partial(work.send, answer)
        try:
            awaited = carry_on()
        except StopIteration:
            return
