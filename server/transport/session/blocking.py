"""Whom a person has blocked, kept with the other settings, whichever frontend it was done in."""

from collections.abc import Mapping
from typing import Any, Final

from typing_extensions import override

from server.coordinator.chat.chat import MOST_BLOCKED
from server.coordinator.messages import Block, Command, Player, Reply
from server.coordinator.ports import Feed, Visit
from server.session.account import BLOCKED, Account


def blocked_in(settings: Mapping[str, Any]) -> dict[str, str]:
    """Ids and names of the people who were blocked on earlier visits; what is no such thing is left out."""
    kept = settings.get(BLOCKED)
    if not isinstance(kept, Mapping):
        return {}
    pairs = list(kept.items())[:MOST_BLOCKED]
    return {who: name for who, name in pairs if isinstance(who, str) and isinstance(name, str)}


class SavedBlocks(Visit):
    """A visit; the account remembers who is blocked through it."""

    __slots__ = ("_account", "_visit")

    def __init__(self, visit: Visit, account: Account) -> None:
        self._visit: Final = visit
        self._account: Final = account

    @property
    @override
    def player(self) -> Player:
        return self._visit.player

    @property
    @override
    def feed(self) -> Feed:
        return self._visit.feed

    @override
    async def submit(self, command: Command) -> Reply:
        reply = await self._visit.submit(command)
        if isinstance(command, Block) and reply.ok:
            person, name = str(reply.details["person"]), str(reply.details["name"])
            blocked = blocked_in(self._account.settings)
            blocked.pop(person, None)
            if command.on:
                blocked[person] = name
            if not await self._account.keep({**self._account.settings, BLOCKED: blocked}):
                return Reply("not_kept")
        return reply

    @override
    def close(self) -> None:
        self._visit.close()
