"""Who reads the server can leave out of mind that there may be several: few modules speak of it."""

import re
from pathlib import Path
from typing import Final

import server

SERVER: Final = Path(server.__file__).parent
_OWN_ROOMS: Final = ("coordinator/nodes", "bus", "storage", "runtime", "cli/operate")
_MENTION: Final = re.compile(
    r"(?i:\b(?:nodes?|leases?|elsewhere)\b)|[a-z](?:Nodes?|Lease|Elsewhere)\b|\b(?:Node|Lease|Elsewhere)[A-Z]"
)
_WHERE: Final = {
    "cli/subcommands.py",
    "coordinator/elsewhere.py",
    "coordinator/chat/who_may_say_what.py",
    "coordinator/lobby/event_tables.py",
    "coordinator/lobby/lobby.py",
    # What operators order of each node, and are told.
    "coordinator/messages/operator_orders.py",
    "fullscreen/operators/view.py",
    "operators/other_nodes.py",
    "operators/carry_out_orders.py",
    "operators/online_people.py",
    "settings/settings.py",
    "text/operator_orders.py",
    "text/refusals.py",
    # In sentences about other things.
    "cli/games/records.py",
    "text/history.py",
}


def test_few_modules_speak_of_nodes_leases_or_what_is_elsewhere() -> None:
    found = {
        name
        for module in SERVER.rglob("*.py")
        if not (name := module.relative_to(SERVER).as_posix()).startswith(_OWN_ROOMS)
        and _MENTION.search(module.read_text())
    }
    assert found == _WHERE
    assert len(found) <= 15
