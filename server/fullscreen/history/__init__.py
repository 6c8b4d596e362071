"""Finished games, one's own results, the leaderboard."""
