"""The options of a table, each declared once: form, line mode, API, filters and lists follow.

What is chosen is kept in ``TableOptions``, whose ``changed`` knows what goes together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Final, Generic, Literal, NamedTuple, TypeVar

from msgspec import Meta
from typing_extensions import override

from engine.bots import DEFAULT_STRATEGY, TYPED, WANTED
from engine.editions import Edition, Rules, player_range
from server.coordinator.messages import Pace, Spectating, TableOptions, TournamentPlan
from server.i18n.lookup import Words, _, in_english, p_, vocabulary
from server.text.bots import bot_briefly, bot_strength
from server.text.times import pace_in_words

Typed = Callable[[int, bool], Mapping[str, Any]]
"""What a typed word chooses, given the number before it (-1 for none) and whether there was no "no"; nothing
when that makes no sense.
"""

_NO: Final = p_("table option", "no")


class BadOption(ValueError):
    """A word that is no option; ``str()`` of it is the word."""


def number(name: str, least: int = 1) -> Typed:
    """A number of at least that, which chooses ``name``."""
    return lambda number, on: {name: number} if number >= least else {}


def read_options(text: str, options: "Iterable[FormOption[Any]]", words: Words) -> dict[str, Any]:
    """What ``text`` chooses, by name. Raises ``BadOption``.

    Each option has words of its own, in English and the player's language: some want a number before them,
    some can be switched off with "no" before them.
    """
    kinds = {word: kind for option in options for word, kind in (option.typed or {}).items()}
    meant = vocabulary("table option", (*kinds, _NO), words, ALSO_TYPED)
    wanted: dict[str, Any] = {}
    given, on = -1, True
    for word in in_english(text.replace(",", " "), meant):
        if word.isdecimal() and len(word) < 6:
            given = int(word)
        elif word == _NO:
            on = False
        else:
            chosen = kinds[word](given, on) if word in kinds else {}
            if not chosen:
                raise BadOption(word)
            wanted |= chosen
            given, on = -1, True
    if given >= 0:
        raise BadOption(str(given))
    return wanted


InWords = Callable[[TableOptions, Words], str]
SECONDS: Final = (15, 30, 45, 60, 90, 120, 180, 300)
"""What the form offers; any other number can be typed."""


class OptionLine(NamedTuple):
    """One line of a form: of the options of a table, or of a player's settings."""

    label: str
    value: str
    hint: str
    change: Callable[[int], object] = lambda _step: None
    """To the next value (1), or the one before (-1)."""
    fixed: bool = False
    """Follows from other choices."""
    choices: Callable[[], Sequence[tuple[str, str]]] = tuple
    """Every value that can be chosen, with its hint."""


def _nothing(_options: TableOptions, _words: Words) -> str:
    return ""


def _value(name: str, value: object) -> Typed:
    return lambda number, on: {name: value}


def _switch(name: str) -> Typed:
    return lambda number, on: {name: on}


def _chosen(options: TableOptions, name: str) -> Any:
    return getattr(options if hasattr(options, name) else options.rules, name)


T = TypeVar("T", TableOptions, TournamentPlan)


@dataclass(frozen=True, slots=True)
class FormOption(Generic[T]):
    """One thing that is chosen for a table, or for a tournament."""

    name: str
    """As what it is kept in, and programs call it."""
    label: str
    """For the form; this and the other texts are to be translated."""
    hint: Callable[[T, Words], str]
    type: Any = bool
    """What a program may give."""
    choices: Callable[[T], Sequence[Any]] = lambda _: (False, True)
    """What the form goes through, as things are; nothing when it cannot be chosen."""
    value: Callable[[T, Words], str] | None = None
    """Returns the value as the form says it, where that is not yes or no."""
    typed: Mapping[str, Typed] | None = None
    """Words of line mode, in the context "table option"."""

    def of(self, chosen: T) -> Any:
        """What is chosen in ``chosen``."""
        raise NotImplementedError

    def changed(self, chosen: T, value: Any) -> T:
        """``chosen`` with this value."""
        raise NotImplementedError

    def stepped(self, chosen: T, step: int) -> T:
        """``chosen`` with it moved ``step`` values on (1) or back (-1), round and round."""
        choices, now = self.choices(chosen), self.of(chosen)
        if not choices:
            return chosen
        if now not in choices:
            now = min(choices, key=lambda choice: abs(choice - now))
        return self.changed(chosen, choices[(choices.index(now) + step) % len(choices)])

    def line(self, chosen: T, words: Words, take: Callable[[T], object]) -> OptionLine:
        """Its line in the form; ``take`` gets what is chosen when it has been changed there."""

        def told(option: T) -> tuple[str, str]:
            value = words.t("yes") if self.of(option) else words.t("no")
            if self.value is not None:
                value = self.value(option, words)
            return value, self.hint(option, words)

        return OptionLine(
            words.t(self.label),
            *told(chosen),
            lambda step: take(self.stepped(chosen, step)),
            not self.choices(chosen),
            lambda: [told(self.changed(chosen, choice)) for choice in self.choices(chosen)],
        )


@dataclass(frozen=True, slots=True)
class TableOption(FormOption[TableOptions]):
    """One of them."""

    fact: InWords = _nothing
    """Among everything that was chosen; empty when that is as usual."""
    listed: InWords | None = None
    """Returns the form for the lobby's list, where there is less room."""
    decides: bool = False
    """It comes first there, for it may be all that there is room for."""
    typed_help: tuple[str, ...] = ()
    """How help shows them, in the context "typed option"; without what its example of a table has."""
    also_typed: Mapping[str, str] | None = None
    """More words for those, in any language."""
    filters: Mapping[str, Callable[[TableOptions], bool]] | None = None
    """Words that find such tables in the lobby, in the context "filter"."""

    @override
    def of(self, chosen: TableOptions) -> Any:
        return _chosen(chosen, self.name)

    @override
    def changed(self, chosen: TableOptions, value: Any) -> TableOptions:
        return chosen.changed(**{self.name: value})


def _said(text: str) -> InWords:
    return lambda options, words: words.t(text)


def _fact(name: str, text: str) -> InWords:
    return lambda options, words: words.t(text) if _chosen(options, name) else ""


def _edition_in_words(options: TableOptions, words: Words) -> str:
    edition = options.rules.edition
    said = words.t("for 3 to {most} players", most=edition.most_players)
    if edition.modified_drowning:
        return said
    return f"{said}; {_loss_in_words(options, words)}"


def _loss_in_words(options: TableOptions, words: Words) -> str:
    if options.rules.passes_loss_on:
        return words.t("losses passed on")
    return words.t("losses not passed on")


def _stages_in_words(options: TableOptions, words: Words) -> str:
    if options.rules.stages < options.rules.players:
        return words.t("the printed game has as many as players")
    return words.t("everybody plays every hand")


def _short_in_words(options: TableOptions, words: Words) -> str:
    rules = options.rules
    if rules.stages == rules.players:
        return ""
    return words.n("short: {count} stage", "short: {count} stages", rules.stages)


def _plays(edition: Edition) -> Callable[[TableOptions], bool]:
    return lambda options: options.rules.edition is edition


def _who_pays_in_words(options: TableOptions, words: Words) -> str:
    if not _can_be_modified(options):
        return words.t("only {edition} has the choice", edition=words.listed(_MODIFIED_IN))
    if options.rules.passes_loss_on:
        return words.t("when somebody goes out, whoever now has the highest tide pays")
    return words.t("when somebody goes out, nobody else pays")


_can_be_modified: Final = attrgetter("rules.edition.modified_drowning")
_MODIFIED_IN: Final = tuple(each.called for each in Edition if each.modified_drowning)


_PACES: Final = {
    Pace.TIMED: _("timed"),
    Pace.UNTIMED: _("untimed"),
    Pace.CORRESPONDENCE: _("by correspondence"),
    Pace.FAST: _("fast, for programs"),
}
_PACE_HINTS: Final = {
    Pace.TIMED: _("a bot bids for whoever is late"),
    Pace.UNTIMED: _("every round waits for everybody"),
    Pace.CORRESPONDENCE: _("a day a round; nobody has to stay, your seat is kept"),
    Pace.FAST: _("no person can play that fast"),
}
_SPECTATORS: Final = {
    Spectating.OPEN: (_("welcome"), _("they see what everybody sees, no hands"), ""),
    Spectating.DELAYED: (
        _("a round late"),
        _("they see a round when it is over"),
        _("spectators a round late"),
    ),
    Spectating.NONE: (
        _("none"),
        _("nobody watches, nobody takes a bot's place"),
        _("no spectators"),
    ),
}
"""What the form says, its hint, and the fact."""


def _spectating(which: int) -> InWords:
    def said(options: TableOptions, words: Words) -> str:
        text = _SPECTATORS[options.spectators][which]
        return words.t(text) if text else ""

    return said


_FEW: Final = Annotated[int, Meta(ge=0, le=99)]

OPTIONS: Final = (
    TableOption(
        name="edition",
        type=Edition,
        label=_("Edition"),
        choices=lambda _: tuple(Edition),
        value=lambda options, _: options.rules.edition.called,
        hint=_edition_in_words,
        fact=lambda options, _: options.rules.edition.called,
        listed=_nothing,  # it has a column
        typed={edition.value: _value("edition", edition) for edition in Edition},
        filters={edition.value: _plays(edition) for edition in Edition},
    ),
    TableOption(
        name="players",
        type=_FEW,
        label=_("Players"),
        choices=lambda options: player_range(options.rules.edition),
        value=lambda options, _: str(options.rules.players),
        hint=lambda options, words: words.n(
            "seats, yours included; {count} card each",
            "seats, yours included; {count} cards each",
            options.rules.hand_size,
        ),
        fact=lambda options, words: words.n(
            "{count} player", "{count} players", options.rules.players
        ),
        listed=_nothing,
        typed={p_("table option", "players"): number("players")},
        also_typed={"player": "players", "mitspieler": "players"},
    ),
    TableOption(
        name="stages",
        type=_FEW,
        label=_("Stages"),
        choices=lambda options: range(1, options.rules.players + 1),
        value=lambda options, _: str(options.rules.stages),
        hint=_stages_in_words,
        fact=lambda options, words: words.n(
            "{count} stage", "{count} stages", options.rules.stages
        ),
        listed=_short_in_words,
        typed={
            p_("table option", "stage"): number("stages"),
            p_("table option", "stages"): number("stages"),
        },
    ),
    TableOption(
        name="modified_drowning",
        label=_("After an elimination"),
        choices=lambda options: (False, True) if _can_be_modified(options) else (),
        value=lambda options, words: (
            words.t("next one pays") if options.rules.passes_loss_on else words.t("nobody pays")
        ),
        hint=_who_pays_in_words,
        fact=_loss_in_words,
        listed=_fact("modified_drowning", _("losses not passed on")),
        typed={p_("table option", "modified"): _switch("modified_drowning")},
        typed_help=(p_("typed option", "modified (with bga)"),),
    ),
    TableOption(
        name="assistance",
        label=_("Assistance"),
        hint=_said(_("earlier stages' cards are shown, and your earlier hands")),
        fact=_fact("assistance", _("cards of earlier stages are shown")),
        listed=_fact("assistance", _("assistance")),
        typed={p_("table option", "assistance"): _switch("assistance")},
        typed_help=(p_("typed option", "assistance"),),
        filters={p_("filter", "assistance"): attrgetter("rules.assistance")},
    ),
    TableOption(
        name="pace",
        type=Pace,
        label=_("Pace"),
        # A fast one is no choice for people.
        choices=lambda options: [p for p in Pace if p is not Pace.FAST or options.pace is p],
        value=lambda options, words: words.t(_PACES[options.pace]),
        hint=lambda options, words: words.t(_PACE_HINTS[options.pace]),
        fact=pace_in_words,
        decides=True,
        typed={
            p_("table option", "untimed"): _value("pace", Pace.UNTIMED),
            p_("table option", "correspondence"): _value("pace", Pace.CORRESPONDENCE),
        },
        also_typed={"zeitlos": "untimed", "livre": "untimed"},
        typed_help=(p_("typed option", "correspondence"),),
        filters={
            p_("filter", "timed"): lambda options: options.pace is Pace.TIMED,
            p_("filter", "untimed"): lambda options: options.pace is Pace.UNTIMED,
            p_("filter", "correspondence"): lambda options: options.pace is Pace.CORRESPONDENCE,
        },
    ),
    TableOption(
        name="seconds",
        type=Annotated[int, Meta(ge=0, lt=1 << 31)],
        label=_("Time for a round"),
        choices=lambda options: SECONDS if options.pace is Pace.TIMED else (),
        value=lambda options, words: (
            "-" if options.pace is Pace.UNTIMED else pace_in_words(options, words)
        ),
        hint=_said(_("a bot bids for whoever has not bid")),
        typed={
            p_("table option", "seconds"): lambda number, on: (
                {"pace": Pace.TIMED, "seconds": number} if number > 0 else {}
            )
        },
        also_typed={"second": "seconds"},
        typed_help=(p_("typed option", "90 seconds"),),
    ),
    TableOption(
        name="rated",
        label=_("Rated"),
        hint=_said(_("counts for the ratings; only people with an SSH key")),
        fact=_fact("rated", _("rated")),
        decides=True,
        typed={p_("table option", "rated"): _switch("rated")},
        typed_help=(p_("typed option", "rated"),),
        filters={
            p_("filter", "rated"): attrgetter("rated"),
            p_("filter", "unrated"): lambda options: not options.rated,
        },
    ),
    TableOption(
        name="spectators",
        type=Spectating,
        label=_("Spectators"),
        choices=lambda _: tuple(Spectating),
        value=_spectating(0),
        hint=_spectating(1),
        fact=_spectating(2),
        typed={
            p_("table option", "spectators"): lambda number, on: {
                "spectators": Spectating.OPEN if on else Spectating.NONE
            },
            p_("table option", "delayed"): _value("spectators", Spectating.DELAYED),
        },
        typed_help=(
            p_("typed option", "delayed (spectators see a round when it is over)"),
            p_("typed option", "no spectators"),
        ),
        filters={p_("filter", "watchable"): lambda options: options.spectators.allowed},
    ),
    TableOption(
        name="bots",
        type=Literal.__getitem__(WANTED),
        label=_("Bots"),
        choices=lambda options: () if options.rated else WANTED,
        value=lambda options, _: bot_briefly(options.bots),
        hint=lambda options, words: bot_strength(options.bots, words),
        fact=lambda options, words: (
            "" if options.bots == DEFAULT_STRATEGY else words.t("bots: {name}", name=options.bots)
        ),
        typed={typed: _value("bots", name) for typed, name in TYPED.items()},
    ),
    TableOption(
        name="hints",
        label=_("Hints"),
        choices=lambda options: () if options.rated else (True, False),
        value=lambda options, words: words.t("yes") if options.gives_hints else words.t("no"),
        hint=_said(_("players may ask what the strongest bot would bid")),
        fact=lambda options, words: "" if options.hints or options.rated else words.t("no hints"),
        typed={p_("table option", "hints"): _switch("hints")},
        typed_help=(p_("typed option", "no hints"),),
    ),
)
"""In the order of the form."""
ALSO_TYPED: Final = {
    word: meant for each in OPTIONS for word, meant in (each.also_typed or {}).items()
}
"""More words for what is typed."""


def parse_options(text: str, start: TableOptions, words: Words) -> TableOptions:
    """``start`` changed as ``text`` says. Raises ``BadOption`` or ``BadRules``."""
    return start.changed(**read_options(text, OPTIONS, words))


def options_in_words(options: TableOptions, words: Words) -> tuple[str, ...]:
    """Everything that was chosen, as short facts."""
    return tuple(filter(None, (option.fact(options, words) for option in OPTIONS)))


def options_in_brief(options: TableOptions, words: Words) -> tuple[str, ...]:
    """What decides whether one wants to play that, and what is not as usual."""
    edition, players, *_ = (option.fact(options, words) for option in OPTIONS)
    others = [listed_options(options, words, decides) for decides in (True, False)]
    return (edition, players, *others[0], *others[1])


@lru_cache(maxsize=64)
def rules_in_words(rules: Rules, words: Words) -> tuple[str, ...]:
    """The variant rules in force; empty for the printed game."""
    return listed_options(TableOptions(rules), words, decides=False)


def listed_options(options: TableOptions, words: Words, decides: bool) -> tuple[str, ...]:
    """What the lobby's list says of them: first what ``decides``, then the rest."""
    wanted = [option for option in OPTIONS if option.decides is decides]
    said = ((option.listed or option.fact)(options, words) for option in wanted)
    return tuple(filter(None, said))
