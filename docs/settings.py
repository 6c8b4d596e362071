"""Write the tables of docs/settings.md from the declarations in server/settings/: `make settings`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from server.settings.settings import Setting, declared

PAGE: Final = Path(__file__).with_name("settings.md")
PLACE: Final = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)


def default(setting: Setting) -> str:
    """As it is written in the file."""
    value = setting.default
    if setting.key in {"state", "keys"}:
        return f"`{setting.key}/` in a checkout"
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, int | float) else f"`{value}`"


def table(section: str, settings: Mapping[str, Setting]) -> str:
    """The rows of a section; those of ``general`` have no section."""
    rows = ["| key | default | |", "|---|---|---|"]
    for key, one in settings.items():
        if (key.partition(".")[0] if "." in key else "general") == section:
            rows.append(f"| `{key}` | {default(one)} | {one.description} |")
    return "\n".join(rows) + "\n"


def written(page: str) -> str:
    """The page with its tables as they should be."""
    return PLACE.sub(lambda found: found[1] + table(found[2], declared()) + found[3], page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
