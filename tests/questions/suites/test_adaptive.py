"""The table ``[adaptive]``: what it makes of a suite, and one clear line for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core.adaptive import Adaptive
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "output-prediction"
languages = ["python"]
{above}
[source]
name = "{source}"
count = 3

[matrix]
{matrix}

[adaptive]
{table}
"""
PLAIN = 'over = "level"\ntop = 8'


def read(folder: Path, table: str = PLAIN, *, source: str = "ladder", matrix: str = "", above: str = "") -> Suite:
    path = folder / "small.suite.toml"
    path.write_text(SUITE.format(table=table, source=source, matrix=matrix, above=above))
    return load(path)


def test_the_axis_has_its_rungs_and_comes_last(tmp_path: Path) -> None:
    suite = read(tmp_path, matrix="shots = [0, 2]")
    assert suite.adaptive == Adaptive(over="level", rungs=(1, 2, 3, 4, 6, 8))
    assert suite.conditions.matrix == {"shots": (0, 2), "level": (1, 2, 3, 4, 6, 8)}
    assert "level" not in suite.conditions.fixed
    assert suite.curve == suite.chosen_axis == "level"
    assert len(suite) == 3 * 2 * 6
    assert next(iter(suite.specs())).id == "python/0000[shots:0,level:1]"


def test_any_axis_with_an_order_can_be_chosen(tmp_path: Path) -> None:
    suite = read(tmp_path, 'over = "digits"\ntop = 6', source="semtrace")
    assert suite.adaptive is not None
    assert suite.adaptive.rungs == (2, 3, 4, 6)
    assert suite.curve == "digits"


def test_a_grid_has_a_curve_and_chooses_nothing(tmp_path: Path) -> None:
    suite = read(tmp_path, f'{PLAIN}\nasking = "grid"')
    assert (suite.curve, suite.chosen_axis) == ("level", "")


def test_what_decides_the_questions_is_in_the_plan(tmp_path: Path) -> None:
    plans = [read(tmp_path, f"{PLAIN}\n{more}").plan for more in ("", "budget = 32", "precision = 1.5", "batch = 4")]
    assert len(set(plans)) == 4


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        ('over = "steeps"\ntop = 8', 13, "unknown axis 'steeps': choose from level"),
        ("top = 8", 12, "the key 'over' is missing: which axis is chosen? There is level"),
        ('over = "level"', 12, "the key 'top' is missing: the highest value of level"),
        ('over = "level"\ntop = 16', 14, "'top' cannot be 16: level takes whole numbers from 1 to 8"),
        ('over = "level"\ntop = 2', 14, "level has 2 values up to 2: a curve needs 3"),
        ('over = "level"\ntop = "8"', 14, "'top' must be a whole number from 1 to 131,072, not '8'"),
        (f"{PLAIN}\nbudget = 4", 15, "'budget' is below one round: 4, and a round asks 8 questions"),
        (f"{PLAIN}\nbatch = 65", 12, "'budget' is below one round: 64, and a round asks 65 questions"),
        (f"{PLAIN}\nprecision = 0", 15, "'precision' must be a number of octaves up to 16, not 0"),
        (f'{PLAIN}\nasking = "all"', 15, "'asking' cannot be 'all': it takes adaptive, grid"),
        (f"{PLAIN}\nbuget = 64", 15, "unknown key 'buget' (did you mean 'budget'?)"),
    ],
)
def test_each_mistake_has_its_line(tmp_path: Path, table: str, line: int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, table)
    assert f"small.suite.toml:{line}: {message}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_chosen_axis_may_stand_nowhere_else(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"toml:10: 'level' is chosen by \[adaptive\], so it may not stand here too"):
        read(tmp_path, matrix="level = [1, 2, 3]")
    with pytest.raises(UsageError, match=r"toml:4: 'level' is chosen by \[adaptive\], so it may not stand here too"):
        read(tmp_path, above="level = 2")


def test_programs_with_conditions_of_their_own_cannot_be_chosen_among(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"toml:12: the stage ablation draws conditions from each program"):
        read(tmp_path, 'over = "digits"\ntop = 6\n[ablation]\nversions = 4', source="semtrace")


def test_a_suite_without_the_table_asks_everything(tmp_path: Path) -> None:
    path = tmp_path / "small.suite.toml"
    path.write_text(
        SUITE.format(table="", source="ladder", matrix="level = [1, 2, 3]", above="").split("[adaptive]")[0]
    )
    suite = load(path)
    assert (suite.adaptive, suite.chosen_axis, suite.curve) == (None, "", "level")
