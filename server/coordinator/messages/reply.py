"""The answer to a command."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Reply(NamedTuple):
    """The answer to a command: ``code`` "ok", or a locale-neutral reason for the refusal.

    Refusal codes: those of ``engine.errors`` and ``too_late`` (the round was revealed before this bid),
    ``not_seated``, ``seated_elsewhere``, ``no_such_table``, ``table_full``, ``seat_taken``,
    ``not_owner``, ``not_open``, ``already_playing``, ``seats_empty``, ``not_over``, ``too_many_tables``,
    ``too_many_opened`` and ``too_many_from_there`` (tables, by this player and from this address),
    ``too_many_games`` and ``too_many_games_there`` (begun, likewise; for some seconds more),
    ``no_such_strategy``, ``closing`` (the server is going down), ``wrong_round`` (a bid for a round that
    is still to come), ``not_playing`` (there is no game), ``seat_empty``, ``own_seat`` (leave instead),
    ``no_human``, ``too_many_seated`` (fewer seats than people who sit there), ``seconds`` (out of the
    range in ``details``), ``paused``, ``not_paused``, ``not_absent`` (nobody can be replaced there now),
    ``too_many_spectators``, ``rated_guests`` and ``rated_bots`` (who has no place at a rated table),
    ``nothing_said``, ``no_such_phrase``, ``no_table`` (to say anything at), ``nobody_called``,
    ``own_name``, ``not_listening`` (takes no direct lines from here), ``rated_round`` (whoever it is for
    plays a rated game), ``own_block`` (whoever it is for is not heard here), ``too_many_blocked``,
    ``chat_wait`` and ``silenced`` (for some seconds more), ``seat_kept`` (for somebody else),
    ``seat_not_empty`` (it cannot be kept), ``removed`` (by the owner, not long ago), ``word_needed``,
    ``wrong_word`` and ``word_wait`` (a private table; too many wrong words), ``word_form`` (no good as a
    word), ``no_spectators``, ``held_seat`` (in this game already), ``no_bot_seat`` (there is no bot whose
    place one could take), ``busy`` (too many commands at once), ``gone`` (this visit has ended),
    ``storage`` (it could not be written down, so it has not happened; try again), ``internal`` (our
    mistake; nothing has happened).
    """

    code: str = "ok"
    details: Mapping[str, int | str] = MappingProxyType({})

    @property
    def ok(self) -> bool:
        """Whether the command was carried out."""
        return self.code == "ok"
