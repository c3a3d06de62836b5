"""Records of questions that were answered, not answered, or never asked."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Ask, Completion, Message, Verdict
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.recording import Sample, make_answered, make_unanswered, make_unasked, make_unbuilt
from pytest_codereason.engine.sample_steps import SampleSteps
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


def make_sample(suite: Suite) -> Sample:
    """The second answer to a question, once more."""
    spec = next(iter(suite.specs()))
    return Sample(suite, replace(draft(suite, spec), unchanged="no loop", checked_calls=2), "m", 1, repeat=1)


def take_steps(*texts: str) -> SampleSteps:
    taken = SampleSteps(sandbox="none")
    ask = Ask(messages=(Message("user", "f(1)?"),), truth="", guess=str)
    for text in texts:
        taken.add(ask, Completion(text=text, latency_s=0.5), None, created=7.0, reused=True)
    return taken


def test_an_answer_has_its_verdict_its_steps_and_what_was_asked(suite: Suite) -> None:
    sample, taken = make_sample(suite), take_steps("[1]", "[2]")
    record = make_answered(sample, taken, Verdict(outcome="correct", expected="[2]", answer="[2]"), {"words": 3.0})
    told = (record.id, record.suite, record.model, record.sample, record.repeat, record.axes, record.plan)
    assert told == (sample.instance.id, "s", "m", 1, 1, {"digits": 2}, suite.plan)
    assert (record.unchanged, record.checked_calls, record.program_sha) == ("no loop", 2, sample.instance.program.sha)
    assert (record.outcome, record.expected, record.answer, record.trace) == ("correct", "[2]", "[2]", {"words": 3.0})
    assert (record.response, len(record.steps), record.latency_s, record.reused) == ("[2]", 2, 1.0, True)
    unasked = make_answered(sample, take_steps(), Verdict(outcome="correct", expected=""), {})
    assert (unasked.response, unasked.steps, unasked.reused) == (None, [], False)


def test_a_question_without_an_answer_keeps_the_steps_that_were_taken(suite: Suite) -> None:
    sample, taken = make_sample(suite), take_steps("[1]")
    failed = make_unanswered(sample, taken, ModelError("gone"))
    assert (failed.id, failed.repeat) == (sample.instance.id, 1)
    assert (failed.outcome, failed.reason, len(failed.steps), failed.response) == ("error", "gone", 1, None)
    skipped = make_unanswered(sample, taken, Skip("no such line"))
    assert (skipped.id, skipped.outcome, skipped.reason, skipped.steps) == (failed.id, "skipped", "no such line", ())


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
