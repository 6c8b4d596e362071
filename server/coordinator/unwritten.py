"""What somebody is told whose command was refused, or could not be written down."""

from collections.abc import Awaitable
from typing import Final

from server.coordinator.messages import Refusal, Refused, Reply
from server.storage.store import StoreError

UNWRITTEN: Final = frozenset({Refusal.STORAGE})


def unwritten(error: StoreError) -> Reply:
    """It has not happened."""
    return Reply(Refusal.STORAGE, {"reason": error.code})


async def reply_of(asking: Awaitable[Reply]) -> Reply:
    """What comes of what was asked, whatever that raises."""
    try:
        return await asking
    except Refused as refused:
        return refused.reply
    except StoreError as error:
        return unwritten(error)
