"""What of the chat reaches one person."""

from typing import Final

from server.coordinator.chat.history import RoomHistory

_LETTERS: Final = 20
_LETTER_CHARACTERS: Final = 4000


class ChatFilter:
    """Lasts as long as the person is connected or has a seat."""

    __slots__ = ("blocked", "direct", "muted", "room")

    def __init__(self) -> None:
        self.muted: dict[str, str] = {}
        """Ids of people who are not heard during this stay, and their names."""
        self.blocked: dict[str, str] = {}
        """The same, for good."""
        self.direct: Final = RoomHistory(_LETTERS, _LETTER_CHARACTERS)
        """What was said to and by this person alone."""
        self.room = ""
        """The room whose history the present connection has been given."""

    def shuts_out(self, person: str) -> bool:
        """Whether nothing that this person says is heard."""
        return person in self.muted or person in self.blocked
