"""The operators' page, and the one on which players report somebody."""

import asyncio

import pytest

from server.coordinator.messages import LobbySnapshot, ServerMessage, Update
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import Action, OperatorReply, PersonRow
from server.fullscreen.operators import REFRESH_SECONDS
from server.fullscreen.widgets.chrome import SURE_SECONDS
from server.terminal.capabilities import Size
from tests.support.accounts import KEY, ME, ROWS, FakeAccount, FakeOperators, Reporting
from tests.support.fakes import Player1

SIZE = Size(80, 24)


async def somebody(account: FakeAccount, language: str = "en", size: Size = SIZE) -> Player1:
    player = Player1(who=ME, account=account, language=language)
    player.size = size
    await player.lobby(LobbySnapshot((), ("ada", "bo", "cem")))
    await player.press("l")
    return player


async def operator(language: str = "en", size: Size = SIZE) -> tuple[Player1, FakeOperators]:
    operator_actions = FakeOperators()
    player = await somebody(FakeAccount(operator_actions=operator_actions), language, size)
    await player.press("!")
    return player, operator_actions


async def write(player: Player1, text: str) -> None:
    entry = player.controller.entry
    assert entry is not None
    entry.insert_text(text)
    await player.press("enter")


async def test_everything_is_there_on_five_lists() -> None:
    player, _ = await operator()
    assert "bo           at Shoal" in player.text
    assert KEY in player.text, "the chosen one in full"
    await player.press("down")
    assert "cem: guest, muted for 2 min, in the lobby, telnet 192.0.2.9" in player.text
    await player.press("tab")
    assert "Shoal: stage 2 of 4, round 7, 3 watching, Amigo, bo, Gull" in player.text
    await player.press("tab")
    assert "4: cem about bo, at Shoal, 1970-01-12 13:46 UTC: shouts" in player.text
    await player.press("tab")
    assert "9: network 192.0.2.0/24, for ever, by ada: spam" in player.text
    await player.press("5")
    assert "kick bo, reason loud: done" in " ".join(player.text.replace("│", " ").split())
    await player.press("escape")
    assert "[log]" not in player.text
    assert "you are ada, operator (!)" in player.text


async def test_a_list_follows_what_happens_and_the_choice_stays() -> None:
    player, operator_actions = await operator()
    await player.press("down")
    dil = PersonRow("dil", True, "", "192.0.2.8", "ssh", 3, "", False, False, 0)
    operator_actions.later = OperatorReply(rows=(dil, *ROWS["people"].rows))
    await player.clock.advance(REFRESH_SECONDS)
    assert operator_actions.again == [asked.SeePeople()]
    assert len(operator_actions.looks) == 1, "it is written down once"
    assert player.text.index("dil") < player.text.index("cem: guest")
    operator_actions.later = OperatorReply(rows=ROWS["people"].rows[:1])
    await player.clock.advance(REFRESH_SECONDS)
    assert f"bo: account, at Shoal, ssh 2001:db8::7, for 65 s, {KEY}"[:40] in player.text
    operator_actions.later = OperatorReply("storage")
    await player.clock.advance(REFRESH_SECONDS)
    assert "bo: account, at Shoal" in player.text, "what cannot be read for a moment stays"
    operator_actions.later = OperatorReply("not_operator")
    await player.clock.advance(REFRESH_SECONDS)
    assert "Your key is not, or no longer, an operator's." in player.text
    assert KEY not in player.text


async def test_nothing_is_looked_up_while_something_is_asked_or_nobody_looks() -> None:
    player, operator_actions = await operator()
    await player.press("m")
    await player.clock.advance(3 * REFRESH_SECONDS)
    await player.press("escape", "5")
    assert "1970-01-12 13:46  ada          kick bo" in player.text
    await player.press("down")
    assert operator_actions.looks[-1] == asked.SeeAudit(before=3)
    assert player.text.count("ada          kick bo") == 2, "the log goes on as far as one reads"
    await player.clock.advance(3 * REFRESH_SECONDS)
    await player.press("escape")
    await player.clock.advance(3 * REFRESH_SECONDS)
    assert operator_actions.again == []


@pytest.mark.parametrize(
    ("keys", "text", "action"),
    [
        ("x", "too loud", asked.Kick("bo", "too loud")),
        ("x", "", asked.Kick("bo")),
        ("m", "2h too loud", asked.MutePerson("bo", 7200.0, "too loud")),
        ("u", None, asked.UnmutePerson("bo")),
        ("v", None, asked.Vouch("bo")),
        ("w", None, asked.Unvouch("bo")),
        ("b1", "ever spam", asked.BanSomebody("key", "bo", 0.0, "spam")),
        ("b2", "1d", asked.BanSomebody("name", "bo", 86_400.0)),
        ("b3", "1d", asked.BanSomebody("address", "bo", 86_400.0)),
        ("b4", "1d", asked.BanSomebody("network", "bo", 86_400.0)),
        ("3c", None, asked.CloseReport(4)),
        ("4u", None, asked.Unban(9)),
        ("hd", None, asked.Drain()),
        ("he", None, asked.Drain(stop=True)),
        ("hl", None, asked.Reload()),
        ("hb", "name dil 1w", asked.BanSomebody("name", "dil", 604_800.0)),
    ],
)
async def test_nothing_is_done_without_a_yes(keys: str, text: str | None, action: Action) -> None:
    for sure in (False, True):
        player, operator_actions = await operator()
        facts: dict[str, str | int | float] = {"name": "bo", "id": 4, "shown": "bo", "until": 2e6}
        operator_actions.answer = OperatorReply(facts=facts | {"ended": 1, "games": 2, "stop": 1})
        await player.press(*keys)
        if text is not None:
            await write(player, text)
        assert operator_actions.done == []
        assert "Do this?" in player.text
        await player.press("y" if sure else "enter")
        assert operator_actions.done == ([action] if sure else [])
        assert "[" in player.text, "back on the lists"


@pytest.mark.parametrize(
    ("keys", "text", "action"),
    [
        ("3a", "he is silenced", asked.AnswerReport(4, "he is silenced")),
        ("hs", "cake at five", asked.Broadcast("cake at five")),
    ],
)
async def test_what_is_written_out_is_meant(keys: str, text: str, action: Action) -> None:
    player, operator_actions = await operator()
    operator_actions.answer = OperatorReply(facts={"id": 4, "people": 3})
    await player.press(*keys)
    await write(player, text)
    assert operator_actions.done == [action]


async def test_what_was_not_understood_can_be_put_right() -> None:
    player, operator_actions = await operator()
    await player.press("m")
    await write(player, "for a while")
    assert "How long?" in player.text
    entry = player.controller.entry
    assert entry is not None
    assert entry.text == "for a while"
    await player.press("escape")
    assert player.controller.entry is None
    assert operator_actions.done == []


async def test_a_menu_is_about_who_was_chosen_when_it_was_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, operator_actions = await operator()
    act, answered = operator_actions.act, asyncio.Event()

    async def slowly(action: Action, *, again: bool = False) -> OperatorReply:
        if not isinstance(action, asked.SeePeople):
            return await act(action)
        await answered.wait()
        return OperatorReply(rows=ROWS["people"].rows[1:])

    monkeypatch.setattr(operator_actions, "act", slowly)
    await player.press("r", "enter")
    answered.set()
    await player.press("u", "y")
    assert "cem" in player.text
    assert operator_actions.done == [asked.UnmutePerson("bo")]


async def test_a_refusal_is_told() -> None:
    player, operator_actions = await operator()
    operator_actions.answer = OperatorReply("own_ban")
    await player.press("b", "4")
    await write(player, "1h")
    await player.press("y")
    assert "That ban would keep you out, too." in player.text


# ---------------------------------------------------------------- reports


async def test_a_player_reports_somebody_who_has_left() -> None:
    account = Reporting(code="nobody_called")
    player = await somebody(account)
    await player.press("!", "end", "down", "down", "enter")
    await write(player, "zoe shouted")
    assert account.reports == [("zoe", "shouted")]
    assert 'Nobody is called "zoe".' in player.text
    await player.press("escape", "escape")
    assert "Lobby" in player.text


# ---------------------------------------------------------------- what the house says


async def say(player: Player1, *words: ServerMessage, closed: str = "") -> None:
    lobby = LobbySnapshot((), ("ada",))
    player.visit.feed.push(Update(lobby, None, (), False, closed, said=words))
    await player.clock.advance(0)


async def test_what_the_house_says_stays_long_enough_to_be_read() -> None:
    player = await somebody(FakeAccount())
    await say(player, ServerMessage("broadcast", "cake at five"))
    assert "From the server: cake at five" in player.text
    await player.press("down")
    assert "cake at five" in player.text
    await player.clock.advance(SURE_SECONDS)
    await player.press("down")
    assert "cake at five" not in player.text


@pytest.mark.parametrize("size", [SIZE, Size(40, 15)])
async def test_who_is_waited_for_in_a_tournament_is_told_what_to_press(size: Size) -> None:
    player = await somebody(FakeAccount(), size=size)
    await say(player, ServerMessage("tournament_table", "Friday cup", about="kadubilo"))
    told = " ".join(player.text.split())
    assert "The others are waiting for you at a table of Friday cup." in told
    assert "press e in the lobby, Enter at the tournament, and Enter again." in told
    assert "join kadubilo" not in told


async def test_why_one_is_sent_away_is_the_last_that_is_said() -> None:
    player = await somebody(FakeAccount())
    await say(player, ServerMessage("kicked", "too loud"), closed="kicked")
    assert player.controller.done
    assert player.controller.goodbye == (
        "An operator has ended your connection; your seat is kept. The reason: too loud",
    )


async def test_no_new_games_is_told_and_taken_back() -> None:
    player = await somebody(FakeAccount())
    await player.lobby(LobbySnapshot((), ("ada",), float("inf")))
    assert "No new game begins here for now." in player.text
    await player.lobby(LobbySnapshot((), ("ada",)))
    assert "No new game" not in player.text
