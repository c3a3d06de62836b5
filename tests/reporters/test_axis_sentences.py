from __future__ import annotations

from dataclasses import replace

from pytest_codereason.core import AxisValue, Metric
from pytest_codereason.reporters.axis_sentences import describe_axis, find_worst_value
from pytest_codereason.results.summary import AxisEntry, Counts
from pytest_codereason.results.values import Delta, Estimate

METRIC = Metric(name="exact", title="Exact match")


def entry(
    value: AxisValue, exact: float | None, delta: tuple[float, float, float] | None = None, errors: int = 0
) -> AxisEntry:
    change = None
    if delta:
        change = Delta(
            value=delta[0],
            low=delta[1],
            high=delta[2],
            relative=delta[0] / 0.8,
            relative_low=None,
            relative_high=None,
            pairs=10,
            families=10,
        )
    estimate = Estimate(value=exact, low=exact, high=exact, n=10, families=10)
    return AxisEntry(value, Counts(10, 10, {"error": errors}), {"exact": estimate}, {"exact": change})


def test_a_clear_fall() -> None:
    entries = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, 0.02)), entry(4, 0.6, (-0.2, -0.3, -0.1))]
    assert describe_axis("digits", {"m": entries}, METRIC) == (
        "Exact falls from 0.800 at digits 2 to 0.600 at 4: −0.200 [−0.300, −0.100], −25.0\xa0% over 10 pairs."
    )


def test_no_clear_change() -> None:
    entries = [entry(2, 0.8), entry(3, 0.82, (0.02, -0.05, 0.1))]
    assert describe_axis("digits", {"m": entries}, METRIC) == (
        "Exact does not change significantly with digits; "
        "the largest change is +0.020 [−0.050, +0.100], +2.5\xa0% at 3 over 10 pairs."
    )


def test_no_change_at_all() -> None:
    entries = [entry(2, 0.8), entry(3, 0.8, (0.0, -0.1, 0.1))]
    text = describe_axis("digits", {"m": entries}, METRIC)
    assert text.startswith("Exact is the same at every value of digits: no change [−0.100, +0.100]")


def test_unanswered_questions_are_said() -> None:
    entries = [entry(2, 0.8, errors=3), entry(3, 0.9, (0.1, 0.05, 0.2), errors=9)]
    assert describe_axis("digits", {"m": entries}, METRIC).endswith("over 10 pairs (12 unanswered).")


def test_several_models_are_each_named() -> None:
    falls = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, -0.05))]
    rises = [entry(2, 0.8), entry(3, 0.9, (0.1, 0.05, 0.2))]
    text = describe_axis("digits", {"a": falls, "b": rises}, METRIC)
    assert text.startswith("On a, exact falls from")
    assert "; on b, exact rises from" in text
    many = dict.fromkeys("abcde", falls) | {"f": [entry(2, 0.8), entry(3, 0.1, (-0.7, -0.8, -0.6))]}
    assert describe_axis("digits", many, METRIC).startswith("Of 6 models, f changes most with digits: exact falls")


def test_nothing_to_compare() -> None:
    assert describe_axis("digits", {"m": [entry(2, None), entry(3, 0.5)]}, METRIC).startswith(
        "There is nothing to compare"
    )


def test_the_worst_value_of_all_axes_with_several() -> None:
    axes = {"language": [entry("php", 0.1)], "digits": [entry(2, 0.8), entry(3, 0.4), entry(4, None)]}
    worst = find_worst_value(axes, METRIC)
    assert worst is not None
    assert (worst[0], worst[1].value) == ("digits", 3)
    worst = find_worst_value(axes, replace(METRIC, higher_is_better=False))
    assert worst is not None
    assert worst[1].value == 2
    assert find_worst_value({"language": axes["language"]}, METRIC) is None
