"""Adds code that never runs or changes nothing: branches, functions and globals."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache, cached_property
from operator import attrgetter
from typing import Literal, NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._dead_code_places import DeadCodePlaces
from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.core import EMPTY, Dialect, Dose, Perturbation, Program, TextRequest
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.facts import Forms
from pytest_codereason.core.language.dialects import DeadCodeForms
from pytest_codereason.core.language.structure import Code, Function, Insertion
from pytest_codereason.core.random_draws import Draws, FewDraws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert
from pytest_codereason.errors import Skip

#: Pieces where the dose names no strength: the study's numbers. The number of globals depends on the program.
_MEASURE = {"function": 2, "branch": 3}
#: The line of a branch in place of which other statements may stand.
_BODY = re.compile(r"^([ \t]+)\S.*$", re.MULTILINE)
_NUMBER = attrgetter("number")


class _DeadPiece(NamedTuple):
    """One piece of dead code that a program could be given."""

    kind: Literal["global", "function", "branch"]
    number: int  #: among all pieces, in the order of the source; its fresh names carry it
    place: Insertion
    name: str = ""  #: of a global


class DeadCode(Perturbation):
    """Inserts code that changes nothing (CodeCrash, appendix B.1.3).

    Globals are named like variables of functions, branches have conditions that never hold, and functions that would
    never end are never called. Branches get the study's own conditions, or safe ones where the study's might change
    what the program does.

    Args:
        text: statements for branches, as the kind of text ``dead-code`` writes them. Then all pieces are branches; the
            first ones hold these statements, and others the catalogue's.
    """

    name = "dead-code"
    version = 8
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})
    text_kind = "dead-code"
    text_reads_program = False

    def __init__(self, text: str = "") -> None:
        self._statements: list[str] = json.loads(text).get("statements", []) if text else []

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/dead_code.toml``."""
        return read_examples(cls.name)

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest | None:
        """Statements for branches, where a fault is asked for; the rule leaves all to the catalogue."""
        return TextRequest(self.text_kind, program, candidates=("{}",)) if asks == "fault" else None

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with dead code. ``strength`` is the number of pieces.

        By default these are three branches, two functions, and globals for half of the parameters, as far as the
        program has places for them. The first pieces are one of each kind.

        Raises:
            Skip: There is no place for a piece, or the language has no dead code.
        """
        dialect = registry.language(program.language).dialect
        forms = dialect.dead_code
        if forms is None:
            raise Skip(f"the language {program.language} has no dead code")
        code = parse_program(program)
        if looks := forms.sees_code & code.taken:
            raise Skip(f"the program may look at its own lines: {min(looks)}")
        places = DeadCodePlaces(program, code, forms, dialect)
        pieces = _list_pieces(code, places)
        count = len(pieces)
        numbers = draws.list_numbers(3 * count)
        order, drawn, used = numbers[:count], numbers[count : 2 * count], numbers[2 * count :]
        inside = [piece for _, piece in sorted(zip(order, pieces, strict=True))]
        least = (1 - dose.density) * 2.0**64
        if dose.place:
            inside = [piece for piece in inside if dose.allows(program.source, piece.place.at)]
        if self._statements:
            inside = [piece for piece in inside if piece.kind == "branch"]
        if not inside:
            raise Skip(f"there is no place for dead code{f' in quarter {dose.place}' if dose.place else ''}")
        ordered, measure = _order_pieces(inside, code)
        picked = [piece for piece in ordered[: dose.strength or measure] if used[piece.number] >= least]
        bodies = {piece.number: text for piece, text in zip(ordered, self._statements, strict=False)}
        writer = _DeadCodeWriter(code, places, forms, dialect)
        written = [
            writer.write_piece(piece, FewDraws(drawn[piece.number]), bodies.get(piece.number, ""))
            for piece in sorted(picked, key=_NUMBER)
        ]
        published = [piece.published for piece in written if piece.published is not None]
        counted = {self.name: Forms(sum(published), len(published) - sum(published))} if published else EMPTY
        return change(program, Change(edits=tuple(piece.insert for piece in written), forms=counted))


def _order_pieces(pieces: Sequence[_DeadPiece], code: Code) -> tuple[list[_DeadPiece], int]:
    """One piece of each kind, then those of the measure, then all others; and the length of the first two."""
    wanted = {**_MEASURE, "global": -(-sum([len(function.parameters) for function in code.functions]) // 2)}
    first: dict[str, _DeadPiece] = {}
    measured: list[_DeadPiece] = []
    others: list[_DeadPiece] = []
    for piece in pieces:
        kind = piece.kind
        left = wanted[kind] = wanted[kind] - 1
        if kind not in first:
            first[kind] = piece
        elif left >= 0:
            measured.append(piece)
        else:
            others.append(piece)
    return [*first.values(), *measured, *others], len(first) + len(measured)


def _list_pieces(code: Code, places: DeadCodePlaces) -> list[_DeadPiece]:
    """Every possible piece, in the order of the source."""
    tops = dict.fromkeys(map(id, places.list_tops()))
    branches = set(map(id, places.list_branches()))
    first = next(iter(tops), None)
    pieces: list[_DeadPiece] = []
    for place in code.insertions:
        known = id(place)
        if known == first:
            for name in places.list_free_names():
                pieces.append(_DeadPiece("global", len(pieces), place, name))
        if known in tops:
            pieces.append(_DeadPiece("function", len(pieces), place, ""))
        if known in branches:
            pieces.append(_DeadPiece("branch", len(pieces), place, ""))
    return pieces


class _WrittenPiece(NamedTuple):
    """The text of a piece, as it goes to its place."""

    insert: Insert
    published: bool | None  #: whether the study has this text; ``None`` for functions, of which it has others


class _BranchSpot(NamedTuple):
    """Where a branch goes."""

    place: Insertion
    function: Function | None
    name: str  #: the parameter that is read; empty where a number stands for it


class _FalseCondition(NamedTuple):
    """A condition that never holds: the study's own text, and a safe text."""

    published: str
    safe: str = ""  #: empty where the study's own is always safe
    demand: Literal["", "equal", "printable"] = ""  #: what the parameter must be for the study's own text


_NO_CONDITION = _FalseCondition("")


@cache
def _list_false_conditions(
    dialect: Dialect, constant: bool, of_parameter: bool, printing: bool
) -> tuple[_FalseCondition, ...]:
    """The conditions of a language: all that are computed, and those of other kinds as they are asked for."""
    forms = dialect.dead_code
    assert forms is not None
    conditions = [_FalseCondition(text) for text in forms.computed_conditions]
    if constant:
        conditions += [_FalseCondition(text) for text in forms.constant_conditions]
    if of_parameter:
        conditions += [_FalseCondition(*pair, demand="equal") for pair in forms.parameter_conditions]
    if printing:
        conditions.append(_FalseCondition(*forms.printing_condition, demand="printable"))
    return tuple(conditions)


class _DeadCodeWriter:
    """Writes the pieces of one program."""

    def __init__(self, code: Code, places: DeadCodePlaces, forms: DeadCodeForms, dialect: Dialect) -> None:
        self._forms, self._places = forms, places
        self._dialect, self._taken = dialect, code.taken
        self._newline = "\r\n" if "\r\n" in code.source else "\n"

    def write_piece(self, piece: _DeadPiece, draws: FewDraws, body: str = "") -> _WrittenPiece:
        """The lines of a piece; they depend on no other piece. ``body`` is what stands in a branch."""
        kind, number, place, name = piece
        published: bool | None = True
        if kind == "branch":
            text, published = self._write_branch(piece, draws, body)
        elif kind == "function":
            published = None
            text = draws.choice(self._forms.functions)
            one, other = (self._choose_fresh_name(f"{stem}{number}") for stem in self._forms.function_names)
            text %= {"f": one, "g": other, "n": 1 + draws.below(9)}
        else:
            text = draws.choice(self._forms.globals)
            text %= {"name": name, "n": draws.below(1000)}
        at, _, _, indent, before, after, _ = place
        if "\n" in text:
            text = text.replace("\n", self._newline + indent)
        return _WrittenPiece(Insert(at, f"{before}{text}{after}"), published)

    def _choose_fresh_name(self, stem: str) -> str:
        return self._dialect.fresh(stem, self._taken)

    def _write_branch(self, piece: _DeadPiece, draws: FewDraws, body: str) -> tuple[str, bool | None]:
        """The text of a branch, and whether it is the study's; ``None`` with a body."""
        forms, places = self._forms, self._places
        function = places.find_function(piece.place)
        readable = places.list_readable(function, piece.place)
        branch = draws.choice([text for text in self._branches if _BODY.search(text)] if body else self._branches)
        name = draws.choice(readable) if readable else ""
        p = {"p": f"{self._dialect.sigil}{name}" if name else str(draws.below(100))}
        spot = _BranchSpot(piece.place, function, name)
        condition, published = self._settle(draws.choice(self._list_conditions(spot, branch)), spot)
        # As in the study, a number stands for the parameter of a function without any.
        published = published and (bool(name) or function is None or not function.parameters)
        stem = f"{forms.variable}{piece.number}"
        counter = ""
        if "%(i)s" in branch:
            counter = "i" if "i" not in self._taken else self._choose_fresh_name(f"{stem}_i")
            published = published and counter == "i"
        text = branch % {"x": self._choose_fresh_name(stem), "i": counter, "c": condition % p, **p}
        if not body:
            return text, published
        line = _BODY.search(text)
        assert line is not None, "branches with a line of their own are chosen"
        return text[: line.start()] + line[1] + body.replace("\n", f"\n{line[1]}") + text[line.end() :], None

    @cached_property
    def _branches(self) -> list[str]:
        return [text for text in self._forms.branches if self._keeps_meaning(text)]

    def _list_conditions(self, spot: _BranchSpot, branch: str) -> Sequence[_FalseCondition]:
        """The conditions that can be used there."""
        if "%(c)s" not in branch:
            return [_NO_CONDITION]
        is_computed = branch in self._forms.computed_branches
        is_printed = spot.function is not None and self._places.runs_once(spot.place, spot.function)
        conditions = _list_false_conditions(
            self._dialect, not is_computed, bool(spot.name) or not is_computed, is_printed
        )
        if self._places.keeps_names:
            return conditions
        return [condition for condition in conditions if self._keeps_meaning(self._settle(condition, spot)[0])]

    def _settle(self, condition: _FalseCondition, spot: _BranchSpot) -> tuple[str, bool]:
        """The text of a condition that is false there, and whether it is the study's own."""
        published, safe, demand = condition
        is_met = not (safe and demand and spot.name) or self._does_meet(demand, spot)
        return (published, True) if is_met else (safe, False)

    def _does_meet(self, demand: str, spot: _BranchSpot) -> bool:
        place, function, name = spot
        if function is None:
            return False
        values = self._places.values
        if demand == "equal":
            return values.is_equal(name, function)
        return values.is_printable(name, function, place.at, self._forms.prints_collections)

    def _keeps_meaning(self, text: str) -> bool:
        """Whether a text uses no name to which the program may give another meaning."""
        return self._places.keeps_names or not any(name in text for name in self._forms.names)
