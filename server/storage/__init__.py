"""The database and its stores: tables, people, finished games, ratings, events, moderation."""
