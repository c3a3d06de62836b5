"""Metrics over answers: means, shares, pass@k, and ratios of sums such as F1 over edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pytest_codereason.core import ANSWERED, Metric
from pytest_codereason.core.answers import Ratio
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.results.measures.measures import count_clusters, does_apply, estimate_metric, name_unit
from pytest_codereason.results.measures.pairing import compare
from pytest_codereason.results.records.records import load_records
from pytest_codereason.results.values import Bounds, Delta, Why

F1 = Metric(name="f1", title="F1", binary=False, ratio=Ratio(part={"tp": 2}, whole={"tp": 2, "fp": 1, "fn": 1}))
MEAN_F1 = Metric(
    name="f1",
    title="F1",
    binary=False,
    ratio=Ratio(part={"tp": 2}, whole={"tp": 2, "fp": 1, "fn": 1}, by_language=True),
)
PRECISION = Metric(
    name="p", title="P", binary=False, ratio=Ratio(part={"tp": 1}, whole={"tp": 1, "fp": 1}, by_language=True)
)

#: (language, family, repository, tp, fp, fn)
Row = tuple[str, str, str, int, int, int]


def make_rows(rows: list[Row], **more: Any) -> pd.DataFrame:
    records = [
        {
            "suite": "s", "model": "m", "id": f"{language}/{family}", "family": family, "language": language,
            "outcome": "wrong", "sample": 0, "axes": {}, "repository": repository,
            "metrics": {"tp": tp, "fp": fp, "fn": fn}, **more,
        }
        for language, family, repository, tp, fp, fn in rows
    ]  # fmt: skip
    return load_records({"": records})[0]


def draw_rows(count: int, seed: int, languages: tuple[str, ...] = ("python",), repositories: int = 0) -> list[Row]:
    random = np.random.default_rng(seed)
    rows = []
    for i in range(count):
        edges = int(random.integers(2, 12))
        skill = random.beta(4, 2)
        tp = int(random.binomial(edges, skill))
        repository = f"r{i % repositories}" if repositories else ""
        rows.append((languages[i % len(languages)], f"p{i}", repository, tp, int(random.poisson(1.5)), edges - tp))
    return rows


def test_counts_are_summed_before_they_are_divided() -> None:
    estimate = estimate_metric(make_rows([("python", "a", "", 1, 0, 0), ("python", "b", "", 2, 5, 3)]), F1)
    assert estimate.value == pytest.approx(6 / 14), "the mean over programs would be (1 + 4 / 12) / 2"
    assert (estimate.unit, estimate.n, estimate.families) == ("share", 2, 2)


def test_the_published_arithmetic() -> None:
    """Sums over the programs of a language give one F1; the overall figure is the mean over the languages."""
    rows = make_rows(
        [
            ("python", "a", "", 7, 1, 2),
            ("python", "b", "", 3, 3, 0),
            ("java", "c", "", 1, 3, 5),
            ("java", "d", "", 0, 0, 2),
        ]
    )
    python, java = 2 * 10 / (2 * 10 + 4 + 2), 2 * 1 / (2 * 1 + 3 + 7)
    assert estimate_metric(rows[rows["language"] == "python"], MEAN_F1).value == pytest.approx(python)
    assert estimate_metric(rows[rows["language"] == "java"], MEAN_F1).value == pytest.approx(java)
    assert estimate_metric(rows, MEAN_F1).value == pytest.approx((python + java) / 2)
    assert estimate_metric(rows, F1).value == pytest.approx(22 / (22 + 7 + 9))


def test_a_language_without_any_named_edge_has_the_precision_zero() -> None:
    rows = make_rows([("python", "a", "", 4, 0, 0), ("java", "b", "", 0, 0, 3)])
    assert estimate_metric(rows, PRECISION).value == 0.5
    nothing = make_rows([("python", "a", "", 0, 0, 3), ("python", "b", "", 0, 0, 1)])
    assert estimate_metric(nothing, PRECISION).value == 0.0
    assert estimate_metric(nothing, F1).value == 0.0


def bootstrap(rows: list[Row], by_language: bool, cluster: int) -> tuple[float, float]:
    """The percentile bootstrap, written plainly: whole clusters are drawn, every ratio is computed anew."""
    random = np.random.default_rng(1)
    clusters: dict[str, list[Row]] = {}
    for row in rows:
        clusters.setdefault(str(row[cluster]), []).append(row)
    groups = list(clusters.values())
    values = []
    for _ in range(3_000):
        drawn = [row for i in random.integers(0, len(groups), len(groups)) for row in groups[i]]
        ratios = []
        for language in {row[0] for row in drawn} if by_language else [""]:
            counts = np.array([row[3:] for row in drawn if language in ("", row[0])]).sum(axis=0)
            ratios.append(2 * counts[0] / (2 * counts[0] + counts[1] + counts[2]))
        values.append(np.mean(ratios))
    return tuple(np.percentile(values, [2.5, 97.5]))


@pytest.mark.slow
@pytest.mark.parametrize("metric", [F1, MEAN_F1], ids=["micro", "mean over languages"])
@pytest.mark.parametrize("repositories", [0, 15])
def test_the_interval_is_that_of_a_plain_bootstrap(metric: Metric, repositories: int) -> None:
    languages = ("python", "javascript", "java") if metric is MEAN_F1 else ("python",)
    rows = draw_rows(90, 3, languages, repositories)
    estimate = estimate_metric(make_rows(rows), metric)
    low, high = bootstrap(rows, metric is MEAN_F1, 2 if repositories else 1)
    assert estimate.low == pytest.approx(low, abs=0.012)
    assert estimate.high == pytest.approx(high, abs=0.012)
    assert estimate.families == (repositories or 90)


def test_the_interval_is_near_the_delta_method() -> None:
    rows = draw_rows(200, 5)
    tp, fp, fn = np.array([row[3:] for row in rows]).T
    part, whole = 2 * tp, 2 * tp + fp + fn
    value = part.sum() / whole.sum()
    error = np.sqrt(200 / 199 * ((part - value * whole) ** 2).sum()) / whole.sum()
    estimate = estimate_metric(make_rows(rows), F1)
    assert estimate.low == pytest.approx(value - 1.96 * error, abs=0.006)
    assert estimate.high == pytest.approx(value + 1.96 * error, abs=0.006)


def test_programs_of_one_repository_count_as_one_cluster() -> None:
    """Ten programs of each repository are alike, so the interval is as wide as that of one program of each."""
    one = draw_rows(12, 7)
    many = [(lang, f"{family}-{i}", family, tp, fp, fn) for lang, family, _, tp, fp, fn in one for i in range(10)]
    alone, together = (estimate_metric(make_rows(rows), F1) for rows in (one, many))
    assert together.families == alone.families == 12
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=0.02)


def test_a_drop_is_paired_by_program() -> None:
    rows = draw_rows(60, 9, ("python", "java"))
    worse = [(lang, family, repo, max(0, tp - 1), fp, fn + min(tp, 1)) for lang, family, repo, tp, fp, fn in rows]
    both = pd.concat([make_rows(rows), make_rows(worse)], ignore_index=True)
    both["pair"] = both["question"] = list(range(60)) * 2
    before, after = both[:60], both[60:]
    for part in (before, after):
        for name in ("cluster", "family", "language", "outcome"):
            part.loc[:, name] = part[name].astype("category") if part[name].dtype == object else part[name]
    delta = compare(before, after, [MEAN_F1])["f1"]
    assert isinstance(delta, Delta)
    first, second = (estimate_metric(part, MEAN_F1).value or 0 for part in (before, after))
    assert delta.value == pytest.approx(second - first)
    assert delta.pairs == 60
    assert delta.low is not None
    assert delta.high is not None
    assert delta.low < delta.value < delta.high < 0
    alone = estimate_metric(before, MEAN_F1)
    assert delta.high - delta.low < (alone.high or 0) - (alone.low or 0), "what programs share cancels"


def test_a_ratio_survives_a_run_folder() -> None:
    assert convert(Metric, MEAN_F1.describe()) == MEAN_F1
    assert hash(convert(Metric, MEAN_F1.describe())) == hash(MEAN_F1)


LOST = Metric(
    name="lost",
    title="Lost",
    binary=False,
    higher_is_better=False,
    ratio=Ratio(part={"fn": 1}, whole={"tp": 1, "fn": 1}),
)


def test_where_there_was_nothing_to_lose_the_share_lost_is_unknown() -> None:
    nothing = make_rows([("python", "a", "", 0, 1, 0), ("python", "b", "", 0, 1, 0)])
    estimate = estimate_metric(nothing, LOST)
    assert (estimate.value, estimate.why) == (None, Why.NEVER_RIGHT)
    some = make_rows([("python", "a", "", 1, 0, 1), ("python", "b", "", 0, 1, 0)])
    assert estimate_metric(some, LOST).value == 0.5


def test_a_program_without_a_whole_on_one_side_makes_no_pair() -> None:
    before = make_rows([("python", name, "", 1, 0, 1) for name in "abc"]).assign(pair=range(3), question=range(3))
    after = make_rows([("python", name, "", number, 0, 0) for name, number in zip("abc", (1, 1, 0), strict=True)])
    for metric in (LOST, PRECISION):
        delta = compare(before, after.assign(pair=range(3), question=range(3)), [metric])[metric.name]
        assert isinstance(delta, Delta)
        assert delta.p is not None


def test_an_answer_without_a_whole_is_none_of_those_that_are_counted() -> None:
    rows = make_rows([("python", "a", "", 1, 0, 1), ("python", "b", "", 0, 0, 3), ("python", "c", "", 2, 1, 0)])
    estimate = estimate_metric(rows, PRECISION)
    assert (estimate.value, estimate.n, estimate.families) == (0.75, 2, 2)
    assert estimate_metric(rows, F1).n == 3
    nothing = estimate_metric(rows[rows["family"] == "b"], PRECISION)
    assert (nothing.value, nothing.n) == (0, 1)


def make_scored(*answers: tuple[str, str, float | None], sample: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Records of a program, an outcome, and a number of the metric ``exact`` where there is one."""
    return [
        {
            "suite": "s", "model": "m", "id": family, "family": family, "language": "python", "outcome": outcome,
            "sample": sample, "axes": {}, "metrics": {} if number is None else {"exact": number}, **more,
        }
        for family, outcome, number in answers
    ]  # fmt: skip


def load(*rows: dict[str, Any]) -> pd.DataFrame:
    return load_records({"": list(rows)})[0]


def test_a_missing_number_is_zero_where_more_is_better_and_else_left_out() -> None:
    rows = load(*make_scored(("0", "correct", 1.0), ("1", "invalid", None), ("2", "error", None), ("3", "wrong", 0.5)))
    more = estimate_metric(rows, Metric(name="exact", title="E", binary=False))
    assert (more.value, more.n, more.families, more.unit) == (0.5, 3, 3, "mean")
    for left in (
        Metric(name="exact", title="E", binary=False, higher_is_better=False),
        Metric(name="exact", title="E", binary=False, only=("layout", "keys")),
    ):
        less = estimate_metric(rows, left)
        assert (less.value, less.n) == (0.75, 2)
    share = estimate_metric(rows, Metric(name="cut", title="C", outcome="invalid"))
    assert (share.value, share.n, share.unit) == (1 / 3, 3, "share")


@pytest.mark.parametrize(
    ("answers", "metric", "why"),
    [
        ([], Metric(name="exact", title="E"), Why.NOT_ASKED),
        ([("0", "skipped", None)], Metric(name="exact", title="E"), Why.SKIPPED),
        ([("0", "skipped", None), ("1", "error", None)], Metric(name="exact", title="E"), Why.UNANSWERED),
        ([("0", "truncated", 0.0)], Metric(name="exact", title="E", of=ANSWERED), Why.NONE_COUNTS),
        ([("0", "wrong", None)], Metric(name="exact", title="E", higher_is_better=False), Why.UNKNOWN),
        ([("0", "wrong", 0.0)], Metric(name="exact", title="E", k=2), Why.TOO_FEW),
    ],
)
def test_what_is_not_there_says_why(answers: list[tuple[str, str, float | None]], metric: Metric, why: Why) -> None:
    rows = load(*make_scored(*(answers or [("0", "wrong", 0.0)])))
    estimate = estimate_metric(rows if answers else rows[:0], metric)
    assert (estimate.value, estimate.why) == (None, why)


def test_pass_at_k_counts_instances_with_enough_samples() -> None:
    """Two of three samples are right: a pair of them holds a right one in any case; one of two: always, too."""
    rows = [
        row
        for sample, outcomes in enumerate(("ccw", "cww", "w-w"))
        for place, letter in enumerate(outcomes)
        if letter != "-"
        for row in make_scored((str(place), {"c": "correct", "w": "wrong"}[letter], None), sample=sample)
    ]
    first = estimate_metric(load(*rows), Metric(name="pass", title="P", k=1))
    assert first.value == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    second = estimate_metric(load(*rows), Metric(name="pass", title="P", k=2))
    assert second.value == pytest.approx((1 + 1 + 0) / 3)
    assert second.n == 3
    third = estimate_metric(load(*rows), Metric(name="pass", title="P", k=3))
    assert (third.value, third.n) == (0.5, 2), "an instance of two samples has no pass@3"
    unanswered = load(*rows, *make_scored(("9", "error", None)))
    assert estimate_metric(unanswered, Metric(name="pass", title="P", k=1)).value == pytest.approx(first.value)


def test_truncated_answers_bound_shares_and_proportions_alone() -> None:
    rows = load(*make_scored(("0", "correct", 1.0), ("1", "truncated", 0.0), ("2", "wrong", 0.0), ("3", "wrong", 0.0)))
    for metric in (Metric(name="exact", title="E"), Metric(name="exact", title="E", binary=False, proportion=True)):
        assert estimate_metric(rows, metric).bounds == Bounds(all_wrong=0.25, all_right=0.5, truncated=1)
    for metric in (
        Metric(name="exact", title="E", binary=False),
        Metric(name="exact", title="E", higher_is_better=False),
        Metric(name="exact", title="E", of=ANSWERED),
        Metric(name="exact", title="E", outcome="wrong"),
    ):
        assert estimate_metric(rows, metric).bounds is None
    assert estimate_metric(rows[rows["outcome"] != "truncated"], Metric(name="exact", title="E")).bounds is None
    samples = load(
        *make_scored(("0", "truncated", None), ("1", "correct", None)),
        *make_scored(("0", "wrong", None), ("1", "truncated", None), sample=1),
    )
    bounds = estimate_metric(samples, Metric(name="pass", title="P", k=1)).bounds
    assert bounds == Bounds(all_wrong=0.25, all_right=0.75, truncated=2)


def test_the_unit_is_a_repository_where_several_are_known() -> None:
    """Of a single one every program counts for itself: nothing is said of other repositories."""
    plain = make_scored(("0", "correct", 1.0))
    one = make_scored(("1", "correct", 1.0), ("2", "wrong", 0.0), repository="r")
    other = make_scored(("3", "correct", 1.0), repository="s")
    assert name_unit(load(*plain)) == "program"
    assert name_unit(load(*plain, *one)) == "program"
    assert count_clusters(load(*plain, *one)) == 3
    assert name_unit(load(*plain, *one, *other)) == "repository"
    assert count_clusters(load(*plain, *one, *other)) == 3


def test_a_metric_that_pools_an_axis_applies_where_an_answer_has_it() -> None:
    rows = load(*make_scored(("0", "correct", None)))
    pooled = Metric(name="lost", title="L", higher_is_better=False, pools=("perturbation",))
    assert not does_apply(pooled, "perturbation", rows)
    assert does_apply(pooled, "digits", rows)
    assert does_apply(pooled, "perturbation", load(*make_scored(("0", "error", None)))), "nothing was answered"
    here = Metric(name="exact", title="L", higher_is_better=False, pools=("perturbation",))
    assert does_apply(here, "perturbation", load(*make_scored(("0", "correct", 1.0))))
