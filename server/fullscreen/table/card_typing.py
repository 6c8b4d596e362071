"""A card that is typed, digit by digit."""

from typing import Final

from engine.cards import WEATHER_CARDS
from server.fullscreen.context import SessionContext
from server.timers import OneTimer

TYPING_SECONDS: Final = 1.5
"""How long a typed digit waits for a second one."""

_TENS: Final = frozenset(str(card)[0] for card in WEATHER_CARDS if card >= 10)
"""Digits with which a number of two begins."""


class CardTyping:
    """The digit that was typed last, as long as another may follow."""

    def __init__(self, context: SessionContext) -> None:
        self._context = context
        self._timer: Final = OneTimer(context.clock)
        self.digit = ""
        self.fresh = False
        """The number typed last was begun since the table moved on."""

    def key(self, digit: str, cards: tuple[int, ...]) -> int:
        """A digit was typed; which of ``cards`` it chooses, or 0 for none. A number of no card is told."""
        number = self.digit + digit
        self.fresh = self.fresh or not self.digit
        self.forget()
        longer = [card for card in cards if card >= 10 and str(card).startswith(number)]
        exact = int(number) in cards
        if len(number) == 1 and number in _TENS:
            # Even where one digit says it all, or nothing: who types the whole number means no other card by
            # the second.
            self.digit, chosen = number, int(number) if exact else next(iter(longer), 0)
            self._timer.after(TYPING_SECONDS, lambda: self._over(known=chosen > 0))
            return chosen
        if exact:
            return int(number)
        self._refuse(number)
        return 0

    def _refuse(self, number: str) -> None:
        words = self._context.words
        self._context.say("error", words.t("You do not hold the {card}.", card=number))

    def forget(self) -> None:
        """No digit waits any more."""
        self.digit = ""
        self._timer.cancel()

    def _over(self, *, known: bool) -> None:
        digit = self.digit
        self.forget()
        if not known:
            self._refuse(digit)
        self._context.changed()
