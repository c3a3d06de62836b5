"""Published figures beside pictures: where they stand, and which have no place."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from importlib import resources

import pytest

from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.pictures import Column, Panel, Picture, Point, PublishedLine, PublishedRow, Table
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.values import Delta, Estimate, Label

SHARE = Estimate(value=0.5, low=0.4, high=0.6, n=100)
DROP = Delta(
    value=-0.2, low=-0.3, high=-0.1, relative=-0.4, relative_low=-0.6, relative_high=-0.2, pairs=100, families=100
)
COLUMNS = [
    Column("model", "model"),
    Column("length", "context"),
    Column("points", "largest drop"),
    Column("relative", "largest drop, %", "relative_interval"),
]
DROPS = Picture(
    name="small-python-largest-drops",
    kind="largest-drops",
    title="Largest drops",
    panels=[
        Panel(title="80 distractors", x="x", y="share", lines={"m": [Point(x=0, value=0.5)]}),
        Panel(title="change", x="x", y="%", percent=True, lines={"m": [Point(x=0, value=-10.0)]}),
    ],
    table=Table(columns=COLUMNS, rows=[[Label("m"), Label("80 distractors"), DROP, DROP]]),
    of={"suite": "small", "language": "python"},
    sentence="One model.",
)
BASELINE = Picture(
    name="baseline",
    kind="baseline",
    title="Alone",
    table=Table(
        columns=[Column("where", "suite"), Column("m", "m", "percent")],
        rows=[[Label("small, python"), SHARE], [Label("small, php"), SHARE]],
    ),
)


def add(models: str, *, more: str = "", figure: str = "largest-drops") -> tuple[list[Picture], list[str]]:
    text = f'citation = "A paper"\n[[facts]]\nsource = "table 1"\nfigure = "{figure}"\n{more}\nmodels = {models}\n'
    return add_published([DROPS, BASELINE], {"mine.toml": text})


def test_a_row_stands_under_the_columns_of_the_table_as_the_paper_prints_it() -> None:
    (drops, _), remarks = add(
        '{GPT = {length = "80 distractors", points = -53, relative = -91.30}}', more='unit = "percent"'
    )
    worded = word_picture(drops)
    assert worded.published_rows == (("GPT", "80 distractors", "−0.53", "−91.30 %"),)
    assert worded.published_note == "Published, not measured in this run: A paper, table 1."
    assert remarks == []


def test_a_model_is_a_column_where_models_are_columns() -> None:
    (_, baseline), remarks = add('{GPT = {"small, php" = 0.790}}', figure="baseline")
    assert word_picture(baseline).published_columns == (("GPT", "", "79.0"),)
    assert word_picture(baseline).published_rows == ()
    assert remarks == []


@pytest.mark.parametrize(
    ("panel", "unit", "models", "expected"),
    [
        ("80 distractors", "percent", "{GPT = 25}", 0.25),
        ("80 distractors", "number", "{GPT = 0.25}", 0.25),
        ("change", "percent", "{GPT = -25}", -25.0),
    ],
)
def test_a_number_is_a_level_of_a_panel(panel: str, unit: str, models: str, expected: float) -> None:
    (drops, _), _ = add(models, more=f'panel = "{panel}"\nunit = "{unit}"')
    (line,) = drops.published
    assert isinstance(line, PublishedLine)
    assert (line.panel, line.level, line.points) == (panel, expected, ())


def test_pairs_are_points_of_a_panel() -> None:
    (drops, _), _ = add("{GPT = [[0, 90], [50, 62.5]]}", more='panel = "80 distractors"\nunit = "percent"')
    (line,) = drops.published
    assert isinstance(line, PublishedLine)
    assert line.points == [(0.0, 0.9), (50.0, 0.625)]


def test_what_was_measured_stays_as_it_is() -> None:
    pictures, _ = add('{GPT = {relative = -0.9}, "m" = {relative = -0.1}}')
    assert [replace(picture, published=()) for picture in pictures] == [DROPS, BASELINE]
    worded, before = word_picture(pictures[0]), word_picture(DROPS)
    assert (worded.sentence, worded.header, worded.rows) == (before.sentence, before.header, before.rows)


def test_several_sources_name_their_models() -> None:
    rows = [
        PublishedRow(model=model, source=source, cells={"relative": Decimal("-0.5")})
        for fact in add("{A = {relative = -0.5}}")[0][0].published
        for source, model in ((fact.source, "A"), (replace(fact.source, place="table 2", note="greedy"), "B"))
    ]
    note = word_picture(replace(DROPS, published=rows)).published_note
    assert note == "Published, not measured in this run: A paper, table 1: A; A paper, table 2 (greedy): B."


@pytest.mark.parametrize(
    ("figure", "more", "models", "remark"),
    [
        ("largest-drop", "", "{A = {relative = 0}}", "no figure 'largest-drop' (did you mean 'largest-drops'?)"),
        (
            "largest-drops",
            'of = {suite = "smal"}',
            "{A = {relative = 0}}",
            "no figure 'largest-drops' of suite 'smal' (did you mean 'small'?); there is small",
        ),
        ("largest-drops", 'of = {siute = "small"}', "{A = {relative = 0}}", "'siute' (did you mean 'suite'?)"),
        ("largest-drops", "", "{A = {relativ = 0}}", "no column 'relativ' (did you mean 'relative'?)"),
        ("largest-drops", 'panel = "80 distractor"', "{A = 0}", "(did you mean '80 distractors'?)"),
        ("largest-drops", "", "{A = {relative = -92.7}}", 'is no share from 0 to 1; write unit = "percent"'),
        ("baseline", "", '{A = {"small, php" = 79.0}}', 'is no share from 0 to 1; write unit = "percent"'),
        ("baseline", "", '{A = {"smal, php" = 0.79}}', "no 'smal, php' (did you mean 'small, php'?)"),
    ],
)
def test_a_fact_without_a_place_says_why_and_is_not_drawn(figure: str, more: str, models: str, remark: str) -> None:
    pictures, (found,) = add(models, more=more, figure=figure)
    assert pictures == [DROPS, BASELINE]
    assert found.startswith("mine.toml:2: ")
    assert remark in found


def test_a_file_with_many_mistakes_names_three() -> None:
    entry = '[[facts]]\nsource = "1"\nfigure = "none"\nmodels = {A = {x = 1}}\n'
    _, remarks = add_published([DROPS], {"mine.toml": 'citation = "A paper"\n' + 5 * entry})
    assert [remark.partition(":")[0] for remark in remarks] == ["mine.toml"] * 3 + ["2 more in mine.toml"]


def test_a_shipped_file_without_a_place_says_which_suites_it_is_about() -> None:
    own = replace(DROPS, of={**DROPS.of, "suite": "mystudy"})
    path = resources.files("pytest_codereason.results.studies") / "papers" / "codecrash.toml"
    _, remarks = add_published([own], {"codecrash": path.read_text(encoding="utf-8")})
    (remark,) = remarks
    assert remark.startswith("nothing of codecrash stands beside this run: it is about the suites misleading, ")
    assert remark.endswith(", by the name of the suite file, and this run has mystudy")
