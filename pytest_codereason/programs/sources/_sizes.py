"""How long a program may be: the settings ``min_lines``, ``max_lines`` and ``max_tokens`` of a source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.tokens import estimate_length
from pytest_codereason.errors import BadSetting

SIZES = ("min_lines", "max_lines", "max_tokens")
MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Sizes:
    """The shortest and the longest program that a source gives. Zero is no limit."""

    min_lines: int = 0  #: lines that are not blank
    max_lines: int = 0
    max_tokens: int = 0  #: estimated without a tokenizer

    @classmethod
    def read(cls, settings: Mapping[str, Any], **defaults: int) -> Self:
        """The limits of a ``[source]`` table.

        Args:
            settings: the table. Other keys are ignored.
            defaults: limits where the table has none.

        Raises:
            BadSetting: a limit is no whole number from 0, or no program can be within the limits.
        """
        limits = {key: settings.get(key, defaults.get(key, 0)) for key in SIZES}
        for key, limit in limits.items():
            if not is_whole(limit, 0, MOST):
                raise BadSetting(key, f"{key!r} must be a whole number from 0 (no limit), not {limit!r}")
        sizes = cls(**limits)
        if 0 < sizes.max_lines < sizes.min_lines:
            raise BadSetting(
                "max_lines" if "max_lines" in settings else "min_lines",
                f"'max_lines' is {sizes.max_lines}, below 'min_lines', which is {sizes.min_lines}",
            )
        return sizes

    def describe_misfit(self, source: str) -> str:
        """Why a program is too short or too long; empty if it fits."""
        if self.min_lines or self.max_lines:
            lines = sum(1 for line in source.splitlines() if line.strip())
            if lines < self.min_lines:
                return f"fewer than {self.min_lines} lines"
            if 0 < self.max_lines < lines:
                return f"more than {self.max_lines} lines"
        if self.max_tokens and estimate_length(source) > self.max_tokens:
            return f"more than {self.max_tokens:,} tokens, as estimated"
        return ""

    @property
    def identity(self) -> Mapping[str, int]:
        """The limits that are set."""
        return {key: limit for key, limit in asdict(self).items() if limit}
