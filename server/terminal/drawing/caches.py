"""What is shown is made once: for many sessions that show it alike, or for one as long as nothing changes.

Snapshots are immutable and shared by everybody at a table, so "the same object" is both the cheapest
question and the right one.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def cached_by_identity(
    identical: int, keep: int = 512
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember the results of a pure function of positional arguments.

    The first ``identical`` arguments are compared by identity, the others by value (hashable).
    The last ``keep`` results are kept, with their arguments, so that no identity is ever used again
    while it is remembered.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        known: OrderedDict[tuple[Any, ...], tuple[tuple[Any, ...], T]] = OrderedDict()
        find = known.get

        def remembered(*arguments: P.args, **none: P.kwargs) -> T:
            key = (*map(id, arguments[:identical]), *arguments[identical:])
            if (entry := find(key)) is not None:
                return entry[1]
            result = function(*arguments, **none)
            known[key] = (arguments[:identical], result)
            if len(known) > keep:
                known.popitem(last=False)
            return result

        remembered.__name__ = function.__name__
        remembered.__doc__ = function.__doc__
        return remembered

    return decorate


@dataclass(slots=True, eq=False)
class Memo(Generic[T]):
    """The last result. Asking costs a comparison, of identities where nothing has changed."""

    _made_of: tuple[Any, ...] | None = None
    _result: T | None = None

    def of(self, function: Callable[P, T], *arguments: P.args, **none: P.kwargs) -> T:
        """What ``function`` returns for these, or returned for equal ones when it was last asked."""
        if self._result is None or arguments != self._made_of:
            self._result, self._made_of = function(*arguments, **none), arguments
        return self._result
