"""What all monkeys know: who is there, what was said to whom, and what was found."""

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.e2e.monkeys.sight import Offer, Sight, every

WORD: Final = re.compile(r"zq\d+zq")
"""What is said is a word that nobody else says."""
_WRONG: Final = (
    "Something went wrong here",
    "Something went wrong on our side; nothing was changed.",
    "Something went wrong: nothing has been done.",
    "Something went wrong here. Your seat is kept: please connect again.",
)
APOLOGIES: Final = frozenset(re.split(r"[.:;]", form)[0] for text in _WRONG for form in every(text))


@dataclass(frozen=True)
class Said:
    """One word, by whom, and whom the prompt named: ``lobby``, ``table`` or ``=NAME``; nobody when it was
    said again, to others.
    """

    by: str
    whom: str


@dataclass(frozen=True)
class Finding:
    """Something that must not be. ``kind`` is the same for what has the same cause, as far as can be told."""

    kind: str
    text: str
    turn: int
    seconds: float


@dataclass
class Company:
    """Shared by all monkeys of a run. ``now`` is its time in seconds."""

    chance: random.Random
    now: Callable[[], float]
    names: list[str] = field(default_factory=list)
    codes: dict[str, None] = field(default_factory=dict)
    """Of tables, the newest last."""
    said: dict[str, Said] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    turns: int = 0
    tried: Counter[tuple[str, Offer]] = field(default_factory=Counter)
    """How often what is offered on a page was pressed."""
    told: Callable[[Finding], object] = lambda _finding: None
    """Called with everything that is found for the first time."""

    def word(self, by: str, whom: str) -> str:
        """A new one."""
        word = f"zq{len(self.said)}zq"
        self.said[word] = Said(by, whom)
        return word

    def say_again(self, word: str, by: str, whom: str) -> None:
        """A line was recalled, and sent to these: what was seen of it before is still on screens."""
        same = word in self.said and self.said[word].whom == whom
        self.said[word] = Said(by, whom if same else "")

    def found(self, kind: str, text: str) -> None:
        """Something is wrong."""
        if kind not in self.findings:
            self.findings[kind] = Finding(kind, text, self.turns, self.now())
            self.told(self.findings[kind])

    def heard(self, me: str, line: str) -> str:
        """What is wrong with this line on the screen of ``me``, if anything: a word was for somebody else, or
        has gone elsewhere than its prompt said.
        """
        for word in WORD.findall(line):
            said = self.said.get(word)
            if said is None or not said.whom:
                continue
            to = said.whom.removeprefix("=")
            if said.whom.startswith("=") and _person(me) not in (_person(said.by), _person(to)):
                return f"{me} reads {word}, which {said.by} said to {to} alone"
            head = line.partition(word)[0].strip().removesuffix(":")
            alone = _ALONE.fullmatch(head)
            if alone and not said.whom.startswith("="):
                return (
                    f"{word}, which {said.by} said to the {said.whom}, is at {me}: {line.strip()}"
                )
        return ""

    def logged(self, level: str, entry: Mapping[str, Any]) -> None:
        """The server has logged this: no error may be among it, and nothing that somebody has said."""
        if WORD.search(str(entry)):
            self.found("what was said is in the log", str(entry))
        if level not in ("error", "critical", "exception"):
            return
        error = entry.get("exception")
        if "where" in entry:
            what = f"{entry.get('error')} {entry['where'][-1]}"
        else:
            what = place_of(error) if error else f"{entry.get('event')} {entry.get('error', '')}"
        self.found(f"error: {what}", f"{error or ''}\n{entry}")

    def seen(self, sight: Sight) -> None:
        """Remember what may be of use."""
        for code in sorted(sight.codes):
            self.codes.pop(code, None)
            self.codes[code] = None


def place_of(error: str) -> str:
    """The kind of an error: its last line, and the last place of ours in its traceback."""
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith("File") and "/server/" in line]
    where = ours[-1].rpartition("/server/")[2] if ours else ""
    return f"{lines[-1] if lines else error} {where}"


def _person(name: str) -> str:
    """Who that is: a guest who comes again while the first one is still there gets a number."""
    return name.rstrip("0123456789")


_ALONE: Final = re.compile(
    "|".join(
        re.sub(r"\\{(name|said)\\}", r"[\\w-]+", re.escape(form.partition(": {said}")[0]))
        for text in (
            "to {name}",
            "{name} to you",
            "You tell {name}: {said}",
            "{name} tells you: {said}",
        )
        for form in sorted(every(text))
    )
)
"""What stands before something that was said to one person, and to nobody else."""
