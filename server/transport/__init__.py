"""How bytes come and go: SSH now, telnet and JSON lines later."""
