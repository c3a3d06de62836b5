"""Which questions of a suite are asked, and whether they can be built at all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pytest_codereason.core import Instance, Steps
from pytest_codereason.engine.sharing.selection import place_programs, select, try_questions
from pytest_codereason.errors import PartError, Skip, UsageError, explain
from pytest_codereason.fuzzing.probes import DrawnSource
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from tests.engine.suite_files import load


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(tmp_path)


def test_without_a_limit_every_question_is_asked(suite: Suite) -> None:
    every = list(suite.specs())
    assert len(every) == 40
    for limit in (None, 40, 400):
        assert list(select(suite, limit=limit)) == every


def test_a_limit_draws_questions_in_their_order(suite: Suite) -> None:
    every = list(suite.specs())
    drawn = list(select(suite, limit=8))
    assert 0 < len(drawn) <= 8
    assert [spec for spec in every if spec in set(drawn)] == drawn
    assert list(select(suite, limit=8)) == drawn


def test_shards_have_whole_programs_and_cover_all(suite: Suite) -> None:
    parts = [list(select(suite, shard=(k, 3))) for k in range(3)]
    assert sorted(spec.id for part in parts for spec in part) == sorted(spec.id for spec in suite.specs())
    for k, part in enumerate(parts):
        programs = {f"{spec.language}/{spec.program}" for spec in part}
        assert len(part) == 2 * len(programs)
        places = place_programs(suite, (k, 3))
        assert places.keys() == programs
        names = list(dict.fromkeys(f"{spec.language}/{spec.program}" for spec in suite.specs()))
        assert all(names[place] == program for program, place in places.items())
    limited = list(select(suite, limit=4, shard=(0, 3)))
    assert 0 < len(limited) <= 4
    assert [spec for spec in parts[0] if spec in set(limited)] == limited
    assert list(select(suite, limit=99, shard=(0, 3))) == parts[0]


def test_a_share_is_that_of_what_is_there(suite: Suite) -> None:
    assert len(list(select(suite, limit=Fraction(1, 5)))) == 8
    part = list(select(suite, shard=(0, 3)))
    assert len(part) / 2 - 2 < len(list(select(suite, shard=(0, 3), limit=Fraction(1, 2)))) <= len(part) / 2
    assert list(select(suite, shard=(0, 3), limit=Fraction(1))) == part
    assert place_programs(suite, (0, 1)) == {
        f"{language}/{number:04}": number + 10 * (language == "php")
        for language in suite.languages
        for number in range(10)
    }


def test_one_question_of_each_kind_is_built(suite: Suite) -> None:
    assert try_questions(suite) == (4, [])


@pytest.mark.parametrize(
    ("error", "made", "told"),
    [
        (Skip("no place for it"), 4, []),
        (ZeroDivisionError("mine"), 0, ["mine"] * 4),
        (PartError("the task", ValueError("its own")), 0, ["its own"] * 4),
    ],
)
def test_a_question_that_cannot_be_asked_is_counted_and_one_that_breaks_is_told(
    suite: Suite, error: Exception, made: int, told: list[str]
) -> None:
    class Broken(OutputPrediction):
        def steps(self, instance: Instance) -> Steps:
            raise error

    many, errors = try_questions(replace(suite, task=Broken()))
    assert many == made
    assert len(errors) == len(told)
    assert all(words in explain(each) for words, each in zip(told, errors, strict=True))


def test_a_language_without_a_program_has_no_question(suite: Suite) -> None:
    assert try_questions(replace(suite, source=DrawnSource())) == (0, [])


def test_a_mistake_in_a_template_is_found_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "own.jinja").write_text("[user]\n{{ nothing.of.this }}\n")
    with pytest.raises(UsageError):
        try_questions(load(tmp_path, '[templates]\ndirect = "own.jinja"'))
