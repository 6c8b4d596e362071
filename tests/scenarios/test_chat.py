"""Talking: who says what to whom, and who hears it."""

from typing import Any

import pytest

from server.coordinator.messages import Room, Say
from tests.support.at_a_screen import heard
from tests.support.faces import AnyFace, on_each_face
from tests.support.tables import Guest, World, world


async def says(server: World, guest: Guest, text: str, **more: Any) -> None:
    await guest.ok(Say(Room.DIRECT if "to" in more else Room.LOBBY, text, **more))
    await server.clock.advance(1)


@on_each_face
async def test_what_is_said_in_the_lobby_and_to_one_person(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        bo, cem = server.enter("bo"), server.enter("cem")
        await ada.does("say", text="anybody here?")
        assert heard(bo) == heard(cem) == ["anybody here?"]
        await says(server, bo, "over here")
        ada.learns("over here", chat=[{"from": "bo", "room": "lobby", "text": "over here"}])
        await says(server, bo, "psst", to="ada")
        ada.learns("psst", chat=[{"from": "bo", "to": "ada", "text": "psst"}])
        await ada.does("tell", name="bo", text="what?")
        assert heard(bo)[-1] == "what?"
        assert "what?" not in heard(cem)
        await ada.does("tell", name="zoe", text="what?")
        ada.learns('Nobody called "zoe" is here.', code="nobody_called")


@on_each_face
async def test_a_phrase_is_said(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        bo = server.enter("bo")
        await ada.does("praise")
        assert heard(bo) == ["well_played"]


@on_each_face
@pytest.mark.parametrize("act", ["say", "tell"])
async def test_who_says_too_much_at_once_is_told(face: AnyFace, act: str) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        bo = server.enter("bo")
        await ada.does(act, name="bo", text="x" * 420)
        ada.learns("only 400 columns of it were sent", ok=True, cut=400)
        assert heard(bo) == ["x" * 400]


@on_each_face
async def test_who_is_muted_is_not_seen_and_who_is_blocked_cannot_write(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        bo = server.enter("bo")
        await ada.does("mute", name="bo")
        ada.learns("Messages from bo are hidden until you leave", ok=True)
        await says(server, bo, "spam")
        assert "spam" not in ada.told()
        await ada.does("unmute", name="bo")
        ada.learns("You see bo's messages again.", ok=True)
        await says(server, bo, "ham")
        assert "ham" in ada.told()
        await ada.does("block", name="bo")
        assert await bo.code(Say(Room.DIRECT, "psst", to="ada")) == "not_listening"
        await ada.does("mute", name="zoe")
        ada.learns('Nobody called "zoe" is here.', code="nobody_called")


@on_each_face
async def test_who_was_muted_by_an_operator_is_told_how_long(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        bo = server.enter("bo")
        server.lobby.chat.silence_only({"id-ada": server.clock.time() + 1200})
        await ada.does("say", text="hello")
        ada.learns("An operator has muted you", "20 minutes", code="silenced")
        assert not heard(bo)
