"""The grammar of gates: text to :class:`~pytest_codereason.results.verdicts.gates.Gate`, or an error at a column.

gate      QUANTITY OP BOUND
QUANTITY  SUITE.METRIC[AXIS=VALUE,...]   drop(QUANTITY)   truncated(SUITE[AXIS=VALUE,...])
OP        >=  >  <=  <  ==
BOUND     0.8   80%   OTHER   OTHER - 2%   OTHER + 0.02   OTHER * 0.8
OTHER     baseline   QUANTITY of another model: SUITE.METRIC[model=NAME,AXIS=VALUE,...]
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal
from typing import NoReturn

from pytest_codereason.core import TRUNCATED
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.results.verdicts.gates import (
    AGAINST,
    AGAINST_MODEL,
    BASELINE,
    MODEL,
    OPERATORS,
    Bound,
    Gate,
    GateError,
    GateText,
    Quantity,
)

EXAMPLE = "such as semtrace.exact[language=php] >= 80%"
_DROP, _TRUNCATED = "drop", "truncated"
_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[^\s\[\]()<>=]+")
_OPERATOR = re.compile("|".join(sorted(map(re.escape, OPERATORS), key=len, reverse=True)))
_NUMBER = re.compile(r"(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*(%?)")
_AXIS = re.compile(r"[^\[\](),<>=]*")
_VALUE = re.compile(r"(?:\([^()\[\]]*\)|[^\[\](),<>=])*")  # commas in parentheses: dead-code(strength=3,density=1)
_OFFSET = re.compile(r"([+*-])\s*")
_BASELINE = re.compile(rf"{BASELINE}(?![^\s+*-])")  # and not a suite of a longer name
_QUANTITY = re.compile(r"[^\s\[\]<>=]+\[|[^\W\d][^\s<>=]*\.")  # and no number


def parse_gate(text: str) -> Gate:
    """The gate that ``text`` writes.

    Raises:
        GateError: the text is no gate; says at which column, and what was expected there.
    """
    return _Reader(text).read_gate()


class _Reader:
    """Reads one gate from left to right, and remembers where its parts begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.columns: dict[str, int] = {}

    def read_gate(self) -> Gate:
        quantity = self.read_quantity()
        self.skip_space()
        op = self.take(_OPERATOR)
        if op is None:
            self.refuse(f"expected {', '.join(OPERATORS)}")
        bound = self.read_bound()
        self.skip_space()
        if self.place < len(self.text):
            self.refuse("expected the end of the gate")
        return Gate(quantity, op[0], bound, GateText(self.text, self.columns))

    def read_quantity(self, *, inside_drop: bool = False) -> Quantity:
        self.mark("quantity")
        start = self.place
        name = self.read_name("SUITE.METRIC")
        if not self.follows("("):
            self.place = start
            return self.read_metric()
        if name not in (_DROP, _TRUNCATED) or (inside_drop and name == _DROP):
            self.place = start
            known = [_TRUNCATED] if inside_drop else [_DROP, _TRUNCATED]
            self.refuse(f"there is no {name}( ) here{suggest_name(name, known)}; expected SUITE.METRIC, {EXAMPLE}")
        self.place += 1
        if name == _DROP:
            inner = self.read_quantity(inside_drop=True)
            self.expect(")")
            return Quantity(inner.suite, inner.metric, inner.where, is_drop=True)
        self.mark("suite")
        suite = self.read_name("the name of a suite")
        self.columns["metric"] = start + 1
        where = self.read_where()
        self.expect(")")
        return Quantity(suite, TRUNCATED.name, where)

    def read_metric(self) -> Quantity:
        self.mark("suite")
        start = self.place
        suite, _, metric = self.read_name("SUITE.METRIC").rpartition(".")
        if not (suite and metric):
            self.place = start
            self.refuse(f"expected SUITE.METRIC, {EXAMPLE}")
        self.columns["metric"] = self.place - len(metric) + 1
        return Quantity(suite, metric, self.read_where())

    def read_where(self) -> tuple[tuple[str, str], ...]:
        where: dict[str, str] = {}
        self.skip_space()
        if not self.follows("["):
            return ()
        while not where or self.follows(","):
            self.place += 1
            self.skip_space()
            start = self.place
            axis = self.read_text(_AXIS)
            if not axis or not self.follows("="):
                self.place = self.place if axis else start
                self.refuse("expected AXIS=VALUE, such as language=php")
            if axis in where:
                self.place = start
                self.refuse(f"axis {axis!r} occurs twice")
            self.columns[f"axis {axis}"] = start + 1
            self.place += 1
            self.mark(f"value of {axis}")
            where[axis] = self.read_text(_VALUE)
            if not where[axis]:
                self.refuse(f"expected a value of {axis}")
        self.expect("]")
        return tuple(where.items())

    def read_bound(self) -> Bound:
        self.mark("number")
        start = self.place
        if self.take(_BASELINE):
            self.columns[BASELINE] = start + 1
            other = Bound(0.0, from_baseline=True)
        elif _QUANTITY.match(self.text, start):
            other = Bound(0.0, against=self.read_against())
        else:
            return Bound(self.read_number(f"a number such as 0.8 or 80%, or {BASELINE}"))
        self.skip_space()
        if self.place == len(self.text):
            return other
        sign = self.take(_OFFSET)
        if sign is None:
            self.refuse(f"expected +, - or * and a number, such as {BASELINE} - 2%")
        self.columns["sign"] = sign.start() + 1
        self.mark("number")
        number = self.read_number("a number such as 0.02 or 2%", signed=False)
        return replace(other, number=-number if sign[1] == "-" else number, is_factor=sign[1] == "*")

    def read_against(self) -> Quantity:
        """The quantity on the right. Its parts have no columns of their own, but for the model."""
        left, start = dict(self.columns), self.place
        against = self.read_quantity()
        self.columns = {
            **left,
            AGAINST: start + 1,
            AGAINST_MODEL: self.columns.get(f"value of {MODEL}", start + 1),
            "number": start + 1,
        }
        return against

    def read_number(self, expected: str, *, signed: bool = True) -> float:
        match = self.take(_NUMBER)
        if match is None or (not signed and match[1].startswith("-")):
            self.place = match.start() if match else self.place
            self.refuse(f"expected {expected}")
        number = float(Decimal(match[1]) / (100 if match[2] else 1)) + 0.0  # no negative zero
        if math.isinf(number):
            self.place = match.start()
            self.refuse("the number is too large")
        return number

    # --- the smallest steps -------------------------------------------------------------------

    def mark(self, part: str) -> None:
        """Remembers that a part begins behind the spaces that come next."""
        self.skip_space()
        self.columns[part] = self.place + 1

    def read_name(self, expected: str) -> str:
        self.skip_space()
        match = self.take(_NAME)
        if match is None:
            self.refuse(f"expected {expected}")
        return match[0]

    def read_text(self, pattern: re.Pattern[str]) -> str:
        """What the pattern matches next, without the spaces around it."""
        match = self.take(pattern)
        return match[0].strip() if match else ""

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.place)
        if match is not None:
            self.place = match.end()
        return match

    def skip_space(self) -> None:
        self.take(_SPACE)

    def follows(self, character: str) -> bool:
        return self.text.startswith(character, self.place)

    def expect(self, character: str) -> None:
        self.skip_space()
        if not self.follows(character):
            self.refuse(f"expected {character!r}")
        self.place += 1

    def refuse(self, complaint: str) -> NoReturn:
        rest = self.text[self.place :].split(maxsplit=1)
        there = f", not {rest[0]!r}" if rest else ", but the text ends"
        raise GateError(self.text, self.place + 1, complaint + (there if complaint.startswith("expected") else ""))
