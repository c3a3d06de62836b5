"""The order of questions in a run that may stop early."""

from __future__ import annotations

from itertools import groupby

from pytest_codereason.engine.sharing.sharding import find_family
from pytest_codereason.results.verdicts.planned import place_program
from pytest_codereason.session.collecting.items import Question
from pytest_codereason.session.collecting.ordering import drop_repeated, order_programs
from tests.session.collected import collect, list_questions
from tests.session.conftest import Project


def test_a_question_stands_in_the_list_once_and_a_test_as_often_as_pytest_wants(project: Project) -> None:
    project.suite(count=2)
    project.pytester.makepyfile(test_a="def test_one(): pass")
    items = collect(project, "--model=baseline:truth")
    questions = list_questions(items)
    (test,) = [item for item in items if not isinstance(item, Question)]
    twice = [test, questions[0], questions[1], test, questions[0], *questions]
    assert drop_repeated(twice) == [questions[0], questions[0], questions[1]]
    assert twice == [test, questions[0], questions[1], test, *questions[2:]]
    assert drop_repeated(twice) == []


def test_programs_come_in_a_random_order_and_tests_stay(project: Project) -> None:
    project.suite(count=6, prompting=("direct", "cot"))
    project.pytester.makepyfile(test_a="def test_one(): pass", test_z="def test_two(): pass")
    items = collect(project, "--model=baseline:truth", "--model=baseline:chance")
    before, tests = items[:], {place: item for place, item in enumerate(items) if not isinstance(item, Question)}
    assert len(tests) == 2
    order_programs(items, 1)
    assert {place: item for place, item in enumerate(items) if not isinstance(item, Question)} == tests
    assert sorted(map(id, items)) == sorted(map(id, before))
    questions = list_questions(items)
    programs = [name for name, _ in groupby(find_family(item.name) for item in questions)]
    assert len(programs) == len(set(programs)) == 12, "all questions about a program, of both models, are together"
    plan = questions[0].suite.plan
    assert programs == sorted(programs, key=lambda name: place_program(1, plan, name))
    again, other = before[:], before[:]
    order_programs(again, 1)
    order_programs(other, 2)
    assert again == items != other


def test_questions_that_are_chosen_by_answers_stay_where_they_are(project: Project) -> None:
    project.suite(count=6)
    chosen = project.path / "ladder.suite.toml"
    ladder = 'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "ladder"\ncount = 4\n'
    chosen.write_text(f'{ladder}[adaptive]\nover = "level"\ntop = 4\n')
    items = collect(project, "--model=baseline:truth")
    before = items[:]
    order_programs(items, 1)
    moved = {item.name for item, was in zip(items, before, strict=True) if item is not was}
    assert moved
    assert not moved & {item.name for item in before if item.path == chosen}
