"""Tournaments on the full screen: the lobby's line, the list, one of them, the big screen."""

import asyncio

import pytest
from msgspec.structs import replace

from engine.editions import Edition
from server.coordinator import messages as m
from server.coordinator.messages import Reply, Update
from server.i18n.lookup import words_for
from server.session.account import Account
from server.session.preferences import TOURNAMENT
from server.text.tournaments import view_lines
from tests.support.accounts import FakeAccount, FakeLibrary
from tests.support.fakes import NOBODY_HERE, Player1

INFO = m.TournamentInfo(
    "kadubilo",
    m.TournamentPlan("Friday cup", TOURNAMENT),
    m.TournamentPhase.BREAK,
    1,
    8,
    "",
    guests=False,
    begins=1_000_060.0,
    entered=True,
    place=2,
)
CELL = m.TournamentCell(1, 2, (1,), 7, 2.25, stayed=True)
LOST = replace(CELL, opponents=(0,), points=None, score=0.0)
ROWS = (
    m.TournamentRow(1, "bo", 2.25, 0.0, 2.25, "9/4", withdrawn=False, you=False, rounds=(CELL,)),
    m.TournamentRow(2, "ada", 0.0, 2.25, 0.0, "0", withdrawn=False, you=True, rounds=(LOST,)),
    m.TournamentRow(3, "cem", -2.25, 0.0, 0.0, "-9/4", withdrawn=True, you=False, rounds=(None,)),
)
VIEW = m.TournamentView(INFO, ROWS, (), ("c0ffee",), ())


def last(player: Player1) -> m.Command:
    """The last command that was given."""
    return player.visit.commands[-1]


async def shown(player: Player1, info: m.TournamentInfo = INFO) -> None:
    """The player is in the lobby, and this is in the news."""
    update = Update(NOBODY_HERE, None, (), False, "", tournaments=(info,))
    player.visit.feed.push(update)
    await player.clock.settle()
    await player.clock.advance(0)


async def opened(view: m.TournamentView = VIEW, reply: Reply | None = None) -> Player1:
    player = Player1()
    await shown(player, view.info)
    player.visit.replies.append(reply or Reply(tournament=view))
    await player.press("l", "e", "enter")
    return player


async def test_the_lobby_says_that_there_is_one_and_a_key_shows_it() -> None:
    player = Player1()
    await shown(player)
    await player.press("l")
    assert "Tournament (e shows it): Friday cup: the next round begins in 1 minute" in player.text
    await player.press("e")
    assert "> Friday cup: the next round begins in 1 minute, you are registered" in player.text


async def test_a_tournament_is_shown_though_news_come_faster_than_answers() -> None:
    player = Player1()
    await shown(player)
    answers: list[asyncio.Future[None]] = []

    async def submit(command: m.Command) -> Reply:
        if not isinstance(command, m.AskTournament):
            return Reply()
        answers.append(asyncio.get_running_loop().create_future())
        await answers[-1]
        return Reply(tournament=VIEW)

    player.visit.submit = submit
    await player.press("l", "e", "enter")
    await shown(player)
    assert "One moment" in player.text
    answers[0].set_result(None)
    await player.clock.settle()
    assert "One moment" not in player.text


async def test_of_several_the_lobby_tells_the_one_that_concerns_the_player() -> None:
    player = Player1()
    newer = replace(INFO, id="lotulupi", phase=m.TournamentPhase.OPEN, entered=False, round=0)
    update = Update(NOBODY_HERE, None, (), False, "", tournaments=(newer, INFO))
    player.visit.feed.push(update)
    await player.clock.settle()
    await player.clock.advance(0)
    await player.press("l")
    assert "2 tournaments (e shows them): Friday cup: " in player.text
    await player.press("e", "down")
    await shown(player)
    assert "> Friday cup" in player.text, "one is chosen when the list gets shorter"


def together(player: Player1) -> str:
    """The words of the screen, however its lines are broken."""
    return " ".join(player.text.replace("│", " ").split())


async def test_standings_say_who_is_ahead_and_which_row_is_yours() -> None:
    player = await opened()
    assert player.visit.commands == [m.AskTournament("kadubilo")]
    assert "The next round begins in 1 minute." in together(player)
    assert player.row_with("bo ").split()[1:6] == ["1.", "bo", "+2.25", "+2.25", "0.00"]
    assert player.row_with("> ").split()[:4] == ["│>", "2.", "ada", "0.00"]
    assert "(cem)" in player.text
    assert "(name): has withdrawn · -: no seat in that round · met: the totals" in together(player)
    await player.press("c")
    assert "Round 1: table 1, seat 2, against ada: 7 points, score +2.25." in player.text
    assert "cancelled" in player.text
    assert "Round 1: no seat." in player.text


async def test_a_place_below_a_lower_total_is_explained() -> None:
    eve = m.TournamentRow(4, "eve", 0.0, 0.0, 0.0, "0", withdrawn=False, you=False, rounds=(LOST,))
    why = "Players who finished no game come last"
    view = replace(VIEW, rows=(*ROWS, eve))
    assert why in together(await opened(view))
    assert why in view_lines(view, 0.0, words_for("en"))
    assert why not in together(await opened())
    assert why not in view_lines(VIEW, 0.0, words_for("en"))


async def test_standings_that_could_not_be_had_are_asked_for_again() -> None:
    player = await opened(reply=Reply(m.Refusal.STORAGE))
    await player.press("end")
    assert "One moment" not in player.text
    assert "Enter try again" in player.text
    player.visit.replies.append(Reply(tournament=VIEW))
    await player.press("enter")
    assert player.row_with("bo ").split()[1:4] == ["1.", "bo", "+2.25"]
    assert "try again" not in player.text


async def test_the_cross_table_shows_commitments_and_the_seeds_of_closed_rounds() -> None:
    player = await opened(replace(VIEW, commitments=("c0ffee", "d1ce"), seeds=("5eed",)))
    assert "c0ffee" not in player.text
    await player.press("c")
    assert "Round 1: commitment c0ffee" in player.text
    assert "Round 2: commitment d1ce" in player.text
    assert "Round 1: seed 5eed" in player.text
    assert "Round 2: seed" not in player.text


async def test_the_key_for_tables_is_there_when_something_else_is_shown() -> None:
    playing = replace(INFO, phase=m.TournamentPhase.PLAYING, begins=0.0)
    none_closed = tuple(replace(row, rounds=()) for row in ROWS)
    at = (m.TournamentSeats(7, ("ada", "bo"), done=False),)
    player = await opened(replace(VIEW, info=playing, rows=none_closed, tables=at))
    assert "table 7" in player.text
    assert "t tables" not in player.text, "they are shown already"
    player = await opened(replace(VIEW, info=replace(playing, round=2), tables=at))
    assert "table 7" not in player.text
    assert "t tables" in player.text
    await player.press("t")
    assert "table 7" in player.text


async def test_the_key_for_tables_leads_back_to_the_standings_after_the_round() -> None:
    playing = replace(INFO, phase=m.TournamentPhase.PLAYING, begins=0.0, round=2)
    at = (m.TournamentSeats(7, ("ada", "bo"), done=False),)
    player = await opened(replace(VIEW, info=playing, tables=at))
    await player.press("t")
    over = replace(playing, phase=m.TournamentPhase.BREAK)
    player.visit.replies.append(Reply(tournament=replace(VIEW, info=over, tables=at)))
    await shown(player, over)
    assert "+2.25" not in player.text
    await player.press("t")
    assert "+2.25" in player.text
    assert "t tables" not in player.text


async def test_a_key_registers_withdraws_and_goes_to_the_table() -> None:
    player = await opened()
    await player.press("r")
    assert last(player) == m.WithdrawFromTournament("kadubilo")
    playing = replace(INFO, phase=m.TournamentPhase.PLAYING, table="lotulupi", entered=False)
    player.visit.replies.append(Reply(tournament=replace(VIEW, info=playing)))
    await shown(player, playing)
    assert "The others are waiting at your table" in " ".join(player.text.split())
    await player.press("r")
    assert last(player) == m.EnterTournament("kadubilo")
    await player.press("enter")
    assert last(player) == m.JoinTable("lotulupi")


async def test_who_directs_begins_rounds_and_is_asked_before_closing_one() -> None:
    mine = replace(INFO, directs=True)
    player = await opened(replace(VIEW, info=mine))
    await player.press("b")
    assert last(player) == m.DirectTournament("kadubilo", m.Directing.BEGIN)
    await player.press("z")
    assert "End this tournament?" in player.text
    await player.press("y")
    assert last(player) == m.DirectTournament("kadubilo", m.Directing.END)
    other = await opened()
    count = len(other.visit.commands)
    await other.press("b", "x", "z")
    assert len(other.visit.commands) == count


async def test_a_director_removes_players_and_lifts_the_share_of_an_address() -> None:
    mine = replace(INFO, directs=True)
    player = await opened(replace(VIEW, info=mine))
    assert "p players" in player.text
    await player.press("p")
    assert "At most half the places can go to one address." in player.text
    assert "cem" not in player.text, "has withdrawn"
    for key in ("Enter remove", "x remove the absent", "l lift the limit", "Esc back"):
        assert key in player.text
    await player.press("down", "enter")
    assert "Remove ada?" in player.text
    await player.press("y")
    assert last(player) == m.DirectTournament("kadubilo", m.Directing.REMOVE, "ada")
    await player.press("x", "y")
    assert last(player) == m.DirectTournament("kadubilo", m.Directing.REMOVE_ABSENT)
    await player.press("l", "y")
    assert last(player) == m.DirectTournament("kadubilo", m.Directing.LIFT)
    count = len(player.visit.commands)
    player.visit.replies.append(Reply(tournament=replace(VIEW, info=mine)))
    await shown(player, replace(mine, lifted=True))
    assert "Any number of players from one address can register." in player.text
    await player.press("l", "enter", "escape", "escape")
    assert player.visit.commands[count:] == [m.AskTournament("kadubilo")]
    other = await opened()
    await other.press("p")
    assert "Registered players" not in other.text


async def test_who_is_refused_because_of_the_share_is_told_how_it_is_lifted() -> None:
    player = await opened(replace(VIEW, info=replace(INFO, entered=False)))
    refused = Reply("tournament_share", {"most": 100, "tournament": "kadubilo"})
    player.visit.replies.append(refused)
    await player.press("r")
    said = " ".join(player.text.split())
    assert "Half of the places (100) have gone to your address." in said
    assert 'p on the page, or "tournament lift kadubilo".' in said


async def test_a_new_one_is_named_and_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Account, "opens_tournaments", True)
    player = Player1()
    await shown(player)
    await player.press("l", "e", "n", "c", "u", "p", "enter")
    assert "Edition" in player.row_with("Amigo")
    await player.press("right", "down", "right", "enter")
    command = player.visit.commands[-1]
    assert isinstance(command, m.OpenTournament)
    assert (command.plan.name, command.plan.rounds) == ("cup", 6)
    assert command.plan.options.rules.edition is Edition.GAMEWRIGHT


async def test_only_who_may_open_one_is_offered_it() -> None:
    player = Player1()
    await shown(player)
    await player.press("l", "e")
    assert "new tournament" not in player.text
    await player.press("n")
    assert "name of the tournament" not in player.text


async def coming(player: Player1, left: float) -> None:
    """The player is at a table, and the next round begins in so many seconds."""
    begins = player.clock.time() + left
    word = m.ServerMessage("tournament_round", "Friday cup", begins)
    snapshot = player.game.snapshot()
    infos = (replace(INFO, begins=begins),)
    update = Update(None, snapshot, (), False, "", said=(word,), tournaments=infos)
    player.visit.feed.push(update)
    await player.clock.advance(0)


async def test_the_next_round_is_counted_down_and_then_forgotten() -> None:
    player = Player1()
    await coming(player, 120)
    said = "The next round of Friday cup begins in"
    assert f"{said} 2 minutes." in player.text
    await player.press("right")
    frames = player.frames_asked
    await player.clock.advance(61)
    assert f"{said} 1 minute." in player.text
    assert player.frames_asked == frames + 1
    await player.clock.advance(49.5)
    assert f"{said} 10 seconds." in player.text
    await player.clock.advance(8)
    assert f"{said} 2 seconds." in player.text
    await player.clock.advance(1)
    assert f"{said} 1 second." in player.text
    frames = player.frames_asked
    await player.clock.advance(0.6)
    assert player.frames_asked == frames + 1
    assert "next round" not in player.text
    await player.clock.advance(300)
    assert player.frames_asked == frames + 1


async def test_a_screen_for_everybody_shows_nothing_of_the_tournament_before() -> None:
    player = Player1()
    for code, reply in (("kadubilo", Reply(tournament=VIEW)), ("lotulupi", Reply("storage"))):
        player.visit.replies.append(reply)
        infos = (replace(INFO, id=code),)
        player.visit.feed.push(
            Update(NOBODY_HERE, None, (), False, "", tournaments=infos, standings=code)
        )
        await player.clock.settle()
        await player.clock.advance(0)
        assert ("+2.25" in player.text) is reply.ok


async def test_who_has_not_registered_is_not_counted_down_to() -> None:
    player = Player1()
    await shown(player, replace(INFO, entered=False))
    assert "The next round of" not in player.text


async def test_the_standings_lead_to_the_pages_of_people() -> None:
    player = await opened()
    player.controller.context.account = FakeAccount(library=FakeLibrary(1e6))  # type: ignore[misc]
    await player.press("i")
    assert "People" in player.text
    assert all(player.row_with(row.name) for row in VIEW.rows)
