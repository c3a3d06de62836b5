"""What a comparison finds: which side is worse, over which questions, and what flipped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.comparing.comparison import RunComparison
from pytest_codereason.reports.comparing.differences import MetricRow
from pytest_codereason.reports.comparing.sentences import describe_overlap, describe_row
from pytest_codereason.reports.comparing.text_page import write_text
from tests.examples import examples
from tests.reports.comparing.words import Run, compare_small, make_small_run

RENAMED = [{"perturbation": "vanilla"}, {"perturbation": "rename"}]
AXES = {"language": ["python"], "perturbation": ["vanilla", "rename"]}


def list_rows(comparison: RunComparison) -> list[MetricRow]:
    return [row for pair in comparison.pairs for suite in pair.suites for row in suite.rows]


def test_a_model_that_loses_half_of_its_answers_is_worse() -> None:
    old, new = make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 20 + "w" * 20})
    row, truncated = list_rows(compare_small(old, new))
    assert (row.finding, truncated.finding) == ("worse", "same")
    assert row.difference
    assert (row.difference.before, row.difference.after, row.difference.value) == (1.0, 0.5, -0.5)
    assert (row.difference.flips.lost, row.difference.flips.won) == (20, 0)
    assert list_rows(compare_small(new, old))[0].finding == "better"


def test_programs_of_known_repositories_are_counted_by_repository() -> None:
    sides = [make_small_run({"m": letters}) for letters in ("c" * 40, "c" * 35 + "w" * 5)]
    of_two = [(run, [row | {"repository": f"r{n % 2}"} for n, row in enumerate(rows)]) for run, rows in sides]
    for runs, words in ((sides, "on 40 answers about 40 programs"), (of_two, "on 40 answers about 2 repositories")):
        assert words in " ".join(write_text(compare_small(*runs), 120).split())


def test_a_few_flips_are_no_clear_difference() -> None:
    row = list_rows(compare_small(make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 35 + "w" * 5})))[0]
    assert row.finding == "unclear"
    assert row.difference
    assert row.difference.p == pytest.approx(2 / 2**5), "five of five the same way"
    assert row.difference.high == 0, "so the interval of this row alone reaches zero too"


def test_what_is_clear_alone_and_not_together_names_both_p_values() -> None:
    """Six of 40 programs are lost in one row of seven: the interval leaves out zero, the corrected p is too large."""
    old, new = make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 34 + "w" * 6})
    comparison = compare_small(old, new)
    row = replace(list_rows(comparison)[0], p=0.219, finding="unclear")
    assert row.difference
    assert row.difference.leaves_out_zero
    assert ", p = 0.031, corrected 0.219) on 40 answers" in describe_row(row, "A", "B")
    assert "p and the 95 % interval are those of one row alone" in " ".join(write_text(comparison, 120).split())


def test_a_program_counts_by_its_questions_for_the_test_as_for_the_mean() -> None:
    """Ten programs rise and one falls, but that one has twelve questions: the mean falls, and nothing is clear."""
    old, new = make_small_run({"m": "w" * 10 + "c" * 12}), make_small_run({"m": "c" * 10 + "w" * 12})
    for record in (*old[1][10:], *new[1][10:]):
        record["family"] = "10"
    row = list_rows(compare_small(old, new))[0]
    assert row.p == 1.0
    assert row.difference
    assert row.difference.value < 0
    assert not row.difference.leaves_out_zero
    assert row.finding == "unclear"


def test_swapping_the_runs_mirrors_the_interval() -> None:
    runs = make_small_run({"m": "c" * 30 + "w" * 10}), make_small_run({"m": "w" * 8 + "c" * 27 + "w" * 5})
    for _, rows in runs:
        for place, record in enumerate(rows):
            record["family"] = str(int(place**0.7))  # programs of different size, so that hardly two draws are alike
    there, back = (list_rows(compare_small(*order))[0].difference for order in (runs, runs[::-1]))
    assert there
    assert back
    assert there.low is not None
    assert there.high is not None
    assert back.low == pytest.approx(-there.high)
    assert back.high == pytest.approx(-there.low)


def test_all_rows_of_all_pairs_are_judged_together() -> None:
    old, new = make_small_run({"m": "c" * 40}), make_small_run({"m": "c" * 33 + "w" * 7})
    alone = list_rows(compare_small(old, new))[0]
    together = list_rows(compare_small(old, new, old))[0]
    assert alone.difference
    assert together.difference
    assert alone.difference.p == together.difference.p == pytest.approx(2 / 2**7)
    assert alone.p == pytest.approx(2 * 2 / 2**7)
    assert together.p == pytest.approx(4 * 2 / 2**7)
    assert (alone.finding, together.finding) == ("worse", "unclear")


def test_the_plain_question_comes_first_and_each_axis_value_follows_once() -> None:
    run = make_small_run({"m": "cw"}, axes=AXES, at=RENAMED)
    assert [(row.metric.name, dict(row.where), row.along) for row in list_rows(compare_small(run, run))] == [
        ("exact", {"perturbation": "vanilla"}, ""),
        ("truncated", {"perturbation": "vanilla"}, ""),
        ("exact", {"perturbation": "rename"}, "perturbation"),
    ]


def test_models_of_one_run_are_compared_with_its_first() -> None:
    comparison = compare_small(make_small_run({"x": "cc", "y": "cw", "z": "ww"}))
    assert [(pair.before.subject.model, pair.after.subject.model) for pair in comparison.pairs] == [
        ("x", "y"),
        ("x", "z"),
    ]
    assert [side.letter for side in comparison.sides] == ["A", "B", "C"]


def test_models_of_two_runs_are_compared_each_with_itself() -> None:
    comparison = compare_small(make_small_run({"x": "c", "y": "c"}), make_small_run({"y": "c", "x": "c", "z": "c"}))
    assert [(pair.before.subject.model, pair.after.subject.model) for pair in comparison.pairs] == [
        ("x", "x"),
        ("y", "y"),
    ]
    assert comparison.left_out == ("z (two)",)


def test_one_model_is_compared_with_each_of_several_others() -> None:
    comparison = compare_small(make_small_run({"x": "c"}), make_small_run({"y": "c", "z": "c"}))
    assert [pair.after.subject.model for pair in comparison.pairs] == ["y", "z"]


def test_baselines_count_only_by_name() -> None:
    run, rows = make_small_run({"x": "c", "y": "w", "baseline:chance": "w"})
    run["models"]["baseline:chance"]["identity"] = {"baseline": "chance"}
    assert [pair.after.subject.model for pair in compare_small((run, rows)).pairs] == ["y"]
    named = compare_small((run, rows), models=["x", "baseline:chance"])
    assert [pair.after.subject.model for pair in named.pairs] == ["baseline:chance"]


@pytest.mark.parametrize(
    ("runs", "models", "complaint"),
    [
        ([{"x": "c"}], [], "one: there is nothing to compare x with; name a second run, or a second model"),
        ([{"x": "c", "y": "c"}, {"v": "c", "w": "c"}], [], "share no model: one asked x, y, the other v, w; choose"),
        ([{"strong": "c", "y": "c"}], ["strnog"], r"--model strnog: no run has it \(did you mean 'strong'\?\); there"),
    ],
)
def test_what_cannot_be_compared_is_said(runs: list[dict[str, str]], models: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        compare_small(*map(make_small_run, runs), models=models)


def test_runs_of_other_suites_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="share no suite: one has semtrace, the other ladder"):
        compare_small(make_small_run({"m": "c"}), make_small_run({"m": "c"}, suite="ladder"))


def test_of_two_plans_only_the_same_programs_are_compared() -> None:
    old = make_small_run({"m": "cccc-"}, programs=["a", "b", "c", "d", "e"])
    new = make_small_run({"m": "cc-cc"}, plan="q", programs=["a", "x", "c", "d", "e"])
    new[0]["suites"]["semtrace"]["resolved"] = {"seed": 8}
    overlap = compare_small(old, new).pairs[0].suites[0].overlap
    assert not overlap.same_plan
    assert overlap.differing == ("seed",)
    assert (overlap.questions, overlap.shared, overlap.altered, overlap.only) == ((4, 4), 2, 1, (1, 1))


def test_of_two_plans_another_expected_answer_is_another_question() -> None:
    old, new = make_small_run({"m": "cc"}), make_small_run({"m": "cw"}, plan="q")
    new[1][1]["expected"] = "[3]"
    suite = compare_small(old, new).pairs[0].suites[0]
    assert (suite.overlap.shared, suite.overlap.altered, suite.flips.lost) == (1, 1, 0)


def test_unanswered_questions_are_counted_and_flip_nothing() -> None:
    suite = compare_small(make_small_run({"m": "cces"}), make_small_run({"m": "cecs"})).pairs[0].suites[0]
    assert suite.overlap.unanswered == (2, 2)
    assert (suite.flips.lost, suite.flips.won) == (0, 0)
    row = suite.rows[0]
    assert row.difference
    assert row.difference.pairs == 1


def test_where_a_side_has_no_answer_the_reason_names_it() -> None:
    row = list_rows(compare_small(make_small_run({"m": "cc"}), make_small_run({"m": "ee"})))[0]
    assert not row.difference
    assert (row.difference.reason, row.finding, row.p) == ("B unanswered", "undefined", None)


def test_flips_are_counted_by_axis_and_by_kind_of_failure() -> None:
    old = make_small_run({"m": "cccw"}, axes=AXES, at=RENAMED)
    new = make_small_run({"m": "wtcc"}, axes=AXES, at=RENAMED)
    flips = compare_small(old, new).pairs[0].suites[0].flips
    assert (flips.lost, flips.won) == (4, 2)
    assert [(each.axis, each.value, each.lost, each.won, each.pairs) for each in flips.counts] == [
        ("perturbation", "vanilla", 2, 1, 4),
        ("perturbation", "rename", 2, 1, 4),
        ("", "wrong: a list of another length", 2, 2, 0),
        ("", "truncated", 2, 0, 0),
    ]


def test_losses_are_shown_first_and_no_group_is_left_out_for_another() -> None:
    flips = compare_small(make_small_run({"m": "cccccw"}), make_small_run({"m": "wwwwtc"}), flips=3)
    shown = flips.pairs[0].suites[0].flips.shown
    assert [(flip.id, flip.kind, flip.lost) for flip in shown] == [
        ("python/0[]", "wrong", True),
        ("python/4[]", "truncated", True),
        ("python/1[]", "wrong", True),
    ]
    assert (shown[0].expected, shown[0].before, shown[0].after) == ("[1, 2]", "[1, 2]", "[0]")
    assert shown[1].after is None
    every = compare_small(make_small_run({"m": "cw"}), make_small_run({"m": "wc"}), flips=9).pairs[0].suites[0].flips
    assert [flip.lost for flip in every.shown] == [True, False]


letters = st.text("cwte", min_size=1, max_size=12)
pairs_of_letters = st.integers(1, 12).flatmap(
    lambda size: st.tuples(*[st.text("cwte", min_size=size, max_size=size)] * 2)
)


def run_of(text: str) -> Run:
    return make_small_run({"m": text}, axes=AXES, at=RENAMED)


@pytest.mark.slow
@settings(max_examples=examples(5))
@given(letters)
def test_a_run_has_no_difference_to_itself(text: str) -> None:
    comparison = compare_small(run_of(text), run_of(text))
    assert {row.finding for row in list_rows(comparison)} <= {"same", "undefined"}
    suite = comparison.pairs[0].suites[0]
    assert (suite.flips.lost, suite.flips.won, suite.overlap.altered) == (0, 0, 0)


@pytest.mark.slow
@settings(max_examples=examples(5))
@given(pairs_of_letters)
def test_swapping_the_runs_mirrors_everything(texts: tuple[str, str]) -> None:
    there, back = compare_small(*map(run_of, texts)), compare_small(*map(run_of, reversed(texts)))
    opposite = {"worse": "better", "better": "worse"}
    for row, mirrored in zip(list_rows(there), list_rows(back), strict=True):
        assert mirrored.finding == opposite.get(row.finding, row.finding)
        assert mirrored.p == row.p
        if row.difference:
            assert mirrored.difference
            assert mirrored.difference.value == -row.difference.value
            assert (mirrored.difference.before, mirrored.difference.after) == (
                row.difference.after,
                row.difference.before,
            )
            assert row.difference.low is not None
            assert row.difference.high is not None
            assert mirrored.difference.low == pytest.approx(-row.difference.high)
            assert mirrored.difference.high == pytest.approx(-row.difference.low)
    flips, mirrored_flips = (each.pairs[0].suites[0].flips for each in (there, back))
    assert (flips.lost, flips.won) == (mirrored_flips.won, mirrored_flips.lost)
    assert {each.id for each in flips.shown} == {
        each.id for each in mirrored_flips.shown
    } or flips.lost + flips.won > 10


def test_answers_without_a_partner_are_counted() -> None:
    """Both runs have two samples; the second one has lost its wrong second answers."""
    run, rows = make_small_run({"m": "cccc"})
    second = [row | {"sample": 1} for row in rows]
    comparison = compare_small((run, [*rows, *second]), (run, [*rows, *second[:1]]))
    (suite,) = comparison.pairs[0].suites
    assert suite.overlap.unpaired == (3, 0)
    assert describe_overlap(suite, comparison.pairs[0]) == "same plan, 4 questions; 3 answers to these are in A alone."
