"""A table's options as a program gives them, only those that it wants otherwise, and as it is told them."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct, defstruct, structs

from server.coordinator.messages import TableOptions
from server.viewmodels.table_options import OPTIONS

if TYPE_CHECKING:
    OptionsRequest = Struct
else:
    # What is not said stays as it is, or is as usual at a new table.
    OptionsRequest = defstruct(
        "OptionsRequest",
        [(option.name, option.type | None, None) for option in OPTIONS],
        frozen=True,
        forbid_unknown_fields=True,
    )


def chosen(start: TableOptions, wanted: OptionsRequest) -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    return start.changed(**structs.asdict(wanted))


def options_data(options: TableOptions) -> dict[str, Any]:
    """All of them."""
    return {option.name: option.of(options) for option in OPTIONS}
