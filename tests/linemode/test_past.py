"""Games that are over, the account and the settings, by sentences alone."""

import re

import pytest

from engine.records.replay import fold
from server.coordinator.messages import Motion, Player, QuickGame, Rematch, Vote
from server.i18n.lookup import languages, words_for
from server.playback import ReplayPosition
from server.playback import shown as shown_game
from server.session.table_in_sentences import table_lines
from server.terminal.capabilities import Colours, Size
from tests.support.accounts import NAMES, FakeAccount, FakeLibrary, two_months, who_has_played
from tests.support.fakes import FakeVisit
from tests.support.games import record
from tests.support.homes import at_home
from tests.support.tables import world
from tests.support.transcript import Reader, play_by_sentences, reader

GUEST = Player("guest:1", "ada", True)


async def test_the_list_of_games_comes_a_screen_at_a_time() -> None:
    home, library = at_home()
    async with home as ada:
        first = await ada.say("games")
        assert first[0] == "Your games; the winners have a star."
        assert re.match(r"1: 1 h ago, ada -?\d+", first[1])
        assert "*" in first[1]
        assert len(first) <= 24
        assert re.match(r'\d+ more lines: type "more", or press Enter\.$', first[-1])
        second = await ada.say("")
        shown = [line for line in first + second if re.match(r"\d+: ", line)]
        assert [int(line.split(":")[0]) for line in shown] == list(range(1, len(shown) + 1))
        while "There is no more." not in second:
            second = await ada.say("more")
        assert library.asked == [(True, 0), (True, 51)], "fewer than it may answer are the last"
        everybody = await ada.say("games all")
        assert everybody[0].startswith("All games;")
        assert "1 h ago" in everybody[1]


async def test_a_list_that_ends_with_a_page_says_so() -> None:
    home, _ = at_home(games=50)
    async with home as ada:
        ada.paper.size = Size(80, 100)
        said = await ada.say("games")
        assert said[-1] == 'There is more: type "more", or press Enter.'
        assert await ada.say("") == ["There is no more."]


async def test_a_game_is_told_again_forwards_and_backwards() -> None:
    home, _ = at_home()
    async with home as ada:
        await ada.say("games")
        opened = await ada.say("replay 2")
        assert opened[0] == f"Replay of game 97: {', '.join(NAMES)}."
        assert opened[-1] == "Stage 1 of 4."
        tides = await ada.say("next")
        assert re.match(r"Stage 1, round 1: tides \d+ and \d+\.$", tides[0])
        reveal = await ada.say("")
        assert re.match(
            r"\w+ \(\d+\) took \d+, \w+ \(\d+\) took \d+, \w+ \d+, \w+ \d+\.$", reveal[0]
        )
        assert await ada.say("back") == tides
        assert await ada.say("back 2") == ["Stage 1 of 4."]
        assert (await ada.say("back"))[0] == "That is the beginning."
        assert (await ada.say("go 2.3"))[0].startswith("Stage 2, round 3: ")
        assert await ada.say("go 2") == ["Stage 2 of 4."]
        assert await ada.say("go 9") == ["The game did not get there."]
        assert await ada.say("go away") == ["A stage, or stage and round: 3 or 3.7"]
        assert (await ada.say("go end"))[0].startswith("The game is over. ")
        assert await ada.say("next") == ['That is the end; "leave" goes back.']
        assert await ada.say("leave") == ["You are in the lobby."]
        assert (await ada.say("next"))[0].startswith("No replay is open")
        assert await ada.say("hand") == ['You are not at a table; type "play", "join" or "new".']


async def test_whatever_can_be_asked_at_a_table_can_be_asked_of_a_replay() -> None:
    home, library = at_home()
    game = await library.game(99)
    assert game is not None
    async with home as ada:
        await ada.say("replay", "go 1.2")
        table = await ada.say("table")
        assert table[0] == "Table game 99. Amigo. Stage 1 of 4, round 2 of 12."
        assert any(line.startswith(("1: ada, tide", "1: ada, dry")) for line in table)
        assert (await ada.say("log"))[0].startswith("Round 1: ")
        assert (await ada.say("tides"))[0].startswith(("Tides ", "Both "))
        assert await ada.say("hand") == ["You only watch here: you have no hand."]
        assert await ada.say("bid 4") == ['This game is over; "leave" goes back to the lobby.']
        viewpoint = await ada.say("eyes bo")
        assert viewpoint[0] == "Replay, as bo saw it."
        cards = game.replay.record.deal[1]
        left = [card for card in cards if card != game.replay.record.stages[0].bids[0][1]]
        bid = game.replay.record.stages[0].bids[1][1]
        assert viewpoint[1] == f"bo holds {' '.join(map(str, left))} and bids {bid}."
        assert (await ada.say("hand"))[0] == f"Your hand: {' '.join(map(str, left))}."
        assert await ada.say("eyes zoe") == ['Nobody at this table is called "zoe".', viewpoint[1]]
        opened = await ada.say("reveal")
        assert len(opened) == 1 + len(NAMES)
        assert viewpoint[1] in opened
        assert await ada.say("eyes all") == ["Replay, as everybody could see it."]


async def test_all_hands_of_a_game() -> None:
    home, library = at_home()
    game = await library.game(99)
    assert game is not None
    async with home as ada:
        said = await ada.say("reveal")
    for name, hand in zip(NAMES, game.replay.record.deal, strict=True):
        assert f"Dealt to {name}: {' '.join(map(str, hand))}." in said


def test_who_left_in_the_end_has_played_the_rounds_before() -> None:
    seats = [{"kind": "left"}, *[{"kind": "bot", "strategy": "tidal"}] * 3]
    replay = fold(record(3, seats=seats))
    position = ReplayPosition(shown_game(replay, ("ada", "bo", "cem", "dora"), "game 3", 0))
    words = words_for("en")
    position.move_to(10)
    assert [line for line in table_lines(position.now(), words) if line.startswith("1: ada, you, ")]
    assert not [line for line in table_lines(position.now(), words) if ", left" in line]
    position.move_to(position.last)
    assert position.now().info.seats[0].left


async def test_a_game_that_was_shared_is_told_again_by_its_code() -> None:
    home, library = at_home(way_in="-p 2222 tide.example")
    game = await library.game(97)
    assert game is not None
    line = f"ssh -t -p 2222 tide.example replay {game.code}"
    async with home as ada:
        await ada.say("games")
        shared = await ada.say("share 2")
        assert shared[0] == "Turn the Tide (Amigo, 4 players): ada won"
        assert shared[1].startswith("1. ")
        assert f" {max(game.replay.last.scores)} " in shared[1]
        assert line in shared
        assert "\n".join(shared).isascii()
        for typed in (game.code, game.code.upper(), line):
            assert (await ada.say(f"replay {typed}"))[0].startswith("Replay of game 97: ")
            assert await ada.say("share") == shared
        assert await ada.say("replay 97-00000000") == ["That game cannot be shown."]


async def test_what_there_is_not_is_said() -> None:
    home, _ = at_home(games=0)
    async with home as ada:
        assert await ada.say("games") == [
            'You have not finished a game yet; type "games all" for everybody\'s.'
        ]
        assert await ada.say("games all") == ["No game has been finished yet."]
        assert await ada.say("replay") == ["You have not finished a game yet."]
        assert await ada.say("replay 7") == [
            'Which game? Type "games" for the list and its numbers.'
        ]
    home, library = at_home()
    async with home as ada:
        await ada.say("games")
        assert await ada.say("replay 3") == ["That game cannot be shown."]
        library.broken = True
        for asked in ("replay", "reveal"):
            assert await ada.say(asked) == ["That could not be read just now: try again later."]
    async with world() as place, reader(place) as bo:
        assert await bo.say("games") == ["No games are kept here."]


async def test_a_review_of_the_last_game_and_of_what_is_replayed() -> None:
    home, library = at_home()
    library.viewpoint = 0
    async with home as ada:
        told = await ada.say("review")
        assert told[0] == "Reviewing the bids of ada takes some seconds."
        assert re.match(r"Accuracy: \d+%\. 6 bids with a choice", told[1])
        assert told[2].startswith("Judged by master, version ")
        assert "All bids:" in told
        assert told[-1].startswith("Stage 1, round 6: ")
        await ada.say("games")
        await ada.say("replay 2")
        await ada.say("eyes bo")
        assert (await ada.say("review"))[0] == "Reviewing the bids of bo takes some seconds."
        library.broken = True
        again = ["That could not be read just now: try again later."]
        assert await ada.say("review 2") == again


async def test_the_months() -> None:
    home, library = at_home()
    library.seasons = two_months()
    async with home as ada:
        assert (await ada.say("season"))[-1] == 'The month before: "season 1".'
        assert await ada.say("season 2") == ["No games are kept here."]
        for wrong in (
            "season last",
            "season -1",
            "season 1201",
            "season 99999999",
            "season 0000199999",
        ):
            assert '"season 1" for the last month' in (await ada.say(wrong))[0]


async def test_the_account_of_a_guest_and_of_a_key() -> None:
    guest, _ = at_home(GUEST, rejoin_code="k7m2-p9xq-3dhw")
    async with guest as ada:
        said = await ada.say("account")
        assert said[0] == "You are ada."
        assert "ada+k7m2-p9xq-3dhw+plain" in said, "or the full screen comes"
        assert "link-code" not in "".join(await ada.say("account code"))
    home, _ = at_home()
    async with home as ada:
        said = await ada.say("account")
        assert said[-1].endswith('type "account code".')
        assert "link-code" not in "".join(said)
        assert "To change your name, log in once as NAME+rename, with the new name." in said
        assert "ada+link-code-1" in await ada.say("account code")


async def test_every_setting_of_the_screen_is_set_by_its_number() -> None:
    home, _ = at_home()
    async with home as ada:
        said = await ada.say("set", "more")
        player, _ = await who_has_played()
        player.size = Size(132, 43)
        await player.press("o")
        numbers, shown = {}, {line.label: line for line in player.controller.context.settings()}
        for line in said:
            if found := re.match(r"(\d+): (.+?): (.+?) \((.+)\)\.$", line):
                number, label, value, hint = found.groups()
                numbers[label] = int(number)
                # The paper has other abilities than the screen, so that some values differ.
                assert shown[label].hint == hint or value in ("no", "not with this terminal")
        for setting in player.controller.context.settings():
            assert setting.label in player.text
            assert setting.label in numbers
        assert len(numbers) > 8
        assert await ada.say(f"set {numbers['Colours']}") == ["Colours: the sea at dusk."]
        assert await ada.say(f"set {numbers['Colours']} back") == ["Colours: the sea."]
        assert await ada.say(f"set {numbers['Background']}") == ["Background: dark."]
        assert ada.session.abilities.on_light is False
        await ada.say(f"set {numbers['Number of colours']}")
        assert ada.session.abilities.colours is Colours.TRUE
        assert await ada.say(f"set {numbers['Language']}") == ["Sprache: Deutsch."]
        why, first, *_ = await ada.say("set 99")
        assert why == "„99“ steht nicht in dieser Liste:"
        assert first.startswith("Mitteilungen: ")


@pytest.mark.parametrize("language", languages())
async def test_names_are_told_as_they_are_written(language: str) -> None:
    async with (
        world() as place,
        reader(place, language=language) as ada,
        reader(place, "bob", language=language) as bob,
    ):
        await ada.say("new 3 players 1 stage")
        await bob.say(f"join {ada.session.here.info.id}")
        await ada.say("add", "start")
        heard: list[str] = []
        while not any(re.match(r"bob \(?\d+", line) for line in heard):
            for each, place_in_hand in ((ada, 0), (bob, -1)):
                hand = re.findall(r"\d+", (await each.say("hand"))[0])
                heard += await each.say(hand[place_in_hand])
            await place.clock.advance(10)
            heard += ada.new()
        assert "Bob" not in ada.paper.written


async def test_a_long_answer_is_cut_where_the_screen_ends() -> None:
    lines = [f"line {number} " + "x" * 70 for number in range(9)]
    async with world() as place, reader(place) as ada:
        ada.paper.size = Size(40, 12)
        ada.new()
        ada.session.read(lines)
        assert ada.new() == [*lines[:5], '4 more lines: type "more", or press Enter.']
        assert await ada.say("more") == lines[5:]
        assert await ada.say("more") == ["There is no more."]


async def test_at_a_finished_table_a_replay_is_what_every_word_speaks_of() -> None:
    async with world() as place:
        guest, library = place.enter("ada"), FakeLibrary(place.clock.time())
        account = FakeAccount(library=library)
        async with Reader(guest.visit, place.clock, account) as ada:
            await ada.say("play 3 players 1 stage")
            await play_by_sentences(ada)
            finished = await ada.say("table")
            await ada.say("replay", "go 1.2")
            assert (await ada.say("table"))[0].startswith("Table game 99. Amigo. Stage 1 of 4")
            over = ['This game is over; "leave" goes back to your table.']
            assert await ada.say("again") == over
            assert ada.session.table is not None
            title = ada.session.table.info.title
            assert await ada.say("leave") == [f"The replay is closed; you are at table {title}."]
            assert await ada.say("table") == finished
            assert await ada.say("leave") == ["You are in the lobby."]


async def test_a_replay_is_closed_when_the_next_game_begins() -> None:
    async with world() as place:
        guest, other = await place.table(humans=2)
        account = FakeAccount(library=FakeLibrary(place.clock.time()))
        async with Reader(guest.visit, place.clock, account) as ada:
            await ada.say("vote end")
            await other.ok(Vote(Motion.END))
            assert (await ada.say("replay"))[0].startswith("Replay of game 99: ")
            await ada.say("leave", "again", "replay")
            await other.ok(Rematch())
            assert "The replay is closed." in await ada.say("hand")
            assert (await ada.say("hand"))[0].startswith("Your hand: ")


async def test_ones_own_game_of_an_open_event_is_told_as_one_saw_it() -> None:
    home, library = at_home()
    library.viewpoint = 1
    whole = await library.game(99)
    assert whole is not None
    library.held = True
    stages, deal = whole.replay.record.stages, whole.replay.record.deal
    async with home as bo:
        assert "deal still secret" in (await bo.say("games"))[1]
        opened = await bo.say("replay 1")
        assert "Replay, as bo saw it." in opened
        assert opened[-1] == f"bo holds {' '.join(map(str, deal[1]))}."
        for command in ("eyes ada", "reveal", "reveal 1"):
            (said, *_) = await bo.say(command)
            assert said.startswith("Others may still play this deal: "), command
        for command in ("review", "review 1"):
            (said, *_) = await bo.say(command)
            assert said.startswith("Reviewing the bids of bo "), command
        assert (await bo.say("deal"))[0].startswith("Which one?")
        assert await bo.say("eyes all") == ["Replay, as everybody could see it."]
        assert (await bo.say("eyes bo"))[0] == "Replay, as bo saw it."
        (shared,) = await bo.say("share")
        assert shared.startswith("Turn the Tide, game 99: ")
        assert await bo.say("share 1") == [shared]
        told = [*opened, shared]
        for _ in range(200):
            told += await bo.say("next")
            if "That is the end" in told[-1]:
                break
        for command in ("table", "log", "hand", "tides"):
            told += await bo.say(command)
    text = "\n".join(told)
    assert whole.info.seed
    assert whole.info.seed not in text
    assert whole.info.commitment in text
    # The hands of others are never told, only what they bid.
    assert not [name for name in NAMES if name != "bo" and f"{name} holds" in text]
    assert "Dealt to" not in text
    assert " 0 " not in "".join(line for line in told if line.startswith("bo holds"))
    bid = stages[0].bids[0]
    assert all(
        re.search(rf"{name} \(?{card}\b", text) for name, card in zip(NAMES, bid, strict=True)
    )


async def test_a_puzzle_is_told_without_what_was_bid_and_answered_with_a_card() -> None:
    home, _ = at_home()
    async with home as ada:
        place, levels, *hand, asked = await ada.say("puzzle")
        assert re.match(r"Stage \d, round \d: tides \d+ and \d+\.$", place)
        assert levels.startswith("Players' tides:")
        cards = re.findall(r"\d+", hand[0])
        assert asked == 'Which card would you bid? Type "puzzle" and its number.'
        assert await ada.say("puzzle 99") == [asked]
        verdicts = set()
        for _try in range(4):
            verdict, said, *more = await ada.say(f"puzzle {cards[0]}")
            verdicts.add(verdict)
            assert f": {cards[0]}" in said
            assert "Solved: " in more[-1]
            told = await ada.say("puzzle")
            if len(told) == 1:
                break
            cards = re.findall(r"\d+", told[2])
        assert verdicts <= {"Solved.", "There is a better card."}


async def test_who_has_played_nothing_has_no_puzzle() -> None:
    home, _ = at_home(games=0)
    async with home as ada:
        assert await ada.say("puzzle") == ["There are no more: play a game, and look again."]


async def test_a_game_is_played_on_from_a_replay() -> None:
    home, library = at_home()
    async with home as ada:
        await ada.say("replay 1", "go 2.3", "continue")
        visit = ada.visit
        assert isinstance(visit, FakeVisit)
        (command,) = visit.commands
        assert isinstance(command, QuickGame)
        game = await library.game(library.rows[0].id)
        assert game is not None
        stages = [stage.bids for stage in game.replay.record.stages]
        assert command.played == (stages[0], stages[1][:2])
        assert command.seat == game.reviewed_seat(game.viewpoint)
        assert command.deal
