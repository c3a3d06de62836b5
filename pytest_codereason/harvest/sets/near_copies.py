"""Drops programs that are nearly copies of others, by MinHash over runs of tokens.

A library for this, datasketch, brings scipy with it, which is larger than all other needs of this package together.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The likeness, 0 to 1, from which on two programs are near copies.
NEAR = 0.8
#: Tokens that follow each other.
_RUN = 5
_HASHES, _BAND = 128, 4
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Copy(NamedTuple):
    """A program that is left out."""

    of: str  #: the program that it is nearly a copy of
    likeness: float  #: the share of runs of tokens that the two have in common


class NearCopies:
    """The programs so far, as small signatures: 1 kB each."""

    def __init__(self) -> None:
        self._signatures: dict[str, NDArray[np.uint64]] = {}
        self._bands: dict[tuple[int, bytes], list[str]] = {}

    def add(self, name: str, files: Mapping[str, str]) -> Copy | None:
        """The program that a new one is nearly a copy of. If there is none, the new one counts from now on."""
        signature = sign(files)
        bands = [(i, signature[i : i + _BAND].tobytes()) for i in range(0, _HASHES, _BAND)]
        near = dict.fromkeys(other for band in bands for other in self._bands.get(band, ()))
        for other in near:
            likeness = float((signature == self._signatures[other]).mean())
            if likeness >= NEAR:
                return Copy(other, round(likeness, 2))
        self._signatures[name] = signature
        for band in bands:
            self._bands.setdefault(band, []).append(name)
        return None


def sign(files: Mapping[str, str]) -> NDArray[np.uint64]:
    """The signature of a program: the share of equal places of two signatures estimates their likeness."""
    import numpy as np

    tokens = [token for name in sorted(files) for token in _TOKEN.findall(files[name])]
    runs = {" ".join(tokens[i : i + _RUN]) for i in range(max(1, len(tokens) - _RUN + 1))}
    hashes = np.array(
        [
            int.from_bytes(hashlib.blake2b(run.encode("utf-8", "replace"), digest_size=8).digest(), "little")
            for run in runs
        ],
        dtype=np.uint64,
    )
    generator = np.random.Generator(np.random.PCG64(1))
    factors = generator.integers(1, 1 << 63, size=(_HASHES, 1), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    shifts = generator.integers(0, 1 << 63, size=(_HASHES, 1), dtype=np.uint64)
    least = np.full(_HASHES, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(hashes), 4096):
        mixed = factors * hashes[start : start + 4096] + shifts
        mixed ^= mixed >> np.uint64(29)
        least = np.minimum(least, (mixed * factors).min(axis=1))
    return least
