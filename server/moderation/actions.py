"""What an action comes to: who is meant, what is written down, what is then done."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from server.coordinator.moderation.orders import OperatorReply


class Actor(NamedTuple):
    """Who acts."""

    who: str
    """A key's fingerprint, or ``uid N`` for who asks on the machine itself."""
    name: str
    player: str = ""
    """The id, of somebody who plays here."""
    address: str = ""

    @property
    def signature(self) -> str:
        """How other operators read it."""
        return self.name or self.who


class Plan(NamedTuple):
    """An action, ready to be done."""

    about: str
    """Whom or what it is about, for the log."""
    do: Callable[[], Awaitable[OperatorReply]]
    details: Mapping[str, Any] = MappingProxyType({})
    """For the log; no secrets."""


class ActionRefused(Exception):
    """It cannot be done; ``told`` says why."""

    def __init__(self, code: str, **facts: str | int | float) -> None:
        super().__init__(code)
        self.told: Final = OperatorReply(code, dict(facts))

    async def answer(self) -> OperatorReply:
        """That it cannot be done."""
        return self.told
