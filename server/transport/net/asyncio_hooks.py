"""Uses of asyncio's transports and TLS that are not documented.

It is Python's own, and so not held to a version: ``tests/transport/test_asyncio_hooks.py`` says of each
whether it is still so.
"""

import asyncio
from typing import cast


def let_go(line: asyncio.BaseTransport | None) -> None:
    """Break the reference cycles that asyncio leaves in a transport that is closed.

    A flood of connections would fill the memory with them until the next garbage collection, and make that
    a long one.
    """
    if line is not None and line.is_closing():
        # The second from Python 3.12 on.
        for method in ("_read_ready_cb", "_write_ready"):
            if method in vars(line):
                setattr(line, method, None)


def put_before_tls(line: asyncio.Transport, protocol: asyncio.Protocol) -> asyncio.BufferedProtocol:
    """Have the input of a transport go to ``protocol`` first, after ``start_tls``.

    Returns asyncio's TLS protocol, which decrypts what it is given (``take_apart``), and has to be called for
    all other events as well.
    """
    inner = line.get_protocol()
    line.set_protocol(protocol)
    return cast(asyncio.BufferedProtocol, inner)


def take_apart(line: asyncio.Transport, inner: asyncio.BufferedProtocol, data: bytes) -> None:
    """Pass input to asyncio's TLS, while the transport is open."""
    rest = memoryview(data)
    while rest and not line.is_closing():
        room = memoryview(inner.get_buffer(len(rest)))
        some = min(len(room), len(rest))
        room[:some] = rest[:some]
        inner.buffer_updated(some)
        rest = rest[some:]
