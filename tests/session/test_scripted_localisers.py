"""Localisers whose behaviour is known show exactly that in the figures of a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.session import localisers
from tests.session.conftest import Project

MODELS = ("Localiser", "FirstReturn", "Believer", "FirstQuarter", "Flipper")
SOURCE = '[source]\nname = "jsonl"\npath = "sums.jsonl"\n[matrix]\nfault = ["operator-swap"]\n'
QUARTERS = "fault_quarter = [1, 2, 3, 4]\n"
MUTATIONS = 'perturbation = ["none", "rename", "comments", "dead-code(strength=1)", "dead-code(strength=4)"]\n'

pytestmark = pytest.mark.slow


@pytest.fixture
def figures(project: Project) -> dict[str, Any]:
    """The figures of a run of five localisers over both tasks, by their kind."""
    (project.path / "sums.jsonl").write_text("\n".join(map(json.dumps, localisers.list_rows())))
    for name, task, more in (("where", "fault-localization", ""), ("again", "fault-robustness", MUTATIONS)):
        text = f'task = "{task}"\n{SOURCE}{QUARTERS}fault_number = [1, 2]\n{more}'
        (project.path / f"{name}.suite.toml").write_text(text)
    models = [f"--model={localisers.__name__}:{name}" for name in MODELS]
    result = project.run(*models)
    assert result.ret == 0, result.stdout.str()
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    return {figure["name"]: figure for figure in summary["figures"]} | {"suites": summary["suites"]}


def read(figure: dict[str, Any], model: str, **labels: str) -> dict[str, str]:
    """The row of a model with these labels, by the titles of its columns."""
    rows = [dict(zip(figure["header"], row, strict=True)) for row in figure["rows"]]
    of_model = [row for row in rows if row["model"].endswith(f":{model}")]
    (row,) = [row for row in of_model if all(row[key] == label for key, label in labels.items())]
    return row


def number(cell: str) -> float:
    return float(cell.partition(" ")[0].replace("−", "-"))


def test_each_localiser_shows_what_it_does(figures: dict[str, Any]) -> None:
    types, heat, shares = (figures[f"where-{name}"] for name in ("fault-types", "fault-quarters", "fault-shares"))
    lost, strength = figures["again-fault-robustness"], figures["again-python-fault-strength"]

    assert number(read(types, "Localiser", tasks="all")["all faults"]) == 100
    for quarter in (1, 2, 3, 4):
        assert number(read(heat, "Localiser", fault="all")[f"quarter {quarter}"]) == 100
    assert {number(row[4]) for row in lost["rows"] if row[0].endswith(":Localiser")} == {0}

    assert number(read(types, "FirstReturn", tasks="all")["all faults"]) == 0
    assert read(lost, "FirstReturn", mutation="any change")["lost, %"] == "never right"

    assert number(read(types, "Believer", tasks="all")["all faults"]) == 100
    assert number(read(lost, "Believer", mutation="comments")["lost, %"]) == 100
    for mutation in ("rename", "dead-code(strength=4)", "no change, asked again"):
        assert number(read(lost, "Believer", mutation=mutation)["lost, %"]) == 0

    quarters = read(heat, "FirstQuarter", fault="all")
    assert [number(quarters[f"quarter {quarter}"]) for quarter in (1, 2, 3, 4)] == [100, 0, 0, 0]
    assert number(read(shares, "FirstQuarter", counted="faults found")["quarter 1"]) == 100
    assert number(read(shares, "FirstQuarter", counted="lines answered")["quarter 1"]) == 100

    control = number(read(lost, "Flipper", mutation="no change, asked again")["lost, %"])
    assert 10 < control < 60
    assert abs(number(read(lost, "Flipper", mutation="any change")["lost, %"]) - control) < 25
    assert "Flipper" in lost["sentence"]
    assert "4 programs are too few to tell: it takes at least 8" in lost["sentence"].partition(":Flipper")[2]
    slope = read(strength, "Localiser", mutation="dead-code")["each step, points"]
    assert number(slope) == 0

    models = figures["suites"]["again"]["models"]
    headlines = {name.partition(":")[2]: model["headlines"][0]["metrics"] for name, model in models.items()}
    assert headlines["Believer"]["lost"]["value"] == pytest.approx(1 / 4), "of four mutations one has comments"
    assert headlines["Believer"]["control"]["value"] == 0
    assert headlines["FirstReturn"]["lost"]["value"] is None

    filtered = read(types, "Flipper", tasks="found by a model")["all faults"]
    assert filtered == read(types, "Flipper", tasks="all")["all faults"], "a perfect model finds every fault"
