"""The settings of sources that generate programs: whole numbers within limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting

#: Keys of ``[source]`` that the reader of a suite file takes.
SUITE_KEYS = ("name", "seed", "check")
#: Any seed: whole numbers of 64 bits.
SEEDS = (-(2**63), 2**63 - 1)


def read_whole_numbers(
    source: str, settings: Mapping[str, Any], defaults: Mapping[str, int], limits: Mapping[str, tuple[int, int]]
) -> dict[str, int]:
    """Every setting of ``defaults``, those of a suite file first.

    Raises:
        BadSetting: a key is unknown, or its value is no whole number within its limits.
    """
    check_keys(settings, tuple(dict.fromkeys((*defaults, *SUITE_KEYS))), f"the source {source}")
    for key, value in settings.items():
        if not is_whole(value, *limits[key]):
            low, high = limits[key]
            raise BadSetting(key, f"{key!r} must be a whole number from {low} to {high}, not {value!r}")
    return {**defaults, **settings}
