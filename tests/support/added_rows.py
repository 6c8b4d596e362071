"""A plugin for pytest: the program as it is when somebody has added an edition, a bot and something that
players can do at a table, by a row each.

It has to come before anything else is imported: ``pytest -p tests.support.added_rows``.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

EDITION, EDITION_CALLED, BOT = "atoll", "Coral Atoll", "gull"
CLAP, CLAPS, NO_CLAPPING = "clap", "{name} claps.", "Who has bid claps no more."
ROWS: Final = {
    "engine.editions": {
        '    BGA = "bga", ': f'    ATOLL = "{EDITION}", "{EDITION_CALLED}", "t", 6, False, True\n',
    },
    "engine.bots": {
        '        "greedy": Strategy(': (
            f'        "{BOT}": Strategy("engine.bots.simple.any_card", 2, "glides"),\n'
        ),
    },
}
"""By module: before what the rows are added."""
ACTION: Final = {
    "server.coordinator.messages.commands": {
        "OpeningCommand = ": "class Clap(Message, frozen=True):\n    pass\n\n",
        "AddBot\n    | RemoveSeat": "Clap\n    | ",
        '    PAUSED = "paused"': '    CLAPPED = "clapped"\n',
    },
    "server.coordinator.messages.updates": {
        "CourseEvent = ": "class Clapped(_OfSeat, frozen=True):\n    pass\n\n",
        "GameStarted | Voted": "Clapped | ",
    },
    "server.coordinator.table.pause": {
        "@command(m.Resume, ": (
            "@command(m.Clap)\n"
            "def clap(table: Table, by: By, _: m.Clap, env: Env) -> Step:\n"
            "    m.refuse_if(table.bids[by.seat], m.Refusal.CLAPPED)\n"
            "    return Step(table, (m.Clapped(by.seat, by.asked.who.player.name),))\n\n\n"
        ),
    },
    "server.session.commands": {
        "    # During a game, and after it": (
            f'    TableAction("{CLAP}", m.Clap, Where.GAME, ("clap: clap.",), key="C"),\n'
        ),
    },
    "server.text.refusals": {
        '    "paused": _(': f'    "clapped": "{NO_CLAPPING}",\n',
    },
    "server.text.happenings": {
        "    m.Sat: HappeningText(": f'    m.Clapped: HappeningText("{CLAPS}"),\n',
    },
}
"""The same for something that players can do at a table, are told of, and are refused."""
ROWS.update(ACTION)


class _Added(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        source = Path(self.path).read_text()
        for line, row in ROWS[fullname].items():
            assert source.count(line) == 1, line
            source = source.replace(line, row + line)
        return compile(source, self.path, "exec")


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name in ROWS else None
        if found is not None and found.origin is not None:
            found.loader = _Added(name, found.origin)
        return found


assert not ROWS.keys() & sys.modules.keys(), "too late"
sys.meta_path.insert(0, _Finder())
