"""Texts about a game that are passed on, and lines that invite to a table or a replay.

Read from the games that are kept, as each frontend tells it, with the list of these.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import quote

from engine.views import TableView
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.events.days import DayPage, days_ago, is_day
from server.coordinator.messages import TablePublic, TournamentView
from server.playback import ReplayedGame
from server.session.account import GameLibrary, game_played
from server.session.client import SessionClient
from server.storage.history import GameRow
from server.text.events import why_apart
from server.text.history import shared_own, shared_text, shared_try, strip_in_words, strip_of
from server.text.tournaments import record_in_words, shared_cup
from server.viewmodels.table import seat_facts, seat_names


class Shared(NamedTuple):
    """A text to pass on."""

    lines: Sequence[str]
    note: str = ""
    """What to know of it; not to be passed on."""
    counts: str = ""
    """Why it does not count; neither."""


async def shared_day(
    client: SessionClient, library: GameLibrary, page: DayPage, *, unicode: bool
) -> Shared | None:
    """What this player has made of a day, without anything that spoils it for others.

    ``None`` without a try that was ended in time. Raises ``StoreError``.
    """
    player, words, strip = client.player.id, client.words, ""
    own = page.own_try(player)
    if own is None:
        return None
    if (game := await library.game(own.game)) is not None:
        strip = strip_of(game.replay.last.finished[0], game.viewpoint, unicode=unicode)
    lines = shared_try(page, player, strip, client.facts().way_in, words)
    note = strip_in_words(words, unicode=unicode) if strip else ""
    return Shared(lines, note, why_apart(page, player, words))


async def shared_game(
    client: SessionClient, library: GameLibrary, game: ReplayedGame, *, unicode: bool
) -> Shared:
    """A game that is kept. Raises ``StoreError``."""
    seat, info = game.viewpoint, game.info
    if seat >= 0 and (told := await _of_day(client, library, game.event, unicode=unicode)):
        return told
    if game.held:
        return _own(client, info, game.final_view, seat, game.event)
    return _whole(client, info, game.final_view, game.code, unicode=unicode)


async def shared_here(client: SessionClient, *, unicode: bool) -> Shared:
    """The game that is over at the player's table, without what cannot be read.

    The place in a day, or how to see it again.
    """
    table, library = client.table, client.account.library
    assert table is not None
    assert table.table is not None
    info, view = table.info, table.table
    code = ""
    with suppress(StoreError):
        if library is not None and info.event:
            if told := await _of_day(client, library, info.event, unicode=unicode):
                return told
        elif library is not None and (game := await game_played(library, table)):
            code = game.code
    if info.event:
        return _own(client, info, view, table.seat, info.event)
    return _whole(client, info, view, code, unicode=unicode)


def shared_tournament(client: SessionClient, view: TournamentView) -> Shared:
    """A tournament that is over."""
    lines = shared_cup(view, client.words, client.facts().way_in)
    return Shared(lines, record_in_words(view.info, client.words))


async def _of_day(
    client: SessionClient, library: GameLibrary, event: str, *, unicode: bool
) -> Shared | None:
    if not is_day(event):
        return None
    page = await library.day(days_ago(event, client.clock.time()))
    return None if page is None else await shared_day(client, library, page, unicode=unicode)


def _own(
    client: SessionClient, info: TablePublic, view: TableView, seat: int, event: str
) -> Shared:
    """What ``seat`` has made of a game whose deal others play."""
    points, way_in = [stage[seat] for stage in view.points], client.facts().way_in
    return Shared(shared_own(points, event, info.title, client.words, way_in=way_in))


def _whole(
    client: SessionClient, info: TablePublic, view: TableView, code: str, *, unicode: bool
) -> Shared:
    """All of a game that others see again with this ``code``."""
    way_in = client.facts().way_in
    lines = shared_text(
        *(view, seat_names(info), client.words),
        left=[number for number, who in enumerate(seat_facts(info)) if who.left],
        unicode=unicode,
        way_in=way_in,
        replay=replay_line(code, way_in),
    )
    return Shared(lines)


_CODE: Final = re.compile(
    r"(?<![^\W_])((?:[bdklmnprstvz][aeiou]){4})(?:[+ ]([\w-]+))?(?![\w-])", re.IGNORECASE
)


def invite_line(table: m.TableSnapshot, way_in: str) -> str:
    """What a friend types to sit down here; ``way_in`` is a host, with the options that ssh needs.

    Empty when that is not known. The invitation code of a private table is in it for its owner only.
    """
    if not way_in:
        return ""
    word = f" {table.word}" if table.word else ""
    return f"ssh -t {way_in} join {table.info.id}{word}"


def replay_line(code: str, way_in: str) -> str:
    """What anybody types to see a game again that has this code; empty without one, or a way in."""
    return f"ssh -t {way_in} replay {code}" if code and way_in else ""


def ssh_url(way_in: str, table: m.TableSnapshot | None = None) -> str:
    """The way in, or to sit down at a ``table``, as telephones read it from a QR code."""
    *options, host = way_in.split(" ")
    port = f":{options[-1]}" if options else ""
    login = "".join(f"+{quote(it)}" for it in (table.info.id, table.word) if it) if table else ""
    user = f"{login}@" if login else ""
    return f"ssh://{user}{f'[{host}]' if ':' in host else host}{port}"


def code_and_word(text: str) -> tuple[str, str]:
    """The table's code and its invitation code in what somebody typed or pasted.

    ``CODE``, ``CODE WORD``, or a line that invites. What is no code is handed on as it is: whether
    there is such a table, the lobby knows.
    """
    found = _CODE.search(text)
    if found is not None:
        return found[1].casefold(), (found[2] or "").casefold()
    code, _, word = text.strip().partition(" ")
    return code, word.strip()


class GameList:
    """The newest first: this player's, unless everybody's are asked for."""

    def __init__(self, *, mine: bool = True, rows: tuple[GameRow, ...] | None = None) -> None:
        self.mine: Final = mine
        self.rows: tuple[GameRow, ...] = rows or ()
        self.complete = rows is not None
        """There are no more."""

    async def read_on(self, library: GameLibrary) -> tuple[GameRow, ...]:
        """The next ones, which join ``rows``; nothing when there are no more. Raises ``StoreError``."""
        known = self.rows
        found = await library.games(mine=self.mine, before=known[-1].id if known else 0)
        if self.rows is known:  # not read meanwhile
            self.rows += found
            self.complete = len(found) < library.games_at_once
        return found
