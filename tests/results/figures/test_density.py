"""Accuracy and tokens by density of a perturbation, for models whose numbers are known."""

from __future__ import annotations

import pytest

from pytest_codereason.results.figures.density import DensityFigure
from tests.results.figures.rows import answers, record, run, show


def test_the_curve_of_densities_starts_at_the_reference() -> None:
    values = ["vanilla", "comments(density=0.25)", "comments(density=0.5)", "comments", "rename"]
    share = dict(zip(values, (1.0, 0.75, 0.5, 0.0, 1.0), strict=True))
    rows = answers("d", "m", 200, [{"perturbation": v} for v in values], lambda axes: share[axes["perturbation"]])
    of = run({"d": ("output-prediction", {"perturbation": values})}, ["m"])
    (picture,) = show(DensityFigure(), rows, of)
    (panel,) = picture.panels
    assert panel.title == "comments"
    assert [p.x for p in panel.lines["m"]] == [0.0, 0.25, 0.5, 1.0]
    assert [p.value for p in panel.lines["m"]] == pytest.approx([1.0, 0.75, 0.5, 0.0], abs=0.09)
    assert picture.sentence == "m goes from 1.000 at 0 to 0.000 at 1 under comments."


def test_a_curve_is_of_one_way_of_asking_and_of_programs_that_have_all_its_densities() -> None:
    axes = {"perturbation": ["vanilla", "conditions(density=0.5)", "conditions"], "prompting": ["direct", "cot"]}
    cells = [{"perturbation": p, "prompting": w} for p in axes["perturbation"] for w in axes["prompting"]]
    rows = answers("d", "m", 40, cells, lambda cell: float(cell["prompting"] == "cot"))
    for row in rows:
        if row["axes"]["perturbation"] != "vanilla" and int(row["family"]) % 2:
            row.update(outcome="skipped", metrics={})
    (picture,) = show(DensityFigure(), rows, run({"d": ("output-prediction", axes)}, ["m"]))
    (panel,) = picture.panels
    assert [(p.value, p.n) for p in panel.lines["m, direct"]] == [(0.0, 20)] * 3
    assert [(p.value, p.n) for p in panel.lines["m, cot"]] == [(1.0, 20)] * 3


@pytest.mark.parametrize(
    ("share", "sentence"),
    [
        ((1.0, 1.0, 1.0), "m stays at 1.000 under comments."),
        ((1.0, 0.0, 1.0), "m comes back to 1.000 at 1 under comments."),
    ],
)
def test_a_curve_that_ends_where_it_began_is_said_to(share: tuple[float, ...], sentence: str) -> None:
    values = ["vanilla", "comments(density=0.5)", "comments"]
    chances = dict(zip(values, share, strict=True))
    rows = answers("d", "m", 10, [{"perturbation": v} for v in values], lambda axes: chances[axes["perturbation"]])
    (picture,) = show(DensityFigure(), rows, run({"d": ("output-prediction", {"perturbation": values})}, ["m"]))
    assert picture.sentence == sentence


def test_tokens_by_density_stand_in_a_picture_of_their_own() -> None:
    share = {"vanilla": 10, "comments(density=0.5)": 20, "comments": 30}
    rows = [
        record("s", "m", p, {"perturbation": v}, True) | {"usage": {"completion": 7, "reasoning": many}}
        for p in range(6)
        for v, many in share.items()
    ]
    of = run({"s": ("output-prediction", {"perturbation": list(share)})}, ["m"])
    accuracy, tokens = show(DensityFigure(), rows, of)
    assert accuracy.name == "s-python-density"
    (panel,) = tokens.panels
    assert [(p.x, p.value) for p in panel.lines["m"]] == [(0.0, 10.0), (0.5, 20.0), (1.0, 30.0)]
    assert tokens.sentence == "m goes from 10 at 0 to 30 at 1 under comments."


@pytest.mark.parametrize(
    ("values", "densities"),
    [
        (["comments", "comments(density=0.5)", "rename"], {"comments": [0.5, 1]}),
        (["comments(density=1.0)", "comments(density=0.25)"], {"comments": [0.25, 1]}),
        (["none", "comments(density=0.5)"], {}),
        (["comments", "rename", "vanilla"], {}),
        (
            ["none", "comments(density=0.5)", "comments", "own:Hint", "own:Hint(density=0.1)"],
            {"comments": [0, 0.5, 1], "own:Hint": [0, 0.1, 1]},
        ),
    ],
)
def test_a_perturbation_has_a_curve_from_two_densities_on(values: list[str], densities: dict[str, list[float]]) -> None:
    rows = [record("d", "m", p, {"perturbation": v}, True) for p in range(3) for v in values]
    pictures = show(DensityFigure(), rows, run({"d": ("output-prediction", {"perturbation": values})}, ["m"]))
    assert len(pictures) == bool(densities)
    shown = {panel.title: [p.x for p in panel.lines["m"]] for each in pictures for panel in each.panels}
    assert shown == densities
    assert all(p.n == 3 for each in pictures for panel in each.panels for p in panel.lines["m"])


def test_a_picture_of_densities_says_what_it_is_of() -> None:
    values = ["none", "comments(density=0.5)", "comments"]
    rows = [
        record("d", model, p, {"perturbation": v}, v == "none", language=language)
        for model in ("a", "b")
        for language in ("python", "php")
        for p in range(3)
        for v in values
    ]
    of = run({"d": ("output-prediction", {"language": ["python", "php"], "perturbation": values})}, ["a", "b"])
    python, php = show(DensityFigure(), rows, of)
    assert (python.name, python.of) == ("d-python-density", {"suite": "d", "language": "python"})
    assert (php.name, php.of) == ("d-php-density", {"suite": "d", "language": "php"})
    assert php.title == "Exact match by density: d, php"
    (panel,) = php.panels
    assert (panel.x, panel.y) == ("density, share of the places used", "Exact match")
    assert {label: [p.value for p in line] for label, line in panel.lines.items()} == {"a": [1, 0, 0], "b": [1, 0, 0]}
