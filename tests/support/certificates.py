"""A certificate for tests."""

import datetime
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

Made = tuple[x509.Certificate, ec.EllipticCurvePrivateKey]


def make(name: str = "localhost", days: int = 1, signed_by: Made | None = None) -> Made:
    """A certificate until in so many days, signed by itself or by another one, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    issuer, signs = (signed_by[0].subject, signed_by[1]) if signed_by else (subject, key)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=9))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(signs, hashes.SHA256())
    )
    return certificate, key


def pem(made: Made) -> tuple[bytes, bytes]:
    certificate, key = made
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return certificate.public_bytes(Encoding.PEM), plain


@cache
def made() -> tuple[bytes, bytes, bytes]:
    """A certificate for ``localhost``, its key, and the key once more behind a passphrase; PEM."""
    both = make()
    locked = both[1].private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    return *pem(both), locked


def put(keys: Path, own: Made, others: str, **known: Made) -> Path:
    """The keys of a machine with or for doors elsewhere: its own, and the other ends' certificates."""
    (keys / others).mkdir(parents=True)
    certificate, key = pem(own)
    (keys / "link.crt").write_bytes(certificate)
    (keys / "link.key").write_bytes(key)
    for name, each in known.items():
        (keys / others / f"{name}.crt").write_bytes(pem(each)[0])
    return keys
