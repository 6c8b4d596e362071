"""Lists of people, here or in another list, and the page of one person."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from typing_extensions import override

from server.coordinator.contract import Followed
from server.coordinator.messages import Reply, Update
from server.coordinator.people.profile import Profile
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import ListPage
from server.fullscreen.pages.page import BACK
from server.fullscreen.pages.reading import LoadedPage, ReadingPage
from server.fullscreen.widgets.boxes import Pane
from server.fullscreen.widgets.chrome import paragraphs
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Row, Span
from server.terminal.keys.key_table import Key, KeyTable
from server.text.people import between_lines, profile_lines
from server.text.refusals import refusal

Names = Callable[[Any], Sequence[str]]
"""Returns the people whom a page is about."""


def people_key(*names: str, of: Names, **told: str) -> Key[Any]:
    """The key that shows who somebody is: where there are several to choose from, whom is asked."""

    def show(page: Any) -> None:
        found = of(page)
        if len(found) == 1:
            page.context.open(ProfilePage(page.context, found[0]))
        else:
            page.context.open(PeoplePage(page.context, found))

    options: Any = told
    return Key(*(names or ("i",)), does=show, when=lambda page: page.has_library, **options)


class PeoplePage(LoadedPage[tuple[Followed, ...]], ListPage[str]):
    """``names`` to choose from, then those whom the player follows."""

    TITLE = _("People")
    KEYS = KeyTable["PeoplePage"](*ListPage.KEYS)

    def __init__(self, context: SessionContext, names: Sequence[str]) -> None:
        super().__init__(context)
        self._names: Final = tuple(dict.fromkeys(names))

    @override
    def updated(self, update: Update) -> None:
        if any(word.kind == "came" for word in update.said):
            self.opened()

    @override
    async def load(self) -> tuple[Followed, ...]:
        return await self.context.account.followed()

    @override
    def items(self) -> Sequence[str]:
        return tuple(dict.fromkeys((*self._names, *(each.name for each in self._found or ()))))

    @override
    def nothing(self) -> Sequence[str]:
        return (self.unread or self.words.t("There is nobody to choose."),)

    @override
    def line(self, item: str, width: int) -> Span:
        words, name = self.words, item
        followed = next((each for each in self._found or () if each.name == name), None)
        if followed is None:
            return ("text", name)
        if followed.here or name in self._names:
            return ("strong", words.t("{name}, followed", name=name))
        return ("dim", words.t("{name}, followed, not here", name=name))

    @KEYS.add(*("enter", "i"), footer=_("page"), shown=lambda page: bool(page.items()))
    def show(self) -> None:
        """Show the chosen person."""
        if self.chosen is not None:
            self.context.open(ProfilePage(self.context, self.chosen, self.opened))

    KEYS.include(BACK)


class ProfilePage(LoadedPage[Profile], ReadingPage):
    """What there is to know of somebody."""

    LARGEST = ListPage.LARGEST
    HEADING = _("profile")
    KEYS = KeyTable["ProfilePage"]()

    def __init__(
        self, context: SessionContext, name: str, changed: Callable[[], None] = lambda: None
    ) -> None:
        """``changed`` is called when the player follows this person, or no more."""
        super().__init__(context)
        self._name: Final = name
        self._changed: Final = changed

    @override
    def title(self) -> str:
        return self._found.name if self._found is not None else self._name

    @override
    async def load(self) -> Profile | None:
        found = await self.context.account.profile(self._name)
        if found is None:
            self.unread = self._refused("no_profile")
        return found

    @override
    def told(self, found: Profile, width: int) -> list[Row]:
        lines = profile_lines(found, self.context.clock.time(), self.words)
        return paragraphs(lines, width, apart=True)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        found, words = self._found, self.words
        if found is None or not (lines := between_lines(found, words)):
            return ()
        title = words.t("privacy") if found.own else words.t("you and {name}", name=found.name)
        return (Pane(title, partial(paragraphs, lines, apart=True)),)

    def _refused(self, code: str) -> str:
        return refusal(Reply(code, {"name": self._name}), self.words)

    @property
    def may_follow(self) -> bool:
        found = self._found
        return found is not None and not found.own and (found.followable or found.followed)

    @property
    def follows(self) -> bool:
        return self._found is not None and self._found.followed

    @KEYS.add("f", footer=_("follow"), when=lambda page: page.may_follow and not page.follows)
    def follow(self) -> None:
        """Be told when this person comes."""
        self.fetch(self._follow(True))

    @KEYS.add("f", footer=_("unfollow"), when=lambda page: page.follows)
    def unfollow(self) -> None:
        self.fetch(self._follow(False))

    KEYS.include(*ReadingPage.KEYS)

    async def _follow(self, on: bool) -> None:
        account = self.context.account
        if (code := await account.follow(self._name, on)) != "ok":
            self.context.complain(self._refused(code))
        self._found = await account.profile(self._name) or self._found
        self._changed()
