"""The seal of a run folder: whether its records and its description are still those that the run has written.

Each record that is written lengthens a chain of digests, and the last digest of the chain lies in ``seal.json`` when
the run ends. So any other byte of a record, a record more or less, and any other order break the seal. The seal keeps
the beginning of each record's digest too, its mark, by which a broken seal says which record is to blame.

Whoever changes a run may seal it again, unless the seal is signed: see ``signing.py``.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pytest_codereason.core.files.caps import list_lines, open_ordinary, read_capped
from pytest_codereason.core.text.wording import plural
from pytest_codereason.errors import BrokenSeal, UsageError

SEAL = "seal.json"
FORMAT = 1
#: Bytes of a mark. Marks only name records; that a seal is broken is decided by whole digests.
_MARK = 6
#: The largest seal that is read: that of three million records is smaller.
_MOST_BYTES = 32 * 2**20
#: What stands in the chain for a line that nobody reads.
_TOO_LONG = b"too long"
#: Records of a broken seal that are named; all are counted.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a seal, with the public key that made it."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What a run folder held when its run ended."""

    run: str  #: digest of the content of ``run.json``
    chain: str  #: the last digest of the chain over the records
    marks: bytes
    signature: Signature | None = None

    @property
    def count(self) -> int:
        """How many records were sealed."""
        return len(self.marks) // _MARK

    def describe(self) -> dict[str, object]:
        """What is signed: the content of ``seal.json`` without a signature."""
        marks = b64encode(self.marks).decode()
        return {"format": FORMAT, "run": self.run, "records": self.count, "chain": self.chain, "marks": marks}

    @property
    def signed_text(self) -> bytes:
        """The bytes that a signature signs."""
        return json.dumps(self.describe(), sort_keys=True, separators=(",", ":")).encode()


class Chain:
    """Grows with each record that is written."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        self._head = b""
        self.marks = bytearray()
        for line in lines:
            self.add(line)

    def add(self, line: bytes) -> None:
        """Takes a line. Blanks around it do not count, nor does an empty line."""
        if record := line.strip():
            digest = sha256(record).digest()
            self._head = sha256(self._head + digest).digest()
            self.marks += digest[:_MARK]

    def seal(self, run: Mapping[str, object]) -> Seal:
        """The seal over these records and the content of ``run.json``."""
        return Seal(run=digest_run(run), chain=self._head.hex(), marks=bytes(self.marks))


def digest_run(run: Mapping[str, object]) -> str:
    """The digest of the content of ``run.json``, in whatever layout it is written."""
    return sha256(json.dumps(run, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write_seal(folder: Path, seal: Seal) -> None:
    """Writes ``seal.json`` anew, whole or not at all."""
    signature = seal.signature
    signed = {"signature": {"key": signature.key, "value": signature.value}} if signature else {}
    part = folder / f"{SEAL}.part"
    part.write_text(json.dumps({**seal.describe(), **signed}, indent=2) + "\n", encoding="utf-8")
    os.replace(part, folder / SEAL)


def read_seal(folder: Path) -> Seal | None:
    """The seal of a run folder; ``None`` if it has none.

    Raises:
        BrokenSeal: there is a file of that name, and it is no seal.
        OSError: the file cannot be read.
    """
    path = folder / SEAL
    if not path.exists():
        return None
    try:
        content = json.loads(read_capped(path, _MOST_BYTES))
        if content["format"] != FORMAT:
            raise BrokenSeal(f"{SEAL}: this version does not know format {content['format']!r:.40}")
        signature = content.get("signature")
        seal = Seal(
            run=str(content["run"]),
            chain=str(content["chain"]),
            marks=b64decode(content["marks"], validate=True),
            signature=None if signature is None else Signature(str(signature["key"]), str(signature["value"])),
        )
    except UsageError as error:
        raise BrokenSeal(f"{SEAL} is no seal: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BrokenSeal(f"{SEAL} is damaged") from error
    if seal.describe() | {"signature": signature} != content | {"signature": signature}:
        raise BrokenSeal(f"{SEAL} is damaged: its parts do not agree")
    return seal


def find_breaks(folder: Path, run: Mapping[str, object], records: Path) -> tuple[Seal | None, list[str]]:
    """The seal of a run folder, and what is not as it was sealed, a clause each. A damaged seal is broken too.

    Raises:
        OSError: a file cannot be read.
    """
    try:
        seal = read_seal(folder)
    except BrokenSeal as error:
        return None, [str(error)]
    return seal, [f"the seal is broken: {text}" for text in list_breaks(seal, run, records)] if seal else []


def list_breaks(seal: Seal, run: Mapping[str, object], records: Path) -> Iterator[str]:
    """What is not as it was sealed, a clause each; nothing if the seal holds.

    Args:
        run: the content of ``run.json``.
        records: the file of the records.

    Raises:
        OSError: the records cannot be read.
    """
    if digest_run(run) != seal.run:
        yield "run.json was changed"
    with open_ordinary(records) as file:
        chain = Chain(_TOO_LONG if line.content is None else line.content for line in list_lines(file))
    if chain.seal(run).chain != seal.chain:
        yield from _list_changes(_split(seal.marks), _split(bytes(chain.marks)), records)


def _split(marks: bytes) -> list[bytes]:
    return [marks[start : start + _MARK] for start in range(0, len(marks), _MARK)]


def _list_changes(sealed: list[bytes], found: list[bytes], records: Path) -> Iterator[str]:
    """Which records are new, are there again, are gone, or stand elsewhere."""
    known = set(sealed)
    changed = [place for place, mark in enumerate(found) if mark not in known]
    again = [place for place in _list_surplus(found, sealed) if found[place] in known]
    lacking = _list_surplus(sealed, found)
    names = _name_records(records, {*changed[:_NAMED], *again[:_NAMED]})
    if changed:
        yield _enumerate(len(changed), "changed, or new", [names[place] for place in changed[:_NAMED]])
    if again:
        yield _enumerate(len(again), "there once more", [names[place] for place in again[:_NAMED]])
    if gone := max(0, len(lacking) - len(changed)):
        # A record that was changed lacks too. So those that are gone are named only where none was changed.
        yield _enumerate(gone, "gone", [] if changed else [f"number {place + 1:,}" for place in lacking[:_NAMED]])
    if not (changed or again or gone):
        place = next((place for place, mark in enumerate(found) if mark != sealed[place]), 0)
        yield f"the records stand in another order, from number {place + 1:,} on"


def _list_surplus(marks: list[bytes], others: list[bytes]) -> list[int]:
    """The places of marks that the others lack, or have less often."""
    left, surplus = Counter(others), []
    for place, mark in enumerate(marks):
        left[mark] -= 1
        if left[mark] < 0:
            surplus.append(place)
    return surplus


def _name_records(records: Path, places: Collection[int]) -> dict[int, str]:
    """``records.jsonl:17 (python/0007[digits:2])`` for some of the records, counted from 0."""
    names: dict[int, str] = {}
    with open_ordinary(records) as file:
        lines = ((number, line.content or _TOO_LONG) for number, line in enumerate(list_lines(file), 1))
        filled = ((number, line) for number, line in lines if line.strip())
        for place, (number, line) in enumerate(filled):
            if place in places:
                names[place] = f"{records.name}:{number}{_name_question(line)}"
    return names


def _name_question(line: bytes) -> str:
    try:
        return f" ({json.loads(line)['id']!s:.80})"
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _enumerate(many: int, what: str, names: list[str]) -> str:
    listed = ", ".join(names) + (" ..." if len(names) < many else "") if names else ""
    return f"{plural(many, 'record')} {'is' if many == 1 else 'are'} {what}{f' ({listed})' if listed else ''}"
