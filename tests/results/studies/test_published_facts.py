"""Files of published figures: the shipped ones agree with what their papers sum up, and mistakes name their place."""

from __future__ import annotations

from decimal import Decimal
from statistics import mean, median

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.results.studies.published_facts import FactsFile, list_papers, load_texts, parse_facts

GOOD = """citation = "A paper"

[[facts]]
source = "table 1"
figure = "baseline"
of = {suite = "small"}
unit = "percent"

[facts.models]
"GPT" = {"small, python" = 23.20}
"""


def shipped(name: str) -> FactsFile:
    return parse_facts(name, load_texts([name])[name])


@pytest.mark.parametrize("name", ["codecrash", "fault-localizability", "sense-and-sensitivity", "traceeval"])
def test_every_study_is_shipped_and_read(name: str) -> None:
    assert list_papers() == ["codecrash", "fault-localizability", "sense-and-sensitivity", "traceeval"]
    assert shipped(name).facts
    assert shipped(name).is_shipped


def test_the_arithmetic_of_table_3_of_call_graphs() -> None:
    """F1 is the harmonic mean within a language, and every average that of the three languages."""
    fact, tuned = shipped("traceeval").facts
    assert len(fact.rows) == 10
    for _, cells in fact.rows:
        row = {name: float(cell) for name, cell in cells.items() if name != "names"}
        for place in ("python", "javascript", "java"):
            precision, recall = row[f"{place}-precision"], row[f"{place}-recall"]
            assert row[f"{place}-f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=0.11)
        for name in ("precision", "recall", "f1"):
            mean = sum(row[f"{place}-{name}"] for place in ("python", "javascript", "java")) / 3
            assert row[f"average-{name}"] == pytest.approx(mean, abs=0.11)
    for _, cells in tuned.rows:
        precision, recall, f1 = (float(cells[f"average-{name}"]) for name in ("precision", "recall", "f1"))
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.11)


def test_the_slopes_of_faults_are_those_of_their_ends() -> None:
    facts = [fact for fact in shipped("fault-localizability").facts if fact.figure == "fault-average-strength"]
    assert len(facts) == 2
    for fact in facts:
        ((_, cells),) = fact.rows
        first, last, slope = (float(cells[key]) for key in ("strength-1", "strength-8", "ends"))
        assert slope == pytest.approx((last - first) / 7, abs=0.0051)


def test_the_medians_of_table_1_are_those_that_its_caption_states() -> None:
    (table,) = (fact for fact in shipped("sense-and-sensitivity").facts if fact.source.place == "table 1")
    stated = {"recall-semantic-input": 45.06, "recall-semantic-output": 55.38, "recall-semtrace": 86.19}
    for suite, figure in stated.items():
        cells = [cells[f"{suite}, python"] for _, cells in table.rows]
        assert len(cells) == 6
        assert median(float(cell) for cell in cells) == pytest.approx(figure, abs=0.0051)


def test_the_drop_of_one_model_in_points_and_in_percent_is_possible() -> None:
    """53 points that are 91.38 % fall from 58 %, which lies below the model's accuracy without distractors."""
    facts = shipped("sense-and-sensitivity").facts
    (row,) = (cells for fact in facts for model, cells in fact.rows if "points" in cells and model.startswith("Qwen"))
    (alone,) = (cells for fact in facts[:1] for model, cells in fact.rows if model.startswith("Qwen"))
    assert 0.5 < float(row["points"]) / float(row["relative"]) < float(alone["recall-semtrace, python"]) / 100


@pytest.mark.parametrize(("prompting", "stated"), [("direct", -23.2), ("cot", -13.8)])
def test_the_changes_of_the_models_average_to_what_the_abstract_states(prompting: str, stated: float) -> None:
    facts = [fact for fact in shipped("codecrash").facts if fact.of.get("prompting") == prompting]
    crux, lcb, both = ([row for _, row in fact.rows] for fact in facts if "suite" in fact.of)
    (abstract,) = (row["average-studied"] for fact in facts if "suite" not in fact.of for _, row in fact.rows)
    four = ("psc-all", "comments", "prints", "hint")  # the paper's PSC-ALL, MCC, MPS and MHC
    assert float(abstract) == stated
    assert len(crux) == len(lcb) == len(both) == 17
    assert mean(float(row[key]) for row in both for key in four) == pytest.approx(stated, abs=0.05)
    for one, other, weighted in zip(crux, lcb, both, strict=True):
        for key in weighted.keys() - {"data"}:
            average = (800 * float(one[key]) + 479 * float(other[key])) / 1279
            assert float(weighted[key]) == pytest.approx(average, abs=0.11)


def test_a_number_keeps_the_digits_that_the_paper_prints() -> None:
    (fact,) = parse_facts("mine.toml", GOOD).facts
    assert (fact.percent, str(fact.source), fact.place) == (True, "A paper, table 1", "mine.toml:3")
    assert [(model, dict(cells)) for model, cells in fact.rows] == [("GPT", {"small, python": Decimal("23.20")})]
    assert str(fact.rows[0][1]["small, python"]) == "23.20"


def test_a_model_may_have_several_rows() -> None:
    text = GOOD.replace('{"small, python" = 23.20}', '[{length = "20", relative = 1}, {length = "40", relative = 2}]')
    (fact,) = parse_facts("mine.toml", text).facts
    assert [cells["length"] for _, cells in fact.rows] == ["20", "40"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("citation", "citatoin", "mine.toml: citation is missing"),
        ("[[facts]]\n", "[[fact]]\n", "mine.toml: unknown key 'fact' (did you mean 'facts'?)"),
        ("source", "sourc", "mine.toml:4: unknown key 'sourc' (did you mean 'source'?)"),
        ('source = "table 1"\n', "", "mine.toml:3: source must be a text, and is missing"),
        ('figure = "baseline"', "figure = 1", "mine.toml:5: figure must be a text"),
        ('"percent"', '"percents"', "mine.toml:7: unit 'percents' (did you mean 'percent'?): write number or percent"),
        ('{suite = "small"}', '"small"', "mine.toml:6: of must be a table of texts"),
        ("23.20", "true", "mine.toml:10: 'small, python' must be a finite number, not True"),
        ("23.20", "nan", "mine.toml:10: 'small, python' must be a finite number, not Decimal('NaN')"),
        ('{"small, python" = 23.20}', "23.20", "mine.toml:10: 'GPT' must have cells"),
        ('unit = "percent"', 'panel = "one"', "mine.toml:10: 'GPT' must be a finite number"),
        ('"GPT" = ', "GPT = [", "mine.toml:10: not valid TOML"),
        ('"A paper"', '" "', "mine.toml:1: citation is missing"),
        ('"A paper"', "3", "mine.toml:1: citation is missing"),
        ('"table 1"', '" "', "mine.toml:4: source must be a text"),
        ('"GPT" = {"small, python" = 23.20}\n', "", "mine.toml:9: models are missing: write a row for each model"),
        ('{"small, python" = 23.20}', "{}", "mine.toml:10: 'GPT' must have cells"),
        ('{"small, python" = 23.20}', "[{a = 1}, {}]", "mine.toml:10: 'GPT' must have cells"),
        ('{suite = "small"}', "{suite = 3}", "mine.toml:6: of must be a table of texts"),
        (GOOD[GOOD.index("[[") :], "", "mine.toml: facts are missing: write one [[facts]]"),
        (GOOD[GOOD.index("[[") :], "facts = []", "mine.toml:3: facts are missing: write one [[facts]]"),
        (GOOD[GOOD.index("[[") :], "facts = [3]", "mine.toml:3: facts are missing: write one [[facts]]"),
        (GOOD[GOOD.index("[[") :], 'facts = [{source = "a"}]', "mine.toml:3: figure must be a text, and is missing"),
    ],
)
def test_a_mistake_names_its_line_and_what_to_do(old: str, new: str, complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_facts("mine.toml", GOOD.replace(old, new, 1))
    assert str(raised.value).startswith(complaint)


PANEL = GOOD.replace('unit = "percent"', 'panel = "80 distractors"')


def test_an_entry_about_a_panel_has_levels_and_lines() -> None:
    text = PANEL.replace('{"small, python" = 23.20}', "0.5\n" + "Line = [[0, 0.91], [50, 0.620]]")
    (fact,) = parse_facts("mine.toml", text).facts
    assert (fact.panel, fact.percent, fact.rows) == ("80 distractors", False, ())
    assert fact.courses == {
        "GPT": Decimal("0.5"),
        "Line": ((Decimal(0), Decimal("0.91")), (Decimal(50), Decimal("0.620"))),
    }


@pytest.mark.parametrize(
    ("course", "complaint"),
    [
        ("[]", "'GPT' must be a number or pairs of x and y"),
        ("[[1, 2, 3]]", "'GPT' must be a number or pairs of x and y"),
        ("[1, 2]", "'GPT' must be a number or pairs of x and y"),
        ('[["x", 2]]', "'GPT' must be a finite number, not 'x'"),
        ('[[1, "y"]]', "'GPT' must be a finite number, not 'y'"),
        ("[[1, inf]]", "'GPT' must be a finite number, not Decimal('Infinity')"),
    ],
)
def test_a_line_of_no_numbers_is_named(course: str, complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_facts("mine.toml", PANEL.replace('{"small, python" = 23.20}', course))
    assert str(raised.value).startswith(f"mine.toml:10: {complaint}")


def test_the_line_is_that_of_the_entry_with_the_mistake() -> None:
    second = GOOD[GOOD.index("[[") :].replace('figure = "baseline"', "figure = 2")
    with pytest.raises(UsageError, match=r"^mine.toml:14: figure must be a text"):
        parse_facts("mine.toml", f"{GOOD}\n{second}")


def test_an_unknown_study_suggests_the_one_that_was_meant() -> None:
    with pytest.raises(UsageError, match=r"no such paper \(did you mean 'codecrash'\?\); name one of codecrash, fault"):
        load_texts(["code-crash"])
