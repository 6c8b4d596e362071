"""What the calendar brings: today's tide, a deal for each day; seasons, a leaderboard for each month."""
