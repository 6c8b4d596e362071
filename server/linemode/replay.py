"""A finished game as sentences: one moment after the other, through anybody's eyes."""

from typing_extensions import override

from engine.events import GameOver, RoundResolved, StageScored, StageStarted, TidesTurned
from engine.rules import dealt_hand_of
from engine.views import seat_view, table_view
from server.coordinator.messages import TableSnapshot
from server.i18n.catalogues import Words
from server.linemode.narration import round_lines, stage_lines
from server.linemode.status import fairness_lines, final_lines, numbers
from server.playback.recorded_game import EVERYBODY, OPEN, RecordedGame, ReplayPosition


class LineReplay(ReplayPosition):
    """A game that is told again."""

    def now(self) -> TableSnapshot:
        """The table at this moment, as these eyes see it: for whatever can be asked at a table."""
        moment, viewpoint = self.moment, self.viewpoint
        view = table_view(moment.state)
        if viewpoint < 0:
            return TableSnapshot(self.game.info, -1, view, None)
        bid = moment.bid_of(viewpoint) if moment.reveals else 0
        return TableSnapshot(
            self.game.info, viewpoint, view, seat_view(moment.state, viewpoint, view, bid)
        )

    @override
    def go_to(self, typed: str, words: Words) -> str:
        """To a stage, a round of it, or the end; what is wrong with that, or nothing."""
        if typed.casefold() in ("end", words.p("vote", "end")):
            self.at = self.last
            return ""
        return super().go_to(typed, words)

    def look_through(self, wanted: str, words: Words) -> str:
        """Take the eyes of a player, named or numbered, or everybody's; what to say of it."""
        names = [seat.name for seat in self.game.info.seats]
        folded = [name.casefold() for name in names]
        if not wanted or wanted in ("all", words.p("eyes", "all")):
            self.viewpoint = EVERYBODY
        elif wanted in folded:
            self.viewpoint = folded.index(wanted)
        elif wanted.isdecimal() and len(wanted) < 3 and 1 <= int(wanted) <= len(names):
            self.viewpoint = int(wanted) - 1
        else:
            return words.t('Nobody at this table is called "{name}".', name=wanted)
        return self.seen_in_words(words)

    # ---------------------------------------------------------------- telling

    def told(self, words: Words) -> list[str]:
        """This moment as sentences."""
        moment, table = self.moment, self.now()
        match moment.event:
            case StageStarted(stage):
                stages = moment.state.rules.stages
                begins = words.t("Stage {stage} of {stages}.", stage=stage + 1, stages=stages)
                return [begins, *self.hands(words)]
            case TidesTurned(stage, round_, (low, high)):
                tides = words.t(
                    "Stage {stage}, round {round}: tides {low} and {high}.",
                    stage=stage + 1,
                    round=round_ + 1,
                    low=low,
                    high=high,
                )
                return [tides, *self.hands(words)]
            case RoundResolved(result=result):
                return round_lines(result, table, words)
            case StageScored(stage, result):
                return stage_lines(result, stage, table, words)
            case GameOver():
                return [*final_lines(table, words), *fairness_lines(table, words)]

    def hands(self, words: Words) -> list[str]:
        """The hands that these eyes see, and what is bid from each in this round."""
        seats = range(len(self.game.info.seats)) if self.viewpoint == OPEN else [self.viewpoint]
        return [self._hand(seat, words) for seat in seats if seat >= 0]

    def _hand(self, seat: int, words: Words) -> str:
        moment, name = self.moment, self.game.info.seats[seat].name
        stage = moment.state.stage
        if stage.eliminated[seat]:
            return words.t("{name} is out of this stage.", name=name)
        cards, bid = numbers(stage.hands[seat]) or words.t("none"), moment.bid_of(seat)
        if bid:
            return words.t(
                "{name} holds {cards} and bids {card}.", name=name, cards=cards, card=bid
            )
        return words.t("{name} holds {cards}.", name=name, cards=cards)


def all_hands(game: RecordedGame, words: Words) -> list[str]:
    """Every hand as it was dealt, and what was never played of it."""
    record = game.replay.record
    names = [seat.name for seat in game.info.seats]
    lines = [
        words.t("Dealt to {name}: {cards}.", name=name, cards=numbers(hand))
        for name, hand in zip(names, record.deal, strict=True)
    ]
    for number, stage in enumerate(record.stages, 1):
        left = []
        for seat, name in enumerate(names):
            dealt = record.deal[dealt_hand_of(seat, number - 1, len(names))]
            played = {bids[seat] for bids in stage.bids}
            if kept := tuple(card for card in dealt if card not in played):
                left.append(f"{name} {numbers(kept)}")
        if left:
            hands = "; ".join(left)
            lines.append(
                words.t("Never played in stage {stage}: {hands}.", stage=number, hands=hands)
            )
    return lines
