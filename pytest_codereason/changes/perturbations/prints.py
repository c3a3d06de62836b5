"""Misleading messages that the program prints while it runs: the messages of ``comments.py`` as prints."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._messages import Place, deal_messages, insert_text, list_places
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.language.dialects import PrintForms
from pytest_codereason.core.language.structure import Code, Insertion, Span
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language


class Prints(Perturbation):
    """A misleading message printed at each piece of code at which ``comments`` has one.

    The print of a function, a loop or a branch stands first inside; any other stands before its statement. In front of
    a loop within a loop stands the print of the inner loop. Strength is the number of prints (CodeCrash, section 2.2
    and appendix B.2, there called MPS). What a program returns stays the same, what it prints does not.
    """

    name = "prints"
    version = 4
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})
    prints = True

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/prints.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with prints.

        Raises:
            Skip: There is no place for a print, or printing might change what the program does.
        """
        dialect = language(program.language).dialect
        if dialect.printing is None:
            raise Skip(f"the language {program.language} does not say which code notices a print")
        code = parse_program(program)
        _check_printing(program, code, dialect.printing)
        inner = _list_inner_loops(code)
        spots = [
            (place, spot)
            for place in list_places(code, dialect.operations)
            if (spot := _choose_spot(place, inner, dialect.printing))
        ]
        dealt = deal_messages([place for place, _ in spots], draws)
        prints = [(message, spot) for (message, _), (_, spot) in zip(dealt, spots, strict=True)]
        chosen = dose.choose(prints, draws, program.source, lambda pair: pair[1].at)
        edits = [insert_text(spot, dialect.print_statement(message)) for message, spot in chosen]
        edits.sort(key=lambda edit: edit.at)
        return change(program, Change(edits=tuple(edits)))


def _check_printing(program: Program, code: Code, printing: PrintForms) -> None:
    """Raises Skip where the program might notice a print in any of its files, or the print might do something else."""
    if any(printing.redirects.search(text) for text in program.files.values()):
        raise Skip("the program may read what it prints")
    name, text = printing.name, f"{code.source}{code.call}"
    # The glance at the text saves most programs the list of their words.
    if (
        (name in text or not text.isascii())
        and name in code.taken
        and any(binding.name == name for binding in code.bindings)
    ):
        raise Skip(f"the program has a {name} of its own")


def _list_inner_loops(code: Code) -> list[Span]:
    """The loops within loops: what is printed in there may be more than a sandbox takes."""
    inner, end = [], 0
    for loop in sorted({site.span for site in code.sites_of("loop")}):
        if loop.start < end:
            inner.append(loop)
        else:
            end = loop.end
    return inner


def _choose_spot(place: Place, inner: Sequence[Span], printing: PrintForms) -> Insertion | None:
    """Where the print of a place stands: first inside, else before; ``None`` where neither may be."""
    return next((spot for spot in (place.inside, place.own_line) if _may_print(spot, inner, printing)), None)


def _may_print(spot: Insertion, inner: Sequence[Span], printing: PrintForms) -> bool:
    """Whether a statement may stand there, is reached, and is not run too often."""
    if not spot.reachable or (spot.place != "statement" and not (spot.place == "top" and printing.at_top)):
        return False
    return not any(loop.start < spot.at < loop.end for loop in inner)
