"""What there is to say about a player's line."""

from server.i18n.catalogues import Words
from server.terminal.capabilities import ConnectionStats


def sent_in_words(facts: ConnectionStats, words: Words) -> str:
    """How much has been sent: "12345 bytes"."""
    return words.n("{count} byte", "{count} bytes", facts.sent)


def more_in_words(facts: ConnectionStats, words: Words) -> str:
    """How much has come in, and what the terminal says that it is."""
    parts = [words.n("{count} byte received", "{count} bytes received", facts.received)]
    if facts.kind:
        parts.append(words.t("terminal {kind}", kind=facts.kind))
    if facts.speed:
        parts.append(words.t("{speed} bits a second", speed=facts.speed))
    return ", ".join(parts)
