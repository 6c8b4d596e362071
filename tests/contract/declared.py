"""Names that others rely on, as they are declared in the code: one list of lines for each golden file."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
from babel.messages.pofile import read_po

from server.coordinator.messages import HAPPENING_NAMES
from server.i18n.lookup import languages, words_for
from server.jsonapi.fields import HAPPENING
from server.jsonapi.requests import REQUESTS
from server.session.commands import Said, understand
from server.session.preferences import Preferences, to_settings
from server.settings.settings import Settings
from tests.support.command_line import every_command

LEVELS = {"debug", "info", "warning", "error", "exception"}
TYPED = frozenset(
    {
        *("b", "h", "t", "ti", "l", "m", "le", "p", "s", "w", "y", "n", "q", "?", "exit", "bye"),
        *("rematch", "quick", "kick", "cards", "tables", "settings", "tutorial", "guide"),
    }
)
"""What players type besides the words of the catalogues, in any language."""


def declared(root: Path) -> dict[str, list[str]]:
    """The lines of each golden file, from the checkout at ``root``."""
    return {
        "api_commands": sorted(
            f"{do}{'' if not fields else ': '}{fields}"
            for do, kind in REQUESTS.items()
            for fields in [", ".join(_fields(kind))]
        ),
        "api_happenings": sorted(
            f"{name}: {', '.join(HAPPENING[kind].fields)}" for kind, name in HAPPENING_NAMES.items()
        ),
        "api_codes": sorted(_codes(root)),
        "settings_server": list(_settings(Settings)),
        "settings_player": [
            f"{name}: {type(value).__name__} = {value!r}"
            for name, value in sorted(to_settings(Preferences(), {}, {}).items())
        ],
        "command_line": [_typed(*each) for each in every_command()],
        "line_mode_words": sorted(_line_words(root)),
        "log_events": sorted(_log_events(root)),
    }


# ------------------------------------------------------------------------------------- types


def _fields(kind: Any) -> Iterator[str]:
    """The fields of a struct or dataclass, each with its type and what it is when left out."""
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType | msgspec.inspect.DataclassType)
    for field in described.fields:
        left_out = _inner(field.type) or field.default in {msgspec.NODEFAULT, msgspec.UNSET}
        yield f"{field.encode_name} {_type(field.type)}{'' if left_out else f' = {field.default!r}'}"


def _inner(kind: Any) -> bool:
    return isinstance(kind, msgspec.inspect.StructType | msgspec.inspect.DataclassType)


def _type(kind: Any) -> str:
    match kind:
        case msgspec.inspect.UnionType(types=types):
            return "|".join(_type(each) for each in types if not _is_unset(each))
        case msgspec.inspect.LiteralType(values=values):
            return "/".join(sorted(map(str, values)))
        case msgspec.inspect.EnumType(cls=cls):
            return "/".join(sorted(str(each.value) for each in cls))
        case _ if _inner(kind):
            return f"({', '.join(_fields(kind.cls))})"
        case msgspec.inspect.CustomType(cls=cls):
            return str(cls.__name__).lower()
    bounds = [
        f"{sign}{bound}"
        for name, sign in (
            ("ge", ">="), ("gt", ">"), ("le", "<="), ("lt", "<"), ("min_length", "length>="),
        )
        if (bound := getattr(kind, name, None)) is not None
    ]  # fmt: skip
    return " ".join([type(kind).__name__.removesuffix("Type").lower(), *bounds])


def _is_unset(kind: Any) -> bool:
    return isinstance(kind, msgspec.inspect.CustomType) and kind.cls is msgspec.UnsetType


def _settings(of: Any, section: str = "") -> Iterator[str]:
    """Each setting: its key in the file, its variable, its type and default."""
    described = msgspec.inspect.type_info(of)
    assert isinstance(described, msgspec.inspect.StructType | msgspec.inspect.DataclassType)
    for field in described.fields:
        key = f"{section}{field.name}"
        kind = field.type
        if _inner(kind):
            yield from _settings(kind.cls, f"{key}.")  # type: ignore[attr-defined]
        else:
            default = "" if key in {"state", "keys"} else f" = {field.default!r}"
            variable = "TIDE_" + key.replace(".", "_").upper()
            yield f"{key}  {variable}  {_type(kind)}{default}"


# ------------------------------------------------------------------------- words and commands


def _typed(path: tuple[str, ...], command: click.Command) -> str:
    """A command with its arguments and options, as they are typed."""
    words = ["tide", *path]
    for each in command.params:
        if isinstance(each, click.Option):
            spelled = "|".join([*each.opts, *each.secondary_opts])
            words.append(spelled + ("" if each.is_flag else " ..."))
        else:
            words.append(re.sub(r"[][.]", "", each.metavar or each.name.upper()))
    return " ".join(words)


def _line_words(root: Path) -> Iterator[str]:
    """What may be typed in line mode, in each language, and the command that it is."""
    asked = {language: set(TYPED) for language in languages()}
    for file in sorted(root.glob("server/**/LC_MESSAGES/tide.po")):
        with file.open("rb") as opened:
            for message in read_po(opened):
                if message.context in ("line command", "line command, imperative"):
                    for words in asked.values():
                        words.add(str(message.id))
                    asked[file.parent.parent.name].add(str(message.string))
    for language, words in asked.items():
        for word in words:
            said = understand(word, words_for(language))
            assert isinstance(said, Said), (language, word, said)
            yield f"{language} {word}: {said.verb}"


# ---------------------------------------------------------------------- what stands in the code


def _trees(root: Path, *folders: str) -> Iterator[ast.Module]:
    for folder in folders:
        for file in sorted((root / folder).rglob("*.py")):
            yield ast.parse(file.read_text(), str(file))


def _log_events(root: Path) -> set[str]:
    """Each event that is logged: its level, its name and its fields."""
    found = set()
    for tree in _trees(root, "server"):
        for call in ast.walk(tree):
            match call:
                case ast.Call(func=called, args=[event, *_], keywords=keywords):
                    if level := _level(called, event):
                        name = ast.unparse(event).strip("'")
                        fields = ", ".join(sorted(str(each.arg or "**") for each in keywords))
                        found.add(f"{level} {name}: {fields}".removesuffix(": "))
    return found


def _level(called: ast.expr, event: ast.expr) -> str:
    """Return the level at which a call logs an event; empty for other calls."""
    match called:
        case ast.Attribute(value=ast.Name(id=name), attr=level) if (
            name.endswith("log") and level in LEVELS
        ):
            return level
        case ast.Attribute(value=ast.Call(func=ast.Attribute(attr="get_logger")), attr=level):
            return level
        case ast.Name(id="tell") if isinstance(event, ast.Constant):  # at a level that is chosen
            return "any"
    return ""


def _codes(root: Path) -> Iterator[str]:
    """The codes of refusals that docs/api.md tells of, as far as what refuses knows them by that name."""
    known = {
        each.value
        for tree in _trees(root, "engine", "server/coordinator", "server/jsonapi")
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant)
    }
    text = (root / "docs" / "api.md").read_text()
    section = text.partition("## Why a command is refused\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return (code for row in rows for code in re.findall(r"`(\w+)`", row) if code in known)
