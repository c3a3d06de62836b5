"""Dead code by a writer: which statements of a reply are used, and where they stand then."""

from __future__ import annotations

import asyncio
import json

import pytest

from pytest_codereason.changes.perturbations.dead_code import DeadCode
from pytest_codereason.core import Completion, Dose, Program, Rejected, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.authoring import text_kind
from pytest_codereason.engine.building.executing import Executor
from tests.changes.perturbations.agreement import LANGUAGES, PROGRAMS

SOURCE = "def add(numbers):\n    total = 0\n    for n in numbers:\n        total += n\n    return total\n"
PROGRAM = Program.from_source(language="python", source=SOURCE, call="add([1])")
KIND = text_kind("dead-code")
#: Two pieces in each language; the first has two lines.
PIECES = {
    "python": ["retries = 3\nprint('retries', retries)", "pending = [1, 2]"],
    "java": ["int retries = 3;\nSystem.out.println(retries);", 'String pending = "none";'],
    "javascript": ["let retries = 3;\nconsole.log('retries', retries);", "const pending = [1, 2];"],
    "typescript": [
        "let retries: unknown = 3;\nconsole.log('retries', retries);",
        "const pending: Array<unknown> = [1, 2];",
    ],
    "php": ["$retries = 3;\necho 'retries', $retries;", "$pending = [1, 2];"],
}


def read(*pieces: object) -> str:
    return KIND.read(Completion(text=json.dumps({"statements": list(pieces)})), TextRequest("dead-code", PROGRAM))


def test_usable_pieces_are_taken_and_others_are_left_out() -> None:
    bad = [
        "total = 1",  # a name of the program
        "return 5",
        "sum = add([2])",
        "import os",
        "x = 1  # a comment",
        "x = (",
        "say = 'the bug is above'",
        "numbers.append(1)",
        "x = '\u202e'",
        "x = 1\n" * 9,
        7,
        "",
    ]
    assert json.loads(read(*bad, "spare = 1", "spare = 1")) == {"statements": ["spare = 1"]}
    for piece in bad:
        with pytest.raises(Rejected):
            read(piece)


@pytest.mark.parametrize("reply", ["", "no", "{}", '{"statements": "x = 1"}', "[1]"])
def test_a_reply_without_pieces_is_rejected(reply: str) -> None:
    with pytest.raises(Rejected):
        KIND.read(Completion(text=reply), TextRequest("dead-code", PROGRAM))


def test_strength_is_the_number_of_branches_and_the_writers_pieces_come_first() -> None:
    text = read("spare = 1", "other = 2")
    one, two, three = (DeadCode(text).apply(PROGRAM, Draws(3), Dose(strength=n), "fault").source for n in (1, 2, 3))
    assert ("spare = 1" in one, "other = 2" in one) == (True, False)
    assert "spare = 1" in two
    assert "other = 2" in two
    assert [len(text.splitlines()) - len(SOURCE.splitlines()) for text in (one, two)] == [2, 4]
    assert len(three) > len(two), "the third piece is the catalogue's"


def test_nothing_is_asked_for_where_no_fault_is_asked_for() -> None:
    assert DeadCode().text_request(PROGRAM, Draws(3), Dose(), "output") is None
    request = DeadCode().text_request(PROGRAM, Draws(3), Dose(), "fault")
    assert request is not None
    assert asyncio.run(KIND.check(request.candidates[0], request, None)) == 0  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_do_the_same_with_the_pieces_of_a_writer(language: str) -> None:
    executor = Executor("auto")
    try:
        for program in PROGRAMS[language]:
            request = TextRequest("dead-code", program)
            text = KIND.read(Completion(text=json.dumps({"statements": PIECES[language]})), request)
            assert asyncio.run(KIND.check(text, request, executor.run)) == 0
            changed = DeadCode(text).apply(program, Draws(1), Dose(strength=2), "fault")
            assert changed.source.count("retries") >= 2
            assert "pending" in changed.source
    finally:
        executor.close()


@pytest.mark.slow
def test_code_that_does_not_compile_is_refused() -> None:
    request = TextRequest("dead-code", PROGRAMS["java"][0])
    text = json.dumps({"statements": ['int retries = "three";']})
    executor = Executor("auto")
    try:
        with pytest.raises(Rejected, match="does not compile"):
            asyncio.run(KIND.check(text, request, executor.run))
    finally:
        executor.close()
