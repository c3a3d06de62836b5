"""Verdicts worked out by hand: by limits, never by the measured value alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason.options import Claim
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.values import Bounds
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.judging import Rules, decide, judge_gates
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict, choose_exit_code
from tests.results.synthetic import METRICS, build_data, make_row, make_rows, make_run
from tests.results.verdicts.answers import (
    AXES,
    compare,
    judge,
    make_answers,
    make_changed,
    make_data,
    make_drop,
    make_sampled_run,
    make_samples,
)


@pytest.mark.parametrize(
    ("text", "right", "of", "decision"),
    [
        ("semtrace.exact >= 0.85", 20, 20, "PASS"),  # 0.05 ** (1 / 20) = 0.861
        ("semtrace.exact >= 0.87", 20, 20, "UNDECIDED"),
        ("semtrace.exact >= 0.6", 3, 3, "UNDECIDED"),  # 0.05 ** (1 / 3) = 0.368: no pass by luck
        ("semtrace.exact >= 0.6", 0, 3, "UNDECIDED"),  # at most 0.632
        ("semtrace.exact >= 0.7", 0, 3, "FAIL"),
        ("semtrace.exact >= 0.3", 7, 20, "UNDECIDED"),  # Clopper and Pearson: 0.177 to 0.558
        ("semtrace.exact >= 0.17", 7, 20, "PASS"),
        ("semtrace.exact > 0.57", 7, 20, "FAIL"),
        ("semtrace.exact <= 0.57", 7, 20, "PASS"),
        ("semtrace.exact < 0.17", 7, 20, "FAIL"),
        ("semtrace.exact <= 0.35", 7, 20, "UNDECIDED"),
        ("semtrace.exact == 0.35", 7, 20, "UNDECIDED"),
        ("semtrace.exact == 0.9", 7, 20, "FAIL"),
        ("semtrace.exact >= 1", 20, 20, "UNDECIDED"),  # nobody has asked all programs like these
        ("semtrace.exact >= 0", 0, 20, "PASS"),
        ("truncated(semtrace) <= 1%", 400, 400, "PASS"),  # 1 - 0.05 ** (1 / 400) = 0.75 %
        ("truncated(semtrace) <= 1%", 200, 200, "UNDECIDED"),
    ],
)
def test_the_limits_decide(text: str, right: int, of: int, decision: str) -> None:
    verdict = judge(text, right, of)
    assert (verdict.verdict, verdict.passed) == (decision, decision == "PASS")


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("semtrace.exact >= 0.35", True),  # exactly 7 of 20
        ("semtrace.exact > 0.35", False),
        ("semtrace.exact == 35%", True),
        ("semtrace.exact < 0.35", False),
        ("semtrace.exact <= 0.35", True),
        ("semtrace.exact[digits=2,prompting=direct] >= 0.35", True),
    ],
)
def test_about_the_suite_itself_the_value_decides(text: str, passed: bool) -> None:
    verdict = judge(text, 7, 20, rules=Rules(claim="suite"))
    assert verdict.verdict == ("PASS" if passed else "FAIL")
    assert (verdict.at_least, verdict.at_most, verdict.n, verdict.claim) == (0.35, 0.35, 20, "suite")


def test_the_sentences() -> None:
    text = "semtrace.exact[language=python] >= "
    low, high = judge(f"{text}0.1", 7, 20).at_least, judge(f"{text}0.1", 7, 20).at_most
    assert low == pytest.approx(0.177, abs=0.01)
    assert high == pytest.approx(0.558, abs=0.01)
    assert judge(f"{text}10%", 7, 20).sentence == (
        f"semtrace.exact[language=python] = 0.350 (at least {low:.3f} in 19 of 20 such runs, n 20, 20 programs) "
        "passes >= 0.1; 35 % of the programs would do with --eval-stop-when-decided; about programs like these"
    )
    assert judge(f"{text}90%", 7, 20).sentence == (
        f"semtrace.exact[language=python] = 0.350 (at most {high:.3f} in 19 of 20 such runs, n 20, 20 programs) "
        "fails >= 0.9; 10 % of the programs would do with --eval-stop-when-decided; about programs like these"
    )
    undecided = judge(f"{text}30%", 7, 20)
    assert undecided.sentence == (
        f"semtrace.exact[language=python] = 0.350 (n 20, 20 programs) leaves >= 0.3 open: it may lie between {low:.3f} "
        f"and {high:.3f}; some {undecided.needed} programs would decide; about programs like these"
    )
    assert undecided.needed is not None
    assert (
        500 < undecided.needed < 600
    )  # ((1.645 √0.21 + 0.842 √0.2275) / 0.05) ** 2 = 533, and one family at the worst
    assert judge(f"{text}35%", 7, 20, rules=Rules(claim="suite")).sentence == (
        "semtrace.exact[language=python] = 0.350 (n 20, 20 programs) passes >= 0.35; about this suite's questions"
    )


def test_rounding_does_not_contradict_the_verdict() -> None:
    verdict = judge("semtrace.exact >= 0.5", 1_249, 2_500, rules=Rules(claim="suite"))
    assert verdict.verdict == "FAIL"
    assert "= 0.4996 (" in verdict.sentence


def test_what_nobody_can_decide_passes_where_the_user_says_so() -> None:
    verdict = judge("semtrace.exact >= 0.3", 7, 20, rules=Rules(undecided="pass"))
    assert (verdict.verdict, verdict.passed) == ("UNDECIDED", True)
    assert not judge("semtrace.exact >= 0.9", 7, 20, rules=Rules(undecided="pass")).passed


def test_several_gates_make_a_failure_harder_and_a_pass_no_harder() -> None:
    """Clopper and Pearson of 7 of 20: at most 0.558 at 5 %, at most 0.592 at 2.5 %; at least 0.177 at 5 %."""
    run = make_run(models=["m"])
    data = build_data(run, make_answers(7, 20))
    texts = ["semtrace.exact >= 0.575", "semtrace.exact >= 0.17"]
    failing, passing = judge_gates(check_gates(texts, parse_run(run)), data)
    assert judge(texts[0], 7, 20).verdict == "FAIL"
    assert failing.verdict == "UNDECIDED"
    assert passing.verdict == "PASS"
    (sure, _) = judge_gates(check_gates(["semtrace.exact >= 0.9", texts[1]], parse_run(run)), data)
    assert "in 39 of 40 such runs" in sure.sentence


def test_what_was_not_measured_neither_passes_nor_fails() -> None:
    error = make_row(id="x", outcome="error", metrics={})
    lenient = Rules(undecided="pass", allow_partial=True)
    verdicts = [
        judge("semtrace.unresolved[digits=4] <= 1", 7, 20, rules=lenient),
        judge("semtrace.exact >= 0.1", 20, 20, extra=[error], rules=lenient),
        judge("semtrace.exact >= 0.9", 0, 20, extra=[error], rules=lenient),
    ]
    assert [(each.verdict, each.passed) for each in verdicts] == [("UNMEASURED", False)] * 3
    assert verdicts[0].value is None
    assert verdicts[0].sentence.endswith("= undefined (not asked) cannot be judged against <= 1: no scored answers")
    assert verdicts[1].sentence.endswith("= 1.000 (n 20, 20 programs) cannot be judged against >= 0.1: 1 unanswered")


def test_unanswered_questions_elsewhere_do_not_matter() -> None:
    elsewhere = make_row(id="x", outcome="error", axes={"digits": 4, "prompting": "direct"})
    assert judge("semtrace.exact[digits=2] >= 0.1", 20, 20, extra=[elsewhere]).passed


@pytest.mark.parametrize("partial", [{"selection": "20 of 240 questions"}, {"complete": False}])
def test_a_partial_run_passes_only_if_allowed(partial: dict[str, Any]) -> None:
    refused = judge("semtrace.exact >= 0.1", 20, 20, **partial)
    allowed = judge("semtrace.exact >= 0.1", 20, 20, **partial, rules=Rules(allow_partial=True))
    assert refused.verdict == "UNMEASURED"
    assert allowed.passed
    assert "PARTIAL: " in refused.sentence
    assert "PARTIAL, allowed: " in allowed.sentence
    assert judge("semtrace.exact >= 0.9", 1, 20, **partial, rules=Rules(allow_partial=True)).verdict == "FAIL"


def test_a_part_with_unanswered_questions_is_not_said_to_be_judged_by_an_option() -> None:
    """``--eval-allow-partial`` lets a part be judged, but no unanswered question pass."""
    missing = make_row(id="x", outcome="error", axes={"digits": 2, "prompting": "direct"})
    for right, many in ((20, 20), (0, 0)):
        told = judge("semtrace.exact >= 0.1", right, many, extra=[missing], complete=False).sentence
        assert "1 unanswered" in told
        assert "PARTIAL: " in told
        assert "--eval-allow-partial" not in told


def test_a_part_without_a_scored_answer_is_not_said_to_be_judged_by_an_option() -> None:
    told = judge("semtrace.unresolved[digits=4] <= 1", 7, 20, selection="20 of 240 questions")
    assert (told.verdict, told.value) == ("UNMEASURED", None)
    assert told.sentence.endswith(": no scored answers; PARTIAL: 20 of 240 questions")


def test_a_part_that_covers_the_gate_is_none_for_it() -> None:
    run = make_run(models=["m"], selection="20 of 240 questions")
    direct = {"language": "python", "digits": 2, "prompting": "direct"}
    run["suites"]["semtrace"]["cells"] = [[20, direct], [20, direct | {"digits": 4}]]
    data = build_data(run, make_answers(20, 20))
    whole, part = judge_gates(
        check_gates(["semtrace.exact[digits=2] >= 0.1", "semtrace.exact >= 0.1"], parse_run(run)), data
    )
    assert whole.verdict == "PASS"
    assert "PARTIAL: 20 of 40 questions asked; --eval-allow-partial" in part.sentence


def test_a_record_that_is_lost_is_a_question_that_was_not_asked() -> None:
    """The run says that it is complete, and one of its twenty lines is damaged or gone."""
    run = make_run(models=["m"])
    run["suites"]["semtrace"]["cells"] = [[20, {"language": "python", "digits": 2, "prompting": "direct"}]]
    gates = check_gates(["semtrace.exact >= 0.1"], parse_run(run))
    (whole,), (cut,) = (judge_gates(gates, build_data(run, make_answers(20, 20)[:many])) for many in (20, 19))
    assert whole.passed
    assert cut.verdict == "UNMEASURED"
    assert "PARTIAL: 19 of 20 questions recorded; " in cut.sentence


def test_one_of_several_answers_that_is_lost_is_no_answer_less() -> None:
    """The lines of all wrong second answers are gone. Every question still has a record."""
    run, rows = make_sampled_run(), make_samples(12, 20)
    gates = check_gates(["semtrace.exact >= 0.8"], parse_run(run))
    (whole,), (cut,) = (
        judge_gates(gates, build_data(run, part), Rules(claim="suite"))
        for part in (make_samples(20, 20), [row for row in rows if row["outcome"] == "correct"])
    )
    assert whole.passed
    assert cut.verdict == "UNMEASURED"
    assert "PARTIAL: 8 of 20 questions lack some of their answers; " in cut.sentence
    fixed = run | {"suites": {"semtrace": run["suites"]["semtrace"] | {"resolved": {"samples": {"default": 2}}}}}
    assert judge_gates(gates, build_data(fixed, rows[:39]))[0].verdict == "UNMEASURED"


def test_a_baseline_that_lost_one_of_several_answers_decides_nothing() -> None:
    run, rows = make_sampled_run(), make_samples(20, 20)
    whole, cut = (build_data(run, part) for part in (rows, rows[:-1]))
    verdict = compare("semtrace.exact >= baseline - 50%", whole, whole)
    assert verdict.verdict == "PASS"
    verdict = compare("semtrace.exact >= baseline - 50%", cut, whole)
    assert verdict.verdict == "UNMEASURED"
    assert "PARTIAL: the baseline has 19 of 20 questions; " in verdict.sentence
    other = build_data(run, [row | {"family": f"{row['family']}{'x' * (row['id'] == '3')}"} for row in rows])
    assert "the baseline has 19 of 20 questions" in compare("semtrace.exact >= baseline - 50%", other, whole).sentence


@pytest.mark.parametrize("allow_partial", [False, True])
def test_records_beyond_those_of_the_suite_decide_nothing(allow_partial: bool) -> None:
    """Somebody has put the right answers of several runs into one file."""
    run, rules = make_sampled_run(), Rules(claim="suite", allow_partial=allow_partial)
    gates = check_gates(["semtrace.exact >= 0.9"], parse_run(run))
    rows = make_samples(0, 20)
    answers = [row | {"sample": sample} for row in rows[:20] for sample in range(2, 30)]
    questions = [row | {"id": f"{row['id']}-{more}"} for row in rows[:20] for more in range(30)]
    again, other = (judge_gates(gates, build_data(run, [*rows, *more]), rules)[0] for more in (answers, questions))
    assert {again.verdict, other.verdict} == {Decision.UNMEASURED}
    assert "560 answers recorded that the suite does not ask for" in again.sentence
    assert "600 questions recorded that the suite does not have" in other.sentence
    before = build_data(run, [*rows, *answers])
    told = compare("semtrace.exact >= baseline", before, build_data(run, rows)).sentence
    assert told.endswith(
        "judged against >= baseline: 560 answers recorded in the baseline that the suite does not ask for"
    )


def test_a_random_part_of_a_suite_leaves_only_the_other_programs_open() -> None:
    """95 of 100 programs asked, all right: the other five can make it 0.95 at worst."""
    direct = {"language": "python", "digits": 2, "prompting": "direct"}
    run = make_run(models=["m"], selection="95 of 100 questions", sampled=True)
    run["suites"]["semtrace"] |= {
        "cells": [[100, direct]],
        "families": [[100, {"digits": 2}], [100, {"language": "python", "digits": 2}]],
    }
    gates = check_gates(["semtrace.exact >= 0.98", "semtrace.exact[language=python] >= 0.98"], parse_run(run))
    rules = Rules(claim="suite", allow_partial=True)
    for verdict in judge_gates(gates, build_data(run, make_answers(95, 95)), rules):
        assert (verdict.verdict, verdict.at_most) == ("PASS", 1.0)
        assert verdict.at_least is not None
        assert 0.98 < verdict.at_least < 1, "0.05 ** (1 / 95) = 0.969 without the end of the suite"
    twice = [*make_answers(95, 95), make_row(id="second", family="94")]
    of_two = [row | {"repository": f"r{number % 2}"} for number, row in enumerate(make_answers(95, 95))]
    for other in (
        judge_gates(gates, build_data(run | {"sampled": False}, make_answers(95, 95)), rules),
        judge_gates(gates, build_data(run, of_two), rules),
        judge_gates(gates, build_data(run, make_answers(95, 95)), Rules(allow_partial=True)),
    ):
        assert {verdict.verdict for verdict in other} == {"UNDECIDED"}
    ((first, _), (second, _)) = (judge_gates(gates, build_data(run, rows), rules) for rows in (twice[:-1], twice))
    assert first.at_least != second.at_least, "a program that was asked in another number is no whole one"


def test_programs_of_known_repositories_are_counted_by_repository() -> None:
    run = make_run(models=["m"])
    (gate,) = check_gates(["semtrace.exact >= 0.5"], parse_run(run))
    rows = [row | {"repository": f"r{number % 3}"} for number, row in enumerate(make_answers(90, 90))]
    (verdict,) = judge_gates([gate], build_data(run, rows))
    assert "n 90, 3 repositories)" in verdict.sentence


@pytest.mark.parametrize(
    ("lost", "won", "bound", "decision"),
    [
        (16, 4, "5%", "UNDECIDED"),  # 0.12 ± 1.645 · 0.043, and one program more at the worst
        (16, 4, "2%", "FAIL"),
        (16, 4, "25%", "PASS"),
        (0, 0, "3%", "PASS"),  # 1 - 0.05 ** (1 / 100) = 2.95 % may be lost
        (0, 0, "2.9%", "UNDECIDED"),
        (1, 0, "0", "UNDECIDED"),  # one answer proves nothing
    ],
)
def test_a_drop_is_judged_program_by_program(lost: int, won: int, bound: str, decision: str) -> None:
    run = make_run(models=["m"], suites={"semtrace": AXES})
    gates = check_gates([f"drop(semtrace.exact[perturbation=comments]) <= {bound}"], parse_run(run))
    (verdict,) = judge_gates(gates, build_data(run, make_changed(lost, won)))
    assert verdict.verdict == decision
    assert verdict.value == (lost - won) / 100
    assert verdict.flips is not None
    assert (verdict.flips.lost, verdict.flips.won, verdict.n, verdict.families) == (lost, won, 100, 100)


@pytest.mark.parametrize(
    ("lost", "won", "condition", "decision"),
    [
        (0, 0, ">= baseline - 1%", "PASS"),  # 1 - 0.05 ** (1 / 400) = 0.75 %
        (0, 0, ">= baseline", "UNDECIDED"),
        (60, 10, ">= baseline - 2%", "FAIL"),
        (10, 60, ">= baseline + 5%", "PASS"),
        (10, 8, ">= baseline - 2%", "UNDECIDED"),
        (10, 8, ">= baseline - 5%", "PASS"),
        (1, 0, "<= baseline", "UNDECIDED"),
    ],
)
def test_a_run_is_compared_with_the_baseline_program_by_program(
    lost: int, won: int, condition: str, decision: str
) -> None:
    before, after = make_answers(300, 400), make_answers(300, 400)
    for row in after[:lost]:
        row |= {"outcome": "wrong", "metrics": {"exact": 0.0}}
    for row in after[300 : 300 + won]:
        row |= {"outcome": "correct", "metrics": {"exact": 1.0}}
    verdict = compare(f"semtrace.exact {condition}", make_data(before), make_data(after))
    assert verdict.verdict == decision
    assert (verdict.value, verdict.baseline) == ((300 - lost + won) / 400, 0.75)
    assert verdict.flips is not None
    assert (verdict.flips.lost, verdict.flips.won, verdict.n) == (lost, won, 400)
    difference = f"{(won - lost) / 400:.3f}".replace("-", "−")
    assert f"= {verdict.value:.3f}, 0.750 in the baseline, a difference of {difference}" in verdict.sentence
    passes = verdict.verdict == "PASS"
    assert passes is ("a true change of 0.0" in verdict.sentence) is (verdict.smallest is not None)
    if (lost, won) == (0, 0) and passes:
        assert verdict.smallest == pytest.approx(0.0193, abs=1e-3), "(1.96 + 0.84)² / 400 programs that never differ"


def test_a_pass_beside_a_baseline_that_is_never_right_says_so() -> None:
    never = make_data(make_answers(0, 400))
    verdict = compare("semtrace.exact >= baseline - 5%", never, never)
    assert verdict.verdict == "PASS"
    assert "; both figures are 0, so nothing can be lost; " in verdict.sentence
    assert "-0.000" not in verdict.sentence
    faults = compare("truncated(semtrace) <= baseline + 5%", never, never)
    assert (faults.verdict, faults.value, faults.baseline) == ("PASS", 0.0, 0.0)
    assert "nothing can be lost" not in faults.sentence, "it is good to have none of these"


def test_the_drop_of_a_run_is_compared_with_that_of_the_baseline() -> None:
    changes: dict[str, Any] = {"suites": {"semtrace": AXES}}
    before, after = make_data(make_changed(5, 5), **changes), make_data(make_changed(40, 5), **changes)
    verdict = compare("drop(semtrace.exact[perturbation=comments]) <= baseline + 5%", before, after)
    assert (verdict.verdict, verdict.value, verdict.baseline) == ("FAIL", 0.35, 0.0)


def test_a_baseline_that_lacks_questions_or_answers_decides_nothing() -> None:
    after = make_data(make_answers(300, 400))
    short = compare("semtrace.exact >= baseline - 5%", make_data(make_answers(300, 390)), after)
    assert "PARTIAL: the baseline has 390 of 400 questions; " in short.sentence
    broken = [*make_answers(300, 399), make_row(id="399", family="399", outcome="error", metrics={})]
    unanswered = compare("semtrace.exact >= baseline - 5%", make_data(broken), after)
    assert unanswered.sentence.endswith("1 unanswered in the baseline")
    assert {short.verdict, unanswered.verdict} == {Decision.UNMEASURED}
    other = compare("semtrace.exact >= baseline - 5%", make_data(make_answers(300, 400, sample=1)), after)
    assert other.verdict == "UNMEASURED"
    gone = judge_gates([parse_gate("semtrace.exact >= baseline")], after, Rules())
    assert gone[0].sentence.endswith("the baseline is not there any more")


def test_a_number_without_known_ends_is_open_where_all_agree() -> None:
    metric = {"name": "distance", "of": ["correct"], "binary": False, "higher_is_better": False}
    run = make_run(models=["m"])
    run["suites"]["semtrace"]["metrics"] = [metric]
    rows = [make_row(id=str(i), family=str(i), metrics={"distance": 2.0}) for i in range(50)]
    gates = check_gates(["semtrace.distance <= 3"], parse_run(run))
    assert judge_gates(gates, build_data(run, rows))[0].verdict == "UNDECIDED"
    for row in rows[:25]:
        row["metrics"] = {"distance": 1.0}
    assert judge_gates(gates, build_data(run, rows))[0].verdict == "PASS"


@pytest.mark.slow
def test_each_model_is_judged_and_named_and_agrees_with_the_summary() -> None:
    run = make_run(families=8)
    data = build_data(run, make_rows(run, families=8))
    results = judge_gates(
        [parse_gate("semtrace.partial[language=php] >= 0.2"), parse_gate("semtrace.exact > 0.2")], data
    )
    assert [result.model for result in results] == list(run["models"]) * 2
    for result in results[:2]:
        model = summarise(data).suites["semtrace"].models[result.model]
        php = model.axes["language"][2].metrics["partial"]
        assert (result.value, result.low, result.high, result.n) == (php.value, php.low, php.high, php.n)
        assert result.sentence.startswith(f"{result.model}: semtrace.partial")


def test_the_exit_code_tells_worse_from_unknown() -> None:
    texts = {"PASS": ">= 0.1", "FAIL": ">= 0.9", "UNDECIDED": ">= 0.35", "UNMEASURED": "[digits=4] >= 0.1"}
    run = make_run(models=["m"])
    data = build_data(run, make_answers(7, 20))
    gates = check_gates([f"semtrace.exact{text}" for text in texts.values()], parse_run(run))

    def give(*decisions: str, undecided: Any = "fail") -> int:
        verdicts = judge_gates(gates, data, Rules(undecided=undecided))
        assert [verdict.verdict for verdict in verdicts] == list(texts)
        return choose_exit_code([verdict for verdict in verdicts if verdict.verdict in decisions])

    assert give("PASS") == 0
    assert give("PASS", "FAIL", "UNDECIDED", "UNMEASURED") == 1
    assert give("PASS", "UNDECIDED") == give("UNMEASURED", "PASS") == 10
    assert give("PASS", "UNDECIDED", undecided="pass") == 0
    assert give("UNDECIDED", "UNMEASURED", undecided="pass") == 10


def test_a_drop_says_what_it_would_be_without_the_token_limit() -> None:
    run, rows = make_drop("c" * 40, "c" * 20 + "t" * 20)
    data = build_data(run, rows)
    (gate,) = check_gates(["drop(semtrace.exact[perturbation=comments]) <= 5%"], parse_run(run))
    (verdict,) = judge_gates([gate], data)
    assert (verdict.verdict, verdict.value) == ("FAIL", 0.5), "the scored values decide"
    assert verdict.bounds == Bounds(all_wrong=0.5, all_right=0.0, truncated=20)
    said = (
        "20 truncated answers (0 before, 20 after): the drop would be 0.000 if all were right, 0.500 if all were wrong"
    )
    assert f" fails <= 0.05; {said}; about" in verdict.sentence


def test_a_difference_from_the_baseline_says_what_it_would_be_without_the_token_limit() -> None:
    run, rows = make_drop("c" * 40, "c" * 38 + "tw")
    earlier = build_data(*make_drop("c" * 39 + "t", "c" * 38 + "cw"))
    gate = "semtrace.exact[perturbation=vanilla] >= baseline - 20%"
    drop = "drop(semtrace.exact[perturbation=comments]) <= baseline + 20%"
    parsed = check_gates([gate, drop], parse_run(run), earlier.run)
    first, second = judge_gates(parsed, build_data(run, rows), Rules(baseline=earlier))
    assert first.bounds == Bounds(all_wrong=0.025, all_right=0.0, truncated=1)
    assert "1 truncated answer (0 here, 1 in the baseline): the difference would be 0.000 if all" in first.sentence
    counts = "2 truncated answers (0 before here, 1 after here, 1 before in the baseline, 0 after in the baseline)"
    assert f"{counts}: the difference would be" in second.sentence


def test_a_verdict_says_nothing_of_the_token_limit_where_it_cut_nothing_off() -> None:
    run, rows = make_drop("c" * 40, "c" * 20 + "w" * 20)
    (gate,) = check_gates(["drop(semtrace.exact[perturbation=comments]) <= 5%"], parse_run(run))
    (verdict,) = judge_gates([gate], build_data(run, rows))
    assert verdict.bounds is None
    assert "truncated" not in verdict.sentence


@pytest.mark.parametrize(
    ("op", "low", "high", "decision"),
    [
        ("==", 0.5, 0.5, "PASS"),
        ("==", 0.5, 0.7, "UNDECIDED"),
        ("==", 0.3, 0.5, "UNDECIDED"),
        ("==", 0.51, 0.7, "FAIL"),
        ("==", 0.3, 0.49, "FAIL"),
        ("==", 0.49, 0.49, "FAIL"),
        (">=", 0.5, 0.7, "PASS"),
        (">", 0.5, 0.7, "UNDECIDED"),
        (">=", 0.3, 0.5, "UNDECIDED"),
        (">", 0.3, 0.5, "FAIL"),
        ("<=", 0.3, 0.5, "PASS"),
        ("<", 0.5, 0.7, "FAIL"),
        (">=", None, 0.3, "UNDECIDED"),
        (">=", 0.6, None, "UNDECIDED"),
    ],
)
def test_limits_that_touch_the_number(op: str, low: float | None, high: float | None, decision: str) -> None:
    assert decide(parse_gate(f"s.exact {op} 0.5"), low, high) == decision


@pytest.mark.parametrize(
    ("gate", "sides"),
    [(">= 0.9", "39 of 40"), ("<= 0.1", "39 of 40"), ("== 0.9", "79 of 80"), ("== 0.1", "79 of 80")],
)
def test_a_failure_of_one_of_two_gates_is_held_to_half_of_the_level(gate: str, sides: str) -> None:
    run = make_run(models=["m"])
    gates = check_gates([f"semtrace.exact {gate}", "semtrace.exact >= 0"], parse_run(run))
    verdict, _ = judge_gates(gates, build_data(run, make_answers(7, 20)))
    assert verdict.verdict == "FAIL"
    assert f"in {sides} such runs" in verdict.sentence


def test_a_verdict_of_a_run_that_stopped_early_is_about_its_own_baseline_and_claim() -> None:
    entry = {"gate": "semtrace.exact >= baseline - 0.02", "model": "m", "verdict": "PASS", "value": 0.5}
    entry |= {"baseline": 0.5, "at_least": 0.0, "at_most": 0.1, "n": 10, "programs": 10, "of": 20, "questions": 20}
    stopped = {"asked": 20, "of": 20, "gates": [entry]}
    run, before = make_sampled_run(1, stopped_early=stopped, baseline="old", claim="suite"), make_sampled_run(1)
    after, rows = build_data(run, make_answers(10, 20)), make_answers(20, 20)
    gates = check_gates(["semtrace.exact >= baseline - 2%"], after.run, parse_run(before))

    def decide(folder: str, claim: Claim) -> str:
        baseline = RunData.build({folder: (parse_run(before), rows)})
        return judge_gates(gates, after, Rules(claim=claim, baseline=baseline))[0].verdict

    assert decide("./old", "suite") == "PASS"
    assert decide("other", "suite") == "FAIL"
    assert decide("old", "generator") == "FAIL"


def test_a_difference_over_the_whole_suite_is_known_and_needs_no_smallest_change() -> None:
    before, after = make_data(make_answers(300, 400)), make_data(make_answers(310, 400))
    known = compare("semtrace.exact >= baseline - 5%", before, after, claim="suite")
    assert (known.verdict, known.at_least, known.smallest) == ("PASS", 0.025, None)
    assert "would be clear" not in known.sentence
    drawn = compare("semtrace.exact >= baseline - 5%", before, after)
    assert drawn.verdict == "PASS"
    assert drawn.smallest is not None
    assert f"a true change of {drawn.smallest:.3f} would be clear in 4 of 5 such runs" in drawn.sentence


def test_a_gate_on_right_answers_says_how_many_are_left_as_sums() -> None:
    """Of 20 right answers 8 are sums. Nothing is said of them beside another metric, or where there are none."""
    resolved = {"name": "exact_resolved", "of": ["correct", "wrong"], "binary": True, "higher_is_better": True}
    run = make_run(models=["m"])
    run["suites"]["semtrace"]["metrics"] = [*METRICS, resolved]
    rows = [
        row | {"metrics": row["metrics"] | {"unresolved": float(i < 8), "exact_resolved": float(i >= 8)}}
        for i, row in enumerate(make_answers(20, 20))
    ]
    texts = ["semtrace.exact >= 0.5", "semtrace.partial >= 0.5", "semtrace.exact_resolved >= 0"]
    said, other, own = judge_gates(check_gates(texts, parse_run(run)), build_data(run, rows))
    assert said.sentence.endswith("; 8 of 20 right answers are left as sums; exact and resolved is 0.600")
    assert "sums" not in other.sentence + own.sentence
    (plain,) = judge_gates(check_gates(texts[:1], parse_run(run)), build_data(run, make_answers(20, 20)))
    assert "sums" not in plain.sentence


def make_two(lost: int, won: int, of: int = 100, **changes: Any) -> RunData:
    """Two models on the same programs: ``b`` is wrong on ``lost`` that ``a`` has right, and right on ``won`` others."""
    rows = [
        make_row(id=str(i), family=str(i), model=model, outcome="correct" if right else "wrong")
        for i in range(of)
        for model, right in (("a", i < lost or i >= lost + won), ("b", i >= lost))
    ]
    return build_data(make_run(models=["a", "b"], **changes), rows)


def judge_two(text: str, data: RunData, **rules: Any) -> list[GateVerdict]:
    return judge_gates(check_gates([text], data.run), data, Rules(**rules))


def test_two_models_of_a_run_are_compared_answer_by_answer() -> None:
    (verdict,) = judge_two("semtrace.exact[model=b] >= semtrace.exact[model=a] - 3%", make_two(12, 2))
    assert (verdict.verdict, verdict.model, verdict.against) == ("FAIL", "b", "a")
    assert (verdict.value, verdict.baseline) == (0.88, 0.98)
    assert verdict.flips is not None
    assert (verdict.flips.lost, verdict.flips.won) == (12, 2)
    assert "= 0.880, 0.980 by a, a difference of −0.100 (" in verdict.sentence
    (passed,) = judge_two("semtrace.exact >= semtrace.exact[model=a] - 3%", make_two(0, 0))
    assert passed.verdict == "PASS"
    (other,) = judge_two("semtrace.exact[model=a] >= semtrace.exact[model=b]", make_two(12, 2))
    assert (other.verdict, other.model, other.against) == ("PASS", "a", "b")


def test_two_models_are_judged_as_two_runs_are() -> None:
    data = make_two(7, 2)
    (here,) = judge_two("semtrace.exact[model=b] >= semtrace.exact[model=a] - 5%", data)
    before, after = (
        make_data([{**row, "model": "m"} for row in rows])
        for rows in (
            [make_row(id=str(i), family=str(i), outcome="wrong" if 7 <= i < 9 else "correct") for i in range(100)],
            [make_row(id=str(i), family=str(i), outcome="wrong" if i < 7 else "correct") for i in range(100)],
        )
    )
    there = compare("semtrace.exact >= baseline - 5%", before, after)
    assert (here.verdict, here.at_least, here.at_most, here.needed) == (
        there.verdict,
        there.at_least,
        there.at_most,
        there.needed,
    )


def test_answers_that_the_other_model_lacks_are_named_with_it() -> None:
    data = make_two(1, 1, of=20)
    rows = data.records[(data.records["model"] != "a") | (data.records["id"].astype(int) < 15)]
    gate = "semtrace.exact[model=b] >= semtrace.exact[model=a] - 3%"
    (verdict,) = judge_two(gate, replace(data, records=rows))
    assert verdict.verdict == "UNMEASURED"
    assert "a has 15 of 20 questions" in verdict.sentence
