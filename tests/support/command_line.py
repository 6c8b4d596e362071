"""All that ``tide`` can be asked for."""

from collections.abc import Iterator

import click

from server.cli.commands import COMMANDS, tide

Path = tuple[str, ...]


def every_command() -> Iterator[tuple[Path, click.Command]]:
    """Each command with the words that are typed for it behind ``tide``, older spellings too, sorted."""
    yield (), tide
    root = click.Context(tide)
    for name in sorted(COMMANDS):
        found = tide.get_command(root, name)
        assert found is not None
        yield (name,), found
        if isinstance(found, click.Group):
            yield from (((name, inner), one) for inner, one in sorted(found.commands.items()))
