"""Operations on lists of numbers: in one that keeps its length, in one that grows, and in a queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    ExecutedStep,
    Expression,
    Literal,
    Mutate,
    Name,
    Operation,
    Statement,
    Swap,
)
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.programs.horizon.operations import BODY, branch, compare, draw_two, step

#: The numbers of a list that grows, and how many it has at the start.
TWO_DIGITS, START = range(10, 100), 4

XS, Q = Name("xs", "list"), Name("q", "list")


def get_item(name: Name, index: int) -> Operation:
    """``xs[2]``."""
    return Operation("item", (name, Literal(index)))


def _swap_items(first: int, second: int) -> ExecutedStep:
    return step(Swap((get_item(XS, first), get_item(XS, second))))


def _mutate(operator: str, *operands: Expression | int, target: Name = XS) -> Mutate:
    return Mutate(target, operator, tuple(Literal(one) if isinstance(one, int) else one for one in operands))


def draw_list_branch(draws: Draws) -> Statement:
    """Swaps two places or two others, by the numbers in two that stay as they are."""
    left, right, *others = draws.shuffle(range(10))
    return branch(compare(get_item(XS, left), get_item(XS, right)), _swap_items(*others[:2]), _swap_items(*others[2:4]))


#: The other operations on a list that keeps its length.
LIST: Sequence[Callable[[Draws], Statement]] = (
    lambda draws: _swap_items(*draw_two(draws, range(10))),
    lambda draws: step(_mutate("rotate", 1 + draws.below(3))),
    lambda draws: step(_mutate("postpone", draws.below(9))),
)


def _append(number: int) -> ExecutedStep:
    return step(_mutate("append", number))


def draw_growth_branch(draws: Draws) -> Statement:
    """Appends one of two numbers, by two numbers of the start, which stay where they are."""
    left, right = draw_two(draws, range(START))
    return branch(compare(get_item(XS, left), get_item(XS, right)), *map(_append, draw_two(draws, TWO_DIGITS)))


#: The other operation on a list that grows.
GROW: Sequence[Callable[[Draws], Statement]] = (lambda draws: _append(draws.choice(TWO_DIGITS)),)


def draw_queue(draws: Draws) -> Block:
    """Three times the first and once the smallest: taken, changed, and put last."""
    low = Name("x", "int")

    def requeue(value: Expression) -> Mutate:
        return _mutate("append", Operation("%", (value, Literal(100))), target=Q)

    first = Operation("+", (get_item(Q, 0), get_item(Q, 1)))
    smallest = step(
        Assign(low, Operation("smallest", (Q,))),
        _mutate("remove", low, target=Q),
        requeue(Operation("+", (low, Literal(11 + draws.below(79))))),
    )
    firsts = [step(requeue(first), _mutate("drop", target=Q)) for _ in range(BODY - 1)]
    return tuple(draws.shuffle([smallest, *firsts]))
