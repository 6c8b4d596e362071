"""Why a line is no command, as a sentence for whoever writes the program."""

from collections.abc import Mapping

from server.i18n.catalogues import Words
from server.jsonapi.requests import BadLine


def problem_in_words(problem: BadLine, words: Words) -> str:
    """One sentence; the place is in it where it is known."""
    details = problem.details
    field, limit = details.get("field", details.get("key", "")), details.get("limit", 0)
    sentences: Mapping[str, str] = {
        "line_too_long": words.t("A line may have {limit} characters.", limit=limit),
        "too_many_lines": words.t(
            "{limit} lines wait already: this one was not read.", limit=limit
        ),
        "utf8": words.t("Not UTF-8, at byte {byte}.", byte=details.get("byte", 0)),
        "json": words.t(
            "Not JSON, at column {column}: {reason}.",
            column=details.get("column", 0),
            reason=details.get("reason", ""),
        ),
        "nesting": words.t("Too many objects and lists within each other."),
        "duplicate_key": words.t('"{field}" is there twice.', field=field),
        "not_a_number": words.t("NaN and Infinity are no JSON."),
        "number_too_large": words.t("That number is too large."),
        "not_an_object": words.t("A line has to be one JSON object."),
        "no_such_command": words.t(
            'There is no command "{command}" here.', command=details.get("command", "")
        ),
        "missing_field": words.t('"{field}" is missing.', field=field),
        "unknown_field": words.t('That command has no "{field}".', field=field),
        "wrong_field": words.t(
            '"{field}" is not right: {reason}.', field=field, reason=details.get("reason", "")
        ),
    }
    return sentences[problem.code]
