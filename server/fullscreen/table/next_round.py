"""What is to be known of the next round while the last one, or the end of a stage, is shown."""

from server.coordinator.messages import TableSnapshot
from server.fullscreen.widgets.drawing import DrawContext, between
from server.i18n.words import _
from server.session.turn_status import bid_due, waits_for
from server.terminal.drawing.frame import Span
from server.text.countdown import time_to_bid


def next_round_line(table: TableSnapshot, now: float, look: DrawContext) -> Span:
    """How much time there is to bid, or that all wait, or what has been bid."""
    words, own, style, said = look.words, table.own, "dim", ""
    if waits_for(table):
        style, said = "warm", words.t("waiting for you")
    elif due := bid_due(table):
        time = time_to_bid(due - now, words, look.thin)
        said = words.t("next round: {time} to bid", time=time)
    elif own is not None and own.bid:
        said = words.t("next round: your {card} is sealed", card=own.bid)
    return (style, said)


def next_round_said(
    table: TableSnapshot, now: float, look: DrawContext, seconds: float, *, last: bool
) -> Span:
    """The same, at the end of a stage, perhaps the last one; and how to go on, which it does by itself after
    so many ``seconds``.
    """
    words, count = look.words, round(seconds)
    style, said = ("dim", "") if last else next_round_line(table, now, look)
    text = _("Press Space to go on (or wait {count} s).")
    if last:
        text = _("Press Space for the standings (or wait {count} s).")
    return (style, between((said, words.t(text, count=count)), look.glyphs))
