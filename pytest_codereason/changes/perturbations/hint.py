"""Misleading hints: a comment states a wrong but plausible value for the answer of the question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_codereason.changes.perturbations._examples import read_examples
from pytest_codereason.changes.perturbations._line_ends import SIMPLE, find_signature_end, find_statement_end
from pytest_codereason.changes.perturbations._messages import (
    PLACEMENTS,
    Place,
    find_first_insertion,
    find_offset,
    map_insertions,
    returns_value,
    write_comments,
)
from pytest_codereason.changes.perturbations._places import parse_program
from pytest_codereason.changes.perturbations._wrong_values import list_wrong_inputs, list_wrong_values
from pytest_codereason.core import Dose, Language, Perturbation, Program, TextRequest
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.language.structure import Code, Function
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.errors import Refused, Skip
from pytest_codereason.registry import language

#: How many wrong values are made. A comment may be unable to hold the first, or an input may give the output after all.
COUNTS: Mapping[str, int] = {"output": 3, "input": 8}
#: The words of the study for outputs, and this project's own for inputs.
_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "output": ("The return value is {}",),
    # The study's words name the function, whose name may change after the comment is written.
    "input": (
        "The arguments that lead to this outcome are ({}).",
        "Called with ({}), the function gives the outcome in question.",
        "This outcome was recorded for the arguments ({}).",
        "The input in question is ({}).",
        "To get the stated outcome, pass ({}).",
        "What was passed in is ({}).",
    ),
}


class _PlannedComments(NamedTuple):
    """The comments of one hint: where they stand, their sentences, and the values that they could say."""

    places: tuple[Place, ...]
    sentences: tuple[str, ...]  #: ``{}`` stands for the value
    values: tuple[str, ...]  #: wrong, and fit for a comment; the best first


class Hint(Perturbation):
    """Adds a comment with a wrong output, or with a wrong input if the question asks for an input.

    The comment stands at the end of the line of the called function or of a ``return``. With the placement
    ``own-line``, and where a line cannot end in a comment, it stands first in the function's body or above the
    ``return``. Strength is the number of such comments, by default 1; all state the same value (CodeCrash, section 2.2
    and appendix B.3, there called MHC). The fact ``hint`` is this value.

    Args:
        text: the value; without one the first that the rule finds. Only who runs the program sees which inputs do not
            give the output, so the kind of text ``hint`` checks a value before it is handed in here.
    """

    name = "hint"
    version = 3
    needs = frozenset({"output"})
    doses = Dose.SETTINGS
    capabilities = frozenset({"syntax", "values", "dialect"})
    text_kind = "hint"
    placements = PLACEMENTS

    def __init__(self, text: str = "") -> None:
        self._text = text

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs of four languages, in ``examples/hint.toml``."""
        return read_examples(cls.name)

    def text_request(self, program: Program, draws: Draws, dose: Dose, asks: str) -> TextRequest | None:
        """The value for the comments, ``None`` if the dose leaves no comment."""
        comments = _plan_comments(program, draws, dose, _choose_misstated_fact(asks))
        if not comments.places:
            return None
        return TextRequest(self.text_kind, program, _choose_misstated_fact(asks), comments.values)

    def apply(self, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        """The program with a hint.

        Raises:
            Skip: there is no wrong value, no comment can hold it, or there is no place for the comment.
        """
        planned = _plan_comments(program, draws, dose, _choose_misstated_fact(asks))
        value = self._text or planned.values[0]
        texts = [sentence.format(value) for sentence in planned.sentences]
        comments = [*zip(texts, planned.places, strict=True)]
        edits = write_comments(comments, language(program.language).dialect.comment, dose.placement)
        changed = change(program, Change(edits=tuple(edits)))
        return changed.replace_source(changed.source, facts=changed.facts.replace(hint=value))


def _choose_misstated_fact(asks: str) -> str:
    return "input" if asks == "input" else "output"


def _plan_comments(program: Program, draws: Draws, dose: Dose, fact: str) -> _PlannedComments:
    lang = language(program.language)
    places = _list_places(parse_program(program), program.call)
    wrong = list_wrong_literals(lang, program, fact, draws)
    worded = [*zip(places, _deal_sentences(_SENTENCES[fact], len(places), draws), strict=True)]
    used = replace(dose, strength=dose.strength or 1).choose(
        worded, draws, program.source, lambda worded: find_offset(worded[0], dose.placement)
    )
    sentences = tuple(sentence for _, sentence in used)
    values = tuple(value for value in wrong if _does_fit(lang, sentences, value))
    if not values:
        raise Skip("no wrong value fits in a comment")
    return _PlannedComments(tuple(place for place, _ in used), sentences, values)


def list_wrong_literals(lang: Language, program: Program, what: str, draws: Draws) -> list[str]:
    """Literals of wrong but plausible outputs or inputs of a program, the best first.

    Raises:
        Skip: there is none.
    """
    if what == "input":
        if "input" not in program.facts:
            raise Skip("hint needs facts that the program lacks: input")
        literals = list_wrong_inputs(lang, program.facts["input"], draws, COUNTS["input"])
    else:
        literals = [*map(lang.values.write, list_wrong_values(lang, program.facts["output"], draws, COUNTS["output"]))]
    if not literals:
        raise Skip(f"no wrong {what} is found")
    return literals


def _list_places(code: Code, call: str) -> list[Place]:
    """The called function, and its returns."""
    function = _find_called_function(code, call)
    before = map_insertions(code)
    # A return in a closure gives back something else.
    closures = [statement.span for statement in code.statements if statement.kind in {*SIMPLE, "return"}]
    spots = [(find_first_insertion(code, before, function.body), find_signature_end(code, function))]
    spots += [
        (before.get(site.statement.start), find_statement_end(code, site, simple=True))
        for site in code.sites_of("return")
        if site.function == function.name
        and returns_value(code, site)
        and not any(span.start < site.span.start < span.end for span in closures)
    ]
    places = [Place("hint", spot, spot, end) for spot, end in spots if spot is not None and spot.reachable]
    return [*{place[1:]: place for place in places}.values()]


def _find_called_function(code: Code, call: str) -> Function:
    called = re.findall(r"\w+(?=\s*\()", call)
    by_name = {function.name.rpartition(".")[2]: function for function in code.functions}
    for name in called:
        if name in by_name:
            return by_name[name]
    raise Skip("the function that is called is not in the program")


def _deal_sentences(sentences: Sequence[str], count: int, draws: Draws) -> list[str]:
    order = draws.shuffle(sentences)
    return [order[i % len(order)] for i in range(count)]


def _does_fit(lang: Language, sentences: Sequence[str], value: str) -> bool:
    try:
        for sentence in sentences:
            lang.dialect.comment(sentence.format(value))
    except Refused:
        return False
    return True
