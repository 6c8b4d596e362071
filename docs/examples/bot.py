#!/usr/bin/env python3
"""A bot for Turn the Tide, to begin with: nothing but the standard library and the system's ssh.

    python3 bot.py ssh -T -p 2222 crab@HOST api           a game against the server's bots
    python3 bot.py --any ssh -T -p 2222 crab@HOST api     a game with whoever is there

Who has an SSH key stays the same player, and is back on the own seat after a dropped line.
"""

import json
import subprocess
import sys
from contextlib import suppress
from typing import Any

Data = dict[str, Any]
SHORT: Data = {"players": 3, "stages": 1, "pace": "untimed"}


def choose(game: Data, you: Data) -> int:
    """The card to bid: who stands deepest wants out of it, everybody else stays low."""
    cards: list[int] = you["legal"]
    levels = [seat["level"] or 0 for seat in game["seats"]]
    deepest = levels[you["seat"]] == max(levels) > 0
    return cards[-2] if deepest and len(cards) > 1 else cards[0]


def play(ssh: "subprocess.Popen[str]", any_game: bool) -> list[str]:
    """To the end of one game; the names of who has won."""
    assert ssh.stdin
    assert ssh.stdout

    def send(do: str, **fields: Any) -> None:
        # Where the session is over, what it has said last is still to be read.
        with suppress(OSError):
            print(json.dumps({"id": do, "do": do, **fields}), file=ssh.stdin, flush=True)

    asked, bid_for = False, None
    for line in map(json.loads, ssh.stdout):
        if "end" in line:
            sys.exit(f"The server has ended the session: {line['end']['code']}")
        elif line.get("ok") is False:
            print(line["text"], file=sys.stderr)
            if line["id"] != "bid":
                sys.exit(1)
            bid_for = None
            send("look")  # the update that comes says how things stand
        elif "update" in line:
            update = line["update"]
            table, game, you = update["table"], update["game"], update["you"]
            if update["place"] == "lobby" and not asked:
                asked = True
                send("any") if any_game else send("play", options=SHORT)
            elif game and table["status"] == "over":
                send("leave")
                send("quit")
                return [table["seats"][seat]["name"] for seat in game["winners"]]
            elif you and you["to_bid"] and bid_for != (game["stage"], game["round"]):
                bid_for = game["stage"], game["round"]
                card = choose(game, you)
                send("bid", card=card, stage=game["stage"], round=game["round"])
    sys.exit("The line is gone.")


if __name__ == "__main__":
    words = sys.argv[1:]
    any_game = words[:1] == ["--any"]
    pipe = subprocess.PIPE
    ssh = subprocess.Popen(words[any_game:], stdin=pipe, stdout=pipe, encoding="utf-8")
    try:
        print("won by", " and ".join(play(ssh, any_game)))
    finally:
        ssh.communicate()
