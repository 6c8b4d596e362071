from pathlib import Path

import pytest

from server.settings import loading
from server.settings.loading import database_url, load, unknown_variables, without_password
from server.settings.settings import ConfigError, Settings


def test_defaults_are_loopback_and_the_checkout() -> None:
    settings = load(environ={})
    assert (settings.host, settings.ssh_port) == ("localhost", 2222)
    assert settings.state == loading.ROOT / "state"
    assert settings.keys == loading.ROOT / "keys"


def test_installed_it_uses_the_platforms_directories(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(loading, "in_checkout", lambda: False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    settings = load(environ={})
    assert settings.state.is_relative_to(tmp_path)
    assert settings.keys.name == "keys"


def test_whoever_has_no_home_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a container that runs as a user whom nobody has told it about."""

    def unknown(*_: object) -> object:
        raise KeyError("uid not found")

    monkeypatch.setattr(loading, "in_checkout", lambda: False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    for name in ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    there = {"TIDE_STATE": str(tmp_path / "state"), "TIDE_KEYS": str(tmp_path / "keys")}
    assert load({}, there).keys == tmp_path / "keys"
    with pytest.raises(ConfigError, match=r"^keys: there is no home directory .* TIDE_KEYS"):
        load({"state": str(tmp_path)}, {})
    with pytest.raises(ConfigError, match=r"^state: there is no home"):
        load({}, {})


def test_flags_beat_environment_beat_file_beat_defaults(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text('host = "a"\nssh_port = 1\n[limits]\nsessions = 1\nwaiting = 1\n')
    settings = load(
        {"host": None, "ssh_port": 3},
        {"TIDE_HOST": "b", "TIDE_SSH_PORT": "2", "TIDE_LIMITS_WAITING": "2", "TIDE_OTHER": "x"},
        file,
    )
    assert (settings.host, settings.ssh_port) == ("b", 3)
    assert (settings.limits.sessions, settings.limits.waiting) == (1, 2)
    assert settings.limits.channels == Settings().limits.channels


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "tide.toml").write_text("ssh_port = 7\n", "utf-8-sig")
    assert load({"state": str(tmp_path)}, {}).ssh_port == 7
    url, file = "postgresql://tide:secret@db/tide", tmp_path / "url"
    file.write_text(url, "utf-8-sig")
    assert database_url(load({"database_file": str(file)}, {})) == url


def test_a_file_without_an_end_is_too_large() -> None:
    with pytest.raises(ConfigError, match="/dev/zero: cannot be read: File too large"):
        load({}, {}, Path("/dev/zero"))
    with pytest.raises(ConfigError, match="database_file: /dev/zero: File too large"):
        database_url(load({"database_file": "/dev/zero"}, {}))


def test_on_a_local_network_it_listens_everywhere_unless_told_where() -> None:
    assert load({"lan": True}, {}).host == "*"
    assert load({}, {"TIDE_LAN": "true"}).host == "*"
    assert load({"lan": True}, {"TIDE_HOST": "localhost"}).host == "localhost"
    assert load({"lan": False}, {"TIDE_LAN": "true"}).host == "localhost"


def test_the_file_is_found_by_variable_or_in_the_state_directory(tmp_path: Path) -> None:
    (tmp_path / "tide.toml").write_text("ssh_port = 7\n")
    assert load({"state": str(tmp_path)}, {}).ssh_port == 7
    assert load({}, {"TIDE_STATE": str(tmp_path)}).ssh_port == 7
    other = tmp_path / "other.toml"
    other.write_text("ssh_port = 8\n")
    assert load({}, {"TIDE_STATE": str(tmp_path), "TIDE_CONFIG": str(other)}).ssh_port == 8


def test_paths_become_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    settings = load({"state": "here", "keys": "~/keys"}, {})
    assert settings.state == tmp_path / "here"
    assert settings.keys == tmp_path / "home" / "keys"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ssh_prt = 1", "ssh_prt: there is no such setting; did you mean ssh_port?"),
        (
            "[limits]\nsesions = 1",
            "limits.sesions: there is no such setting; did you mean limits.sessions?",
        ),
        ("[limts]\nsessions = 1", "limts: there is no such setting; did you mean limits?"),
        ("ssh_port = 70000", "ssh_port: must be a whole number from 0 to 65535"),
        ('ssh_port = "2222"', "ssh_port: must be a whole number from 0 to 65535"),
        (
            "[limits]\nsessions = 0",
            "limits.sessions: must be a whole number from 1 to 1099511627776",
        ),
        ("limits = 3", "limits: must be a section, [limits]"),
        ('log = "loud"', "log: must be auto or human or json"),
        ("timing.bot_least = -1", "timing.bot_least: must be a number from 0 to 31622400"),
        ("timing.bot_least = nan", "timing.bot_least: must be a number from 0 to 31622400"),
        (
            "limits.stuck_seconds = nan",
            "limits.stuck_seconds: must be a number above 0, at most 86400",
        ),
        (f"tables.tables = 1{'0' * 400}", "tables.tables: must be a whole number from 1 to"),
        ("keys = 3", "keys: must be a path"),
        ("telnet = 1", "telnet: must be true or false"),
        ("notice = 1", "notice: must be text"),
        ("nonsense", "is not valid TOML"),
        (f"ssh_port = {'9' * 5000}", "is not valid TOML: a number has too many digits"),
        ('state = "x"', "state: this file was found in the state directory"),
    ],
)
def test_a_bad_file_is_named_with_its_key(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "tide.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load({"state": str(tmp_path)}, {})
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_bytes_and_missing_files_are_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"binary\.toml: is not UTF-8"):
        load({}, {}, binary)
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read: No such file"):
        load({}, {}, tmp_path / "gone.toml")


def test_environment_and_flags_are_named_as_they_are_written() -> None:
    with pytest.raises(ConfigError, match=r"^environment: TIDE_SSH_PORT: must be a whole number"):
        load({}, {"TIDE_SSH_PORT": "many"})
    with pytest.raises(
        ConfigError, match=r"^environment: TIDE_LIMITS_CHANNELS: must be a whole number"
    ):
        load({}, {"TIDE_LIMITS_CHANNELS": "0"})
    with pytest.raises(ConfigError, match=r"^command line: --ssh-port: must be a whole number"):
        load({"ssh_port": 99999}, {})


def test_a_least_time_is_not_more_than_the_most(tmp_path: Path) -> None:
    (tmp_path / "tide.toml").write_text("timing.bot_least = 3\n")
    with pytest.raises(ConfigError) as caught:
        load({"state": str(tmp_path), "timing.bot_most": 2.5}, {})
    told = "timing.bot_least (3) must not be more than timing.bot_most (2.5)"
    assert str(caught.value) == told
    assert load({"state": str(tmp_path), "timing.bot_most": 3.0}, {}).timing.bot_least == 3
    hurried = {"TIDE_TIMING_HURRIED_LEAST": "1", "TIDE_TIMING_HURRIED_MOST": "0.9"}
    with pytest.raises(
        ConfigError, match=r"timing\.hurried_least \(1\) .* timing\.hurried_most \(0\.9\)"
    ):
        load({}, hurried)
    # A default is no mistake of whoever sets only the other one.
    assert load({}, {"TIDE_TIMING_BOT_MOST": "0.5"}).timing.bot_most == 0.5


def test_variables_that_are_no_settings_are_told() -> None:
    environ = {
        "TIDE_CONFIG": "x",
        "TIDE_SSH_PORT": "1",
        "TIDE_LIMITS_SESSIONS": "1",
        "TIDE_SESSIONS": "1",
        "TIDE_SSHPORT": "1",
        "TIDE_WHATEVER_ELSE": "1",
        "TIDE_SERVICE_HOST": "10.0.0.1",
        "TIDE_PORT_2222_TCP": "tcp://10.0.0.1:2222",
        "TIDES": "high",
    }
    assert unknown_variables(environ) == [
        "TIDE_SESSIONS: there is no such setting; did you mean TIDE_LIMITS_SESSIONS?",
        "TIDE_SSHPORT: there is no such setting; did you mean TIDE_SSH_PORT?",
        "TIDE_WHATEVER_ELSE: there is no such setting",
    ]


def test_the_url_of_a_database_comes_from_one_place(tmp_path: Path) -> None:
    url = "postgresql://tide:secret@db/tide"
    file = tmp_path / "url"
    file.write_text(f"{url}\n")
    assert database_url(load({}, {})) == ""
    assert database_url(load({}, {"TIDE_DATABASE_URL": url})) == url
    assert database_url(load({"database_file": str(file)}, {})) == url
    with pytest.raises(ConfigError, match="only one of them"):
        database_url(load({"database_file": str(file)}, {"TIDE_DATABASE_URL": url}))
    file.write_text("")
    with pytest.raises(ConfigError, match="is empty"):
        database_url(load({"database_file": str(file)}, {}))
    with pytest.raises(ConfigError, match="No such file"):
        database_url(load({"database_file": str(tmp_path / "other")}, {}))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://tide:secret@db/tide",
        "postgresql://tide:secret/s%40cret@db/tide",
        "postgres://db/tide?user=tide&password=secret",
    ],
)
def test_a_password_is_refused_on_the_command_line_and_never_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="TIDE_DATABASE_URL") as refused:
        load({"database": url}, {})
    assert "secret" not in str(refused.value)
    assert "secret" not in without_password(url)
    assert "tide" in without_password(url)


def test_a_url_of_something_else_is_refused_without_showing_it() -> None:
    with pytest.raises(ConfigError, match="begins with postgresql://") as refused:
        load({}, {"TIDE_DATABASE_URL": "mysql://tide:secret@db/tide"})
    assert "secret" not in str(refused.value)
    plain = "postgresql://tide@db:5432/tide?sslmode=require"
    assert load({"database": plain}, {}).database == plain == without_password(plain)


@pytest.mark.parametrize(
    "address", ["a b", "tide.example:65536", "tide.example:", "2001:db8::1", "-p", "$(reboot)"]
)
def test_what_players_type_has_to_be_a_host_and_a_port(address: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^environment: TIDE_PUBLIC_ADDRESS: must be HOST or HOST:PORT"
    ):
        load({}, {"TIDE_PUBLIC_ADDRESS": address})


@pytest.mark.parametrize("notice", ["x" * 401, "one\n" * 7])
def test_a_notice_that_would_be_cut_is_no_setting(notice: str) -> None:
    with pytest.raises(ConfigError, match="notice: at most 6 lines of 400 columns"):
        load({"notice": notice}, environ={})
    assert load({"notice": notice[:12]}, environ={}).notice == notice[:12]
