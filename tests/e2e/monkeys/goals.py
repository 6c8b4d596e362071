"""What monkeys want: some want to go a long way, which chance would hardly find; anything else is by lot."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from server.i18n.lookup import words_for
from server.session.commands import COMMAND_WORDS, Verb
from tests.e2e.monkeys.monkey import SIZES, Monkey
from tests.e2e.monkeys.sight import DOWN, ENTER, ESC, LEFT, NOTHING, RIGHT, TAB, UP

Goal = Callable[[Monkey], Awaitable[None]]

_SENTENCES: Final = (
    "hello everybody, a nice evening!",
    "3 more minutes please",
    "v2 begin now, quickly",
    "nobody likes a wet sheep, e n d",
)
_ODD: Final = (
    "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", TAB, "\x1b[Z", ESC, ENTER, " ", "\x7f",
    "\x0c", "\x03", "\x15", "\x1bOP", NOTHING, *"01247?!漢é",
)  # fmt: skip
_NOT_FOR_FUN: Final = ("no new games", "finish and stop", "ban")
"""What operators can do to everybody would be the end of it."""
_HAND: Final = re.compile(r"\d+")


# ------------------------------------------------------------------------- by lot


async def poke(m: Monkey) -> None:
    """Press what is offered."""
    for _ in range(m.chance.randrange(1, 7)):
        offers = [one for one in (*m.sight.answers, *m.sight.footer) if not one.does(*_NOT_FOR_FUN)]
        if not offers:
            await m.press(m.chance.choice(_ODD))
            return
        # Rather what nobody has tried yet; and who always leaves sees little.
        tried = [m.company.tried[m.sight.page, each] for each in offers]
        weights = [
            (1 if each.does("leave", "back", "stay") else 3) / (1 + count)
            for each, count in zip(offers, tried, strict=True)
        ]
        await m.try_out(m.chance.choices(offers, weights)[0])


async def fumble(m: Monkey) -> None:
    """Any key, also those that help tells for other pages."""
    for _ in range(m.chance.randrange(1, 6)):
        if m.sight.says("no new games"):
            await m.escape()
            return
        await m.press(m.chance.choice([*_ODD, *sorted(m.told), chr(m.chance.randrange(97, 123))]))


async def paste(m: Monkey) -> None:
    """A sentence is no key of any page; nothing gets past what lies above."""
    phrases_open = any(one.key == "1-9 0" for one in m.sight.footer)
    covered = phrases_open or m.sight.question
    text = m.chance.choice(_SENTENCES)
    if covered and m.company.codes and m.chance.random() < 0.6:
        text = m.chance.choice(list(m.company.codes)[-5:])
    marked = m.chance.random() < 0.5
    line_is_open = m.sight.cursor is not None
    await m.press(f"\x1b[200~{text}\x1b[201~" if marked else text, 1.0)
    if (
        m.before.page != m.sight.page
        and not (line_is_open and not covered)
        and not m.sight.says("stage {number}/{count}")
    ):
        kind = "past the phrases" if phrases_open else "as keys"
        m.found(f"a paste went {kind}", f"{text!r} led from {m.before.page!r} to {m.sight.page!r}")
    if m.sight.cursor is not None:
        await m.escape()


async def resize(m: Monkey) -> None:
    await m.resize(m.chance.choice(SIZES))
    if not m.sight.footer and m.chance.random() < 0.8:
        await m.resize((80, 24))


async def idle(m: Monkey) -> None:
    await m.wait(m.chance.choice((3, 10, 30, 90)))


async def come_back(m: Monkey) -> None:
    """After the line was cut, or while the old one is still there."""
    if m.chance.random() < 0.5:
        await m.drop()
    suffixes = ["", "", "", "+watch", *(f"+{code}" for code in list(m.company.codes)[-2:])]
    await m.come(m.chance.choice(suffixes))


async def phrases(m: Monkey) -> None:
    """The menu of phrases; something is pasted there, or said."""
    await m.press("/")
    if m.sight.whom:
        await m.press(ENTER)
        if m.chance.random() < 0.7:
            await paste(m)
        else:
            await m.press(m.chance.choice((UP, DOWN, ENTER, "3", "0", TAB)))
    await m.escape()


# ------------------------------------------------------------------------- with words


async def talk(m: Monkey) -> None:
    """Say something to somebody, not always at once."""
    await m.press("/")
    for _ in range(m.chance.randrange(4)):
        await m.press(TAB)
    whom = m.sight.whom
    if not whom or not m.sight.prompt.endswith(":"):
        await m.escape()
        return
    m.addressed = whom
    if m.chance.random() < 0.4:
        to = m.chance.choice(m.names)
        await m.type(f"tell {to} {m.company.word(m.me, f'={to}')}")
        await m.press(ENTER)
        m.addressed = ""
        return
    word = m.company.word(m.me, whom)
    await m.type(word)
    for _ in range(m.chance.randrange(9)):
        await m.wait()
    if m.sight.whom:
        await m.says(word)
    await m.press(NOTHING)


async def half_a_line(m: Monkey) -> None:
    """Begin a line, and wait for what comes in between."""
    if not await m.go_home() or (m.sight.title and not await m.take("lobby")):
        return
    if not await m.take(m.chance.choice(("code", "filter"))):
        await m.press("c")
    if m.sight.cursor is None:
        return
    word = f"h{m.company.turns}h"
    await m.type(word)
    m.begins_half_a_line(word)
    for _ in range(m.chance.randrange(2, 9)):
        await m.wait(m.chance.choice((1, 10, 20)))
    if m.half and not any(m.half in row for row in m.sight.rows):
        await m.go_home()
    await m.escape()


# ------------------------------------------------------------------------- games


async def play(m: Monkey) -> None:
    """Bid, and go on to the next round."""
    for _ in range(m.chance.randrange(3, 25)):
        if m.sight.offers("next"):
            await m.press(" ")
        elif m.sight.offers("bid"):
            if m.chance.random() < 0.3:
                await m.press(m.chance.choice((LEFT, RIGHT)))
            elif cards := _cards(m):
                await m.type(m.chance.choice(cards))
            await m.press(ENTER, 1.0)
        elif m.sight.offers("guess"):
            await m.press(m.chance.choice("123456"))
            await m.wait(2)
        else:
            await m.wait(3)
            if not m.sight.offers("bid", "next", "guess"):
                return


def _cards(m: Monkey) -> list[str]:
    """What a row of numbers, the lowest one of them, shows."""
    rows = [
        row for row in m.sight.rows if len(_HAND.findall(row)) > 1 and not re.search("[/·]", row)
    ]
    return _HAND.findall(rows[-1]) if rows else []


async def against_bots(m: Monkey) -> None:
    """A game alone."""
    if not await m.go_home():
        return
    if not await m.take("play bots"):
        await m.press("b")
    await play(m)


async def vote(m: Monkey) -> None:
    """For whatever can be voted for."""
    if not m.sight.offers("vote"):
        await against_bots(m)
    if await m.take("vote") and m.sight.answers:
        await m.press(m.chance.choice(m.sight.answers).presses[0], 1.0)
        await m.wait(1)


async def vote_at_once(m: Monkey) -> None:
    """Begin a game, and have it ended."""
    if not await m.go_home():
        return
    await m.press("b", 1.0)
    await m.press("v")
    if m.sight.question:
        await m.press("2", 2.0)


async def meet(m: Monkey) -> None:
    """At a table with people: open one, or come to one."""
    if not await m.go_home() or (m.sight.title and not await m.take("lobby")):
        return
    way = m.chance.random()
    if way < 0.35:
        await open_table(m)
    elif way < 0.7:
        for _ in range(m.chance.randrange(3)):
            await m.press(DOWN)
        await m.take(*(("join",) if m.chance.random() < 0.7 else ("watch",)))
    elif way < 0.85:
        await m.take("any game")
    elif m.company.codes and await m.take("code"):
        await m.press(m.chance.choice(list(m.company.codes)[-4:]))
        await m.press(ENTER)
    await at_the_table(m)


async def open_table(m: Monkey) -> None:
    """With whatever options."""
    await m.take("new table")
    if m.chance.random() < 0.3:  # by correspondence, if nobody has changed the form
        for key in (DOWN,) * 5 + (RIGHT,) * 2:
            await m.press(key)
    for _ in range(m.chance.randrange(7)):
        await m.press(m.chance.choice((DOWN, DOWN, UP, RIGHT, RIGHT, LEFT)))
    await m.press(ENTER)


async def at_the_table(m: Monkey) -> None:
    """Wait for others there, look around, begin."""
    for _ in range(m.chance.randrange(8)):
        if m.sight.offers("bid", "next", "guess"):
            break
        what = m.chance.random()
        if what < 0.3:
            await m.take("start")
        elif what < 0.4:
            await m.take("free the seat", "hand over", "keep for", "move", "private", "options")
        else:
            await m.wait(m.chance.choice((1, 5, 15)))
    await play(m)
    if m.chance.random() < 0.5:
        await vote(m)


async def cup(m: Monkey) -> None:
    """A tournament: open one, register, begin; meanwhile do something else."""
    if not await m.go_home() or (m.sight.title and not await m.take("lobby")):
        return
    await m.press("e", 1.0)
    if not await m.take("standings"):
        if not await m.take("new tournament"):
            return
        await m.type(f"cup{m.company.turns}")
        await m.press(ENTER)
        for _ in range(m.chance.randrange(9)):
            await m.press(m.chance.choice((DOWN, LEFT, LEFT)))
        await m.press(ENTER, 1.0)
    await m.take("register")
    if m.chance.random() < 0.5:
        await m.take("begin the round")
    if m.chance.random() < 0.1:
        await m.take("close the round")
    await m.chance.choice((half_a_line, replay, replay, replay, talk, idle))(m)
    await play(m)


async def today(m: Monkey) -> None:
    if await m.go_home():
        await m.press("d", 1.0)
        await poke(m)
        await play(m)


# ------------------------------------------------------------------------- pages


async def replay(m: Monkey) -> None:
    """A game that is over, told again; it plays on while this one looks elsewhere, or goes."""
    if not await m.go_home():
        return
    await m.press("r", 1.0)
    if m.sight.says("No game has been finished yet."):
        await m.press(TAB, 1.0)
    for _ in range(m.chance.randrange(3)):
        await m.press(m.chance.choice((DOWN, RIGHT)), 0.5)
    await m.press(ENTER, 1.0)
    if not await m.take("play"):
        return
    if m.chance.random() < 0.5:
        await m.press("-")
    for _ in range(m.chance.randrange(1, 12)):
        await m.wait(m.chance.choice((1, 5, 10)))
    if not m.sight.offers("pause", "play"):  # taken away from it
        await m.wait()
        await m.drop()
        return
    if m.chance.random() < 0.3:
        await m.press("v", 1.0)
        await poke(m)
    if m.chance.random() < 0.4:
        await m.drop()


async def settings(m: Monkey) -> None:
    """Change some of them."""
    await m.press("o")
    for _ in range(m.chance.randrange(2, 9)):
        await m.press(m.chance.choice((DOWN, DOWN, UP, RIGHT, LEFT)))
    if m.chance.random() < 0.3:
        await m.press(RIGHT)
        await poke(m)
    await m.escape()


async def pages(m: Monkey) -> None:
    """Each page that many lead to, and what can be done there."""
    await m.press(m.chance.choice("raedom?!"), 1.0)
    await poke(m)
    await poke(m)


SCREEN: Final[Mapping[Goal, int]] = {
    poke: 16, fumble: 4, paste: 4, resize: 3, idle: 2, come_back: 4, phrases: 3, talk: 6, half_a_line: 3,
    play: 6, against_bots: 5, vote: 3, vote_at_once: 3, meet: 8, cup: 4, today: 2, replay: 6, settings: 3,
    pages: 12,
}  # fmt: skip
MOODS: Final[tuple[tuple[Goal, ...], ...]] = (
    (meet, vote), (talk,), (cup,), (talk, replay, half_a_line), (cup,),
)  # fmt: skip
"""What all want more than usual, for a while."""


# ------------------------------------------------------------------------- lines


async def commands(m: Monkey) -> None:
    """What help tells, in the own language, with what could follow it. Each is answered."""
    words = words_for(m.seat.who.language)
    for _ in range(m.chance.randrange(1, 6)):
        verb = m.chance.choice(COMMAND_WORDS)
        if verb in (Verb.QUIT, Verb.SCREEN):
            continue
        rest = [
            "", "", "", "1", "2", "3 4", "44", "pause", "end", "5 players untimed", "otter", "go", "all",
            m.chance.choice(m.names), *list(m.company.codes)[-2:],
        ]  # fmt: skip
        await command(m, f"{words.p('line command', verb)} {m.chance.choice(rest)}".strip())


async def command(m: Monkey, line: str) -> None:
    """Type a line and read what comes."""
    m.read()
    await m.press(f"{line}\r", 1.0)
    for _ in range(8):
        answer = " ".join(m.unread.split()).replace(" ".join(line.split()), "", 1)
        if answer.strip("> "):
            return
        await m.wait(3)  # somebody may have to think about it
    m.found(f"no answer: {line.partition(' ')[0]}", f"{line!r} is answered with nothing")


async def tell(m: Monkey) -> None:
    """Something to somebody, or to everybody."""
    words = words_for(m.seat.who.language)
    if m.chance.random() < 0.7:
        to = m.chance.choice(m.names)
        verb = words.p("line command", "tell")
        await command(m, f"{verb} {to} {m.company.word(m.me, f'={to}')}")
    else:
        await command(m, f"'{m.company.word(m.me, 'room')}")


async def bid(m: Monkey) -> None:
    """A game in lines."""
    words = words_for(m.seat.who.language)
    for word in m.chance.sample(("play", "hand", "again", "any", "start", "learn", "today"), 2):
        await command(m, words.p("line command", word))
    for _ in range(m.chance.randrange(2, 12)):
        m.read()
        await m.press(f"{words.p('line command', 'hand')}\r", 1.0)
        cards = [card for card in _HAND.findall(m.unread) if 0 < int(card) <= 60]
        if len(cards) < 2:
            return
        await command(m, m.chance.choice(cards))


LINES: Final[Mapping[Goal, int]] = {commands: 8, tell: 6, bid: 5, come_back: 1, idle: 1}


def goal_of(m: Monkey, mood: int) -> Goal:
    """The next one."""
    if m.seat.reads_lines:
        return m.chance.choices(list(LINES), list(LINES.values()))[0]
    weights = {**SCREEN, **{goal: 15 * SCREEN[goal] for goal in MOODS[mood]}}
    return m.chance.choices(list(weights), list(weights.values()))[0]
