"""Pictures of a lobby that are big are told less often: what many people do would be told to each of them."""

from typing import Final

A_SECOND: Final = 2_500
"""Bytes, in the long run."""
AT_ONCE: Final = 12_000
"""Bytes that a quiet time saves up."""


class Paced:
    """When the next picture of how things stand may be told by itself, given the size of those before."""

    __slots__ = ("_paid",)

    def __init__(self) -> None:
        self._paid = float("-inf")

    def wait(self, now: float) -> float:
        """Seconds until then."""
        return max(0.0, self._paid - AT_ONCE / A_SECOND - now)

    def told(self, now: float, size: int) -> None:
        """One of so many bytes has been told."""
        self._paid = max(self._paid, now) + size / A_SECOND
