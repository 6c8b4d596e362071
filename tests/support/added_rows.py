"""A plugin for pytest: the engine as it is when somebody has added an edition and a bot, by a row each.

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
ROWS: Final = {
    "engine.editions": (
        '    BGA = "bga", ',
        f'    ATOLL = "{EDITION}", "{EDITION_CALLED}", "t", 6, False, True\n',
    ),
    "engine.bots.registry": (
        '        "greedy": Strategy(',
        f'        "{BOT}": Strategy("engine.bots.chance", Level.STEADY, "glides"),\n',
    ),
}
"""By module: before which line the row is added."""


class _Added(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        source, (line, row) = Path(self.path).read_text(), ROWS[fullname]
        assert source.count(line) == 1, line
        return compile(source.replace(line, row + line), self.path, "exec")


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
