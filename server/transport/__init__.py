"""How bytes come and go: SSH, telnet, the local network; and who is let in."""
