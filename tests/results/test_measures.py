"""Metrics that are ratios of sums: F1 over edges, micro-averaged by language, and averaged over languages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pytest_codereason.core import Metric
from pytest_codereason.core.answers import Ratio
from pytest_codereason.results.measures import estimate_metric
from pytest_codereason.results.pairing import compare
from pytest_codereason.results.records import load_records
from pytest_codereason.results.run_info import parse_metric
from pytest_codereason.results.values import Delta, Why

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
    both["pair"] = list(range(60)) * 2
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
    assert parse_metric(MEAN_F1.describe()) == MEAN_F1
    assert hash(parse_metric(MEAN_F1.describe())) == hash(MEAN_F1)


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
    before = make_rows([("python", name, "", 1, 0, 1) for name in "abc"]).assign(pair=range(3))
    after = make_rows([("python", name, "", number, 0, 0) for name, number in zip("abc", (1, 1, 0), strict=True)])
    for metric in (LOST, PRECISION):
        delta = compare(before, after.assign(pair=range(3)), [metric])[metric.name]
        assert isinstance(delta, Delta)
        assert delta.p is not None


def test_an_answer_without_a_whole_is_none_of_those_that_are_counted() -> None:
    rows = make_rows([("python", "a", "", 1, 0, 1), ("python", "b", "", 0, 0, 3), ("python", "c", "", 2, 1, 0)])
    estimate = estimate_metric(rows, PRECISION)
    assert (estimate.value, estimate.n, estimate.families) == (0.75, 2, 2)
    assert estimate_metric(rows, F1).n == 3
    nothing = estimate_metric(rows[rows["family"] == "b"], PRECISION)
    assert (nothing.value, nothing.n) == (0, 1)
