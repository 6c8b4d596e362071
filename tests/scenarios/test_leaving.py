"""The end of a visit, and what is told about it."""

from tests.support.faces import AnyFace, on_each_face
from tests.support.tables import world


@on_each_face
async def test_who_has_connected_from_somewhere_else_is_told(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        assert not ada.last_words()
        again = server.enter("ada")
        await server.clock.advance(0)
        assert "from somewhere else" in ada.last_words()
        assert not again.last.closed
