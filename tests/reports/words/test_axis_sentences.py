from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.reports.words.axis_sentences import describe_axis, find_weakest
from pytest_codereason.results.measures.summary import AxisEntry, AxisSweep, Counts, judge_sweeps
from pytest_codereason.results.values import ChangeBounds, Delta, Estimate, Undefined, Why

METRIC = Metric(name="exact", title="Exact match")


def entry(
    value: AxisValue,
    exact: float | None,
    delta: tuple[float, float, float] | None = None,
    errors: int = 0,
    p: float = 0.001,
    families: int = 10,
) -> AxisEntry:
    change: Delta | Undefined = Undefined(Why.REFERENCE)
    if delta:
        change = Delta(
            value=delta[0],
            low=delta[1],
            high=delta[2],
            relative=delta[0] / 0.8,
            relative_low=None,
            relative_high=None,
            pairs=10,
            families=families,
            p=p,
        )
    estimate = Estimate(value=exact, low=exact, high=exact, n=10, families=10)
    return AxisEntry(value, Counts(10, 10, {"error": errors}), {"exact": estimate}, {"exact": change})


def describe(entries: Mapping[str, Sequence[AxisEntry]], p: float | None = None) -> str:
    sweeps = {model: AxisSweep("digits", {}, tuple(values), p) for model, values in entries.items()}
    claims = judge_sweeps({model: [sweep] for model, sweep in sweeps.items()}, METRIC)
    return describe_axis("digits", sweeps, METRIC, claims)


def test_a_clear_fall() -> None:
    entries = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, 0.02), p=0.3), entry(4, 0.6, (-0.2, -0.3, -0.1))]
    assert describe({"m": entries}) == (
        "Exact falls from 0.800 at digits 2 to 0.600 at 4: −0.200 [−0.300, −0.100], −25.0\xa0% over 10 pairs "
        "(largest clear change)."
    )


def test_one_of_several_changes_must_be_clearer_than_one_alone() -> None:
    """A p-value of 0.02 is clear for one change. It is not the best of three that is."""
    fall = entry(3, 0.7, (-0.1, -0.2, -0.01), p=0.02)
    assert describe({"m": [entry(2, 0.8), fall]}).startswith("Exact falls")
    others = [entry(digits, 0.8, (0.01, -0.1, 0.1), p=0.9) for digits in (4, 5)]
    assert describe({"m": [entry(2, 0.8), fall, *others]}) == (
        "Exact does not change clearly with digits (3 changes looked at together)."
    )


def test_a_course_can_be_clear_where_no_single_change_is() -> None:
    """Five programs at each of eight levels: 5 of 5 right at level 1, then 1, then none; as in a first run."""
    falls = [entry(1, 1.0), *(entry(level, 0.0, (-1.0, -1.0, -0.4), p=0.011) for level in range(2, 9))]
    assert describe({"m": falls}) == "Exact does not change clearly with digits (7 changes looked at together)."
    assert describe({"m": falls}, p=0.0001) == (
        "Exact changes clearly with digits, but no single change is clear (7 changes looked at together)."
    )
    assert describe({"m": falls}, p=0.01).startswith("Exact does not change clearly"), "it is one of eight claims"
    assert describe({"m": falls, "n": falls}, p=0.0001) == (
        "On m and n, exact changes clearly with digits, but no single change is clear (14 changes looked at together)."
    )


def test_few_programs_are_said_to_be_too_few() -> None:
    entries = [entry(2, 1.0), *(entry(digits, 0.0, (-1.0, -1.0, -0.1), p=0.0625, families=5) for digits in (4, 5))]
    assert describe({"m": entries}) == (
        "5 programs are too few to tell whether exact changes with digits: it takes at least 7 (2 changes looked at "
        "together)."
    )


def test_no_change_at_all() -> None:
    entries = [entry(2, 0.8), entry(3, 0.8, (0.0, -0.1, 0.1), p=1.0)]
    assert describe({"m": entries}) == "Exact is the same at every value of digits."


def test_nothing_right_is_no_robustness() -> None:
    entries = [entry(2, 0.0), entry(3, 0.0, (0.0, -0.1, 0.1), p=1.0)]
    assert describe({"m": entries}) == "Exact is 0 at every value of digits, so nothing can fall."


def test_values_about_other_programs_are_not_called_the_same() -> None:
    entries = [entry(2, 0.136), entry(3, 0.1, (0.0, -0.1, 0.1), p=1.0)]
    assert describe({"m": entries}).startswith("Exact does not change over the programs that values of digits share;")


def test_unanswered_questions_are_said() -> None:
    entries = [entry(2, 0.8, errors=3), entry(3, 0.9, (0.1, 0.05, 0.2), errors=9)]
    assert describe({"m": entries}).endswith("over 10 pairs (12 unanswered).")


def test_several_models_are_each_named() -> None:
    falls = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, -0.05))]
    rises = [entry(2, 0.8), entry(3, 0.9, (0.1, 0.05, 0.2))]
    text = describe({"a": falls, "b": rises})
    assert text.startswith("On a, exact falls from")
    assert "; on b, exact rises from" in text
    many = dict.fromkeys("abc", falls) | {"d": [entry(2, 0.8), entry(3, 0.8, (0.0, -0.1, 0.1), p=1.0)]}
    assert describe(many) == "Exact changes clearly with digits on 3 of 4 models."


def test_nothing_to_compare() -> None:
    assert describe({"m": [entry(2, None), entry(3, 0.5)]}).startswith("There is nothing to compare")


def weakest(sweeps: Sequence[AxisSweep], metric: Metric = METRIC) -> AxisValue | None:
    found = find_weakest("m", sweeps, metric, judge_sweeps({"m": sweeps}, metric))
    return found[1].value if found else None


def test_the_weakest_value_is_clear_among_all_that_were_looked_at() -> None:
    entries = (entry(2, 0.8), entry(3, 0.4, (-0.4, -0.6, -0.2)), entry(4, 0.3, (-0.5, -0.9, -0.1), p=0.04))
    sweep = AxisSweep("digits", {}, entries)
    assert weakest([sweep]) == 4, "Holm: 0.001 is at most 0.05 / 2, and 0.04 at most 0.05"
    alike = AxisSweep("language", {}, (entry("php", 0.8), entry("python", 0.8, (0.0, -0.1, 0.1), p=1.0)))
    assert weakest([sweep, alike]) == 3, "0.04 is not at most 0.05 / 2"
    assert weakest([sweep], replace(METRIC, higher_is_better=False)) is None, "it only became better"
    assert weakest([alike]) is None


def test_what_a_chart_calls_clear_was_judged_with_all_axes_and_models() -> None:
    """The chart, the ranking and the summary of a suite have one answer."""
    fall = AxisSweep("digits", {}, (entry(2, 0.8), entry(3, 0.4, (-0.4, -0.6, -0.2), p=0.04)))
    alike = AxisSweep("language", {}, (entry("php", 0.8), entry("python", 0.8, (0.01, -0.1, 0.1), p=1.0)))
    alone, both = judge_sweeps({"m": [fall]}, METRIC), judge_sweeps({"m": [fall, alike]}, METRIC)
    two = judge_sweeps({"m": [fall], "n": [alike]}, METRIC)
    assert describe_axis("digits", {"m": fall}, METRIC, alone).startswith("Exact falls from 0.800")
    assert find_weakest("m", [fall], METRIC, alone) is not None
    for claims in (both, two):
        said = describe_axis("digits", {"m": fall}, METRIC, claims)
        assert said.startswith("Exact does not change clearly with digits (2 changes looked at together).")
        assert find_weakest("m", [fall], METRIC, claims) is None


def test_truncated_answers_make_a_clear_fall_uncertain() -> None:
    """All 20 losses are truncated answers, so the true fall may be 0."""
    cut = entry("hint", 0.5, (-0.5, -0.65, -0.35))
    delta = cut.deltas["exact"]
    assert delta
    bounds = ChangeBounds(
        all_wrong=-0.5,
        all_right=0.0,
        lowest=-0.5,
        highest=0.0,
        relative_all_wrong=-0.5,
        relative_all_right=0.0,
        before=0,
        after=20,
    )
    said = describe({"m": [entry("vanilla", 1.0), replace(cut, deltas={"exact": replace(delta, bounds=bounds)})]})
    counts = "20 answers were truncated (0 before, 20 after). If all of them were right, the change would be 0.000; if "
    assert said.endswith(f" over 10 pairs. Not certain: {counts}all were wrong, −0.500.")
    bounds = replace(bounds, all_right=-0.4, highest=-0.4)
    said = describe({"m": [entry("vanilla", 1.0), replace(cut, deltas={"exact": replace(delta, bounds=bounds)})]})
    assert f" over 10 pairs. {counts.replace('0.000', '−0.400')}all were wrong, −0.500." in said
