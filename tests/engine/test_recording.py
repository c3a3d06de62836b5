"""Records of questions that were not asked."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from pytest_codereason.engine.recording import make_unasked, make_unbuilt
from pytest_codereason.errors import ModelError, NoText, Skip
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

SUITE = (
    'task = "output-prediction"\nlanguages = ["php"]\n[source]\nname = "semtrace"\ncount = 2\n[matrix]\ndigits = [2]\n'
)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "s.suite.toml").write_text(SUITE)
    return load(tmp_path / "s.suite.toml")


def test_an_unasked_question_is_an_error_of_nobody(suite: Suite) -> None:
    spec = list(suite.specs())[1]
    record = make_unasked(suite, spec, "m", 3, "the key is bad", traceback="where")
    assert (record.id, record.suite, record.task, record.language) == (spec.id, "s", "output-prediction", "php")
    assert (record.family, record.axes, record.plan) == (suite.family(spec), {"digits": 2}, suite.plan)
    assert (record.model, record.sample, record.outcome) == ("m", 3, "error")
    assert (record.reason, record.traceback, record.rejections) == ("the key is bad", "where", {})
    assert (record.answer, record.response, record.metrics, record.cost) == (None, None, {}, None)


def test_a_skipped_question_says_what_failed_while_a_text_was_chosen(suite: Suite) -> None:
    spec = next(iter(suite.specs()))
    plain = make_unbuilt(suite, spec, "m", 0, Skip("no such line"))
    assert (plain.outcome, plain.reason, plain.rejections) == ("skipped", "no such line", {})
    rejections = {"fault": {"equivalent": 2}}
    chosen = make_unbuilt(suite, spec, "m", 0, NoText("no fault", rejections))
    assert (chosen.outcome, chosen.reason, chosen.rejections) == ("skipped", "no fault", rejections)


def test_records_of_questions_that_are_not_asked_may_wait_on_disk(suite: Suite) -> None:
    spec = next(iter(suite.specs()))
    for error in (Skip("no such line"), NoText("no fault", {}), ModelError("gone")):
        record = make_unbuilt(suite, spec, "m", 0, error)
        assert pickle.loads(pickle.dumps(record)) == record
    assert make_unbuilt(suite, spec, "m", 0, ModelError("gone")).outcome == "error"
