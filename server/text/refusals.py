"""Why something is not done: the sentence for each code, for players, programs and operators."""

from collections.abc import Mapping
from typing import Final

from server.coordinator import messages as m
from server.coordinator.messages.operator_orders import OperatorReply
from server.i18n.lookup import Plural, Words, _, n_
from server.text.times import time_in_words

REFUSALS: Final[Mapping[str, str | Plural]] = {
    "too_late": _("Too late: the bids had just been revealed. Nothing was changed."),
    "no_tides": _("The next tide cards are not turned up yet."),
    "tides_on_offer": _("The tide cards are on offer already."),
    "game_over": _("The game is over."),
    "eliminated": _("You are out of this stage."),
    "not_in_hand": _("You do not hold the {card}."),
    "no_such_seat": _("There is no such seat."),
    "not_seated": _("You have no seat at this table."),
    "seated_elsewhere": _("You already have a seat at a table; leave it first."),
    "no_such_table": _("There is no such table (any more)."),
    "table_full": _("Every seat at that table is taken."),
    "seat_taken": _("Somebody has just taken that seat."),
    "not_owner": _("Only the owner of the table can do that."),
    "not_open": _("The game at that table has begun already."),
    "already_playing": _("The game is running already."),
    "seats_empty": _("Some seats are still empty: wait, or add bots."),
    "not_over": _("The game is not over yet."),
    "too_many_tables": _("The server has no room for another table just now."),
    "too_many_opened": _(
        "Bots are still playing at many of your tables: wait until some games are over."
    ),
    "too_many_by_correspondence": _(
        "You already play {most} games by correspondence: nobody may play more."
    ),
    "by_correspondence": _("Not everybody is here: this stays a game by correspondence."),
    "too_many_from_there": _(
        "Your address has opened many tables: join one, or wait until some are over."
    ),
    "too_many_games": n_(
        "You have begun many games: you can begin another one in {count} second.",
        "You have begun many games: you can begin another one in {count} seconds.",
    ),
    "too_many_games_there": n_(
        "Your address has begun many games: the next can begin in {count} second.",
        "Your address has begun many games: the next can begin in {count} seconds.",
    ),
    "no_such_strategy": _("There is no such bot."),
    "closing": _("No new games begin here just now."),
    "wrong_round": _("That round is still to come. Nothing was changed."),
    "not_playing": _("There is no game at this table just now."),
    "seat_empty": _("Nobody sits there."),
    "own_seat": _("That is your own seat: leave instead (Esc)."),
    "no_human": _("Nobody in that seat could take the table over."),
    "too_many_seated": _("More people sit here than that game has seats."),
    "bad_deal": _("That is neither the code of a deal nor a word for one (letters and digits)."),
    "deal_rules": _("The deal of this table is fixed: the rules stay, and the game is not rated."),
    "seconds": _("That is too short or too long for a round."),
    "paused": _("The game is paused."),
    "no_skip": _("You can do that once only bots are left in a stage."),
    "no_guess": _("Only players who are out can guess, and only somebody who is still in."),
    "no_hints": _("This table gives no hints."),
    "no_today": _("Today's tide is not played on this server."),
    "today_closed": _(
        "Today's tide was closed before its time. The next one begins at midnight (UTC)."
    ),
    "today_played": _("You have played today's tide. The next one begins at midnight UTC."),
    "event_game": _("That is not possible in a game whose deal others play, too."),
    "no_such_tournament": _("There is no such tournament."),
    "no_director": _("Tournaments here are opened by operators."),
    "not_yours_to_direct": _("Only the person who opened a tournament can direct it."),
    "no_guests": _("Tournaments here are for players with an SSH key."),
    "tournament_over": _("That tournament is over."),
    "tournament_full": _("That tournament has no room for another player."),
    "tournament_share": _(
        "Half of the places ({most}) have gone to your address. The director can allow more: p on "
        'the page, or "tournament lift {tournament}".'
    ),
    "entered": _("You are registered already."),
    "not_entered": _("You are not registered there."),
    "nobody_entered": _('Nobody called "{name}" is registered.'),
    "too_few": _("Registered and connected: {players}. It takes {least} to begin."),
    "round_open": _("A round of that tournament is going on: close it first."),
    "no_round": _("No round of that tournament is going on."),
    "tournament_plan": _("A tournament cannot be opened like that: {what}."),
    "too_many_tournaments": _("You direct a tournament already, or there are too many here."),
    "not_paused": _("The game is not paused."),
    "not_absent": _("That player is here, or has not been gone for long enough."),
    "no_other_table": _("There is no other table to watch just now."),
    "too_many_spectators": _("There is no room for more spectators at that table."),
    "rated_guests": _("Rated games are for players with an SSH key: guests have no rating."),
    "rated_fast": _("Fast games are not rated."),
    "rated_private": _("Private tables are not rated."),
    "rated_bots": _("Rated games are between people: bots cannot play in them."),
    "rated_programs": _("Programs cannot play in rated games on this server."),
    "programs_only": _("Only programs and bots play at that table: it is too fast for people."),
    "nothing_said": _("That message is empty."),
    "text_too_long": _("That is too long: {most} columns are possible."),
    "no_such_phrase": _("There is no such phrase."),
    "no_table": _("You are not at a table."),
    "nobody_called": _('Nobody called "{name}" is here.'),
    "own_name": _("That is you."),
    "not_listening": _("{name} takes no direct messages just now."),
    "rated_round": _("{name} plays a rated game: no direct messages until it is over."),
    "own_block": _("You do not hear {name} yourself: change that first."),
    "too_many_blocked": _("You have blocked as many people as you can."),
    "chat_wait": n_(
        "That was a lot at once: you can write again in {count} second.",
        "That was a lot at once: you can write again in {count} seconds.",
    ),
    "silenced": _("An operator has muted you: you can write again in {time}."),
    "seat_kept": _("That seat is kept for somebody else."),
    "seat_not_empty": _("Somebody sits there: only an empty seat can be kept."),
    "removed": _("You were removed from that table: you cannot sit there for a few minutes."),
    "word_needed": _("That table is private: add its invitation word after the code."),
    "wrong_word": _("That is not the invitation word of that table."),
    "word_wait": _("Too many wrong words: wait a minute."),
    "word_form": _("An invitation word has 4 to 24 letters, digits or hyphens."),
    "no_spectators": _("That table takes no spectators."),
    "held_seat": _("You have had a seat in that game: wait for the next one."),
    "no_bot_seat": _("There is no bot at that table whose place you could take."),
    "busy": _("That was too much at once; try again in a moment."),
    "gone": _("You now play over another connection."),
    "storage": _("The server could not record that; nothing was changed. Try again."),
    "uncertain": _("The server may not have stored that: please check."),
    "not_kept": _("The server could not save that: it only holds for this visit."),
    "no_games": _("No games are kept here."),
    "no_such_game": _("That game cannot be shown."),
    "game_open": _(
        "Others may still play this deal: when that is over, everybody can see its games."
    ),
    "private_game": _("That game was played at a private table: only its players can see it."),
    "event_open": _(
        "Others may still play this deal: its record and the reviews of other seats come later."
    ),
    "internal": _("Something went wrong on our side; nothing was changed."),
    "players": _("This edition is not for that many players."),
    "stages": _("A game has at least one stage, and at most one for each player."),
    "modified_drowning": _(
        "Only Board Game Arena's rules let you choose whether the next highest "
        "pays after an elimination."
    ),
    # Of what people may know of each other.
    "no_profile": _("There is no page about {name}; guests have none."),
    "follow_guest": _("You are a guest: with an SSH key you could follow others."),
    "not_followable": _("{name} does not want to be followed."),
    "too_many_followed": _("You follow as many people as you can: unfollow somebody first."),
    # Of operators' orders only.
    "no_such_direction": _("Possible: begin, close, end, remove, remove_absent, lift."),
    "not_operator": _("Your key is not, or no longer, an operator's."),
    "no_account": _('No account has the name "{name}".'),
    "no_key": _("A guest has no key: ban the name or the address."),
    "no_such_kind": _("You can ban a key, a name, an address or a network."),
    "bad_fingerprint": _('That is not a fingerprint, which is "SHA256:" and 43 characters.'),
    "bad_name": _("That is not a name."),
    "bad_address": _("That is not an address."),
    "bad_network": _("That is not a network, such as 192.0.2.0/24 or 2001:db8::/48."),
    "too_wide": _("That network is too wide: it would shut out half of the world."),
    "own_ban": _("That ban would keep you out, too."),
    "no_such_ban": _("There is no ban with that number."),
    "no_such_report": _("There is no report with that number."),
    "no_text": _("There is nothing to say."),
    "no_time": _("How long? 30m, 2h, 7d or 4w."),
    "not_draining": _("New games may begin anyway."),
    "settings": _("Nothing was changed: {problem}"),
    "not_understood": _("That was not understood: {problem}"),
}

_TO_OPERATORS: Final[Mapping[str, str]] = {
    "nobody_called": _('Nobody here is called "{name}".'),
    "no_such_table": _("There is no table with that code."),
    "storage": _("It could not be recorded, so it was not done."),
    "uncertain": _("It is not known whether that was done: please check."),
}
"""What operators are told otherwise than players."""


_PLAN: Final = {
    "name": _("name (1 to 24 columns)"),
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
    text = REFUSALS.get(reply.code, _("That did not work ({code})."))
    return _filled(text, reply, words)


def refusal_of_order(told: OperatorReply, words: Words) -> str:
    """Why something was not done, as a sentence for an operator."""
    code, facts = told.code, told.facts
    text = _TO_OPERATORS.get(code) or REFUSALS.get(code, _("That did not work ({code})."))
    if code == m.Refusal.NOBODY_CALLED and not facts.get("name"):
        text = _("Nobody here has that name.")
    details = {name: value for name, value in facts.items() if not isinstance(value, float)}
    return _filled(text, m.Reply(code, details), words)


def _filled(text: str | Plural, reply: m.Reply, words: Words) -> str:
    seconds = int(reply.details.get("seconds", 0))
    what = str(reply.details.get("what", ""))
    values = {
        "card": 0,
        "name": "",
        "problem": "",
        "players": 0,
        "least": 0,
        **reply.details,
        "what": words.t(_PLAN[what]) if what in _PLAN else what,
        "code": reply.code,
        "count": seconds,
    }
    return words.fill(text, **values, time=time_in_words(seconds, words))
