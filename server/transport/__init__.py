"""How bytes come and go: SSH, telnet, lines of JSON, the local network; and who is let in."""
