"""Misleading comments: each contradicts the code on its line."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._messages import (
    PLACEMENTS,
    deal_messages,
    find_offset,
    list_places,
    write_comments,
)
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.registry import language


class Comments(Perturbation):
    """A misleading comment at each function, return, loop, ``if``, assignment and operation on a collection.

    The comment stands at the end of the line; with the placement ``own-line`` it stands on a line of its own above, and
    that of a function first in its body. A line that cannot end in a comment gets its comment above, too. Strength is
    the number of messages; those of one line share a comment (CodeCrash, section 2.2 and appendix B.2, there called
    MCC).
    """

    name = "comments"
    version = 4
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})
    placements = PLACEMENTS

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/comments.toml``."""
        return read_examples(cls.name)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with comments.

        Raises:
            Skip: There is no place for a comment.
        """
        dialect = language(program.language).dialect
        messages = deal_messages(list_places(parse_program(program), dialect.operations), draws)
        chosen = dose.choose(messages, draws, program.source, lambda pair: find_offset(pair[1], dose.placement))
        return change(program, Change(edits=tuple(write_comments(chosen, dialect.comment, dose.placement))))
