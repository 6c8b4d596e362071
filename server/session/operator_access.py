"""What a face may ask for when its player is an operator."""

from typing import Protocol

from server.coordinator.moderation.orders import Action, OperatorReply


class OperatorActions(Protocol):
    """Everything that operators can do; whatever it is, it is written down first."""

    async def act(self, action: Action) -> OperatorReply:
        """Do it, or say why not. Never raises for anything that an operator can cause."""

    async def look_again(self, action: Action) -> OperatorReply:
        """What a list has by now that was asked for with ``act``, and is still being looked at: that is
        written down once.
        """
