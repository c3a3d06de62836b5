"""``codereason suites`` and ``codereason show``, as a user types them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from tests.changes.stages.own_perturbations import Ruinous

LADDER = """# Sums of two numbers. The rest of the comment is not shown.
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "semtrace"
count = 5

[matrix]
perturbation = ["vanilla", "rename"]
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.suite.toml"
    path.write_text(LADDER)
    return path


def test_a_suite_is_listed_with_size_and_purpose(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suites", str(suite)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "mine: 20 questions in python, php; source semtrace; runs programs",
        "    Sums of two numbers.",
    ]


@pytest.mark.slow
def test_shipped_suites_are_listed_without_asking_any_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    assert main(["suites"]) == 0
    output = capsys.readouterr().out
    assert "misleading: its data are not here: codereason fetch cruxeval\n" in output
    assert "ladder: 800 questions in python, javascript, php, java; source ladder" in output
    assert "codereason init" in output


@pytest.mark.parametrize(
    "name", ["python/0003[perturbation:rename]", "mine.suite.toml::python/0003[perturbation:rename]", "8"]
)
def test_a_question_is_shown_as_it_is_asked(suite: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["show", str(suite), name]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "question 8 of 20: mine python/0003[perturbation:rename]"
    shown = lines[lines.index("--- user") : lines.index("--- what was changed in the program")]
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    assert added
    assert {*added} <= {*shown}
    assert lines[-2] == "--- the right answer"
    assert lines[-1].startswith("[")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "python/9",
            "the suite has no question python/9: its questions go from python/0000[perturbation:vanilla] to php/",
        ),
        ("21", "the suite has 20 questions, from 1 on; there is none of number 21"),
        ("0", "there is none of number 0"),
    ],
)
def test_an_unknown_question_is_one_line(
    suite: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    assert main(["show", str(suite), name]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1


def test_a_changed_program_that_does_something_else_is_shown_as_skipped_with_its_change(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.write_text(
        'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "semtrace"\ncount = 1\n'
        f'[matrix]\nperturbation = ["{Ruinous.__module__}:Ruinous"]\n'
    )
    assert main(["show", str(suite)]) == 1
    _, skipped, *lines = capsys.readouterr().out.splitlines()
    assert skipped == "skipped: the perturbed program returns something else"
    assert {"--- what was changed in the program", "+    return 'ruins'"} <= set(lines)
    assert "--- the right answer" not in lines


def test_without_an_interpreter_a_question_is_shown_unchecked(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(suite.parent))
    assert main(["show", str(suite), "php/0003[perturbation:rename]"]) == 0
    output = capsys.readouterr().out
    assert "--- the right answer" in output
    assert "--- the changed program was not checked: " in output


def test_a_question_that_a_run_skips_says_why(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "a", "language": "python", "code": "def f(x):\n    raise ValueError(x)\n", "call": "f(1)"}
    suite.with_name("rows.jsonl").write_text(json.dumps(row))
    suite.write_text('task = "output-prediction"\n[source]\nname = "jsonl"\npath = "rows.jsonl"\n')
    assert main(["show", str(suite)]) == 1
    assert "skipped: the program raises ValueError" in capsys.readouterr().out


def test_a_question_says_where_its_program_was_found_if_its_id_does_not(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, about in {"shop-1.0_0001": {"origin": "shop-1.0/tax.py", "part": "price"}, "plain": {}}.items():
        folder = suite.parent / "python" / name
        folder.mkdir(parents=True)
        (folder / "main.py").write_text("print(3)\n")
        (folder / "output.txt").write_text("3\n")
        (folder / "program.json").write_text(json.dumps(about))
    suite.write_text('task = "moment"\n[source]\nname = "corpus"\npath = "."\n')
    main(["show", str(suite), "2"])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert "shop" not in first, "a point makes a hash of the name"
    assert second == "its program is from shop-1.0/tax.py:price"
    main(["show", str(suite), "1"])
    assert "its program is from" not in capsys.readouterr().out


STEPS = """def f(xs):
    n = 0
    for x in xs:
        n = n * 3 + x
        m = n % 7
    return m
"""


def test_a_question_about_a_moment_is_shown_with_the_lines_that_lead_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"id": "steps", "language": "python", "code": STEPS, "call": "f([4, 1, 3, 5, 2])"}
    (tmp_path / "programs.jsonl").write_text(json.dumps(row))
    suite = tmp_path / "mine.suite.toml"
    suite.write_text('task = "moment"\n[source]\nname = "jsonl"\npath = "programs.jsonl"\n')
    assert main(["show", str(suite)]) == 0
    _, _, steps = capsys.readouterr().out.partition("--- how it comes about\n")
    assert re.match(r" +\d+  line \d, visit \d: ", steps)


def test_a_folder_may_stand_for_the_only_suite_in_it(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, empty = tmp_path / "set", tmp_path / "empty"
    folder.mkdir()
    empty.mkdir()
    (folder / suite.name).write_text(suite.read_text())
    assert main(["show", str(folder)]) == 0
    assert capsys.readouterr().out.startswith("question 1 of ")
    (folder / "other.suite.toml").write_text(suite.read_text())
    assert main(["show", str(folder)]) == 4
    several = "set is a folder with several suites; name one: set/mine.suite.toml, set/other.suite.toml"
    assert several in capsys.readouterr().err
    assert main(["show", str(empty)]) == 4
    assert "is a folder without a suite.toml file" in capsys.readouterr().err
