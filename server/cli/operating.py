"""The operators' office of a running server, and its socket for ``tide admin``."""

from typing import Final

import structlog

from server.cli.rereading import Rereading
from server.cli.stopping import Stopping
from server.config import Settings
from server.coordinator.clock import Clock
from server.coordinator.lobby import Lobby
from server.office.admin_socket import AdminSocket
from server.office.office import Office
from server.office.operators import Operators
from server.storage.database import Database
from server.storage.office_sql import SqlOffice
from server.transport.house import House

log = structlog.get_logger("server")


class Operating:
    """Both, while the server runs."""

    def __init__(self, office: Office, orders: AdminSocket) -> None:
        self.office: Final = office
        self._orders: Final = orders

    async def close(self) -> None:
        """Take no more orders, and finish what was begun."""
        await self._orders.close()
        await self.office.close()


async def open_office(
    settings: Settings,
    database: Database,
    clock: Clock,
    house: House,
    lobby: Lobby,
    rereading: Rereading,
    stopping: Stopping,
) -> Operating:
    """Before anybody comes in. A system without such sockets can have a server all the same.

    Raises ``StoreError``.
    """
    office = Office(
        house,
        lobby,
        SqlOffice(database),
        clock,
        Operators(settings.keys, clock.time),
        reload=rereading.now,
        stop=stopping.politely,
    )
    await office.open()
    orders = AdminSocket(office, settings.state)
    try:
        await orders.open()
    except OSError as problem:
        log.warning("no tide admin", reason=problem.strerror or str(problem))
    return Operating(office, orders)
