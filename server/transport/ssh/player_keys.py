"""Which public keys are looked at: a client may make up any, and some would take long to verify with."""

from typing import Final

from asyncssh.packet import PacketDecodeError, SSHPacket

_LONGEST: Final = 4096
"""Bytes of a key; the largest of an honest client has a quarter of it."""
_RSA: Final = b"ssh-rsa"
_RSA_BITS: Final = range(1024, 8192 + 1)
_RSA_EXPONENTS: Final = range(3, 1 << 32)
"""As OpenSSL bounds them for large keys. A verification takes time in proportion to their length."""
KINDS: Final = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ssh-ed448",
    "ecdsa-sha2-nistp256",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
)
"""Others, of one size each. There is no DSA (whose numbers a client chooses), and no certificates."""


def is_usable(key_data: bytes) -> bool:
    """Whether a key in its wire form (RFC 4253, 6.6) is of a kind and size that clients really have."""
    if len(key_data) > _LONGEST:
        return False
    packet = SSHPacket(key_data)
    try:
        kind = packet.get_string()
        if kind != _RSA:
            return kind in map(str.encode, KINDS)
        exponent, modulus = packet.get_mpint(), packet.get_mpint()
    except PacketDecodeError:
        return False
    return (
        exponent in _RSA_EXPONENTS
        and exponent % 2 == modulus % 2 == 1
        and modulus > 0
        and modulus.bit_length() in _RSA_BITS
    )
