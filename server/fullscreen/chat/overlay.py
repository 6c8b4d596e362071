"""Chat on the full screen.

A page of everything that was heard, and what is laid over any page, which is what was said last and the
line being typed.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from typing_extensions import override

from engine.editions import WEATHER_CARDS
from server.coordinator.messages import Block, ChatLine, Command, Mute, Room, Say
from server.coordinator.people.names import looks, skeleton
from server.fullscreen.chat.view import (
    ChatRow,
    at_the_bottom,
    chat_rows,
    fitting,
    present_chat,
    with_mark,
    with_panel,
)
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import CHAT, Focusable
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.widgets.chrome import Region, paragraph
from server.fullscreen.widgets.drawing import footer, rule_row, shorten
from server.i18n.lookup import Words, _
from server.session.commands import Verb, full_word
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import Memo
from server.terminal.drawing.frame import CursorPosition, Frame, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import NEWLINE, Key, KeyTable
from server.terminal.keys.lines import line_entry, visible
from server.text.chat import only_spectators_hear, phrases, shut_out_in_words
from server.text.refusals import refusal

_TELLS: Final = frozenset({"msg", "whisper", "w", "dm"})
"""What people type for ``tell`` in other games. What was meant for one must not be said to all."""

_ABOUT_SOMEBODY: Final = frozenset({Verb.TELL, Verb.MUTE, Verb.UNMUTE, Verb.BLOCK, Verb.UNBLOCK})
_RECALLED: Final = 20
_TWO_COLUMNS: Final = 64
"""From so many columns on the phrases stand in two columns."""
_THE_END: Final = 1_000_000
"""The first row of a page that follows what is said: as far down as there is something."""
_BESIDE: Final = 40
"""Lines of which as many as fit are shown beside something else."""


class ChatPage(ReadingPage):
    """All that was heard, scrolled to the end."""

    TITLE = _("Chat")
    CHATS = READS_CHAT = True
    KEYS = KeyTable["ChatPage"](*ReadingPage.KEYS, CHAT, Key("m", does=lambda page: page.go_back()))

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._top = _THE_END

    @override
    def lines(self, width: int) -> Sequence[Row]:
        context = self.context
        rows = present_chat(
            context.chat_history.lines, context.chat_history, context.clock.time(), context.words
        )
        if not rows:
            return paragraph(context.words.t("Nothing has been said yet."), width)
        return chat_rows(rows, width, context.look)

    @override
    def closed(self) -> None:
        super().closed()
        self._top = _THE_END

    @property
    def reads_back(self) -> bool:
        """There is something above what is shown."""
        return min(self._top, self.end) > 0

    @override
    def scroll(self, rows: int) -> None:
        self._top = min(self._top, self.end)
        super().scroll(rows)
        if self._top >= self.end:
            self._top = _THE_END


class ChatOverlay(Focusable):
    """The line being typed, which keys are for while it is open, and what was said last."""

    COMMON = ()
    KEYS = KeyTable["ChatOverlay"]()

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.is_open = False
        """Keys are for the chat now."""
        self._line: Buffer | None = None
        self._said: Final[list[str]] = []
        """What was typed before, refused or not: the Up key brings it back."""
        self._chosen_target: tuple[Room, str] = (Room.LOBBY, "")
        """For whom it is: only the player's keys change that, whoever speaks meanwhile."""
        self.chosen = -1
        self._asked = ""
        """The card that looks like a bid, until Enter says it all the same."""
        self._plain = ""
        """What has no order in it, although it begins like one."""
        self._place = ""
        """The table at which the line was begun."""
        self._log: Final = ChatPage(context)
        self._rows: Final[Memo[tuple[ChatRow, ...]]] = Memo()
        self._shown = False
        """The last frame had all that was to be read, or room for it."""
        self._notice: Span = ("", "")
        """The last line that was shown as a notice, because there was no room."""

    def open(self) -> None:
        self.entry = self._line = line_entry(history=InMemoryHistory(self._said))
        self.is_open = True
        self._asked, self.chosen = "", -1
        self._place, self._chosen_target = self.context.chat_history.place, self._targets()[0]

    def open_log(self) -> None:
        """Lay the page of everything over what is shown, once."""
        self.context.close(self._log)
        self.context.open(self._log)

    @KEYS.each(
        "enter",
        typing=True,
        footer=_("phrases"),
        shown=lambda line: line.empty,
        help=_("/ Enter\tphrases, shown in each reader's own language"),
    )
    def enter(self, name: str) -> None:
        assert self._line is not None
        stay = name == NEWLINE
        text = self._line.text.strip()
        if not text:
            if not stay:
                self.choose_phrase(0)
            return
        if self._asks_again():
            return
        if self._asked != text and self._is_card(text):
            self._asked = text
            return
        self._asked = ""
        command = self._command(text)
        if not self._said or self._said[-1] != text:
            self._said.append(text)
            del self._said[:-_RECALLED]
        self._line.reset()
        if not stay:
            self.close()
        self.context.spawn(self._submit(command))

    KEYS.include(
        Key(
            "enter",
            takes=lambda line, name: line.enter(name),
            typing=True,
            footer=_("say it"),
            shown=lambda line: not line.empty,
        ),
        Key("enter", does=lambda line: line.say_phrase(line.chosen)),
        Key(
            *"1234567890",
            takes=lambda line, digit: line.say_phrase((int(digit) - 1) % 10),
            footer=_("say it"),
            label="1-9 0",
        ),
    )

    @KEYS.add(
        "tab",
        typing=True,
        footer=_("whom"),
        shown=lambda line: line.turns,
        help=(
            _("/ Tab\tto somebody else: the table, the lobby, whoever wrote to you last"),
            _("/tell bo hi\tto bo alone, wherever bo is"),
            _("/mute bo\thide bo's messages until you leave; /unmute bo"),
            _("/block bo\tthe same for good, and no direct messages; /unblock bo"),
        ),
    )
    def complete_or_turn(self) -> None:
        """Complete a name that has been begun, as in "tell ma"; where none is, turn to somebody else."""
        assert self._line is not None
        first, _, begun = self._line.text.partition(" ")
        about = first.casefold() in _TELLS or full_word(first, self.words) in _ABOUT_SOMEBODY
        if not about or not begun or " " in begun:
            self.turn(1)
            return
        known = {
            *self.context.people_here,
            *(line.sender for line in self.context.chat_history.lines),
        }
        known.discard(self.context.chat_history.me)
        wanted = skeleton(begun)
        found = [who for who in known if any(it.startswith(wanted) for it in looks(who))]
        if len(found) == 1:
            text = f"{first} {found[0]} "
            self._line.document = Document(text, len(text))

    KEYS.include(
        Key("tab", does=lambda line: line.turn(1), footer=_("whom"), shown=lambda line: line.turns),
        Key("s-tab", does=lambda line: line.turn(-1), typing=True),
        Key(typing=True, footer=_("send again"), label=_("Up"), shown=lambda line: line.recalls),
    )

    @KEYS.each(
        "pageup",
        typing=True,
        footer=_("earlier"),
        label=_("PgUp"),
        shown=lambda line: line.reads_back,
    )
    def scroll(self, key: str) -> None:
        """Show what was said earlier, or later, without closing the line."""
        log = self._log
        if log.is_on_top:
            log.scroll(log.room - 1 if key == "pagedown" else 1 - log.room)
        elif key == "pageup":
            self.open_log()

    KEYS.include(
        Key("pagedown", takes=lambda line, key: line.scroll(key), typing=True),
        Key("pageup", "pagedown", takes=lambda line, key: line.scroll(key)),
        Key("up", "k", does=lambda line: line.move(-1)),
        Key("down", "j", does=lambda line: line.move(1)),
    )

    @KEYS.add("escape", "c-c", "c-d", typing=True, footer=_("back"))
    def close(self) -> None:
        """Back to the page; what was typed is gone."""
        self.entry = self._line = None
        self.is_open, self.chosen = False, -1

    KEYS.include(
        Key("escape", "q", does=lambda line: line.choose_phrase(-1), footer=_("back")),
        Key("c-c", "c-d", does=lambda line: line.close()),
    )

    # ---------------------------------------------------------------- whom it is for

    def _targets(self) -> list[tuple[Room, str]]:
        """Return the possible recipients, where the player is first."""
        targets = [(Room.LOBBY, "")]
        if self.context.table is not None:
            targets.insert(0, (Room.TABLE, ""))
        if self.context.chat_history.partner:
            targets.append((Room.DIRECT, self.context.chat_history.partner))
        return targets

    @property
    def _target(self) -> tuple[Room, str]:
        if self._elsewhere and self._chosen_target[0] is Room.TABLE:
            return self._targets()[0]
        return self._chosen_target

    @property
    def _elsewhere(self) -> bool:
        """The player has come to another place since the line was begun."""
        return self._place != self.context.chat_history.place

    def _asks_again(self) -> bool:
        """What was begun in another room is said when wanted a second time: it may have been for others."""
        if not self._elsewhere:
            return False
        self._place, self._chosen_target = self.context.chat_history.place, self._target
        said = self.words.t("Press Enter again to send it {whom}.", whom=self._whom())
        self.context.say("warm", said)
        return True

    def _whom(self) -> str:
        words, table = self.words, self.context.table
        room, name = self._target
        if room is Room.DIRECT:
            return words.t("to {name} alone", name=name)
        if room is Room.LOBBY:
            return words.t("to the lobby")
        assert table is not None
        if only_spectators_hear(table):
            return words.t("to the spectators")
        return words.t("to the table")

    # ---------------------------------------------------------------- the picture

    def over(
        self, frame: Frame, region: Region | None, size: Size, *, read: bool, marked: bool
    ) -> Frame:
        """With the chat; ``read``: it is all shown already, ``marked``: what is unread may be marked."""
        context, shown = self.context, read or self.is_open
        if self.is_open:
            frame = self._with_line(frame, () if read else self._heard(), size)
        elif region is not None:
            lines = self._heard() if context.chat_history.lines else ()
            # What a few free rows cannot show whole is still to be read.
            unread = context.chat_history.unread if lines and region.headless else 0
            shown = not unread or fitting(lines, region, context.look) >= unread
            # In the lobby, somebody to talk to is worth an empty panel.
            lobby = context.lobby if context.table is None else None
            company = lobby is not None and len(lobby.players) > 1
            if lines or (company and not region.headless):
                frame = with_panel(frame, lines, region, context.look)
        if marked and not self.is_open:
            unread = 0 if shown else context.chat_history.unread
            frame = with_mark(frame, unread, size, context.look)
        # Most have said nothing, and to see that again is no news.
        news = shown is not self._shown or context.chat_history.lines
        return frame.telling(partial(self._seen, shown)) if news else frame

    def _seen(self, shown: bool) -> None:
        """A frame has been seen, with all that was ``shown`` to be read, or not."""
        self._shown, context = shown, self.context
        if shown:
            context.chat_history.read()
            if self._notice[1] and context.notice is self._notice:
                context.notice = ("", "")  # the first line of all makes room for itself
                context.changed()

    def _heard(self) -> tuple[ChatRow, ...]:
        """What was said here, as much of it as any screen shows beside something else."""
        minute = self.context.clock.time() // 60
        return self._rows.of(self._present, self.context.chat_history.version, self.words, minute)

    def _present(self, _version: int, words: Words, minute: float) -> tuple[ChatRow, ...]:
        history = self.context.chat_history
        lines = [line for line in history.lines if history.concerns(line)][-_BESIDE:]
        return present_chat(lines, history, minute * 60, words)

    def _with_line(self, frame: Frame, lines: tuple[ChatRow, ...], size: Size) -> Frame:
        """``frame`` with the line, or the phrases, at its lower end."""
        if self.chosen >= 0:
            return frame._replace(rows=at_the_bottom(frame, self._menu(size), size), cursor=None)
        assert self._line is not None
        look, width, head = self.context.look, size.columns, f" {self._whom()}: "
        before = text_width(head)
        text, column = visible(self._line, max(1, width - before - 1))
        room = 5 if size.rows >= 36 else 3 if size.rows >= 20 else 2
        block = [
            rule_row(look.glyphs, width, ("dim", look.words.t("chat"))),
            *chat_rows(lines[-room:], width, look)[-room:],
            *self._told(width),
            row(("warm", head), ("input", fit(text, max(1, width - before - 1)))),
            footer(self.footer(), width),
        ]
        cursor = CursorPosition(before + column, size.rows - 2)
        return frame._replace(rows=at_the_bottom(frame, block, size), cursor=cursor)

    def _menu(self, size: Size) -> list[Row]:
        """The phrases to choose from."""
        look, known = self.context.look, phrases(self.words)
        columns = 2 if size.columns >= _TWO_COLUMNS else 1
        height = -(-len(known) // columns)
        width = (size.columns - 1) // columns
        block = [rule_row(look.glyphs, size.columns, ("warm", self._whom()))]
        for line in range(height):
            cells: list[Span] = []
            for number in range(line, len(known), height):
                here = number == self.chosen
                text = f"{'>' if here else ' '} {(number + 1) % 10}  {known[number][1]}"
                text = fit(text, width - 1, ellipsis=look.glyphs.more)
                cells += [("", " "), ("selected" if here else "text", text)]
            block.append(row(*cells))
        return [*block, *self._told(size.columns), footer(self.footer(), size.columns)]

    def _told(self, width: int) -> Sequence[Row]:
        """What there is to say about what is being said."""
        style, said = self._message()
        return (
            [row(" ", (style, shorten(said, width - 2, self.context.look.glyphs)))] if said else ()
        )

    def _message(self) -> Span:
        if self._asked:
            said = self.words.t(
                "Did you mean to bid {card}? Esc goes back to the cards; Enter again says it to"
                " everybody.",
                card=self._asked,
            )
            return ("warm", said)
        if self._elsewhere:
            return ("warm", self.words.t("You are somewhere else now: check who reads this."))
        return self.context.message

    # ---------------------------------------------------------------- the keys

    @property
    def reads_back(self) -> bool:
        """There is something above what is shown."""
        return self._log.reads_back or not self._log.is_on_top

    @property
    def turns(self) -> bool:
        """There is somebody else to turn to."""
        return any(target != self._target for target in self._targets())

    @property
    def empty(self) -> bool:
        return self._line is not None and not self._line.text

    @property
    def recalls(self) -> bool:
        return self.empty and bool(self._said)

    def turn(self, by: int) -> None:
        targets, now = self._targets(), self._target
        at = targets.index(now) if now in targets else -1
        self._chosen_target = targets[(at + by) % len(targets)]

    def choose_phrase(self, number: int) -> None:
        """Out of the menu, in which nothing is typed; with -1 back to the line."""
        self.chosen = number
        self.entry = self._line if number < 0 else None

    def move(self, step: int) -> None:
        self.chosen = max(0, min(self.chosen + step, len(phrases(self.words)) - 1))

    def say_phrase(self, number: int) -> None:
        """One of those that can be said with a key."""
        known = phrases(self.words)
        if number >= len(known) or self._asks_again():
            return
        room, name = self._target
        self.close()
        self.context.spawn(self._submit(Say(room, phrase=known[number][0], to=name)))

    def _is_card(self, text: str) -> bool:
        """A bid that is typed here must not be said to everybody by mistake."""
        own = self.context.own
        owes = own is not None and own.hand and own.table.offer is not None and not own.bid
        return bool(owes) and text.isdecimal() and text.isascii() and int(text) in WEATHER_CARDS

    def _command(self, text: str) -> Command:
        """What a line means: what it says, unless it begins as an order of line mode does ("/tell bo hi")."""
        first, _, rest = text.partition(" ")
        verb, rest = full_word(first, self.words), rest.strip()
        if (verb == Verb.TELL or first.casefold() in _TELLS) and rest and text != self._plain:
            name, _, said = rest.partition(" ")
            return Say(Room.DIRECT, said, to=name)
        if rest and " " not in rest:
            match verb:
                case Verb.MUTE | Verb.UNMUTE:
                    return Mute(rest, verb == Verb.MUTE)
                case Verb.BLOCK | Verb.UNBLOCK:
                    return Block(rest, verb == Verb.BLOCK)
        room, name = self._target
        return Say(room, text, to=name)

    async def _submit(self, command: Command) -> None:
        context, words = self.context, self.words
        reply = await context.submit(command)
        if context.done:
            return
        if not reply.ok:
            said = refusal(reply, words)
            typed = self._said[-1] if self._said else ""
            only_begins_so = isinstance(command, Say) and command.text not in ("", typed)
            if reply.code == "nobody_called" and only_begins_so:
                # Some sentences begin with such a word: "tell me more".
                self._plain = typed
                said = f"{said} {words.t('Up, then Enter, sends it as it is.')}"
            context.say("error", said)
        elif isinstance(command, Mute | Block):
            name = str(reply.details.get("name", command.name))
            if command.on:
                self.context.chat_history.forget(name)
            context.say("text", shut_out_in_words(command, name, words))
        context.changed()

    # ---------------------------------------------------------------- hearing

    def hear(self, lines: Sequence[ChatLine]) -> None:
        """These have come, and whatever else there is to know."""
        context, history = self.context, self.context.chat_history
        place = context.table.info.id if context.table is not None else ""
        history.moved(place, context.preferences.chat)
        if not lines:
            return
        fresh = [line for line in history.hear(lines) if not line.old and history.concerns(line)]
        if not fresh:
            return
        if caller := history.calls(fresh):
            context.call(context.words.t("{name} is talking to you.", name=caller))
        if not self._shown:
            (row,) = present_chat(fresh[-1:], history, context.clock.time(), context.words)
            context.notify(f"{row.who}: {row.said}")
            self._notice = self.context.notice
