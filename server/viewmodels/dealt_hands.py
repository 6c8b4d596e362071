"""All hands of a game that is over, as they follow from its seed: for everybody at the table."""

from engine.deal import deal_game
from server.coordinator.messages import Status, TableInfo
from server.i18n.catalogues import Words
from server.viewmodels.table_presenter import seat_names


def hands_in_words(info: TableInfo, words: Words) -> tuple[str, ...]:
    """Which hand was dealt to whom, and what stayed in the box; empty before the game is over."""
    if info.status is not Status.OVER or not info.seed:
        return ()
    rules = info.options.rules
    hands = deal_game(bytes.fromhex(info.seed), rules).hands
    lines = [
        words.t("Dealt to {name}: {cards}.", name=name, cards=_cards(hand))
        for name, hand in zip(seat_names(info), hands, strict=True)
    ]
    dealt = {card for hand in hands for card in hand}
    box = tuple(card for card in range(1, 61) if card not in dealt)
    if box:
        lines.append(words.t("Not dealt: {cards}.", cards=_cards(box)))
    if rules.stages > 1:
        lines.append(words.t("With every stage each hand went on to the next seat."))
    return tuple(lines)


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(str(card) for card in sorted(cards))
