"""People in words: a player's own account, what one is told of another, chat, the leaderboard."""

from typing import Final

from server.coordinator.messages import Block, ChatLine, Mute, Phrase, Room, Status, TableSnapshot
from server.coordinator.people.profile import SEEN_TO, PlayerResults, Profile
from server.i18n.lookup import Words, _
from server.storage.history import Met
from server.storage.ratings import LeaderboardRow, SeasonRow, SeasonTable
from server.terminal.capabilities import ConnectionStats
from server.text.bots import BOT_RATINGS
from server.text.history import ago_in_words, rated_in_words
from server.text.times import month_in_words, time_in_words


def account_in_words(
    name: str, way_back: str, link: str, ask_for_link: str, words: Words, *, guest: bool
) -> tuple[str, ...]:
    """Paragraphs; a login name is one by itself.

    ``way_back`` is that of a guest, ``link`` a code that was asked for, if one was; ``ask_for_link``
    says how.
    """
    if guest:
        return _guest(way_back, words)
    first = words.t(
        "Your SSH key says who you are here: anybody who logs in with it gets "
        "your seat, results and settings. The names you have used belong to you "
        "alone."
    )
    rename = words.t("To change your name, log in once as NAME+rename, with the new name.")
    if not link:
        return (first, rename, ask_for_link)
    return (
        first,
        words.t("On the other device, log in once within ten minutes, with this name:"),
        f"{name}+{link}",
        words.t(
            "From then on its key opens this account. If it has played here before, its results "
            "become yours. Whoever has the code can do it: show it to nobody."
        ),
    )


def _guest(way_back: str, words: Words) -> tuple[str, ...]:
    if not way_back:
        return (words.t("Nothing is kept here: this game runs in your own terminal."),)
    return (
        words.t(
            "You came without an SSH key, so this code is how you come back to your seat if the"
            " connection drops. Log in with this name:"
        ),
        way_back,
        words.t(
            "Whoever has the code counts as you here: show it to nobody. It works as long as you"
            " have a seat."
        ),
        words.t(
            "With an SSH key you need none of this, and your name and results stay yours: "
            "`ssh-keygen -t ed25519` makes one."
        ),
    )


def traffic_in_words(facts: ConnectionStats, words: Words) -> tuple[str, str]:
    """Say how much has been sent; how much has been received, and what the terminal says that it is."""
    sent = words.n("{count} byte", "{count} bytes", facts.sent)
    parts = [words.n("{count} byte received", "{count} bytes received", facts.received)]
    if facts.kind:
        parts.append(words.t("terminal {kind}", kind=facts.kind))
    if facts.speed:
        parts.append(words.t("{speed} bits per second", speed=facts.speed))
    return sent, ", ".join(parts)


def profile_lines(page: Profile, now: float, words: Words) -> list[str]:
    """What there is to say of the person, a sentence each."""
    told = [_seen(page, now, words)] if page.shows_visits else []
    if page.results is not None:
        told += _results(page.results, words)
    return told or [words.t("{name} shows nothing more to others.", name=page.name)]


def between_lines(page: Profile, words: Words) -> list[str]:
    """What there is to say of the person and of who asks."""
    if page.own:
        return [words.t("This is what others see of you. You can hide it in the settings.")]
    told = list[str]()
    if page.results is not None:
        told.append(_met(page.results.standing.met, words))
    if page.followed:
        told.append(words.t("You are told when {name} comes.", name=page.name))
    elif not page.followable:
        told.append(words.t("{name} does not want to be followed.", name=page.name))
    return told


def _seen(page: Profile, now: float, words: Words) -> str:
    if page.here and page.table:
        return words.t("Here now, at table {title} ({code}).", title=page.title, code=page.table)
    if page.here:
        return words.t("Here now.")
    if now - page.seen < SEEN_TO:
        return words.t("Here a moment ago.")
    return words.t("Last here: {when}.", when=ago_in_words(now - page.seen, words))


def _results(found: PlayerResults, words: Words) -> list[str]:
    (rating, best, _), streak, days = found.standing, found.streak, found.days
    told = [words.t("No rated games yet.")]
    if rating is not None:
        said = rated_in_words(rating, words)
        sure = words.t(
            "Estimate: {estimate}, with a standard error of {error}.",
            estimate=round(100 * rating.mu),
            error=round(100 * rating.sigma),
        )
        told = [f"{said} {sure}"]
    if best is not None:
        told.append(
            words.t(
                "Best season: place {rank} in {month}, score {score}%.",
                rank=best.rank,
                month=month_in_words(best.month, words),
                score=words.decimal(best.score, 1),
            )
        )
    if days:
        played = words.n("Today's tide: {count} day", "Today's tide: {count} days", days)
        row = words.t("streak {now}, longest {most}", now=streak.now, most=streak.longest)
        told.append(f"{played}, {row}.")
    return told


def _met(met: Met, words: Words) -> str:
    if not met.games:
        return words.t("No game with you lately.")
    return words.n(
        "{count} game with you lately: you came out ahead in {ahead}, behind in {behind}.",
        "{count} games with you lately: you came out ahead in {ahead}, behind in {behind}.",
        met.games,
        ahead=met.ahead,
        behind=met.behind,
    )


def standing_words(standing: LeaderboardRow, words: Words) -> str:
    """A line of the leaderboard."""
    games = words.n("{count} rated game", "{count} rated games", standing.rating.games)
    mark = f" ({words.p('seat', 'program')})" if standing.program else ""
    return f"{standing.rank:>3}  {standing.name:<14} {standing.rating.shown:>5}   {games}{mark}"


def season_lines(page: SeasonTable, words: Words) -> tuple[str, ...]:
    """What there is to know of a month's table, which is apart."""
    if page.closed:
        said = words.t("This season is over.")
    elif page.over:
        said = words.t("This season is over; games of tournaments in progress may still be added.")
    else:
        said = words.t("This season goes on until the end of the month.")
    rule = words.t(
        "Score: the share of opponents beaten in rated games (those from other "
        "addresses count). Everybody starts at 50%; at least five games are needed."
    )
    return (said, rule) if page.rows else (said, rule, words.t("Nobody is listed."))


def season_words(line: SeasonRow, words: Words) -> str:
    """A line of a month's table."""
    games = words.n("{count} game", "{count} games", line.games)
    mark = f" ({words.p('seat', 'program')})" if line.program else ""
    score = words.t("{share}%", share=words.decimal(line.score, 1))
    return f"{line.rank:>3}  {line.name:<14} {score:>7}   {games}{mark}"


def bots_in_words(words: Words) -> tuple[str, ...]:
    """The server's bots on the same scale, strongest first."""
    ranked = sorted(BOT_RATINGS.items(), key=lambda bot: -bot[1].shown)
    return tuple(
        f"     {words.t('bot {name}', name=name):<14} {rating.shown:>5}" for name, rating in ranked
    )


RECENT: Final = 300.0
"""Seconds for which nobody needs to be told how long ago something was said."""


_PHRASES: Final = {
    Phrase.HELLO: _("Hello!"),
    Phrase.GOOD_LUCK: _("Good luck!"),
    Phrase.WELL_PLAYED: _("Well played!"),
    Phrase.THANKS: _("Thank you!"),
    Phrase.OUCH: _("Ouch!"),
    Phrase.ONE_MOMENT: _("One moment, please."),
    Phrase.STILL_THERE: _("Are you still there?"),
    Phrase.SORRY: _("Sorry!"),
    Phrase.AGAIN: _("Another game?"),
    Phrase.HAVE_TO_GO: _("I have to go. Goodbye!"),
}


def phrases(words: Words) -> tuple[tuple[Phrase, str], ...]:
    """The phrases there are and what they say, in the order of the menu."""
    return tuple((phrase, words.t(said)) for phrase, said in _PHRASES.items())


def said_in_words(line: ChatLine, words: Words) -> str:
    """The text, or the phrase in the reader's language."""
    return words.t(_PHRASES[Phrase(line.phrase)]) if line.phrase else line.text


def age_in_words(line: ChatLine, now: float, words: Words) -> str:
    """How long ago an old line was said; empty when that is not worth a word."""
    age = now - line.time
    if not line.old or age < RECENT:
        return ""
    return words.t("{time} ago", time=time_in_words(int(age // 60) * 60, words))


def who_in_words(line: ChatLine, me: str, here: str, words: Words) -> str:
    """Name sender and recipient, as briefly as a column of a screen wants it.

    ``here`` is the code of the reader's table, empty in the lobby.
    """
    if line.room is Room.DIRECT:
        if line.sender == me:
            return words.t("to {name}", name=line.to)
        return words.t("{name} to you", name=line.sender)
    who = words.t("{name}, watching", name=line.sender) if line.watching else line.sender
    if line.place == here:
        return who
    where = words.t("lobby") if line.room is Room.LOBBY else line.place
    return f"{where}: {who}"


def only_spectators_hear(table: TableSnapshot) -> bool:
    """Whether what this visitor says at the table does not reach its players."""
    info = table.info
    return table.seat < 0 and info.options.rated and info.status is Status.PLAYING


def chat_sentence(line: ChatLine, me: str, here: str, words: Words) -> str:
    """The line as a sentence to be read out."""
    mine = line.sender == me
    if line.room is Room.DIRECT:
        text = _("You tell {name}: {said}") if mine else _("{name} tells you: {said}")
    elif line.room is Room.LOBBY and here:
        text = _("You say in the lobby: {said}") if mine else _("{name} says in the lobby: {said}")
    elif mine:
        text = _("You say: {said}")
    elif line.watching:
        text = _("{name}, watching, says: {said}")
    else:
        text = _("{name} says: {said}")
    return words.t(text, name=line.to if mine else line.sender, said=said_in_words(line, words))


def shut_out_in_words(command: Mute | Block, name: str, words: Words) -> str:
    """What has come of muting or blocking somebody, or of the contrary, and for how long."""
    text = _('Messages from {name} are hidden until you leave; "unmute {name}" changes that.')
    if not command.on:
        text = _("You see {name}'s messages again.")
    elif isinstance(command, Block):
        text = _('Messages from {name} are hidden, today and later; "unblock {name}" changes that.')
    return words.t(text, name=name)
