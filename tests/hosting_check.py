"""``make hosting-check``: what docs/hosting.md tells to type is typed, in a bare Debian.

Each page gets a machine of its own: a chroot with what debootstrap puts there, in which root types the blocks
in the order in which somebody would. There is no systemd in it: ``SYSTEMCTL`` and ``APT`` start services as
it would. Blocks that need Docker, sshd or other machines are checked without being carried out. A block that
nothing here knows is an error.

It needs root, a network and debootstrap, takes a quarter of an hour, and is no part of the tests. Processes
and mounts are in namespaces of their own, and end with it; the ports of this machine are used.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

ROOT: Final = Path(__file__).resolve().parent.parent
PORTS: Final = (2222, 2323, 4222, 5432, 9321, 9322, 9323)
MIRROR: Final = "http://deb.debian.org/debian"
CERTIFICATES: Final = "/usr/local/share/certificates.crt"
PASSED_ON: Final = ("http_proxy", "https_proxy", "no_proxy", "PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT")
SECONDS: Final = 900.0
APT: Final = """\
#!/bin/sh
# Answers yes, and starts what systemd would have started.
/usr/bin/apt -y "$@" </dev/null || exit
service=postgresql
[ ! -e /lib/systemd/system/$service.service ] || systemctl status $service || systemctl start $service
"""

SYSTEMCTL: Final = '''\
#!/usr/bin/python3
"""In place of systemd: a service gets the user, environment and directories of its unit, and its signals."""
import glob, os, pwd, re, signal, socket, subprocess, sys, time

def unit(name):
    base, at, instance = name.removesuffix(".service").partition("@")
    places = [f"/{place}/systemd/system/{base}{at}.service" for place in ("etc", "lib")]
    path = next(filter(os.path.exists, places), None) or sys.exit(f"Unit {name}.service not found.")
    found = {}
    drop_ins = sorted(glob.glob(f"/etc/systemd/system/{base}{at}.service.d/*.conf"))
    lines = "".join(open(it).read() for it in (path, *drop_ins))
    for key, value in re.findall(r"^(\\w+)=(.*)$", lines, re.M):
        value = value.replace("%i", instance).replace("%l", socket.gethostname().split(".")[0])
        found.setdefault(key, []).append(value)
    return found

def pid_of(name):
    try:
        pid = int(open(f"/run/{name}.pid").read())
        return pid if open(f"/proc/{pid}/stat").read().split(")")[1].split()[0] != "Z" else None
    except OSError:
        return None

def start(name):
    its = unit(name)
    user = pwd.getpwnam(its.get("User", ["root"])[0])
    for folder in " ".join(its.get("StateDirectory", [])).split():
        os.makedirs(f"/var/lib/{folder}", mode=0o700, exist_ok=True)
        os.chown(f"/var/lib/{folder}", user.pw_uid, user.pw_gid)
    environ = dict(part.split("=", 1) for line in its.get("Environment", []) for part in line.split())
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listening.bind(f"\\0{name}-{os.getpid()}")
    process = subprocess.Popen(
        its["ExecStart"][0].split(),
        env=environ | {"PATH": os.environ["PATH"], "NOTIFY_SOCKET": f"@{name}-{os.getpid()}"},
        user=user.pw_uid, group=user.pw_gid, extra_groups=os.getgrouplist(user.pw_name, user.pw_gid),
        cwd="/", umask=0o077, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=open(f"/var/log/{name}.log", "a"), stderr=subprocess.STDOUT,
    )
    open(f"/run/{name}.pid", "w").write(str(process.pid))
    listening.settimeout(1)
    for _ in range(120 if its["Type"] == ["notify"] else 2):
        if process.poll() is not None:
            sys.exit(f"{name} has ended:\\n" + open(f"/var/log/{name}.log").read()[-2000:])
        try:
            if b"READY=1" in listening.recv(4096):
                return
        except TimeoutError:
            pass

def stop(name):
    if pid := pid_of(name):
        os.kill(pid, signal.SIGTERM)
        while pid_of(name):
            time.sleep(0.1)

def act(verb, name):
    if os.path.exists(f"/etc/init.d/{name}"):
        return subprocess.run([f"/etc/init.d/{name}", verb]).returncode
    if verb == "status":
        print(name, "is running" if pid_of(name) else "is not running")
        return 0 if pid_of(name) else 3
    if verb == "reload":
        os.kill(pid_of(name), signal.SIGHUP)
    if verb in ("stop", "restart"):
        stop(name)
    if verb in ("start", "restart") and not pid_of(name):
        start(name)
    return 0

verb, *names = sys.argv[1:]
if "--now" in names:
    verb = {"enable": "start", "disable": "stop"}[verb]
if verb in ("start", "stop", "restart", "reload", "status"):
    sys.exit(max(act(verb, name) for name in names if name != "--now"))
'''


class Failed(Exception):
    """What was typed has not done what the page says; the message has what it said."""


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    line: int
    info: str
    """Behind the fence, with a number where a page has several of the same."""
    text: str


def blocks(page: str) -> Iterator[Block]:
    """All of a page."""
    text = (ROOT / "docs" / page).read_text()
    seen: list[str] = []
    for found in re.finditer(r"^( *)```(.*)\n((?:.*\n)*?)\1```$", text, re.MULTILINE):
        info = found[2] or "output"
        seen.append(info)
        number = f" {seen.count(info)}" if seen.count(info) > 1 else ""
        line = text.count("\n", 0, found.start()) + 1
        yield Block(page, line, f"{info}{number}", textwrap.dedent(found[3]))


class Machine:
    """A bare Debian, in ``place``, on which somebody follows a page."""

    def __init__(self, bare: Path, place: Path, page: str) -> None:
        self.place: Final = place
        self.blocks: Final = {block.info: block for block in blocks(page)}
        self.told: Final[dict[Block, str]] = {}
        subprocess.run(["cp", "-a", str(bare), str(place)], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", str(place / "proc")], check=True)
        self.write("/usr/local/sbin/apt", APT, 0o755)
        self.write("/usr/local/sbin/systemctl", SYSTEMCTL, 0o755)
        self.run("apt update")

    def block(self, info: str) -> Block:
        """Raises ``Failed``."""
        return self.blocks.get(info) or fail(f"the page has no block {info!r}")

    def path(self, name: str) -> Path:
        return self.place / name.lstrip("/")

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text)
        self.path(name).chmod(mode)

    def command(self, text: str, where: str) -> list[str]:
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environ = {
            name: os.environ[name] for name in PASSED_ON if name in os.environ
        } | dict.fromkeys(
            ("PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO"), CERTIFICATES
        )
        environ |= {"HOME": "/root", "LANG": "C.UTF-8", "PATH": path, "TERM": "xterm"}
        environ |= {"DEBIAN_FRONTEND": "noninteractive"}
        given = [f"{name}={value}" for name, value in environ.items()]
        shell = ["bash", "-o", "pipefail", "-c", f"cd {where}\n{text}"]
        return ["env", "-i", *given, str(shutil.which("chroot")), str(self.place), *shell]

    def run(self, text: str, where: str = "/root", typed: str = "") -> str:
        """Type this; what it says. Raises ``Failed``."""
        shown = text.replace("[ $? = 0 ] || exit 1\n", "").rstrip()
        print(textwrap.indent(shown, "  # "), flush=True)
        done = subprocess.run(
            self.command(text, where),
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            start_new_session=True,
            check=False,
        )
        if done.returncode:
            raise Failed(f"status {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout

    def type(self, info: str, where: str = "/root/release", typed: str = "", **instead: str) -> str:
        """The block of that name, with ``instead`` of names that are examples."""
        text = self.block(info).text
        for name, here in instead.items():
            text = text.replace(name.replace("_", "-"), here)
        said = self.run(line_by_line(text), where, typed)
        self.passed(info)
        return said

    def passed(self, info: str, how: str = "typed") -> str:
        """The text of the block, which is all right."""
        self.told[self.block(info)] = how
        return self.block(info).text

    @contextmanager
    def serving(self, text: str, where: str) -> Iterator[None]:
        """While this is typed, which serves until Ctrl-C."""
        print(f"  # {text}", flush=True)
        server = subprocess.Popen(
            self.command(f"exec {text}", where), stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            until(lambda: banner() or (server.poll() is not None and fail(f"{text}: has ended")))
            yield
        finally:
            server.terminate()
            server.wait()


def line_by_line(text: str) -> str:
    """What stops after a line that fails. (For ``bash -e`` the first half of ``this && that`` may.)"""
    return "".join(f"{line}\n[ $? = 0 ] || exit 1\n" for line in text.splitlines())


def fail(reason: str) -> NoReturn:
    raise Failed(reason)


def banner() -> bool:
    """Whether an SSH server answers."""
    try:
        with socket.create_connection(("127.0.0.1", 2222), 5) as line:
            return line.recv(4) == b"SSH-"
    except OSError:
        return False


def until(true: Callable[[], bool]) -> None:
    """Wait for something that may take minutes. Raises ``Failed``."""
    end = time.monotonic() + SECONDS
    while not true():
        time.sleep(0.5)
        if time.monotonic() > end:
            raise Failed("it takes too long")


def healthy(machine: Machine, *ports: int) -> None:
    """Raises ``Failed``."""
    for port in ports:
        said = machine.run(f"curl -s localhost:{port}/healthz")
        assert said == "ok\n" or fail(f"port {port}: {said!r}")


# ------------------------------------------------------------------------------------------ the pages


def hosting(machine: Machine) -> None:
    """On one machine: from a checkout, then as a public server, then on PostgreSQL."""
    installed, in_checkout = machine.block("sh serve").text.splitlines()
    command, _, named = in_checkout.partition("# in a checkout (Debian and Ubuntu: ")
    machine.run(named.rstrip(")"))
    with machine.serving(command, "/root/checkout"):
        pass
    with machine.serving(machine.passed("sh lan").split("# or: ")[1], "/root/checkout"):
        pass
    machine.run("make release", "/root/checkout")
    machine.run("mkdir release && cp -r checkout/dist/* checkout/deploy release/")
    pipx = re.findall(r"^pipx .*$", (ROOT / "README.md").read_text(), re.MULTILINE)
    machine.run(f"apt install pipx && {pipx[0]}", "/root/release")
    with machine.serving(f"/root/.local/bin/{installed.partition('#')[0]}", "/root"):
        pass
    machine.passed("sh serve")

    machine.type("sh install")
    healthy(machine, 9323)
    for info in ("toml", "toml 2"):
        machine.write("/root/try.toml", machine.block(info).text)
        machine.run("/opt/tide/bin/tide config check --config try.toml")
        machine.passed(info, "checked by tide config check")
    machine.write("/etc/cron.daily/tide", machine.block("sh backup").text, 0o755)
    machine.run("/etc/cron.daily/tide && ls /var/backups/tide/*.db")
    machine.passed("sh backup", "carried out as a file")

    machine.type("sh postgresql")
    settings = machine.path("/etc/tide/tide.toml")
    above, section, below = settings.read_text().partition("\n[")
    settings.write_text(f"{above}\n{machine.block('toml 3').text}{section}{below}")
    machine.run("/opt/tide/bin/tide config check --config /etc/tide/tide.toml")
    machine.passed("toml 3", "in tide.toml")
    said = machine.type("sh copy")
    assert "Copied" in said or fail(said)
    healthy(machine, 9323)
    balancer(machine)
    machine.write("/root/nft", machine.block("nft").text)
    machine.run("nft -c -f nft")
    machine.passed("nft", "checked by nft -c")

    machine.run(f"bash -n <<'X'\n{machine.block('sh port22').text}X")
    dropped_in = "/etc/systemd/system/tide.service.d"
    machine.run(f"mkdir -p {dropped_in} && cp release/deploy/port22.conf {dropped_in}/")
    machine.run("systemd-analyze verify --man=no /etc/systemd/system/tide.service")
    machine.passed(
        "sh port22", "needs systemd and sshd: read by bash -n, the unit by systemd-analyze"
    )
    compose(machine)


def compose(machine: Machine) -> None:
    """Validate the compose file; no containers can run here."""
    machine.run("apt install docker-compose")
    machine.run("docker-compose -f compose.yaml config -q", "/root/release/deploy")
    machine.run(f"bash -n <<'X'\n{machine.block('sh container').text}X")
    machine.passed("sh container", "needs docker: read by bash -n, its files by docker-compose")


def balancer(machine: Machine) -> None:
    """In HAProxy's own file, as Debian has it."""
    machine.run("apt install haproxy")
    file = machine.path("/etc/haproxy/haproxy.cfg")
    file.write_text(file.read_text() + "\n" + machine.block("haproxy").text)
    machine.run("haproxy -c -f /etc/haproxy/haproxy.cfg")
    machine.passed("haproxy", "checked by haproxy -c")


# --------------------------------------------------------------------------------------------- running


def bare_debian(place: Path) -> None:
    """What debootstrap makes, from where apt has its packages here; with this checkout in it."""
    about = dict(
        re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE)
    )
    codename = about["VERSION_CODENAME"] if about["ID"] == "debian" else "stable"
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(RELEASE) $(COMPONENT) $(REPO_URI)"],
        capture_output=True,
        text=True,
        check=False,
    )
    mirrors = re.findall(rf"(?m)^{codename} main (\S+)$", listed.stdout) or [MIRROR]
    subprocess.run(["debootstrap", codename, str(place), mirrors[0]], check=True)
    trusted = Path(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"))
    shutil.copy(trusted, place / CERTIFICATES.lstrip("/"))
    shutil.copy("/etc/resolv.conf", place / "etc/resolv.conf")
    checkout = place / "root" / "checkout"
    git = ["git", "-c", "safe.directory=*", "-c", "user.name=x", "-c", "user.email=x@example"]
    subprocess.run([*git, "clone", "-q", "--no-hardlinks", str(ROOT), str(checkout)], check=True)
    # As it is here, committed or not.
    changed = [*git, "-C", str(ROOT), "ls-files", "-mo", "--exclude-standard"]
    for name in subprocess.run(changed, capture_output=True, text=True, check=True).stdout.split():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    subprocess.run([*git, "-C", str(checkout), "add", "-A"], check=True)
    subprocess.run(
        [*git, "-C", str(checkout), "commit", "-qm", "As it is", "--allow-empty"], check=True
    )


def main() -> None:
    if os.geteuid() or not (shutil.which("debootstrap") and shutil.which("unshare")):
        sys.exit("hosting-check: it needs root, and debootstrap (apt install debootstrap)")
    if "--inside" not in sys.argv:
        again = f"{sys.executable} -m tests.hosting_check --inside; exit $?"
        own = ("--mount", "--mount-proc", "--pid", "--fork", "--kill-child")
        os.execvp("unshare", ["unshare", *own, "bash", "-c", again])
    for port in PORTS:
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                sys.exit(f"hosting-check: something listens on port {port} of this machine")
    told: dict[Block, str] = {}
    failed = False
    with tempfile.TemporaryDirectory(prefix="tide-hosting-", ignore_cleanup_errors=True) as folder:
        bare = Path(folder) / "bare"
        bare_debian(bare)
        machine = Machine(bare, Path(folder) / "hosting.md", "hosting.md")
        try:
            hosting(machine)
        except Failed as problem:
            failed = True
            print(f"FAILED: {problem}", flush=True)
        finally:
            for service in ("tide", "postgresql"):
                subprocess.run(
                    machine.command(f"systemctl stop {service}", "/"),
                    check=False,
                    capture_output=True,
                )
            subprocess.run(["umount", machine.path("proc")], check=False)
        told |= dict.fromkeys(machine.blocks.values(), "NOT PASSED") | machine.told
        print()
        for block, how in told.items():
            print(f"{block.page}:{block.line:<4} {block.info:<14} {how}")
        failed |= "NOT PASSED" in told.values()
        print("\nNot everything has passed." if failed else "\nEverything has passed.", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
