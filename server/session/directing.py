"""Opening and directing tournaments: as an operator, or as who has opened one where anybody may."""

from server.coordinator import messages as m
from server.coordinator.messages import operator_orders as orders
from server.session.client import SessionClient
from server.session.tournament_plan import choices_of
from server.text.refusals import refusal, refusal_of_order


def may_open(client: SessionClient) -> bool:
    """Whether this player may open a tournament here."""
    return client.account.opens_tournaments or client.account.operator_actions is not None


def may_direct(client: SessionClient, info: m.TournamentInfo | None) -> bool:
    """Whether this player directs that tournament."""
    return info is not None and (info.directs or client.account.operator_actions is not None)


async def open_tournament(client: SessionClient, plan: m.TournamentPlan) -> str:
    """Open one, an operators' one as an operator; why not, in words, empty when it is open."""
    if client.account.operator_actions is not None:
        return await _order(client, orders.TournamentOrder(plan.name, choices_of(plan)))
    return await _submit(client, m.OpenTournament(plan))


async def direct(
    client: SessionClient, info: m.TournamentInfo, what: m.Directing, name: str = ""
) -> str:
    """Have it done, with the player of that name; why not, in words, empty when it is done."""
    if client.account.operator_actions is not None and not info.directs:
        return await _order(client, orders.DirectingOrder(info.id, what.value, name))
    return await _submit(client, m.DirectTournament(info.id, what, name))


async def _submit(client: SessionClient, command: m.TournamentCommand) -> str:
    reply = await client.submit(command)
    return "" if reply.ok else refusal(reply, client.words)


async def _order(client: SessionClient, order: orders.AboutTournaments) -> str:
    actions = client.account.operator_actions
    if actions is None:
        return refusal(m.Reply(m.Refusal.NO_DIRECTOR), client.words)
    told = await actions.act(order)
    return "" if told.ok else refusal_of_order(told, client.words)
