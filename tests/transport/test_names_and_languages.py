"""A name that is changed in place, and a language that stays with the account, over SSH."""

import pytest

from tests.support.clients import seated
from tests.support.connections import fingerprint, key, open_server, real_frontend, until


@pytest.mark.parametrize("keys", [["ada"], []])
async def test_a_key_on_the_title_page_changes_the_name(keys: list[str]) -> None:
    async with open_server(make_frontend=real_frontend) as opened:
        async with seated(opened, "root", keys=[key(each) for each in keys]) as shown:
            await shown.sees("because your machine says so. n on the title page changes it.")
            shown.press("n")
            await shown.sees("name root")
            shown.press("\x7f" * 4 + "Zoe\r")
            await shown.sees("You are Zoe.")
            # The same again: with a name that is taken, one keeps the own.
            async with seated(opened, "bo", keys=[key("bo")]) as theirs:
                await theirs.sees("You are bo.")
                shown.press("n")
                await shown.sees("name Zoe")
                shown.press("\x7f" * 4 + "bo\r")
                await shown.sees("You are Zoe.", "That name is taken")
                assert sorted(it.player.name for it in opened.server.sessions if it.player) == [
                    "Zoe",
                    "bo",
                ]
        if keys:
            person = await opened.people.store.find("key", fingerprint("ada"))
            assert person is not None
            assert person.name == "Zoe"


async def test_escape_and_the_same_name_change_nothing() -> None:
    async with (
        open_server(make_frontend=real_frontend) as opened,
        seated(opened, "ada", keys=[key("ada")]) as shown,
    ):
        await shown.sees("You are ada.")
        visit = [*opened.server.sessions]
        for typed in ("n\x7f\x7fx\x1b", "n\r", "n\x7f\x7f\x7f\r"):
            shown.press(typed)
            await shown.sees("You are ada.", "lobby")
        assert [*opened.server.sessions] == visit


async def test_line_mode_has_a_word_for_it() -> None:
    async with (
        open_server(make_frontend=real_frontend) as opened,
        seated(opened, "root+plain", keys=[key("ada")]) as shown,
    ):
        await shown.sees('"name" and another one changes it.')
        shown.press("name\r")
        await shown.sees('You are root. Type "name" and another one.')
        shown.press("name Zoe\r")
        await shown.sees("You are Zoe.")
        shown.press("play\r")
        await shown.sees("To bid a card")
        shown.press("name Eve\r")
        await shown.sees('type "leave" before you change your name.')


async def test_the_language_of_the_first_login_stays_with_the_account() -> None:
    async with open_server() as opened:
        visits = [("ben", None), ("ben+de", "de"), ("ben", "de"), ("ben+pt", "pt"), ("ben", "pt")]
        for name, language in visits:
            async with opened.comes(name, [key("ben")]) as frontend:
                assert frontend.account.settings.get("language") == language
            await until(lambda: not opened.server.sessions)
