"""Lobby and tables: gathers sealed bids, runs games, tells every seat what it may know."""
