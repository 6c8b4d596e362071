"""A loopback port for monitoring: ``/metrics`` and ``/healthz``.

It answers on threads of its own, so that a slow reader affects nobody else. Figures are gathered on the event
loop, all at once; if the loop does not answer in time, that is reported.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, Final, TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CONTENT_TYPE_LATEST
from typing_extensions import override

from server.runtime.health import PATIENCE, Health, health
from server.runtime.metrics import families, text_of
from server.transport.net.sockets import listen

HOST: Final = "127.0.0.1"
_READER_SECONDS: Final = 5.0
_AT_ONCE: Final = 8
_TEXT: Final = "text/plain; charset=utf-8"

T = TypeVar("T")
Start = Callable[[str, list[tuple[str, str]]], object]


class MetricsServer:
    """Serves until closed. Create it on the event loop."""

    def __init__(self, watch: Health, port: int) -> None:
        """0 takes a free port. Raises ``BindProblem``."""
        self._watch: Final = watch
        self._loop: Final = asyncio.get_running_loop()
        self._server: Final = _Server(port, self._answer)
        self.port: Final[int] = self._server.server_port
        self._thread: Final = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="metrics"
        )
        self._thread.daemon = True
        self._thread.start()

    async def close(self) -> None:
        """Stop answering."""
        await asyncio.to_thread(self._server.shutdown)
        self._thread.join()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        """WSGI, on a thread of its own."""
        path, method = environ.get("PATH_INFO"), environ.get("REQUEST_METHOD")
        status, kind = "200 OK", _TEXT
        if method not in {"GET", "HEAD"}:
            status, body = "405 Method Not Allowed", b"GET\n"
        elif path == "/healthz":
            reason = self._ask(health(self._watch))
            reason = "event loop: no answer" if reason is None else reason
            status = "503 Service Unavailable" if reason else status
            body = f"{reason or 'ok'}\n".encode()
        elif path == "/metrics":
            found = self._ask(self._families())
            if found is None:
                status, body = "503 Service Unavailable", b"event loop: no answer\n"
            else:
                kind, body = CONTENT_TYPE_LATEST, text_of(found)
        else:
            status, body = "404 Not Found", b"/metrics\n/healthz\n"
        start(status, [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [b"" if method == "HEAD" else body]

    async def _families(self) -> list[Any]:
        return families(self._watch)

    def _ask(self, question: Coroutine[Any, Any, T]) -> T | None:
        """The answer of the event loop; ``None`` if it does not answer in time."""
        try:
            asked = asyncio.run_coroutine_threadsafe(question, self._loop)
        except RuntimeError:  # it is closed
            question.close()
            return None
        try:
            return asked.result(2 * PATIENCE)
        except TimeoutError:
            asked.cancel()
            return None


class _Handler(WSGIRequestHandler):
    timeout = _READER_SECONDS

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


class _Server(ThreadingMixIn, WSGIServer):
    """Limits the number of readers at a time."""

    daemon_threads = True

    def __init__(self, port: int, application: Any) -> None:
        super().__init__((HOST, port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listen(HOST, port)[0]
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
