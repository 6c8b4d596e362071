"""Finished games, one's own results, statistics, today's tide."""
