"""The checks that a library still has what hooks override, replace and use of it."""

from importlib.metadata import version
from types import FunctionType, ModuleType

from server import Problem


class UnknownVersion(Problem):
    """An installed library lacks something that this program overrides or uses."""


def check_hooks(library: str, *hooked: type) -> None:
    """Check that overridden methods and private attributes are in the base classes.

    ``library`` is the name of its distribution. Raises ``UnknownVersion``.
    """
    for ours in hooked:
        defined = set[str]().union(*map(vars, ours.__mro__[1:]))
        known = defined.union(
            *(_used(each) for base in ours.__mro__[1:] for each in vars(base).values())
        )
        overridden = {name for name, it in vars(ours).items() if getattr(it, "__override__", False)}
        private = {name for it in vars(ours).values() for name in _used(it) if name[0] == "_"}
        for missing in (overridden - defined) | (private - known - vars(ours).keys()):
            raise _unknown(library, f"{ours.__mro__[1].__name__}.{missing}")


def check_replaced(library: str, module: ModuleType, *names: str) -> None:
    """Check that a module has what is about to be replaced in it. Raises ``UnknownVersion``."""
    for name in names:
        if not hasattr(module, name):
            raise _unknown(library, f"{module.__name__}.{name}")


def _unknown(library: str, missing: str) -> UnknownVersion:
    return UnknownVersion(
        f"{library} {version(library)} has no {missing}, which is needed here; install one of the versions "
        "that this program asks for"
    )


def _used(value: object) -> set[str]:
    """Return the attributes that a method or property uses."""
    function = value.fget if isinstance(value, property) else value
    if not isinstance(function, FunctionType):
        return set()
    code = function.__code__
    # A fuzzer adds calls of itself: its module is one of the constants, which no source can say.
    fuzzers = (vars(it) for it in code.co_consts if isinstance(it, ModuleType))
    return set(code.co_names) - function.__globals__.keys() - set().union(*fuzzers)
