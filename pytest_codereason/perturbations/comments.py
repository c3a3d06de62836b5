"""Misleading comments: each contradicts the code that it stands beside."""

from __future__ import annotations

from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.draws import Draws
from pytest_codereason.perturbations._choosing import chosen, quarter
from pytest_codereason.perturbations._messages import inserted, places, remarks
from pytest_codereason.perturbations._parsing import parsed
from pytest_codereason.registry import language
from pytest_codereason.text.changes import Change, change


class Comments(Perturbation):
    """A misleading comment before each function body, return, loop, ``if``, assignment and operation on a collection.

    Strength is the number of comments (CodeCrash, section 2.2 and appendix B.2, there called MCC).
    """

    name = "comments"
    version = 1

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with comments.

        Raises:
            Skip: there is no place for one.
        """
        lang = language(program.language)
        found = remarks(places(parsed(program), lang.name), draws)
        used = chosen(found, dose, draws, lambda remark: quarter(program.source, remark[1].at))
        edits = tuple(inserted(spot, lang.dialect.comment(message)) for message, spot in used)
        return change(program, Change(edits=edits))
