"""Telnet's bytes by their names in the RFCs: commands (RFC 854), options, and words of subnegotiations."""

from typing import Final

IAC: Final = b"\xff"
DONT: Final = b"\xfe"
DO: Final = b"\xfd"
WONT: Final = b"\xfc"
WILL: Final = b"\xfb"
SB: Final = b"\xfa"
SE: Final = b"\xf0"
VERBS: Final = frozenset({DO, DONT, WILL, WONT})

GA: Final = b"\xf9"
EL: Final = b"\xf8"
EC: Final = b"\xf7"
AYT: Final = b"\xf6"
IP: Final = b"\xf4"
BRK: Final = b"\xf3"
CMD_EOR: Final = b"\xef"
ABORT: Final = b"\xee"
EOF: Final = b"\xec"

BINARY: Final = b"\x00"
ECHO: Final = b"\x01"
SGA: Final = b"\x03"
TM: Final = b"\x06"
LOGOUT: Final = b"\x12"
TTYPE: Final = b"\x18"
EOR: Final = b"\x19"
NAWS: Final = b"\x1f"
TSPEED: Final = b"\x20"
NEW_ENVIRON: Final = b"\x27"
CHARSET: Final = b"\x2a"
MSSP: Final = b"\x46"
GMCP: Final = b"\xc9"
OF_MUDS: Final = frozenset(
    {MSSP, GMCP, *(bytes([n]) for n in (69, 85, 86, 87, 90, 91, 93, 102, 200))}
)
"""Options that only MUD clients have: also MSDP, MCCP, MSP, MXP, ZMP, and two of single MUDs."""

IS: Final = b"\x00"
SEND: Final = b"\x01"
INFO: Final = b"\x02"
"""Subcommands of NEW_ENVIRON, TSPEED and TTYPE."""
VAR: Final = b"\x00"
VALUE: Final = b"\x01"
"""Subcommands of NEW_ENVIRON (RFC 1572)."""
REQUEST: Final = b"\x01"
ACCEPTED: Final = b"\x02"
REJECTED: Final = b"\x03"
"""Subcommands of CHARSET (RFC 2066)."""
MSSP_VAR: Final = b"\x01"
MSSP_VAL: Final = b"\x02"
