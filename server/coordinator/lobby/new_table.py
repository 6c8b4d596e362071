"""How a table is opened, or one that is open is found."""

import dataclasses
from typing import Final

from engine.deal import BadDealCode, read_deal
from server.coordinator import messages as m
from server.coordinator.lobby.open_tables import OpenTables
from server.coordinator.presence import Presence
from server.coordinator.table.options_and_start import check_options
from server.coordinator.table.ports import UNWRITTEN
from server.coordinator.table.seats import check_players
from server.coordinator.table.state import SharedDeal
from server.networks import mark

_KEYS: Final = 16
"""Of requests that one player has made."""


async def open_table(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    """Take somebody to a new table, or with ``QuickJoin`` to an open one; the presence is locked. Whoever
    has not heard the answer may ask again with the same key: that opens no second table. Raises
    ``Refused``.
    """
    key = command.key
    if presence.opening[0]:
        # Whose connection was cut off meanwhile: it may not have been written yet.
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        table = tables.known.get(presence.opening[1])
        _note_key(presence, table is not None and presence.player.id in table.people)
    if key in presence.opened:
        return m.Reply(details={"table": presence.opened[key]})
    carry_out = _quick_join if isinstance(command, m.QuickJoin) else _create
    reply = await carry_out(tables, presence, command)
    _note_key(presence, reply.ok)
    return m.Reply(details={"table": presence.opened[key]}) if key and reply.ok else reply


async def _create(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    m.refuse_if(tables.shared.closing, m.Refusal.CLOSING)
    tables.check_free(presence)
    player, source = presence.player, mark(presence.source, tables.salt)
    await tables.make_room_for(player.id, source)
    options, deal = _with_deal(command)
    check_options(options)
    if options.pace is m.Pace.CORRESPONDENCE:
        tables.check_room(presence.player.id)
    check_players(options, tables.shared.limits, player, bots=isinstance(command, m.QuickGame))
    fast = options.pace is m.Pace.FAST

    def check_quota() -> float:
        tables.room_for(player.id, source).raise_if_refused()
        now = tables.shared.clock.time()
        tables.shared.begun.check(player.id, presence.source, now, fast).raise_if_refused()
        return now

    async def opened() -> m.Reply:
        # Others may have opened tables meanwhile.
        now = check_quota()
        table = tables.new(code, options, deal, player.id, source)
        tables.shared.begun.count(player.id, presence.source, now, fast)
        tables.set_up_new(table)
        presence.opening, presence.goal = (command.key, code), code
        return await tables.ask(code, presence, command)

    code = await tables.unused_code()
    check_quota()
    return await tables.move(presence, opened)


async def _quick_join(tables: OpenTables, presence: Presence, command: m.OpeningCommand) -> m.Reply:
    tables.check_free(presence)
    player = presence.player
    # Who wants any game wants one now: none where a round may take a day.
    found = [
        table
        for table in tables.known.values()
        if not (table.private or table.daily)
        and (table.status is m.Status.OPEN and table.free_seat() >= 0)
        and not (table.shared is not None and not table.event)
        and not (table.options.rated and player.guest)
    ]
    wanted = command.options.kind
    # Those that need the fewest more people to begin come before others.
    for table in sorted(found, key=lambda it: (it.options.kind != wanted, it.names.count(""))):
        presence.opening = command.key, table.id
        reply = await tables.move(presence, m.JoinTable(table.id))
        # Somebody may have been faster, or the owner has removed this player: the next one, then.
        if reply.ok or reply.code in UNWRITTEN | {"busy", "seated_elsewhere"}:
            return reply
    return await _create(tables, presence, command)


def _note_key(presence: Presence, done: bool) -> None:
    """Remember to which table the request has led that was being carried out, if it is ``done``."""
    (key, code), presence.opening = presence.opening, ("", "")
    if not key or not done:
        return
    presence.opened[key] = code
    if len(presence.opened) > _KEYS:
        del presence.opened[next(iter(presence.opened))]


def _with_deal(command: m.OpeningCommand) -> tuple[m.TableOptions, SharedDeal | None]:
    """The options of a new table, and the deal that is wanted there. Raises ``Refused``."""
    if isinstance(command, m.QuickJoin) or not command.deal:
        return command.options, None
    try:
        found = read_deal(command.deal)
    except BadDealCode:
        raise m.Refused(m.Refusal.BAD_DEAL) from None
    rules = found.rules or command.options.rules
    return dataclasses.replace(command.options, rules=rules, rated=False), SharedDeal(found.seed)
