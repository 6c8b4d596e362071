"""What somebody is told whose command could not be written down."""

from typing import Final

from server.coordinator.messages import Refusal, Reply
from server.storage.store import StoreError

UNWRITTEN: Final = frozenset({Refusal.STORAGE, Refusal.UNCERTAIN})


def unwritten(error: StoreError) -> Reply:
    """It has not happened; or nobody knows whether it has."""
    code = Refusal.UNCERTAIN if error.uncertain else Refusal.STORAGE
    return Reply(code, {"reason": error.code})
