"""What can be typed in line mode: full words in English and the player's language, and their beginnings."""

from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from server.i18n.catalogues import Words, spellings


class Verb(Enum):
    """A command; its value is the English word."""

    BID = "bid"
    HAND = "hand"
    TIDES = "tides"
    TABLE = "table"
    LOG = "log"
    PLAYED = "played"
    SCORES = "scores"
    WHO = "who"
    LOBBY = "lobby"
    PLAY = "play"
    LEARN = "learn"
    ANY = "any"
    NEW = "new"
    JOIN = "join"
    WATCH = "watch"
    OPTIONS = "options"
    ADD = "add"
    REMOVE = "remove"
    GIVE = "give"
    KEEP = "keep"
    MOVE = "move"
    PRIVATE = "private"
    PUBLIC = "public"
    INVITE = "invite"
    START = "start"
    AGAIN = "again"
    VOTE = "vote"
    RESUME = "resume"
    SAY = "say"
    TELL = "tell"
    REPLY = "reply"
    SHOUT = "shout"
    PHRASE = "phrase"
    CHAT = "chat"
    MUTE = "mute"
    UNMUTE = "unmute"
    BLOCK = "block"
    UNBLOCK = "unblock"
    YES = "yes"
    NO = "no"
    GAMES = "games"
    REPLAY = "replay"
    NEXT = "next"
    BACK = "back"
    GO = "go"
    EYES = "eyes"
    REVEAL = "reveal"
    RESULTS = "results"
    BEST = "best"
    ACCOUNT = "account"
    MORE = "more"
    REPORT = "report"
    ADMIN = "admin"
    SET = "set"
    SCREEN = "screen"
    HELP = "help"
    RULES = "rules"
    LEAVE = "leave"
    QUIT = "quit"


_SHORT: Final = {
    "b": Verb.BID,
    "h": Verb.HAND,
    "t": Verb.TABLE,
    "ti": Verb.TIDES,
    "l": Verb.LOG,
    "m": Verb.MORE,
    "le": Verb.LEAVE,
    "p": Verb.PLAYED,
    "s": Verb.SCORES,
    "w": Verb.WHO,
    "y": Verb.YES,
    "n": Verb.NO,
    "q": Verb.QUIT,
    "?": Verb.HELP,
    "exit": Verb.QUIT,
    "bye": Verb.QUIT,
    "rematch": Verb.AGAIN,
    "quick": Verb.ANY,
    "kick": Verb.REMOVE,
    "cards": Verb.HAND,
    "tables": Verb.LOBBY,
    "settings": Verb.SET,
    "tutorial": Verb.LEARN,
    "guide": Verb.LEARN,
    "karten": Verb.HAND,
    "tische": Verb.LOBBY,
    "lotse": Verb.LEARN,
    "cartas": Verb.HAND,
    "mesas": Verb.LOBBY,
    "jogos": Verb.GAMES,
    "ajustes": Verb.SET,
    "guia": Verb.LEARN,
}
"""What players of such games type without thinking, and what the full screen calls things in any language;
stands above beginnings.
"""


class Said(NamedTuple):
    """An understood line."""

    verb: Verb
    rest: str
    """What follows the word, trimmed."""


class Unclear(NamedTuple):
    """A line that was not understood."""

    word: str
    could_be: tuple[str, ...]
    """Words that it is the beginning of; empty when there are none."""


@cache
def _vocabulary(words: Words) -> dict[str, Verb]:
    """Every full word; English ones last, so that a translation never hides one."""
    own = {
        words.p("line command", "bid"): Verb.BID,
        words.p("line command", "hand"): Verb.HAND,
        words.p("line command", "tides"): Verb.TIDES,
        words.p("line command", "table"): Verb.TABLE,
        words.p("line command", "log"): Verb.LOG,
        words.p("line command", "played"): Verb.PLAYED,
        words.p("line command", "scores"): Verb.SCORES,
        words.p("line command", "who"): Verb.WHO,
        words.p("line command", "lobby"): Verb.LOBBY,
        words.p("line command", "play"): Verb.PLAY,
        words.p("line command", "learn"): Verb.LEARN,
        words.p("line command", "any"): Verb.ANY,
        words.p("line command", "new"): Verb.NEW,
        words.p("line command", "join"): Verb.JOIN,
        words.p("line command", "watch"): Verb.WATCH,
        words.p("line command", "options"): Verb.OPTIONS,
        words.p("line command", "add"): Verb.ADD,
        words.p("line command", "remove"): Verb.REMOVE,
        words.p("line command", "give"): Verb.GIVE,
        words.p("line command", "keep"): Verb.KEEP,
        words.p("line command", "move"): Verb.MOVE,
        words.p("line command", "private"): Verb.PRIVATE,
        words.p("line command", "public"): Verb.PUBLIC,
        words.p("line command", "invite"): Verb.INVITE,
        words.p("line command", "start"): Verb.START,
        words.p("line command", "again"): Verb.AGAIN,
        words.p("line command", "vote"): Verb.VOTE,
        words.p("line command", "resume"): Verb.RESUME,
        words.p("line command", "say"): Verb.SAY,
        words.p("line command", "tell"): Verb.TELL,
        words.p("line command", "reply"): Verb.REPLY,
        words.p("line command", "shout"): Verb.SHOUT,
        words.p("line command", "phrase"): Verb.PHRASE,
        words.p("line command", "chat"): Verb.CHAT,
        words.p("line command", "mute"): Verb.MUTE,
        words.p("line command", "unmute"): Verb.UNMUTE,
        words.p("line command", "block"): Verb.BLOCK,
        words.p("line command", "unblock"): Verb.UNBLOCK,
        words.p("line command", "yes"): Verb.YES,
        words.p("line command", "no"): Verb.NO,
        words.p("line command", "games"): Verb.GAMES,
        words.p("line command", "replay"): Verb.REPLAY,
        words.p("line command", "next"): Verb.NEXT,
        words.p("line command", "back"): Verb.BACK,
        words.p("line command", "go"): Verb.GO,
        words.p("line command", "eyes"): Verb.EYES,
        words.p("line command", "reveal"): Verb.REVEAL,
        words.p("line command", "results"): Verb.RESULTS,
        words.p("line command", "best"): Verb.BEST,
        words.p("line command", "account"): Verb.ACCOUNT,
        words.p("line command", "more"): Verb.MORE,
        words.p("line command", "report"): Verb.REPORT,
        words.p("line command", "admin"): Verb.ADMIN,
        words.p("line command", "set"): Verb.SET,
        words.p("line command", "screen"): Verb.SCREEN,
        words.p("line command", "help"): Verb.HELP,
        words.p("line command", "rules"): Verb.RULES,
        words.p("line command", "leave"): Verb.LEAVE,
        words.p("line command", "quit"): Verb.QUIT,
    }
    folded = {word.casefold(): verb for word, verb in own.items()}
    return (
        {plain: verb for word, verb in folded.items() for plain in spellings(word, words.language)}
        | folded
        | {verb.value: verb for verb in Verb}
    )


def full_word(word: str, words: Words) -> Verb | None:
    """The command that this very word is, in English or the player's language."""
    return _vocabulary(words).get(word.casefold())


def understand(line: str, words: Words) -> Said | Unclear | None:
    """What a line means; ``None`` for an empty one. A number alone is a bid; a slash before is ignored; what
    begins with an apostrophe is said.
    """
    if line.lstrip().startswith("'"):
        return Said(Verb.SAY, line.lstrip()[1:].strip())
    first, _, rest = line.strip().removeprefix("/").partition(" ")
    word = first.casefold()
    if not word:
        return None
    if word.isdecimal():
        return Said(Verb.BID, word)
    vocabulary = _vocabulary(words)
    verb = vocabulary.get(word) or _SHORT.get(word)
    if verb is None:
        # One that begins a word of the player's own language counts for that before English ones.
        beginnings = [full for full in vocabulary if full.startswith(word)]
        meant = {vocabulary[full] for full in beginnings}
        if len(meant) != 1:
            return Unclear(first, tuple(beginnings))
        verb = meant.pop()
    return Said(verb, rest.strip())
