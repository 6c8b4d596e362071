"""A player's games by correspondence: how many there are, which is next, and each in a line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from server.coordinator.messages import DAY, CorrespondenceGame, Status
from server.i18n.catalogues import Words
from server.text.times import span_in_words, time_in_words


class OwnGames(NamedTuple):
    """All of them together."""

    games: int
    """That are not over."""
    waiting: int
    """That wait for the player."""
    next: str
    """The code of the one to go to: of those that wait, if any does; empty where there is none to go to."""
    said: str
    """How many there are, in words; empty without any."""


def own_games(games: Sequence[CorrespondenceGame], words: Words, here: str = "") -> OwnGames:
    """``here`` is the code of the one that the player looks at: the next one comes after it."""
    going = sum(game.status is not Status.OVER for game in games)
    waiting = [game.table for game in games if game.waits]
    others = waiting if {*waiting} - {here} else [game.table for game in games]
    after = others.index(here) + 1 if here in others else 0
    found = [*others[after:], *others[:after]]
    following = found[0] if found and found[0] != here else ""
    if not games:
        said = ""
    elif not going:
        said = words.n(
            "{count} game by correspondence is over",
            "{count} games by correspondence are over",
            len(games),
        )
    else:
        said = words.n("{count} game by correspondence", "{count} games by correspondence", going)
        wait = words.t("none waits for you")
        if waiting:
            wait = words.n("{count} waits for you", "{count} wait for you", len(waiting))
        said = f"{said}, {wait}"
    return OwnGames(going, len(waiting), following, said)


def game_lines(
    games: Sequence[CorrespondenceGame], name: str, now: float, words: Words
) -> Iterator[str]:
    """A line each for the player called ``name``: its code, who plays, how far it is, and for how long it
    waits.
    """
    for game in games:
        names = ", ".join(each for each in game.names if each not in ("", name))
        facts = [names or words.t("nobody else"), _how_far(game, words)]
        if game.due:
            facts.append(words.t("{time} left", time=_left_in_words(game.due - now, words)))
        if game.waits:
            facts.append(words.t("your turn"))
        yield f"{game.table}: {'; '.join(facts)}"


def _left_in_words(seconds: float, words: Words) -> str:
    if seconds < 2 * DAY:
        return time_in_words(max(0, round(seconds)), words)
    return span_in_words(seconds, words)


def _how_far(game: CorrespondenceGame, words: Words) -> str:
    if game.status is Status.OPEN:
        return words.t("waits for players") if "" in game.names else words.t("ready to start")
    if game.status is Status.OVER:
        return words.p("table", "over")
    return words.t(
        "stage {stage} of {stages}, round {round} of {rounds}",
        stage=game.stage + 1,
        stages=game.options.rules.stages,
        round=game.round + 1,
        rounds=game.options.rules.rounds,
    )
