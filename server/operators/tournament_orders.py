"""Tournaments that operators open and direct."""

import json
from collections.abc import Mapping

from engine.errors import BadRules
from server.coordinator import messages as m
from server.coordinator.lobby.tournaments import Directory
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import OperatorReply, TournamentFacts
from server.coordinator.table.ports import unwritten
from server.session.tournament_plan import planned
from server.storage.store import StoreError


def rows(tournaments: Directory) -> list[TournamentFacts]:
    """Those that go on, and the last ones that are over."""
    return [
        TournamentFacts(
            code=each.id,
            name=each.plan.name,
            phase=each.phase.value,
            round=each.round,
            rounds=each.plan.rounds,
            players=each.players,
            tables=each.tables,
            playing=each.playing,
            begins=each.begins,
            director=each.director,
            stuck=each.stuck,
        )
        for each in tournaments.shown_to("")
    ]


async def carry_out(
    tournaments: Directory, action: asked.AboutTournaments | asked.SeeRecord
) -> OperatorReply:
    """Do it, or say why not. Raises ``StoreError``."""
    try:
        match action:
            case asked.TournamentOrder():
                plan = planned(action.name, action.chosen)
                reply = await tournaments.carry_out(None, m.OpenTournament(plan))
                reply.raise_if_refused()
                return OperatorReply(facts={"code": reply.details["tournament"]})
            case asked.DirectingOrder(code, what, name):
                known = {each.value: each for each in m.Directing}
                if what not in known:
                    return OperatorReply("no_such_direction")
                command = m.DirectTournament(code.lower(), known[what], name)
                (await tournaments.carry_out(None, command)).raise_if_refused()
                return OperatorReply(facts={"code": code.lower()})
            case asked.SeeRecord(code):
                record = await tournaments.record(code.lower())
                document = json.dumps(record, separators=(",", ":"), sort_keys=True)
                return OperatorReply(document=document)
    except m.Refused as refused:
        return OperatorReply(refused.reply.code, _facts(refused.reply.details))
    except BadRules as error:
        return OperatorReply(error.code, dict(error.details))
    except StoreError as error:
        return OperatorReply(unwritten(error).code, {"reason": error.code})


def _facts(details: Mapping[str, int | str]) -> dict[str, str | int | float]:
    return dict(details)
