"""A PostgreSQL server for tests, of Debian's package: started when it is needed, gone with the process."""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

_PLACES: Final = "/usr/lib/postgresql/*/bin"
_TEMPLATE: Final = "tide_template"
_PREFIX: Final = "tide-pg-"
"""Of temporary directories; the process follows that they belong to."""


def programs() -> Path | None:
    """Where the newest one's programs are."""
    found = sorted(Path("/").glob(f"{_PLACES[1:]}/postgres"), key=lambda it: int(it.parts[-3]))
    return found[-1].parent if found else None


class PostgresServer:
    """One server in a temporary directory, reached through a Unix socket there."""

    def __init__(
        self,
        follows: "PostgresServer | None" = None,
        *,
        place: Path | None = None,
        **settings: str,
    ) -> None:
        """A new one, or a standby; in a directory of ``place``."""
        found = programs()
        assert found
        self._programs: Final = found
        self._settings: Final = settings
        self.folder: Final = Path(tempfile.mkdtemp("", f"{_PREFIX}{os.getpid()}-", place))
        self._user: Mapping[str, Any] = {}
        if os.geteuid() == 0:  # as which PostgreSQL does not run
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self._user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        if follows is None:
            usual = ("-A", "trust", "-U", "tide", "-E", "UTF8", "--locale=C.UTF-8")
            self._run("initdb", "--no-sync", *usual)
        else:
            primary = f"host={follows.folder} user=tide application_name=standby"
            self._run("pg_basebackup", "--no-sync", "-c", "fast", "-R", "-d", primary)
        self._server: subprocess.Popen[bytes] | None = None
        self._names: Final = count(1)
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, "-D", self.folder / "data", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            **self._user,
        )
        assert not done.returncode, done.stderr.decode()

    def start(self) -> None:
        settings = {
            "fsync": "off",
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
        }
        options = [f"-c{name}={it}" for name, it in (settings | self._settings).items()]
        log = self.folder / "log"
        self._run("pg_ctl", "-w", "-l", str(log), "-o", " ".join(options), "start")

    def runs(self) -> bool:
        """It has not ended by itself."""
        program = self._programs / "pg_ctl"
        command = [str(program), "-D", str(self.folder / "data"), "status"]
        return not subprocess.run(
            command, capture_output=True, check=False, **self._user
        ).returncode

    def promote(self) -> None:
        """The standby is a primary."""
        self._run("pg_ctl", "-w", "promote")

    def stop(self, how: str = "immediate") -> None:
        """``immediate`` is as good as a kill."""
        self._run("pg_ctl", "-w", "-m", how, "stop")

    def stop_for_good(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.send(signal.SIGCONT)
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, number: signal.Signals) -> None:
        """To the server and every process of it."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, check=False)
        for it in (pid, *map(int, found.stdout.split())):
            with suppress(ProcessLookupError):
                os.kill(it, number)

    def url(self, name: str) -> str:
        port = self._settings.get("port", "5432")
        return f"postgresql://tide@/{name}?host={self.folder}&port={port}"

    def sql(self, statement: str, name: str = "postgres") -> list[Any]:
        """The rows that come of it."""
        import psycopg

        with psycopg.connect(self.url(name), autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def empty(self) -> str:
        """The URL of a database with nothing in it."""
        name = f"tide_{next(self._names)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    @cache  # noqa: B019 - as long as the process
    def _template(self) -> str:
        from server.storage.databases.postgres import Postgres

        self.sql(f"CREATE DATABASE {_TEMPLATE}")
        backend = Postgres(self.url(_TEMPLATE))
        backend.open(migrate=True)
        backend.close()
        return _TEMPLATE

    def database(self) -> str:
        """The URL of a database with the newest schema."""
        name = f"tide_{next(self._names)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {self._template()}")
        return self.url(name)


def _end_left_ones() -> None:
    """Servers of test processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            with suppress(OSError, ValueError, IndexError):
                pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
                if str(folder) in Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(pid, signal.SIGQUIT)
            shutil.rmtree(folder, ignore_errors=True)


@cache
def _shared() -> PostgresServer:
    _end_left_ones()
    server = PostgresServer()
    atexit.register(server.stop_for_good)
    return server


def needed() -> None:
    """Skip the test where there is no PostgreSQL."""
    pytest.importorskip("psycopg", reason="without psycopg (make install-postgres)")
    if programs() is None:
        pytest.skip("PostgreSQL (Debian: postgresql) is not installed")


def shared_server() -> PostgresServer:
    """The one of this process, which nobody stops."""
    needed()
    return _shared()
