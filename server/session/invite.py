"""Lines that invite to a table, or to a replay, as they are written and pasted."""

import re
from typing import Final
from urllib.parse import quote

from server.coordinator import messages as m

_CODE: Final = re.compile(
    r"(?<![^\W_])((?:[bdklmnprstvz][aeiou]){4})(?:[+ ]([\w-]+))?(?![\w-])", re.IGNORECASE
)


def invite_line(table: m.TableSnapshot, way_in: str) -> str:
    """What a friend types to sit down here; ``way_in`` is a host, with the options that ssh needs.

    Empty when that is not known. The invitation word of a private table is in it for its owner only.
    """
    if not way_in:
        return ""
    word = f" {table.word}" if table.word else ""
    return f"ssh -t {way_in} join {table.info.id}{word}"


def replay_line(code: str, way_in: str) -> str:
    """What anybody types to see a game again that has this code; empty without one, or a way in."""
    return f"ssh -t {way_in} replay {code}" if code and way_in else ""


def ssh_url(way_in: str, table: m.TableSnapshot | None = None) -> str:
    """The way in, or to sit down at a ``table``, as telephones read it from a QR code."""
    *options, host = way_in.split(" ")
    port = f":{options[-1]}" if options else ""
    login = "".join(f"+{quote(it)}" for it in (table.info.id, table.word) if it) if table else ""
    user = f"{login}@" if login else ""
    return f"ssh://{user}{f'[{host}]' if ':' in host else host}{port}"


def code_and_word(text: str) -> tuple[str, str]:
    """The code and the invitation word in what somebody typed or pasted: ``CODE``, ``CODE WORD``, or a line
    that invites. What is no code is handed on as it is: whether there is such a table, the lobby knows.
    """
    found = _CODE.search(text)
    if found is not None:
        return found[1].casefold(), (found[2] or "").casefold()
    code, _, word = text.strip().partition(" ")
    return code, word.strip()
