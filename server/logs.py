"""Logging to standard error: for people on a terminal, else as JSON.

A thread writes the lines: a full pipe, or a terminal in which somebody pressed Ctrl-S, must block nothing.
"""

import atexit
import ipaddress
import logging
import os
import select
import sys
import traceback
from collections import Counter
from contextlib import suppress
from json import JSONEncoder
from logging.handlers import QueueListener
from queue import Full, Queue
from threading import Thread
from typing import Any, Final

import structlog
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.processors import TimeStamper, format_exc_info
from typing_extensions import override

said: Final[Counter[str]] = Counter()
"""Number of log lines by level; under ``DROPPED``, of those that were not written."""
DROPPED: Final = "dropped"


def places(error: BaseException) -> list[str]:
    """Return the last places of a traceback, without message and variables, which may name a card."""
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-6:]]


_MOST: Final = 1000
"""Maximum lines that wait to be written; more are dropped."""


class _Lines:
    """A logger that passes lines to the thread that writes them, without waiting."""

    def __init__(self, waiting: "Queue[str]") -> None:
        self._waiting: Final = waiting

    def put(self, line: str) -> None:
        """Queue a line of any level."""
        try:
            self._waiting.put_nowait(line)
        except Full:
            said[DROPPED] += 1

    debug = info = warning = error = critical = put


class _Told(logging.Handler):
    """A handler for what libraries log."""

    def __init__(self, lines: _Lines) -> None:
        super().__init__()
        self._lines: Final = lines

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._lines.put(self.format(record))


class _Stderr(logging.Handler):
    """A handler that writes to standard error, and ignores that its reader has gone."""

    def __init__(self, waiting: "Queue[str]") -> None:
        super().__init__()
        self._waiting = waiting
        self._told = said[DROPPED]
        self._descriptor: int | None = None
        self._encoding = "ascii"
        with suppress(AttributeError, OSError, ValueError):  # closed, or no file
            self._encoding = sys.stderr.encoding or self._encoding
            self._descriptor = sys.stderr.fileno()

    @override
    def handle(self, record: Any) -> bool:
        """Write a line; the queue has no records."""
        # Not ``emit``, which holds a lock that the end of the program waits for.
        with suppress(OSError):  # nobody reads it any more
            self._write(f"{record}\n".encode(self._encoding, "backslashreplace"))
        if self._waiting.empty() and (missing := said[DROPPED] - self._told):
            self._told += missing
            structlog.get_logger("server").warning("log_lines_dropped", lines=missing)
        return True

    def _write(self, line: bytes) -> None:
        # Not to ``sys.stderr``: a thread that waits in it keeps the program from ending.
        while line and self._descriptor is not None:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:  # another program has made the terminal non-blocking
                select.select([], [self._descriptor], [])


_waiting: "Queue[str]" = Queue(_MOST)


def drain(seconds: float = 1.0) -> None:
    """Wait until all lines so far are written, but at most so many seconds."""
    written = Thread(target=_waiting.join, daemon=True)
    written.start()
    written.join(seconds)


_KEPT_BITS: Final = {4: 24, 6: 48}
"""Prefix lengths of shortened addresses, by version."""

_addresses = "full"


def adjust(level: str, addresses: str) -> None:
    """Set the least severe level that is logged (debug, info, warning or error), and how addresses are.

    ``full``, ``short`` (only the network) or ``none``.
    """
    global _addresses  # noqa: PLW0603 - as structlog's own configuration is
    _addresses = addresses
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(level))


def shortened(address: str) -> str:
    """Return the network of an address: the /24, or the /48 of IPv6; empty if it is not an address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0].partition("/")[0])
    except ValueError:
        return ""
    at = getattr(found, "ipv4_mapped", None) or found
    rest = at.max_prefixlen - _KEPT_BITS[at.version]
    return f"{type(at)(int(at) >> rest << rest)}/{_KEPT_BITS[at.version]}"


def _noted(
    _logger: Any, level: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Count a line, and shorten or remove its address."""
    said["error" if level == "critical" else level] += 1
    if _addresses != "full" and "address" in line:
        address = str(line.pop("address"))
        if _addresses == "short":
            line["address"] = shortened(address)
    return line


def set_up(style: str = "auto", level: str = "info", process: str = "") -> None:
    """Set logging up; ``style`` is ``auto``, ``human`` or ``json``.

    ``level`` is debug, info, warning or error. ``process`` is added to every line, if there is more than one.
    """
    global _waiting  # noqa: PLW0603 - as structlog's own configuration is
    for_people = style == "human" or (style == "auto" and sys.stderr.isatty())
    stamp = TimeStamper(fmt="%H:%M:%S" if for_people else "iso", utc=not for_people)
    first: list[Any] = [structlog.stdlib.add_log_level, _noted, stamp]
    if process:
        first.append(lambda _logger, _level, line: {**line, "process": process})
    # structlog's JSONRenderer sets up an encoder for each line.
    encode = JSONEncoder(default=repr).encode
    last: list[Any] = [format_exc_info, lambda _logger, _level, line: encode(line)]
    if for_people:
        # Its default for exceptions shows local variables, such as hands and sealed bids.
        shown, colors = plain_traceback, sys.stderr.isatty()
        last = [ConsoleRenderer(colors=colors, pad_event_to=0, exception_formatter=shown)]
    drain()
    _waiting = Queue(_MOST)
    QueueListener(_waiting, _Stderr(_waiting)).start()
    lines = _Lines(_waiting)
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=False,
    )
    # Libraries log in the same form: what asyncio complains of are mistakes of ours.
    told = _Told(lines)
    told.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *first],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[told])
    atexit.register(drain)
