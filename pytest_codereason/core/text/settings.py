"""Reads the values of options: counts, amounts of money, ages, choices."""

from __future__ import annotations

import os
import re
from typing import Any, get_args

from pytest_codereason.errors import UsageError

#: A comma between two addresses. Any other may be a part of one, such as of a password.
_BETWEEN_URLS = re.compile(r"\s*,\s*(?=https?://)")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def parse_pair(text: str) -> tuple[str, str]:
    """The key and the text of ``KEY=VALUE``.

    Raises:
        UsageError: there is no equals sign, or no key before it.
    """
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError("--model-arg without '=': write KEY=VALUE")  # the text may be a secret
    return key, value


def split_urls(text: str) -> tuple[str, ...]:
    """The addresses of ``http://a:8000/v1,http://b:8000/v1``, each once."""
    return tuple(dict.fromkeys(_BETWEEN_URLS.split(text.strip())))


def parse_whole(flag: str, text: str | None, *, least: int) -> int | None:
    """The whole number of an option, ``None`` without one.

    Raises:
        UsageError: the text is no whole number, or one below ``least``.
    """
    if not text:
        return None
    if not re.fullmatch(r"\d{1,18}", text) or int(text) < least:
        raise UsageError(f"{flag} {text}: must be a whole number from {least}")
    return int(text)


def parse_dollars(text: str | None, *, shards: int = 1) -> float | None:
    """The limit of ``--eval-max-cost``, ``None`` without one.

    Each shard may spend an equal part: shards share no store, and each would spend the whole.

    Raises:
        UsageError: The text is no amount.
    """
    if not text:
        return None
    if not re.fullmatch(r"\$?\d{1,12}(\.\d{1,12})?", text):
        raise UsageError(f"--eval-max-cost {text}: must be an amount in US dollars, such as 2.50")
    return float(text.removeprefix("$")) / shards


def parse_shard(text: str | None) -> tuple[int, int] | None:
    """The part, counted from 0, and the number of parts of ``2/4``; ``None`` without any.

    ``slurm`` is the part of this job of a Slurm array.

    Raises:
        UsageError: the text is no part of a number of parts, or this is no job of a whole array.
    """
    if not text:
        return None
    if text == "slurm":
        return _read_array()
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--eval-shard {text}: must be I/N with I from 1 to N, such as 2/4, or slurm")
    return int(match[1]) - 1, int(match[2])


def _read_array() -> tuple[int, int]:
    """The place of this job in its Slurm array, and the number of its jobs.

    An array that is no whole one, such as ``--array=2`` or ``--array=3-4``, starts some jobs of another one again. It
    does not say how many parts that one had.
    """
    try:
        job, first, last, count = (
            int(os.environ[f"SLURM_ARRAY_TASK_{name}"]) for name in ("ID", "MIN", "MAX", "COUNT")
        )
    except (KeyError, ValueError):
        raise UsageError("--eval-shard slurm: this is no job of an array: start it by sbatch --array=1-4") from None
    if first > 1 or count != last - first + 1 or count < 2 or not first <= job <= last:
        raise UsageError(
            f"--eval-shard slurm: the array {first}-{last} of {count} does not begin at 1 and have every number, so it "
            "does not say how many parts there are: write --eval-shard=I/N to ask a part again"
        )
    return job - first, count


def parse_choice(flag: str, text: str, choices: Any) -> Any:
    """The text, if it is one of the ``choices`` of a ``Literal``.

    Raises:
        UsageError: it is none of them.
    """
    if text not in get_args(choices):
        raise UsageError(f"{flag} {text}: must be one of {', '.join(get_args(choices))}")
    return text


def parse_age(text: str | None) -> float | None:
    """The seconds of an age such as ``12h``; ``None`` where none is given.

    Raises:
        UsageError: it is no age.
    """
    if not text:
        return None
    if text == "0":
        return 0.0
    age = _read_span(text)
    if age is None:
        raise UsageError(f"--eval-reuse {text}: must be an age such as 30m, 12h or 7d, or 0")
    return age


def parse_duration(flag: str, text: str | None) -> float | None:
    """The seconds of a duration such as ``30m``; ``None`` where none is given.

    Raises:
        UsageError: it is no duration, or it is 0.
    """
    if not text:
        return None
    duration = _read_span(text)
    if not duration:
        raise UsageError(f"{flag} {text}: must be a time such as 90s, 30m or 2h")
    return duration


def _read_span(text: str) -> float | None:
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smhd])", text, re.ASCII)
    return float(match[1]) * UNITS[match[2]] if match else None
