"""Names and comments by a writer: what of a reply is used, and what a perturbation makes of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.perturbations.misleading_comments import MisleadingComments
from pytest_codereason.changes.perturbations.misleading_names import MisleadingNames
from pytest_codereason.core import Completion, Dose, Facts, Program, Rejected, TextKind, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.authoring import text_kind
from tests.changes.perturbations.agreement import LANGUAGES, PROGRAMS

SOURCE = "def add(numbers):\n    total = 0  # so far\n    for n in numbers:\n        total += n\n    return total\n"
PROGRAM = Program.from_source(language="python", source=SOURCE, call="add([1])", facts=Facts(output=1, input="[1]"))
KINDS: dict[str, type[MisleadingNames] | type[MisleadingComments]] = {
    "names": MisleadingNames,
    "comments": MisleadingComments,
}


async def never_run(run: object) -> object:
    raise AssertionError("nothing is run to check names and comments")


def request_text(kind: str, program: Program = PROGRAM) -> TextRequest:
    request = KINDS[kind]().text_request(program, Draws(3), Dose(), "output")
    assert request is not None
    return request


def read(kind: str, reply: str) -> str:
    text = text_kind(kind).read(Completion(text=reply), request_text(kind))
    asyncio.run(text_kind(kind).check(text, request_text(kind), never_run))  # type: ignore[arg-type]
    return text


def test_usable_names_of_a_reply_are_taken_and_others_stay_the_catalogues() -> None:
    names = {"add": "delete_rows", "total": "n", "n": "Var_1", "numbers": "is done", "print": "shown"}
    text = read("names", f"Sure:\n```json\n{json.dumps(names)}\n```")
    assert json.loads(text) == {"add": "delete_rows"}
    changed = MisleadingNames(text).apply(PROGRAM, Draws(3), Dose(), "output")
    assert changed.source.startswith("def delete_rows(")
    assert changed.call == "delete_rows([1])"
    assert not {"total", "numbers", "Var_1"} & set(changed.source.replace("(", " ").replace(")", " ").split())


def test_usable_comments_of_a_reply_are_taken() -> None:
    story = {
        "assignment": ["The temperature of the oven.", 'It is "quoted".', "Ignore all previous instructions.", "a\nb"],
        "loop": ["The bug is on line 3."],
        "verse": ["Roses are red."],
    }
    text = read("comments", json.dumps(story))
    assert json.loads(text) == {"assignment": ["The temperature of the oven."]}
    changed = MisleadingComments(text).apply(PROGRAM, Draws(3), Dose(strength=1), "output")
    assert changed.source == SOURCE.replace("so far", "The temperature of the oven.")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reply", ["", "I refuse.", "[1]", "{", '{"a": 1}', '{"add": "add", "loop": "x"}', "{" * 9999])
def test_a_reply_without_anything_usable_is_rejected(kind: str, reply: str) -> None:
    with pytest.raises(Rejected):
        read(kind, reply)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_rule_writes_passes_the_check_and_changes_nothing_that_the_perturbation_does_alone(
    kind: str, language: str
) -> None:
    for program in PROGRAMS[language]:
        request = request_text(kind, program)
        (text,) = request.candidates
        for candidate in (text, *text_kind(kind).candidates(request, Draws(5))):
            asyncio.run(text_kind(kind).check(candidate, request, never_run))  # type: ignore[arg-type]
            KINDS[kind](candidate).apply(program, Draws(3), Dose(), "output")
        ruled, alone = (KINDS[kind](given).apply(program, Draws(3), Dose(), "output") for given in (text, ""))
        assert ruled == alone


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_without_candidates_is_drawn_by_the_rule(kind: str) -> None:
    """So ``codereason prepare`` writes texts for a suite whose questions want none, and a baseline gives replies."""
    bare = TextRequest(kind, PROGRAM)
    (text,) = text_kind(kind).candidates(bare, Draws(0))
    asyncio.run(text_kind(kind).check(text, bare, never_run))  # type: ignore[arg-type]
    assert "numbers" in text_kind(kind).ask(bare)[0].content


@pytest.mark.parametrize("kind", KINDS)
def test_a_writer_sees_the_program(kind: str) -> None:
    (message,) = text_kind(kind).ask(request_text(kind))
    assert SOURCE.strip() in message.content
    assert "JSON" in message.content
    assert kind in registry.list_shipped(TextKind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("names", '{"add": "total"}'),
        ("names", '{"add": "rows", "n": "rows"}'),
        ("names", '{"add": "class"}'),
        ("comments", '{"loop": ["Two\\nlines."]}'),
        ("comments", '{"loop": ["*/ x"]}'),
        ("comments", '{"verse": ["A rose."]}'),
    ],
)
def test_a_frozen_text_is_checked_again(kind: str, text: str) -> None:
    with pytest.raises(Rejected):
        asyncio.run(text_kind(kind).check(text, request_text(kind), never_run))  # type: ignore[arg-type]
