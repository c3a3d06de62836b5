"""The settings of sampling that suites, commands and tables of models may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_codereason.core import Axis, AxisValue, Sampling
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting


@dataclass(frozen=True)
class Drawing:
    """How the answers to a question are drawn, by way of prompting; ``""`` stands for the ways that are not named."""

    settings: Mapping[str, Sampling]
    samples: Mapping[str, int]  #: answers to each question

    def settings_for(self, way: str) -> Sampling:
        """The settings of a way of prompting."""
        return self.settings.get(way, self.settings[""])

    def samples_for(self, way: str) -> int:
        """How many answers a question of a way of prompting gets."""
        return self.samples.get(way, self.samples[""])


def _is_number(value: object, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


#: What each setting of :class:`~pytest_codereason.core.Sampling` may be, in words and as a check.
SAMPLING: dict[str, tuple[str, Callable[[object], bool]]] = {
    "temperature": ("a number from 0 to 2", lambda v: _is_number(v, 0, 2)),
    "top_p": ("a number above 0 and up to 1", lambda v: _is_number(v, 1e-9, 1)),
    "max_tokens": ("a whole number, 0 for no limit", lambda v: isinstance(v, int) and _is_number(v, 0, math.inf)),
    "reasoning_effort": ("a word such as low or high", lambda v: isinstance(v, str) and v.isidentifier()),
}


def check_sampling(key: str, value: object) -> Any:
    """``value`` if the sampling setting ``key`` can have it.

    Raises:
        BadSetting: there is no such setting, or it cannot have that value.
    """
    if key not in SAMPLING:
        check_keys([key], (*SAMPLING, "samples"), "sampling")
    allowed, accepts = SAMPLING[key]
    if not accepts(value):
        raise BadSetting(key, f"{key!r} must be {allowed}, not {value!r}")
    return None if key == "max_tokens" and value == 0 else value


def _make_sampling_axis(name: str, default: AxisValue, short: str) -> Axis:
    allowed, accepts = SAMPLING[name]
    return Axis(name=name, default=default, allowed=allowed, accepts=accepts, short=short)


#: Axes that set how an answer is drawn; every suite may vary them.
SAMPLING_AXES = {
    "temperature": _make_sampling_axis("temperature", 0.0, "temperature"),
    "reasoning_effort": _make_sampling_axis("reasoning_effort", "", "effort"),
}
