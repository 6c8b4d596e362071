"""Pages: what keys do on each screen. A page holds focus and choices; screens draw it."""
