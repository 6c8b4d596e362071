"""The link between doors and the coordinator."""
