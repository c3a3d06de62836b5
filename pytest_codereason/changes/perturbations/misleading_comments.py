"""Puts comments that tell a wrong story in place of a program's own."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.changes.perturbations._stories import draw_story, list_spots, tell_story
from pytest_codereason.core import Dose, Perturbation, Program, TextRequest
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.errors import Skip

#: Comments where the dose names no strength and the program has fewer.
_LEAST = 3


class MisleadingComments(Perturbation):
    """Replaces comments by coherent descriptions of something else (the fourth study's M_c).

    Each says what the code beside it is for, in a story about invoices or a greenhouse. Strength is the number of
    comments; a program that has fewer gets further ones, each on a line of its own. Without a strength all comments are
    replaced. Docstrings count as comments where no code can read them.

    Args:
        text: texts by the kind of code, as the kind of text ``comments`` writes them; the catalogue's come after them.
    """

    name = "misleading-comments"
    version = 1
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "dialect"})
    text_kind = "comments"
    text_reads_program = False

    def __init__(self, text: str = "") -> None:
        self._story: dict[str, list[str]] = json.loads(text) if text else {}

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/misleading_comments.toml``."""
        return read_examples(cls.name)

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest:
        """The texts for the comments of a program, by the kind of code; the rule leaves all to the catalogue."""
        return TextRequest(self.text_kind, program, candidates=("{}",))

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with a wrong story in its comments.

        Raises:
            Skip: The program has no comment, and no place for one.
        """
        spots = draws.shuffle(list_spots(program))
        used = [draws.chance(dose.density) for _ in spots]
        ordered = sorted(zip(spots, used, strict=True), key=lambda pair: not pair[0].own)
        inside = [(spot, is_used) for spot, is_used in ordered if dose.allows(program.source, spot.at)]
        if not inside:
            raise Skip(f"there is no place for a comment{f' in quarter {dose.place}' if dose.place else ''}")
        count = dose.strength or max(_LEAST, sum(spot.own for spot, _ in inside))
        story = draw_story(parse_program(program), draws)
        for kind, texts in self._story.items():
            story[kind] = [*dict.fromkeys([*texts, *story.get(kind, [])])]
        edits = tell_story([spot for spot, _ in inside[:count]], story)
        chosen = [edit for edit, (_, is_used) in zip(edits, inside, strict=False) if is_used]
        return change(program, Change(edits=tuple(chosen)))
