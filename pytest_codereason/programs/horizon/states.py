"""The states that programs of ``horizon`` change, and the operations that change them.

An operation can be undone, and it moves the state: ``a = (a + b) % 100`` can be undone because ``b`` is still there. A
condition reads only places that its branches do not write. So two states never become one: no step can be left out, and
an answer has as many bits as the start. Of ``queue`` and ``calls`` this is not proven but measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    Datum,
    Expression,
    Field,
    Literal,
    Name,
    Operation,
    Set,
    Statement,
    Swap,
)
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.programs.generation.evaluation import Scope
from pytest_codereason.programs.horizon.lists import (
    GROW,
    LIST,
    START,
    TWO_DIGITS,
    XS,
    Q,
    draw_growth_branch,
    draw_list_branch,
    draw_queue,
    get_item,
)
from pytest_codereason.programs.horizon.operations import (
    add,
    add_either,
    branch,
    compare,
    draw_body,
    draw_two,
    make_list,
    step,
)

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_HUNDRED, _TEN = 100, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One kind of state: how it begins, what changes it, and what is returned of it."""

    parameters: tuple[Name, ...]
    draw_start: Callable[[Draws], tuple[Datum, ...]]  #: the arguments of the call
    draw_body: Callable[[Draws], Block]  #: four operations in the order in which they run
    result: Expression
    #: the value of ``result`` as a copy, from what a function sees
    read: Callable[[Scope], Any]
    draw_setup: Callable[[Draws], Block] = lambda draws: ()  #: what runs before the first step
    fields: tuple[str, ...] = ()  #: of the class ``Cell``
    loops: bool = True  #: whether its bodies may be repeated
    unrolled: int = 1_024  #: the most steps without a loop
    recurses: bool = False  #: whether the two halves of a body stand before and after an inner call


# Whole numbers


def _draw_numbers(draws: Draws, count: int, below: int) -> tuple[int, ...]:
    return tuple(draws.below(below) for _ in range(count))


_INTS = tuple(Name(name, "int") for name in "abcd")


def _draw_ring(draws: Draws) -> Block:
    """Four variables that read each other in a ring: the condition reads the last one and writes the first."""
    first, *others = draws.shuffle(_INTS)
    last = others[-1]
    condition = compare(*draws.shuffle([last, draws.choice(others[:-1])]))
    adds = [add(place, before, _HUNDRED) for before, place in zip((first, *others), others, strict=False)]
    return tuple(draws.shuffle([add_either(draws, condition, first, range(11, 90), _HUNDRED), *adds]))


_DIGITS = tuple(Name(name, "int") for name in "abcdegh")  # f is the function


def _draw_digit_branch(draws: Draws) -> Statement:
    left, right, place = draws.shuffle(_DIGITS)[:3]
    return add_either(draws, compare(left, right), place, range(1, 5), _TEN)


# Texts


_S = Name("s", "str")


def _join(*parts: Expression) -> Expression:
    joined, *rest = parts
    for part in rest:
        joined = Operation("concatenate", (joined, part))
    return joined


def _letter(place: int) -> Operation:
    return Operation("character", (_S, Literal(place)))


def _cut(operator: str, *places: int) -> Operation:
    return Operation(operator, (_S, *map(Literal, places)))


def _move_first(place: int) -> Expression:
    """The first letter moved behind the letter at a place."""
    return _join(_cut("piece", 1, place + 1), _letter(0), _cut("tail", place + 1))


def _reverse(count: int) -> Expression:
    """The first letters in the opposite order."""
    return _join(*map(_letter, reversed(range(count))), _cut("tail", count))


def _draw_text_branch(draws: Draws) -> Statement:
    """Moves letters among the first three, by two of those behind them."""
    left, right = draw_two(draws, range(3, 8))
    moves = (_reverse(2), _move_first(2), _join(_letter(0), _letter(2), _letter(1), _cut("tail", 3)))
    then, otherwise = draw_two(draws, moves)
    earlier = Operation("earlier", (_S, Literal(left), Literal(right)))
    return branch(earlier, step(Assign(_S, then)), step(Assign(_S, otherwise)))


def _rotate_text(count: int) -> Expression:
    return _join(_cut("tail", count), _cut("head", count))


_TEXT: Sequence[Callable[[Draws], Statement]] = (
    lambda draws: step(Assign(_S, _rotate_text(1 + draws.below(3)))),
    lambda draws: step(Assign(_S, _reverse(3 + draws.below(2)))),
    lambda draws: step(Assign(_S, _move_first(2 + draws.below(4)))),
)


# Dicts


_D = Name("d", "dict")
_KEYS = "abcdefg"


def _get_entry(key: str) -> Operation:
    return Operation("get", (_D, Literal(key)))


def _draw_dict_branch(draws: Draws) -> Statement:
    left, right, place = map(_get_entry, draws.shuffle(_KEYS)[:3])
    return add_either(draws, compare(left, right), place, range(1, 10), _TEN)


def _draw_indirect(draws: Draws) -> Statement:
    """Adds to the entry whose key another entry chooses, which is never the other entry itself."""
    chooser, key = draws.choice(_KEYS), Name("k", "str")
    others = _KEYS.replace(chooser, "")
    place = Operation("%", (_get_entry(chooser), Literal(len(others))))
    added = add(Operation("get", (_D, key)), 1 + draws.below(4), _TEN)
    return step(Assign(key, Operation("character", (Literal(others), place))), *added.body)


_DICT: Sequence[Callable[[Draws], Statement]] = (
    lambda draws: add(_get_entry(draws.choice(_KEYS)), 1 + draws.below(9), _TEN),
    lambda draws: step(Swap(tuple(map(_get_entry, draw_two(draws, _KEYS))))),
    _draw_indirect,
)


# Grids


_G, _SIDE = Name("g", "grid"), 3


def _get_row(row: int) -> Operation:
    return Operation("row", (_G, Literal(row)))


def _get_square(row: int, column: int) -> Operation:
    return Operation("item", (_get_row(row), Literal(column)))


_SQUARES = [_get_square(row, column) for row in range(_SIDE) for column in range(_SIDE)]


def _draw_grid(draws: Draws) -> Block:
    """Two squares that read each other, by a condition and by a sum; two rows and two columns swapped.

    Of squares that are drawn freely, nine in ten loops of a thousand steps come back to an earlier state.
    """
    place, total, other = draws.shuffle(_SQUARES)[:3]
    condition = compare(*draws.shuffle([total, other]))
    rows = tuple(map(_get_row, draw_two(draws, range(_SIDE))))
    left, right = draw_two(draws, range(_SIDE))
    columns = [Swap((_get_square(row, left), _get_square(row, right))) for row in range(_SIDE)]
    chosen = add_either(draws, condition, place, range(1, 10), _TEN)
    return tuple(draws.shuffle([chosen, add(total, place, _TEN), step(Swap(rows)), step(*columns)]))


# Objects under several names


_CELLS = tuple(Name(name, "cell") for name in "xyz")
_FIELDS = tuple("abcd")
_LISTS = (Name("us", "list"), Name("vs", "list"))


def _draw_aliases(draws: Draws) -> Block:
    """Two cells, and a third name for one of them."""
    *made, third = _CELLS
    cells = [Operation("cell", tuple(get_item(values, i) for i in range(len(_FIELDS)))) for values in _LISTS]
    return (*map(Assign, made, cells), Assign(third, draws.choice(made)))


def _draw_alias_branch(draws: Draws) -> Statement:
    """The condition reads two fields of which the branches write none, whatever cells the names stand for."""
    left, right, place = draws.shuffle(_FIELDS)[:3]
    first, second = draw_two(draws, _CELLS)
    condition = compare(Field(first, left), Field(second, right))
    return add_either(draws, condition, Field(draws.choice(_CELLS), place), range(1, 10), _TEN)


def _draw_alias_sum(draws: Draws) -> Statement:
    """Adds from 1 to 9 by another field of another name: adding 0 would move nothing."""
    place, other = map(Field, draw_two(draws, _CELLS), draw_two(draws, _FIELDS))
    rest = Operation("%", (other, Literal(_TEN - 1)))
    total = Operation("+", (Operation("+", (place, rest)), Literal(1)))
    return step(Set(place, Operation("%", (total, Literal(_TEN)))))


_ALIAS: Sequence[Callable[[Draws], Statement]] = (
    lambda draws: add(Field(draws.choice(_CELLS), draws.choice(_FIELDS)), 1 + draws.below(9), _TEN),
    _draw_alias_sum,
    lambda draws: step(Swap(_CELLS)),
)


# Calls


def _draw_call(draws: Draws) -> Block:
    """Two steps on the parameters before the inner call, and two on its result after it, by the parameters."""
    first, second, other = draws.shuffle(_INTS)[:3]
    before = draws.shuffle(
        [add(first, draws.choice((second, other)), _HUNDRED), add(second, 11 + draws.below(79), 100)]
    )
    after = [add(get_item(XS, index), draws.choice(_INTS), _HUNDRED) for index in draw_two(draws, range(len(_INTS)))]
    return (*before, *after)


def _read_frame(scope: Scope) -> list[int]:
    return [*scope["xs"]] if "xs" in scope else [scope[name.name] for name in _INTS]


def _make_numbers(names: tuple[Name, ...], below: int, draw_body: Callable[[Draws], Block], loops: bool) -> State:
    return State(
        parameters=names,
        draw_start=partial(_draw_numbers, count=len(names), below=below),
        draw_body=draw_body,
        result=make_list(names),
        read=lambda scope: [scope[name.name] for name in names],
        loops=loops,
    )


STATES: Mapping[str, State] = {
    "int": _make_numbers(_INTS, _HUNDRED, _draw_ring, loops=True),
    "digits": _make_numbers(
        _DIGITS,
        _TEN,
        partial(
            draw_body,
            condition=_draw_digit_branch,
            others=(
                lambda draws: add(draws.choice(_DIGITS), 1 + draws.below(4), _TEN),
                lambda draws: step(Swap(tuple(draw_two(draws, _DIGITS)))),
            ),
        ),
        loops=False,
    ),
    "grow": State(
        parameters=(XS,),
        draw_start=lambda draws: (tuple(draws.shuffle(TWO_DIGITS)[:START]),),
        draw_body=partial(draw_body, condition=draw_growth_branch, others=GROW),
        result=XS,
        read=lambda scope: [*scope["xs"]],
        loops=False,
    ),
    "list": State(
        parameters=(XS,),
        draw_start=lambda draws: (tuple(draws.shuffle(range(10))),),
        draw_body=partial(draw_body, condition=draw_list_branch, others=LIST),
        result=XS,
        read=lambda scope: [*scope["xs"]],
    ),
    "text": State(
        parameters=(_S,),
        draw_start=lambda draws: ("".join(draws.shuffle(_LETTERS)[:8]),),
        draw_body=partial(draw_body, condition=_draw_text_branch, others=_TEXT),
        result=_S,
        read=lambda scope: scope["s"],
    ),
    "dict": State(
        parameters=(_D,),
        draw_start=lambda draws: ({key: draws.below(_TEN) for key in _KEYS},),
        draw_body=partial(draw_body, condition=_draw_dict_branch, others=_DICT),
        result=_D,
        read=lambda scope: {**scope["d"]},
    ),
    "alias": State(
        parameters=_LISTS,
        draw_start=lambda draws: (_draw_numbers(draws, 4, _TEN), _draw_numbers(draws, 4, _TEN)),
        draw_setup=_draw_aliases,
        draw_body=partial(draw_body, condition=_draw_alias_branch, others=_ALIAS),
        result=make_list([Field(name, field) for name in _CELLS for field in _FIELDS]),
        read=lambda scope: [scope[name.name][field] for name in _CELLS for field in _FIELDS],
        fields=_FIELDS,
    ),
    "calls": State(
        parameters=_INTS,
        draw_start=partial(_draw_numbers, count=len(_INTS), below=_HUNDRED),
        draw_body=_draw_call,
        result=make_list(_INTS),
        read=_read_frame,
        recurses=True,
    ),
    "queue": State(
        parameters=(Q,),
        draw_start=lambda draws: (_draw_numbers(draws, 8, _HUNDRED),),
        draw_body=draw_queue,
        result=Q,
        read=lambda scope: [*scope["q"]],
    ),
    "grid": State(
        parameters=(_G,),
        draw_start=lambda draws: (tuple(_draw_numbers(draws, _SIDE, _TEN) for _ in range(_SIDE)),),
        draw_body=_draw_grid,
        result=_G,
        read=lambda scope: [[*row] for row in scope["g"]],
        unrolled=512,  # more are too long for a method in some language
    ),
}
