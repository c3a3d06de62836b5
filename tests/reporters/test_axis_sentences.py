from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.reporters.axis_sentences import describe_axis, find_weakest
from pytest_codereason.results.summary import AxisEntry, AxisSweep, Counts
from pytest_codereason.results.values import Delta, Estimate, Undefined, Why

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
    return describe_axis(
        "digits", {model: AxisSweep("digits", {}, tuple(values), p) for model, values in entries.items()}, METRIC
    )


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
        "Exact does not change clearly with digits (2 changes looked at together). "
        "5 programs are too few to tell: it takes at least 7."
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


def test_the_weakest_value_is_clear_among_all_that_were_looked_at() -> None:
    entries = (entry(2, 0.8), entry(3, 0.4, (-0.4, -0.6, -0.2)), entry(4, 0.3, (-0.5, -0.9, -0.1), p=0.04))
    sweep = AxisSweep("digits", {}, entries)
    worst = find_weakest([sweep], METRIC)
    assert worst is not None
    assert (worst[0].axis, worst[1].value) == ("digits", 4), "Holm: 0.001 is at most 0.05 / 2, and 0.04 at most 0.05"
    alike = AxisSweep("language", {}, (entry("php", 0.8), entry("python", 0.8, (0.0, -0.1, 0.1), p=1.0)))
    worst = find_weakest([sweep, alike], METRIC)
    assert worst is not None
    assert worst[1].value == 3, "0.04 is not at most 0.05 / 2"
    assert find_weakest([sweep], replace(METRIC, higher_is_better=False)) is None, "it only became better"
    assert find_weakest([alike], METRIC) is None
