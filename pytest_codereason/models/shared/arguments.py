"""Reads the ``--model-arg KEY=VALUE`` pairs of a model, and complains about the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from pytest_codereason.errors import UsageError


class ModelArguments:
    """The pairs given to one model. Each method takes one key; :meth:`done` refuses what nobody took.

    Args:
        label: the model's spec, for error messages.
        given: the pairs as typed.

    Example:
        >>> args = ModelArguments("local:x", {"threads": "4"})
        >>> args.integer("threads", None, low=1)
        4
        >>> args.done()
    """

    def __init__(self, label: str, given: Mapping[str, str]) -> None:
        self._label = label
        self._given = given
        self._known: list[str] = []
        self._taken: set[str] = set()

    def text(self, key: str, default: str | None = None, *, choices: Sequence[str] = ()) -> str | None:
        """The value as typed; one of ``choices`` where there are any."""
        value = self._take(key)
        if value is None:
            return default
        if not value or (choices and value not in choices):
            raise self.bad(key, value, f"one of {', '.join(choices)}" if choices else "some text")
        return value

    def number(
        self, key: str, default: float | None = None, *, low: float = 0.0, high: float = math.inf
    ) -> float | None:
        """A finite number from ``low`` to ``high``."""
        value = self._take(key)
        if value is None:
            return default
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (low <= number <= high and math.isfinite(number)):
            raise self.bad(key, value, f"a number{_bounds(low, high)}")
        return number

    def integer(self, key: str, default: int | None = None, *, low: float = 0, high: float = math.inf) -> int | None:
        """A whole number from ``low`` to ``high``."""
        value = self._take(key)
        if value is None:
            return default
        try:
            number = int(value)
        except ValueError as error:
            raise self.bad(key, value, f"a whole number{_bounds(low, high)}") from error
        if not low <= number <= high:
            raise self.bad(key, value, f"a whole number{_bounds(low, high)}")
        return number

    def words(self, key: str) -> tuple[str, ...]:
        """A list with commas between: ``a,b``; empty where the key is not given."""
        return tuple(word.strip() for word in (self.text(key) or "").split(",") if word.strip())

    def under(self, prefix: str, what: str) -> dict[str, str]:
        """Every pair whose key starts with ``prefix`` (``body.``), by the rest of its key.

        ``what`` stands for that rest in the list of known keys: ``body.KEY``.
        """
        self._known.append(prefix + what)
        pairs = {key: value for key, value in self._given.items() if key.startswith(prefix)}
        if prefix in pairs:
            raise self.bad(prefix, pairs[prefix], f"written {prefix}{what}=VALUE")
        self._taken.update(pairs)
        return {key.removeprefix(prefix): value for key, value in pairs.items()}

    def done(self) -> None:
        """Call last.

        Raises:
            UsageError: a pair was given that no method asked for; names the keys there are.
        """
        for key in self._given:
            if key not in self._known and key not in self._taken:
                near = get_close_matches(key, self._known, 1)
                known = f"did you mean {near[0]!r}? " if near else ""
                known += f"It takes {', '.join(self._known)}" if self._known else "it takes none"
                raise UsageError(f"{self._label} has no --model-arg {key!r}: {known}")

    def bad(self, key: str, value: str, allowed: str) -> UsageError:
        """The error for a value that cannot be."""
        return UsageError(f"{self._label}: --model-arg {key}={value!r} must be {allowed}")

    def _take(self, key: str) -> str | None:
        self._known.append(key)
        return self._given.get(key)


def _bounds(low: float, high: float) -> str:
    if math.isinf(low):
        return "" if math.isinf(high) else f" up to {high:g}"
    return f" from {low:g}" + ("" if math.isinf(high) else f" to {high:g}")
