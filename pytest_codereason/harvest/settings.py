"""What decides which programs a harvest gives."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from pytest_codereason.harvest.licences.licences import PERMISSIVE

#: Raised whenever a step decides otherwise than before. Files that an older version decided on are looked at again.
VERSION = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of a harvest that decide on files."""

    languages: tuple[str, ...]
    licences: tuple[str, ...] = PERMISSIVE  #: SPDX identifiers
    any_licence: bool = False
    files: int = 30  #: most files of one repository, 0 for all
    programs: int = 5  #: most programs of one file
    lines: int = 500  #: of the longest program, without blank ones. The longest of the third study has 451
    seed: int = 0
    writer: str = ""  #: who writes drivers where none is found by rule: a model, or a file by its digest

    @property
    def digest(self) -> str:
        """Tells settings, and versions of the steps, apart."""
        text = json.dumps([VERSION, asdict(self)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
