"""Misleading comments: each contradicts the code that it stands beside."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.core import Dose, Perturbation, Program
from pytest_codereason.core.parts import PerturbationExample
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.perturbations._examples import read_examples
from pytest_codereason.perturbations._messages import deal_messages, insert_text, list_places
from pytest_codereason.perturbations._places import choose_places, find_quarter, parse_program
from pytest_codereason.registry import language
from pytest_codereason.text.changes import Change, change


class Comments(Perturbation):
    """A misleading comment before each function body, return, loop, ``if``, assignment and operation on a collection.

    Strength is the number of comments (CodeCrash, section 2.2 and appendix B.2, there called MCC).
    """

    name = "comments"
    version = 1
    capabilities = frozenset({"syntax", "dialect"})

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
        chosen = choose_places(messages, dose, draws, lambda pair: find_quarter(program.source, pair[1].at))
        edits = tuple(insert_text(spot, dialect.comment(message)) for message, spot in chosen)
        return change(program, Change(edits=edits))
