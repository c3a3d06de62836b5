"""Signs the seal of a run with a key of the user's, and checks the signature with the public key.

The keys are Ed25519, in the files that ``openssl genpkey -algorithm ed25519`` and ``ssh-keygen -t ed25519`` write.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.engine.storage.seals import Seal, Signature
from pytest_codereason.errors import UsageError, describe_file_error

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_MOST_BYTES = 100_000


class Signer:
    """Signs with the private key of a file.

    Raises:
        UsageError: the file cannot be read, or holds no such key; or the package ``cryptography`` is not installed.
    """

    def __init__(self, file: Path) -> None:
        self._key: Ed25519PrivateKey = _read_key(file, private=True)

    def sign(self, seal: Seal) -> Seal:
        """The seal with its signature."""
        key = self._key.public_key().public_bytes_raw()
        value = self._key.sign(seal.signed_text)
        return replace(seal, signature=Signature(b64encode(key).decode(), b64encode(value).decode()))


class Verifier:
    """Checks signatures with the public key of a file.

    Raises:
        UsageError: as :class:`Signer`.
    """

    def __init__(self, file: Path) -> None:
        self._key: Ed25519PublicKey = _read_key(file, private=False)
        self._file = file

    def find_fault(self, seal: Seal | None) -> str:
        """Why the seal is not signed by this key; empty if it is."""
        from cryptography.exceptions import InvalidSignature

        if seal is None or seal.signature is None:
            return f"it is not signed, so not by the key of {self._file}"
        try:
            self._key.verify(b64decode(seal.signature.value, validate=True), seal.signed_text)
        except (InvalidSignature, ValueError):
            own = b64encode(self._key.public_bytes_raw()).decode()
            other = seal.signature.key != own
            return f"its signature is not by the key of {self._file}" + (", but by another" if other else "")
        return ""


def _read_key(file: Path, *, private: bool) -> Any:
    """The key of a file in PEM, or as OpenSSH writes it."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    except ImportError as error:
        raise UsageError("signatures need the package cryptography: pip install 'pytest-codereason[sign]'") from error
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES)
    except OSError as error:
        raise UsageError(f"the key {file} cannot be read: {describe_file_error(error)}") from error
    key: object
    try:
        if not private:
            is_ssh = text.startswith(b"ssh-")
            key = (serialization.load_ssh_public_key if is_ssh else serialization.load_pem_public_key)(text)
        elif b"OPENSSH PRIVATE KEY" in text:
            key = serialization.load_ssh_private_key(text, password=None)
        else:
            key = serialization.load_pem_private_key(text, password=None)
    except TypeError as error:  # what cryptography raises for a key that has a password
        raise UsageError(f"the key {file} has a password; sign with a key that has none") from error
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey if private else Ed25519PublicKey):
        make = "openssl genpkey -algorithm ed25519" if private else "openssl pkey -pubout"
        raise UsageError(f"{file} holds no {'private' if private else 'public'} Ed25519 key; {make} writes one")
    return key
