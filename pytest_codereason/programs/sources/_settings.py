"""The settings of sources that generate programs: whole numbers within limits, and the side of the programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_codereason.core.endless import SPLITS
from pytest_codereason.core.programs import AxisValue, is_whole
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting

#: Keys of ``[source]`` that the reader of a suite file takes.
SUITE_KEYS = ("name", "seed", "check")
#: Any seed: whole numbers of 64 bits.
SEEDS = (-(2**63), 2**63 - 1)
SPLIT = "split"


def read_generated(
    source: str, settings: Mapping[str, Any], defaults: Mapping[str, int], limits: Mapping[str, tuple[int, int]]
) -> dict[str, Any]:
    """Every setting of ``defaults``, those of a suite file first, and ``split``: ``train``, ``test``, or empty.

    Raises:
        BadSetting: a key is unknown, or its value is no whole number within its limits, or there is no such split.
    """
    check_keys(settings, tuple(dict.fromkeys((*defaults, SPLIT, *SUITE_KEYS))), f"the source {source}")
    for key, value in settings.items():
        if key == SPLIT and value not in ("", *SPLITS):
            raise BadSetting(key, f"{key!r} must be {' or '.join(SPLITS)}, not {value!r}")
        if key != SPLIT and not is_whole(value, *limits[key]):
            low, high = limits[key]
            raise BadSetting(key, f"{key!r} must be a whole number from {low} to {high}, not {value!r}")
    return {**defaults, SPLIT: "", **settings}


def describe_split(split: str) -> dict[str, AxisValue]:
    """The part of a source's identity that says of which side its programs are, empty if they are of both."""
    return {SPLIT: split} if split else {}
