"""What may reach a terminal: characters that are shown, and the few sequences that this server sends."""

import re
import unicodedata
from typing import Final

_TOKEN: Final = re.compile(
    r"\x1b\[(?:\?(?:1|7|25|1000|1002|1003|1006|1049|2004|2026)[hl]|[0-9;]*m|[0-9;]*[ABCDGHJKLMPXdr@])"
    r"|\x1b\[<u|\x1b\[>4m|\x1b>"
    r"|\x1b\]11;\?\a|\x1b\[6n"
    r"|\x1b\](?:9;|777;notify;)[^\x00-\x1f;\x7f-\x9f]*(?:;[^\x00-\x1f;\x7f-\x9f]*)?\x1b\\"
    r"|[\r\n\b\a]"
    r"|[^\x00-\x1f\x7f-\x9f]"
)
_NOT_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def strange_in(text: str) -> str:
    """The first piece of ``text`` that this server has no reason to send, and what surrounds it; empty when
    there is none.
    """
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or (len(found[0]) == 1 and not _shown(found[0])):
            return f"{text[max(0, at - 20) : at + 20]!r} at {at}"
        at = found.end()
    return ""


def _shown(char: str) -> bool:
    return char in "\r\n\b\a" or unicodedata.category(char) not in _NOT_SHOWN
