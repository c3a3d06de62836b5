"""Draws programs of ``horizon``: a state, a form and a number of executed steps give a program of exactly these.

A body of four operations is repeated in a loop, or each round has a body of its own. What the rounds leave over stands
before them. Where functions call each other, a round is a call.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    CountLoop,
    Datum,
    ExecutedStep,
    Expression,
    FunctionDefinition,
    If,
    Invocation,
    Literal,
    Module,
    Name,
    Operation,
    Return,
    Statement,
    find_type,
    thaw,
)
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.programs.generation.evaluation import Machine, Scope, evaluate
from pytest_codereason.programs.horizon.operations import BODY, make_list
from pytest_codereason.programs.horizon.rules import IDLE, Unfit, Watcher
from pytest_codereason.programs.horizon.states import STATES, State

FORMS = ("unrolled", "looped", "nested")
#: The most executed steps of a program with a loop.
MOST = 65_536
#: The most calls that wait for each other.
DEPTH = 100
#: Bodies that are drawn for one round, before the whole program is drawn again.
BODIES = 1_000
_LIMIT = sys.maxsize
_OUTER, _INNER, _DEPTH = (Name(name, "int") for name in "ijk")
_RESULT = Name("xs", "list")  # of a call


@dataclass(frozen=True, slots=True)
class Drawn:
    """A program with what it returns."""

    state: str
    module: Module
    start: Any  #: the state before the first step
    output: Any

    def list_states(self) -> list[Any]:
        """The start, and the state after each executed step."""
        states, read = [self.start], STATES[self.state].read

        def watch(step: ExecutedStep, scope: Scope) -> None:
            states.append(read(scope))

        evaluate(self.module, limit=_LIMIT, watch=watch)
        return states


Arguments = tuple[Datum, ...]


def draw_start(name: str, draws: Draws) -> Arguments:
    """The arguments of a program, which hold its start."""
    return STATES[name].draw_start(draws)


def draw(name: str, form: str, steps: int, arguments: Arguments, draws: Draws) -> Drawn | None:
    """A program of so many executed steps; ``None`` where these draws make none that may be asked about."""
    state = STATES[name]
    writer = (_CallWriter if state.recurses else _Writer)(state, arguments, draws)
    try:
        module, output = writer.write("unrolled" if steps < BODY else form, steps)
    except Unfit:
        return None
    return Drawn(name, module, writer.start, output)


class _Writer:
    """Writes one program whose operations stand in one function."""

    def __init__(self, state: State, arguments: Arguments, draws: Draws) -> None:
        self._state, self._arguments, self._draws = state, arguments, draws
        self._setup = state.draw_setup(draws)
        self._machine = Machine(self._make_module(()), limit=_LIMIT)
        self._machine.scope = dict(zip((one.name for one in state.parameters), map(thaw, self._arguments), strict=True))
        self._machine.run(self._setup)
        self.start = state.read(self._machine.scope)

    def write(self, form: str, steps: int) -> tuple[Module, Any]:
        """The program and what it returns.

        Raises:
            Unfit: it may not be asked about.
        """
        if form == "unrolled":
            return self._unroll(steps)
        rounds, rest = divmod(steps, BODY)
        lead, body = self._draw_body()[:rest], self._draw_body()
        if form == "nested":
            inner = find_divisor(rounds, isqrt(rounds))
            body = (CountLoop(_INNER, Literal(inner), body),)
            rounds //= inner
        module = self._make_module((*lead, CountLoop(_OUTER, Literal(rounds), body)))
        watcher = Watcher(self._state, self.start, steps, idle=IDLE)
        watcher.expect(body)
        return module, _watch(module, watcher)

    def _unroll(self, steps: int) -> tuple[Module, Any]:
        """A row of bodies. One with a step that leaves the state as it is, is drawn again alone."""
        watcher = self._machine.watch = Watcher(self._state, self.start, steps, idle=0)
        rounds, rest = divmod(steps, BODY)
        block: Block = ()
        for size in (rest, *[BODY] * rounds):
            block += self._extend(size, watcher)
        watcher.check_end()
        return self._make_module(block), watcher.states[-1]

    def _extend(self, size: int, watcher: Watcher) -> Block:
        """The first operations of a body, after they were run."""
        scope, before = copy.deepcopy(self._machine.scope), len(watcher.states) - 1
        for _ in range(BODIES):
            body = self._draw_body()[:size]
            watcher.expect(body)
            try:
                self._machine.run(body)
                return body
            except Unfit:
                self._machine.scope = copy.deepcopy(scope)
                watcher.forget(before)
        raise Unfit

    def _draw_body(self) -> Block:
        return self._state.draw_body(self._draws)

    def _make_module(self, block: Block) -> Module:
        body = (*self._setup, *block, Return(self._state.result))
        entry = FunctionDefinition("f", self._state.parameters, find_type(self._state.result), body)
        return Module((entry,), self._arguments, self._state.fields)


class _CallWriter(_Writer):
    """Writes one program whose rounds are functions that call each other."""

    def write(self, form: str, steps: int) -> tuple[Module, Any]:
        """See :meth:`_Writer.write`."""
        rounds, rest = divmod(steps, BODY)
        functions = [self._write_level("h", size=rest)] if rest else []
        calls = [("h", 0, 1)] if rest else []  # of which function, how deep, how often
        if form == "unrolled":
            names = [f"g{number}" for number in range(1, rounds + 1)]
            for place, name in enumerate(names):
                last = (place + 1) % DEPTH == 0 or place + 1 == rounds
                functions.append(self._write_level(name, "" if last else names[place + 1]))
            calls += [(name, 0, 1) for name in names[::DEPTH]]
        elif rounds:
            depth = find_divisor(rounds, min(DEPTH, isqrt(rounds)) if form == "nested" else DEPTH)
            functions.append(self._write_level("g", "g"))
            calls.append(("g", depth, rounds // depth))
        entry = FunctionDefinition("f", self._state.parameters, "list", self._write_entry(calls))
        module = Module((*functions, entry), self._arguments)
        return module, _watch(module, Watcher(self._state, self.start, steps, idle=IDLE))

    def _write_level(self, name: str, inner: str = "", size: int = BODY) -> FunctionDefinition:
        """A function with so many steps of a body, and a call of ``inner`` between its halves.

        A function that calls itself counts down to 0.
        """
        body, half, names = self._draw_body(), BODY // 2, self._state.parameters
        places = sorted(self._draws.shuffle(range(BODY))[:size])
        before, after = ([body[place] for place in places if (place < half) == early] for early in (True, False))
        turned: tuple[Expression, ...] = (*names[1:], names[0])
        end: Block = ()
        if inner == name:
            at_end = Operation("==", (_DEPTH, Literal(0)))
            end = (If(((at_end, (Return(make_list(names)),)),)),)
        less = (Operation("-", (_DEPTH, Literal(1))),) if end else ()
        result = Invocation(inner, (*less, *turned), "list") if inner else make_list(turned)
        parameters = (_DEPTH, *names) if end else names
        return FunctionDefinition(
            name, parameters, "list", (*end, *before, Assign(_RESULT, result), *after, Return(_RESULT))
        )

    def _write_entry(self, calls: Sequence[tuple[str, int, int]]) -> Block:
        """The calls one after another, each of which is given what the one before returned."""
        names: tuple[Expression, ...] = self._state.parameters
        values, block = names, list[Statement]()
        for name, depth, times in calls:
            if times > 1 and not block:
                block.append(Assign(_RESULT, make_list(names)))
            if block:
                values = tuple(Operation("item", (_RESULT, Literal(place))) for place in range(len(names)))
            call = Assign(_RESULT, Invocation(name, (*([Literal(depth)] if depth else []), *values), "list"))
            block.append(CountLoop(_OUTER, Literal(times), (call,)) if times > 1 else call)
        match block:
            case []:
                return (Return(self._state.result),)
            case [Assign(value=value)]:
                return (Return(value),)
            case _:
                return (*block, Return(_RESULT))


def find_divisor(number: int, most: int) -> int:
    """The greatest divisor of a number that is not above ``most``."""
    return next(each for each in range(most, 0, -1) if number % each == 0) if number else 1


def _watch(module: Module, watcher: Watcher) -> Any:
    """What a program returns that breaks no rule."""
    output = evaluate(module, limit=_LIMIT, watch=watcher).value
    watcher.check_end()
    return output
