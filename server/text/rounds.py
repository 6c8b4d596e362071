"""Sentences about what happened: the one place where codes and results become words."""

from collections.abc import Collection, Mapping
from typing import Final

from engine.editions import Rules
from engine.results import LossEnd, RoundResult
from server.coordinator import messages as m
from server.i18n.catalogues import Plural, Words
from server.i18n.catalogues import gettext_noop as _
from server.i18n.catalogues import ngettext_noop as n_

Names = tuple[str, ...]


def capital(text: str, names: Names = ()) -> str:
    """``text`` with a capital letter, unless it begins with one of ``names``: those stay as they are."""
    if any(text.startswith(name) for name in names):
        return text
    return text[:1].upper() + text[1:]


def signed(points: int) -> str:
    """Points of a stage: "+3", "0", "-1"."""
    return f"{points:+d}" if points else "0"


def bids_in_words(
    result: RoundResult, names: Names, words: Words, by_bots: Collection[int] = ()
) -> tuple[str, ...]:
    """Every revealed bid, the highest first; the first two say what they took. On the seats ``by_bots``, a
    bot has bid for somebody.
    """
    bids = sorted(((bid, seat) for seat, bid in enumerate(result.bids) if bid), reverse=True)
    said = []
    for place, (bid, seat) in enumerate(bids):
        text = _("{name} {card} took {tide}") if place < 2 else _("{name} {card}")
        card = f"{bid} ({words.t('bot')})" if seat in by_bots else str(bid)
        tide = result.offer[min(place, 1)]
        said.append(words.t(text, name=names[seat], card=card, tide=tide))
    return tuple(said)


def losses_in_words(
    result: RoundResult, names: Names, rules: Rules, words: Words
) -> tuple[str, ...]:
    """Who lost a life preserver and why, step by step, and why it went no further."""
    said = []
    for step, loss in enumerate(result.losses):
        lost, out = (tuple(names[seat] for seat in seats) for seats in (loss.lost, loss.eliminated))
        either, text = words.listed(lost or out), _LOSSES[len(lost), len(out)][step > 0]
        values = {"lost": words.listed(lost), "out": words.listed(out), "tide": loss.level}
        said.append(words.t(text, name=either, names=either, **values))
    if ending := _ending(result, rules):
        said.append(words.t(ending))
    return tuple(said)


_LOSSES: Final = {
    (1, 0): (
        _("{name} lost a life preserver (tide {tide}, the highest)"),
        _("passed on: {name}, now the highest (tide {tide}), lost one instead"),
    ),
    (2, 0): (
        _("{names} share the highest tide ({tide}): each lost a life preserver"),
        _("passed on: {names}, now the highest (tide {tide}), lost one each instead"),
    ),
    (0, 1): (
        _(
            "{name} had no life preserver left to lose (tide {tide}, the highest)"
            " and is out of this stage"
        ),
        _("passed on: {name}, now the highest (tide {tide}), had none left and is out as well"),
    ),
    (0, 2): (
        _(
            "{names} share the highest tide ({tide}) and had no life preserver left to lose:"
            " both are out of this stage"
        ),
        _("passed on: {names}, now the highest (tide {tide}), had none left and are out as well"),
    ),
    (1, 1): (
        _(
            "{lost} and {out} share the highest tide ({tide}): {lost} lost a life preserver,"
            " {out} had none left and is out of this stage"
        ),
        _(
            "passed on: of the highest now (tide {tide}), {lost} lost one"
            " and {out} had none left and is out as well"
        ),
    ),
}
"""By how many lost one, and how many were eliminated: of the first loss, and of one that was passed on."""


_TOO_FEW_LEFT: Final = (
    _("nothing is passed on: nobody is left"),
    _("nothing is passed on: only one is left"),
    _("nothing is passed on: only two are left"),
)


def _ending(result: RoundResult, rules: Rules) -> str:
    """Why a loss went no further, to be translated; empty when there is nothing to explain."""
    match result.loss_end:
        case LossEnd.NO_TIDE:
            return _("nobody still in shows a tide card: nobody loses anything")
        case LossEnd.TWO_LEFT:
            return _TOO_FEW_LEFT[_inside(result)]
        case LossEnd.NOT_PASSED_ON if rules.modified_drowning:
            return _("nothing is passed on: modified drowning")
        case LossEnd.NOT_PASSED_ON:
            return _("nothing is passed on in this edition")
    if result.eliminated and result.lost and len(result.losses) == 1:
        return _("nothing is passed on: a life preserver was turned over")
    return ""


def _inside(result: RoundResult) -> int:
    """How many are still in the stage."""
    return sum(level is not None for level in result.levels)


def winner_name(name: str, left: bool, words: Words) -> str:
    """Who has won; who gave the game up has not, the bot that played on has."""
    return f"{name} ({words.t('bot')})" if left else name


_ENDS_AT_ONCE: Final = (
    _("nobody is left, so it ends at once"),
    _("only one is left, so it ends at once"),
    _("only two are left, so it ends at once"),
)


def stage_end_in_words(result: RoundResult, rounds: int, rules: Rules, words: Words) -> str:
    """Why a stage that has ended after ``rounds`` rounds is over."""
    inside = _inside(result)
    if rounds == rules.rounds and inside > 2:
        return words.t("every card has been played")
    return words.t(_ENDS_AT_ONCE[inside])


def pace_in_words(options: m.TableOptions, words: Words) -> str:
    """How long a round may take."""
    if options.pace is m.Pace.UNTIMED:
        return words.t("untimed")
    if options.pace is m.Pace.CORRESPONDENCE:
        return words.t("a day a round")
    if options.pace is m.Pace.FAST:
        return words.t("fast, for programs")
    return words.t("{seconds} s a round", seconds=options.seconds)


def time_in_words(seconds: int, words: Words) -> str:
    """So long, in seconds, or in minutes or hours where those say enough."""
    if seconds < 100:
        return words.n("{count} second", "{count} seconds", seconds)
    minutes = -(-seconds // 60)
    if minutes < 100:
        return words.n("{count} minute", "{count} minutes", minutes)
    return words.n("{count} hour", "{count} hours", -(-minutes // 60))


_REFUSALS: Final[Mapping[str, str | Plural]] = {
    "too_late": _("Too late: the bids had just been revealed. Nothing was changed."),
    "no_tides": _("The next tide cards are not turned up yet."),
    "tides_on_offer": _("The tide cards are on offer already."),
    "game_over": _("The game is over."),
    "eliminated": _("You are out of this stage."),
    "not_in_hand": _("You do not hold the {card}."),
    "no_such_seat": _("There is no such seat."),
    "not_seated": _("You have no seat at this table."),
    "seated_elsewhere": _("You already have a seat at a table; leave it first."),
    "no_such_table": _("There is no such table any more."),
    "table_full": _("Every seat at that table is taken."),
    "seat_taken": _("Somebody has just taken that seat."),
    "not_owner": _("Only the owner of the table can do that."),
    "not_open": _("The game at that table has begun already."),
    "already_playing": _("The game is running already."),
    "seats_empty": _("Some seats are still empty: wait, or add bots."),
    "not_over": _("The game is not over yet."),
    "too_many_tables": _("The server has no room for another table just now."),
    "too_many_opened": _(
        "You have opened many tables, and bots still play at them: wait until some are over."
    ),
    "too_many_from_there": _(
        "Many tables have been opened from where you are: wait until some are over, or join one."
    ),
    "too_many_games": n_(
        "You have begun many games: you can begin another one in {count} second.",
        "You have begun many games: you can begin another one in {count} seconds.",
    ),
    "too_many_games_there": n_(
        "Many games have been begun from where you are: another one can begin in {count} second.",
        "Many games have been begun from where you are: another one can begin in {count} seconds.",
    ),
    "no_such_strategy": _("There is no such bot."),
    "closing": _("No new games begin here just now."),
    "wrong_round": _("That round is still to come. Nothing was changed."),
    "not_playing": _("There is no game at this table just now."),
    "seat_empty": _("Nobody sits there."),
    "own_seat": _("That is your own seat: leave instead (Esc)."),
    "no_human": _("There is no player on that seat to take it over."),
    "too_many_seated": _("More people sit here than that game has seats."),
    "bad_deal": _("That is neither the code of a deal nor a word for one (letters and digits)."),
    "deal_rules": _("This table plays a given deal: its rules stay, and it is not rated."),
    "seconds": _("That is too short or too long for a round."),
    "paused": _("The game is paused."),
    "no_guess": _(
        "Only players who are out of the stage guess, and only players still in it can take the high tide."
    ),
    "no_hints": _("This table gives no hints."),
    "no_today": _("There is no deal of the day on this server."),
    "today_guest": _("Today's tide is for players with an SSH key: a guest could play it twice."),
    "today_played": _("You have played today's tide. The next one begins at midnight UTC."),
    "event_game": _("That cannot be done in a game whose deal others play as well."),
    "no_such_tournament": _("There is no such tournament."),
    "no_director": _("Tournaments here are opened by operators."),
    "not_yours_to_direct": _("Only the person who opened a tournament can direct it."),
    "no_guests": _("Tournaments here are for players with an SSH key."),
    "tournament_over": _("That tournament is over."),
    "tournament_full": _("That tournament has no room for another player."),
    "tournament_share": _(
        "{most} players have registered from your address, half of the places. Who directs the tournament can"
        ' allow more: p on its page, or "tournament lift {tournament}".'
    ),
    "entered": _("You are registered already."),
    "not_entered": _("You are not registered there."),
    "nobody_entered": _('Nobody called "{name}" is registered.'),
    "too_few": _("Registered and connected: {players}. It takes {least} to begin."),
    "round_open": _("A round of that tournament goes on: close it first."),
    "no_round": _("No round of that tournament goes on."),
    "tournament_plan": _("A tournament cannot be opened like that: {what}."),
    "too_many_tournaments": _("You direct a tournament already, or there are too many here."),
    "not_paused": _("The game is not paused."),
    "not_absent": _("That player is here, or has not been gone for long enough."),
    "no_other_table": _("There is no other table to watch just now."),
    "too_many_spectators": _("There is no room for more spectators at that table."),
    "rated_guests": _("Rated games are for players with an SSH key: guests have no rating."),
    "rated_fast": _("Fast games are not rated."),
    "rated_bots": _("Rated games are between people: bots cannot play in them."),
    "rated_programs": _("Programs cannot play in rated games on this server."),
    "programs_only": _("Only programs and bots play at that table: it waits for nobody to read."),
    "nothing_said": _("There is nothing to say in that."),
    "no_such_phrase": _("There is no such phrase."),
    "no_table": _("You are not at a table."),
    "nobody_called": _('Nobody called "{name}" is here.'),
    "own_name": _("That is you."),
    "not_listening": _("{name} takes no direct messages just now."),
    "rated_round": _(
        "{name} is playing a rated game and takes no direct messages until it is over."
    ),
    "own_block": _("You do not hear {name} yourself: change that first."),
    "too_many_blocked": _("You have blocked as many people as can be."),
    "chat_wait": n_(
        "That was a lot at once: you can write again in {count} second.",
        "That was a lot at once: you can write again in {count} seconds.",
    ),
    "silenced": _("An operator has asked you to be quiet: you can write again in {time}."),
    "seat_kept": _("That seat is kept for somebody else."),
    "seat_not_empty": _("Somebody sits there: only an empty seat can be kept."),
    "removed": _("You were removed from that table: for some minutes you cannot sit down there."),
    "word_needed": _("That table is private: add its invitation word after the code."),
    "wrong_word": _("That is not the invitation word of that table."),
    "word_wait": _("Too many wrong words: wait a minute."),
    "word_form": _("An invitation word has 4 to 24 letters, digits or hyphens."),
    "no_spectators": _("That table takes no spectators."),
    "held_seat": _("You have had a seat in that game: wait for the next one."),
    "no_bot_seat": _("There is no bot at that table whose place you could take."),
    "busy": _("That was too much at once; try again in a moment."),
    "gone": _("This connection has handed over to another one."),
    "storage": _("The server could not write it down, so it has not happened. Try again."),
    "moving": _(
        "This table is being moved to another server just now. See what has become of it, and try again."
    ),
    "not_kept": _(
        "The server could not write that down: it holds for this visit, and not for the next one."
    ),
    "no_games": _("No games are kept here."),
    "no_such_game": _("That game cannot be shown."),
    "event_open": _(
        "Others may still play this deal: the record and reviews of other seats come when that is over."
    ),
    "internal": _("Something went wrong on our side; nothing has happened."),
    "players": _("This edition is not for that many players."),
    "stages": _("A game has at least one stage, and at most one for each player."),
    "modified_drowning": _("Modified drowning is an option of Board Game Arena's rules."),
}


_NUMBERS: Final = {"players": 0, "least": 0}

_PLAN: Final = {
    "name": _("name"),
    "rounds": _("rounds"),
    "seconds": _("seconds a bid"),
    "call": _("seconds until a game begins"),
    "pause": _("seconds between rounds"),
    "places": _("places"),
    "edition": _("edition"),
}
"""What can be wrong with a tournament."""


def refusal(reply: m.Reply, words: Words) -> str:
    """Why a command was refused, as a sentence for who gave it."""
    text = _REFUSALS.get(reply.code, _("That did not work ({code})."))
    if reply.details.get("reason") == "tournaments_moving":
        text = _(
            "Another server takes over the tournaments just now. See what has become of it, and try again."
        )
    seconds = int(reply.details.get("seconds", 0))
    what = str(reply.details.get("what", ""))
    values = {
        "card": 0,
        "name": "",
        **_NUMBERS,
        **reply.details,
        "what": words.t(_PLAN[what]) if what in _PLAN else what,
        "code": reply.code,
        "count": seconds,
    }
    return words.fill(text, **values, time=time_in_words(seconds, words))
