"""The help: the rules in our own words, aware of what this table plays."""

from engine.editions import Edition, Rules
from server.coordinator.messages import TableOptions
from server.i18n.catalogues import Words
from server.viewmodels.table_options import options_in_words

Section = tuple[str, tuple[str, ...]]


def rules_sections(
    options: TableOptions | None, words: Words, *, facts: bool = True
) -> tuple[Section, ...]:
    """Headings and paragraphs; a paragraph with a tab is a sign and what it means. ``facts``: also what
    exactly is played.
    """
    rules = options.rules if options is not None else Rules()
    sections = [
        _idea(words),
        _hand(rules, words),
        _round(words),
        _loss(rules, words),
        _stage_end(rules, words),
        _screen(words),
    ]
    if facts and options is not None:
        played = ", ".join(options_in_words(options, words))
        sections.insert(1, (words.t("This table"), (played + ".",)))
    return tuple(sections)


def _idea(words: Words) -> Section:
    return (
        words.t("The idea"),
        (
            words.t(
                "The water is rising, and your sheep has a handful of life preservers. Keep your tide"
                " low: in every round the player whose tide stands highest loses one. What is left at"
                " the end of a stage is worth points."
            ),
        ),
    )


def _hand(rules: Rules, words: Words) -> Section:
    return (
        words.t("Your hand"),
        (
            words.n(
                "Weather cards go from 1 to 60, each once. You hold {count} of them.",
                "Weather cards go from 1 to 60, each once. You hold {count} of them.",
                rules.hand_size,
            ),
            words.t(
                "The cards from 25 to 36 show a whole life preserver, 13 to 24 and 37 to 48 half of one,"
                " the others none. The sum, rounded down, is what the hand begins each stage with: a"
                " hard hand has more of them."
            ),
        ),
    )


def _round(words: Words) -> Section:
    return (
        words.t("A round"),
        (
            words.t("Two tide cards are turned up. Everybody bids one weather card, face down."),
            words.t(
                "When the last bid is in, all are turned up at once. The highest card takes the lower"
                " tide, the second highest takes the higher one; nobody else takes any. A new tide card"
                " covers the old one: only the newest counts."
            ),
            words.t(
                "Until the reveal you may replace your bid, and nobody sees that you did. Your last card"
                " is bid for you."
            ),
        ),
    )


def _loss(rules: Rules, words: Words) -> Section:
    texts = [
        words.t(
            "Then the highest tide at the table costs one life preserver, no matter who took a card in"
            " this round. If two share the highest tide, both lose one."
        ),
        words.t(
            "With none left you are still in. Only when you would have to lose one more are you out of"
            " this stage: that costs a point, and you are back in the next."
        ),
    ]
    if rules.passes_loss_on:
        texts.append(
            words.t(
                "If somebody goes out and nobody has lost a life preserver in this round, the loss is"
                " passed on to whoever now shows the highest tide, as long as more than two are left."
            )
        )
    elif rules.modified_drowning:
        texts.append(
            words.t("Modified drowning: when somebody goes out, nobody else has to pay for it.")
        )
    else:
        texts.append(words.t("In this edition the loss is not passed on when somebody goes out."))
    return (words.t("Losing life preservers"), tuple(texts))


def _stage_end(rules: Rules, words: Words) -> Section:
    texts = [
        words.n(
            "A stage has {count} round, but ends at once when only two players are left.",
            "A stage has {count} rounds, but ends at once when only two players are left.",
            rules.rounds,
        ),
        words.t(
            "Each life preserver left is a point, being out is minus one. The lowest tide among those"
            " still in earns one point more; no tide card at all is lowest."
        ),
        words.t(
            "Then every hand passes to the player on the left, with all its life preservers. So"
            " everybody plays every hand, and remembering the one you had is worth something: your left"
            " neighbour has it now."
        ),
        words.t("The game has as many stages as players. The most points win; a tie is shared."),
    ]
    if rules.edition is Edition.BGA:
        texts.append(
            words.t("With six players everybody has ten cards, and the tides go up to ten only.")
        )
    if rules.assistance:
        texts.append(
            words.t(
                "Assistance is on: the played cards (p) show earlier stages too, beside the seat that"
                " holds that hand now."
            )
        )
    return (words.t("Points"), tuple(texts))


def _screen(words: Words) -> Section:
    return (
        words.t("Signs on the table"),
        (
            words.t("11!\tthe highest tide at the table"),
            words.t("o o . .\ttwo life preservers left, two lost"),
            words.t("14*\tfourteen points, and nobody has more"),
            words.t("[27]\tthe card that Enter would bid"),
            words.t("(27)\tyour sealed bid"),
            words.t("#\tsomebody's sealed bid, where the line is slow"),
        ),
    )
