"""Who is registered for a tournament, for its director: places are made free, and the share of one address
lifted.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.choice_page import ask_yes_or_no
from server.fullscreen.pages.page import BACK, ListPage
from server.fullscreen.widgets.boxes import Pane, panes
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import gettext_noop as _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import KeyTable


class PlayersPage(ListPage):
    """``names`` are those of who is registered, ``lifted`` whether one address has no share any more, both as
    they are now; ``direct`` has something done, with the player of a name.
    """

    TITLE = _("Registered players")
    KEYS = KeyTable["PlayersPage"](*ListPage.KEYS)

    def __init__(
        self,
        context: SessionContext,
        names: Callable[[], Sequence[str]],
        lifted: Callable[[], bool],
        direct: Callable[[m.Directing, str], None],
    ) -> None:
        super().__init__(context)
        self._names: Final = names
        self.lifted: Final = lifted
        self._direct: Final = direct

    @property
    @override
    def count(self) -> int:
        return len(self._names())

    @override
    def frame(self, size: Size) -> Frame:
        words, names, inside = self.words, self._names(), self.body_size(size)
        limit = (
            words.t("Any number of players of one address can register.")
            if self.lifted()
            else words.t("Half of the places at most are for players of one address.")
        )
        rule = Pane(words.t("places"), partial(paragraph, limit), least=2)
        players = self.list_pane(lambda number, _: ("text", names[number]))
        if not names:
            nobody = words.t("Nobody has registered yet.")
            players = Pane("", partial(paragraph, nobody), grows=True)
        body = panes([[players], [rule]], inside, self.context.look, (3, 2))
        return self.framed(self.title(), body, size)

    @KEYS.add("enter", footer=_("remove"), shown=lambda page: page.count > 0)
    def ask_to_remove(self) -> None:
        """The player that is chosen."""
        names = self._names()
        if names:
            name = names[self._chosen % len(names)]
            self._sure(
                self.words.t("Remove {name}?", name=name),
                self.words.t("no seat in further rounds; registering again is possible"),
                m.Directing.REMOVE,
                name,
            )

    @KEYS.add("x", footer=_("remove the absent"), shown=lambda page: page.count > 0)
    def ask_to_remove_absent(self) -> None:
        """Everybody who is not connected."""
        self._sure(
            self.words.t("Remove everybody who is not connected?"),
            self.words.t("no seat in further rounds; registering again is possible"),
            m.Directing.REMOVE_ABSENT,
        )

    @KEYS.add("l", when=lambda page: not page.lifted(), footer=_("lift the limit"))
    def ask_to_lift(self) -> None:
        """For good."""
        self._sure(
            self.words.t("Lift the limit for one address?"),
            self.words.t("then one address can take all places; this cannot be undone"),
            m.Directing.LIFT,
        )

    KEYS.include(BACK)

    def _sure(self, question: str, hint: str, what: m.Directing, name: str = "") -> None:
        ask_yes_or_no(self.context, question, hint, lambda: self._direct(what, name))
