"""A player's games by correspondence: how many there are, which is next, and each in a line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.coordinator.messages import DAY, CorrespondenceGame, Status
from server.i18n.lookup import Words, n_
from server.text.times import moment_in_words, span_in_words, time_in_words


class OwnGames(NamedTuple):
    """All of them together."""

    games: int
    """That are not over."""
    waiting: int
    """That wait for the player."""
    next: str
    """The code of the one to go to: of those that wait, if any does; empty where there is none to go to."""
    forms: tuple[str, ...]
    """How many there are and wait, in fewer and fewer words; empty without any."""

    @property
    def said(self) -> str:
        """The same in full."""
        return self.forms[0] if self.forms else ""


def own_games(games: Sequence[CorrespondenceGame], words: Words, here: str = "") -> OwnGames:
    """``here`` is the code of the one that the player looks at: the next one comes after it."""
    if not games:
        return OwnGames(0, 0, "", ())
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
        return OwnGames(0, len(waiting), following, (words.fill(text, count=len(games)),))
    said = words.n("{count} game by correspondence", "{count} games by correspondence", going)
    wait, brief = words.t("none waits for you"), said
    if waiting:
        wait = words.n("{count} waits for you", "{count} wait for you", len(waiting))
        text = n_("{count} game waits for you", "{count} games wait for you")
        brief = words.fill(text, count=len(waiting))
    return OwnGames(going, len(waiting), following, (f"{said}, {wait}", brief))


def game_lines(
    games: Sequence[CorrespondenceGame], name: str, now: float, words: Words
) -> Iterator[str]:
    """A line each for the player called ``name``: its code, and ``facts_of`` it."""
    for game in games:
        yield f"{game.table}: {'; '.join(facts_of(game, name, now, words))}"


def facts_of(game: CorrespondenceGame, name: str, now: float, words: Words) -> tuple[str, ...]:
    """Who else plays, how far it is, for whom it waits and since when, how long it waits, and last whether it
    is the turn of the player called ``name``.
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
    """Who plays there besides the player called ``name``."""
    return ", ".join(each for each in game.names if each not in ("", name)) or words.t(
        "nobody else"
    )


def briefly_in_words(game: CorrespondenceGame, name: str, now: float, words: Words) -> str:
    """The same in a list, what matters most first: whose turn it is and how long, who plays."""
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
