"""The lobby of this node, as far as people and tables of others are in it."""

from typing import Final

from server.coordinator import messages as m
from server.coordinator.feed import Feed
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.open_tables import OpenTable
from server.coordinator.lobby.tables import Recovered
from server.coordinator.table import steps
from server.coordinator.table.pause import taken_over
from server.coordinator.table.ports import Listing


class SharedLobby:
    """Does there what other nodes tell."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby: Final = lobby

    # ------------------------------------------------------------ people

    def came(self, player: m.Player) -> None:
        """Somebody has connected to another node: a visit here is over."""
        lobby = self._lobby
        presence = lobby.people.get(player.id)
        if presence is not None and presence.feed is not None and presence.here:
            presence.feed.close("taken_over")
            lobby.feed.unfollow(presence)
            presence.feed, presence.goal = None, ""
            lobby.let_go(presence)
        lobby.connected[player.id] = player
        for why in lobby.missed.take(player.id):
            lobby.elsewhere.missed(player.id, why)
        lobby.feed.changed()

    def missed(self, player: str, why: m.Happening) -> None:
        """Somebody has come here who is to be told this, from another node."""
        presence = self._lobby.people.get(player)
        feed = presence.feed if presence is not None else None
        if presence is None or feed is None or feed.remote or presence.table:
            self._lobby.missed.keep(player, why)
        else:
            self._lobby.show_lobby(presence, feed, (why,))

    def left(self, player: str, feed: Feed | None) -> None:
        """Somebody is not connected to another node any more, to which this feed led."""
        lobby = self._lobby
        presence = lobby.people.get(player)
        if presence is not None and presence.feed is feed is not None:
            presence.feed = None
            for code in lobby.places.of(player):
                if table := lobby.tables.actors.get(code):
                    table.post(steps.Gone(player))
            lobby.let_go(presence)
        if not lobby.is_connected(player):
            lobby.connected.pop(player, None)
        lobby.feed.changed()

    # ------------------------------------------------------------ tables

    def listed(self, listing: Listing, table: OpenTable) -> None:
        """A table of another node is new, or looks different."""
        lobby, code = self._lobby, listing.id
        lobby.tables.actors.pop(code, None)
        lobby.tables.remote[code] = table
        before = lobby.places.put(listing)
        if before is None or before.row != listing.row or before.private != listing.private:
            lobby.feed.rows_changed()
        if before is not None and before.unseen_round != listing.unseen_round:
            lobby.chat.caught_up(listing)
        if before is not None and before.playing and not listing.playing:
            lobby.chat.rated(listing)
        if before is None or before.row.status is not listing.row.status:
            lobby.tournaments.directory.table_changed(listing.row.event)

    def handed_over(self, code: str, table: OpenTable) -> None:
        """A table of this node is another one's: who is there, and not connected here, is known there."""
        lobby, listing = self._lobby, self._lobby.listings[code]
        self.listed(listing, table)
        for player in listing.members:
            presence = lobby.people.get(player)
            if presence is not None and not presence.here and not lobby.is_at_own_table(player):
                presence.feed = None
                lobby.let_go(presence)

    def gone(self, code: str) -> None:
        """A table of another node is no more: whoever was there from here is in the lobby."""
        lobby = self._lobby
        if code not in lobby.listings:
            return
        lobby.tournaments.directory.table_changed(lobby.remove(code).row.event)
        for presence in [it for it in lobby.people.values() if it.shown == code]:
            lobby.released(presence.player.id, None)

    def take_over(self, found: Recovered) -> None:
        """Take up a table that another node had until now, while people play."""
        lobby = self._lobby
        now, timing = lobby.shared.clock.time(), lobby.shared.timing
        table = taken_over(found.table, now, timing, lobby.is_connected)
        lobby.take_up(found.log, table)
        listing = lobby.listings[table.id]
        lobby.elsewhere.published(listing)
        lobby.chat.taken_over(listing)
        lobby.feed.rows_changed()
        lobby.tournaments.directory.table_changed(listing.row.event)
