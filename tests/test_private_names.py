"""Private names of libraries that are read, set, overridden or imported: each has its reason here.

A private name may change with any version, so the list only gets shorter. What cannot do without has to stop
an attack that a test runs, or to let a client play that could not otherwise.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).resolve().parent.parent
OURS: Final = ("server", "engine")

USED: Final = {
    "asyncio": {
        "_read_ready_cb": "a flood of connections must leave nothing for the garbage collector",
        "_write_ready": "the same, from Python 3.12 on",
    },
    "asyncssh": {
        "_channels": "many channels may be asked for before the first has a session",
        "_client_kexinit": "Dropbear's guess at a key exchange",
        "_deferred_packets": "output that waits for a key exchange which never ends",
        "_env": "variables without end",
        "_ignore_first_kex": "Dropbear's guess at a key exchange",
        "_make_request": "a request that every client answers, to recognize a slow line",
        "_recv_handler": "a flood of connections must leave nothing for the garbage collector",
        "_server_kexinit": "Dropbear's guess at a key exchange",
        "saslprep": "names and passwords with characters newer than 2005",
    },
    "prompt_toolkit": {"*": "a copy of the default key bindings for every session, and SIGWINCH"},
}
"""By library: the name, and what would be without it; ``*`` are several, set by a variable."""

DOCUMENTED: Final = {"_replace", "_asdict", "_fields", "_make", "_exit"}
"""Python's own names that begin so and are no secret."""
BY_PYTHON: Final = {"_abc_impl", "_is_protocol"}
"""What Python itself puts into classes."""
DEFINITION: Final = re.compile(r"(?m)(?:\bdef +|\bclass +|\bself\.|^ *)(_\w+)")


class Use(NamedTuple):
    library: str
    name: str


def is_private(name: str) -> bool:
    wanted = re.fullmatch(r"_(?!_)\w*[A-Za-z0-9]", name)
    return wanted is not None and name not in DOCUMENTED | BY_PYTHON


# ------------------------------------------------------------------ what a piece of code names


class Names:
    """The names in one module or class."""

    def __init__(self, tree: ast.AST) -> None:
        self.defined = set[str]()
        """Those of functions, classes and variables, and those that are set on ``self``."""
        self.of_self = set[str]()
        self.of_others = set[str]()
        """Used of anything but ``self``."""
        self.strings = set[str]()
        """Perhaps used so: ``getattr(it, "_name")``, ``vars(it)["_name"]``."""
        self.libraries = set[str]()
        self.meant = dict[str, str]()
        """By a name that was imported: its library, or ours."""
        self.imported = set[Use]()
        self.replaced = set[Use]()
        """Names of libraries, private or not, that are set from outside."""
        nodes = list(ast.walk(tree))
        for node in nodes:
            match node:
                case ast.Import(names=names):
                    for alias in names:
                        self._import(alias.name)
                        first = alias.name.split(".")[0]
                        self.meant[alias.asname or first] = first
                case ast.ImportFrom(module=str(module), names=names):
                    self._import(module, *(alias.name for alias in names))
                    for alias in names:
                        self.meant[alias.asname or alias.name] = module.split(".")[0]
        for node in nodes:
            self._look_at(node)

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.defined.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                self.defined.add(name)
            case ast.Attribute(value=whose, attr=name, ctx=context):
                of_self = ast.unparse(whose) in {"self", "cls", "super()"}
                (self.of_self if of_self else self.of_others).add(name)
                if not isinstance(context, ast.Load):
                    if of_self:
                        self.defined.add(name)
                    self._replaces(whose, name)
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[whose, name, *_]):
                known = isinstance(name, ast.Constant)
                self._replaces(whose, str(ast.literal_eval(name)) if known else "*")
            case ast.Constant(value=str(text)):
                self.strings.add(text)

    def _replaces(self, whose: ast.expr, name: str) -> None:
        library = self.meant.get(ast.unparse(whose).split(".")[0], "")
        if library in self.libraries - sys.stdlib_module_names:
            self.replaced.add(Use(library, name))

    def _import(self, module: str, *names: str) -> None:
        library, *path = module.split(".")
        if library not in OURS:
            self.libraries.add(library)
            self.imported |= {Use(library, name) for name in (*path, *names) if is_private(name)}


@cache
def names_in_files() -> dict[Path, Names]:
    paths = (path for each in OURS for path in (ROOT / each).rglob("*.py"))
    return {path: Names(ast.parse(path.read_text("utf-8"))) for path in paths}


@cache
def names_of_library(library: str) -> frozenset[str]:
    """The private names that a library defines, wherever in it."""
    try:
        module = importlib.import_module(library)
    except ImportError:
        return frozenset()
    if not (place := getattr(module, "__file__", None)):
        return frozenset(filter(is_private, dir(module)))
    source = Path(place)
    found = source.parent.rglob("*.py") if source.name == "__init__.py" else [source]
    texts = (path.read_text("utf-8", "replace") for path in found if path.suffix == ".py")
    return frozenset(
        name for text in texts for name in filter(is_private, DEFINITION.findall(text))
    )


@cache
def names_of_class(kind: type) -> frozenset[str]:
    """The private names of a class, those included that its methods set or use of ``self``."""
    try:
        names = Names(ast.parse(textwrap.dedent(inspect.getsource(kind))))
    except (OSError, TypeError):  # written in C, or made at run time
        return frozenset(filter(is_private, vars(kind)))
    return frozenset(filter(is_private, names.of_self | names.defined | set(vars(kind))))


# ------------------------------------------------------------------ which of them are a library's


def uses_of_class(kind: type) -> Iterator[Use]:
    """What a class overrides and uses of the classes of libraries that it derives from."""
    for base in kind.__mro__[1:]:
        library = base.__module__.split(".")[0]
        if library not in (*OURS, "builtins"):
            for name in names_of_class(kind) & names_of_class(base):
                yield Use(library, name)


def uses_in(names: Names) -> Iterator[Use]:
    """What a module imports, replaces, or uses of anything but ``self``: a name that is not defined in our
    code, or is in a library as well.
    """
    yield from names.imported
    yield from names.replaced
    files = names_in_files().values()
    ours = set[str]().union(*(each.defined | each.of_self for each in files))
    everywhere = set[str]().union(*(each.libraries for each in files)) - sys.stdlib_module_names
    for name in filter(is_private, names.of_others | names.strings):
        here = [each for each in sorted(names.libraries) if name in names_of_library(each)]
        if here or name in names.strings:
            found = here
        else:
            found = [each for each in sorted(everywhere) if name in names_of_library(each)]
            found = found or ([] if name in ours else ["?"])
        if found:
            yield Use("|".join(found), name)


def our_classes() -> Iterator[type]:
    for package in OURS:
        for info in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if not info.name.endswith("__main__"):
                for kind in vars(importlib.import_module(info.name)).values():
                    if isinstance(kind, type) and kind.__module__ == info.name:
                        yield kind


@cache
def used() -> frozenset[Use]:
    of_classes = {use for kind in our_classes() for use in uses_of_class(kind)}
    return frozenset(of_classes.union(*map(uses_in, names_in_files().values())))


def listed() -> set[Use]:
    return {Use(library, name) for library, names in USED.items() for name in names}


# ------------------------------------------------------------------ the tests


def test_no_private_name_is_used_without_a_reason() -> None:
    assert used() - listed() == set()


def test_the_list_has_nothing_that_is_no_longer_used() -> None:
    assert listed() - used() == set(), "take it out of the list"
