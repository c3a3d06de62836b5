from __future__ import annotations

from typing import Any

from pytest_codereason.reporters._sentences import along, worst

METRIC = {"name": "exact", "title": "Exact match", "higher_is_better": True}


def entry(value: Any, exact: float | None, delta: tuple[float, float, float] | None = None, errors: int = 0) -> Any:
    about: dict[str, Any] = {"value": exact, "low": exact, "high": exact, "n": 10, "families": 10, "delta": None}
    if delta:
        names = ("value", "low", "high")
        relative = {"relative": delta[0] / 0.8, "relative_low": None, "relative_high": None}
        about["delta"] = {**dict(zip(names, delta, strict=True)), **relative, "pairs": 10, "families": 10}
    return {"value": value, "metrics": {"exact": about}, "counts": {"error": errors}}


def test_a_clear_fall() -> None:
    entries = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, 0.02)), entry(4, 0.6, (-0.2, -0.3, -0.1))]
    assert along("digits", {"m": entries}, METRIC) == (
        "Exact falls from 0.800 at digits 2 to 0.600 at 4: −0.200 [−0.300, −0.100], −25.0\xa0% over 10 pairs."
    )


def test_no_clear_change() -> None:
    entries = [entry(2, 0.8), entry(3, 0.82, (0.02, -0.05, 0.1))]
    assert along("digits", {"m": entries}, METRIC) == (
        "Exact shows no clear change with digits: the largest is +0.020 [−0.050, +0.100], +2.5\xa0% at 3 over 10 pairs."
    )


def test_no_change_at_all() -> None:
    entries = [entry(2, 0.8), entry(3, 0.8, (0.0, -0.1, 0.1))]
    text = along("digits", {"m": entries}, METRIC)
    assert text.startswith("Exact is the same at every value of digits: no change [−0.100, +0.100]")


def test_unanswered_questions_are_said() -> None:
    entries = [entry(2, 0.8, errors=3), entry(3, 0.9, (0.1, 0.05, 0.2), errors=9)]
    assert along("digits", {"m": entries}, METRIC).endswith("over 10 pairs (12 unanswered).")


def test_several_models_are_each_named() -> None:
    falls = [entry(2, 0.8), entry(3, 0.7, (-0.1, -0.2, -0.05))]
    rises = [entry(2, 0.8), entry(3, 0.9, (0.1, 0.05, 0.2))]
    text = along("digits", {"a": falls, "b": rises}, METRIC)
    assert text.startswith("On a, exact falls from")
    assert "; on b, exact rises from" in text
    many = dict.fromkeys("abcde", falls) | {"f": [entry(2, 0.8), entry(3, 0.1, (-0.7, -0.8, -0.6))]}
    assert along("digits", many, METRIC).startswith("Of 6 models, f changes most with digits: exact falls")


def test_nothing_to_compare() -> None:
    assert along("digits", {"m": [entry(2, None), entry(3, 0.5)]}, METRIC).startswith("There is nothing to compare")


def test_the_worst_value_of_all_axes_with_several() -> None:
    axes = {"language": [entry("php", 0.1)], "digits": [entry(2, 0.8), entry(3, 0.4), entry(4, None)]}
    found = worst(axes, METRIC)
    assert found is not None
    assert (found[0], found[1]["value"]) == ("digits", 3)
    found = worst(axes, METRIC | {"higher_is_better": False})
    assert found is not None
    assert found[1]["value"] == 2
    assert worst({"language": axes["language"]}, METRIC) is None
