"""Finished games, and a person's results and rating, in words."""

from engine.editions import called
from server.i18n.lookup import Words
from server.storage.history import GameRow, PlayerPage, PlayerTotals
from server.storage.ratings import Rating
from server.text.rounds import winner_name

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def ago_in_words(seconds: float, words: Words) -> str:
    """So long ago."""
    ago = max(0, int(seconds))
    if ago < _MINUTE:
        return words.t("just now")
    if ago < _HOUR:
        return words.n("{count} min ago", "{count} min ago", ago // _MINUTE)
    if ago < _DAY:
        return words.n("{count} h ago", "{count} h ago", ago // _HOUR)
    return words.n("{count} day ago", "{count} days ago", ago // _DAY)


def game_words(game: GameRow, words: Words) -> str:
    """Who played, with what scores; the winners have a star, a bot in the place of who left it, too."""
    best = max((seat.score for seat in game.seats), default=0)
    seats = (
        f"{winner_name(seat.name, seat.kind == 'left', words)} {seat.score}*"
        if game.complete and seat.score == best
        else f"{seat.name} {seat.score}"
        for seat in game.seats
    )
    facts = ", ".join(seats), called(game.edition), *notes_in_words(game, words)
    return " - ".join(filter(None, facts))


def notes_in_words(game: GameRow, words: Words) -> list[str]:
    """What there is to know of a game besides who played."""
    notes = {
        words.t("abandoned"): not game.complete,
        words.t("rated"): game.rated,
        words.t("guided"): game.tutorial,
        words.t("known deal"): game.again,
        words.t("deal still secret"): game.held,
    }
    return [note for note, applies in notes.items() if applies]


def held_in_words(words: Words) -> str:
    """Why not all of a game can be looked at yet."""
    return words.t(
        "Others may still play this deal: until that is over, you see what you saw as you played; all hands"
        " and the record come later."
    )


def tally_words(tally: PlayerTotals, words: Words) -> tuple[str, ...]:
    """Results over all games, as sentences."""
    if not tally.games:
        return (words.t("You have not finished a game yet."),)
    facts = [
        words.t(
            "{games}, {won} ({share}%)",
            games=words.n("{count} game", "{count} games", tally.games),
            won=words.n("{count} won", "{count} won", tally.wins),
            share=round(100 * tally.wins / tally.games),
        ),
        words.t("{points} points a stage", points=words.decimal(tally.mean_points)),
    ]  # fmt: skip
    if tally.compared:
        facts += [
            words.t(
                "With the same hands you scored {own} points a stage, the others {others}.",
                own=words.decimal(tally.own_with_hand),
                others=words.decimal(tally.others_with_hand),
            ),
            words.n(
                "In {best} of {count} stage nobody scored more with that hand than you.",
                "In {best} of {count} stages nobody scored more with that hand than you.",
                tally.compared,
                best=tally.best_with_hand,
            ),
        ]
    return tuple(facts)


def rated_in_words(rating: Rating, words: Words) -> str:
    """A rating without a place."""
    return words.n(
        "Rating {rating}, after {count} rated game.",
        "Rating {rating}, after {count} rated games.",
        rating.games,
        rating=rating.shown,
    )


def rating_words(page: PlayerPage, words: Words) -> str:
    """A player's rating."""
    if page.rating is None:
        return words.t("No rated games yet.")
    if not page.rank:
        said = rated_in_words(page.rating, words)
        why = words.t(
            "You are listed among the best after ten rated games with four or more people from elsewhere."
        )
        return f"{said} {why}"
    return words.n(
        "Rating {rating}, number {rank} here, after {count} rated game.",
        "Rating {rating}, number {rank} here, after {count} rated games.",
        page.rating.games,
        rating=page.rating.shown,
        rank=page.rank,
    )
