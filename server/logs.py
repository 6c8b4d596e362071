"""Where log lines go: to standard error, for people on a terminal, as JSON elsewhere."""

import ipaddress
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


_KEPT_BITS: Final = {4: 24, 6: 48}
"""Of a shortened address: as a rule what belongs to one town's customers, or to one customer."""

_addresses = "full"


def set_addresses(style: str) -> None:
    """From now on addresses are told in ``full``, ``short`` (the network they are in), or not (``none``)."""
    global _addresses  # noqa: PLW0603 - as structlog's own configuration is
    _addresses = style


def shortened(address: str) -> str:
    """The network around an address: /24, or /48 of IPv6. What is no address is nothing."""
    try:
        found = ipaddress.ip_interface(address.partition("%")[0])
    except ValueError:
        return ""
    mapped = found.ip.ipv4_mapped if isinstance(found.ip, ipaddress.IPv6Address) else None
    at = mapped or found.ip
    return str(ipaddress.ip_network((at, _KEPT_BITS[at.version]), strict=False))


def _address(
    _logger: Any, _level: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    if _addresses != "full" and "address" in line:
        address = str(line.pop("address"))
        if _addresses == "short":
            line["address"] = shortened(address)
    return line


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
    first: list[Any] = [
        structlog.stdlib.add_log_level,
        _count,
        _address,
        structlog.processors.TimeStamper(
            fmt="%H:%M:%S" if for_people else "iso", utc=not for_people
        ),
    ]
    if for_people:
        last: list[Any] = [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),
                pad_event_to=0,
                # The default shows local variables, and so hands and sealed bids.
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    else:
        last = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ]
    stream = cast(TextIO, _Stderr())
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=stream),
        cache_logger_on_first_use=False,
    )
    # What libraries have to say, in the same form: asyncio's own complaints are ours to mend.
    told = logging.StreamHandler(stream)
    told.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *first],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[told])
