"""Out of a stage in line mode: what to type is told, and then only what the stage has brought."""

from tests.support.tables import world
from tests.support.transcript import cards_in, reader


async def test_only_the_end_of_a_skipped_stage_is_told() -> None:
    offer = 'Only bots are left in this stage: "skip" goes on to its end.'
    async with world(seed=lambda: bytes([7] * 32)) as place, reader(place) as ada:
        await ada.say("play")
        heard = [*ada.new()]
        for _ in range(400):
            if offer in heard:
                break
            hand = await ada.say("hand")
            if cards := cards_in(hand):
                heard = await ada.say(str(cards[-1]))
            await place.clock.advance(3)
            heard += ada.new()
        assert offer in heard
        told = await ada.say("skip")
        while not any("is over: " in line for line in told):
            assert await place.clock.next()
            told += ada.new()
        told = told[: next(n for n, line in enumerate(told) if "is over: " in line) + 3]
        assert told[0].startswith("Stage 1 is over: ")
        assert told[1].startswith("Out: ")
        assert told[2].startswith("Points: ")
        assert await ada.say("skip") == ["You can do that once only bots are left in a stage."]
