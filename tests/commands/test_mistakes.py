"""Mistakes on the command line of ``codereason``: one line that says what was meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main

SUITE = 'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "ladder"\ncount = 1\n'


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    (tmp_path / "s.suite.toml").write_text(SUITE)
    (tmp_path / "q.toml").write_text(SUITE)
    (tmp_path / "a.py").write_text("def f(x):\n    return x\n")
    (tmp_path / "bytes.py").write_bytes(b"\xff")
    (tmp_path / "empty").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "two/start.py").write_text("")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.json").write_text("nonsense")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("reprot run", "unknown command 'reprot' (did you mean 'report'?): choose one of "),
        ("--verison", "unknown option --verison (did you mean '--version'?)"),
        ("report run --alow-partial", "report: error: unknown option --alow-partial (did you mean '--allow-partial'?)"),
        ("report --gat=3 run", ""),
        ("export s.suite.toml --limit=3", "unknown option --limit (did you mean '--eval-limit'?)"),
        (
            "export s.suite.toml --eval-limit=-3",
            "--eval-limit: -3: must be a share such as 10%, 0.1 or 1/8, or a number of questions from 1",
        ),
        ("export s.suite.toml --eval-seed=x", "--eval-seed: x must be a whole number"),
        ("prepare s.suite.toml --wrtier=rule", "unknown option --wrtier (did you mean '--writer'?)"),
        ("translate cruxeval --to java --count few", "--count: few must be a whole number"),
        ("trace a.py --jsno", "unknown option --jsno (did you mean '--json'?)"),
    ],
)
def test_a_command_line_that_cannot_be_read(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not complaint:  # the beginning of an option is the option
        assert main(line.split()) == 4
        return
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 4
    assert complaint in capsys.readouterr().err.splitlines()[-1]


OF = "prepare s.suite.toml --kind=translation --writer=baseline:truth -o h.jsonl"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("report nowhere", "nowhere: there is no such folder; name the folder of a run, such as reports/latest"),
        ("report a.py", "a.py is not a run folder: it has no run.json"),
        ("report run", "run/run.json is damaged: it is not JSON (Expecting value"),
        ("export a.py", "a.py: is no suite: the name of a suite file ends with .suite.toml"),
        ("show q.toml", "q.toml: a suite file is TOML, and its name ends with .suite.toml: rename it to q.suite.toml"),
        ("export q.toml", "q.toml: a suite file is TOML, and its name ends with .suite.toml: rename it to q.suite"),
        ("trace bytes.py", "bytes.py: cannot be read: not UTF-8 text: byte 0 is 0xff"),
        ("trace empty", "empty: the folder holds no file"),
        ("trace two --entry strat.py", "--entry strat.py (did you mean 'start.py'?): there is no such file in two"),
        (f"{OF} --of=javasript", "--of: unknown subject 'javasript' (did you mean 'javascript'?): there is java, "),
        (OF, "a file holds translations to one language: name it by --of, one of java, javascript, php"),
    ],
)
def test_what_a_command_cannot_use(line: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 4
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert "Errno" not in error


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("f(", "--call 'f(': the call does not compile: SyntaxError: '(' was never closed"),
        (
            "double(1)",
            "--call 'double(1)': a.py has no 'double'; its functions are: f (the call raises NameError: name",
        ),
    ],
)
def test_a_call_that_cannot_be_is_no_mistake_of_the_program(
    call: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "a.py", "--call", call]) == 4
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(("text", "words"), [("def f(:", "does not compile"), ("def f(): 1 / 0", "raises ZeroDiv")])
def test_a_call_is_not_blamed_for_the_program(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "b.py").write_text(text)
    assert main(["trace", "b.py", "--call", "f()"]) == 1
    assert f"the program {words}" in capsys.readouterr().out


def test_a_run_without_a_key_says_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run/run.json").write_text(json.dumps({"format": 1}))
    assert main(["report", "run"]) == 4
    assert "run.json:1 is damaged: the key 'models' is missing" in capsys.readouterr().err
