"""``codereason table``: scores, figures and records for other programs, and logs for other tools."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pandas as pd
import pytest

from pytest_codereason.cli import main
from pytest_codereason.results.measures.score_table import COLUMNS
from pytest_codereason.results.records.loading import load_frame
from tests.reports.exchange.words import OURS
from tests.results.synthetic import make_rows, make_run, write_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = make_run(
        suites={"misleading": {"language": ["python"], "perturbation": ["vanilla", "rename"], "prompting": ["direct"]}}
    )
    write_run(tmp_path / "run", run, make_rows(run, families=12))
    return tmp_path / "run"


def test_scores_are_a_table_of_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(OURS)]) == 0
    header, rule, row = capsys.readouterr().out.splitlines()
    assert header == "| model | n | exact | partial | exact\\_answered | unresolved |"
    assert rule == "|" + "---|" * 6
    assert row.startswith("| openai:scripted | 8 | 0.875 \\[0.529, 0.978\\] | 0.979")


def test_scores_are_numbers_in_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder), "--format=csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == list(COLUMNS)
    first = rows[0]
    assert (first["metric"], first["axis"], first["condition"], first["n"]) == (
        "exact",
        "",
        "perturbation=vanilla",
        "12",
    )
    assert float(first["low"]) <= float(first["value"]) <= float(first["high"])
    assert {row["axis_value"] for row in rows if row["axis"] == "perturbation"} == {"vanilla", "rename"}


def test_latex_escapes_what_a_name_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder), "--format=latex", "--columns=model,exact_answered"]) == 0
    out = capsys.readouterr().out
    assert r"model & exact\_answered \\" in out
    assert out.count(r"\begin{tabular}") == out.count(r"\bottomrule") == 1


def test_a_table_for_a_paper_has_chosen_rows_a_caption_and_a_label(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", str(folder), "--format=latex"]) == 0
    out = capsys.readouterr().out
    assert r"model & condition & n & exact \\" in out
    assert r"\caption{Exact match in the suite misleading, with 95 \% intervals.}" in out
    assert r"\label" not in out
    chosen = ("--rows=local:smollm2", "--caption=Small models.", "--label=tab:small")
    assert main(["table", str(folder), "--format=latex", *chosen]) == 0
    out = capsys.readouterr().out
    assert r"\caption{Small models.}" in out
    assert r"\label{tab:small}" in out
    assert "strong" not in out
    assert main(["table", str(folder), "--format=latex", "--rows=model=local:smollm2", *chosen[1:]]) == 0
    assert capsys.readouterr().out == out, "a cell may be named with its column"
    assert main(["table", str(folder), "--rows=local:smollm2", "--columns=n,model"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "| n | model |"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--columns=exakt"], "has no column 'exakt' (did you mean 'exact'?); there is model, condition, n, exact"),
        (["--rows=local:smol"], "has no row with a cell 'local:smol' (did you mean 'local:smollm2'?)"),
        (["--caption=x"], "--caption, --label and --published are for --format latex"),
        (["--format=csv", "--rows=x"], "--columns and --rows are for --format markdown and latex"),
    ],
)
def test_what_a_table_does_not_have_is_named(
    folder: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", str(folder), *options]) == 4
    assert complaint in capsys.readouterr().err


def test_several_runs_stand_in_one_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder), str(OURS)]) == 0
    out = capsys.readouterr().out
    assert "### misleading" in out
    assert "### mine" in out
    assert "| run | model | condition |" in out


def test_records_are_a_row_each_in_csv_and_parquet(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix, read in (("csv", pd.read_csv), ("parquet", pd.read_parquet)):
        path = tmp_path / f"records.{suffix}"
        assert main(["table", str(folder), "--records", f"--format={suffix}", "-o", str(path)]) == 0
        assert capsys.readouterr().out == f"{path}\n"
        frame = read(path)
        expected = load_frame(folder)
        assert list(frame.columns) == list(expected.columns)
        assert frame["metrics.exact"].sum() == expected["metrics.exact"].sum()


def test_an_axis_of_numbers_and_words_is_text_in_parquet(tmp_path: Path) -> None:
    run = make_run(suites={"s": {"language": ["python"], "digits": [2, "many"]}})
    write_run(tmp_path / "run", run, make_rows(run, families=2))
    path = tmp_path / "records.parquet"
    assert main(["table", str(tmp_path / "run"), "--records", "--format=parquet", "-o", str(path)]) == 0
    assert set(pd.read_parquet(path)["axes.digits"]) == {"2", "many"}


@pytest.mark.slow
def test_the_table_of_a_figure_is_words_or_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(folder), "--figure=none"]) == 4
    err = capsys.readouterr().err
    assert "has no figure 'none' with a table; it has" in err
    name = err.splitlines()[1].split()[0]
    assert main(["table", str(folder), "--figure=misleading-perturbation"]) == 4
    err = capsys.readouterr().err
    assert f"the figure 'misleading-perturbation' has no table; these have one:\n    {name}  " in err
    assert main(["table", str(folder), "--figure", name]) == 0
    assert capsys.readouterr().out.startswith("| ")
    assert main(["table", str(folder), "--figure", name, "--format=csv"]) == 0
    assert capsys.readouterr().out.count("\n") > 1


@pytest.mark.parametrize("unit", ["percent", "points"])
def test_a_change_in_csv_is_what_the_column_of_the_figure_shows(
    unit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    axes = {"language": ["python"], "perturbation": ["vanilla", "rename"]}
    run = make_run(suites={"misleading": axes})
    rows = [*make_rows(run, families=40)]
    for row in rows:
        number = int(row["family"].rpartition("/")[2])
        right = number < (20 if row["axes"]["perturbation"] == "vanilla" else 15)
        row |= {
            "outcome": "correct" if right else "wrong",
            "metrics": {**row["metrics"], "exact": float(right), "exact_answered": float(right)},
        }
    write_run(tmp_path / "run", run, rows)
    assert main(["table", str(tmp_path / "run"), "--figure", f"misleading-python-drops-{unit}", "--format=csv"]) == 0
    first = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(first)[-5:] == [f"rename{end}" for end in ("", ".low", ".high", ".n", ".p")], "no average of one change"
    expected = -0.25 if unit == "percent" else -0.125
    assert float(first["rename"]) == pytest.approx(expected)
    assert float(first["rename.low"]) <= expected <= float(first["rename.high"])
    assert (first["plain"], first["rename.n"]) == ("0.5", "40")


def test_published_figures_stand_beneath_the_table_with_their_source(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = """citation = "A paper"
[[facts]]
source = "table 3"
figure = "drops"
of = {prompting = "direct", unit = "percent"}
unit = "percent"
[facts.models]
"GPT-9" = {rename = -12.5}
"""
    path = folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"published": {"mine.toml": facts}}))
    name = "misleading-python-drops-percent"
    for how in ([], ["--format=latex", "--published"]):
        assert main(["table", str(folder), "--figure", name, *how]) == 0
        out = capsys.readouterr().out
        assert "GPT-9, published" in out
        assert "12.5" in out
        assert "Published, not measured in this run: A paper, table 3." in out
        assert "Like CodeCrash" in out
    assert main(["table", str(folder), "--figure", name, "--format=latex"]) == 0
    assert "GPT-9" not in capsys.readouterr().out


def test_logs_of_other_tools_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(OURS), "--format=lm-eval", "-o", str(tmp_path)]) == 0
    paths = capsys.readouterr().out.splitlines()
    assert [Path(path).name.partition("_")[0] for path in paths] == ["samples", "results"]
    assert main(["compare", str(OURS), str(Path(paths[0]).parent)]) == 0
    assert "none of 8 answers about 4 programs flips" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--format=cvs"], "--format cvs: there is no such format (did you mean 'csv'?); choose one of markdown,"),
        (["--records"], "--format markdown is for readers; write --records as csv or parquet"),
        (["--format=parquet"], "--format parquet is no text: name a file with -o"),
        (["--texts"], "--texts adds texts to records"),
        (["--records", "--figure=x", "--format=csv"], "--records and --figure are two tables"),
        (["--format=lm-eval"], "writes several files: name a folder for them with -o"),
        (["--format=lm-eval", "-o", "x", "--records"], "writes all answers; leave --records and --figure out"),
        (["--format=csv", "-o", str(OURS / "x.csv")], "lies in the run folder"),
        (["--format=lm-eval", "-o", str(OURS)], "lies in the run folder"),
        (["--format=csv", "-o", "/none/x.csv"], "cannot be written"),
    ],
)
def test_mistakes_are_named(options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(OURS), *options]) == 4
    assert complaint in capsys.readouterr().err


def test_parquet_without_its_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["table", str(OURS), "--format=parquet", "-o", str(tmp_path / "x.parquet")]) == 4
    assert "pip install 'pytest-codereason[parquet]'" in capsys.readouterr().err
