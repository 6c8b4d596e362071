"""Before a game: seats are arranged and kept, a table is made private, somebody is removed."""

from tests.support.faces import AnyFace, on_each_face
from tests.support.tables import world

REFUSED = "Only the owner of the table can do that."


@on_each_face
async def test_the_owner_arranges_the_seats(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        await ada.does("open a table")
        (code,) = server.lobby.places.seats("id-ada")
        async with face(server.enter("bo").visit, server.clock) as bo:
            await bo.does("come", code=code)
            await ada.does("keep seat 3", name="zoe")
            ada.learns("kept for zoe", table={"seats": [{"kept": "zoe"}]})
            bo.learns("kept for zoe", table={"seats": [{"kept": "zoe"}]})
            await ada.does("move seat 2 to 4")
            bo.learns(you={"seat": 3})
            await ada.does("open seat 3")
            await bo.does("keep seat 3", name="eve")
            bo.learns(REFUSED, code="not_owner")
            await ada.does("remove seat 4")
            bo.learns("You have been removed from table", place="lobby")
        assert not server.lobby.places.seats("id-bo")


@on_each_face
async def test_who_comes_to_a_private_table_needs_its_word(face: AnyFace) -> None:
    async with world() as server, face(server.enter("ada").visit, server.clock) as ada:
        await ada.does("open a table")
        await ada.does("make private", word="Otter")
        (code,) = server.lobby.places.seats("id-ada")
        async with face(server.enter("bo").visit, server.clock) as bo:
            assert code not in bo.told()
            await bo.does("come", code=code)
            bo.learns("That table is private", code="word_needed")
            assert not server.lobby.places.seats("id-bo")
