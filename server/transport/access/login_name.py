"""What the name that someone logs in with asks for: ``NAME``, then any of ``+plain +reader +guest +en +rename
+watch +CODE``; after a code, the invitation word of a private table.
"""

import re
from typing import Final, NamedTuple

from server.cleaning import clean_name, clean_text, clean_word
from server.coordinator.people.people import plain_code
from server.i18n.lookup import languages

CODE: Final = re.compile(r"(?:[bdklmnprstvz][aeiou]){4}")
"""What a table's code may look like; whether there is such a table, the lobby knows."""

_MOST_SUFFIXES: Final = 8


class Login(NamedTuple):
    """A login name, taken apart."""

    name: str
    """Cleaned; empty when nothing is left of it."""
    plain: bool = False
    """Line mode is asked for."""
    reader: bool = False
    """A screen reader reads what line mode says."""
    rename: bool = False
    """Who is known is to be called like that from now on."""
    language: str = ""
    """Empty when none is asked for."""
    watch: bool = False
    """To watch, not to play."""
    code: str = ""
    """Of the table to sit down at, or to watch; empty for the lobby."""
    word: str = ""
    """The invitation word of that table, if it is private; cleaned."""
    rejoin: str = ""
    """A code to come back with, or to add a key with, as it was typed; empty without one."""
    program: bool = False
    """Lines of JSON are asked for, by a command and never by a suffix."""
    guest: bool = False
    """No key is going to be shown, and nothing else."""
    steered: bool = False
    """A person steers what asks for them."""
    replay: str = ""
    """The code of a game to be shown, by a command and never by a suffix: then nobody comes in."""
    turns: bool = False
    """A list of games is asked for, by a command and never by a suffix: nobody comes in for that, either."""
    unknown: tuple[str, ...] = ()
    """Suffixes that mean nothing, cleaned."""


def parse_login(raw: str) -> Login:
    """Take a login name apart. Never raises; what means nothing is listed in ``unknown``."""
    name, *suffixes = raw[:512].split("+")
    login = Login(clean_name(name))
    unknown: list[str] = []
    for suffix in suffixes[:_MOST_SUFFIXES]:
        word = clean_text(suffix, 64).lower()
        if word == "plain":
            login = login._replace(plain=True)
        elif word == "reader":
            login = login._replace(plain=True, reader=True)
        elif word == "rename":
            login = login._replace(rename=True)
        elif word == "watch":
            login = login._replace(watch=True)
        elif word == "guest" and not login.code:
            login = login._replace(guest=True)
        elif word in languages():
            login = login._replace(language=word)
        elif CODE.fullmatch(word) and not login.code:
            login = login._replace(code=word)
        elif plain_code(word) and not login.rejoin:
            login = login._replace(rejoin=word)
        elif word and login.code and not login.word:
            # After a code there is nothing else it could be.
            login = login._replace(word=word)
        elif shown := clean_word(suffix, 16):
            unknown.append(shown)
    return login._replace(unknown=tuple(unknown)) if unknown else login
