"""Suite files are read once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import NotHere, PartError, UsageError
from pytest_codereason.session.collecting.suites import Suites

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 2
seed = 3

[matrix]
digits = [2, 3]
"""


def make_suites(markers: list[str], seed: int | None = None) -> Suites:
    return Suites(seed=seed, sampling={"max_tokens": 7}, writer=None, add_marker=markers.append)


def test_a_suite_is_read_once_and_its_axes_are_markers(tmp_path: Path) -> None:
    markers: list[str] = []
    suites, path = make_suites(markers), tmp_path / "s.suite.toml"
    path.write_text(SUITE)
    suite = suites.read(path)
    path.write_text("")
    assert suites.read(path) is suite
    assert markers[:2] == ["language: an axis of a codereason suite", "digits: an axis of a codereason suite"]
    assert len(markers) == len(set(markers))
    assert {sampling.max_tokens for sampling in suite.drawing.settings.values()} == {7}


def test_a_seed_of_the_user_replaces_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.suite.toml"
    path.write_text(SUITE)
    plans = {make_suites([], seed).read(path).plan for seed in (None, 3, 4)}
    assert len(plans) == 2


def test_the_writer_of_texts_belongs_to_a_suite_that_wants_any(tmp_path: Path) -> None:
    path = tmp_path / "s.suite.toml"
    plans = {}
    for perturbation in ("vanilla", "hint"):
        path.write_text(SUITE.replace("digits = [2, 3]", f'digits = [2]\nperturbation = ["{perturbation}"]'))
        for writer in (None, {"model": "a"}, {"model": "b"}):
            suites = Suites(seed=None, sampling={}, writer=writer, add_marker=lambda line: None)
            plans[perturbation, str(writer)] = suites.read(path).plan
    assert len({plan for (name, _), plan in plans.items() if name == "vanilla"}) == 1
    assert len({plan for (name, _), plan in plans.items() if name == "hint"}) == 3


@pytest.mark.parametrize("part", ["notes", "cost"])
def test_a_part_that_breaks_outside_of_questions_costs_its_suite_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    stage = type(make_suites([]).read(write_layout(tmp_path)).stages[0])
    monkeypatch.setattr(stage, part, lambda *_: 1 / 0)
    with pytest.raises(PartError, match=r"s\.suite\.toml: .*division by zero"):
        make_suites([]).read(tmp_path / "s.suite.toml")


def write_layout(folder: Path) -> Path:
    path = folder / "s.suite.toml"
    path.write_text(f'{SUITE}layout = ["plain", "keys"]\n')
    return path


def test_data_that_is_not_here_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "s.suite.toml"
    path.write_text('task = "output-prediction"\n[source]\nname = "cruxeval"\n')
    suites, errors = make_suites([]), []
    for _ in range(2):
        with pytest.raises(NotHere) as caught:
            suites.read(path)
        errors.append(caught.value)
        path.write_text(SUITE)
    assert errors[0] is errors[1]


def test_a_file_with_a_mistake_may_be_mended_and_a_broken_part_stays_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suites, path = make_suites([]), tmp_path / "s.suite.toml"
    path.write_text("task = 'none'\n")
    with pytest.raises(UsageError):
        suites.read(path)
    path.write_text(SUITE)
    assert suites.read(path).name == "s"
    (tmp_path / "brokenpart.py").write_text(
        "from pytest_codereason.questions.tasks.output_prediction import OutputPrediction\n"
        "class Task(OutputPrediction):\n    version = property(lambda self: 1 / 0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    broken = tmp_path / "broken.suite.toml"
    broken.write_text(SUITE.replace("output-prediction", "brokenpart:Task"))
    errors = []
    for _ in range(2):
        with pytest.raises(PartError, match=r"broken\.suite\.toml: .*division by zero") as caught:
            suites.read(broken)
        errors.append(caught.value)
        broken.write_text(SUITE)
    assert errors[0] is errors[1]
