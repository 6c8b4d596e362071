"""A second reading of the rules, slow and plain: it plays a whole game and keeps the books.

Written from docs/rules.md with lists and dicts, without a look at ``engine.rules`` and without importing
anything from the engine. Whoever plays is told nothing: the cards are drawn at random.
"""

import random
from fractions import Fraction
from typing import Any

Seat = dict[str, Any]


def printed_on(card: int) -> Fraction:
    if card <= 12 or card >= 49:
        return Fraction(0)
    if 25 <= card <= 36:
        return Fraction(1)
    return Fraction(1, 2)


def level_of(seat: Seat) -> int:
    return seat["pile"][-1] if seat["pile"] else 0


def those_in(table: list[Seat]) -> list[Seat]:
    return [seat for seat in table if seat["in"]]


def everyone_at_the_highest_pays(table: list[Seat], book: dict[str, Any]) -> None:
    top = max(level_of(seat) for seat in those_in(table))
    if top == 0:
        book["settled"] = True
        return
    hit = [seat for seat in those_in(table) if level_of(seat) == top]
    for seat in hit:
        if seat["rings"] > 0:
            seat["rings"] -= 1
            book["lost"].append(seat["number"])
            book["settled"] = True
        else:
            seat["in"] = False
            book["eliminated"].append(seat["number"])


def play_round(
    table: list[Seat], pair: list[int], bids: dict[int, int], passing_on: bool
) -> dict[str, Any]:
    """Steps 3 to 5; ``bids`` maps cards to the seats that played them."""
    best, second = sorted(bids, reverse=True)[:2]
    table[bids[best]]["pile"].append(min(pair))
    table[bids[second]]["pile"].append(max(pair))
    book: dict[str, Any] = {"lost": [], "eliminated": [], "settled": False}
    everyone_at_the_highest_pays(table, book)
    while passing_on and not book["settled"] and len(those_in(table)) > 2:
        everyone_at_the_highest_pays(table, book)
    for card, number in bids.items():
        table[number]["hand"].remove(card)
    return {
        "levels": [(level_of(seat) or None) if seat["in"] else None for seat in table],
        "life_preservers": [seat["rings"] if seat["in"] else 0 for seat in table],
        "lost": sorted(book["lost"]),
        "eliminated": sorted(book["eliminated"]),
    }


def points_of(table: list[Seat]) -> list[int]:
    points = [seat["rings"] if seat["in"] else -1 for seat in table]
    inside = those_in(table)
    if inside:
        low = min(level_of(seat) for seat in inside)
        for seat in inside:
            if level_of(seat) == low:
                points[seat["number"]] += 1
    return points


def sit_down(hands: list[list[int]]) -> list[Seat]:
    return [
        {
            "number": number,
            "hand": list(hand),
            "rings": int(sum(map(printed_on, hand))),
            "pile": [],
            "in": True,
        }
        for number, hand in enumerate(hands)
    ]


def deal(players: int, size: int, rng: random.Random) -> list[list[int]]:
    cards = list(range(1, 61))
    rng.shuffle(cards)
    # Unequal hands, more or less: somebody with few life preservers drowns, which is rare otherwise.
    blur = rng.choice([0, 1, 4, 1000])
    cards.sort(key=lambda card: printed_on(card) * 3 + rng.randint(0, blur))
    hands = [cards[size * number : size * (number + 1)] for number in range(players)]
    rng.shuffle(hands)
    return hands


def play_game(
    edition: str,
    players: int,
    stages: int,
    modified: bool,
    rng: random.Random,
    stop_after: int | None = None,
    show_offer: bool = False,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record, and the report that the referee must give of it.

    ``stop_after`` rounds the record ends; ``show_offer`` then adds the tides of the round that follows.
    """
    size, highest = (10, 10) if players == 6 else (12, 12)
    passing_on = edition != "gamewright" and not modified
    hands = deal(players, size, rng)
    record: dict[str, Any] = {
        "format": "turn-the-tide",
        "version": 1,
        "rules": {"edition": edition, "stages": stages},
        "players": [f"player {number}" for number in range(players)],
        "deal": [list(hand) for hand in hands],
        "stages": [],
    }
    if modified:
        record["rules"]["modified_drowning"] = True
    scores = [0] * players
    report: dict[str, Any] = {
        "complete": False,
        "stages": [],
        "scores": list(scores),
        "winners": [],
    }
    played = 0
    for _ in range(stages):
        table = sit_down(hands)
        tides = [*range(1, highest + 1), *range(1, highest + 1)]
        rng.shuffle(tides)
        written: dict[str, Any] = {"tides": [], "bids": []}
        told: dict[str, Any] = {
            "life_preservers": [seat["rings"] for seat in table],
            "rounds": [],
            "points": None,
            "scores": list(scores),
        }
        record["stages"].append(written)
        report["stages"].append(told)
        for _ in range(size):
            pair = [tides.pop(), tides.pop()]
            if played == stop_after:
                if show_offer:
                    written["tides"].append(pair)
                return record, report
            bids = {rng.choice(seat["hand"]): seat["number"] for seat in those_in(table)}
            written["tides"].append(pair)
            cards = {number: card for card, number in bids.items()}
            written["bids"].append([cards.get(number) for number in range(players)])
            told["rounds"].append(play_round(table, pair, bids, passing_on))
            played += 1
            if len(those_in(table)) <= 2:
                break
        told["points"] = points_of(table)
        scores = [score + point for score, point in zip(scores, told["points"], strict=True)]
        told["scores"] = list(scores)
        report["scores"] = list(scores)
        hands = [hands[-1], *hands[:-1]]
    report["complete"] = True
    report["winners"] = [seat for seat in range(players) if scores[seat] == max(scores)]
    return record, report
