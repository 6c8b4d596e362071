"""A table's options as a program gives them, only those that it wants otherwise, and as it is told them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct, defstruct, structs

from server.coordinator.messages import TableOptions
from server.viewmodels.table_options import OPTIONS, TableOption


def request_type(options: Iterable[TableOption]) -> type[Struct]:
    """What a program may give of these: what is not said stays as it is, or is as usual at a new table."""
    return defstruct(
        "OptionsRequest",
        [(option.name, option.type | None, None) for option in options],
        frozen=True,
        forbid_unknown_fields=True,
    )


if TYPE_CHECKING:
    OptionsRequest = Struct
else:
    OptionsRequest = request_type(OPTIONS)


def chosen(start: TableOptions, wanted: OptionsRequest) -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    return start.changed(**structs.asdict(wanted))


def options_data(options: TableOptions) -> dict[str, Any]:
    """All of them."""
    return {option.name: option.of(options) for option in OPTIONS}
