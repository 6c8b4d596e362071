"""What psycopg does not offer: a connection that does not wait for ever."""

from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg import pq
from psycopg.abc import PQGen
from typing_extensions import override

from server.library_hooks import check_hooks

T = TypeVar("T")


class PatientConnection(psycopg.Connection[Any]):
    """libpq waits for ever for a server that is connected and says nothing. All that psycopg does on a
    connection it does in ``wait``, which has a time-out that nothing sets.
    """

    patience = 6.0
    """In seconds: how long to wait for an answer, even of a server that has been stopped."""
    silent: Callable[[], None] = staticmethod(lambda: None)
    """To be called when none came. The connection is closed then."""

    @override
    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()  # an answer that comes later would be taken for that of something else
                self.silent()
            raise


check_hooks("psycopg", PatientConnection)
