"""Where log lines go: to standard error, for people on a terminal, as JSON elsewhere."""

import logging
import sys
from collections import Counter
from contextlib import suppress
from typing import Any, Final, TextIO, cast

import structlog


class _Stderr:
    """Standard error, as long as somebody reads it: a server must outlive the program it is piped into."""

    def write(self, text: str) -> None:
        """See ``io.TextIOBase``."""
        with suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """See ``io.TextIOBase``."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()


said: Final[Counter[str]] = Counter()
"""How many lines there were of each level since the start."""

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_GRAVE: Final = {"exception", "critical"}


def _count(
    _logger: Any, level: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    said["error" if level in _GRAVE else level] += 1
    return line


def set_level(level: str) -> None:
    """From now on tell what is at least so important: debug, info, warning or error."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]))


def set_up(style: str = "auto", level: str = "info") -> None:
    """``style`` is ``auto``, ``human`` or ``json``; ``level`` one of debug, info, warning, error."""
    for_people = style == "human" or (style == "auto" and sys.stderr.isatty())
    processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _count,
        structlog.processors.TimeStamper(
            fmt="%H:%M:%S" if for_people else "iso", utc=not for_people
        ),
    ]
    if for_people:
        processors.append(
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),
                pad_event_to=0,
                # The default shows local variables, and so hands and sealed bids.
                exception_formatter=structlog.dev.plain_traceback,
            )
        )
    else:
        processors += [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=cast(TextIO, _Stderr())),
        cache_logger_on_first_use=False,
    )
    # What libraries have to say: asyncio's own complaints are ours to mend.
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
