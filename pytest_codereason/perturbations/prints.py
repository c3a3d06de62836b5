"""Misleading messages that the program prints as it runs: the comments of ``comments.py`` in another form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Code, Span
from pytest_codereason.errors import Skip
from pytest_codereason.perturbations._choosing import chosen, quarter
from pytest_codereason.perturbations._messages import Place, inserted, places, remarks
from pytest_codereason.perturbations._parsing import parsed
from pytest_codereason.registry import language
from pytest_codereason.text.changes import Change, change

#: What each language prints with, by another name for it or with another end: a program that has its hands on this
#: may read what is printed, or print in a way of its own.
_REDIRECTED: Mapping[str, re.Pattern[str]] = {
    "python": re.compile(r"redirect_stdout|\bstdout\s*=(?!=)|\bbuiltins\b|\bdup2\b|\bstdout\.close\b"),
    "javascript": re.compile(
        r"\bconsole\b(?!\s*(?:\?\.|\.)\s*\w+\s*\()|\bconsole\s*\.\s*\w+\s*=(?!=)|\bstdout\b(?!\s*\.\s*write\s*\()"
    ),
    "php": re.compile(r"\bob_\w+\s*\(", re.IGNORECASE),
    "java": re.compile(r"\bSystem\b(?!\s*\.)|\bset(?:Out|IO)\s*\("),
}
_PRINTER: Mapping[str, str] = {"python": "print", "javascript": "console"}


class Prints(Perturbation):
    """A misleading message printed before each place at which ``comments`` has one.

    Strength is the number of prints (CodeCrash, section 2.2 and appendix B.2, there called MPS). What a program
    returns stays the same, what it prints does not.
    """

    name = "prints"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with prints.

        Raises:
            Skip: there is no place for one, or printing might change what the program does.
        """
        lang = language(program.language)
        code = parsed(program)
        _check(code, lang.name)
        inner = _inner_loops(code)
        found = remarks([place for place in places(code, lang.name) if _fits(place, inner, lang.name)], draws)
        used = chosen(found, dose, draws, lambda remark: quarter(program.source, remark[1].at))
        edits = tuple(inserted(spot, lang.dialect.print_statement(message)) for message, spot in used)
        return change(program, Change(edits=edits))


def _check(code: Code, name: str) -> None:
    """Raises Skip where a print might be noticed by the program itself, or do something else."""
    if _REDIRECTED[name].search(code.source):
        raise Skip("the program may read what it prints")
    printer = _PRINTER.get(name)
    if printer in code.taken and any(binding.name == printer for binding in code.bindings):
        raise Skip(f"the program has a {printer} of its own")


def _inner_loops(code: Code) -> list[Span]:
    """The loops within loops: what is printed in there may outgrow what a sandbox takes."""
    found, end = [], 0
    for loop in sorted({site.span for site in code.sites_of("loop")}):
        if loop.start < end:
            found.append(loop)
        else:
            end = loop.end
    return found


def _fits(place: Place, inner: Sequence[Span], name: str) -> bool:
    """Whether a statement may stand at a place, and is not run too often."""
    _, spot = place
    if spot.place != "statement" and not (spot.place == "top" and name in _PRINTER):
        return False
    return not any(loop.start < spot.at < loop.end for loop in inner)
