"""The figures about faults, for models whose answers are known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.words.axis_sentences import describe_axis
from pytest_codereason.reports.words.worded import word_picture
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.figures._faults import group_by_setting
from pytest_codereason.results.figures.fault_categories import FaultCategories
from pytest_codereason.results.figures.fault_quarters import FaultQuarters
from pytest_codereason.results.figures.fault_strength import FaultStrength
from pytest_codereason.results.figures.fault_types import FaultTypes
from pytest_codereason.results.figures.faults_lost import FaultsLost
from pytest_codereason.results.figures.languages import LanguageDrops
from pytest_codereason.results.figures.robustness import Robustness
from pytest_codereason.results.measures.model_categories import parse_kinds
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.pictures import PublishedRow
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.studies.published import add_published
from pytest_codereason.results.studies.published_facts import load_texts
from pytest_codereason.results.values import Undefined, Why
from tests.results.figures.fault_rows import Question, describe_run, list_questions, localise, localise_twice
from tests.results.figures.rows import Shown, data, show

MUTATIONS = ["none", "misleading-comments", "rename"]


def perfect(question: Question, value: str, step: int) -> bool:
    return True


def finds_swaps(question: Question, value: str, step: int) -> bool:
    return question.fault == "operator-swap"


def finds_odd(question: Question, value: str, step: int) -> bool:
    return question.program % 2 == 1


def reads_the_first_quarter(question: Question, value: str, step: int) -> bool:
    return question.quarter == 1


def trusts_comments(question: Question, value: str, step: int) -> bool:
    return "comments" not in value


def flips(question: Question, value: str, step: int) -> bool:
    """Right in 7 of 10 cases, whatever is asked, each time anew."""
    return Random(f"{question.program}{question.fault}{question.quarter}{value}{step}").random() < 0.7


def localised(figure: Figure, *models: tuple[str, object], languages: tuple[str, ...] = ("python",)) -> list[Shown]:
    questions = list_questions(languages=languages)
    rows = [row for name, model in models for row in localise("s", name, questions, model)]  # type: ignore[arg-type]
    names = [name for name, _ in models]
    return show(figure, rows, describe_run({"s": ("fault-localization", ())}, names, languages))


def mutated(figure: Figure, model: object, values: list[str] = MUTATIONS) -> list[Shown]:
    rows = localise_twice("s", "m", list_questions(), model, values)  # type: ignore[arg-type]
    return show(figure, rows, describe_run({"s": ("fault-robustness", values)}, ["m"]))


def test_each_kind_of_fault_has_its_column() -> None:
    (picture,) = localised(FaultTypes(), ("m", finds_swaps))
    assert picture.header == ("model", "language", "tasks", "all faults", "off-by-one", "operator-swap")
    ((_, language, tasks, *scores),) = picture.rows
    assert (language, tasks) == ("python", "all")
    assert [score.partition(" ")[0] for score in scores] == ["50.00", "0.00", "100.00"]


def test_one_model_gets_no_filtered_figure_and_is_told_why() -> None:
    (picture,) = localised(FaultTypes(), ("m", finds_swaps))
    assert [row[2] for row in picture.rows] == ["all"]
    assert "One model was asked, so there is no filtered figure" in picture.sentence


def test_a_fault_stays_if_some_model_finds_it() -> None:
    (picture,) = localised(FaultTypes(), ("swaps", finds_swaps), ("odd", finds_odd))
    scores = {(row[0], row[2]): row[3].partition(" ")[0] for row in picture.rows}
    assert scores == {  # swaps finds 1 of 2, odd 1 of 2, both together 3 of 4
        ("swaps", "all"): "50.00",
        ("swaps", "found by a model"): "66.67",
        ("odd", "all"): "50.00",
        ("odd", "found by a model"): "66.67",
    }
    assert "swaps finds the faulty line of 50 % [" in picture.sentence
    assert "keeps a fault if at least one of 2 models found it" in picture.sentence


def test_a_baseline_is_no_model_of_the_filter() -> None:
    questions = list_questions()
    rows = [*localise("s", "m", questions, finds_swaps), *localise("s", "truth", questions, perfect)]
    of = describe_run({"s": ("fault-localization", ())}, ["m"], baselines=["truth"])
    (picture,) = show(FaultTypes(), rows, of)
    assert {row[2] for row in picture.rows} == {"all"}


def test_earlier_runs_count_for_the_filter() -> None:
    questions, suites = list_questions(), {"s": ("fault-localization", ())}
    now = (parse_run(describe_run(suites, ["m"])), localise("s", "m", questions, finds_swaps))
    earlier = (parse_run(describe_run(suites, ["odd"])), localise("s", "odd", questions, finds_odd))
    both = RunData.build({"now": now, "earlier": earlier})
    (picture,) = FaultTypes().pictures(replace(RunData.build({"now": now}), beside=both))
    worded = word_picture(picture)
    assert [(row[2], row[3].partition(" ")[0]) for row in worded.rows] == [
        ("all", "50.00"),
        ("found by a model", "66.67"),
    ]


def test_several_languages_stand_below_their_sum() -> None:
    def knows_python(question: Question, value: str, step: int) -> bool:
        return question.language == "python"

    (picture,) = localised(FaultTypes(), ("m", knows_python), languages=("python", "java"))
    assert [(row[1], row[3].partition(" ")[0]) for row in picture.rows] == [
        ("all", "50.00"),
        ("python", "100.00"),
        ("java", "0.00"),
    ]
    assert picture.sentence.startswith("m finds the faulty line of 50 % [")


def test_one_that_reads_the_first_quarter_finds_its_faults_there() -> None:
    heat, shares = localised(FaultQuarters(), ("m", reads_the_first_quarter))
    assert [row[2] for row in heat.rows] == ["all", "off-by-one", "operator-swap"]
    for row in heat.rows:
        assert [cell.partition(" ")[0] for cell in row[3:]] == ["100.00", "0.00", "0.00", "0.00"]
    assert "m finds 100 % [84, 100] of the faults in the first quarter of a program and 0 % [0, 16] of" in heat.sentence
    counted = {row[2]: [cell.partition(" ")[0] for cell in row[3:]] for row in shares.rows}
    assert counted == {
        "faults planted": ["25.00"] * 4,
        "faults found": ["100.00", "0.00", "0.00", "0.00"],
        "lines answered": ["100.00", "0.00", "0.00", "0.00"],
    }
    assert shares.sentence.startswith("Of the faults that m found, 100 % [")
    assert shares.sentence.endswith("in the last; of those planted, 25 % [19, 32] and 25 % [19, 32].")


def test_one_that_is_perfect_is_so_everywhere() -> None:
    for picture in localised(FaultQuarters(), ("m", perfect))[:1] + localised(FaultTypes(), ("m", perfect)):
        assert all(cell.startswith("100.00") for row in picture.rows for cell in row[3:])
    (lost,) = mutated(FaultsLost(), perfect)
    assert all(row[4].startswith("0.00") for row in lost.rows)


def test_one_that_trusts_comments_loses_what_they_mislead_about_and_no_more() -> None:
    (picture,) = mutated(FaultsLost(), trusts_comments)
    lost = {row[2]: (row[3], row[4].partition(" ")[0]) for row in picture.rows}
    assert lost == {
        "any change": ("320", "50.00"),
        "misleading-comments": ("160", "100.00"),
        "rename": ("160", "0.00"),
        "no change, asked again": ("160", "0.00"),
    }
    assert picture.sentence.startswith("After a change that keeps meaning, m loses 50 % [")
    assert picture.sentence.endswith("faults that it had found; asked again without a change it loses 0 % [0, 16].")


def test_one_that_flips_loses_as_much_without_a_change() -> None:
    (picture,) = mutated(FaultsLost(), flips)
    lost = {row[2]: float(row[4].partition(" ")[0]) for row in picture.rows}
    assert lost["any change"] == pytest.approx(30, abs=8)
    assert lost["no change, asked again"] == pytest.approx(30, abs=10)
    assert picture.sentence.endswith(", and the difference is not clear of chance.")


def test_without_a_control_the_sentence_says_what_is_missing() -> None:
    (picture,) = mutated(FaultsLost(), flips, ["rename", "misleading-comments"])
    assert [row[2] for row in picture.rows] == ["any change", "rename", "misleading-comments"]
    assert "it was not asked again without a change, so its own changes of mind are part" in picture.sentence


def test_one_that_finds_nothing_can_lose_nothing() -> None:
    (picture,) = mutated(FaultsLost(), lambda *_: False)
    assert {row[4] for row in picture.rows} == {"never right"}
    assert picture.sentence == "m found no fault before, so it could lose none."


def test_one_that_was_not_asked_is_not_said_to_find_nothing() -> None:
    questions, models = list_questions(), ["m", "late"]
    twice = localise_twice("s", "m", questions, perfect, MUTATIONS)
    (lost,) = show(FaultsLost(), twice, describe_run({"s": ("fault-robustness", MUTATIONS)}, models))
    once = localise("s", "m", questions, perfect)
    _, shares = show(FaultQuarters(), once, describe_run({"s": ("fault-localization", ())}, models))
    for picture in (lost, shares):
        assert any(row[0] == "late" for row in picture.rows)
        assert "late" not in picture.sentence


def test_what_is_lost_is_compared_with_the_unchanged_question_once() -> None:
    languages = ("python", "java")
    rows = localise_twice("s", "m", list_questions(languages=languages), trusts_comments, MUTATIONS)
    answers = data(rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, ["m"], languages))
    summary = summarise(answers).suites["s"]
    (sweep,) = (each for each in summary.models["m"].sweeps if each.axis == "perturbation")
    assert [entry.value for entry in sweep.entries] == ["misleading-comments", "rename"]
    assert [entry.metrics["lost"].value for entry in sweep.entries] == [1, 0]
    assert {entry.deltas["lost"] for entry in sweep.entries} == {Undefined(Why.POOLED)}
    lost = answers.suites["s"].headline
    assert describe_axis("perturbation", {"m": sweep}, lost, summary.claims).startswith(
        "Lost after mutation: each value of perturbation"
    )
    assert not list(Robustness().pictures(answers))
    assert not list(LanguageDrops().pictures(answers))


def test_the_second_model_is_told_of_in_fewer_words() -> None:
    models = {"a": trusts_comments, "b": perfect}
    asked = list_questions()
    rows = [row for name, model in models.items() for row in localise_twice("s", name, asked, model, MUTATIONS)]
    (picture,) = show(FaultsLost(), rows, describe_run({"s": ("fault-robustness", MUTATIONS)}, list(models)))
    assert picture.sentence.endswith("it loses 0 % [0, 16]. b loses 0 % [0, 16]; asked again 0 % [0, 16].")


STRENGTHS = ["none", *(f"dead-code(strength={strength},place=2)" for strength in (1, 2, 4, 8))]


def test_the_slope_is_the_loss_of_each_step() -> None:
    def loses_a_tenth_a_step(question: Question, value: str, step: int) -> bool:
        strength = int(value.partition("strength=")[2].partition(",")[0] or 0)
        return question.program % 10 >= strength

    (picture,) = mutated(FaultStrength(), loses_a_tenth_a_step, STRENGTHS)
    ((_, mutation, weakest, strongest, slope, ends),) = picture.rows
    assert mutation == "dead-code(place=2)"
    assert (weakest.partition(" ")[0], strongest.partition(" ")[0]) == ("90.00", "20.00")
    assert slope.startswith("−10.00 [")
    assert ends.startswith("−10.00 [")
    (panel,) = picture.panels
    assert [(point.x, point.value) for point in panel.lines["m"]] == [
        (1, 0.9),
        (2, 0.8),
        (4, 0.6),
        (8, pytest.approx(0.2)),
    ]
    assert "of m changes by −10.00 [" in picture.sentence
    assert picture.sentence.endswith("points with each step of dead-code(place=2).")


def test_the_studys_slope_sees_the_ends_alone() -> None:
    """All is lost at the first step: least squares and the ends then differ, as they should."""

    def loses_all_at_once(question: Question, value: str, step: int) -> bool:
        return "strength" not in value or "strength=1" in value

    (picture,) = mutated(FaultStrength(), loses_all_at_once, STRENGTHS)
    x, y = np.array([1, 2, 4, 8]), np.array([1, 0, 0, 0])
    *_, slope, ends = picture.rows[0]
    assert float(slope.partition(" ")[0].replace("−", "-")) == pytest.approx(100 * np.polyfit(x, y, 1)[0], abs=0.01)
    assert ends.startswith(f"−{100 / 7:.2f} [")


def test_the_interval_of_a_flat_line_holds_zero() -> None:
    (picture,) = mutated(FaultStrength(), flips, STRENGTHS)
    low, high = (float(end.replace("−", "-")) for end in picture.rows[0][-2].partition("[")[2].rstrip("]").split(", "))
    assert low < 0 < high


def test_the_papers_table_stands_below_the_filtered_rows() -> None:
    questions = list_questions(languages=("python", "java"))
    rows = [*localise("faults", "a", questions, finds_swaps), *localise("faults", "b", questions, finds_odd)]
    of = describe_run({"faults": ("fault-localization", ())}, ["a", "b"], ("python", "java"))
    (complete,), remarks = add_published(
        list(FaultTypes().pictures(data(rows, of))), load_texts(["fault-localizability"])
    )
    assert not remarks
    published = [row for row in complete.published if isinstance(row, PublishedRow)]
    assert len(published) == 20
    cells = next(row.cells for row in published if row.model == "Claude-4.5-Sonnet" and row.cells["language"] == "java")
    assert cells["tasks"] == "found by a model"
    assert (str(cells["off-by-one"]), str(cells["operator-swap"])) == ("0.8333", "0.3174")


def test_mutations_of_a_quarter_stand_side_by_side() -> None:
    values = ["none", *(f"dead-code(strength=2,place={quarter})" for quarter in (1, 2, 3, 4))]

    def misled_at_the_top(question: Question, value: str, step: int) -> bool:
        return "place=1" not in value

    _, places = mutated(FaultsLost(), misled_at_the_top, values)
    ((_, _, mutation, *cells),) = places.rows
    assert mutation == "dead-code(strength=2)"
    assert [cell.partition(" ")[0] for cell in cells] == ["100.00", "0.00", "0.00", "0.00"]


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (["a", "b"], {}),
        (["a(strength=1)"], {}),
        (["a(strength=1)", "a(strength=2)", "a"], {"a": [1, 2]}),
        (["a(strength=10)", "a(strength=2)"], {"a": [2, 10]}),
        (["a(strength=1)+b(strength=1)", "a(strength=2)+b(strength=2)"], {"a+b": [1, 2]}),
        (["a(strength=1)+b(strength=2)", "a(strength=2)+b(strength=1)"], {}),
        (["a(strength=1,place=3)", "a(strength=2,place=3)", "a(strength=2,place=4)"], {"a(place=3)": [1, 2]}),
    ],
)
def test_mutations_that_differ_in_strength_alone_belong_together(
    values: list[str], groups: dict[str, list[int]]
) -> None:
    assert {name: list(group) for name, group in group_by_setting(values, "strength").items()} == groups


def test_other_suites_draw_nothing() -> None:
    of = describe_run({"s": ("call-graph", ())}, ["m"])
    empty = data([], of)
    assert isinstance(empty, RunData)
    for figure in (FaultTypes(), FaultQuarters(), FaultsLost(), FaultStrength()):
        assert not list(figure.pictures(empty))


OWN = """
[[models]]
match = ["*tiny*"]
categories = ["open", "code"]
family = "Tiny"
version = "1"

[[models]]
match = ["*tiny-2*", "*big*"]
categories = ["open"]
"""


def test_categories_pool_their_models_and_versions_follow_each_other() -> None:
    questions = list_questions()
    names = {
        "openai:claude-3-7-sonnet-x": finds_swaps,
        "openai:Claude-Sonnet-4-5": perfect,
        "llama:llama3.1": finds_odd,
    }
    rows = [row for name, model in names.items() for row in localise("s", name, questions, model)]
    of = describe_run({"s": ("fault-localization", ())}, [*names, "openai:unknown"])
    categories, versions = show(FaultCategories(), rows, of)
    assert [(row[0], row[2].partition(" ")[0]) for row in categories.rows] == [
        ("reasoning", "75.00"),
        ("closed", "75.00"),
        ("general", "50.00"),
        ("open", "50.00"),
    ]
    assert [(row[0], row[1], row[3].partition(" ")[0]) for row in versions.rows] == [
        ("Claude Sonnet", "3.7", "50.00"),
        ("Claude Sonnet", "4.5", "100.00"),
    ]
    assert versions.rows[1][4].startswith("+0.500 [")


def test_a_file_of_the_user_takes_the_place_of_the_shipped_one() -> None:
    rows = localise_twice("s", "x:tiny-2", list_questions(), trusts_comments, MUTATIONS)
    of = {**describe_run({"s": ("fault-robustness", MUTATIONS)}, ["x:tiny-2"]), "categories": {"own.toml": OWN}}
    (categories,) = show(FaultCategories(), rows, of)
    assert [row[:2] + tuple(cell.partition(" ")[0] for cell in row[2:]) for row in categories.rows] == [
        ("open", "x:tiny-2", "100.00", "50.00"),
        ("code", "x:tiny-2", "100.00", "50.00"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "models are missing"),
        ("[[models]]\nmatch = [1]", r"own.toml: \[\[models\]\] number 1: match must be a list of texts"),
        ("[[models]]\nmach = ['a']", "unknown key 'mach' .did you mean 'match'"),
        ("[[models]]\ncategories = ['open']", "match is missing"),
        ("[[models]]\nmatch = ['a']\nversion = '2'", "a version needs a family"),
        ("[[models]]\nmatch = ['a']\nfamily = 2", "family must be a text"),
    ],
)
def test_a_mistake_in_the_file_is_named(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_kinds("own.toml", text)


def test_the_map_of_quarters_is_shaded_by_share() -> None:
    questions = list_questions()
    rows = localise("s", "m", questions, reads_the_first_quarter)
    heat, shares = FaultQuarters().pictures(data(rows, describe_run({"s": ("fault-localization", ())}, ["m"])))
    assert word_picture(heat).shades == ((-1, -1, -1, 10, 0, 0, 0),) * 3
    assert word_picture(shares).shades == ()
