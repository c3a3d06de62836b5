"""Reads the ``--model-arg KEY=VALUE`` pairs of a model, and refuses unknown keys."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import overload

from pytest_codereason.core import Sampling
from pytest_codereason.core.files.caps import MOST_DIGITS
from pytest_codereason.errors import BadArgument, UnknownArgument

#: Characters of a value in a message.
_MOST_SHOWN = 80

#: Settings of sampling. They stand beside those of the provider and are read elsewhere.
EVERY_MODEL = tuple(field.name for field in fields(Sampling))


class ModelArguments:
    """The pairs of one model. Each method reads one key. :meth:`check_rest` refuses pairs that no method has read.

    Args:
        label: the model's spec, for error messages.
        pairs: the pairs as typed.
        takes_sampling: whether the model takes settings of sampling too; see :attr:`Model.takes_sampling`.

    Example:
        >>> args = ModelArguments("local:x", {"threads": "4"})
        >>> args.integer("threads", None, low=1)
        4
        >>> args.check_rest()
    """

    def __init__(self, label: str, pairs: Mapping[str, str], *, takes_sampling: bool = True) -> None:
        self._label = label
        self._pairs = pairs
        self._sampling = EVERY_MODEL if takes_sampling else ()
        self._known: list[str] = []
        self._taken: set[str] = set()

    def text(self, key: str, default: str | None = None, *, choices: Sequence[str] = ()) -> str | None:
        """The value as typed. If there are ``choices``, the value must be one of them."""
        value = self._take(key)
        if value is None:
            return default
        if not value or (choices and value not in choices):
            raise self.make_error(key, value, f"one of {', '.join(choices)}" if choices else "some text")
        return value

    @overload
    def number(self, key: str, default: float, *, low: float = 0.0) -> float: ...

    @overload
    def number(self, key: str, default: None = None, *, low: float = 0.0) -> float | None: ...

    def number(self, key: str, default: float | None = None, *, low: float = 0.0) -> float | None:
        """A finite number from ``low`` on."""
        value = self._take(key)
        if value is None:
            return default
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (number >= low and math.isfinite(number)):
            raise self.make_error(key, value, f"a number from {low:g}")
        return number

    def integer(self, key: str, default: int | None = None, *, low: int = 0) -> int | None:
        """A whole number from ``low`` on."""
        value = self._take(key)
        if value is None:
            return default
        try:
            number = int(value) if len(value) <= MOST_DIGITS else None
        except ValueError as error:
            raise self.make_error(key, value, f"a whole number from {low:g}") from error
        if number is None or number < low:
            raise self.make_error(key, value, f"a whole number from {low:g}")
        return number

    def words(self, key: str) -> tuple[str, ...]:
        """The words of a list, such as ``a,b`` or ``["a", "b"]``. Empty if the key is missing."""
        text = self.text(key) or ""
        return tuple(word for part in text.strip("[]").split(",") if (word := part.strip(" \"'")))

    def pairs_under(self, prefix: str, what: str) -> dict[str, str]:
        """All pairs whose key starts with ``prefix`` (``body.``), by the rest of the key.

        ``what`` stands for the rest in the list of known keys: ``body.KEY``.
        """
        self._known.append(prefix + what)
        pairs = {key: value for key, value in self._pairs.items() if key.startswith(prefix)}
        if prefix in pairs:
            raise self.make_error(prefix, pairs[prefix], f"written {prefix}{what}=VALUE")
        self._taken.update(pairs)
        return {key.removeprefix(prefix): value for key, value in pairs.items()}

    def check_rest(self) -> None:
        """Call last.

        Raises:
            UsageError: no method asked for a pair; names the keys there are.
        """
        for key in self._pairs:
            if key not in self._known and key not in self._taken:
                hint = self._suggest(key)
                raise UnknownArgument(
                    f"{self._label} has no --model-arg {key!r}: {hint}",
                    key=key,
                    complaint=f"{self._label} has no setting {key!r}: {hint}",
                    hint=hint,
                )

    def _suggest(self, key: str) -> str:
        """What to write in place of an unknown key."""
        if key == "samples":
            return "it is a key of the suite; write it into [sampling] of the suite file"
        known = [*self._known, *self._sampling]
        near = get_close_matches(key, known, 1)
        return f"{f'did you mean {near[0]!r}? It' if near else 'it'} takes {', '.join(known) or 'none'}"

    def make_error(self, key: str, value: str, allowed: str) -> BadArgument:
        """The error for a value that cannot be."""
        shown = value if len(value) <= _MOST_SHOWN else f"{value[:_MOST_SHOWN]}..."
        complaint = f"{key}={shown!r} must be {allowed}"
        return BadArgument(f"{self._label}: --model-arg {complaint}", key=key, complaint=complaint)

    def _take(self, key: str) -> str | None:
        self._known.append(key)
        return self._pairs.get(key)
