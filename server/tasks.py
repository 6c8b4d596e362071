"""Work that goes on beside whatever has begun it."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Tasks(set[asyncio.Task[Any]]):
    """All that goes on: asyncio itself does not keep a task that nobody holds. Needs a running event loop."""

    def spawn(
        self, work: Coroutine[Any, Any, object], name: str | None = None
    ) -> asyncio.Task[Any]:
        """Begin it; nobody has to wait for it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    def cancel(self) -> None:
        """Have all of it end."""
        for task in self:
            task.cancel()

    async def end(self) -> None:
        """The same, and wait until it has."""
        self.cancel()
        await asyncio.gather(*self, return_exceptions=True)
