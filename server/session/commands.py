"""Words that are typed, and the actions at a table, each declared once for all front ends.

Line mode, the API, help and keys are made from this.
"""

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum, auto
from functools import cache
from typing import Any, Final, NamedTuple, Self

from server.coordinator import messages as m
from server.i18n.lookup import Words, _, p_, vocabulary
from server.session.attention import may_skip


class Where(Enum):
    """Where a command can be typed."""

    ANYWHERE = auto()
    TABLE = auto()
    GAME = auto()
    """At a table where a game has begun."""


class TableAction(NamedTuple):
    """One of them."""

    word: str
    """For line mode, in the context "line command"; programs send the English one."""
    command: type[m.TableCommand]
    """What is submitted: its fields follow the word when it is typed, seats counted from 1."""
    where: Where
    help: tuple[str, ...] = ()
    """What line mode's help says: before a game, or in one. Some texts tell of the next actions as well."""
    asks: tuple[str, ...] = ()
    """What is said when a field that is needed was not typed, a sentence for each."""
    fixed: Mapping[str, str] = {}
    """Fields that nobody chooses."""
    imperative: str = ""
    """Understood, too, in the context "line command, imperative": some languages' words are infinitives."""
    also: str = ""
    """More words for it, in any language."""
    key: str = ""
    """On the page of the table, or of one that waits, for a command without fields."""
    key_in_words: str = ""
    """For whoever wants another key."""
    footer: str = ""
    """What the footer says of the key when it can be pressed; empty where another text tells of it."""
    key_help: str = ""
    """What the help page says of it."""
    key_when: Callable[[m.TableSnapshot], bool] = lambda _table: True

    def given(self, **fields: Any) -> m.TableCommand:
        """The command, with these fields."""
        return self.command(**{**self.fixed, **fields})


_SEAT: Final = _("Which seat? They are numbered from 1.")

TABLE_ACTIONS: Final = (
    # Before a game.
    TableAction(
        p_("line command", "start"),
        m.StartGame,
        Where.TABLE,
        (_('"table": who sits here. "start": begin. "leave": back to the lobby.'),),
        imperative=p_("line command, imperative", "start"),
        also="st sta",
    ),
    TableAction(
        p_("line command", "add"),
        m.AddBot,
        Where.TABLE,
        (
            _(
                '"add": a bot; "add 3": three of them; "add tidal": that kind. "remove 2": free seat'
                ' 2. "give 2": seat 2 is the owner.'
            ),
        ),
        imperative=p_("line command, imperative", "add"),
    ),
    TableAction(
        p_("line command", "remove"),
        m.RemoveSeat,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "remove"),
        also="kick",
    ),
    TableAction(
        p_("line command", "give"),
        m.HandOver,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "give"),
    ),
    TableAction(
        p_("line command", "options"),
        m.ChangeOptions,
        Where.TABLE,
        (_('"options 5 players untimed": change the options. "options" alone tells them.'),),
        also="einstellungen",
    ),
    TableAction(
        p_("line command", "private"),
        m.SetWord,
        Where.TABLE,
        (
            _(
                '"invite": the line to send to friends. "private otter": only those who '
                'know the word come in; "public": everybody again. "keep 3 zoe": seat 3 is '
                'for zoe; "keep 3": for anybody. "move 2 4": whoever is in seat 2 moves to '
                "seat 4."
            ),
        ),
        (_('With which word? For example: "private otter".'),),
    ),
    TableAction(p_("line command", "public"), m.SetWord, Where.TABLE, fixed={"word": ""}),
    TableAction(
        p_("line command", "keep"),
        m.KeepSeat,
        Where.TABLE,
        asks=(_SEAT,),
        imperative=p_("line command, imperative", "keep"),
    ),
    TableAction(
        p_("line command", "move"),
        m.MoveSeat,
        Where.TABLE,
        asks=(_SEAT, _('To which seat? For example: "move 2 4".')),
        imperative=p_("line command, imperative", "move"),
    ),
    TableAction(
        p_("line command", "leave"),
        m.LeaveTable,
        Where.TABLE,
        imperative=p_("line command, imperative", "leave"),
        also="le",
    ),
    # During a game, and after it.
    TableAction(
        p_("line command", "bid"),
        m.PlaceBid,
        Where.GAME,
        (
            _('"bid 44", or just "44": bid that card, or bid it instead of your earlier one.'),
            _('"hand", "tides", "table", "log", "played", "scores": what there is to see.'),
        ),
        also="b",
    ),
    TableAction(
        p_("line command", "hint"),
        m.AskHint,
        Where.GAME,
        (_('"hint": what the strongest bot would bid, and why, where the table gives hints.'),),
    ),
    TableAction(
        p_("line command", "guess"),
        m.Guess,
        Where.GAME,
        (_('"guess NAME": once you are out of a stage, who takes the high tide in this round.'),),
    ),
    TableAction(
        p_("line command", "skip"),
        m.Skip,
        Where.GAME,
        (_('"skip": once you are out and only bots are left, on to the end of the stage.'),),
        imperative=p_("line command, imperative", "skip"),
        key="s",
        key_in_words=_("on to the end of the stage"),
        footer=_("end of stage"),
        key_help=_("s\twhen only bots are left in a stage: on to its end"),
        key_when=may_skip,
    ),
    TableAction(
        p_("line command", "vote"),
        m.Vote,
        Where.GAME,
        (
            _(
                '"vote pause", "vote end", "vote replace NAME": vote; "vote no end": take that vote'
                ' back. "resume": go on after a pause.'
            ),
        ),
    ),
    TableAction(
        p_("line command", "resume"),
        m.Resume,
        Where.GAME,
        imperative=p_("line command, imperative", "resume"),
        key="r",
        key_in_words=_("go on after a pause"),
        key_when=lambda table: table.info.pause is m.Pause.VOTED,
    ),
    TableAction(
        p_("line command", "again"),
        m.Rematch,
        Where.GAME,
        (_('"again": another game, when this one is over. "leave": a bot plays on for you.'),),
        also="rematch",
    ),
)
"""All of them, but for what leads to a table and for a touch of a key."""


def actions_help(where: Where) -> tuple[str, ...]:
    """What help says of them at a table before its game, or with one."""
    return tuple(text for each in TABLE_ACTIONS if each.where is where for text in each.help)


class Verb(StrEnum):
    """A command besides ``TABLE_ACTIONS``; its value is the English word.

    What it does is in ``server.linemode.commands``.
    """

    imperative: str
    """Understood, too, where a language's word for it is an infinitive."""
    also: str
    """More words for it, in any language."""

    def __new__(cls, word: str, imperative: str = "", also: str = "") -> Self:
        made = str.__new__(cls, word)
        made._value_, made.imperative, made.also = word, imperative, also
        return made

    HAND = p_("line command", "hand"), "", "h cards karten cartas"
    TIDES = p_("line command", "tides"), "", "ti"
    TABLE = p_("line command", "table"), "", "t"
    LOG = p_("line command", "log"), "", "l"
    PLAYED = p_("line command", "played"), "", "p"
    SCORES = p_("line command", "scores"), "", "s"
    WHO = p_("line command", "who"), "", "w"
    LOBBY = p_("line command", "lobby"), "", "tables tische mesas"
    NEWS = p_("line command", "news")
    PLAY = p_("line command", "play"), p_("line command, imperative", "play")
    LEARN = (
        p_("line command", "learn"),
        p_("line command, imperative", "learn"),
        "tutorial guide lotse guia",
    )
    TODAY = p_("line command", "today")
    YESTERDAY = p_("line command", "yesterday")
    TURNS = p_("line command", "turns"), "", "züge zuege vezes"
    DEAL = p_("line command", "deal"), "", "verteilung"
    ANY = p_("line command", "any"), "", "quick"
    NEW = p_("line command", "new")
    JOIN = p_("line command", "join"), p_("line command, imperative", "join")
    WATCH = p_("line command", "watch"), p_("line command, imperative", "watch"), "zusehen"
    INVITE = p_("line command", "invite")
    SAY = p_("line command", "say"), p_("line command, imperative", "say")
    TELL = p_("line command", "tell"), p_("line command, imperative", "tell")
    REPLY = p_("line command", "reply"), p_("line command, imperative", "reply")
    SHOUT = p_("line command", "shout"), p_("line command, imperative", "shout"), "sh"
    PHRASE = p_("line command", "phrase")
    CHAT = p_("line command", "chat")
    MUTE = p_("line command", "mute"), p_("line command, imperative", "mute")
    UNMUTE = p_("line command", "unmute"), p_("line command, imperative", "unmute")
    BLOCK = p_("line command", "block"), p_("line command, imperative", "block")
    UNBLOCK = p_("line command", "unblock"), p_("line command, imperative", "unblock")
    PROFILE = p_("line command", "profile"), "", "finger whois"
    FOLLOW = p_("line command", "follow"), p_("line command, imperative", "follow")
    UNFOLLOW = p_("line command", "unfollow"), p_("line command, imperative", "unfollow")
    REGROUP = p_("line command", "regroup"), p_("line command, imperative", "regroup")
    YES = p_("line command", "yes"), "", "y"
    NO = p_("line command", "no"), "", "n"
    GAMES = p_("line command", "games"), "", "partien partidas"
    REPLAY = p_("line command", "replay"), "", "rückblick reprise"
    NEXT = p_("line command", "next"), "", "vor"
    BACK = p_("line command", "back")
    GO = p_("line command", "go"), p_("line command, imperative", "go")
    VIEW = p_("line command", "view"), "", "eyes augen olhos"
    REVEAL = p_("line command", "reveal"), p_("line command, imperative", "reveal")
    REVIEW = p_("line command", "review")
    PUZZLE = p_("line command", "puzzle")
    CONTINUE = p_("line command", "continue")
    SHARE = p_("line command", "share"), p_("line command, imperative", "share"), "weitergeben"
    RESULTS = p_("line command", "results")
    STATISTICS = p_("line command", "statistics")
    BEST = p_("line command", "best")
    SEASON = p_("line command", "season")
    TOURNAMENT = p_("line command", "tournament")
    NAME = p_("line command", "name"), "", "rename nick"
    ACCOUNT = p_("line command", "account")
    MORE = p_("line command", "more"), "", "m"
    REPORT = p_("line command", "report"), p_("line command, imperative", "report")
    ADMIN = p_("line command", "admin")
    SET = (
        p_("line command", "set"),
        p_("line command, imperative", "set"),
        "settings ajustes setzen setze einstellungen",
    )
    SCREEN = p_("line command", "screen")
    HELP = p_("line command", "help"), "", "?"
    RULES = p_("line command", "rules")
    QUIT = p_("line command", "quit"), "", "q exit bye"


COMMAND_WORDS: Final = (*(each.word for each in TABLE_ACTIONS), *Verb)
"""All of them, in English."""

_SHORT: Final = {
    **{short: each.word for each in TABLE_ACTIONS for short in each.also.split()},
    **{short: each.value for each in Verb for short in each.also.split()},
}
"""What players of such games type without thinking, and what the full screen calls things in any language;
stands above beginnings.
"""

_QUOTES: Final = '"„“”'


class Said(NamedTuple):
    """An understood line."""

    verb: str
    """One of ``COMMAND_WORDS``."""
    rest: str
    """What follows the word, trimmed."""


class Unclear(NamedTuple):
    """A line that was not understood."""

    word: str
    could_be: tuple[str, ...]
    """Words that it is the beginning of; empty when there are none."""
    more: bool = False
    """Something follows it: it may be the beginning of a sentence."""


@cache
def _vocabulary(words: Words) -> dict[str, str]:
    """Every full word; English ones last, so that a translation never hides one."""
    said = [each.imperative for each in (*TABLE_ACTIONS, *Verb) if each.imperative]
    imperatives = {words.p("line command, imperative", word): word for word in said}
    return vocabulary("line command", COMMAND_WORDS, words, imperatives)


def full_word(word: str, words: Words) -> str | None:
    """The command that this very word is, in English or the player's language."""
    return _vocabulary(words).get(word.strip(_QUOTES).casefold())


def understand(line: str, words: Words) -> Said | Unclear | None:
    """What a line means; ``None`` for an empty one.

    A number alone is a bid; a slash before is ignored, and so are the quotation marks in which texts
    name commands; what begins with an apostrophe is said.
    """
    line = line.strip()
    if line.startswith("'"):
        return Said(Verb.SAY, line[1:].strip())
    if line.startswith(tuple(_QUOTES)):
        line = line.strip(_QUOTES)
    first, _, rest = line.removeprefix("/").partition(" ")
    first, rest = first.rstrip(_QUOTES), rest.strip()
    word = first.casefold()
    if not word:
        return None
    if word.isdecimal():
        return Unclear(first, (), more=True) if rest else Said("bid", word)
    known = _vocabulary(words)
    verb = known.get(word) or _SHORT.get(word)
    if verb is None:
        # One that begins a word of the player's own language counts for that before English ones.
        beginnings = [full for full in known if full.startswith(word)]
        meant = {known[full] for full in beginnings}
        if len(meant) != 1:
            own = {verb: words.p("line command", verb) for verb in meant}
            could_be = dict.fromkeys(
                own[known[full]] if own[known[full]].startswith(word) else full
                for full in beginnings
            )
            return Unclear(first, tuple(could_be), more=bool(rest))
        verb = meant.pop()
    return Said(verb, rest)
