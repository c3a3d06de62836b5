"""What is checked before the first question is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.engine.executing import Executor
from pytest_codereason.errors import UsageError
from pytest_codereason.session.checks import check_sandbox
from pytest_codereason.suites.reading import load

GRAPHS = 'task = "call-graph"\nlanguages = ["python"]\n[source]\nname = "corpus"\n'


def test_only_suites_that_must_run_programs_need_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    (tmp_path / "graphs.suite.toml").write_text(GRAPHS)
    (tmp_path / "checked.suite.toml").write_text(f"{GRAPHS}check = true\n")
    graphs, checked = load(tmp_path / "graphs.suite.toml"), load(tmp_path / "checked.suite.toml")
    tier, (message,) = check_sandbox(Executor("auto"), [graphs], [], "auto")
    assert tier == "none"
    assert message.startswith("the sandbox does not start: ")
    assert message.endswith("; no program is run to explain wrong answers")
    with pytest.raises(UsageError, match="--eval-sandbox auto: the sandbox does not start"):
        check_sandbox(Executor("auto"), [graphs, checked], [], "auto")
