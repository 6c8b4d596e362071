"""Whole visits in line mode, with only the sentences to go by."""

import re

import pytest

from engine.bots import STRATEGIES
from engine.bots.manners import MANNER_OF, MANNERS
from engine.editions import Edition, Rules
from server.coordinator import messages as m
from server.coordinator.messages import Pace, Room, Say, Status, TableOptions
from server.i18n.lookup import words_for
from server.session.preferences import Verbosity
from server.terminal.capabilities import Size
from server.text.events import news_in_words
from tests.support.accounts import FakeAccount
from tests.support.bots import Thinker
from tests.support.glass import Glass
from tests.support.tables import SHORT, world
from tests.support.through_frames import enter
from tests.support.transcript import Reader, cards_in, play_by_sentences, reader


async def test_a_whole_game_by_sentences_alone() -> None:
    async with world() as place, reader(place) as ada:
        greeting = ada.new()
        assert greeting[0] == "Turn the Tide. You are ada."
        await ada.say("play 3 players 2 stages")
        heard = await play_by_sentences(ada)
    assert any(re.match(r"Round 1: tides \d+ and \d+\.$", line) for line in heard)
    assert any(re.search(r"(You|you) \(\d+\) took \d+", line) for line in heard)
    assert sum(line.startswith("Points: ") for line in heard) == 2
    assert any(
        "lost a life preserver" in line or "life preserver left to lose" in line for line in heard
    )
    (last,) = (at for at, line in enumerate(heard) if line.startswith("Standings: "))
    assert all(re.match(r"(Stage|After stage) \d", line) for line in heard[last + 1 : -1])
    assert heard[-1] == 'Type "again" for another game, "reveal" for all hands, or "leave".'
    everything = ada.paper.written
    assert "\x1b" not in everything
    assert everything.isascii()


async def test_a_short_game_says_everything_once() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play 3 players 1 stage")
        heard = await play_by_sentences(ada)
        assert sum(line.startswith("Points: ") for line in heard) == 1
        assert sum(line.startswith("Standings: ") for line in heard) == 1
        assert not any(line.startswith("Totals: ") for line in heard), (
            "the standings are the totals"
        )
        scores = await ada.say("scores")
        assert not any(line.startswith("Hand dealt to ") for line in scores)
        again = await ada.say("again")
        begins = [line.startswith("The game begins: ") for line in again].index(True)
        assert "You are ready for another game." not in again[begins:], "it has begun"


async def test_who_hears_the_game_hears_what_the_others_want() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        await ada.say("new 3 players 1 stage untimed")
        await bo.say(f"join {ada.session.here.info.id}")
        await ada.say("add", "start")
        bo.new()
        assert "ada votes to pause the game (1 of 2)." in await heard_by(bo, ada, "vote pause")
        assert "Vote 1/2: pause the game (ada)." in await bo.say("table")
        told = await bo.say("vote pause")
        assert told[-2:] == ["The game is paused: everybody agreed.", 'Type "resume" to go on.']
        assert (await bo.say("table"))[-2:] == ["The game is paused.", 'Type "resume" to go on.']
        assert "The game goes on." in await bo.say("resume")
        assert await bo.say("vote replace nobody") == ['Nobody at this table is called "nobody".']
        await bo.say("vote end")
        assert (await heard_by(bo, ada, "vote end"))[-2:] == [
            "The game has ended: everybody agreed.",
            'Type "again" for another game, "reveal" for all hands, or "leave".',
        ]
        assert (await heard_by(bo, ada, "again"))[-2:] == [
            "ada wants another game (1 of 2). Waiting for bo. It begins in 30 seconds, with bots for "
            "those who are missing.",
            'Type "again" to play another game too, or "leave".\x07',
        ]
        told = await bo.say("again")
        assert not any("want another game" in line for line in told), "it has begun"
        assert any(line.startswith("The game begins: ") for line in told)


async def test_who_has_watched_a_game_is_told_what_a_spectator_can_type() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        await ada.say("play 3 players 1 stage")
        await bo.say(f"watch {ada.session.here.info.id}")
        bo.new()
        await play_by_sentences(ada)
        assert bo.new()[-1] == 'Type "reveal" for all hands, or "leave".'


async def heard_by(other: Reader, who: Reader, typed: str) -> list[str]:
    """What ``other`` hears as ``who`` types that."""
    await who.say(typed)
    return other.new()


async def test_what_there_is_to_see_is_told_when_asked() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play")
        table = await ada.say("table")
        assert re.match(r"Table .*, code \w+\. Amigo\. Stage 1 of 4, round 1 of 12\.", table[0])
        assert table[2].startswith("1: ada, you, dry, ")
        assert sum("bot" in line for line in table) == 3
        assert (await ada.say("tides"))[0].startswith(("Tides ", "Both tides"))
        assert await ada.say("log") == ["No round of this stage has been played yet."]
        assert (await ada.say("scores")) == ["No stage is over yet: everybody has 0 points."]
        assert (await ada.say("played"))[0] == "ada has played none yet."
        card = cards_in(await ada.say("hand"))[0]
        assert f"The {card} is sealed." in await ada.say(str(card))
        while not any(" took " in line for line in ada.new()):
            await place.clock.next()
        log = await ada.say("log")
        assert log[0].startswith("Round 1: ")
        assert f"ada has played {card}." in await ada.say("played")
        assert (await ada.say("rules"))[0].startswith("The idea: ")


async def test_how_to_bid_is_told_with_the_first_hand_and_once() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        hint = "To bid a card, type its number, such as "
        first = await ada.say("play")
        (told,) = [line for line in first if line.startswith(hint)]
        assert int(told.removeprefix(hint).removesuffix(".")) in cards_in(first)
        heard = await ada.say("leave") + await ada.say("yes") + await ada.say("play")
        assert any(line.startswith("Your hand: ") for line in heard)
        assert not any(line.startswith(hint) for line in heard)
        learning = await bo.say("learn")
        assert any(line.startswith("Guide: ") for line in learning)
        assert not any(line.startswith(hint) for line in learning), "the guide says so"


async def test_who_comes_back_to_a_game_that_was_ended_is_not_asked_to_bid() -> None:
    async with world() as place:
        async with reader(place, "bo") as bo:
            await bo.say("play")
            await bo.say("vote end")
        async with reader(place, "bo") as bo:
            assert "Standings: " in "".join(bo.new())
            assert not any(line.startswith("To bid a card") for line in bo.paper.lines)


async def test_who_is_at_the_table_and_has_lost_the_connection() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("new 3 players")
        await ada.say("add")
        async with reader(place, "bo") as bo:
            table = ada.session.table
            assert table is not None
            await bo.say(f"join {table.info.id}")
            bot = table.info.seats[1].name
            assert await ada.say("who") == [f"Here: ada, {bot} (bot), bo."]
            bo.visit.close()
            assert "bo lost the connection; the seat is kept." in await ada.say("options")
        assert await ada.say("who") == [f"Here: ada, {bot} (bot), bo (offline)."]


async def test_a_bid_is_replaced_and_a_wrong_one_explained() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play")
        low, high = cards_in(await ada.say("hand"))[0:2]
        await ada.say(f"bid {low}")
        assert f"The {high} is sealed." in await ada.say(f"b {high}")
        assert f"Your {high} is sealed." in await ada.say("hand")
        held = cards_in(await ada.say("hand"))
        missing = next(card for card in range(1, 61) if card not in held)
        assert await ada.say(f"bid {missing}") == [f"You do not hold the {missing}."]
        assert await ada.say("bid") == ['Which card? For example: "bid 44", or just "44".']
        assert await ada.say("bid me up") == ['Which card? For example: "bid 44", or just "44".']


async def test_two_people_and_a_bot_at_a_table_of_their_own() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        waiting = await ada.say("new 3 players 1 tsage", "new 3 players 1 stage untimed")
        assert any("is not an option" in line for line in waiting)
        await place.clock.advance(1)
        code = re.search(r"code (\w+):", ada.paper.written)
        assert code
        assert any(code[1] in line for line in await bo.say("lobby"))
        await bo.say(f"join {code[1]}")
        assert "bo sits down." in ada.new()
        assert await bo.say("start") == ["Only the owner of the table can do that."]
        asked = 'Seats are empty. Should bots take them and the game begin? Type "yes" or "no".'
        assert await ada.say("start") == [asked]
        assert await ada.say("no") == ["All right, nothing changed."]
        await ada.say("keep 3 zoe", "start")
        await ada.say("yes")
        assert any(line.startswith("The game begins: ") for line in bo.new())
        # Others' bids are not spoken of, but that all wait is.
        card = cards_in(await bo.say("hand"))[0]
        ada.new()
        await bo.say(str(card))
        while "Waiting for you.\a" not in ada.new():
            await place.clock.next()
        assert str(card) not in "".join(ada.paper.lines[-3:])


@pytest.mark.parametrize(
    ("language", "typed"), [("en", "play"), ("de", "spielen"), ("pt", "jogar")]
)
async def test_the_verb_that_many_use_for_bidding_bids(language: str, typed: str) -> None:
    async with world() as place, reader(place, language=language) as ada:
        assert ada.session.table is None
        first = await ada.say(f"{typed} 44")
        assert len(first) == 1, "in the lobby, 44 is no option"
        assert "44" in first[0]
        await ada.say("play 3 players 1 stage")
        own = ada.session.here.own
        assert own is not None
        card = own.hand[0]
        (sealed,) = [line for line in await ada.say(f"{typed} {card}") if str(card) in line]
        now = ada.session.here.own
        assert now is not None
        assert now.bid == card, sealed


@pytest.mark.parametrize(
    ("language", "vote", "back"),
    [
        ("en", "vote pause", "vote no pause"),
        ("de", "abstimmen pause", "abstimmen nein pause"),
        ("de", "abstimmen ende", "abstimmen ohne ende"),
        ("pt", "votar fim", "votar não fim"),
        ("pt", "votar pausa", "votar nao pausa"),
        ("pt", "votar pausa", "votar sem pausa"),
    ],
)
async def test_a_vote_is_taken_back_as_the_help_tells(language: str, vote: str, back: str) -> None:
    async with world() as place, reader(place, language=language) as ada, reader(place, "bo") as bo:
        await ada.say("new 3 players 1 stage untimed")
        await bo.say(f"join {ada.session.here.info.id}")
        await ada.say("add")
        await ada.say("start")
        assert ada.session.here.info.status is Status.PLAYING
        await ada.say(vote)
        assert ada.session.here.info.votes
        told = await ada.say(back)
        assert not ada.session.here.info.votes, told
        assert told, "it is told that it is so"
        assert len(await ada.say(back)) == 1, "also that there was nothing to take back"
        await ada.say(vote)
        votes = ada.session.here.info.votes
        assert len(await ada.say(vote)) == 1
        assert ada.session.here.info.votes == votes


async def test_the_table_says_how_long_there_is_to_bid() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play 3 players 60 seconds")
        await place.clock.advance(25)
        left = "35 seconds left."
        assert (await ada.say("table"))[-1] == left
        await ada.say(str(cards_in(await ada.say("hand"))[0]))
        assert (await ada.say("table"))[-1] != left, "the bid is in"


async def test_quiet_and_talkative() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("set talkative")
        begun = await ada.say("play")
        assert sum(line.startswith("Your hand: ") for line in begun) == 1
        assert ada.session.talk is Verbosity.TALKATIVE
        await place.clock.advance(10)
        assert any(line.endswith(" has bid.") for line in ada.new())
        await ada.say("set quiet")
        heard: list[str] = []
        for _ in range(3):
            heard += await ada.say(str(cards_in(await ada.say("hand"))[0]))
            await place.clock.advance(10)
            heard += ada.new()
        assert any(" took " in line for line in heard)
        assert not any("has bid" in line or "wait" in line for line in heard)


@pytest.mark.parametrize("typed", ["set 99", "set foo", "phrase 99", "phrase foo"])
async def test_what_is_not_in_a_list_is_said_before_the_list(typed: str) -> None:
    async with world() as place, reader(place) as ada:
        command, word = typed.split()
        why, *listed = await ada.say(typed)
        assert why == f'"{word}" is not one of these:'
        assert listed == await ada.say(command)


async def test_a_sure_player_is_asked_before_the_reveal() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play 3 players", "set sicher")  # as well in any language
        while "Waiting for you." not in ada.new():  # and no bell: only bots do
            await place.clock.next()
        card = cards_in(await ada.say("hand"))[0]
        assert await ada.say(str(card)) == [f'That reveals the round. Type "yes" to bid {card}.']
        assert await ada.say("no") == ["All right, nothing changed."]
        await ada.say(str(card))
        assert any(f"you {card}" in line.lower() for line in await ada.say("yes"))


async def test_leaving_a_running_game_is_asked_for() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play")
        assert 'Type "yes"' in (await ada.say("leave"))[-1]
        await ada.say("no")
        assert 'Type "yes"' in (await ada.say("quit"))[-1]
        assert not ada.ended
        await ada.say("yes")
        assert ada.ended
        assert ada.paper.lines[-2] == "Goodbye, ada."


async def test_a_table_one_comes_back_to_is_described() -> None:
    async with world() as place:
        (ada,) = await place.table(TableOptions(SHORT, Pace.UNTIMED), humans=1)
        visit = enter(place.lobby, ada.visit.player)
        async with Reader(visit, place.clock) as again:
            said = again.new()
            assert any(line.startswith("Table ") for line in said)
            assert any(line.startswith("Your hand: ") for line in said)


async def test_a_reader_that_does_not_read_is_told_how_things_stand_later() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play")
        ada.paper.writable = False
        before = ada.paper.written
        for _ in range(5):
            await place.clock.next()
        await ada.say("hand")
        assert ada.paper.written == before
        ada.paper.writable = True
        ada.session.drained()
        said = ada.new()
        assert said[0] == "You missed some messages."
        assert any(line.startswith("Your hand: ") for line in said)


async def test_an_unknown_word_gets_an_answer_without_it_being_obeyed() -> None:
    async with world() as place, reader(place) as ada:
        assert await ada.say("xyzzy") == ['There is no command "xyzzy"; type "help".']
        assert await ada.say("ru 1") == await ada.say("rules")
        assert (await ada.say("r"))[0].startswith('"r" could be: remove, resume, ')
        assert await ada.say("hand") == ['You are not at a table; type "play", "join" or "new".']
        assert await ada.say("new 9 players") == ["This edition is not for that many players."]
        assert await ada.say("yes") == ["There was no question."]
        assert len(await ada.say("help")) > 3


async def test_a_hint_is_told_by_sentences() -> None:
    async with world(think=Thinker()) as place, reader(place) as ada:
        await ada.say("play 3 players")
        said = await ada.say("hint")
        assert len(said) == 4 + any("equally good" in line for line in said[1:])
        assert said[-1].count("%") == 12
        assert await ada.say("hint") == said
        await ada.say("leave")
        await ada.say("yes")
        await ada.say("play 3 players no hints")
        assert await ada.say("hint") == ["This table gives no hints."]


async def test_each_update_is_one_write() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play 3 players 1 stages")
        card = cards_in(await ada.say("hand"))[0]
        await ada.say(str(card))
        while ada.session.table and ada.session.table.table and not ada.session.table.table.rounds:
            ada.paper.writes.clear()
            await place.clock.next()
        reveal = [text for text in ada.paper.writes if " took " in text]
        assert len(reveal) == 1
        assert "Round 2: tides " in reveal[0]


async def test_options_are_changed_before_the_start() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("new")
        said = await ada.say("options bga 6 players modified untimed assistance")
        assert any("Board Game Arena, 6 players" in line for line in said)
        assert ada.session.table is not None
        options = ada.session.table.info.options
        rules = Rules(Edition.BGA, 6, modified_drowning=True, assistance=True)
        assert options.rules == rules
        assert options.pace is Pace.UNTIMED
        await ada.say("options no modified")
        assert not ada.session.table.info.options.rules.modified_drowning


async def test_lines_tell_when_the_server_closes_and_once_more_shortly_before() -> None:
    async with world() as place, reader(place) as ada:
        ada.new()
        place.lobby.announce_closing(place.clock.time() + 30)
        await place.clock.advance(1)
        assert ada.new() == ["The server shuts down in 30 s. Games are kept."]
        await place.clock.advance(20)
        assert ada.new() == ["The server shuts down in 10 s. Games are kept."]


async def test_a_terminal_that_breaks_no_lines_gets_them_broken_between_words() -> None:
    async with world() as place:
        visit = place.enter("ada").visit
        small = Reader(visit, place.clock, echoes=False, notifies="osc9")
        small.paper.size = Size(40, 15)
        async with small as ada:
            await ada.say("help", "more", "play 3 players 60 seconds", "set bell")
            assert len(ada.paper.lines) > 30
            assert max(map(len, ada.paper.lines)) < 40
            due = ada.session.table and ada.session.table.info.deadline
            assert due
            ada.session.feed("han")
            await place.clock.advance(due - place.clock.time() - 5)
            # The call is in one piece, behind its sentence; what was being typed stands there again.
            call = "10 seconds left to bid.\x1b]9;Turn the Tide: 10 seconds left to bid.\x1b\\"
            assert call in ada.paper.written
            assert ada.paper.written.endswith("\r\nhan")
            assert "\r   \r" in ada.paper.written
            assert "\x1b[" not in ada.paper.written


async def test_news_come_above_a_long_line_that_is_being_typed() -> None:
    async with world() as place, reader(place, echoes=False, cursor=True) as ada:
        bo = place.enter("bo")
        ada.session.feed("say " + "lorem ipsum dolor sit amet " * 4)
        await bo.ok(Say(Room.LOBBY, "hello ada"))
        await place.clock.advance(1)
        glass = Glass(ada.paper.size)
        glass.write(ada.paper.written)
        assert glass.text.count("lorem") == 4
        assert glass.lines.index("bo says: hello ada") < glass.text.split("lorem")[0].count("\n")
        ada.session.feed("\x7f" * 40 + "\r")
        await place.clock.advance(1)
        said = "lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum do"
        assert bo.last.chat[-1].text == said
        glass = Glass(ada.paper.size)
        glass.write(ada.paper.written)
        assert f"say {said}" in glass.lines


async def test_many_lines_at_once_are_obeyed_a_few_in_a_turn() -> None:
    async with world() as place, reader(place) as ada:
        wrote = len(ada.paper.writes)
        ada.session.feed("language\n" * 99 + "lobby")
        at_once = len(ada.paper.writes) - wrote
        assert 0 < at_once < 5
        ada.session.feed("\nquit\n")  # has to wait for those before it
        assert len(ada.paper.writes) - wrote == at_once
        await ada.paper.until(lambda: len(ada.paper.writes) - wrote == 101)
        await place.clock.settle()
        assert ada.ended
        assert len(ada.paper.writes) - wrote == 101


async def test_a_bot_is_added_of_the_kind_that_is_named() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("new 5 players champion")
        await ada.say("add skilled", "add 2 cautious")
        assert ada.session.table is not None
        kinds = [seat.strategy for seat in ada.session.table.info.seats]
        assert kinds == ["", "tidal", "cautious", "cautious", ""]
        name = ada.session.table.info.seats[1].name
        manner = MANNERS[MANNER_OF[name]].line
        assert f"2: {name}, bot, tidal, {manner}." in await ada.say("table")
        said = await ada.say("add clever")
        assert said[0] == 'There is no bot "clever", only:'
        named = [line.partition(":")[0].partition(" (")[0] for line in said[1:]]
        assert named == [*STRATEGIES, "alike"]
        said = await ada.say("add 0")
        assert said == ['How many bots? For example: "add 2", or just "add" for one.']
        assert kinds == [seat.strategy for seat in ada.session.table.info.seats]
        await ada.say("add")
        assert ada.session.table.info.seats[4].strategy == "master"


async def test_who_says_who_is_here_and_lobby_the_tables_too() -> None:
    async with world() as place, reader(place) as ada, reader(place, "bo") as bo:
        await ada.say("new 3 players")
        await place.clock.advance(3)
        people, table = await bo.say("lobby")
        title = ada.session.here.info.title
        assert people == f"2 players are here: ada ({title}), bo."
        assert table.endswith(": Amigo, 60 s a round; open. 1/3 seats taken: ada.")
        assert await bo.say("who") == [people]


async def test_lobby_at_a_table_says_where_the_list_of_tables_is() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("new")
        assert await ada.say("who") == ["Here: ada."]
        assert (await ada.say("lobby"))[0].startswith("You are at a table; the list of tables")


@pytest.mark.parametrize(
    ("news", "said"),
    [
        (m.News(("ada",), ("bo",), 1, winning_bots=1), "ada and 1 bot won against bo and 1 bot"),
        (m.News(("ada",), winning_bots=2), "ada and 2 bots shared the win"),
        (m.News(("ada",), cup="Friday cup"), "ada won Friday cup"),
        (m.News(tuple("abcd"), cup="Friday cup"), "a, b, c and d won Friday cup"),
        (m.News(tuple("abcde"), cup="Friday cup"), "5 players won Friday cup"),
    ],
)
def test_who_shares_a_win_is_named_with_it_unless_there_are_many(news: m.News, said: str) -> None:
    assert news_in_words(news, words_for("en")) == said


async def test_news_tells_what_goes_on_without_those_whom_one_has_blocked() -> None:
    async with (
        world() as place,
        reader(place, account=FakeAccount()) as ada,
        reader(place, "bo") as bo,
    ):
        assert await ada.say("news") == [
            "Nobody has won a game lately.",
            "Today's tide: nobody has begun it yet.",
        ]
        await bo.say("play")
        won = m.News(("bo",), ("ada",), bots=2, points=14, row=3, most=True)
        shared = m.News(("cem", ""))
        best = m.TodayNow(4, "2026-11-24", (("bo", 5), ("dora", 3)), 12)
        cup = m.News(("cem", "gus"), cup="Friday cup")
        place.lobby.feed.tell_news((won, shared, m.News(("cem",), days=4), cup), best)
        await place.clock.advance(3)
        assert (await bo.say("news"))[0].startswith("The news is in the lobby")
        told = await ada.say("news")
        assert told[:5] == [
            "bo won against ada and 2 bots: 3 wins in a row, 14 points, the highest score lately.",
            "cem and a guest shared the win.",
            "cem has played today's tide 4 days in a row.",
            "cem and gus won Friday cup.",
            "Today's tide: 4 players have begun; 2026-11-24: bo 5, dora 3.",
        ]
        assert ", stage 1 of 4, round 1: " in told[5]
        assert ": bo dry, " in told[5]
        assert any("stage 1/4" in line for line in await ada.say("lobby all"))
        await bo.say("leave", "yes")
        assert (await ada.say("block bo"))[0].startswith("Messages from bo are hidden")
        assert (await ada.say("news"))[0] == "cem and a guest shared the win."


async def test_for_a_screen_reader_no_line_is_broken() -> None:
    async with world() as place, reader(place) as ada:
        await ada.say("play 3 players 1 stage", "set reader")
        await ada.say("rules")
        assert max(map(len, ada.paper.written.splitlines())) > 100


async def test_a_screen_reader_is_sent_nothing_that_it_would_say() -> None:
    """Some do not know what resets kitty's and xterm's keys, and say "u" and "4m"."""
    async with world() as place:
        guest = place.enter("ada")
        async with Reader(guest.visit, place.clock, cursor=True, reader=True) as ada:
            assert "\x1b[<" not in ada.paper.written
            assert "\x1b[>" not in ada.paper.written
            assert "Turn the Tide. You are ada." in ada.paper.written
