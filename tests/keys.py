"""Keys for signatures."""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def make_keys(stem: Path, form: str = "pem", password: bytes | None = None) -> tuple[Path, Path]:
    """The files of a new private key and of its public key, in PEM or as OpenSSH has them."""
    key = Ed25519PrivateKey.generate()
    ssh = form == "ssh"
    locked = forms.BestAvailableEncryption(password) if password else forms.NoEncryption()
    private, public = stem, stem.with_suffix(".pub")
    private.write_bytes(
        key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.OpenSSH if ssh else forms.PrivateFormat.PKCS8, locked)
    )
    public.write_bytes(
        key.public_key().public_bytes(
            forms.Encoding.OpenSSH if ssh else forms.Encoding.PEM,
            forms.PublicFormat.OpenSSH if ssh else forms.PublicFormat.SubjectPublicKeyInfo,
        )
    )
    return private, public
