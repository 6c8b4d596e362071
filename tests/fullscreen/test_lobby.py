"""The lobby: tables, what goes on, and that it costs a line and a server little."""

import pytest
from msgspec import structs

from engine.editions import Rules
from engine.standings import Highlight, Kind
from server.coordinator import messages as m
from server.coordinator.events.days import event_at
from server.coordinator.messages import (
    JoinTable,
    LobbySnapshot,
    Pace,
    Reply,
    Status,
    TableOptions,
    TableRow,
    WatchTable,
)
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from tests.support.accounts import who_has_played
from tests.support.fakes import Player1
from tests.support.lobby_minute import minute

SIZES = [Size(40, 15), Size(80, 24), Size(120, 40), Size(200, 60)]
MOST, QUIET, FRAMES = 8_000, 100, 31


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[1::2], ids=lambda size: f"{size.columns}x{size.rows}")
async def test_a_minute_of_fifty_games_is_few_bytes_and_frames(size: Size) -> None:
    tally, _ = await minute(size, looking=1)
    assert 0 < sum(tally.bytes.values()) <= MOST
    assert 15 <= sum(tally.frames.values()) <= FRAMES


async def test_a_quiet_lobby_sends_nothing() -> None:
    tally, _ = await minute(SIZES[1], tables=0, looking=1)
    assert sum(tally.bytes.values()) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "able", [Capabilities(motion="none"), Capabilities(thin=True)], ids=["still", "slow"]
)
async def test_where_nothing_is_to_move_games_of_others_send_next_to_nothing(
    able: Capabilities,
) -> None:
    tally, _ = await minute(SIZES[1], able, looking=1)
    assert sum(tally.bytes.values()) < MOST // 10


TODAY = event_at(1_795_000_000)
THREE = m.TableOptions(Rules(players=3))
PLAYING = m.TableRow(
    "cove", "Cove", THREE, m.Status.PLAYING, ("bo", "cem", "Tern"), 1, 1, 0, present=2
)
OPEN = m.TableRow("pier", "Pier", THREE, m.Status.OPEN, ("dora", "", ""), 0, 0, 0)
GAME = m.GameNow("cove", 4, (12, 0, -1), (7, 9, -1), (3, 4, 0))
NEWS = (
    m.News(("bo",), bots=3, points=9, row=4),
    m.News(("ada",), ("dora",), points=3),
    m.News(("cem",), days=3),
)


def snapshot(*games: m.GameNow) -> m.LobbySnapshot:
    return m.LobbySnapshot((OPEN, PLAYING), ("ada", "bo"), games=games, news=NEWS)


async def lobby_at(size: Size, motion: str = "full") -> Player1:
    player = Player1(motion=motion)
    player.size = size
    await player.lobby(snapshot(GAME))
    await player.press("l")
    return player


@pytest.mark.parametrize("size", SIZES[1:], ids=lambda size: f"{size.columns}x{size.rows}")
async def test_tables_news_and_chat_stand_in_boxes(size: Size) -> None:
    player = await lobby_at(size)
    for title in ("tables", "news", "chat"):
        assert f"─ {title} ─" in player.text
    assert "stage 2/3" in player.text
    assert "cem leads with 9" in player.text
    if size.columns < 100:
        assert "█·x" in player.row_with("  Cove "), "a bar for each tide"
    else:
        assert "─ games ─" in player.text
        assert " 12! " in player.text, "the water, and sheep in it"
        assert "@@@@" in player.text
    assert "bo won against 3 bots: 4 wins in a row" in player.text
    assert "cem has played today's tide 3 days in a row" in player.text


async def test_the_chosen_game_is_the_large_picture() -> None:
    player = Player1()
    player.size = Size(120, 40)
    games = [structs.replace(GAME, table=f"cove{n}") for n in range(2)]
    rows = tuple(structs.replace(PLAYING, id=game.table, title=game.table) for game in games)
    await player.lobby(m.LobbySnapshot(rows, ("ada",), games=tuple(games)))
    await player.press("l")
    assert "cove0 · stage 2/3 · round 5 · cem leads with 9" in player.text
    await player.press("down")
    assert "cove1 · stage 2/3 · round 5 · cem leads with 9" in player.text


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
async def test_who_is_here_is_told_with_what_they_do(size: Size) -> None:
    player = Player1()
    player.size = size
    daily = structs.replace(
        PLAYING, id="day", title="2026-11-28", names=("eve", "Tern"), event=TODAY
    )
    watched = structs.replace(PLAYING, watching=("gus",), spectators=1)
    here = ("ada", "bo", "eve", "gus")
    await player.lobby(m.LobbySnapshot((watched, daily), here, games=(GAME,)))
    await player.press("l")
    said = " ".join(player.text.replace("│", " ").split())
    if size.columns < 60:
        assert "4 players are here: bo, eve, gus, ada" in said
    elif size.columns < 100:
        assert "bo (Cove), eve (today's tide)" in said
    else:
        assert "bo Cove" in said
        assert "eve today's tide" in said
        assert "gus watches Cove" in said


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
async def test_below_the_tables_is_what_was_won_and_enter_shows_it_again(size: Size) -> None:
    player, _ = await who_has_played()
    player.size = size
    climax = Highlight(Kind.COMEBACK, 1, 0, 0, 5, 0)
    won = m.News(("bo",), bots=3, points=9, game=1, seats=("bo", "a", "b", "c"), climax=climax)
    await player.lobby(m.LobbySnapshot((OPEN,), ("ada",), news=(m.News(("cem",), days=3), won)))
    await player.press("l", "down")
    said = " ".join(player.text.replace("│", " ").split())
    assert "after stage 2 bo was 5 points behind, and still won" in said
    assert "Enter replay" in player.text
    await player.press("enter")
    assert "Replay" in player.text
    assert not player.visit.commands
    await player.press("escape", "up", "enter")
    assert player.visit.commands == [m.JoinTable("pier")]


@pytest.mark.parametrize("size", SIZES[1:], ids=lambda size: f"{size.columns}x{size.rows}")
async def test_everything_else_has_its_place_before_there_is_any(size: Size) -> None:
    player, _ = await who_has_played()
    player.size = size
    await player.lobby(m.LobbySnapshot((), ("ada",)))
    await player.press("l")
    for said in ("e tournaments", "Y correspondence", "B best players", "p puzzles"):
        assert said in player.text
    await player.press("B")
    assert "best players" in player.text.casefold()


async def test_a_game_that_goes_on_is_seen_to_and_a_picture_can_be_switched_off() -> None:
    player = await lobby_at(Size(80, 24))
    await player.lobby(snapshot(m.GameNow("cove", 5, (2, 4, -1), (7, 6, -1), (3, 4, 0))))
    assert "bo leads with 7" in player.row_with("  Cove ")
    still = await lobby_at(Size(80, 24), motion="none")
    assert "leads" not in still.row_with("  Cove ")
    assert "3/3" in still.row_with("  Cove ")


async def test_the_title_says_what_has_just_happened() -> None:
    player = Player1()
    await player.lobby(snapshot(GAME))
    assert "bo won against 3 bots: 4 wins in a row" in player.text
    assert "ada won against dora" in player.text
    assert "cem has played today's tide 3 days in a row" not in player.text
    player.size = Size(200, 60)
    assert "cem has played today's tide 3 days in a row" in player.text


@pytest.mark.parametrize("size", SIZES[2:], ids=lambda size: f"{size.columns}x{size.rows}")
async def test_while_nothing_is_played_the_lobby_says_how_others_come(size: Size) -> None:
    player = Player1()
    player.size = size
    player.controller.context.facts = lambda: ConnectionStats(way_in="-p 2222 192.0.2.7")
    await player.lobby(m.LobbySnapshot((OPEN,), ("ada",), news=NEWS))
    await player.press("l")
    assert "ssh -p 2222 192.0.2.7" in player.text
    assert "bo won against 3 bots" in player.text
    await player.lobby(snapshot(GAME))
    assert "192.0.2.7" not in player.text


# ---------------------------------------------------------------- tables


async def test_the_lobby_shows_everybody_who_comes() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    await player.press("l")
    shown = player.frames_asked
    for number in range(1, 6):
        await player.lobby(LobbySnapshot((), ("ada", *"bcdef"[:number])))
    assert player.frames_asked == shown + 5


def row(
    table: str, status: Status = Status.OPEN, names: tuple[str, ...] = ("bo", "", "")
) -> TableRow:
    options = TableOptions(Rules(players=len(names)), Pace.UNTIMED)
    return TableRow(table, table.title(), options, status, names, 0, 1, 0)


async def test_in_a_lobby_without_tables_keys_for_them_say_so() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l", "enter")
    assert "There is no table to join; n opens one." in player.text
    await player.press("w")
    assert "There is no table." in player.text
    assert not player.visit.commands


async def test_the_chosen_table_stays_chosen_when_others_come() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"), row("cove")), ("ada",)))
    await player.press("l", "down")
    await player.lobby(LobbySnapshot((row("pier"), row("reef"), row("cove")), ("ada",)))
    await player.press("enter")
    assert player.visit.commands == [JoinTable("cove")]


async def test_enter_watches_a_running_table() -> None:
    player = Player1()
    running = row("reef", Status.PLAYING, ("bo", "cem", "dora"))
    await player.lobby(LobbySnapshot((running,), ("ada",)))
    await player.press("l")
    assert "stage 2/3" in player.text
    await player.press("enter")
    assert player.visit.commands == [WatchTable("reef")]


async def test_a_refusal_is_a_sentence() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"),), ("ada",)))
    player.visit.replies = [Reply("table_full")]
    await player.press("l", "enter")
    assert "Every seat at that table is taken." in player.text
    await player.press("down")
    assert "Every seat" not in player.text


async def test_esc_goes_from_the_lobby_back_to_the_title_and_from_there_asks() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    assert player.text.startswith(" Lobby")
    await player.press("escape")
    assert "T U R N" in player.text
    await player.press("escape")
    assert "Leave Turn the Tide?" in player.text
    await player.press("n", "l", "q")
    assert "Leave Turn the Tide?" in player.text


@pytest.mark.parametrize("code", ["word_needed", "wrong_word"])
async def test_a_private_tables_word_can_be_typed_when_it_is_asked_for(code: str) -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    player.visit.replies = [Reply(code)]
    player.controller.text("harbour")
    await player.press("down")
    assert player.controller.entry is not None
    assert "\n  invitation word" in player.text
    player.controller.entry.insert_text("otter")
    await player.press("enter")
    assert player.visit.commands == [JoinTable("harbour"), JoinTable("harbour", word="otter")]
    assert player.controller.entry is None
    await player.press("c")
    assert "code of the table" in player.text
    player.controller.text("reef")


async def test_tables_of_one_tournament_can_be_told_apart() -> None:
    player = Player1()
    first, second = (
        structs.replace(row(code), title=f"A cup with a long name {number}")
        for code, number in (("reef", "1.1"), ("cove", "1.2"))
    )
    await player.lobby(LobbySnapshot((first, second), ("ada",)))
    await player.press("l")
    assert "A cup w… 1.1 " in player.text
    assert "A cup w… 1.2 " in player.text
