"""``run.json`` as typed values, and what is said of one that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import TRUNCATED, AxisValue, Metric
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_info import (
    ModelInfo,
    SuiteInfo,
    check_records,
    explain_unreadable,
    parse_run,
    read_run,
)
from tests.results.synthetic import METRICS, make_run

EXACT = Metric(name="exact", title="Exact")
PYTHON: dict[str, AxisValue] = {"language": "python", "digits": 2}


def make_suite(**changes: Any) -> SuiteInfo:
    kinds: dict[str, Any] = {"task": "t", "metrics": (EXACT,), "axes": {"language": ("python", "php"), "digits": (2,)}}
    return SuiteInfo(**{**kinds, **changes})


def test_questions_and_families_are_counted_by_their_axes() -> None:
    php: dict[str, AxisValue] = {"language": "php", "digits": 2}
    suite = make_suite(
        cells=((5, PYTHON), (7, php)), families=((9, {"digits": 2}), (5, PYTHON), (7, php), (1, {"digits": 3}))
    )
    assert [suite.count_questions(where) for where in ({}, PYTHON, {"digits": 2}, {"digits": 3})] == [12, 5, 12, 0]
    assert [suite.count_families(where) for where in ({"digits": 2}, PYTHON, {"language": "php"})] == [9, 5, 7]
    assert suite.count_families({"digits": 4}) is None
    assert make_suite().count_questions(PYTHON) is None
    assert make_suite().count_families(PYTHON) is None


@pytest.mark.parametrize(
    ("resolved", "prompting", "samples"),
    [
        ({"samples": {"default": 1, "cot": 3}}, "cot", 3),
        ({"samples": {"default": 1, "cot": 3}}, "direct", 1),
        ({"samples": {"default": 1, "cot": 3}}, None, 1),
        ({"samples": {"default": 1, "cot": 3}, "fixed": {"prompting": "cot"}}, None, 3),
        ({"samples": {"default": 1, "cot": 3}, "fixed": {"prompting": "cot"}}, "direct", 1),
        ({"samples": {}}, "cot", None),
        ({"samples": 3}, None, None),
        ({"samples": {"default": "3"}}, None, None),
        ({}, None, None),
    ],
)
def test_samples_go_by_the_way_of_prompting(resolved: dict[str, Any], prompting: str | None, samples: int) -> None:
    assert make_suite(resolved=resolved, cells=((5, PYTHON),)).count_samples(prompting) == samples
    assert make_suite(resolved=resolved).count_samples(prompting) is None, "a foreign log has no cells"


def test_what_a_suite_measures_has_the_share_of_truncated_answers_once() -> None:
    assert make_suite().measured == (EXACT, TRUNCATED)
    own = Metric(name=TRUNCATED.name, title="Own")
    assert make_suite(metrics=(EXACT, own)).measured == (EXACT, own)
    assert make_suite(untold=frozenset({"truncated"})).measured == (EXACT,)
    assert make_suite(metrics=(own, EXACT)).headline is own


def test_axes_that_vary_and_those_that_do_not() -> None:
    suite = make_suite(resolved={"fixed": {"shots": 3}, "left_out": ["row 3: no call", 7]})
    assert suite.varying_axes(["digits", "language", "none"]) == ["language"]
    assert [suite.find_only_value(axis) for axis in ("digits", "language", "shots", "none")] == ["2", "", "3", ""]
    assert suite.left_out == ("row 3: no call", "7")
    assert make_suite().left_out == make_suite(resolved={"left_out": "text"}).left_out == ()


def test_baselines_are_told_by_their_identity() -> None:
    kinds = [ModelInfo(identity=each) for each in ({"baseline": "chance"}, {"baseline": "truth"}, {"model": "m"})]
    assert [(kind.guesses, kind.is_baseline) for kind in kinds] == [(True, True), (False, True), (False, False)]


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({}, None),
        ({"selection": "5 of 9 questions"}, "5 of 9 questions"),
        ({"complete": False}, "the run is incomplete"),
        ({"complete": False, "selection": "5 of 9 questions"}, "5 of 9 questions"),
        ({"stopped_early": {"asked": 1_000, "of": 2_000}}, "every gate was decided after 1,000 of 2,000 questions"),
        (
            {"stopped_early": {"asked": 1, "of": 2, "sent": 3, "requests": 4_000}, "selection": "2 of 9", "cost": None},
            "2 of 9; every gate was decided after 1 of 2 questions (3 of at most 4,000 requests were sent)",
        ),
        (
            {"stopped_early": {"asked": 1, "of": 2, "sent": 3, "requests": 4}, "cost": 0.5, "spent": 0.75},
            "every gate was decided after 1 of 2 questions (3 of at most 4 requests were sent, for $0.7500; $0.2500 of "
            "it paid replies that stand in no record)",
        ),
        (
            {"stopped_early": {"asked": 1, "of": 2, "sent": 3, "requests": 4}, "cost": 0.5, "spent": 0.50004},
            "every gate was decided after 1 of 2 questions (3 of at most 4 requests were sent)",
        ),
    ],
)
def test_a_part_says_why_it_is_one(changes: dict[str, Any], because: str | None) -> None:
    assert parse_run(make_run(**changes)).partial_because == because


def test_what_run_json_says_is_read() -> None:
    run = parse_run(make_run(models=["a", "b"], sampled=True, gates=["g"], spent=1.5))
    assert list(run.models) == ["a", "b"]
    assert (run.sampled, run.gates, run.spent, run.cost) == (True, ("g",), 1.5, 0.41)
    suite = run.suites["semtrace"]
    assert (suite.whole, suite.instances, suite.selected) == (2400, 1200, 1200)
    assert suite.axes["digits"] == (2, 4)
    assert suite.headline.binary
    assert run.models["a"].identity["endpoint"] == "https://api.example/v1"
    bare = {"suites": {"s": {"task": "t", "metrics": [METRICS[0]], "axes": {}}}, "models": {"m": None}}
    assert parse_run(bare).suites["s"].whole == 0


def test_a_metric_comes_back_as_it_was_described() -> None:
    plain = Metric(name="exact", title="Exact", only=("layout", "keys"), k=3, proportion=True, pools=("perturbation",))
    assert decode(Metric, json.dumps(plain.describe())) == plain


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "is not a run folder: it has no run.json"),
        ("{", "run.json is damaged: it is not JSON"),
        ("[]", "this version does not know format None"),
        ('{"format": 2}', "this version does not know format 2"),
        ('{"format": 1}', "is damaged: the key 'models' is missing"),
        (
            '{"format": 1,\n"models": 3, "suites": {}}',
            "run.json:2 is damaged: models cannot be 3: an object may stand there",
        ),
    ],
)
def test_a_file_that_is_no_run_is_named(tmp_path: Path, content: str | None, complaint: str) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(UsageError) as caught:
        read_run(tmp_path)
    assert complaint in str(caught.value)


EARLY = {"gate": "semtrace.exact >= 0.5", "model": "m", "verdict": "PASS", "value": 0.9, "baseline": None}
EARLY |= {"at_least": 0.6, "at_most": 1.0, "n": 20, "programs": 20, "of": 40, "questions": 40}


@pytest.mark.parametrize("damage", [None, "much", [], {}])
def test_a_gate_decided_early_is_read_whole_or_not_at_all(tmp_path: Path, damage: object) -> None:
    """Every value of its evidence is a number, but for a gate that has no baseline."""
    for name in EARLY:
        run = make_run(stopped_early={"asked": 20, "of": 40, "gates": [EARLY, EARLY | {name: damage}]})
        (tmp_path / "run.json").write_text(json.dumps(run))
        if (name, damage) in (("baseline", None), ("gate", "much"), ("model", "much")):
            stopped = read_run(tmp_path).stopped_early
            assert stopped is not None
            assert getattr(stopped.gates[1], name) == damage
            continue
        with pytest.raises(UsageError) as caught:
            read_run(tmp_path)
        complaint = f"{tmp_path}/run.json:1 is damaged: stopped_early.gates[1].{name} cannot be {json.dumps(damage)}: "
        assert str(caught.value).startswith(complaint)


def test_folders_that_hold_no_run_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        read_run(tmp_path / "none")
    (tmp_path / "fuzz.jsonl").touch()
    with pytest.raises(UsageError, match=r"holds the answers of searches, in fuzz\.jsonl"):
        read_run(tmp_path)
    with pytest.raises(UsageError, match=r"has no records\.jsonl"):
        check_records(tmp_path)
    (tmp_path / "records.jsonl").touch()
    check_records(tmp_path)
    told = str(explain_unreadable(FileNotFoundError(2, "No such file", "a/run.json")))
    assert told == "a/run.json: No such file; a run folder holds run.json and records.jsonl"
