"""A port for monitoring: ``/metrics``, as Prometheus reads it, and ``/healthz``. It tells what an operator
may know of a running server: no names, no cards, no addresses.

It answers on threads of its own, so that a slow reader affects nobody else. Figures are gathered on the event
loop, all at once; if the loop does not answer in time, that is reported.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, Final, NamedTuple, TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CONTENT_TYPE_LATEST, GCCollector, ProcessCollector, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector, CollectorRegistry
from typing_extensions import override

from server.runtime.gauges import families
from server.runtime.health import PATIENCE, Health, health
from server.transport.net.sockets import listen

_READER_SECONDS: Final = 5.0
_AT_ONCE: Final = 8
_TEXT: Final = "text/plain; charset=utf-8"
_UNAVAILABLE: Final = "503 Service Unavailable"

T = TypeVar("T")


class Figures(NamedTuple):
    """What a process, or several, tell at one moment."""

    trouble: str
    """Why players should not connect now; empty if there is no reason."""
    notes: tuple[str, ...]
    metrics: bytes

    @property
    def healthz(self) -> str:
        """In lines."""
        return "".join(f"{line}\n" for line in (self.trouble or "ok", *self.notes))


class Gathered(Collector):
    """Figures that have been gathered already."""

    def __init__(self, found: Iterable[Metric]) -> None:
        self._found: Final = found

    @override
    def collect(self) -> Iterable[Metric]:
        return self._found


async def figures_of(watch: Health) -> Figures:
    """Return the figures of this process."""
    trouble, registry = await health(watch), CollectorRegistry(auto_describe=False)
    registry.register(Gathered(await families(watch)))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return Figures(trouble, watch.notes, generate_latest(registry))


class MetricsServer:
    """Serves until closed. Create it on the event loop."""

    def __init__(
        self, gather: Callable[[], Coroutine[Any, Any, Figures]], host: str, port: int
    ) -> None:
        """``host`` as for ``listen``; 0 takes a free port. Raises ``BindProblem``."""
        self._gather: Final = gather
        self._loop: Final = asyncio.get_running_loop()
        self._servers: Final = [_Server(one, self._answer) for one in listen(host, port)]
        self.port: Final[int] = self._servers[0].server_port
        for one in self._servers:
            threading.Thread(
                target=one.serve_forever, args=(0.1,), name="metrics", daemon=True
            ).start()

    async def close(self) -> None:
        """Stop answering."""
        for one in self._servers:
            await asyncio.to_thread(one.shutdown)
            one.server_close()

    def _answer(self, environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        """WSGI, on a thread of its own."""
        path, method = environ.get("PATH_INFO"), environ.get("REQUEST_METHOD")
        status, kind = "200 OK", _TEXT
        try:
            if method not in {"GET", "HEAD"}:
                status, body = "405 Method Not Allowed", b"GET\n"
            elif path == "/healthz":
                found = self._ask(self._gather())
                status = _UNAVAILABLE if found.trouble else status
                body = found.healthz.encode()
            elif path == "/metrics":
                kind, body = CONTENT_TYPE_LATEST, self._ask(self._gather()).metrics
            else:
                status, body = "404 Not Found", b"/metrics\n/healthz\n"
        except TimeoutError:
            status, kind, body = _UNAVAILABLE, _TEXT, b"event loop: no answer\n"
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [b"" if method == "HEAD" else body]

    def _ask(self, question: Coroutine[Any, Any, T]) -> T:
        """The answer of the event loop. Raises ``TimeoutError`` if it does not answer in time."""
        try:
            asked = asyncio.run_coroutine_threadsafe(question, self._loop)
        except RuntimeError:  # it is closed
            question.close()
            raise TimeoutError from None
        try:
            return asked.result(2 * PATIENCE)
        finally:
            asked.cancel()


class _Handler(WSGIRequestHandler):
    timeout = _READER_SECONDS

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


class _Server(ThreadingMixIn, WSGIServer):
    """Limits the number of readers at a time."""

    daemon_threads = True

    def __init__(self, listening: socket.socket, application: Any) -> None:
        super().__init__(("", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.socket.setblocking(True)
        self.server_address = self.socket.getsockname()
        # The default would look up this machine's name, which may take long.
        self.server_name, self.server_port = "localhost", self.server_address[1]
        self.setup_environ()
        self.set_app(application)
        self._free: Final = threading.BoundedSemaphore(_AT_ONCE)

    @override
    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    @override
    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Readers that disconnect or read too slowly are dropped silently."""
        with suppress(OSError):
            TCPServer.shutdown_request(self, request)
