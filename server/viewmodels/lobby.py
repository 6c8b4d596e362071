"""View models of the lobby, the waiting room, and a player's games by correspondence."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.bots.manners import MANNERS
from server.coordinator import messages as m
from server.coordinator.events.days import is_day
from server.coordinator.messages import DAY, CorrespondenceGame, Status, TableRow
from server.coordinator.people.names import called
from server.i18n.lookup import Words, _, in_english, n_, p_, vocabulary
from server.terminal.drawing.caches import cached_by_identity
from server.text.events import ahead_in_words, tides_in_words
from server.text.times import moment_in_words, span_in_words, time_in_words
from server.viewmodels.table import seat_tag
from server.viewmodels.table_options import (
    ALSO_TYPED,
    OPTIONS,
    listed_options,
    options_in_brief,
    options_in_words,
)


class OwnGames(NamedTuple):
    """All of them together."""

    waiting: int
    """That wait for the player."""
    next: str
    """The code of the one to go to: of those that wait, if any does; empty where there is none to go to."""
    forms: tuple[str, ...]
    """Number of games, and of those that wait, in fewer and fewer words; empty without any."""

    @property
    def said(self) -> str:
        """The longest form."""
        return self.forms[0] if self.forms else ""


def own_games(games: Sequence[CorrespondenceGame], words: Words, here: str = "") -> OwnGames:
    """``here`` is the code of the one that the player looks at: the next one comes after it."""
    if not games:
        return OwnGames(0, "", ())
    going = sum(game.status is not Status.OVER for game in games)
    waiting = [game.table for game in games if game.waits]
    others = waiting if {*waiting} - {here} else [game.table for game in games]
    after = others.index(here) + 1 if here in others else 0
    found = [*others[after:], *others[:after]]
    following = found[0] if found and found[0] != here else ""
    if not going:
        text = n_(
            "{count} game by correspondence is over", "{count} games by correspondence are over"
        )
        return OwnGames(len(waiting), following, (words.fill(text, count=len(games)),))
    said = words.n("{count} game by correspondence", "{count} games by correspondence", going)
    wait, brief = words.t("none waits for you"), said
    if waiting:
        wait = words.n("{count} waits for you", "{count} wait for you", len(waiting))
        text = n_("{count} game waits for you", "{count} games wait for you")
        brief = words.fill(text, count=len(waiting))
    return OwnGames(len(waiting), following, (f"{said}, {wait}", brief))


def game_lines(
    games: Sequence[CorrespondenceGame], name: str, now: float, words: Words
) -> Iterator[str]:
    """A line each for the player called ``name``: its code, and ``facts_of`` it."""
    for game in games:
        yield f"{game.table}: {'; '.join(facts_of(game, name, now, words))}"


def facts_of(game: CorrespondenceGame, name: str, now: float, words: Words) -> tuple[str, ...]:
    """Return the facts of a game.

    The other players, how far it is, for whom it has been waiting and since when, how long it waits,
    and last whether it is the turn of the player called ``name``.
    """
    facts = [others_in_words(game, name, words), _how_far(game, words)]
    others = tuple(each for each in game.awaited if each != name)
    if others and game.since:
        since = moment_in_words(game.since, words)
        facts.append(
            words.t(
                "has been waiting for {names} since {time}", names=words.listed(others), time=since
            )
        )
    if game.due:
        facts.append(words.t("{time} left", time=_left_in_words(game.due - now, words)))
    if game.waits:
        facts.append(words.t("your turn"))
    return tuple(facts)


def others_in_words(game: CorrespondenceGame, name: str, words: Words) -> str:
    """Name the opponents of the player called ``name``."""
    return ", ".join(each for each in game.names if each not in ("", name)) or words.t(
        "nobody else"
    )


def briefly_in_words(game: CorrespondenceGame, name: str, now: float, words: Words) -> str:
    """Describe a game in a list, what matters most first: whose turn it is and how long, and the players."""
    if game.waits:
        said = words.t("your turn")
    elif game.awaited:
        said = words.t("waiting for {names}", names=words.listed(game.awaited))
    else:
        said = _how_far(game, words)
    left = span_in_words(max(0.0, game.due - now), words) if game.due else ""
    return f"{', '.join(filter(None, (said, left)))}: {others_in_words(game, name, words)}"


def _left_in_words(seconds: float, words: Words) -> str:
    if seconds < 2 * DAY:
        return time_in_words(max(0, round(seconds)), words)
    return span_in_words(seconds, words)


def _how_far(game: CorrespondenceGame, words: Words) -> str:
    if game.status is Status.OPEN:
        return words.t("waiting for players") if "" in game.names else words.t("ready to start")
    if game.status is Status.OVER:
        return words.p("table", "over")
    return words.t(
        "stage {stage} of {stages}, round {round} of {rounds}",
        stage=game.stage + 1,
        stages=game.options.rules.stages,
        round=game.round + 1,
        rounds=game.options.rules.rounds,
    )


LOBBY_AT_ONCE: Final = 12_000
"""Bytes of a lobby that programs are told by itself after a quiet time, and ..."""
LOBBY_A_SECOND: Final = 2_500
"""... in the long run: what many people do would be told to each of them."""
_NAMED: Final = 200
"""Most people that are named: more have room on no screen."""


class TableLine(NamedTuple):
    """A table in the list."""

    id: str
    title: str
    facts: tuple[str, ...]
    """Edition, variant rules and pace, in words."""
    seats: str
    """"3/5"."""
    names: str
    """Names of the players, in words."""
    state: str
    """"open", "stage 2/5", "over"."""
    joinable: bool
    begun: bool


class GameLine(NamedTuple):
    """How a game goes that one could watch; a seat each."""

    names: tuple[str, ...]
    levels: tuple[int, ...]
    """0 for no tide, -1 for who is out."""
    points: tuple[int, ...]
    life_preservers: tuple[int, ...]
    round: str
    """In words."""
    ahead: str
    """The leader, in words; empty where more than two lead."""
    tides: str
    """All of them, in words."""


class LobbyModel(NamedTuple):
    """The lobby."""

    tables: tuple[TableLine, ...]
    here: tuple[tuple[str, str], ...]
    """People who are here and what they do, if anything, in words; at most the first of very many."""
    people: str
    """Number of people, in words."""
    hidden: int = 0
    """Tables that do not fit the filter."""
    folded: int = 0
    """Tables that are only counted: games against bots, and what is over."""
    games: Mapping[str, GameLine] = MappingProxyType({})
    """How they go, by the ids of their tables."""

    @property
    def here_in_words(self) -> str:
        """All of these in one line."""
        return ", ".join(f"{name} ({doing})" if doing else name for name, doing in self.here)


class SeatLine(NamedTuple):
    """A seat of a table that has not begun."""

    seat: int
    name: str
    """What to call who sits there; words for an empty seat."""
    tag: str
    taken: bool
    you: bool
    owner: bool
    manner: str = ""
    """Which cards a bot likes to bid, where it has a manner."""


class WaitingModel(NamedTuple):
    """A table that waits for players."""

    facts: tuple[str, ...]
    brief: tuple[str, ...]
    """Forms with fewer words, where there is little room."""
    seats: tuple[SeatLine, ...]
    full: bool
    lines: tuple[str, ...]
    """What to do now, as sentences."""


@cached_by_identity(2, 16)
def present_lobby(
    lobby: m.LobbySnapshot,
    words: Words,
    wanted: str = "",
    unfolded: bool = False,
    solo: bool = False,
) -> LobbyModel:
    """The lobby, the same for everybody in it who would see the same tables: those that fit ``wanted``.

    Unless something is wanted, or they are ``unfolded``, what is over is counted, and without ``solo``
    games against bots as well.
    """
    shown, fit = _lines(lobby.tables, words, wanted, unfolded, solo)
    return LobbyModel(
        tables=shown,
        here=_here(lobby, words),
        people=words.n("{count} player is here", "{count} players are here", len(lobby.players)),
        hidden=len(lobby.tables) - fit,
        folded=fit - len(shown),
        games=present_games(lobby, words),
    )


def _lines(
    rows: tuple[m.TableRow, ...], words: Words, wanted: str, unfolded: bool, solo: bool
) -> tuple[tuple[TableLine, ...], int]:
    """Return the lines that are shown, and how many fit."""
    tables = fit = filtered(rows, wanted, words)
    if not wanted and not unfolded:
        tables = tuple(
            row for row in fit if (solo or not row.solo) and row.status is not m.Status.OVER
        )
    return tuple(_line(table, words) for table in tables), len(fit)


@cached_by_identity(2, 16)
def present_games(lobby: m.LobbySnapshot, words: Words) -> Mapping[str, GameLine]:
    """How the games go that one could watch, by the ids of their tables, in the order of these."""
    games = {game.table: game for game in lobby.games}
    return {
        row.id: _game(row.names, games[row.id], words) for row in lobby.tables if row.id in games
    }


def _game(names: tuple[str, ...], game: m.GameNow, words: Words) -> GameLine:
    return GameLine(
        names,
        game.levels,
        game.points,
        game.life_preservers,
        words.t("round {round}", round=game.round + 1),
        ahead_in_words(names, game, words),
        tides_in_words(names, game, words),
    )


# Most rows are in the next lobby as well.
@cached_by_identity(2, 1024)
def _line(table: m.TableRow, words: Words) -> TableLine:
    rules, watch = table.options.rules, table.spectators
    taken = sum(bool(name) for name in table.names)
    facts = (
        rules.edition.called,
        words.t("known deal") if table.known else "",
        # What decides first comes first: a list has not room for all of it everywhere.
        *listed_options(table.options, words, decides=True),
        _ratings(table, words),
        *listed_options(table.options, words, decides=False),
        words.n("{count} seat is kept", "{count} seats are kept", table.kept) if table.kept else "",
        words.n("{count} spectator", "{count} spectators", watch) if watch else "",
    )
    if table.status is m.Status.OPEN:
        state = words.p("table", "open")
    elif table.status is m.Status.PLAYING:
        state = words.t("stage {stage}/{stages}", stage=table.stage + 1, stages=rules.stages)
    else:
        state = words.p("table", "over")
    return TableLine(
        id=table.id,
        title=table.title,
        facts=tuple(filter(None, facts)),
        seats=f"{taken}/{rules.players}",
        names=_marked(filter(None, table.names), table.programs, words),
        state=state,
        joinable=table.status is m.Status.OPEN and taken < rules.players,
        begun=table.status is not m.Status.OPEN,
    )


def _here(lobby: m.LobbySnapshot, words: Words) -> tuple[tuple[str, str], ...]:
    """Return people and their tables; those at none come last."""
    doing = dict[str, str]()
    for row in lobby.tables:
        sits = words.t("today's tide") if is_day(row.event) else row.title
        watches = words.t("watches {title}", title=row.title)
        doing |= {**dict.fromkeys(row.watching, watches), **dict.fromkeys(row.names, sits)}
    here = sorted(lobby.players[:_NAMED], key=lambda name: name not in doing)
    mark = words.t("{name} (program)")
    return tuple(
        (mark.format(name=name) if name in lobby.programs else name, doing.get(name, ""))
        for name in here
    )


def _marked(names: Iterable[str], programs: Sequence[str], words: Words) -> str:
    """Names in a list; those of programs say so."""
    mark = words.t("{name} (program)")
    return ", ".join(mark.format(name=name) if name in programs else name for name in names)


def _ratings(table: m.TableRow, words: Words) -> str:
    """How strong the people there are, as far as they have ratings."""
    if table.ratings is None:
        return ""
    least, most = table.ratings
    text = _("rating {rating}") if least == most else _("ratings {least}-{most}")
    return words.t(text, rating=least, least=least, most=most)


def _waiting_tag(who: m.SeatInfo, words: Words) -> str:
    if who.kept:
        return words.t("kept for {name}", name=who.kept)
    facts = (seat_tag(who, words), who.strategy)
    return ", ".join(filter(None, facts))


def present_waiting(table: m.TableSnapshot, words: Words) -> WaitingModel:
    """A table before its game."""
    info = table.info
    seats = [
        SeatLine(
            seat=number,
            name=words.t("empty") if who.occupant is m.Occupant.NOBODY else who.name,
            tag=_waiting_tag(who, words),
            taken=who.occupant is not m.Occupant.NOBODY,
            you=number == table.seat,
            owner=number == info.owner,
            manner=words.t(MANNERS[who.manner].line) if who.manner else "",
        )
        for number, who in enumerate(info.seats)
    ]
    full = all(seat.taken for seat in seats)
    whose = info.seats[info.owner].name if info.owner >= 0 else "-"
    if table.owned and full:
        texts = [_("Everybody is here: press Enter to start.")]
    elif table.owned and info.options.rated:
        texts = [
            _("Seats are empty. Friends join with the code {code}."),
            _("Rated games are between people: bots cannot play in them."),
        ]
    elif table.owned:
        texts = [
            _("Seats are empty. Friends join with the code {code}; press a for a bot."),
            _("Enter lets the kept seats go, fills the rest with bots and starts.")
            if any(seat.kept for seat in info.seats)
            else _("Enter fills the rest with bots and starts."),
        ]
    elif info.event:
        texts = [_("The game begins by itself when everybody is here, or shortly anyway.")]
    elif full:
        texts = [_("Everybody is here; {name} starts the game.")]
    else:
        texts = [_("Waiting for players; {name} starts the game.")]
    lines = tuple(words.t(text, code=info.id, name=whose) for text in texts)
    known = (words.t("known deal"),) if info.known else ()
    return WaitingModel(
        (*known, *options_in_words(info.options, words)),
        (*known, *options_in_brief(info.options, words)),
        tuple(seats),
        full,
        lines,
    )


Test = Callable[[TableRow], bool]

LONGEST: Final = 40
"""Characters of a filter."""


_OF_TABLES: Final[dict[str, Test]] = {
    p_("filter", "all"): lambda row: True,
    p_("filter", "free"): lambda row: row.has_room,
    p_("filter", "open"): lambda row: row.status is Status.OPEN,
    p_("filter", "running"): lambda row: row.status is Status.PLAYING,
    p_("filter", "solo"): lambda row: row.solo,
    p_("filter", "over"): lambda row: row.status is Status.OVER,
}


def _tests() -> dict[str, Test]:
    """Every word, and what it asks of a table."""
    found = {
        word: lambda row, test=test: test(row.options)
        for option in OPTIONS
        for word, test in (option.filters or {}).items()
    }
    return _OF_TABLES | found


def known_words(words: Words) -> dict[str, str]:
    """What can be typed, and the English word that it stands for."""
    tests = _tests()
    also = {word: meant for word, meant in ALSO_TYPED.items() if meant in tests}
    return vocabulary("filter", tests, words, also)


def filtered(tables: tuple[TableRow, ...], wanted: str, words: Words) -> tuple[TableRow, ...]:
    """Return the tables that fit every word of ``wanted``.

    One of the known words, or a part of a title, a code, a name or an edition.
    """
    if not wanted:
        return tables
    asked, tests = in_english(wanted, known_words(words)), _tests()
    return tuple(row for row in tables if all(_fits(row, word, tests) for word in asked))


def _fits(row: TableRow, word: str, tests: Mapping[str, Test]) -> bool:
    if word in tests:
        return tests[word](row)
    edition = row.options.rules.edition.called
    texts = (row.title, row.id, edition, *row.names)
    return any(word in text.casefold() for text in texts) or called(row.names, word) >= 0
