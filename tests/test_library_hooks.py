"""The server does not start with a version of a library that lacks what its hooks need, and says which."""

import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest

from server.library_hooks import UnknownVersion, check_hooks

APPLICATION = "prompt_toolkit.application.application"
PLANT = """
from importlib import import_module
from operator import attrgetter
*path, name = {missing!r}.split(".")
place = import_module({module!r})
delattr(attrgetter(".".join(path))(place) if path else place, name)
import sys
sys.argv = ["tide", "serve", "--ssh-port", "0", "--no-telnet", "--state", "state", "--keys", "keys"]
from server.cli import main
main()
"""


@pytest.mark.parametrize(
    ("module", "missing"),
    [
        ("asyncssh.connection", "saslprep"),
        ("asyncssh.auth", "saslprep"),
        ("asyncssh.channel", "SSHChannel._make_request"),
        ("asyncssh.connection", "SSHConnection.send_packet"),
        (APPLICATION, "load_key_bindings"),
        (APPLICATION, "attach_winch_signal_handler"),
    ],
)
def test_a_server_does_not_start_without_what_its_hooks_need(
    module: str, missing: str, tmp_path: object
) -> None:
    program = PLANT.format(module=module, missing=missing)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=str(tmp_path), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    library = module.partition(".")[0]
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"tide: {library} {version(library)} has no ")
    assert done.stderr.count("\n") == 1
    assert f"{missing.rpartition('.')[2]}, which is needed here" in done.stderr


def test_what_a_fuzzer_adds_to_a_hook_is_nothing_that_the_library_has_to_have() -> None:
    class Theirs:
        def _kept(self) -> None: ...

    class Ours(Theirs):
        def use(self) -> None:
            self._kept()

    def adding(name: str, *constants: object) -> None:
        """As atheris does it: the call of a function of its module, which is a constant."""
        code = Ours.use.__code__
        names, known = (*code.co_names, name), (*code.co_consts, *constants)
        Ours.use.__code__ = code.replace(co_names=names, co_consts=known)

    fuzzer = ModuleType("atheris")
    vars(fuzzer)["_trace_cmp"] = print
    adding("_trace_cmp", fuzzer)
    check_hooks("asyncssh", Ours)
    adding("_gone")
    with pytest.raises(UnknownVersion, match=r"Theirs\._gone"):
        check_hooks("asyncssh", Ours)
