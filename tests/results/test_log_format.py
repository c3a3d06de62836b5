"""Every format knows its own logs, and takes nothing else for one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from pytest_codereason import registry
from pytest_codereason.results.log_format import Log, LogFormat
from pytest_codereason.results.runs.run_info import RunInfo

FORMATS = registry.list_shipped(LogFormat)


def test_each_format_has_a_title_of_its_own() -> None:
    titles = [registry.find(LogFormat, name).title for name in FORMATS]
    assert len({title.strip() for title in titles if title.strip()}) == len(FORMATS) > 1


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("content", ["", "no log", "{}", "[]", "[1, 2]", '{"a": 1}\n{"a": 2}\n', "\x00\x01"])
def test_another_file_is_no_log(name: str, content: str, tmp_path: Path) -> None:
    for file in ("records.jsonl", "log.json", "samples.txt"):
        path = tmp_path / file
        path.write_text(content)
        assert not registry.find(LogFormat, name)().recognise(path)


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_folder_and_nothing_at_all_are_no_logs(name: str, tmp_path: Path) -> None:
    assert not registry.find(LogFormat, name)().recognise(tmp_path)
    assert not registry.find(LogFormat, name)().recognise(tmp_path / "absent")


def test_a_log_is_a_value() -> None:
    info = RunInfo(models={}, suites={})
    assert Log(info, [{"id": "a"}]) == Log(info, [{"id": "a"}]) != Log(info, [])
    with pytest.raises(TypeError, match="recognise"):
        cast(Any, LogFormat)()
