#!/usr/bin/env python3
"""A bot that plays for ever, upon ``tide_client.py`` beside it.

    python3 forever.py ssh -T -p 2222 -i crab -o IdentitiesOnly=yes -o BatchMode=yes crab@HOST api
    python3 forever.py --games 1000 ssh ...       so many games, and then no more

It plays fast games against the server's bots; after a lost connection it comes back to its seat, and it stops
when the same key plays elsewhere.
"""

import sys
import time
import uuid

from tide_client import Client, Options, Refused, forever

FAST: Options = {"players": 3, "stages": 1, "pace": "fast", "seconds": 60}


def choose(client: Client) -> int:
    """The card to bid: who stands deepest wants out of it, everybody else stays low."""
    game, you = client.game, client.you
    levels = [seat["level"] or 0 for seat in game["seats"]]
    deepest = levels[you["seat"]] == max(levels) > 0
    return you["legal"][-2] if deepest and len(you["legal"]) > 1 else you["legal"][0]


class Bot:
    """Remembers the games that it has finished."""

    def __init__(self, games: int = 0) -> None:
        """So many, or as many as there are time for."""
        self.left = games or -1
        self.played: set[str] = set()

    @property
    def done(self) -> bool:
        """Whether it has played enough."""
        return len(self.played) == self.left

    def play(self, client: Client) -> None:
        """Until the session ends, or enough has been played."""
        key = uuid.uuid4().hex
        while not self.done:
            try:
                if client.status is None:
                    client.do("play", options=FAST, key=key)
                elif client.status == "over":
                    self.played.add(client.game["id"])
                    if not self.done:
                        client.do("again")
                elif client.to_bid:
                    client.bid(choose(client))
                else:
                    client.next()
            except Refused as no:
                # A round may be over before a bid arrives; otherwise there is no hurry.
                print(no, file=sys.stderr)
                key = uuid.uuid4().hex
                time.sleep(float(no.details.get("seconds", 0.1)))
                client.do("look")


if __name__ == "__main__":
    words = sys.argv[1:]
    games = 0
    if words[:1] == ["--games"]:
        games, words = int(words[1]), words[2:]
    bot = Bot(games)
    if why := forever(words, bot.play):
        sys.exit(f"The session has ended: {why}")
    print(len(bot.played), "games played")
