"""Operations on a state, and the bodies of four that they come in.

One operation of a body is conditional, the others are one of each kind of the state, in any order. The rules drop half
of the programs, and would drop some kinds of operations more often than others: so each body has all kinds. That makes
an executed step as hard in a short program as in a long one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    ExecutedStep,
    Expression,
    If,
    Literal,
    Name,
    Operation,
    Place,
    Set,
    Statement,
)
from pytest_codereason.core.random_draws import Draws

#: Operations of a body.
BODY = 4


def compare(left: Expression, right: Expression) -> Operation:
    """``left < right``."""
    return Operation("<", (left, right))


def make_list(items: Sequence[Expression]) -> Operation:
    """``[a, b]``."""
    return Operation("new", tuple(items))


def step(*statements: Statement) -> ExecutedStep:
    """Statements that are one executed step."""
    return ExecutedStep(statements)


def change(place: Place, value: Expression) -> Statement:
    """``place = value``."""
    return Assign(place, value) if isinstance(place, Name) else Set(place, value)


def add(place: Place, amount: Expression | int, base: int) -> ExecutedStep:
    """The step ``place = (place + amount) % base``."""
    more = Literal(amount) if isinstance(amount, int) else amount
    return step(change(place, Operation("%", (Operation("+", (place, more)), Literal(base)))))


def branch(condition: Expression, then: ExecutedStep, otherwise: ExecutedStep) -> If:
    """A conditional operation: one of two steps."""
    return If(((condition, (then,)), (None, (otherwise,))))


def add_either(draws: Draws, condition: Expression, place: Place, amounts: Sequence[int], base: int) -> If:
    """A conditional operation that adds one of two different constants."""
    first, second = draws.shuffle(amounts)[:2]
    return branch(condition, add(place, first, base), add(place, second, base))


def draw_two(draws: Draws, items: Sequence[Any]) -> list[Any]:
    """Two different items."""
    return draws.shuffle(items)[:2]


def draw_body(
    draws: Draws, condition: Callable[[Draws], Statement], others: Sequence[Callable[[Draws], Statement]]
) -> Block:
    """One conditional operation and one of each other kind, in any order; if kinds are lacking, any of them again."""
    kinds = [condition, *others, *(draws.choice(others) for _ in range(BODY - 1 - len(others)))]
    return tuple(draws.shuffle([draw(draws) for draw in kinds]))
