"""From a line of JSON to what a program asks for: read strictly, field by field. docs/api.md has them all.

A request is a struct, so that its fields and their bounds stand in one place; whatever else comes in a
line is refused. All text is cleaned here, where it enters.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, structs

from engine.errors import RecordError
from engine.records.json_text import JsonObject, JsonPath, decode
from server.cleaning import clean_text, shortened
from server.coordinator import messages as m
from server.coordinator.messages import Command, TableOptions
from server.i18n.lookup import Words, _
from server.jsonapi import queries
from server.jsonapi.fields import Number, OptionsRequest, Request, chosen
from server.session.commands import TABLE_ACTIONS
from server.session.preferences import NEW_TABLE, SOLO, TOURNAMENT
from server.session.tournament_plan import PLAN, changed_plan, usual_plan

LONGEST: Final = 4096
"""Characters of a line."""

Id = int | str | None
"""What a program calls one of its lines, to know the answer by."""

_MOST: Final = 1 << 53
"""Integers below this are the same in every language that reads JSON."""
_LINE: Final = JsonPath()


class BadLine(Exception):
    """A line that is no command. ``code`` is one of ``CODES``; ``details`` say where."""

    def __init__(self, code: str, id_: Id = None, **details: int | str) -> None:
        super().__init__(code, details)
        self.code: Final = code
        self.id: Final = id_
        self.details: Final = details


CODES: Final = {
    "line_too_long": _("A line may have {limit} bytes."),
    "too_many_lines": _("{limit} lines are waiting already: this one was not read."),
    "utf8": _("Not UTF-8, at byte {byte}."),
    "json": _("Not JSON, at column {column}: {reason}."),
    "nesting": _("Objects and lists are nested too deeply."),
    "duplicate_key": _('"{field}" appears twice.'),
    "not_a_number": _("NaN and Infinity are not JSON."),
    "number_too_large": _("That number is too large."),
    "not_an_object": _("A line has to be one JSON object."),
    "no_such_command": _('There is no command "{command}" here.'),
    "missing_field": _('"{field}" is missing.'),
    "unknown_field": _('That command has no "{field}".'),
    "wrong_field": _('"{field}" is wrong: {reason}.'),
}
"""Why a line is no command, and the sentence for whoever writes the program."""


def problem_in_words(problem: BadLine, words: Words) -> str:
    """One sentence; the place is in it where it is known."""
    details = problem.details
    return words.t(CODES[problem.code], **{"field": details.get("key", ""), **details})


# ------------------------------------------------------------------- what can be asked for


class GetView(Request, frozen=True):
    """To be told everything once more; or how things stand at a ``table`` where one has a seat."""

    table: str = ""


class Ping(Request, frozen=True):
    """Whether the server answers, and what time it has."""


class ChooseUpdates(Request, frozen=True):
    """How to be told what changes. ``delta``: without what is as before."""

    delta: bool


class Quit(Request, frozen=True):
    """To end the session; the seat stays."""


class CommandRequest(Request, frozen=True):
    """Something that becomes a command."""

    def command(self, here: TableOptions | None) -> Command:
        """What is submitted; ``here`` are the options of the table that is meant, if one is.

        Raises ``BadRules`` for options that do not exist.
        """
        raise NotImplementedError


class _Join(CommandRequest, frozen=True):
    table: str
    seat: Number | None = None
    word: str = ""

    def command(self, here: TableOptions | None) -> Command:
        return m.JoinTable(self.table.lower(), -1 if self.seat is None else self.seat, self.word)


class _Watch(CommandRequest, frozen=True):
    table: str = ""
    word: str = ""
    another: bool = False

    def command(self, here: TableOptions | None) -> Command:
        if self.another:
            return m.WatchAnother()
        return m.WatchTable(self.table.lower(), self.word) if self.table else m.FollowBusiest()


class _Say(CommandRequest, frozen=True):
    text: str = ""
    phrase: m.Phrase | None = None
    room: Literal["table", "lobby"] | None = None

    def command(self, here: TableOptions | None) -> Command:
        room = m.Room.LOBBY if here is None else m.Room.TABLE
        return m.Say(m.Room(self.room) if self.room else room, self.text, self.phrase or "")


class _Tell(CommandRequest, frozen=True):
    name: str
    text: str = ""
    phrase: m.Phrase | None = None

    def command(self, here: TableOptions | None) -> Command:
        return m.Say(m.Room.DIRECT, self.text, self.phrase or "", self.name)


def _opens_tournament() -> type[CommandRequest]:
    """A request with what a plan has besides its options, and those."""
    own = {option.name: option for option in PLAN if not option.of_tables}

    def command(self: Any, here: TableOptions | None) -> Command:
        plan = m.TournamentPlan(self.name, chosen(TOURNAMENT, self.options))
        return m.OpenTournament(changed_plan(plan, {name: getattr(self, name) for name in own}))

    usual = usual_plan("")
    fields: list[Any] = [
        ("name", str),
        *((name, option.type, option.of(usual)) for name, option in own.items()),
        ("options", OptionsRequest, OptionsRequest()),
    ]
    request: type[CommandRequest] = msgspec.defstruct(  # type: ignore[assignment]
        "_Tournament", fields, bases=(CommandRequest,), namespace={"command": command}
    )
    return request


_Rounds = Annotated[
    tuple[Annotated[tuple[int | None, ...], Meta(max_length=6)], ...], Meta(max_length=12)
]
_BOUNDS: Final[dict[str, Any]] = {
    "key": Annotated[str, Meta(max_length=64)],
    "deal": Annotated[str, Meta(max_length=100)],
    "word": Annotated[str, Meta(min_length=1)],
    "played": Annotated[tuple[_Rounds, ...], Meta(max_length=6)],
    "keep": Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=5)],
}
"""Length bounds of the text in these fields."""


def _same(
    kind: Callable[..., Command],
    fixed: Mapping[str, str] = {},
    usual: TableOptions | None = None,
) -> type[CommandRequest]:
    """A request with the fields of a command but for those that are ``fixed``.

    A seat that is not named is left out. Of options some may be given: the others are ``usual``, or as
    they are at the table. What is done at a table may name it.
    """
    at_tables = isinstance(kind, type) and issubclass(kind, m.TableCommand)

    def command(self: CommandRequest, here: TableOptions | None) -> Command:
        given = {**structs.asdict(self), **fixed}
        table = given.pop("table", "")
        if "options" in given:
            given["options"] = chosen(usual or here or NEW_TABLE, given["options"])
        made: Any = kind(**{name: -1 if it is None else it for name, it in given.items()})
        return m.AtTable(table.lower(), made) if table else made

    fields: list[Any] = []
    for field in structs.fields(kind):  # type: ignore[arg-type]
        name, wanted = field.name, _BOUNDS.get(field.name, field.type)
        if field.type is TableOptions:
            fields.append(
                (name, OptionsRequest, OptionsRequest()) if usual else (name, OptionsRequest)
            )
        elif name not in fixed:
            wanted = Number if wanted is int else wanted
            fields.append((name, wanted) if field.required else (name, wanted, field.default))
            if field.default == -1:
                fields[-1] = (name, wanted | None, None)
    if at_tables:
        fields.append(("table", str, ""))
    request: type[CommandRequest] = msgspec.defstruct(  # type: ignore[assignment]
        f"_{kind.__name__}", fields, bases=(CommandRequest,), namespace={"command": command}
    )
    return request


REQUESTS: Final[dict[str, type[Request]]] = {
    "play": _same(m.QuickGame, usual=SOLO),
    "play_today": _same(m.PlayToday),
    "any": _same(m.QuickJoin, usual=NEW_TABLE),
    "new": _same(m.CreateTable, usual=NEW_TABLE),
    "join": _Join,
    "watch": _Watch,
    **{action.word: _same(action.command, action.fixed) for action in TABLE_ACTIONS},
    "touch": _same(m.Touch),
    "lobby": _same(m.GoToLobby),
    "say": _Say,
    "tell": _Tell,
    "mute": _same(m.Mute),
    "block": _same(m.Block),
    "tournament": _same(m.AskTournament),
    "enter": _same(m.EnterTournament),
    "withdraw": _same(m.WithdrawFromTournament),
    "direct": _same(m.DirectTournament),
    "open": _opens_tournament(),
    "games": queries.Games,
    "record": queries.GetRecord,
    "own": queries.GetOwnGame,
    "review": queries.GetReview,
    "what_if": queries.WhatIf,
    "summary": queries.GetSummary,
    "today": queries.GetDay,
    "results": queries.Results,
    "statistics": queries.GetStatistics,
    "best": queries.Best,
    "season": queries.GetSeason,
    "profile": queries.GetProfile,
    "follow": queries.Follow,
    "followed": queries.GetFollowed,
    "settings": queries.GetSettings,
    "set": queries.Set,
    "report": queries.SendReport,
    "look": GetView,
    "updates": ChooseUpdates,
    "ping": Ping,
    "quit": Quit,
}
"""By the word after ``do``: that of line mode, where there is one."""


# ------------------------------------------------------------------- from a line to a request


class RequestLine(NamedTuple):
    """A line that was understood."""

    id: Id
    request: Request


def read(line: bytes) -> RequestLine:
    """What one line asks for. Raises ``BadLine``, and nothing else, whatever it is."""
    if len(line) > LONGEST:
        raise BadLine("line_too_long", limit=LONGEST)
    id_: Id = None
    try:
        fields = dict(_LINE.fields_of(decode(line), "line"))
        id_ = _id_of(fields.pop("id", None))
        _LINE.needed(fields)
    except RecordError as error:
        code = "not_an_object" if error.code == "empty" else error.code
        raise BadLine(code, id_, **_told(error.details)) from None
    return RequestLine(id_, _request(fields, id_))


def _id_of(value: object) -> Id:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST:
        return value
    if isinstance(value, str) and re.fullmatch(r"[ -~]{0,64}", value):
        return value
    raise BadLine("wrong_field", field="id", reason="Expected a number or a short ASCII word")


def _request(fields: JsonObject, id_: Id) -> Request:
    if "do" not in fields:
        raise BadLine("missing_field", id_, field="do")
    do = fields.pop("do")
    if not isinstance(do, str):
        raise BadLine("wrong_field", id_, field="do", reason="Expected the name of a command")
    if (kind := REQUESTS.get(do)) is None:
        raise BadLine("no_such_command", id_, command=shortened(do))
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in fields:
        if name not in known:
            raise BadLine("unknown_field", id_, field=shortened(name))
    for name, field in known.items():
        if field.required and name not in fields:
            raise BadLine("missing_field", id_, field=name)
    try:
        return msgspec.convert(
            {name: clean_text(each, LONGEST) if isinstance(each, str) else each
             for name, each in fields.items()},
            kind,
        )  # fmt: skip
    except UnicodeEncodeError:
        # Half a character, somewhere within: of one that stands alone the cleaning leaves nothing.
        where = next(name for name, each in fields.items() if not _is_text(each))
        reason = "Expected text without lone surrogates"
        raise BadLine("wrong_field", id_, field=where, reason=reason) from None
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$.")
        where = clean_text(place.rstrip("`"), 24)
        raise BadLine("wrong_field", id_, field=where, reason=clean_text(reason, 80)) from None


def _is_text(value: object) -> bool:
    """Whether all of it can be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _told(details: dict[str, int | str]) -> dict[str, int | str]:
    """What is said of a flaw in the JSON: in which of its lines is no question here.

    The reason is in the library's own words; everything else may be the client's.
    """
    return {
        name: clean_text(each, 80 if name == "reason" else 24) if isinstance(each, str) else each
        for name, each in details.items()
        if name != "line"
    }
