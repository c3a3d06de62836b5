"""Signatures: keys as openssl and ssh-keygen write them, and what is said of others."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.seals import Chain, Seal, Signature, read_seal, write_seal
from pytest_codereason.engine.storage.signing import Signer, Verifier
from pytest_codereason.errors import UsageError
from tests.keys import make_keys

SEAL = Chain([b"{}"]).seal({})


@pytest.mark.parametrize("form", ["pem", "ssh"])
def test_a_signed_seal_is_known_by_its_key(tmp_path: Path, form: str) -> None:
    private, public = make_keys(tmp_path / "a", form)
    _, other = make_keys(tmp_path / "b", form)
    write_seal(tmp_path, Signer(private).sign(SEAL))
    seal = read_seal(tmp_path)
    assert Verifier(public).find_fault(seal) == ""
    assert "is not by the key of" in Verifier(other).find_fault(seal)
    assert "but by another" in Verifier(other).find_fault(seal)


def test_any_other_seal_under_the_signature_is_refused(tmp_path: Path) -> None:
    private, public = make_keys(tmp_path / "a")
    signed, verifier = Signer(private).sign(SEAL), Verifier(public)
    assert signed.signature is not None
    others: list[Seal | None] = [
        None,
        SEAL,
        replace(signed, chain="0" * 64),
        replace(signed, run="0" * 64),
        replace(signed, marks=b""),
        replace(signed, signature=replace(signed.signature, value="")),
        replace(signed, signature=replace(signed.signature, value="?")),
        replace(signed, signature=Signature(signed.signature.key, signed.signature.key)),
    ]
    assert all(verifier.find_fault(other) for other in others)


@pytest.mark.parametrize("command", ["openssl", "ssh-keygen"])
def test_the_keys_of_the_documented_commands_do(tmp_path: Path, command: str) -> None:
    if shutil.which(command) is None:
        pytest.skip(f"no {command}")
    private, public = tmp_path / "key", tmp_path / "key.pub"
    words = {
        "openssl": (
            ["openssl", "genpkey", "-algorithm", "ed25519", "-out", private],
            ["openssl", "pkey", "-in", private, "-pubout", "-out", public],
        ),
        "ssh-keygen": (["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", private],),
    }[command]
    for each in words:
        subprocess.run([*map(str, each)], check=True)
    assert Verifier(public).find_fault(Signer(private).sign(SEAL)) == ""


def test_a_file_that_is_no_such_key_is_named(tmp_path: Path) -> None:
    private, public = make_keys(tmp_path / "a")
    (tmp_path / "text").write_text("no key")
    for make, file in (
        (Signer, public),
        (Verifier, private),
        (Signer, tmp_path / "text"),
        (Verifier, tmp_path / "text"),
    ):
        with pytest.raises(UsageError, match=r"holds no (private|public) Ed25519 key"):
            make(file)
    for kind in (Signer, Verifier):
        with pytest.raises(UsageError, match="cannot be read"):
            kind(tmp_path / "none")
    locked, _ = make_keys(tmp_path / "b", password=b"secret")
    with pytest.raises(UsageError, match="has a password"):
        Signer(locked)
