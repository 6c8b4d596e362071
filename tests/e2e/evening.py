"""A club evening: nine players who read lines, four in real terminals, three programs, and three tables.

python -m tests.e2e.evening MINUTES [SEED]

Everybody now and then says a word that nobody else will ever say. In the end, everything that anybody was
shown is searched for these words: who was meant has read them, and nobody else has.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.e2e.guests import SECRET, Guest, LineGuest
from tests.e2e.programs import ProgramGuest
from tests.e2e.terminals import TerminalGuest, Tmux
from tests.support.patience import PATIENCE
from tests.support.servers import LASTING, Server

BIDS: Final = 5
"""So many bids of everybody who plays make an evening."""
LAST_WORDS: Final = 3.0
"""Seconds for what was said last to be read."""
_WORD: Final = re.compile(r"zq\d+zq")


@dataclass
class Spoken:
    """A word that was said once."""

    by: str
    meant: frozenset[str]
    """Who has to read it, as long as nobody's line drops."""
    allowed: frozenset[str]
    """Who may."""
    game: int = -1
    """In which game of the place it was said around its players, who may read it when that is over; -1 for
    every other word."""


@dataclass
class Evening:
    """Who is where, and what was said."""

    port: int
    chance: random.Random
    guests: "list[Guest]" = field(default_factory=list)
    spoken: dict[str, Spoken] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    """Of a table that is open, by its place."""
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    """Nothing more is said."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    wrong: list[str] = field(default_factory=list)

    def at(self, place: str, *, seated: bool | None = None) -> "list[Guest]":
        """Who is there; only those with a seat, or without one."""
        return [
            guest
            for guest in self.guests
            if guest.place == place and guest.here and seated in (None, guest.seated)
        ]

    def word(
        self, by: "Guest", meant: "list[Guest]", allowed: "list[Guest]", game: int = -1
    ) -> str:
        """A new word."""
        word = f"zq{len(self.spoken)}zq"
        names = [frozenset(guest.name for guest in group) for group in (meant, allowed)]
        allowed_names = names[0] | names[1] | {by.name}
        self.spoken[word] = Spoken(by.name, names[0] - {by.name}, allowed_names, game)
        return word

    def missing(self) -> list[str]:
        """Who has not come, has hardly played with a seat at a table, or had nothing to read."""
        return [
            f"{guest.name}: here: {guest.here}, {guest.bids} bids, round {guest.round}; the last that was"
            f" shown:\n{guest.read[-1500:]}"
            for guest in self.guests
            if not guest.here
            or (guest.seated and guest.bids < BIDS)
            or not _WORD.search(guest.read)
        ]

    def _may_read(self, guest: "Guest", word: str) -> bool:
        """Whether it was all right that the guest was shown this word when that happened."""
        said = self.spoken[word]
        if guest.name in said.allowed:
            return True
        around = said.game >= 0 and guest.seated and guest in self.at("rated")
        return around and word not in guest.read_during(said.game)

    def judge(self) -> Iterator[str]:
        """Everything that was read by who must not, or not by who should have."""
        for guest in self.guests:
            if not guest.here:
                yield f"{guest.name} never got there; the last that was shown:\n{guest.read[-1500:]}"
            read = set(_WORD.findall(guest.read))
            for word in sorted(read):
                if not self._may_read(guest, word):
                    yield f"{guest.name} has read {word} of {self.spoken[word].by}"
            if guest.place != "private" and SECRET in guest.read and not guest.knows:
                yield f"{guest.name} has read the invitation word"
            meant = {word for word, said in self.spoken.items() if guest.name in said.meant}
            if guest.reads_all and (missed := meant - read):
                said = ", ".join(f"{word} of {self.spoken[word].by}" for word in sorted(missed))
                yield f"{guest.name} has not read {len(missed)} of {len(meant)} words: {said}"
            if meant and not read & meant:
                yield f"{guest.name} has read none of {len(meant)} words"


async def spend(place: Path, seed: int, *, least: float, most: float) -> Evening:
    """Open a house, let everybody come, and see them off after so many seconds, at the latest."""
    server = await Server(place, **LASTING).started()
    evening = Evening(server.ssh_port, random.Random(seed))
    async with Tmux(place) as tmux:
        evening.guests += [
            LineGuest(evening, "ann", "open"),
            LineGuest(evening, "bob", "open"),
            ProgramGuest(evening, "cleo", "open"),
            _sitter(evening, tmux, place, "dora", "open", (80, 24)),
            LineGuest(evening, "emil", "open", seated=False),
            LineGuest(evening, "fay", "rated"),
            LineGuest(evening, "gus", "rated"),
            ProgramGuest(evening, "hana", "rated"),
            _sitter(evening, tmux, place, "ivo", "rated", (100, 30)),
            LineGuest(evening, "jule", "rated", seated=False),
            _sitter(evening, tmux, place, "kim", "rated", (60, 20), seated=False),
            LineGuest(evening, "lou", "private"),
            LineGuest(evening, "mia", "private"),
            ProgramGuest(evening, "nils", "private"),
            LineGuest(evening, "olga", "lobby"),
            _sitter(evening, tmux, place, "pia", "lobby", (132, 43)),
        ]
        visits = asyncio.ensure_future(asyncio.gather(*(guest.come() for guest in evening.guests)))
        await asyncio.wait({visits}, timeout=least)
        until = asyncio.get_running_loop().time() + most - least
        while evening.missing() and asyncio.get_running_loop().time() < until:
            await asyncio.wait({visits}, timeout=0.5)
        evening.quiet.set()
        # What is on the way arrives.
        await asyncio.wait({visits}, timeout=LAST_WORDS)
        evening.over.set()
        async with asyncio.timeout(PATIENCE):
            await visits
    if status := await server.stopped():
        evening.wrong.append(f"the server ended with {status}")
    evening.wrong += [*evening.judge(), *_left_behind(server)]
    return evening


def _sitter(
    evening: Evening, tmux: Tmux, place: Path, name: str, table: str, size: tuple[int, int],
    *, seated: bool = True,
) -> TerminalGuest:  # fmt: skip
    """Somebody with a key in a file and a real terminal."""
    key = place / f"key-{name}"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    options = (
        "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR",
        "IdentitiesOnly=yes", "IdentityAgent=none", f"IdentityFile={key}",
    )  # fmt: skip
    ssh = ["ssh", "-F", "/dev/null", "-p", str(evening.port)]
    ssh += [part for option in options for part in ("-o", option)]
    return TerminalGuest(evening, name, table, tmux=tmux, ssh=ssh, size=size, seated=seated)


def _left_behind(server: Server) -> Iterator[str]:
    """What is in the log or in the database that must not be there."""
    log = server.log.read_text()
    for line in log.splitlines():
        if "Traceback" in line or json.loads(line)["level"] == "error":
            yield line[:500]
    kept = b"".join(file.read_bytes() for file in (server.place / "state").glob("tide.db*"))
    for where, text in (("log", log.encode()), ("database", kept)):
        if found := re.search(rb"zq\d+zq", text):
            yield f"{found[0].decode()}, which somebody said, is in the {where}"
        if SECRET.encode() in text:
            yield f"the invitation word is in the {where}"


def main() -> None:
    minutes = float(sys.argv[1]) if sys.argv[1:] else 1.0
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{minutes:g} minutes, seed {seed}")
    with tempfile.TemporaryDirectory() as place:
        seconds = 60 * minutes
        evening = asyncio.run(spend(Path(place), seed, least=seconds, most=seconds))
    for guest in evening.guests:
        words = sum(guest.name == said.by for said in evening.spoken.values())
        read = len(set(_WORD.findall(guest.read)))
        print(
            f"{guest.name:<5} {guest.place:<8} {guest.bids:>4} bids {guest.games:>3} games"
            f" {words:>4} words said {read:>4} read"
        )
    for wrong in evening.wrong:
        print(wrong)
    if evening.wrong:
        print(f"once more, with the same seed: make soak KIND=evening ARGS='{minutes:g} {seed}'")
    sys.exit(bool(evening.wrong))


if __name__ == "__main__":
    main()
