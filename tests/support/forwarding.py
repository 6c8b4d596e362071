"""Between a server and its database: connections that lose answers, are slow, or cut."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Reach = Callable[[], Awaitable[Streams]]
"""Connects to what is forwarded to; raises ``OSError`` when it cannot."""

_CHUNK = 1 << 16


class Forwarder:
    """Listens on a port of the loopback interface, and forwards each connection."""

    def __init__(self, reach: Reach) -> None:
        self.port = 0
        self._unanswered = b""
        """Who sends this loses the connection in place of the answer ..."""
        self._times = 0
        """... so often."""
        self.delay = 0.0
        """Seconds for which all that is sent is held up."""
        self._clear = asyncio.Event()
        """While it is not set, nothing arrives, and nobody is told."""
        self._clear.set()
        self._reach = reach
        self._listener: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        self._listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    def lose_answers(self, question: bytes, times: int) -> None:
        """The next so many times this is sent, it arrives, and the connection ends before the answer."""
        self._unanswered, self._times = question, times

    @property
    def losing(self) -> bool:
        """Some of these answers have not been asked for."""
        return self._times > 0

    def stop(self) -> None:
        """Hold back everything from now on: the network is cut."""
        self._clear.clear()

    def go_on(self) -> None:
        """Let through what was held back."""
        self._clear.set()

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        try:
            far_reader, far_writer = await self._reach()
            self._writers.add(far_writer)
            try:
                lost = asyncio.Event()
                await asyncio.gather(
                    self._pump(reader, far_writer, lost, answers=False),
                    self._pump(far_reader, writer, lost, answers=True),
                )
            finally:
                self._writers.discard(far_writer)
                far_writer.transport.abort()
        except OSError:
            pass  # who connected sees that it is over
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        lost: asyncio.Event,
        *,
        answers: bool,
    ) -> None:
        """Until one end is gone, or an answer is to be ``lost``; then the other end is gone, too."""
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                if answers and lost.is_set():
                    break
                if not answers and self._times and self._unanswered in data:
                    self._times -= 1
                    lost.set()
                await asyncio.sleep(self.delay)
                await self._clear.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
