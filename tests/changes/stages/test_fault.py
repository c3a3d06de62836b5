"""The stage that plants faults, and the tables of suites that set it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.changes.stages.fault import FaultStage
from pytest_codereason.core import Facts, Instance, Program, Spec, Text
from pytest_codereason.engine.building.drafts import apply_stages, begin, request_texts
from pytest_codereason.errors import Skip, UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.templates.loading import load as load_template

SUITE = """task = "fault-localization"
languages = ["python"]
{}
[source]
name = "corpus"
count = 1
[matrix]
{}
"""


def read(tmp_path: Path, matrix: str, more: str = "") -> Suite:
    path = tmp_path / "mine.suite.toml"
    path.write_text(SUITE.format(more, matrix))
    return load(path)


def test_a_suite_says_which_faults_where_and_how_many(tmp_path: Path) -> None:
    suite = read(tmp_path, 'fault = ["operator-swap"]\nfault_quarter = [1, 4]\nfault_number = [1, 2]\n')
    assert [spec.cell for spec in suite.specs()] == [
        f"fault:operator-swap,fault_quarter:{quarter},fault_number:{number}" for quarter in (1, 4) for number in (1, 2)
    ]
    assert suite.text_kinds == {"fault"}


def test_without_a_fault_there_is_neither_quarter_nor_number(tmp_path: Path) -> None:
    suite = read(tmp_path, 'fault = ["none", "operator-swap"]\nfault_quarter = [1, 2]\n')
    assert [spec.cell for spec in suite.specs()][:2] == ["fault:none", "fault:operator-swap,fault_quarter:1"]


def test_a_table_of_the_name_of_an_axis_holds_settings(tmp_path: Path) -> None:
    faults = 'fault = ["operator-swap"]\n'
    suite = read(tmp_path, faults, '[fault]\nobserve = "where-possible"')
    (request,) = request_texts(suite, begin(suite, next(suite.specs())))
    assert request.of == "operator-swap/0/1/unobserved"
    assert suite.plan != read(tmp_path, faults).plan


MISTAKES = {
    'fault = ["operator-swop"]': "unknown fault operator 'operator-swop' (did you mean 'operator-swap'?)",
    'fault = ["operator-swap"]\nfault_quarter = 5': "'fault_quarter' cannot be 5: it takes whole numbers from 0 to 4",
    'fault = ["operator-swap"]\nfault_number = 0': "'fault_number' cannot be 0",
    "perturbation = ['none']": "needs facts that the source corpus lacks: fault",
    'fault = ["operator-swap"]\n[fault]\nobserve = "never"': "'observe' must be always or where-possible, not 'never'",
    'fault = ["operator-swap"]\n[fault]\nlook = 1': "'look'",
}


@pytest.mark.parametrize(("matrix", "message"), MISTAKES.items())
def test_a_mistake_in_a_suite_is_named(tmp_path: Path, matrix: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        read(tmp_path, matrix)


def make_instance(text: str) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="x",
        program=Program.from_source(language="python", source="x = 1 + 1\n", facts=Facts(output="")),
        axes={"fault": "operator-swap"},
        matrix={},
        template=load_template("fault-localization", "direct"),
        texts={"fault": Text(text)},
    )


def test_the_faulty_program_is_the_reference_and_the_original_stays_correct() -> None:
    text = '{"file": "main", "span": [6, 7], "text": "-", "line": 1, "also": []}'
    stage = FaultStage.create({}, seed=0, languages=("python",))
    instance = make_instance(text)
    planted = stage.apply(instance, lambda _: None)
    assert planted.program.source == "x = 1 - 1\n"
    assert planted.reference == planted.program
    assert planted.original == instance.program
    with pytest.raises(Skip, match="the fault does not fit the program"):
        stage.apply(make_instance(text.replace("main", "other")), lambda _: None)
    assert stage.apply(make_instance(""), lambda _: None) == make_instance("")


def test_a_twin_is_the_question_before_the_perturbation(tmp_path: Path) -> None:
    matrix = 'fault = ["operator-swap"]\nperturbation = ["none", "rename"]\nlayout = ["numbers"]\n'
    path = tmp_path / "mine.suite.toml"
    path.write_text(SUITE.format("", matrix).replace("localization", "robustness"))
    suite = load(path)
    text = '{"file": "main.py", "span": [0, 0], "text": "1 - 1\\n", "line": 1, "also": []}'
    begun = (replace(begin(suite, spec), texts={"fault": Text(text)}) for spec in suite.specs())
    control, changed = (apply_stages(suite, each) for each in begun)
    assert isinstance(next(suite.specs()), Spec)
    assert control.twin is not None
    assert changed.twin is not None
    assert control.twin.code == control.code == changed.twin.code != changed.code
    assert changed.twin.layout is not None
