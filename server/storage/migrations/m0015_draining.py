"""Version 15: which node an operator wants to end."""

from typing import Final

SCRIPT: Final = """
-- 1 from then on: it hands its tables over.
ALTER TABLE nodes ADD COLUMN draining INTEGER NOT NULL DEFAULT 0;
"""
