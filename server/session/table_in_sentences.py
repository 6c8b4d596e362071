"""Hand, tides, table, log, lobby and the rest as sentences.

What line mode answers when asked, and what the full screen shows in place of a picture that cannot be
drawn.
"""

from collections.abc import Iterator, Sequence

from engine.editions import half_preservers
from engine.standings import standings
from engine.views import SeatView, TableView
from server.coordinator import messages as m
from server.coordinator.events.days import is_day
from server.i18n.lookup import Words, _
from server.session.preferences import is_tutorial
from server.text.events import climax_in_words, news_in_words, today_lines
from server.text.happenings import open_votes, vote_in_words, wins_in_words
from server.text.rounds import capital, course_in_words, highlights_in_words, left_in_words, signed
from server.text.tournaments import tournament_in_words
from server.viewmodels.lobby import present_games, present_lobby, present_waiting
from server.viewmodels.table import (
    code_of,
    hand_results,
    headline,
    log_of,
    present_table,
    rematch_in_words,
    seat_names,
    verdict,
)


def numbers(cards: tuple[int, ...]) -> str:
    """Cards as what is on them."""
    return " ".join(map(str, cards))


def view_of(table: m.TableSnapshot) -> TableView:
    """What everybody sees at a table where a game has begun."""
    assert table.table is not None
    return table.table


def dealt_line(own: SeatView, words: Words) -> str:
    """The hand a stage begins with, and its life preservers."""
    return words.n(
        "Your hand: {cards}. You have {count} life preserver.",
        "Your hand: {cards}. You have {count} life preservers.",
        own.table.seats[own.seat].start,
        cards=numbers(own.dealt),
    )


def hand_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """The own hand, which of its cards show life preservers, and the sealed bid."""
    own = table.own
    if own is None:
        yield words.t("You only watch here: you have no hand.")
    elif own.table.seats[own.seat].eliminated:
        yield words.t("You are out of this stage and hold no cards.")
    elif not own.hand:
        yield words.t("Your hand is empty.")
    else:
        yield words.t("Your hand: {cards}.", cards=numbers(own.hand))
        if whole := tuple(card for card in own.hand if half_preservers(card) == 2):
            yield words.t("A whole life preserver: {cards}.", cards=numbers(whole))
        if half := tuple(card for card in own.hand if half_preservers(card) == 1):
            yield words.t("Half a life preserver: {cards}.", cards=numbers(half))
        if own.bid:
            yield words.t("Your {card} is sealed.", card=own.bid)


def tides_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """The tide cards on offer, and who gets which."""
    low, high = (table.table and table.table.offer) or (0, 0)
    if not low:
        yield words.t("No tide cards are on offer.")
    elif low == high:
        yield words.t("Both tides are {tide}: the two highest bids take one each.", tide=low)
    else:
        yield words.t(
            "Tides {low} and {high}: the highest bid takes the {low}, the second highest the {high}.",
            low=low,
            high=high,
        )


def levels_line(table: m.TableSnapshot, words: Words) -> str:
    """Every seat's level and life preservers, in few words."""
    model = present_table(table.info, view_of(table), words)
    parts = [
        words.t("{name} out", name=seat.name)
        if seat.out
        else f"{seat.name} {seat.level_words}, {left_in_words(seat.left, words)}"
        for seat in model.seats
    ]
    return words.t("Players' tides: {levels}.", levels="; ".join(parts))


def table_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """Everything that decides a bid: a line for the game, one for the tides, one a seat, the hand."""
    info, view = table.info, view_of(table)
    model = present_table(info, view, words)
    # A game that is told again has no code that would invite anybody.
    name = _("Table {title}, code {code}") if info.id else _("Table {title}")
    yield words.t(
        "{table}. {facts}. Stage {stage} of {stages}, round {round} of {rounds}.",
        table=words.t(name, title=model.title, code=info.id),
        facts=", ".join((model.edition, *model.house_rules)),
        stage=view.stage + 1,
        stages=view.rules.stages,
        round=model.round,
        rounds=view.rules.rounds,
    )
    if view.offer is not None:
        yield from tides_lines(table, words)
    for seat in model.seats:
        level = seat.level_words
        if seat.level:
            level = words.t("tide {level}", level=level)
        left = words.n("{count} life preserver left", "{count} life preservers left", seat.left)
        stands = [words.t("{level}, the highest", level=level) if seat.highest else level, left]
        claimed = info.seats[seat.seat].claimed
        facts = [
            words.t("you") if seat.seat == table.seat else "",
            seat.tag,
            words.t("{name} from the next stage on", name=claimed) if claimed else "",
            *([words.t("out of this stage")] if seat.out else stands),
            words.n("{count} point", "{count} points", seat.score),
            words.t("in the lead") if seat.leader else "",
            words.t("has bid") if seat.sealed else "",
        ]
        said, number = ", ".join(filter(None, facts)), seat.seat + 1
        yield words.t("{number}: {name}, {facts}.", number=number, name=seat.name, facts=said)
    if table.own is not None:
        yield from hand_lines(table, words)
    yield from (f"{vote_in_words(vote, info, words)}." for vote in open_votes(info))
    if info.pause is m.Pause.VOTED:
        yield words.t("The game is paused.")
    elif info.pause is m.Pause.SUSPENDED:
        yield words.t("The game is suspended until a player is back.")
    if info.spectators:
        yield words.n("{count} is watching.", "{count} are watching.", info.spectators)
    if table.behind:
        yield words.t("You are watching: each round is shown when it is over.")


def log_lines(table: m.TableSnapshot, words: Words, last: int = 0) -> list[str]:
    """This stage's rounds, oldest first; only the ``last`` ones, if any are asked for."""
    view = view_of(table)
    rounds = log_of(table.info, view, words, table.seat)
    if not rounds:
        return [words.t("No round of this stage has been played yet.")]
    lines, names = [], seat_names(table.info)
    for entry in reversed(rounds[:last] if last else rounds):
        what = ". ".join((", ".join(entry.bids), *(capital(why, names) for why in entry.why)))
        lines.append(words.t("Round {round}: {what}.", round=entry.number, what=what))
    return lines


def played_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """The cards each seat has played in this stage; earlier stages' with assistance."""
    for seat in present_table(table.info, view_of(table), words).seats:
        cards = numbers(seat.played) or words.t("none yet")
        line = words.t("{name} has played {cards}.", name=seat.name, cards=cards)
        if cards := numbers(seat.earlier):
            line += " " + words.t("Of this hand in earlier stages: {cards}.", cards=cards)
        yield line
    for hand in table.own.own_earlier if table.own is not None else ():
        name, cards = seat_names(table.info)[hand.holder], numbers(hand.cards)
        yield words.t("{name} now holds your earlier hand: {cards}.", name=name, cards=cards)


def scores_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """Points per stage and totals; in the end how fair the deal was."""
    view = view_of(table)
    for number, name in enumerate(seat_names(table.info) if view.points else ()):
        stages = ", ".join(
            signed(points[number]) + ("'" if number in bonus else "")
            for points, bonus in zip(view.points, view.bonuses, strict=True)
        )
        total = sum(points[number] for points in view.points)
        yield words.t("{name}: {stages}; total {total}.", name=name, stages=stages, total=total)
    if view.points:
        yield words.t("An apostrophe marks the bonus for the lowest tide.")
    else:
        yield words.t("No stage is over yet: everybody has 0 points.")
    if table.info.status is m.Status.OVER:
        yield from course_lines(table, words)
        yield from fairness_lines(table, words)


def final_lines(table: m.TableSnapshot, words: Words) -> list[str]:
    """The standings, and what can be told others of a day."""
    info, view, names = table.info, view_of(table), seat_names(table.info)
    tell = words.t('Type "share" for your result, to tell others, or "today" for the ranking.')
    totals = ", ".join(f"{names[each.seat]} {each.total}" for each in standings(view))
    you = headline(view, table.seat, words)
    over = words.t("The game is over. {verdict}", verdict=verdict(info, view, words))
    return [
        f"{you} {over}" if you else over,
        words.t("Standings: {standings}.", standings=totals),
        *filter(None, [wins_in_words(info, words)]),
        *(f"{each[:1].upper()}{each[1:]}." for each in highlights_in_words(view, names, words)),
        *([tell] if table.seat >= 0 and is_day(info.event) else []),
    ]


def course_lines(table: m.TableSnapshot, words: Words) -> tuple[str, ...]:
    """How the game went, as the chart of the full screen shows it."""
    return course_in_words(view_of(table), seat_names(table.info), words)


def fairness_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """How each hand went, and the seed behind the commitment."""
    info = table.info
    for hand in hand_results(info, view_of(table), words):
        results = ", ".join(f"{name} {signed(points)}" for name, points, _ in hand.results)
        yield words.t("Hand {label}: {results}.", label=hand.label, results=results)
    if info.seed:
        yield words.t("Seed: {seed}", seed=info.seed)
        yield words.t("To play this deal again, type: deal {code}", code=code_of(info))
    yield words.t("Commitment: {commitment}", commitment=info.commitment)


def seats_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """A table before its game, and who sits there."""
    model = present_waiting(table, words)
    title, code, facts = table.info.title, table.info.id, ", ".join(model.facts)
    yield words.t("Table {title}, code {code}: {facts}.", title=title, code=code, facts=facts)
    for seat in model.seats:
        you = words.t("you") if seat.you else ""
        owner = words.t("may start") if seat.owner else ""
        name = ", ".join(filter(None, (seat.name, seat.tag, seat.manner, you, owner)))
        yield words.t("{number}: {name}.", number=seat.seat + 1, name=name)


def waiting_lines(table: m.TableSnapshot, words: Words) -> Iterator[str]:
    """Describe a table before its game, and what its owner can type."""
    yield from seats_lines(table, words)
    model = present_waiting(table, words)
    if not table.owned or not (model.full or not table.info.options.rated):
        yield from model.lines
    elif model.full:
        yield words.t('Everybody is here: type "start".')
    else:
        yield words.t(
            'Seats are empty: friends join with the code; type "add" for a bot, then "start".'
        )


def tables_lines(lobby: m.LobbySnapshot, words: Words, wanted: str = "") -> Iterator[str]:
    """List the people here, and the tables that fit ``wanted``."""
    model = present_lobby(lobby, words, wanted)
    yield f"{model.people}: {model.here_in_words}."
    for table in model.tables:
        game = model.games.get(table.id)
        yield words.t(
            "{code}, {title}: {facts}; {state}. {seats} seats taken: {names}.",
            code=table.id,
            title=table.title,
            facts=", ".join(table.facts),
            seats=table.seats,
            names=table.names or "-",
            state=f"{table.state}, {game.ahead}" if game and game.ahead else table.state,
        )


def lobby_lines(lobby: m.LobbySnapshot, words: Words, wanted: str = "") -> Iterator[str]:
    """Describe the lobby, and how to see other tables."""
    yield from tables_lines(lobby, words, wanted)
    model = present_lobby(lobby, words, wanted)
    if model.folded:
        yield words.n(
            '{count} more, against bots or over: type "lobby all".',
            '{count} more, against bots or over: type "lobby all".',
            model.folded,
        )
    if model.hidden and not model.tables:
        yield words.t('There is no such table just now; type "any" for any game.')
    elif not model.tables and not model.folded:
        yield words.t("There are no tables yet.")


def news_lines(
    lobby: m.LobbySnapshot,
    news: Sequence[m.News],
    tournaments: Sequence[m.TournamentInfo],
    now: float,
    words: Words,
) -> Iterator[str]:
    """What goes on and has happened lately: of today's tide, of tournaments, at the tables."""
    for one in news:
        said = (news_in_words(one, words), climax_in_words(one, words))
        yield f"{'; '.join(filter(None, said))}."
    if not news:
        yield words.t("Nobody has won a game lately.")
    told = today_lines(lobby.today, now, words)
    yield words.t("Today's tide: {told}.", told="; ".join(told))
    for each in tournaments:
        if each.phase is not m.TournamentPhase.OVER:
            yield f"{tournament_in_words(each, now, words)}."
    rows = {row.id: row for row in lobby.tables}
    for code, game in present_games(lobby, words).items():
        row = rows[code]
        yield words.t(
            "{title} ({code}), stage {stage} of {stages}, {round}: {facts}.",
            title=row.title,
            code=code,
            stage=row.stage + 1,
            stages=row.options.rules.stages,
            round=game.round,
            facts="; ".join(filter(None, (game.ahead, game.tides))),
        )


def place_lines(
    lobby: m.LobbySnapshot | None,
    table: m.TableSnapshot | None,
    words: Words,
    now: float,
    *,
    typed: bool = True,
) -> Iterator[str]:
    """Where one is and what there is to see ``now``, whatever the place; and what can be ``typed`` there."""
    if table is None:
        told = lobby_lines if typed else tables_lines
        yield from told(lobby, words) if lobby is not None else ()
    elif table.info.status is m.Status.OPEN or table.table is None:
        yield from (waiting_lines if typed else seats_lines)(table, words)
    elif table.info.status is not m.Status.OVER:
        yield from table_lines(table, words)
        if typed and table.info.pause is m.Pause.VOTED and table.seat >= 0:
            yield words.t('Type "resume" to go on.')
    else:
        yield from final_lines(table, words)
        if asked := rematch_in_words(table.info, now, words):
            yield asked
        if typed:
            yield after_game_line(table, words)


def after_game_line(table: m.TableSnapshot, words: Words) -> str:
    """What can be typed after a game."""
    if table.seat >= 0 and is_tutorial(table.info):
        return words.t('Type "again" for a whole game, "reveal" for all hands, or "leave".')
    if table.info.event:
        return words.t('Type "replay" to see the game again, or "leave".')
    if table.seat < 0:
        return words.t('Type "reveal" for all hands, or "leave".')
    return words.t('Type "again" for another game, "reveal" for all hands, or "leave".')
