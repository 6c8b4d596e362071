"""What runs a server: composition, reload, shutdown, metrics, health."""
