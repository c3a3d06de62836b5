"""A baseline is a scale: it has rows and lines of its own, and changes nothing that is said or counted of models."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason import registry
from pytest_codereason.reports.charts.axis_pictures import list_axis_pictures
from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.reports.words.axis_sentences import describe_weakest
from pytest_codereason.reports.words.formatting import format_same_reply
from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.reports.words.worded import WordedPicture, word_picture
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.summary import Total, summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import judge_gates
from tests.results.figures.everything import make_everything

#: Every figure is drawn for several runs.
pytestmark = pytest.mark.slow
MODELS = {"strong": 0.9, "weak": 0.4}
#: Above and below the models, so that whatever counts one of them moves.
BASELINES = {"baseline:static-calls": 1.0, "baseline:chance": 0.0}


@pytest.fixture(scope="module")
def runs() -> tuple[RunData, RunData]:
    return make_everything(MODELS), make_everything(MODELS, BASELINES)


@pytest.fixture(scope="module")
def worded(runs: tuple[RunData, RunData]) -> tuple[dict[str, WordedPicture], dict[str, WordedPicture]]:
    return word(runs[0]), word(runs[1])


def word(run: RunData) -> dict[str, WordedPicture]:
    summary = summarise(run)
    pictures, notes = draw_pictures(run, summary)
    assert not notes
    worded = map(word_picture, [*pictures, *list_axis_pictures(summary)])
    return {each.picture.name: each for each in worded}


def is_scale(label: str) -> bool:
    return label.startswith("baseline:")


def leave_out_scales(worded: WordedPicture) -> object:
    """The table and the lines of a picture, less those of baselines."""
    kept = [place for place, title in enumerate(worded.header) if not is_scale(title)]
    rows = [tuple(row[place] for place in kept) for row in worded.rows if not any(map(is_scale, row))]
    panels = [
        (
            panel.title,
            {
                label: [(p.value, p.low, p.high, p.n) for p in line]
                for label, line in panel.lines.items()
                if not is_scale(label)
            },
            {
                label: [(p.value, p.low, p.high) for p in line]
                for label, line in panel.curves.items()
                if not is_scale(label)
            },
            {label: p for label, p in panel.p.items() if not is_scale(label)},
        )
        for panel in worded.picture.panels
        if not is_scale(panel.title)
    ]
    return tuple(worded.header[place] for place in kept), rows, panels


#: Figures of tasks that this run does not ask.
OF_OTHER_TASKS = {"moments", "recited"}


def test_every_figure_draws_something_of_this_run(runs: tuple[RunData, RunData]) -> None:
    for name in {*registry.list_names(Figure)} - OF_OTHER_TASKS:
        assert list(registry.find(Figure, name)().pictures(runs[0])), name


def test_a_baseline_changes_no_row_line_or_sentence_of_any_picture(
    worded: tuple[dict[str, WordedPicture], dict[str, WordedPicture]],
) -> None:
    alone, beside = worded
    assert beside.keys() == alone.keys()
    for name, shown in beside.items():
        assert leave_out_scales(shown) == leave_out_scales(alone[name]), name
        assert shown.sentence == alone[name].sentence, name
        assert replace(shown.picture, table=None, panels=(), unspoken=frozenset()) == replace(
            alone[name].picture, table=None, panels=()
        ), name


def test_a_baseline_changes_nothing_that_a_summary_says_of_models(runs: tuple[RunData, RunData]) -> None:
    alone, beside = map(summarise, runs)
    for name, suite in alone.suites.items():
        other = beside.suites[name]
        assert other.claims == suite.claims
        assert list(map(describe_lead, other.leads)) == list(map(describe_lead, suite.leads))
        for label, model in other.models.items():
            for headline in model.headlines:
                said = describe_weakest(label, headline, other)
                assert said == ("" if is_scale(label) else describe_weakest(label, headline, suite))


def test_a_gate_that_names_no_model_is_about_models_and_no_baseline_shares_its_level(
    runs: tuple[RunData, RunData],
) -> None:
    texts = ["semtrace.exact[distractors=0] >= 0.5", "drop(crash.exact[perturbation=comments]) <= 5%"]
    alone, beside = (judge_gates(check_gates(texts, run.run), run) for run in runs)
    assert beside == alone
    named = check_gates(["ladder.exact[model=baseline:static-calls] >= 0.5"], runs[1].run)
    assert [verdict.model for verdict in judge_gates(named, runs[1])] == ["baseline:static-calls"]


def test_a_run_of_baselines_alone_is_judged_and_spoken_of() -> None:
    run = make_everything({}, BASELINES)
    gates = check_gates(["ladder.exact >= 0.5"], run.run)
    assert [verdict.model for verdict in judge_gates(gates, run)] == [*BASELINES]
    sentences = " ".join(worded.sentence for worded in word(run).values())
    assert "baseline:static-calls: " in sentences
    assert "baseline:chance" not in sentences


def test_what_is_counted_over_suites_departs_by_those_suites_alone(runs: tuple[RunData, RunData]) -> None:
    pictures, _ = draw_pictures(runs[0])
    (overall,) = [picture for picture in pictures if picture.kind == "overall-stability"]
    assert overall.of == {"suite": "crash"}
    assert not [departure for departure in overall.departures if "call-graph" in departure or "fault" in departure]


def test_a_baseline_of_one_reply_is_no_endpoint_that_answers_nothing(runs: tuple[RunData, RunData]) -> None:
    suite = summarise(runs[1]).suites["ladder"]
    scale = replace(suite.models["baseline:static-calls"], same_reply=Total(15, 15))
    wrong = replace(scale.counts, outcomes={**scale.counts.outcomes, "correct": 0})
    assert not format_same_reply(replace(scale, counts=wrong))
    assert format_same_reply(replace(scale, counts=wrong, unspoken=False))
