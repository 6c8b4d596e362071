"""Fields that programs are told or give, with their places in the schema; and snapshots, made of them.

Seats, stages and rounds count from 0, as in records. Of the settings there are those of the account, and
none of the terminal alone. Nothing is copied whole but the happenings at a table, which are the same for
everybody there: any other new field of a message is sent to nobody before it has its place here and in
docs/api.md.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs
from typing_extensions import TypedDict

from engine.standings import Highlight, highlights
from engine.state import Loss, Phase, RoundResult
from engine.views import PastStage, SeatPublic, TableView
from server.coordinator import messages as m
from server.coordinator.messages import TableOptions
from server.i18n.lookup import Words
from server.session.preferences import SETTINGS, PlayerSetting, preferences_from, to_settings
from server.terminal.capabilities import Capabilities
from server.text.tournaments import shared_cup
from server.viewmodels.table import RematchVote, code_of, rematch_vote
from server.viewmodels.table_options import OPTIONS

Read = Callable[[Any], Any]


class Part:
    """The ``fields`` of a ``source`` by their names, separated by spaces.

    ``new=old`` is told under another name, ``old`` may lead on (``info.id``), and what has a ``?`` is
    ``null`` when it is empty. ``more`` are those that take more than that: a type and a function each.
    Nothing else of a source is told.
    """

    def __init__(self, source: Any, fields: str, **more: tuple[Any, Read]) -> None:
        told: dict[str, tuple[Any, Read]] = {}
        for field in fields.split():
            name, _, path = field.rstrip("?").partition("=")
            kind, read = _type_of(source, path or name), attrgetter(path or name)
            told[name] = (kind | None, _or_null(read)) if field.endswith("?") else (kind, read)
        self._told = {name: read for name, (_, read) in (told | more).items()}
        self.fields: Final = tuple(self._told)
        # What has to have another name in Python has it back in JSON.
        types = [(f"{name}_", kind) for name, (kind, _) in (told | more).items()]
        self.type: Any = defstruct(source.__name__, types, rename=lambda name: name[:-1])

    def __call__(self, thing: Any) -> dict[str, Any]:
        """What is told of ``thing``."""
        found = {name: read(thing) for name, read in self._told.items()}
        return {name: list(it) if isinstance(it, tuple) else it for name, it in found.items()}


def each(part: Part, path: str, most: int | None = None) -> tuple[Any, Read]:
    """A field for ``more``: all that lie there, or so many."""
    return made(list_of(part.type), path, lambda found: [part(one) for one in found[:most]])


def made(kind: Any, path: str, make: Read) -> tuple[Any, Read]:
    """A field for ``more``: of that type, made of what lies there."""
    read = attrgetter(path)
    return kind, lambda thing: make(read(thing))


def number(path: str) -> tuple[Any, Read]:
    """A field for ``more``: a number from 0, such as a seat, or ``null`` for -1."""
    return made(int | None, path, lambda found: None if found < 0 else found)


def names(path: str) -> tuple[Any, Read]:
    """A field for ``more``: names, with ``null`` for empty ones."""
    return made(list[str | None], path, lambda found: [name or None for name in found])


def list_of(kind: Any) -> Any:
    """The type of a list of a type that is made here."""
    return list[kind]


def _or_null(read: Read) -> Read:
    return lambda thing: read(thing) or None


def _type_of(source: Any, path: str) -> Any:
    """Return the type of a field or a property."""
    for name in path.split("."):
        found = getattr(source, name, None)
        if isinstance(found, property):
            source = get_type_hints(found.fget)["return"]
        else:
            source = get_type_hints(source, include_extras=True)[name]
    return source


Number = Annotated[int, Meta(ge=0, le=999)]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a line asks for."""


def _request_type(name: str, fields: list[tuple[str, Any, Any]]) -> type[Struct]:
    return defstruct(name, fields, frozen=True, forbid_unknown_fields=True)


def _type(setting: PlayerSetting) -> Any:
    values = tuple(getattr(each, "value", each) for each in setting.values())
    kind: Any = bool if values == (False, True) else Literal.__getitem__(values)
    return kind | UnsetType | None if setting.ability else kind | UnsetType


if TYPE_CHECKING:
    OptionsRequest = Struct
    SettingsRequest = Struct
else:
    OptionsRequest = _request_type(
        "OptionsRequest", [(each.name, each.type | None, None) for each in OPTIONS]
    )
    """What a program may give: what is not said stays as it is, or is as usual at a new table."""
    SettingsRequest = _request_type(
        "SettingsRequest", [(each.name, _type(each), UNSET) for each in SETTINGS if each.account]
    )
    """What a program may set: what is not mentioned stays; ``null`` takes a choice back."""


# ------------------------------------------------------------------- options of a table


def chosen(start: TableOptions, wanted: "OptionsRequest") -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    return start.changed(**structs.asdict(wanted))


OptionsData: Any = defstruct("Options", [(option.name, option.type) for option in OPTIONS])
"""All of them, as they are told."""


def options_data(options: TableOptions) -> dict[str, Any]:
    """All of them. Hints are told as they are given: choosing them does not bring any to a rated game."""
    return {each.name: each.of(options) for each in OPTIONS} | {"hints": options.gives_hints}


# ------------------------------------------------------------------- settings of a player


_ABILITIES: Final = [each.name for each in SETTINGS if each.account and each.ability]
_PREFERENCES: Final = [each.name for each in SETTINGS if each.account and not each.ability]


def choices_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that an account keeps, field by field.

    Of the terminal's ``None`` where nothing was chosen: then what the terminal says counts.
    """
    found, usual = preferences_from(settings), Capabilities()
    told = {
        name: settings[name] if type(settings.get(name)) is type(getattr(usual, name)) else None
        for name in _ABILITIES
    }
    return told | {name: getattr(found, name) for name in _PREFERENCES}


def with_choices(settings: Mapping[str, Any], wanted: "SettingsRequest") -> dict[str, Any]:
    """All that the account is to keep then."""
    given = {name: each for name, each in structs.asdict(wanted).items() if each is not UNSET}
    able = {name: given.pop(name) for name in _ABILITIES if name in given}
    kept = to_settings(structs.replace(preferences_from(settings), **given), able, settings)
    return {name: value for name, value in kept.items() if name not in able or value is not None}


TOURNAMENT_INFO: Final = Part(
    m.TournamentInfo,
    "tournament=id name=plan.name rounds=plan.rounds call=plan.call pause=plan.pause places=plan.places"
    " phase round players director? guests tables playing begins? entered directs table? longest"
    " place? lifted stuck winners",
    options=made(OptionsData, "plan.options", options_data),
)
"""A tournament in a list."""
_CELL: Final = Part(m.TournamentCell, "table seat opponents points score stayed")
_TOURNAMENT: Final = Part(
    m.TournamentRow,
    "place name total opponents best exact withdrawn you",
    rounds=made(
        list_of(_CELL.type | None),
        "rounds",
        lambda cells: [cell and _CELL(cell) for cell in cells],
    ),
)
_SEATS: Final = Part(
    m.TournamentSeats,
    "number names done round awaited due?",
    stage=number("stage"),
)
TOURNAMENT_VIEW: Final = Part(
    m.TournamentView,
    "commitments seeds",
    tournament=made(TOURNAMENT_INFO.type, "info", TOURNAMENT_INFO),
    standings=each(_TOURNAMENT, "rows"),
    tables=each(_SEATS, "tables"),
)
"""All of one."""


def answer(command: m.Command, reply: m.Reply, words: Words, way_in: str) -> dict[str, Any]:
    """What the answer to a command about tournaments has; ``way_in`` is that of ``ConnectionStats``."""
    if (view := reply.tournament) is not None:
        told = {"tournament": TOURNAMENT_VIEW(view)}
        over = view.info.phase is m.TournamentPhase.OVER
        return {**told, "share": shared_cup(view, words, way_in)} if over else told
    return {"opened": reply.details["tournament"]} if isinstance(command, m.OpenTournament) else {}


MOST_TABLES: Final = 30
MOST_PLAYERS: Final = 100
"""Most people of the lobby that are sent."""


_ID: Final = 16
"""Digits of a commitment that tell one game from all others."""
_PARTS: Final = ("lobby", "table", "game", "history", "you", "tournaments", "correspondence")
"""How things stand; everything else in an update is news."""


def changed(data: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The update without parts that are as ``told`` last, and without news where there is none.

    ``told`` is brought up to date.
    """
    same = [part for part in _PARTS if part in told and told[part] == data[part]]
    told.update((part, data[part]) for part in _PARTS)
    return {
        name: value
        for name, value in data.items()
        if name not in same and (name in _PARTS or value not in ([], False))
    }


def update_data(update: m.Update, now: float, number: int = 1) -> dict[str, Any]:
    """Everything that has changed, and how things stand now; it is the ``number``-th update."""
    table = update.table
    return {
        "number": number,
        "time": now,
        "place": "table" if table else "lobby" if update.lobby else "nowhere",
        "lobby": None if update.lobby is None else lobby_data(update.lobby),
        **seen_data(table),
        "correspondence": [CORRESPONDENCE(each) for each in update.correspondence],
        "tournaments": [TOURNAMENT_INFO(each) for each in update.tournaments],
        "happenings": [happening_data(each) for each in update.happenings],
        "chat": [chat_data(line) for line in update.chat],
        "house": [word_data(word) for word in update.said],
        "resynced": update.resynced,
    }


def seen_data(table: m.TableSnapshot | None) -> dict[str, Any]:
    """A table as a visitor sees it, in its parts."""
    if table is None:
        return {"table": None, "game": None, "history": None, "you": None}
    game: dict[str, Any] | None = None
    past: list[Any] | None = None
    if table.table is not None:
        game = {"id": table.info.commitment[:_ID], **game_data(table.table)}
        past = [PAST(stage) for stage in table.history.stages]
    return {"table": table_data(table), "game": game, "history": past, "you": own_data(table)}


# ------------------------------------------------------------------- where one is


class ClosingData(TypedDict):
    """When the server goes down; without a time it only lets no game begin."""

    when: float | None


def closing_data(when: float) -> ClosingData | None:
    """``None`` when it stays."""
    if not when:
        return None
    return {"when": None if math.isinf(when) else when}


def _closing(path: str) -> tuple[Any, Read]:
    return made(ClosingData | None, path, closing_data)


def _options(path: str) -> tuple[Any, Read]:
    return made(OptionsData, path, options_data)


_ROW: Final = Part(
    m.TableRow,
    "table=id title status bots kept stage watching=spectators spectators=watching programs ratings event?"
    " known",
    options=_options("options"),
    seats=names("names"),
)
_GAME_NOW: Final = Part(
    m.GameNow,
    "table round points life_preservers",
    levels=(list[int | None], lambda game: [None if it < 0 else it for it in game.levels]),
)
HIGHLIGHT: Final = Part(Highlight, "kind stage seat hand points other")
"""Something remarkable about a game that is over."""
_NEWS: Final = Part(
    m.News,
    "bots winning_bots points row most days cup? game?",
    climax=made(HIGHLIGHT.type | None, "climax", lambda climax: climax and HIGHLIGHT(climax)),
    winners=names("winners"),
    against=names("against"),
)
_TODAY: Final = Part(
    m.TodayNow,
    "played day? tries",
    best=made(list[tuple[str, int]], "best", list),
)
lobby_data: Final = Part(
    m.LobbySnapshot,
    "",
    players=(list[str], lambda lobby: lobby.players[:MOST_PLAYERS]),
    players_here=(int, lambda lobby: len(lobby.players)),
    programs=(list[str], lambda lobby: lobby.programs[:MOST_PLAYERS]),
    tables=each(_ROW, "tables", MOST_TABLES),
    tables_here=(int, lambda lobby: len(lobby.tables)),
    games=each(_GAME_NOW, "games", MOST_TABLES),
    news=each(_NEWS, "news"),
    today=made(_TODAY.type, "today", _TODAY),
    closing=_closing("closing"),
)
"""The lobby: its people and its tables."""

CORRESPONDENCE: Final = Part(
    m.CorrespondenceGame,
    "table title status stage round due? since? your_turn=waits awaited",
    options=_options("options"),
    seats=names("names"),
)
"""A game by correspondence of the visitor's."""

_SEAT: Final = Part(
    m.SeatInfo,
    "kind=occupant name? strategy? manner? connected away left absent_since? replaceable rematch kept?"
    " claimed? program guesses bot_bids",
)
_VOTE: Final = Part(m.VoteInfo, "motion agreed needed", seat=number("seat"))
_SKIP: Final = Part(m.SkipInfo, "agreed needed")
_REMATCH: Final = Part(RematchVote, "agreed awaited")
table_data: Final = Part(
    m.TableSnapshot,
    "table=info.id title=info.title status=info.status private=info.private word? games=info.game"
    " commitment=info.commitment? seed=info.seed? due=info.deadline? paused=info.pause? ended=info.ended?"
    " played_by=info.played_by? watching=info.spectators spectators=info.watching? behind"
    " kept_for=info.kept_for? event=info.event? known=info.known wins=info.wins begins=info.begins?",
    options=_options("info.options"),
    deal_code=made(str | None, "info", lambda info: code_of(info) or None),
    owner=number("info.owner"),
    seats=each(_SEAT, "info.seats"),
    votes=each(_VOTE, "info.votes"),
    skip=made(_SKIP.type | None, "info.skip", lambda skip: skip and _SKIP(skip)),
    rematch=made(
        _REMATCH.type | None, "info", lambda info: (vote := rematch_vote(info)) and _REMATCH(vote)
    ),
    closing=_closing("info.closing"),
)
"""The table, apart from the game on it."""

round_data: Final = Part(
    RoundResult,
    "tides=offer bids takers levels life_preservers loss_end",
    losses=each(Part(Loss, "level lost eliminated"), "losses"),
)
"""A round that is over."""
_PLAYER: Final = Part(
    SeatPublic,
    "score start life_preservers eliminated bid=has_bid cards_left played earlier",
    level=(int | None, lambda seat: None if seat.eliminated else seat.level),
)
game_data: Final = Part(
    TableView,
    "phase stage round rounds=rules.rounds highest_tide=rules.highest_tide tides=offer points bonuses winners"
    " deal?",
    seats=each(_PLAYER, "seats"),
    log=each(round_data, "rounds"),
    highlights=(list_of(HIGHLIGHT.type), lambda view: [HIGHLIGHT(one) for one in highlights(view)]),
)
"""The game as everybody sees it."""
PAST: Final = Part(PastStage, "start points", rounds=each(round_data, "rounds"))


class Earlier(TypedDict):
    """With assistance: a hand that one has played."""

    holder: int
    cards: Sequence[int]


class You(TypedDict):
    """What only this visitor knows."""

    seat: int
    legal: Sequence[int]
    to_bid: bool
    hand: Sequence[int]
    bid: int | None
    dealt: Sequence[int]
    hands: Sequence[Sequence[int]]
    earlier: Sequence[Earlier]
    guess: int | None


def own_data(snapshot: m.TableSnapshot) -> You | None:
    """``None`` for who has no seat."""
    if snapshot.seat < 0:
        return None
    info, own = snapshot.info, snapshot.own
    bidding = own is not None and own.table.phase is Phase.BIDDING
    playing = info.status is m.Status.PLAYING and not info.pause
    hand, bid = ((), 0) if own is None else (own.hand, own.bid)
    earlier = () if own is None else own.own_earlier
    # A bid that lies there can be replaced by each card.
    legal = hand if bidding and playing else ()
    return {
        "seat": snapshot.seat,
        "legal": legal,
        "to_bid": bool(legal) and not bid,
        "hand": hand,
        "bid": bid or None,
        "dealt": () if own is None else own.dealt,
        "hands": snapshot.history.hands,
        "earlier": [{"holder": each.holder, "cards": each.cards} for each in earlier],
        "guess": None if snapshot.guess < 0 else snapshot.guess,
    }


# ------------------------------------------------------------------- what happened, and what was said


HAPPENING: Final = {
    **{kind: Part(kind, " ".join(kind.__struct_fields__)) for kind in m.HAPPENING_NAMES},
    m.TidesTurned: Part(m.TidesTurned, "stage round tides=offer"),
    m.RoundResolved: Part(
        m.RoundResolved, "stage round", result=made(round_data.type, "result", round_data)
    ),
    m.StageScored: Part(
        m.StageScored,
        "stage points=result.points bonus=result.bonus eliminated=result.eliminated scores=result.scores",
    ),
    m.Closing: Part(m.Closing, "", closing=_closing("when")),
    m.Voted: Part(m.Voted, "seat name motion target agree", target=number("target")),
    m.Resumed: Part(m.Resumed, "", seat=number("seat")),
}


def happening_data(happening: m.Happening) -> dict[str, Any]:
    """One happening, with its kind."""
    kind = type(happening)
    return {"kind": m.HAPPENING_NAMES[kind], **HAPPENING[kind](happening)}


chat_data: Final = Part(
    m.ChatLine,
    "number room from=sender to? text? phrase? table=place? watching old time",
)
"""Something that somebody said."""
word_data: Final = Part(m.ServerMessage, "kind text? until? about?")
"""Something that the server says."""
