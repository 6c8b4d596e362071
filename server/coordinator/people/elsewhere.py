"""What other nodes have to know of how people come in, where there are any."""

from typing import Protocol

from typing_extensions import override


class OtherDoors(Protocol):
    """The other nodes of the house."""

    def link_made(self, code: str, account: str, until: float) -> None:
        """With this link code, of which only the digest is told, a key can be added to the account."""

    def link_void(self, code: str) -> None:
        """That is no more so."""

    def counted(self, limit: str, source: str) -> None:
        """Somebody from there has used up an attempt: ``codes`` (a wrong one), ``accounts`` (a new one) or
        ``words`` (a wrong password).
        """


class NoOtherDoors(OtherDoors):
    """There are none."""

    @override
    def link_made(self, code: str, account: str, until: float) -> None:
        return

    @override
    def link_void(self, code: str) -> None:
        return

    @override
    def counted(self, limit: str, source: str) -> None:
        return
