"""The tables of keys, from which bindings, footers and help are made."""

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest
from msgspec import structs
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import KEY_ALIASES, Keys

from server import fullscreen
from server.coordinator.messages import (
    Pause,
    Status,
    TournamentInfo,
    TournamentPhase,
    TournamentPlan,
)
from server.fullscreen.pages.lists import ListPage
from server.fullscreen.pages.page import Focusable
from server.fullscreen.pages.reading import rows_of
from server.i18n.lookup import languages, words_for
from server.session.preferences import TOURNAMENT
from server.terminal.capabilities import Size
from server.terminal.keys.bindings import name_of
from tests.support.at_a_screen import sitting
from tests.support.fakes import Player1
from tests.support.gallery import SCREENS
from tests.support.snapshots import Game, plain, table_info
from tests.support.tables import world

ENGLISH = words_for("en")
_LABELS = {
    "Left Right": {"left", "right"},
    "Up Down": {"up", "down"},
    "Enter": {"enter"},
    "Space": {" "},
    "Tab": {"tab"},
    "Esc": {"escape"},
    "Home": {"home"},
    "+ -": {"+", "-"},
    "4 4": {"4"},
}
"""Keys as help calls them."""


def focusables() -> Iterator[type[Focusable]]:
    """Every class that has a table of keys."""
    for module in pkgutil.walk_packages(fullscreen.__path__, f"{fullscreen.__name__}."):
        for _, what in inspect.getmembers(import_module(module.name), inspect.isclass):
            if issubclass(what, Focusable) and what.__module__ == module.name:
                yield what


ALL = sorted(set(focusables()), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_help_speaks_of_keys_that_there_are(kind: type[Focusable]) -> None:
    """The keys are written twice: as prompt_toolkit and as people call them."""
    names = {name for key in kind.KEYS for name in key.names}
    for row in rows_of(kind.KEYS, ENGLISH):
        label, tab, text = row.partition("\t")
        assert tab
        assert text
        first = label.partition(",")[0].removeprefix("/ ")
        if not label.startswith("/") or label == f"/ {first}":
            assert _LABELS.get(first, {first}) <= names, row


async def test_every_text_of_help_is_shown_somewhere() -> None:
    shown = ""
    for name in ("help_of_the_lobby", "help", "help_of_a_replay", "operators_help"):
        player = await SCREENS[name]({"language": "en"})
        shown += plain(player.controller.page.frame(Size(104, 1000)).rows)
        player.controller.close()
    shown = " ".join(shown.split())
    for kind in ALL:
        for row in rows_of((*kind.COMMON, *kind.KEYS), ENGLISH):
            assert row.partition("\t")[2] in shown, (kind, row)


@pytest.mark.parametrize("name", SCREENS)
async def test_the_first_of_a_list_stays_the_first_and_the_last_the_last(name: str) -> None:
    player = await SCREENS[name]({"language": "en"})
    page = player.controller.page
    if not isinstance(page, ListPage) or page.entry is not None:
        return

    async def chosen_after(key: str) -> int:
        for _ in range(len(page.items()) + 1):
            await player.press(key)
        return page.at

    assert await chosen_after("up") == 0
    assert await chosen_after("down") == max(0, len(page.items()) - 1)
    player.controller.close()


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_every_key_is_bound_to_what_the_table_says(kind: type[Focusable]) -> None:
    for key in kind.KEYS:
        assert bool(key.names) <= (key.does is not None or key.takes is not None)
        for name in key.names:
            assert key in kind.KEYS_BY_NAME[name, key.typing]
            named = KEY_ALIASES.get(name, name)
            assert name_of(KeyPress(named if len(named) == 1 else Keys(named))) == name


@pytest.mark.parametrize("pause", [Pause.VOTED, Pause.SUSPENDED])
async def test_a_footer_offers_no_bid_while_the_game_stands_still(pause: Pause) -> None:
    player = Player1(Game())
    await player.table(info=structs.replace(table_info(player.game.rules), pause=pause))
    assert "Enter" not in dict(player.controller.focus.footer())
    assert "bid" not in player.text.splitlines()[-1]
    await player.table(info=table_info(player.game.rules))
    assert player.controller.focus.footer()[0] == ("Enter", "bid")


def test_the_way_out_comes_last_in_a_footer_where_there_is_always_room_for_it() -> None:
    for page in focusables():
        told = [key for key in page.KEYS if key.footer and not key.typing]
        if any("escape" in key.names for key in told):
            assert "escape" in told[-1].names, page


@pytest.mark.parametrize("language", languages())
async def test_a_small_footer_tells_of_the_vote(language: str) -> None:
    words = words_for(language)
    async with world() as server, sitting(server, play=True, language=language) as ada:
        await ada.wait()
        assert f"v {words.t('vote')}" in ada.keys
        assert f"? {words.t('help')}" in ada.keys
        assert f"Esc {words.t('leave')}" in ada.keys
        if language == "en":
            assert "/ chat" in ada.keys
            assert "L log" in ada.keys


async def test_a_small_footer_tells_of_the_tournament_that_a_game_belongs_to() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        context = ada.controller.context
        context.take = lambda: None  # type: ignore[method-assign]
        assert context.table is not None
        over = structs.replace(context.table.info, status=Status.OVER, event="cup.1")
        context.table = structs.replace(context.table, info=over)
        plan = TournamentPlan("Cup", TOURNAMENT)
        context.tournaments = (TournamentInfo("cup", plan, TournamentPhase.OVER, 1, 4, "", False),)
        context.carried_out()
        await ada.press("c-l")
        assert "e tournaments" in ada.keys
