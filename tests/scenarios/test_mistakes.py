"""A mistake of ours, in what somebody has asked for."""

import pytest
from structlog.testing import capture_logs

from server.coordinator.messages import Reply
from server.session.client import SessionClient
from tests.support.faces import AnyFace, on_each_face
from tests.support.tables import world


@on_each_face
async def test_it_is_told_and_logged_once_and_changes_nothing(
    face: AnyFace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> Reply:
        raise ValueError("a mistake: 14")

    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        with monkeypatch.context() as broken, capture_logs() as logs:
            broken.setattr(SessionClient, "submit", fails)
            for _ in range(2):
                await ada.does("open a table")
                ada.learns(
                    "Something went wrong on our side", "nothing was changed", code="internal"
                )
        (mistake,) = [line for line in logs if line["event"] == "session_mistake"]
        assert mistake["error"] == "ValueError"
        assert mistake["where"][-1].endswith(" fails")
        await ada.does("open a table")
        assert server.lobby.places.seats("id-ada")
