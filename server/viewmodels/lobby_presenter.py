"""The lobby, a waiting table and the options form as view models."""

from server.coordinator.messages import (
    LobbySnapshot,
    Occupant,
    Pace,
    Spectating,
    Status,
    TableOptions,
    TableRow,
    TableSnapshot,
)
from server.i18n.catalogues import Words
from server.terminal.identity_cache import shared
from server.text.rounds import EDITION_NAMES, pace_in_words, rules_in_words
from server.viewmodels.lobby import LobbyModel, OptionLine, SeatLine, TableLine, WaitingModel
from server.viewmodels.lobby_filter import filtered, is_over
from server.viewmodels.table_presenter import seat_tag


@shared(2, 16)
def present_lobby(
    lobby: LobbySnapshot, words: Words, wanted: str = "", unfolded: bool = False
) -> LobbyModel:
    """The lobby, the same for everybody in it who would see the same tables: those that fit ``wanted``.
    Unless something is wanted, or they are ``unfolded``, games against bots, and what is over, are counted.
    """
    tables = fit = filtered(lobby.tables, wanted, words)
    if not wanted and not unfolded:
        tables = tuple(row for row in fit if not row.solo and not is_over(row))
    return LobbyModel(
        tables=tuple(_line(table, words) for table in tables),
        here=", ".join(lobby.players),
        people=words.n("{count} player is here", "{count} players are here", len(lobby.players)),
        hidden=len(lobby.tables) - len(fit),
        folded=len(fit) - len(tables),
    )


def _line(table: TableRow, words: Words) -> TableLine:
    rules, watch = table.options.rules, table.spectators
    taken = sum(bool(name) for name in table.names)
    if table.status is Status.OPEN:
        state = words.p("table", "open")
    elif table.status is Status.PLAYING:
        state = words.t("stage {stage}/{stages}", stage=table.stage + 1, stages=rules.stages)
    else:
        state = words.p("table", "over")
    return TableLine(
        id=table.id,
        title=table.title,
        edition=EDITION_NAMES[rules.edition],
        facts=(
            # What decides first comes first: a list has not room for all of it everywhere.
            pace_in_words(table.options, words),
            *((words.t("rated"),) * table.options.rated),
            *_ratings(table, words),
            *rules_in_words(rules, words),
            *_spectating(table.options, words),
            *(
                (words.n("{count} seat is kept", "{count} seats are kept", table.kept),)
                * bool(table.kept)
            ),
            *((words.n("{count} spectator", "{count} spectators", watch),) * bool(watch)),
        ),
        seats=f"{taken}/{rules.players}",
        names=", ".join(name for name in table.names if name),
        state=state,
        joinable=table.status is Status.OPEN and taken < rules.players,
        watchable=table.status is not Status.OPEN,
    )


def _ratings(table: TableRow, words: Words) -> tuple[str, ...]:
    """How strong the people there are, as far as they have ratings."""
    if table.ratings is None:
        return ()
    least, most = table.ratings
    if least == most:
        return (words.t("rating {rating}", rating=least),)
    return (words.t("ratings {least} to {most}", least=least, most=most),)


def _more_in_words(options: TableOptions, words: Words) -> tuple[str, ...]:
    """Whether the result counts, and who may watch, where that is not as usual."""
    return (*((words.t("rated"),) * options.rated), *_spectating(options, words))


def _spectating(options: TableOptions, words: Words) -> tuple[str, ...]:
    if options.spectators is Spectating.DELAYED:
        return (words.t("spectators a round late"),)
    return (words.t("no spectators"),) if options.spectators is Spectating.NONE else ()


def present_waiting(table: TableSnapshot, words: Words) -> WaitingModel:
    """A table before its game."""
    info = table.info
    seats = []
    for number, who in enumerate(info.seats):
        taken = who.occupant is not Occupant.NOBODY
        seats.append(
            SeatLine(
                seat=number,
                name=who.name if taken else words.t("empty"),
                tag=words.t("kept for {name}", name=who.kept) if who.kept else seat_tag(who, words),
                taken=taken,
                you=number == table.seat,
                owner=number == info.owner,
            )
        )
    owner = info.owner == table.seat and table.seat >= 0
    kept = any(seat.kept for seat in info.seats)
    full = all(seat.taken for seat in seats)
    lines: tuple[str, ...]
    if owner and full:
        lines = (words.t("Everybody is here: press Enter to start."),)
    elif owner and info.options.rated:
        lines = (
            words.t("Seats are empty. Friends join with the code {code}.", code=info.id),
            words.t("Rated games are between people: bots cannot play in them."),
        )
    elif owner:
        lines = (
            words.t(
                "Seats are empty. Friends join with the code {code}; press a for a bot.",
                code=info.id,
            ),
            words.t("Enter lets the kept seats go, fills the rest with bots and starts.")
            if kept
            else words.t("Enter fills the rest with bots and starts."),
        )
    elif full:
        lines = (words.t("Everybody is here; {name} starts the game.", name=_owner(table)),)
    else:
        lines = (words.t("Waiting for players; {name} starts the game.", name=_owner(table)),)
    return WaitingModel(
        title=info.title,
        code=info.id,
        facts=options_in_words(info.options, words),
        seats=tuple(seats),
        owner=owner,
        full=full,
        lines=lines,
        private=info.private,
        watching=table.seat < 0,
        word=table.word,
        bots=not info.options.rated,
    )


def _owner(table: TableSnapshot) -> str:
    owner = table.info.owner
    return table.info.seats[owner].name if owner >= 0 else "-"


def options_in_words(options: TableOptions, words: Words) -> tuple[str, ...]:
    """Everything that was chosen, as short facts."""
    rules = options.rules
    stages = words.n("{count} stage", "{count} stages", rules.stages)
    return (
        EDITION_NAMES[rules.edition],
        words.n("{count} player", "{count} players", rules.players),
        stages,
        *rules_in_words(rules, words)[rules.stages < rules.players :],
        pace_in_words(options, words),
        *_more_in_words(options, words),
    )


def present_options(options: TableOptions, words: Words) -> tuple[OptionLine, ...]:
    """The form; its lines are in the order of ``options_form.FIELDS``."""
    rules = options.rules
    yes, no = words.t("yes"), words.t("no")
    bga = rules.edition.value == "bga"
    paces = {
        Pace.TIMED: words.t("timed"),
        Pace.UNTIMED: words.t("untimed"),
        Pace.CORRESPONDENCE: words.t("by correspondence"),
    }
    if rules.passes_loss_on:
        passes = words.t("a loss nobody can pay is passed on")
    else:
        passes = words.t("a loss nobody can pay is not passed on")
    return (
        OptionLine(words.t("Edition"), EDITION_NAMES[rules.edition], passes, False),
        OptionLine(
            words.t("Players"),
            str(rules.players),
            words.n(
                "seats, yours included; {count} card each",
                "seats, yours included; {count} cards each",
                rules.hand_size,
            ),
            False,
        ),
        OptionLine(
            words.t("Stages"),
            str(rules.stages),
            words.t("the printed game has as many as players")
            if rules.stages < rules.players
            else words.t("everybody plays every hand"),
            False,
        ),
        OptionLine(
            words.t("Modified drowning"),
            yes if rules.modified_drowning else no,
            words.t("a loss nobody can pay is dropped")
            if bga
            else words.t("Board Game Arena only"),
            not bga,
        ),
        OptionLine(
            words.t("Assistance"),
            yes if rules.assistance else no,
            words.t("earlier stages' cards are shown, and your earlier hands"),
            False,
        ),
        OptionLine(
            words.t("Pace"),
            paces[options.pace],
            words.t("the table is kept for you") if options.pace is Pace.CORRESPONDENCE else "",
            False,
        ),
        OptionLine(
            words.t("Time for a round"),
            pace_in_words(options, words) if options.pace is not Pace.UNTIMED else "-",
            words.t("a bot bids for whoever has not bid"),
            options.pace is not Pace.TIMED,
        ),
        OptionLine(
            words.t("Rated"),
            yes if options.rated else no,
            words.t("counts for the ratings; only people with an SSH key"),
            False,
        ),
        OptionLine(
            words.t("Spectators"),
            {
                Spectating.OPEN: words.t("welcome"),
                Spectating.DELAYED: words.t("a round late"),
                Spectating.NONE: words.t("none"),
            }[options.spectators],
            {
                Spectating.OPEN: words.t("they see what everybody sees, no hands"),
                Spectating.DELAYED: words.t("they see a round when it is over"),
                Spectating.NONE: words.t("nobody watches, nobody takes a bot's place"),
            }[options.spectators],
            False,
        ),
    )
