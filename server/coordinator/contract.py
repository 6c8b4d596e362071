"""The contract between a front, where people connect, and the coordinator: all that a front may ask for.

Beside it go the messages of a ``Visit``: commands up, updates down. All of it is plain data.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from engine.bots.review import Decision
from server.coordinator.feed import Visit
from server.coordinator.messages import CorrespondenceGame, LobbySnapshot
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.coordinator.messages.tables import Message
from server.coordinator.people.bans import Bans
from server.coordinator.people.profile import Profile
from server.coordinator.time_source import Clock
from server.storage.moderation import BanRow


class Arrival(Message, frozen=True):
    """Somebody wants to come in. What is proven or given has been checked by the front."""

    name: str
    """Wanted: clean, and perhaps empty."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    source: str = ""
    """What the address counts as among others; empty where it does not count."""
    key: str = ""
    """The fingerprint of the key that was proven; empty without one ..."""
    public_key: bytes = b""
    """... and the key in its wire form."""
    code: str = ""
    """To come back with, or to add the key with, as it was typed."""
    rename: bool = False
    """A person who is known is to be called ``name`` from now on."""
    program: bool = False
    """A program plays that nobody steers."""
    word: str = ""
    """Which server password was given; empty when none was asked for."""


class Arrived(Message, frozen=True):
    """What there is to know of somebody who has just come in."""

    rejoin_code: str
    """A guest's, to come back with; nobody else may see it, and it is kept nowhere but hashed."""
    notes: tuple[str, ...]
    """What has to be told (``Admitted.notes``)."""
    settings: Mapping[str, Any]
    """What this person has chosen on earlier visits."""
    new: bool
    """Here for the first time."""
    opens_tournaments: bool
    """Anybody may open tournaments here."""
    played_yesterday: bool
    """Has begun yesterday's tide."""
    played_today: bool
    """Has had the try at today's, or there is none."""


class Banned(Exception):
    """The person who arrives is banned."""

    def __init__(self, ban: BanRow) -> None:
        super().__init__(ban.id)
        self.ban = ban


class Known(NamedTuple):
    """Somebody who has been here before, and does not come in now."""

    id: str
    name: str
    language: str
    """The one chosen; empty for none."""


class Followed(NamedTuple):
    """Somebody whom one follows."""

    name: str
    here: bool
    """False also where the person does not show that."""


class Coordinator(Protocol):
    """The coordinator as a front sees it.

    People are named by their ids. All that is awaited may raise ``StoreError``.
    """

    bans: Bans
    """The bans in force, kept up to date."""
    clock: Clock

    async def arrive(self, arrival: Arrival) -> tuple[Visit, Arrived]:
        """Let somebody in. Raises ``Banned``. Who is cancelled has left again."""

    async def known(self, key: str, code: str = "") -> Known | None:
        """Return the owner of a key or rejoin code, without letting anybody in."""

    async def word_of(self, key: str) -> str:
        """Which server password the owner of this key has given; empty for none."""

    async def lobby_now(self) -> LobbySnapshot:
        """How the lobby looks, to who has not come in."""

    async def knows_table(self, code: str) -> bool:
        """Whether anybody may know of a table with this code."""

    async def correspondence_of(self, player: str) -> tuple[CorrespondenceGame, ...]:
        """The games that somebody plays by correspondence, the most urgent first."""

    async def plays_today(self, player: str, event: str) -> bool:
        """Whether somebody's try at that day's tide goes on, or waits."""

    async def review(self, decision: Decision, player: str, network: str) -> Any:
        """What the strongest bot says of a bid, as plain data, for ``player``, who comes from ``network``.

        0 when it is asked for too much.
        """

    async def profile(self, asker: str, name: str) -> tuple[str, Profile] | None:
        """Return a person's page, without results, and the id for results.

        The id is empty where the results may not be shown; ``None`` where there is no page for the asking
        person.
        """

    async def follow(self, asker: str, name: str, on: bool) -> str:
        """Have somebody told when another one comes (``Account.follow``)."""

    async def followed(self, asker: str) -> tuple[Followed, ...]:
        """Return the people whom somebody follows, by name."""

    async def link_code(self, account: str) -> str:
        """A code with which another key can be added to an account, once and soon."""

    async def keep_settings(self, player: str, settings: Mapping[str, Any]) -> None:
        """Keep what somebody has chosen, but for blocks of people who have been forgotten."""

    async def report(self, player: str, about: str, text: str) -> str:
        """Somebody reports another one to the operators (``Account.report``)."""

    async def act(self, player: str, action: Action, again: bool) -> OperatorReply:
        """Somebody acts as an operator (``OperatorActions.act``)."""
