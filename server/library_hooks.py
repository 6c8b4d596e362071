"""The check that a library still has what hooks override and use of it."""

from importlib.metadata import version
from types import FunctionType

from server.problem import Problem


class UnknownVersion(Problem):
    """An installed library lacks something that this program overrides or uses."""


def check_hooks(library: str, *hooked: type) -> None:
    """Check that what these classes override, and the private attributes that they use of themselves, are in
    the classes that they derive from. ``library`` is the name of its distribution. Raises ``UnknownVersion``.
    """
    for ours in hooked:
        known, needed = set[str](), set[str]()
        for base in ours.__mro__[1:]:
            known = known.union(vars(base), *map(_used, vars(base).values()))
        for name, value in vars(ours).items():
            needed |= {each for each in _used(value) if each[0] == "_"} - vars(ours).keys()
            if getattr(value, "__override__", False):
                needed.add(name)
        for missing in needed - known:
            raise UnknownVersion(
                f"{library} {version(library)} has no {ours.__mro__[1].__name__}.{missing}, which is needed "
                "here; install one of the versions that this program asks for"
            )


def _used(value: object) -> set[str]:
    """Return the attributes that a method or property uses."""
    function = value.fget if isinstance(value, property) else value
    if not isinstance(function, FunctionType):
        return set()
    return set(function.__code__.co_names) - function.__globals__.keys()
