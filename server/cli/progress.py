"""A progress bar on standard error, while somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """A bar that is gone afterwards. What it yields is called for each of ``total``; without that, the bar
    only moves. Nothing is written unless standard error is a terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    counted = (MofNCompleteColumn(), TimeRemainingColumn()) if total is not None else ()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *counted,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
