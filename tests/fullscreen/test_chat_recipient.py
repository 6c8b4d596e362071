"""For whom a line is: that changes with the player's own keys, and with nothing else."""

import pytest

from server.coordinator.messages import CreateTable, JoinTable, LeaveTable, WatchTable
from tests.support.at_a_screen import Sitting, heard, sitting, watcher
from tests.support.tables import UNTIMED, world


def prompt(ada: Sitting) -> str:
    """The line that is typed, with whom it is for."""
    return ada.pilot.screen()[ada.pilot.terminal.size.rows - 2].strip()


async def test_a_private_line_stays_for_whom_it_was_begun() -> None:
    async with world() as server:
        bo, cem = server.enter("bo"), server.enter("cem")
        async with sitting(server) as ada:
            await ada.say(bo, "psst", to="ada")
            await ada.press("/", "tab")
            await ada.type("meet me at six, do not tell cem")
            await ada.say(cem, "hello", to="ada")
            assert prompt(ada) == "to bo alone: meet me at six, do not tell cem"
            await ada.press("enter")
            assert heard(bo)[-1] == "meet me at six, do not tell cem"
            assert "meet me at six, do not tell cem" not in heard(cem)


@pytest.mark.parametrize(("tabs", "whom"), [(0, "table"), (1, "lobby"), (2, "table")])
async def test_a_line_at_a_table_stays_for_whom_it_was_begun(tabs: int, whom: str) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo, cem = await watcher(server, ada), server.enter("cem")
        await ada.press("/", *["tab"] * tabs)
        await ada.type("well played")
        await ada.say(cem, "hello", to="ada")
        assert prompt(ada) == f"to the {whom}: well played"
        await ada.press("enter")
        assert heard(bo if whom == "table" else cem)[-1] == "well played"
        assert heard(cem).count("well played") == (whom == "lobby")


async def test_tab_turns_to_who_wrote_last() -> None:
    async with world() as server:
        bo, cem = server.enter("bo"), server.enter("cem")
        async with sitting(server) as ada:
            await ada.say(bo, "psst", to="ada")
            await ada.press("/", "tab")
            await ada.say(cem, "hello", to="ada")
            await ada.press("tab")
            assert prompt(ada).startswith("to the lobby:")
            await ada.press("tab")
            assert prompt(ada).startswith("to cem alone:")
            await ada.press("s-tab")
            assert prompt(ada).startswith("to the lobby:")


async def test_a_phrase_goes_to_whom_the_menu_names() -> None:
    async with world() as server:
        bo, cem = server.enter("bo"), server.enter("cem")
        async with sitting(server) as ada:
            await ada.say(bo, "psst", to="ada")
            await ada.press("/", "tab", "enter")
            await ada.say(cem, "hello", to="ada")
            assert "to bo alone" in ada.text
            await ada.press("1")
            assert heard(bo)[-1] == "hello"
            assert heard(cem) == ["hello"], "only what cem said"


async def test_a_phrase_for_the_table_is_asked_about_in_the_lobby() -> None:
    async with world() as server:
        bo, cem = server.enter("bo"), server.enter("cem")
        await bo.ok(CreateTable(UNTIMED))
        assert bo.table is not None
        async with sitting(server) as ada:
            ada.controller.context.do(WatchTable(bo.table.info.id))
            await ada.wait()
            await ada.press("/", "enter")
            ada.controller.context.do(LeaveTable())
            await ada.wait()
            assert "You are somewhere else now" in ada.text
            await ada.press("1")
            assert heard(cem) == []
            assert "Press Enter again to send it to the lobby." in ada.text
            await ada.press("1")
            assert len(heard(cem)) == 1


async def test_a_line_for_the_lobby_is_not_for_the_table_one_comes_to() -> None:
    async with world() as server:
        bo, cem = server.enter("bo"), server.enter("cem")
        await bo.ok(CreateTable(UNTIMED))
        assert bo.table is not None
        async with sitting(server) as ada:
            await ada.press("/")
            await ada.type("anybody?")
            ada.controller.context.do(JoinTable(bo.table.info.id))
            await ada.wait()
            assert prompt(ada) == "to the lobby: anybody?"
            await ada.press("enter", "enter")
            assert heard(cem) == ["anybody?"]
