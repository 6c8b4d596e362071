"""Telnet, through telnetlib3."""
