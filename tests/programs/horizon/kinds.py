"""How hard the executed steps of programs are: the share of each kind, of sums that carry, and the size of operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    Assign,
    ExecutedStep,
    If,
    Literal,
    Module,
    Mutate,
    Operation,
    Set,
    Statement,
    Swap,
    walk_expressions,
    walk_statements,
)
from pytest_codereason.programs.generation.evaluation import Scope, evaluate
from pytest_codereason.programs.horizon.drawing import Drawn
from pytest_codereason.programs.horizon.states import STATES


def measure_difficulty(programs: Iterable[Drawn]) -> dict[str, float]:
    """Shares of the executed steps of all programs: by kind, and of numbers that became smaller."""
    counts: Counter[str] = Counter()
    steps, sums = 0, list[tuple[int, int]]()  # of sums the old number and the new one
    for drawn in programs:
        branches = list_branches(drawn.module)
        ran, old = trace_steps(drawn), list_numbers(drawn.start)
        for step, after in ran:
            counts["conditional" if step in branches else name_kind(step)] += 1
            new = list_numbers(after)
            changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
            if len(changed) == 1:
                sums.append(changed[0])
            old = new
        steps += len(ran)
    shares = {name: count / steps for name, count in counts.items()}
    if len(sums) > steps / 5:
        most = 10 ** len(str(max(map(max, sums))))
        shares["carries"] = sum(new < old for old, new in sums) / len(sums)
        shares["size"] = sum(old for old, _ in sums) / len(sums) / most
    return shares


def trace_steps(drawn: Drawn) -> list[tuple[ExecutedStep, Any]]:
    """Each executed step with the state after it."""
    ran, read = list[tuple[ExecutedStep, Any]](), STATES[drawn.state].read

    def watch(step: ExecutedStep, scope: Scope) -> None:
        ran.append((step, read(scope)))

    evaluate(drawn.module, limit=10**9, watch=watch)
    return ran


def list_branches(module: Module) -> set[ExecutedStep]:
    """The steps that a condition chooses."""
    ifs = [one for function in module.functions for one in walk_statements(function.body) if isinstance(one, If)]
    return {step for one in ifs for _, body in one.branches for step in body if isinstance(step, ExecutedStep)}


def name_kind(step: ExecutedStep) -> str:
    """``Swap``, ``rotate``, ``+ constant``."""
    first = step.body[0]
    match first:
        case Mutate(operator=operator):
            return operator
        case Assign(value=value) | Set(value=value):
            return write_shape(value)
        case _:
            return f"{type(first).__name__} {len(step.body)} {write_places(first)}"


def write_places(statement: Statement) -> str:
    match statement:
        case Swap((Operation(operator), *_)):
            return operator
        case _:
            return ""


def write_shape(value: Any) -> str:
    """The operators of an expression, and whether it ends with a constant."""
    parts = [*walk_expressions(value)]
    operators = [part.operator for part in parts if isinstance(part, Operation)]
    return " ".join([*operators[:4], str(sum(isinstance(part, Literal) for part in parts))])


def list_numbers(state: Any) -> list[int]:
    match state:
        case str():
            return [*map(ord, state)]
        case Mapping():
            return [*state.values()]
        case [list(), *_]:
            return [number for row in state for number in row]
        case _:
            return [*state]
