"""What is wrong with a machine, its files or its settings, and whoever runs ``tide`` can mend."""

from typing import ClassVar


class Problem(Exception):
    """The message is one line that says what is wrong, and the way out; it ends a command."""

    status: ClassVar = 1
    """The exit status of that command."""
