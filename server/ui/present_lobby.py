"""The lobby, a waiting table and the options form as view models."""

from server.coordinator.messages import (
    LobbySnapshot,
    Occupant,
    Pace,
    Status,
    TableOptions,
    TableRow,
    TableSnapshot,
)
from server.ui.i18n import Words
from server.ui.models.lobby import LobbyModel, OptionLine, SeatLine, TableLine, WaitingModel
from server.ui.presenter import seat_tag
from server.ui.sentences import EDITION_NAMES, pace_in_words, rules_in_words
from server.ui.sharing import shared


@shared(2, 16)
def present_lobby(lobby: LobbySnapshot, words: Words) -> LobbyModel:
    """The lobby, the same for everybody in it."""
    return LobbyModel(
        tables=tuple(_line(table, words) for table in lobby.tables),
        here=", ".join(lobby.players),
        people=words.n("{count} player is here", "{count} players are here", len(lobby.players)),
    )


def _line(table: TableRow, words: Words) -> TableLine:
    rules = table.options.rules
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
        facts=(*rules_in_words(rules, words), pace_in_words(table.options, words)),
        seats=f"{taken}/{rules.players}",
        names=", ".join(name for name in table.names if name),
        state=state,
        joinable=table.status is Status.OPEN and taken < rules.players,
        watchable=table.status is not Status.OPEN,
    )


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
                tag=seat_tag(who, words),
                taken=taken,
                you=number == table.seat,
                owner=number == info.owner,
            )
        )
    owner = info.owner == table.seat and table.seat >= 0
    full = all(seat.taken for seat in seats)
    lines: tuple[str, ...]
    if owner and full:
        lines = (words.t("Everybody is here: press Enter to start."),)
    elif owner:
        lines = (
            words.t(
                "Seats are empty. Friends join with the code {code}; bots with a.", code=info.id
            ),
            words.t("Enter fills the rest with bots and starts."),
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
        *((words.t("rated"),) if options.rated else ()),
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
            words.n("{count} card each", "{count} cards each", rules.hand_size),
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
            words.t("then a bot bids for who has not"),
            options.pace is not Pace.TIMED,
        ),
        OptionLine(
            words.t("Rated"),
            yes if options.rated else no,
            words.t("counts for the ratings; only people with an SSH key"),
            False,
        ),
    )
