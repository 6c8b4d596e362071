"""What often comes out as it did the last time is kept, for one session, with what it was made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class LastValue(Generic[T]):
    """The last result. Asking costs a comparison, of identities where nothing has changed."""

    _made_of: tuple[Any, ...] | None = None
    _result: T | None = None

    def get(self, made_of: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What ``make`` returns, or returned when it was last made of something equal."""
        if self._result is None or made_of != self._made_of:
            self._result = make()
            self._made_of = made_of
        return self._result
