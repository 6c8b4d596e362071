"""Version 9: the codes that were given to tables, so that none is ever given to another one."""

from typing import Final

STATEMENTS: Final = ("CREATE TABLE codes (code TEXT PRIMARY KEY)",)
