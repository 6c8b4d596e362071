"""What we use of asyncio's transports and of its TLS that it does not document.

It is Python's own, and so not held to a version: ``tests/transport/test_asyncio_hooks.py`` says of each
whether it is still so.
"""

import asyncio
from typing import cast


def let_go(line: asyncio.BaseTransport | None) -> None:
    """Asyncio leaves of a connection that is lost what refers to itself.

    Whoever floods a server with connections would fill its memory with that until somebody looks for
    garbage, and make that look long.
    """
    if line is not None and line.is_closing():
        # The second from Python 3.12 on.
        for method in ("_read_ready_cb", "_write_ready"):
            if method in vars(line):
                setattr(line, method, None)


def put_before_tls(line: asyncio.Transport, protocol: asyncio.Protocol) -> asyncio.BufferedProtocol:
    """After ``start_tls`` on this line: have what comes go to ``protocol`` first.

    The answer takes the encryption off what is handed on to it (``take_apart``), and wants to hear of
    everything else, too.
    """
    inner = line.get_protocol()
    line.set_protocol(protocol)
    return cast(asyncio.BufferedProtocol, inner)


def take_apart(line: asyncio.Transport, inner: asyncio.BufferedProtocol, data: bytes) -> None:
    """Hand on what has come on the line, as far as it is open."""
    rest = memoryview(data)
    while rest and not line.is_closing():
        room = memoryview(inner.get_buffer(len(rest)))
        some = min(len(room), len(rest))
        room[:some] = rest[:some]
        inner.buffer_updated(some)
        rest = rest[some:]
