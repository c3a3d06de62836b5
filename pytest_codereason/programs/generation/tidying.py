"""Removes statements that have no effect, are never reached, or fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    SIMPLEST,
    Assign,
    Augment,
    Block,
    CountLoop,
    Each,
    Expression,
    FunctionDefinition,
    If,
    Invocation,
    Leave,
    Literal,
    Module,
    Mutate,
    Name,
    Operation,
    Return,
    Statement,
    While,
    find_type,
    list_blocks,
    list_expressions,
    walk_expressions,
    walk_statements,
)
from pytest_codereason.programs.generation.evaluation import PortabilityError, evaluate


def settle(module: Module) -> tuple[Module, Any]:
    """The tidy program that runs to its end, and the value that it returns.

    A statement that fails is removed, with all statements within it. A statement that declares a name or returns must
    stay, and gets the simplest value instead.
    """
    while True:
        module = tidy(module)
        try:
            value, turned, _ = evaluate(module)
            return decide_conditions(module, turned), value
        except PortabilityError as error:
            culprit = error.statement
            assert culprit is not None
            module = _change_bodies(module, partial(_take_out, culprit=culprit))


def tidy(module: Module) -> Module:
    """The program without code that is never read, reached or called. At least one parameter stays."""
    while True:
        smaller = _drop_uncalled(_change_bodies(module, _tidy_body))
        if _measure(smaller) == _measure(module):
            return _drop_parameters(smaller)
        module = smaller


def _tidy_body(body: Block) -> Block:
    return _return_directly(_drop_unreachable(_slice_backwards(body)))


def _take_out(body: Block, culprit: Statement) -> Block:
    return _map_block(body, lambda one: _repair(one) if one is culprit else one)


def _repair(statement: Statement) -> Statement | None:
    match statement:
        case Assign() | Return():
            return replace(statement, value=Literal(SIMPLEST[find_type(statement.value)]))
        case _:
            return None


def _change_bodies(module: Module, change: Callable[[Block], Block]) -> Module:
    return replace(module, functions=tuple(replace(f, body=change(f.body)) for f in module.functions))


def _map_block(block: Block, change: Callable[[Statement], Statement | None]) -> Block:
    """A block after a change of each statement, outer before inner; compound statements without a body go too."""
    return tuple(whole for one in block if (kept := change(one)) and (whole := _map_inner(kept, change)))


def _map_inner(statement: Statement, change: Callable[[Statement], Statement | None]) -> Statement | None:
    match statement:
        case If(branches):
            full = [(condition, body) for condition, inner in branches if (body := _map_block(inner, change))]
            return If(tuple(full)) if full and full[0][0] is not None else None
        case CountLoop() | Each():
            body = _map_block(statement.body, change)
            return replace(statement, body=body) if body else None
        case While():
            return replace(statement, body=_map_block(statement.body, change))
        case _:
            return statement


def _measure(module: Module) -> int:
    """Functions, statements and branches."""
    statements = [one for function in module.functions for one in walk_statements(function.body)]
    return len(module.functions) + sum(1 + len(list_blocks(one)) for one in statements)


def _list_names(read: tuple[Expression, ...]) -> Iterator[str]:
    return (part.name for expression in read for part in walk_expressions(expression) if isinstance(part, Name))


def _list_reads(block: Block) -> set[str]:
    return {name for statement in walk_statements(block) for name in _list_names(list_expressions(statement))}


def _slice_backwards(body: Block) -> Block:
    """The program without statements on which no returned value depends (a backward slice)."""
    names: set[str] = set()
    while True:

        def keep(statement: Statement, names: frozenset[str] = frozenset(names)) -> Statement | None:
            match statement:
                case Assign() | Augment() | Mutate():
                    return statement if statement.target.name in names else None
                case If() | CountLoop() | Each() | While():
                    return statement if _matters(statement, names) else None
                case _:
                    return statement

        smaller = _map_block(body, keep)
        if (more := _list_reads(smaller)) <= names:
            return smaller
        names |= more


def _matters(statement: Statement, names: frozenset[str]) -> bool:
    """Whether a statement changes one of the names, or may end the function or the loop around it."""
    own = [*walk_statements((statement,))]
    targets = {one.target.name for one in own if isinstance(one, Assign | Augment | Mutate)}
    targets |= {one.step.target.name for one in own if isinstance(one, While)}
    leaves = isinstance(statement, If) and any(isinstance(one, Leave) for one in own)
    return leaves or not targets.isdisjoint(names) or any(isinstance(one, Return) for one in own)


def _drop_unreachable(block: Block) -> Block:
    """A block without the statements after its end."""
    kept: list[Statement] = []
    for statement in block:
        match statement:
            case If(branches):
                kept.append(If(tuple((condition, _drop_unreachable(body)) for condition, body in branches)))
            case CountLoop() | Each() | While():
                kept.append(replace(statement, body=_drop_unreachable(statement.body)))
            case _:
                kept.append(statement)
        if _ends(kept[-1]):
            break
    return tuple(kept)


def _ends(statement: Statement) -> bool:
    """Whether the statements after this one in the same block are never run."""
    match statement:
        case Return() | Leave():
            return True
        case If(branches):
            return branches[-1][0] is None and all(_ends(body[-1]) for _, body in branches)
        case _:
            return False


def _return_directly(body: Block) -> Block:
    """Returns a value at once, if the last statement changes a variable that is then returned."""
    match body:
        case (*before, Assign(target, value), Return(result)) if result == target:
            return (*before, Return(value))
        case (*before, Augment(target, symbol, value), Return(result)) if result == target:
            return (*before, Return(Operation(symbol, (target, value))))
        case (*before, Assign(target, Literal(int()) as value), Return(result)):
            return (*before, Return(_substitute(result, target, value)))
        case _:
            return body


def _substitute(expression: Expression, name: Name, value: Expression) -> Expression:
    match expression:
        case Operation(symbol, operands):
            return Operation(symbol, tuple(_substitute(one, name, value) for one in operands))
        case Invocation(function, arguments):
            return Invocation(function, tuple(_substitute(one, name, value) for one in arguments))
        case _:
            return value if expression == name else expression


def _drop_uncalled(module: Module) -> Module:
    """The program without functions that nothing calls. The last function is the entry."""
    *others, main = module.functions
    called = {
        part.function
        for function in module.functions
        for statement in walk_statements(function.body)
        for expression in list_expressions(statement)
        for part in walk_expressions(expression)
        if isinstance(part, Invocation)
    }
    return replace(module, functions=(*(function for function in others if function.name in called), main))


def _drop_parameters(module: Module) -> Module:
    """The program without parameters of the called function that nothing reads."""
    *others, main = module.functions
    kept = _list_read_parameters(main)
    return Module(
        (*others, replace(main, parameters=tuple(main.parameters[place] for place in kept))),
        tuple(module.arguments[place] for place in kept),
    )


def _list_read_parameters(function: FunctionDefinition) -> list[int]:
    reads = _list_reads(function.body)
    return [place for place, parameter in enumerate(function.parameters) if parameter.name in reads] or [0]


#: What holds where a comparison does not.
_OPPOSITES: Mapping[str, str] = {
    one: other
    for pair in ((">", "<="), ("<", ">="), ("==", "!="), ("same", "different"), ("and", "or"))
    for one, other in (pair, pair[::-1])
}


def decide_conditions(module: Module, turned: Mapping[int, bool]) -> Module:
    """The program without ``holds`` and ``fails``. ``turned`` holds, by id, whether each of them negates its condition.

    A condition is negated so that it is true or false when it is first reached, as the draw chose for the branch.
    """

    def block(body: Block) -> Block:
        return tuple(map(statement, body))

    def statement(one: Statement) -> Statement:
        match one:
            case If(branches):
                return If(tuple((condition and test(condition), block(body)) for condition, body in branches))
            case CountLoop() | Each() | While():
                return replace(one, body=block(one.body))
            case _:
                return one

    def test(condition: Expression) -> Expression:
        match condition:
            case Operation("holds" | "fails", (inner,)):
                return negate(inner) if turned.get(id(condition)) else inner
            case _:
                return condition

    return replace(module, functions=tuple(replace(f, body=block(f.body)) for f in module.functions))


def negate(condition: Expression) -> Expression:
    """The negated condition."""
    match condition:
        case Operation("not", (inner,)):
            return inner
        case Operation("and" | "or" as word, operands):
            return Operation(_OPPOSITES[word], tuple(map(negate, operands)))
        case Operation(symbol, operands) if symbol in _OPPOSITES:
            return Operation(_OPPOSITES[symbol], operands)
        case _:
            return Operation("not", (condition,))
