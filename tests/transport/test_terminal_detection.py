import pytest

from server.terminal.capabilities import Colours, Copying
from server.transport.net.terminal_detection import abilities_of, can_place_cursor


@pytest.mark.parametrize(
    ("term", "environment", "colours"),
    [
        ("xterm-256color", {}, Colours.INDEXED),
        ("xterm-256color", {"COLORTERM": "truecolor"}, Colours.TRUE),
        ("xterm-256color", {"COLORTERM": "24bit", "NO_COLOR": "1"}, Colours.NONE),
        ("xterm-256color", {"NO_COLOR": ""}, Colours.INDEXED),
        ("xterm", {}, Colours.INDEXED),
        ("xterm-16color", {}, Colours.SIXTEEN),
        ("xterm-direct", {}, Colours.TRUE),
        ("xterm-kitty", {}, Colours.TRUE),
        ("foot", {}, Colours.TRUE),
        ("linux", {}, Colours.SIXTEEN),
        ("screen", {}, Colours.SIXTEEN),
        ("screen-256color", {}, Colours.INDEXED),
        ("tmux-256color", {}, Colours.INDEXED),
        ("vt100", {}, Colours.NONE),
        ("vt220", {"COLORTERM": "truecolor"}, Colours.NONE),
        ("dumb", {}, Colours.NONE),
        ("something-new", {}, Colours.SIXTEEN),
    ],
)
def test_colours(term: str, environment: dict[str, str], colours: Colours) -> None:
    assert abilities_of(term, environment).colours is colours


@pytest.mark.parametrize(
    ("term", "environment", "unicode"),
    [
        ("xterm", {}, True),
        ("xterm", {"LANG": "de_DE.UTF-8"}, True),
        ("xterm", {"LANG": "de_DE.utf8"}, True),
        ("xterm", {"LANG": "de_DE.ISO-8859-1"}, False),
        ("xterm", {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, False),
        ("xterm", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ("vt100", {}, False),
        ("vt100", {"LANG": "C.UTF-8"}, True),
        ("linux", {}, True),
    ],
)
def test_charset(term: str, environment: dict[str, str], unicode: bool) -> None:
    assert abilities_of(term, environment).unicode is unicode


def test_language_falls_back_to_english_and_is_overruled_by_the_login_name() -> None:
    assert abilities_of("xterm", {}).language == "en"
    assert abilities_of("xterm", {"LANG": "C.UTF-8"}).language == "en"
    assert abilities_of("xterm", {"LANG": "xx_YY.UTF-8"}).language == "en"
    assert abilities_of("xterm", {"LANG": "en_GB.UTF-8", "LANGUAGE": "en:de"}).language == "en"
    assert abilities_of("xterm", {"LANG": "en_GB.UTF-8"}, "pt").language == "pt"


def test_frames_are_held_back_only_where_the_terminal_says_that_it_can() -> None:
    assert abilities_of("alacritty", {}).synchronized
    assert not abilities_of("xterm-256color", {}).synchronized


@pytest.mark.parametrize(
    "terms",
    [
        "xterm XTERM-KITTY xterm-ghostty screen.xterm-256color tmux rxvt-unicode-256color aixterm kterm",
        "linux linux2.6 con80x25 cons25 pccon0 sun sun-color teken mach-color hurd netbsd6 wsvt25",
        "vt100 VT220 DEC-VT220 vt320-w vt525 vt-utf8 vtnt ansi ANSI-ATTR pcansi scoansi ansi-bbs iris-ansi",
        "kitty alacritty-direct foot-extra ghostty wezterm contour mlterm st st-256color konsole gnome",
        "vte iterm2 nsterm-bce Apple_Terminal hterm putty-256color cygwin msys mintty interix ms-terminal",
        "eterm-color dtterm mosh dvtm syncterm something-new-256color something-direct",
    ],
)
def test_families_whose_cursor_is_placed_as_ansi_has_it(terms: str) -> None:
    assert [term for term in terms.split() if not can_place_cursor(term)] == []
    assert all(not abilities_of(term, {}).lines for term in terms.split())


@pytest.mark.parametrize(
    "terms",
    [
        "dumb DUMB dumb-emacs-ansi unknown network tty glasstty printer LA120 tty33 vanilla lpr",
        "vt52 VT52 vt50h vt55 vt61 st52 st52-color tw52 xterm-vt52 konsole-vt52 adm3a ADM3A adm31 adm5",
        "wy30 WY60 wy50-w wyse50 tvi912 TVI950 tvi925 qvt102 qvt119+ hp2621 HP2392 hpterm X-hpterm 2621",
        "h19 heath-19 z19 h29 TEK4014 tek4010 IBM-3278-2-E IBM-3279-3 ibm3101 ibm3151 d200 dg200 regent100",
        "minitel1b viewdata concept100 dm2500 ampex80 superbee hz1500 petscii atascii something-new x",
    ],
)
def test_all_others_get_lines_in_ascii(terms: str) -> None:
    for term in terms.split():
        found = abilities_of(term, {})
        assert (term, found.lines, found.cursor, found.unicode) == (term, True, False, False)
    assert not can_place_cursor("")


@pytest.mark.parametrize(
    ("term", "environment", "way"),
    [
        ("xterm-kitty", {}, "osc9"),
        ("foot", {}, "osc777"),
        ("xterm-256color", {"LC_TERMINAL": "iTerm2"}, "osc9"),
        ("tmux-256color", {"LC_TERMINAL": "iTerm2"}, ""),
        ("xterm-256color", {}, ""),
        ("vt100", {}, ""),
    ],
)
def test_notifications_only_where_they_are_known_to_work(
    term: str, environment: dict[str, str], way: str
) -> None:
    assert abilities_of(term, environment).notifies == way


@pytest.mark.parametrize(
    ("term", "environment", "copies"),
    [
        ("xterm-kitty", {}, Copying.KNOWN),
        ("xterm-ghostty", {}, Copying.KNOWN),
        ("foot", {}, Copying.KNOWN),
        ("alacritty", {}, Copying.KNOWN),
        ("wezterm", {}, Copying.KNOWN),
        ("xterm-256color", {"TERM_PROGRAM": "WezTerm"}, Copying.KNOWN),
        ("xterm-256color", {"LC_TERMINAL": "iTerm2"}, Copying.ITERM2),
        ("tmux-256color", {"LC_TERMINAL": "iTerm2"}, Copying.TMUX),
        ("screen-256color", {"TERM_PROGRAM": "tmux"}, Copying.TMUX),
        ("screen-256color", {}, Copying.UNKNOWN),
        ("xterm-256color", {}, Copying.UNKNOWN),
        ("xterm-256color", {"TERM_PROGRAM": "Apple_Terminal"}, Copying.NEVER),
        ("gnome-256color", {}, Copying.NEVER),
        ("vte-256color", {}, Copying.NEVER),
        ("PUTTY-256color", {}, Copying.NEVER),
        ("linux", {}, Copying.NEVER),
        ("vt100", {}, Copying.NEVER),
        ("ansi", {}, Copying.NEVER),
    ],
)
def test_what_is_known_of_the_clipboard(
    term: str, environment: dict[str, str], copies: Copying
) -> None:
    assert abilities_of(term, environment).copies is copies
