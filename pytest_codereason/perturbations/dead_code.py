"""Code that is never run or never matters: branches, functions and globals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from pytest_codereason import registry
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Code, Insertion
from pytest_codereason.errors import Skip
from pytest_codereason.perturbations._choosing import quarter
from pytest_codereason.perturbations._dead_places import Places
from pytest_codereason.perturbations._dead_wording import WORDINGS
from pytest_codereason.perturbations._parsing import parsed
from pytest_codereason.text.changes import Change, change
from pytest_codereason.text.edits import Insert

#: Pieces where the dose names no strength.
_MEASURE = 5


class Piece(NamedTuple):
    """One piece of dead code that a program could be given."""

    kind: Literal["global", "function", "branch"]
    number: int  #: among all pieces, in the order of the source; its fresh names carry it
    place: Insertion
    name: str = ""  #: of a global


class DeadCode(Perturbation):
    """Inserts code that changes nothing (CodeCrash, appendix B.1.3).

    Globals are named like variables of functions, branches have conditions that never hold, and functions that would
    never end are never called.
    """

    name = "dead-code"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with dead code; ``strength`` is the number of pieces, by default five.

        There is one of each kind among them where there is a place for it.
        """
        code, wording = parsed(program), WORDINGS[program.language]
        if found := wording.sees_code & code.taken:
            raise Skip(f"the program may look at its own lines: {min(found)}")
        places = Places(program, code, wording)
        pieces = _pieces(code, places)
        order = draws.shuffled(pieces)
        used = [draws.chance(dose.density) for _ in pieces]
        seeds = [int(draws.uniform() * 2**53) for _ in pieces]
        here = [p for p in order if not dose.place or quarter(program.source, p.place.at) == dose.place]
        if not here:
            raise Skip(f"there is no place for dead code{f' in quarter {dose.place}' if dose.place else ''}")
        firsts = {piece.kind: piece.number for piece in reversed(here)}
        # One of each kind, then branches, then whatever there is.
        mixed = sorted(here, key=lambda p: 0 if p.number == firsts[p.kind] else 1 if p.kind == "branch" else 2)
        picked = [piece for piece in mixed[: dose.strength or _MEASURE] if used[piece.number]]
        writer = _Writer(program.language, code, places)
        edits = [
            Insert(piece.place.at, writer.write(piece, Draws(seeds[piece.number])))
            for piece in sorted(picked, key=lambda piece: piece.number)
        ]
        return change(program, Change(edits=tuple(edits)))


def _pieces(code: Code, places: Places) -> list[Piece]:
    """Every piece there could be, in the order of the source."""
    tops, branches = places.tops(), {id(place) for place in places.branches()}
    first = tops[0] if tops else None
    known = {id(place) for place in tops}
    pieces: list[Piece] = []
    for place in code.insertions:
        if place is first:
            for name in places.globals():
                pieces.append(Piece("global", len(pieces), place, name))
        if id(place) in known:
            pieces.append(Piece("function", len(pieces), place))
        if id(place) in branches:
            pieces.append(Piece("branch", len(pieces), place))
    return pieces


class _Writer:
    """Writes the pieces of one program."""

    def __init__(self, language: str, code: Code, places: Places) -> None:
        self._wording, self._places = WORDINGS[language], places
        self._speaker, self._taken = registry.language(language), code.taken
        self._newline = "\r\n" if "\r\n" in code.source else "\n"

    def write(self, piece: Piece, draws: Draws) -> str:
        """The lines of a piece, as they go to its place; they depend on no other piece."""
        match piece.kind:
            case "global":
                text = draws.choice(self._wording.declaration)
                text %= {"name": piece.name, "n": draws.below(1000)}
            case "function":
                stem = f"{self._wording.function}{piece.number}"
                text = draws.choice(self._wording.functions)
                other = self._fresh(f"{stem}_b") if "%(g)s" in text else ""
                text %= {"f": self._fresh(stem), "g": other, "n": 1 + draws.below(9)}
            case "branch":
                text = self._branch(piece, draws)
        place = piece.place
        return place.before + text.replace("\n", self._newline + place.indent) + place.after

    def _fresh(self, stem: str) -> str:
        return self._speaker.dialect.fresh(stem, self._taken)

    def _branch(self, piece: Piece, draws: Draws) -> str:
        wording, places = self._wording, self._places
        function = places.around(piece.place)
        readable = places.readable(function)
        form = draws.choice(self._plain(wording.branches))
        conditions = [*wording.others, *(() if form in wording.opaque else wording.literals)]
        if readable:
            conditions += wording.about
        if function is not None and places.once(piece.place, function):
            conditions.append(wording.loud)
        condition = draws.choice(self._plain(conditions))
        p = {"p": draws.choice(readable) if readable else "done"}
        stem = f"{wording.variable}{piece.number}"
        return form % {
            "x": self._fresh(stem),
            "i": self._fresh(f"{stem}_i") if "%(i)s" in form else "",
            "c": condition % p,
            "v": wording.parameter % p if readable else draws.below(100),
            "n": draws.below(100),
        }

    def _plain(self, texts: Sequence[str]) -> Sequence[str]:
        """Those of some texts that use no name to which the program may give another meaning."""
        if self._places.trusting:
            return texts
        return [text for text in texts if not any(name in text for name in self._wording.called)]
