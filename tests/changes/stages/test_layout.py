"""The labels that the stage ``layout`` puts before lines, and the suites that ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.changes.stages.layout import LayoutStage
from pytest_codereason.core import Context, Instance, Program
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.templates.loading import load as load_template

SOURCE = "def f(x):\n    return x\n"
OTHERS = ("def g():\n    pass\n", "\ndef h():\n    return [\n        1,\n        2,\n        3,\n    ]\n")


def lay_out(layout: str, place: int | None = None, source: str = SOURCE) -> Instance:
    plain = Instance(
        id="python/0000",
        family="0000",
        suite="small",
        program=Program.from_source(language="python", source=source, call="f(1)"),
        axes={"layout": layout},
        matrix={},
        template=load_template("output-prediction", "direct"),
        context=None if place is None else Context(distractors=OTHERS, place=place),
    )
    return LayoutStage().apply(plain, lambda _: None)


def test_lines_are_numbered_from_1_over_all_that_is_shown() -> None:
    assert lay_out("numbers").code == "1 def f(x):\n2     return x\n3"
    code_block = lay_out("numbers", place=1)
    assert code_block.code.split("\n")[2:6] == [" 3", " 4 def f(x):", " 5     return x", " 6"]
    assert code_block.layout is not None
    assert code_block.layout.program_labels == (" 4", " 5")


@pytest.mark.parametrize("layout", ["keys", "numbers"])
@pytest.mark.parametrize("place", [None, 0, 1, 2])
def test_without_labels_the_lines_are_those_shown_without_a_layout(layout: str, place: int | None) -> None:
    laid_out, plain = lay_out(layout, place), lay_out("plain", place)
    assert laid_out.layout is not None
    assert plain.layout is None
    assert list(laid_out.layout.lines) == plain.code.split("\n")
    assert list(laid_out.layout.lines[laid_out.layout.start : laid_out.layout.end]) == SOURCE.rstrip("\n").split("\n")
    assert len(set(laid_out.layout.labels)) == len(laid_out.layout.lines)


SUITE = 'task = "{task}"\nlanguages = ["python"]\n{top}[source]\nname = "semtrace"\ncount = 2\n[matrix]\n{matrix}'


def write_suite(folder: Path, task: str, top: str = "", matrix: str = "") -> Path:
    path = folder / "small.suite.toml"
    path.write_text(SUITE.format(task=task, top=top, matrix=matrix))
    return path


def test_a_suite_shows_numbers_on_lines(tmp_path: Path) -> None:
    suite = load(write_suite(tmp_path, "output-prediction", matrix='layout = ["plain", "numbers"]\n'))
    plain, numbered = (draft(suite, spec) for spec in list(suite.specs())[:2])
    assert numbered.id == "python/0000[layout:numbers]"
    assert numbered.code.startswith(" 1 " + plain.code.split("\n")[0])


def test_a_task_has_the_layout_that_it_requires(tmp_path: Path) -> None:
    suite = load(write_suite(tmp_path, "function-retrieval"))
    spec = next(suite.specs())
    assert spec.id == "python/0000"
    assert draft(suite, spec).layout is not None


@pytest.mark.parametrize(
    ("top", "matrix", "line"), [('layout = "numbers"\n', "", 3), ("", 'layout = ["keys", "plain"]\n', 7)]
)
def test_another_layout_than_the_required_one_is_refused(tmp_path: Path, top: str, matrix: str, line: int) -> None:
    message = rf"small\.suite\.toml:{line}: the task function-retrieval needs layout = 'keys'"
    with pytest.raises(UsageError, match=message):
        load(write_suite(tmp_path, "function-retrieval", top, matrix))
