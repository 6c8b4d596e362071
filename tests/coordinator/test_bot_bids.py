"""Bids that bots make for people: marked in the log and in the record once the round is over."""

import json

from engine.records.record_format import parse
from engine.records.replay import fold
from server.coordinator import messages as m
from server.i18n.lookup import words_for
from server.jsonapi.fields import table_data
from server.linemode.narration import told
from server.playback import ReplayPosition, shown
from server.session.preferences import Verbosity
from server.session.table_in_sentences import log_lines
from tests.support.tables import TIMED, restarted, world

WORDS = words_for("en")


async def test_who_ran_out_of_time_is_marked_when_the_round_is_over_and_after_a_restart() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        assert (await bo.bid()).ok
        await server.clock.advance(61)
        assert bo.info.seats[0].bot_bids == ((0, 0),)
        assert bo.info.seats[1].bot_bids == ()
        told_to_programs = table_data(bo.table)["seats"]
        assert [[*seat["bot_bids"]] for seat in told_to_programs] == [[(0, 0)], [], []]
        (line,) = log_lines(bo.table, WORDS)
        card = bo.table.table.rounds[0].bids[0]  # type: ignore[union-attr]
        assert f"ada {card} (bot)" in line
        assert line.count("(bot)") == 1
        happened = tuple(bo.heard(m.RoundResolved))
        update = m.Update(None, bo.table, happened, False, "")
        said = told(update, bo.table, WORDS, Verbosity.NORMAL)
        assert f"ada {card} (bot)" in said[0]
    async with restarted(server) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await server.clock.settle()
        assert bo.info.seats[0].bot_bids == ((0, 0),)
        await server.play_out(ada, bo)
        assert "(bot)" in log_lines(bo.table, WORDS)[0]
        (over,) = server.store.finished.values()
        assert over.record["seats"][0] == {"kind": "human", "bot_bids": [[1, 1]]}
        assert "bot_bids" not in over.record["seats"][1]
        game = shown(fold(parse(json.dumps(over.record))), ("ada", "bo", "Gull"), "game 1")
        position = ReplayPosition(game)
        position.move_to(len(game.moments) // 2)
        assert f"ada {card} (bot)" in log_lines(position.now(), WORDS)[0]


async def test_whether_such_a_bid_has_been_replaced_shows_when_the_round_is_over() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        while not ada.info.seats[0].away:
            if bo.owes():
                assert (await bo.bid()).ok
            await server.clock.advance(10)
        here = ada.own.table.round
        while not ada.own.bid:
            assert await server.clock.next()
        before = bo.info.seats[0].bot_bids
        assert here not in [round_ for _, round_ in before]
        card = next(card for card in ada.own.hand if card != ada.own.bid)
        assert (await ada.bid(card)).ok
        assert bo.info.seats[0].bot_bids == before
        assert (await bo.bid()).ok
        while ada.own.table.round == here:
            assert await server.clock.next()
        assert bo.info.seats[0].bot_bids == before
        assert not any(f"{card} (bot)" in line for line in log_lines(bo.table, WORDS))


async def test_another_game_begins_without_marks() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        await server.clock.advance(61)
        assert ada.info.seats[0].bot_bids
        await server.play_out(ada, bo)
        for each in (ada, bo):
            await each.ok(m.Rematch())
        await server.clock.advance(1)
        assert ada.info.status is m.Status.PLAYING
        assert [seat.bot_bids for seat in ada.info.seats] == [(), (), ()]
