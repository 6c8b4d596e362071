"""The operators' office of a running server, and its socket for ``tide admin``."""

from typing import Final

import structlog

from server.config import Settings
from server.coordinator.clock import Clock
from server.coordinator.lobby.lobby import Lobby
from server.moderation.admin_socket import AdminSocket
from server.moderation.operator_keys import Operators
from server.moderation.operators import Moderation
from server.runtime.reload import Reloader
from server.runtime.shutdown import Shutdown
from server.storage.database import Database
from server.storage.office_sql import SqlModeration
from server.transport.session.server import GameServer

log = structlog.get_logger("server")


class OperatorServices:
    """Both, while the server runs."""

    def __init__(self, office: Moderation, orders: AdminSocket) -> None:
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
    house: GameServer,
    lobby: Lobby,
    rereading: Reloader,
    stopping: Shutdown,
) -> OperatorServices:
    """Before anybody comes in. A system without such sockets can have a server all the same.

    Raises ``StoreError``.
    """
    office = Moderation(
        house,
        lobby,
        SqlModeration(database),
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
    return OperatorServices(office, orders)
