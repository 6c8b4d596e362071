"""Sentences about what happened: the one place where codes and results become words."""

from collections.abc import Mapping
from typing import Final

from engine.editions import Edition, Rules
from engine.results import Loss, LossEnd, RoundResult
from server.coordinator import messages as m
from server.i18n.catalogues import Words

Names = tuple[str, ...]

EDITION_NAMES: Final = {
    Edition.AMIGO: "Amigo",
    Edition.GAMEWRIGHT: "Gamewright",
    Edition.BGA: "Board Game Arena",
}
"""Proper names: the same in every language."""


def bids_in_words(result: RoundResult, names: Names, words: Words) -> tuple[str, ...]:
    """Every revealed bid, the highest first; the first two say what they took."""
    order = sorted(
        (seat for seat, bid in enumerate(result.bids) if bid is not None),
        key=lambda seat: -(result.bids[seat] or 0),
    )
    said = []
    for place, seat in enumerate(order):
        name, card = names[seat], result.bids[seat]
        if place < 2:
            tide = result.offer[place]
            said.append(words.t("{name} {card} took {tide}", name=name, card=card, tide=tide))
        else:
            said.append(words.t("{name} {card}", name=name, card=card))
    return tuple(said)


def losses_in_words(
    result: RoundResult, names: Names, rules: Rules, words: Words
) -> tuple[str, ...]:
    """Who lost a life preserver and why, step by step, and why it went no further."""
    said: list[str] = []
    for step, loss in enumerate(result.losses):
        said.append(_first_loss(loss, names, words) if step == 0 else _passed(loss, names, words))
    ending = _ending(result, rules, words)
    if ending:
        said.append(ending)
    return tuple(said)


def _first_loss(loss: Loss, names: Names, words: Words) -> str:
    lost = words.listed(tuple(names[seat] for seat in loss.lost))
    out = words.listed(tuple(names[seat] for seat in loss.eliminated))
    tide = loss.level
    if not loss.eliminated:
        if len(loss.lost) == 1:
            return words.t(
                "{name} lost a life preserver (tide {tide}, the highest)", name=lost, tide=tide
            )
        return words.t(
            "{names} share the highest tide ({tide}): each lost a life preserver",
            names=lost,
            tide=tide,
        )
    if not loss.lost:
        if len(loss.eliminated) == 1:
            return words.t(
                "{name} had no life preserver left to lose (tide {tide}, the highest)"
                " and is out of this stage",
                name=out,
                tide=tide,
            )
        return words.t(
            "{names} share the highest tide ({tide}) and had no life preserver left to lose:"
            " both are out of this stage",
            names=out,
            tide=tide,
        )
    return words.t(
        "{lost} and {out} share the highest tide ({tide}): {lost} lost a life preserver,"
        " {out} had none left and is out of this stage",
        lost=lost,
        out=out,
        tide=tide,
    )


def _passed(loss: Loss, names: Names, words: Words) -> str:
    lost = words.listed(tuple(names[seat] for seat in loss.lost))
    out = words.listed(tuple(names[seat] for seat in loss.eliminated))
    tide = loss.level
    if not loss.eliminated:
        if len(loss.lost) == 1:
            return words.t(
                "passed on: {name}, now the highest (tide {tide}), lost one instead",
                name=lost,
                tide=tide,
            )
        return words.t(
            "passed on: {names}, now the highest (tide {tide}), lost one each instead",
            names=lost,
            tide=tide,
        )
    if not loss.lost:
        if len(loss.eliminated) == 1:
            return words.t(
                "passed on: {name}, now the highest (tide {tide}), had none left and is out as well",
                name=out,
                tide=tide,
            )
        return words.t(
            "passed on: {names}, now the highest (tide {tide}), had none left and are out as well",
            names=out,
            tide=tide,
        )
    return words.t(
        "passed on: of the highest now (tide {tide}), {lost} lost one"
        " and {out} had none left and is out as well",
        lost=lost,
        out=out,
        tide=tide,
    )


def _ending(result: RoundResult, rules: Rules, words: Words) -> str:
    inside = sum(level is not None for level in result.levels)
    if result.loss_end is LossEnd.NO_TIDE:
        return words.t("nobody still in shows a tide card: nobody loses anything")
    if result.loss_end is LossEnd.TWO_LEFT:
        if inside == 2:
            return words.t("nothing is passed on: only two are left")
        if inside == 1:
            return words.t("nothing is passed on: only one is left")
        return words.t("nothing is passed on: nobody is left")
    if result.loss_end is LossEnd.NOT_PASSED_ON:
        if rules.modified_drowning:
            return words.t("nothing is passed on: modified drowning")
        return words.t("nothing is passed on in this edition")
    if result.eliminated and result.lost and len(result.losses) == 1:
        return words.t("nothing is passed on: a life preserver was turned over")
    return ""


def winner_name(name: str, left: bool, words: Words) -> str:
    """Who has won; who gave the game up has not, the bot that played on has."""
    return f"{name} ({words.t('bot')})" if left else name


def stage_end_in_words(result: RoundResult, rounds: int, rules: Rules, words: Words) -> str:
    """Why a stage that has ended after ``rounds`` rounds is over."""
    inside = sum(level is not None for level in result.levels)
    if rounds == rules.rounds and inside > 2:
        return words.t("every card has been played")
    if inside == 2:
        return words.t("only two are left, so it ends at once")
    if inside == 1:
        return words.t("only one is left, so it ends at once")
    return words.t("nobody is left, so it ends at once")


def rules_in_words(rules: Rules, words: Words) -> tuple[str, ...]:
    """The house options in force; empty for the printed game."""
    said: list[str] = []
    if rules.stages < rules.players:
        said.append(words.n("short: {count} stage", "short: {count} stages", rules.stages))
    if rules.modified_drowning:
        said.append(words.t("modified drowning"))
    if rules.assistance:
        said.append(words.t("assistance"))
    return tuple(said)


def pace_in_words(options: m.TableOptions, words: Words) -> str:
    """How long a round may take."""
    if options.pace is m.Pace.UNTIMED:
        return words.t("untimed")
    if options.pace is m.Pace.CORRESPONDENCE:
        return words.t("a day a round")
    return words.t("{seconds} s a round", seconds=options.seconds)


def time_in_words(seconds: int, words: Words) -> str:
    """So long, in seconds, or in minutes or hours where those say enough."""
    if seconds < 100:
        return words.n("{count} second", "{count} seconds", seconds)
    minutes = -(-seconds // 60)
    if minutes < 100:
        return words.n("{count} minute", "{count} minutes", minutes)
    return words.n("{count} hour", "{count} hours", -(-minutes // 60))


def refusal(reply: m.Reply, words: Words) -> str:
    """Why a command was refused, as a sentence for who gave it."""
    code, details = reply.code, reply.details
    card, name = details.get("card", 0), details.get("name", "")
    seconds = int(details.get("seconds", 0))
    sentences: Mapping[str, str] = {
        "too_late": words.t("Too late: the bids had just been revealed. Nothing was changed."),
        "no_tides": words.t("The next tide cards are not turned up yet."),
        "tides_on_offer": words.t("The tide cards are on offer already."),
        "game_over": words.t("The game is over."),
        "eliminated": words.t("You are out of this stage."),
        "not_in_hand": words.t("You do not hold the {card}.", card=card),
        "no_such_seat": words.t("There is no such seat."),
        "not_seated": words.t("You have no seat at this table."),
        "seated_elsewhere": words.t("You have a seat at another table; leave that one first."),
        "no_such_table": words.t("There is no such table any more."),
        "table_full": words.t("Every seat at that table is taken."),
        "seat_taken": words.t("Somebody has just taken that seat."),
        "not_owner": words.t("Only the owner of the table can do that."),
        "not_open": words.t("The game at that table has begun already."),
        "already_playing": words.t("The game is running already."),
        "seats_empty": words.t("Some seats are still empty: wait, or add bots."),
        "not_over": words.t("The game is not over yet."),
        "too_many_tables": words.t("The server has no room for another table just now."),
        "too_many_opened": words.t(
            "You have opened many tables, and bots still play at them: wait until some are over."
        ),
        "too_many_from_there": words.t(
            "Many tables have been opened from where you are: wait until some are over, or join one."
        ),
        "too_many_games": words.n(
            "You have begun many games: you can begin another one in {count} second.",
            "You have begun many games: you can begin another one in {count} seconds.",
            seconds,
        ),
        "too_many_games_there": words.n(
            "Many games have been begun from where you are: another one can begin in {count} second.",
            "Many games have been begun from where you are: another one can begin in {count} seconds.",
            seconds,
        ),
        "no_such_strategy": words.t("There is no such bot."),
        "closing": words.t("No new games begin here just now."),
        "wrong_round": words.t("That round is still to come. Nothing was changed."),
        "not_playing": words.t("There is no game at this table just now."),
        "seat_empty": words.t("Nobody sits there."),
        "own_seat": words.t("That is your own seat: leave instead (Esc)."),
        "no_human": words.t("There is no player on that seat to take it over."),
        "too_many_seated": words.t("More people sit here than that game has seats."),
        "seconds": words.t("That is too short or too long for a round."),
        "paused": words.t("The game is paused."),
        "not_paused": words.t("The game is not paused."),
        "not_absent": words.t("That player is here, or has not been gone for long enough."),
        "too_many_spectators": words.t("There is no room for more spectators at that table."),
        "rated_guests": words.t(
            "Rated games are for players with an SSH key: guests have no rating."
        ),
        "rated_bots": words.t("Rated games are between people: bots cannot play in them."),
        "nothing_said": words.t("There is nothing to say in that."),
        "no_such_phrase": words.t("There is no such phrase."),
        "no_table": words.t("You are not at a table."),
        "nobody_called": words.t('Nobody called "{name}" is here.', name=name),
        "own_name": words.t("That is you."),
        "not_listening": words.t("{name} takes no direct messages just now.", name=name),
        "rated_round": words.t(
            "{name} is playing a rated game and takes no direct messages until it is over.",
            name=name,
        ),
        "own_block": words.t("You do not hear {name} yourself: change that first.", name=name),
        "too_many_blocked": words.t("You have blocked as many people as can be."),
        "chat_wait": words.n(
            "That was a lot at once: you can write again in {count} second.",
            "That was a lot at once: you can write again in {count} seconds.",
            seconds,
        ),
        "silenced": words.t(
            "An operator has asked you to be quiet: you can write again in {time}.",
            time=time_in_words(seconds, words),
        ),
        "seat_kept": words.t("That seat is kept for somebody else."),
        "seat_not_empty": words.t("Somebody sits there: only an empty seat can be kept."),
        "removed": words.t(
            "You were removed from that table: for some minutes you cannot sit down there."
        ),
        "word_needed": words.t("That table is private: add its invitation word after the code."),
        "wrong_word": words.t("That is not the invitation word of that table."),
        "word_wait": words.t("Too many wrong words: wait a minute."),
        "word_form": words.t("An invitation word has 4 to 24 letters, digits or hyphens."),
        "no_spectators": words.t("That table takes no spectators."),
        "held_seat": words.t("You have had a seat in that game: wait for the next one."),
        "no_bot_seat": words.t("There is no bot at that table whose place you could take."),
        "busy": words.t("That was too much at once; try again in a moment."),
        "gone": words.t("This connection has handed over to another one."),
        "storage": words.t(
            "The server could not write it down, so it has not happened. Try again."
        ),
        "not_kept": words.t(
            "The server could not write that down: it holds for this visit, and not for the next one."
        ),
        "internal": words.t("Something went wrong on our side; nothing has happened."),
        "players": words.t("This edition is not for that many players."),
        "stages": words.t("A game has at least one stage, and at most one for each player."),
        "modified_drowning": words.t("Modified drowning is an option of Board Game Arena's rules."),
    }
    return sentences.get(code) or words.t("That did not work ({code}).", code=code)
