"""The page on which the keys at the table are chosen."""

from prompt_toolkit.buffer import Buffer

from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.form import options_screen
from server.session.key_preferences import ACTIONS, label, taken, to_keep, usable, what
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.viewmodels.lobby import OptionLine


class KeysPage:
    """See the module."""

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = 0
        self._waiting = False
        """The next key is the one for what is chosen."""

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk, words, own = self._desk, self._desk.words, self._desk.own_keys
        lines = [
            OptionLine(
                what(action, words),
                own.get(action.name) or label(action, words),
                words.t("instead of {key}", key=label(action, words)) if action.name in own else "",
                False,
            )
            for action in ACTIONS
        ]
        lines.append(OptionLine(words.t("All keys as usual"), "", words.t("Enter does it"), True))
        said = desk.said
        if self._waiting:
            said = (
                "warm",
                words.t(
                    "Press the key for: {what}. Esc keeps it as it is.",
                    what=what(ACTIONS[self._chosen], words),
                ),
            )
        keys = (
            ("Enter", words.t("another key")),
            ("d", words.t("as usual")),
            ("Esc", words.t("back")),
        )
        title = words.t("Keys at the table")
        return options_screen(title, tuple(lines), self._chosen, said, size, desk.look, keys)

    def key(self, name: str) -> None:
        """See ``Page``."""
        if self._waiting:
            self._waiting = False
            if name not in ("escape", "enter"):
                self._take(name)
            return
        count = len(ACTIONS) + 1
        match name:
            case "up" | "k":
                self._chosen = (self._chosen - 1) % count
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % count
            case "enter" | "right" | "l" | " " if self._chosen < len(ACTIONS):
                self._waiting = True
            case "enter":
                self._keep({})
            case "d" | "delete" | "backspace" if self._chosen < len(ACTIONS):
                own = dict(self._desk.own_keys)
                own.pop(ACTIONS[self._chosen].name, None)
                self._keep(own)
            case "escape" | "q":
                self._desk.close(self)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _take(self, key: str) -> None:
        words, own = self._desk.words, dict(self._desk.own_keys)
        action = ACTIONS[self._chosen]
        other = taken(key, own)
        if other is action:
            return
        if other is not None:
            text = words.t("{key} is already used for {what}.", key=key, what=what(other, words))
            self._desk.say("error", text)
        elif not usable(key):
            self._desk.say("error", words.t("That key keeps its meaning; take another one."))
        else:
            self._keep({**own, action.name: key})

    def _keep(self, own: dict[str, str]) -> None:
        """Keep these, unless the usual key of one is what another has been given."""
        words = self._desk.words
        for action in ACTIONS:
            other = taken(action.key, own) if action.name not in own else action
            if other is not None and other is not action:
                text = words.t(
                    "{key} is already used for {what}.", key=action.key, what=what(other, words)
                )
                self._desk.say("error", text)
                return
        self._desk.prefer(keys=to_keep(own))
