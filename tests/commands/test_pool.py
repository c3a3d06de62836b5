"""``codereason pool``, as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.programs.contexts.corpora import load


def source(count: int) -> str:
    return "".join(f"def g{i}(a):\n    return a + {'1' * (i + 1)}\n\n\n" for i in range(count))


def test_a_pool_is_frozen_with_its_funnel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text(source(8) + "def g0(a):\n    return a + 1\n")
    assert main(["pool", str(tmp_path / "a.py"), "--language", "python", "-o", str(tmp_path / "pool")]) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert output.startswith("9 functions: 1 repeated, 3 too short or too long, 5 kept")
    pool = load(str(tmp_path / "pool"), "python")
    assert pool.sha[:16] in output
    assert sorted(f.name for f in pool.functions) == ["g1", "g2", "g3", "g4", "g5"]
    assert f'pool = "{tmp_path / "pool"}"' in output


@pytest.mark.parametrize(
    ("path", "language", "output", "message"),
    [
        ("a.py", "cobol", "pool", "--language cobol: unknown language 'cobol': choose one of java"),
        ("b.py", "python", "pool", "b.py: there is no such file or folder"),
        ("a.py", "php", "pool", "no php function is in"),
        ("a.py", "python", "a.py", "cannot be written"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: str, language: str, output: str, message: str
) -> None:
    (tmp_path / "a.py").write_text(source(3))
    assert main(["pool", str(tmp_path / path), "--language", language, "-o", str(tmp_path / output)]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1
