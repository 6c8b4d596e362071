"""Operators' orders and the answers: plain data, without any card, bid, seed or rejoin code."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from server.storage.moderation import AuditRow, BanRow, ListedRow, MuteRow, ReportRow

MOST_ROWS: Final = 500
"""Maximum rows of an answer; the rest is only counted."""

FOR_EVER: Final = 0.0
"""Seconds of a ban without an end."""

LONGEST: Final = 10 * 366 * 24 * 60 * 60
"""Maximum seconds of a ban or a mute."""

Text = Annotated[str, Meta(max_length=1000)]
Seconds = Annotated[float, Meta(ge=0, le=LONGEST)]
Number = Annotated[int, Meta(ge=0, le=2**53)]


class _Action(Struct, frozen=True, tag_field="action", forbid_unknown_fields=True):
    """An order."""


# ---------------------------------------------------------------- to look at


class SeePeople(_Action, frozen=True, tag="people"):
    """List the connected people, with their addresses."""


class SeeTables(_Action, frozen=True, tag="tables"):
    """List the tables."""


class SeeReports(_Action, frozen=True, tag="reports"):
    """List the reports of players."""

    closed: bool = False
    """Closed ones, too."""


class SeeBans(_Action, frozen=True, tag="bans"):
    """List bans and mutes."""


class SeeAudit(_Action, frozen=True, tag="audit"):
    """List the audit log, the newest entry first."""

    before: Number = 0
    """Only entries with smaller numbers; 0 for the newest."""


class SeeTournaments(_Action, frozen=True, tag="tournaments"):
    """List the tournaments."""


class SeeRecord(_Action, frozen=True, tag="tournament_record"):
    """Export a tournament's closed rounds: the answer has a ``document``, JSON."""

    code: Text


Seeing = SeePeople | SeeTables | SeeReports | SeeBans | SeeAudit | SeeTournaments | SeeRecord

# ---------------------------------------------------------------- to do


class _ToPerson(_Action, frozen=True):
    who: Text


class _ToEntry(_Action, frozen=True):
    number: Number


class MutePerson(_ToPerson, frozen=True, tag="mute"):
    """Hide what a person says from everybody else, for so many seconds."""

    seconds: Seconds
    reason: Text = ""


class UnmutePerson(_ToPerson, frozen=True, tag="unmute"):
    """Let a person speak again."""


class Vouch(_ToPerson, frozen=True, tag="vouch"):
    """List an account on the leaderboard, whoever it has played with."""


class Unvouch(_ToPerson, frozen=True, tag="unvouch"):
    """Take that back: only games count again."""


class Kick(_ToPerson, frozen=True, tag="kick"):
    """End a person's connection; the seat stays."""

    reason: Text = ""


class BanSomebody(_Action, frozen=True, tag="ban"):
    """Ban what ``kind`` says: ``value``, or that of the connected person with this name."""

    kind: Text
    """``key``, ``name``, ``address`` or ``network``."""
    value: Text
    seconds: Seconds = FOR_EVER
    reason: Text = ""


class Unban(_ToEntry, frozen=True, tag="unban"):
    """Lift a ban."""


class AnswerReport(_ToEntry, frozen=True, tag="answer"):
    """Close a report, and send ``text`` to its author."""

    text: Text


class CloseReport(_ToEntry, frozen=True, tag="close"):
    """Close a report without an answer."""


class CloseTable(_Action, frozen=True, tag="close_table"):
    """Send everybody at the table with this code back to the lobby, and break the game off."""

    code: Text


class Broadcast(_Action, frozen=True, tag="say"):
    """Send everybody a message from the server."""

    text: Text


class TournamentOrder(_Action, frozen=True, tag="tournament"):
    """Open a tournament that operators direct."""

    name: Text
    chosen: dict[str, Text | int | bool] = {}
    """Options that are not the defaults, by their names in ``server.session.tournament_plan``."""


class DirectingOrder(_Action, frozen=True, tag="direct"):
    """Direct a tournament."""

    code: Text
    what: Text
    """A value of ``Directing``."""
    name: Text = ""
    """Name of the player to remove."""


class Drain(_Action, frozen=True, tag="drain"):
    """Allow no new games; those in progress go on."""

    stop: bool = False
    """Stop the server when none is left."""


class Undrain(_Action, frozen=True, tag="undrain"):
    """Allow new games again; the server does not stop."""


class Reload(_Action, frozen=True, tag="reload"):
    """Reread the settings, as SIGHUP does."""


AboutPerson = MutePerson | UnmutePerson | Vouch | Unvouch | Kick
AboutSomebody = AboutPerson | BanSomebody | Unban | AnswerReport | CloseReport
AboutTournaments = TournamentOrder | DirectingOrder
AboutServer = Seeing | AboutTournaments | CloseTable | Broadcast | Drain | Undrain | Reload
Action = AboutSomebody | AboutServer


def name_of(action: Action) -> str:
    """Return the name of an action in the audit log."""
    return str(type(action).__struct_config__.tag)


# ---------------------------------------------------------------- answers


class PersonRow(ListedRow, frozen=True, tag="person", omit_defaults=True):
    """A connected person."""

    name: str
    guest: bool
    key: str
    """The fingerprint of the key that authenticated the connection; empty without one."""
    address: str
    line: str
    """``ssh``, ``telnet``, ``tty``."""
    seconds: int
    """How long the person has been connected."""
    table: str
    """The title of the table; empty in the lobby."""
    watching: bool
    """As a spectator."""
    operator: bool
    muted: int
    """Seconds left; 0 for a person who is not muted."""


class TableFacts(ListedRow, frozen=True, tag="table", omit_defaults=True):
    """What everybody may know of a table."""

    title: str
    status: str
    edition: str
    names: tuple[str, ...]
    """One for each seat; empty for a free one."""
    bots: int
    stage: int
    """From 1; 0 before the first game."""
    stages: int
    round: int
    """From 1; 0 before the first game."""
    spectators: int
    code: str = ""
    """The code for ``CloseTable``."""


class TournamentFacts(ListedRow, frozen=True, tag="tournament"):
    """A tournament."""

    code: str
    name: str
    phase: str
    round: int
    rounds: int
    players: int
    tables: int
    """Tables of the running round ..."""
    playing: int
    """... and how many of them are not over."""
    begins: float
    """When the next round begins by itself; 0 if it does not."""
    director: str
    """Empty for operators."""
    stuck: bool = False
    """Errors of the server hold it up."""


Row = PersonRow | TableFacts | TournamentFacts | ReportRow | BanRow | MuteRow | AuditRow


class OperatorReply(Struct, frozen=True):
    """The answer to an operator. Codes: ``ok``, those in ``text.refusals``, and ``internal``."""

    code: str = "ok"
    facts: dict[str, str | int | float] = {}
    rows: tuple[Row, ...] = ()
    left_out: int = 0
    """Rows beyond ``MOST_ROWS``."""
    document: str = ""
    """What was asked for, if it is a document."""

    @property
    def ok(self) -> bool:
        """Whether the order was carried out."""
        return self.code == "ok"
