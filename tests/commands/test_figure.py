"""``codereason figure``: a chart of the report as a file."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pytest_codereason.cli import main
from pytest_codereason.reports.charts import chart_files, charts
from tests.reports.exchange.words import OURS
from tests.results.synthetic import make_rows, make_run, write_run

PAGE = Path(charts.__file__).parents[1] / "pages" / "page.css"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = make_run(suites={"semtrace": {"language": ["python", "php"], "digits": [2, 4]}})
    write_run(tmp_path / "run", run, make_rows(run, families=8))
    return tmp_path / "run"


def test_without_a_name_the_figures_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "semtrace-language  Exact match by language: semtrace",
        "semtrace-digits  Exact match by digits: semtrace",
    ]


@pytest.mark.slow
def test_a_figure_is_written_with_title_and_legend(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "digits.svg"
    assert main(["figure", str(folder), "semtrace-digits", "-o", str(path)]) == 0
    caption, name = capsys.readouterr().out.splitlines()
    assert "digits" in caption
    assert name == str(path)
    texts = {
        "".join(each.itertext()).strip() for each in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    }
    assert {"Exact match by digits: semtrace", "openai:strong-1", "local:smollm2", "digits", "2", "4"} <= texts
    first = path.read_bytes()
    assert not any(placeholder.encode() in first for placeholder in charts.VARIABLES)
    main(["figure", str(folder), "semtrace-digits", "-o", str(path)])
    assert path.read_bytes() == first


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "beginning"), [("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_the_end_of_the_name_says_the_form(suffix: str, beginning: bytes, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"words.{suffix}"
    assert main(["figure", str(folder), "semtrace-language", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(beginning)


def test_colours_are_those_of_the_page_in_daylight() -> None:
    daylight = PAGE.read_text().split("@media")[0]
    colours = dict(re.findall(r"(--(?:ink|muted|line|series-\d)): (#\w+);", daylight))
    assert {f"var({name})": colour for name, colour in colours.items()} == chart_files._COLOURS
    assert set(charts.VARIABLES.values()) == set(chart_files._COLOURS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["semtrace-digit"], "has no figure 'semtrace-digit' with a chart (did you mean 'semtrace-digits'?); it has"),
        (["-o", "x.svg"], "-o has no effect: name the figure, as in codereason figure "),
        (["semtrace-digits", "-o", "x.doc"], "the name ends with none of .svg, .pdf, .png"),
        (["semtrace-digits", "-o", "/none/x.svg"], "-o /none/x.svg: cannot be written: No such file or directory"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str], complaint: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    assert main(["figure", str(folder), *arguments]) == 4
    assert complaint in capsys.readouterr().err


def test_a_run_folder_gets_no_chart(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", str(folder), "semtrace-digits", "-o", str(folder / "x.svg")]) == 4
    assert "lies in the run folder" in capsys.readouterr().err


def test_a_run_without_charts_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(suites={"one": {"language": ["python"]}})
    write_run(tmp_path / "run", run, make_rows(run, families=2))
    assert main(["figure", str(tmp_path / "run"), "x", "-o", "x.svg"]) == 4
    assert "this run has no figure with a chart" in capsys.readouterr().err
    monkeypatch.setattr(charts, "can_draw", lambda: False)
    assert main(["figure", str(OURS), "x"]) == 4
    assert "pip install 'pytest-codereason[report]'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_chart_has_the_width_of_a_column(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "digits.pdf"
    for width in (85, 170):
        assert main(["figure", str(folder), "semtrace-digits", "-o", str(path), f"--width={width}"]) == 0
        box = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ", path.read_bytes())
        assert box is not None
        assert float(box[1]) / 72 * 25.4 == pytest.approx(width, abs=0.1)


@pytest.mark.parametrize("width", ["10", "5000"])
def test_a_width_that_no_page_has_is_refused(width: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figure", str(folder), "semtrace-digits", f"--width={width}"]) == 4
    assert f"--width {width}: give 60 to 500 millimetres" in capsys.readouterr().err
