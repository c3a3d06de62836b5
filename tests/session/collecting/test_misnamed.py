"""Files that look like suites and are not collected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.session.collecting.misnamed import MOST_LOOKED_AT, check_endings, is_in_folder, looks_like_suite

SUITE = 'task = "output-prediction"\n[source]\nname = "semtrace"\n'


@pytest.mark.parametrize(
    ("name", "text", "looks"),
    [
        ("a.toml", SUITE, True),
        ("a.suite", SUITE, True),
        ("a.suite.yaml", "task: output-prediction\nsource:\n  name: semtrace\n", True),
        ("a.yml", '"task": x\n  "source": y\n', True),
        ("a.suite.toml", SUITE, False),
        ("a.txt", SUITE, False),
        ("a.toml", 'task = "output-prediction"\n', False),
        ("a.toml", "[source]\n", False),
        ("a.toml", "tasks = 1\nsources = 2\n", False),
        ("a.toml", "my task = 1\nthe source = 2\n", False),
        ("a.toml", "#" * MOST_LOOKED_AT + SUITE, False),
    ],
)
def test_a_task_and_a_source_make_a_suite(tmp_path: Path, name: str, text: str, looks: bool) -> None:
    (tmp_path / name).write_text(text)
    assert looks_like_suite(tmp_path / name) is looks


def test_what_is_no_file_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "a.toml").mkdir()
    assert not looks_like_suite(tmp_path / "a.toml")
    assert not looks_like_suite(tmp_path / "b.toml")


def test_a_misnamed_suite_on_the_command_line_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(SUITE)
    (tmp_path / "b.suite.toml").write_text(SUITE)
    check_endings(["b.suite.toml", "b.suite.toml::python/0", "gone.toml", "."], tmp_path)
    for argument in ("a.toml", "a.toml::python/0", str(tmp_path / "a.toml")):
        with pytest.raises(UsageError, match=r"a\.toml"):
            check_endings(["b.suite.toml", argument], tmp_path)


def test_a_file_beside_one_that_is_named_lies_in_no_folder_of_the_command_line(pytester: pytest.Pytester) -> None:
    (pytester.path / "suites").mkdir()
    for name in ("a.toml", "suites/b.toml"):
        (pytester.path / name).write_text(SUITE)
    config = pytester.parseconfig("a.toml", "suites")
    assert is_in_folder(pytester.path / "suites/b.toml", config)
    assert not is_in_folder(pytester.path / "a.toml", config)
