"""What sentences say of better, worse and certain, computed a second time: from the records alone, by scipy."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_codereason.reports.comparing.comparison import compare_runs
from pytest_codereason.reports.comparing.sentences import describe_suite, name_row
from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.reports.words.setback_sentences import describe_setbacks
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import judge_gates
from tests.examples import examples
from tests.reports.comparing.words import EXACT
from tests.results.synthetic import make_row, make_run

pytestmark = pytest.mark.slow

LEVEL = 0.05
WAYS = ("vanilla", "rename", "comments")
NUMBER = r"[−+]?\d+\.\d+"
Answers = Mapping[tuple[str, str], Sequence[bool]]  # by model and way, whether each program is answered rightly


@st.composite
def answers(draw: st.DrawFn, models: Sequence[str] = ("a", "b", "c")) -> Answers:
    """Answers of models that resemble each other, of which some are worse in some ways."""
    dice, programs = random.Random(draw(st.integers(0, 2**32))), draw(st.integers(5, 60))
    ease = [dice.random() for _ in range(programs)]
    return {
        (model, way): [dice.random() < 0.15 + 0.8 * each - loss for each in ease]
        for model in models
        for way in WAYS
        for loss in [draw(st.sampled_from([0.0, 0.0, 0.1, 0.4]))]
    }


def build(given: Answers) -> RunData:
    models = list(dict.fromkeys(model for model, _ in given))
    run = make_run(suites={"s": {"language": ["python"], "perturbation": list(WAYS)}}, models=models)
    rows = [
        make_row(
            suite="s",
            id=f"python/{number}[perturbation:{way}]",
            family=str(number),
            axes={"perturbation": way},
            model=model,
            outcome="correct" if right else "wrong",
            metrics={"exact": float(right)},
        )
        for (model, way), all_right in given.items()
        for number, right in enumerate(all_right)
    ]
    asked = len(rows) // len(models)
    run["suites"]["s"] |= {"plan": "p", "metrics": [EXACT], "selected": asked, "instances": asked}
    return RunData.build({"one": (parse_run(run), rows)})


def count(before: Sequence[bool], after: Sequence[bool]) -> tuple[int, int]:
    """How many answers are lost and won."""
    pairs = list(zip(before, after, strict=True))
    return pairs.count((True, False)), pairs.count((False, True))


def sign_test(lost: int, won: int) -> float:
    """McNemar's exact test: with one answer a program it is the test of signs."""
    return float(binomtest(lost, lost + won).pvalue) if lost + won else 1.0


def correct(p_values: Iterable[float]) -> list[float]:
    """Holm's correction, written out."""
    ordered = sorted((p, place) for place, p in enumerate(p_values))
    found = [0.0] * len(ordered)
    for rank, (_, place) in enumerate(ordered):
        found[place] = min(1.0, max(p * (len(ordered) - k) for k, (p, _) in enumerate(ordered[: rank + 1])))
    return found


def read(text: str) -> float:
    return float(text.replace("−", "-"))


def mean(right: Sequence[bool]) -> float:
    return sum(right) / len(right)


@given(answers(("a", "b")))
@settings(max_examples=examples(12))
def test_what_compare_says_of_two_sides(given: Answers) -> None:
    (pair,) = compare_runs(build(given)).pairs
    (suite,) = pair.suites
    flips = {way: count(given["a", way], given["b", way]) for way in WAYS}
    (cut_off,) = (row for row in suite.rows if row.metric.name == "truncated")
    assert cut_off.finding == "same"
    p_values = [*(sign_test(*each) for each in flips.values()), 1.0]
    corrected = dict(zip((*WAYS, "truncated"), correct(p_values), strict=True))
    for row in (row for row in suite.rows if row is not cut_off):
        way = str(row.where["perturbation"])
        before, after = mean(given["a", way]), mean(given["b", way])
        assert row.p is not None
        assert abs(row.p - corrected[way]) < 1e-9
        is_clear = corrected[way] <= LEVEL
        assert (row.finding == "better", row.finding == "worse") == (
            is_clear and after > before,
            is_clear and after < before,
        ), "an interval never takes back what the exact test says"
    first = next(iter(describe_suite(suite, pair)))
    said = next((row for row in suite.rows if f": {name_row(row)} " in first), None)
    assume(said is not None)
    assert said is not None
    way = str(said.where["perturbation"])
    numbers = re.search(rf"from ({NUMBER}) to ({NUMBER}) \(({NUMBER}) \[.*?\], p (?:= )?(< )?({NUMBER})", first)
    if numbers is None:
        assert flips[way] == (0, 0), first
        return
    old, new, change = map(read, numbers.groups()[:3])
    expected = mean(given["a", way]), mean(given["b", way])
    assert abs(old - expected[0]) <= 0.0005 + 1e-9
    assert abs(new - expected[1]) <= 0.0005 + 1e-9
    assert abs(change - (expected[1] - expected[0])) <= 0.0005 + 1e-9
    alone = sign_test(*flips[way])
    assert (alone < 0.001) if numbers[4] else abs(alone - read(numbers[5])) <= 0.0005 + 1e-9
    assert f"{flips[way][0]} lost, {flips[way][1]} won" in first
    assert first.startswith("B is ") == (corrected[way] <= LEVEL)


@given(answers())
@settings(max_examples=examples(12))
def test_what_a_report_says_of_the_best_model(given: Answers) -> None:
    (lead,) = summarise(build(given)).suites["s"].leads
    plain = {model: given[model, "vanilla"] for model in ("a", "b", "c")}
    pairs = list(combinations(plain, 2))
    corrected = correct(sign_test(*count(plain[one], plain[other])) for one, other in pairs)
    clear = {frozenset(pair) for pair, p in zip(pairs, corrected, strict=True) if p <= LEVEL}
    assert mean(plain[lead.best]) == max(map(mean, plain.values()))
    behind = {model for model in plain if frozenset((model, lead.best)) in clear}
    assert {other.model for other in lead.others if other.doubt is None} == behind
    sentence = describe_lead(lead)
    assert sentence.startswith(f"Best model (vanilla): {lead.best}.") == (len(behind) == 2), sentence
    for model, change in re.findall(rf"\b([abc]) \(({NUMBER}) \[", sentence):
        assert abs(read(change) - (mean(plain[lead.best]) - mean(plain[model]))) <= 0.0005 + 1e-9
        assert (model in behind) == (f"{model} (" in sentence.partition("clearly ahead of ")[2])


@given(answers(("a", "b")))
@settings(max_examples=examples(12))
def test_what_a_report_says_first_of_two_models(given: Answers) -> None:
    suite = summarise(build(given)).suites["s"]
    flips = {way: count(given["a", way], given["b", way]) for way in WAYS}
    corrected = dict(zip(WAYS, correct(sign_test(*each) for each in flips.values()), strict=True))
    found = {str(each.value): (each.worse, each.better) for each in suite.setbacks}
    assert found == {
        way: (("b", "a") if flips[way][0] > flips[way][1] else ("a", "b")) for way in WAYS if corrected[way] <= LEVEL
    }
    for sentence in describe_setbacks(suite):
        worse = sentence[0]
        for way, lost, won in re.findall(r"perturbation is (\w+) \((\d+) lost, (\d+) won", sentence):
            assert (int(lost), int(won)) == (flips[way] if worse == "b" else flips[way][::-1])


@given(answers(("a", "b")), st.sampled_from(WAYS), st.integers(0, 20))
@settings(max_examples=examples(12))
def test_no_gate_says_pass_or_fail_against_its_own_figure(given: Answers, way: str, points: int) -> None:
    """A verdict needs the figure on its side of the limit by more than chance: the exact test with a margin of 0."""
    text = f"s.exact[model=b,perturbation={way}] >= s.exact[model=a,perturbation={way}] - {points}%"
    (verdict,) = judge_gates([parse_gate(text)], build(given))
    change = mean(given["b", way]) - mean(given["a", way])
    said: Any = verdict.verdict
    assert said != "PASS" or change >= -points / 100
    assert said != "FAIL" or change < -points / 100
    lost, won = count(given["a", way], given["b", way])
    if points == 0 and lost + won:
        one_sided = {
            "PASS": binomtest(won, lost + won, alternative="greater").pvalue,
            "FAIL": binomtest(lost, lost + won, alternative="greater").pvalue,
        }
        assert said not in one_sided or one_sided[said] <= 2 * LEVEL
