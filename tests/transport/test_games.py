"""Full screens over real SSH connections, used by who only knows what is on them."""

from collections.abc import AsyncIterator

import pytest

from tests.support.clients import seated
from tests.support.connections import AT_ONCE, Open, open_server, real_frontend


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server(make_frontend=real_frontend, timing=AT_ONCE) as one:
        yield one


async def test_a_big_screen_waits_for_a_game_and_needs_no_keys(opened: Open) -> None:
    async with seated(opened, "hall+watch") as hall, seated(opened, "ada") as ada:
        await hall.sees("Turn the Tide", "who is here")
        assert "hall+" not in hall.text, "nobody can come back as this screen"
        await ada.sees("You are ada.")
        ada.press("b")
        await hall.sees("You are watching.", "stage 1/")
        assert "who is here" not in hall.text


@pytest.mark.parametrize(
    ("login", "said", "sees"),
    [
        ("bo+{code}", "That table is private", "2  bo"),
        ("bo+{code}+beaver", "That is not the invitation word", "2  bo"),
        ("bo+watch+{code}", "That table is private", "Waiting for players"),
    ],
)
async def test_who_comes_to_a_private_table_without_its_word_types_it(
    opened: Open, login: str, said: str, sees: str
) -> None:
    async with seated(opened, "ada") as ada:
        await ada.sees("You are ada.")
        ada.press("ln")
        await ada.sees("New table")
        ada.press("\r")
        await ada.sees("code to join: ")
        _, _, code = ada.text.splitlines()[0].rpartition(" ")
        ada.press("i")
        await ada.sees("invitation word")
        ada.press("otter\r")
        await ada.sees("invitation word is otter")
        async with seated(opened, login.format(code=code)) as bo:
            await bo.sees("Lobby", said, "invitation word")
            bo.press("otter\r")
            await bo.sees(sees)


async def test_leaving_is_asked_about_and_said_good_bye_to(opened: Open) -> None:
    async with seated(opened, "ada") as ada:
        await ada.sees("You are ada.")
        ada.press("\x03")
        await ada.sees("eave")
        ada.press("\x1b")
        await ada.sees("You are ada.")
        ada.press("\x04")
        await ada.sees("eave")
        ada.press("y")
        await ada.until(lambda seat: seat.closed)
    assert "Goodbye, ada." in ada.text
    assert ada.exit_status == 0
