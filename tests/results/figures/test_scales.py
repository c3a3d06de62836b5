"""A baseline is a scale: it has rows and lines of its own, and changes nothing that is said or counted of models."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from pytest_codereason import registry
from pytest_codereason.reports.charts.axis_pictures import list_axis_pictures
from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.reports.words.axis_sentences import describe_weakest
from pytest_codereason.reports.words.formatting import format_same_reply
from pytest_codereason.reports.words.lead_sentences import describe_lead
from pytest_codereason.reports.words.worded import WordedPicture, word_picture
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.measures.summary import Summary, Total, summarise
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.judging import judge_gates
from tests.results.figures.everything import make_everything

#: Every figure is drawn for several runs.
pytestmark = pytest.mark.slow
#: Fewer than a figure wants in other tests: here it must draw something, and the same beside baselines.
PROGRAMS = 4
MODELS = {"strong": 0.9, "weak": 0.4}
#: Above and below the models, so that whatever counts one of them moves.
BASELINES = {"baseline:static-calls": 1.0, "baseline:chance": 0.0}


@dataclass(frozen=True)
class Drawn:
    """A run with all that is computed of it: the tests look at one computation."""

    run: RunData
    summary: Summary
    pictures: list[Picture]

    def list_worded(self) -> dict[str, WordedPicture]:
        worded = map(word_picture, [*self.pictures, *list_axis_pictures(self.summary)])
        return {each.picture.name: each for each in worded}


@pytest.fixture(scope="module")
def alone() -> Drawn:
    return draw(make_everything(MODELS, programs=PROGRAMS))


@pytest.fixture(scope="module")
def beside() -> Drawn:
    """The run of the same models, with baselines beside them."""
    return draw(make_everything(MODELS, BASELINES, programs=PROGRAMS))


def draw(run: RunData) -> Drawn:
    summary = summarise(run)
    pictures, notes = draw_pictures(run, summary)
    assert not notes
    return Drawn(run, summary, pictures)


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


def test_every_figure_draws_something_of_this_run(alone: Drawn) -> None:
    for name in {*registry.list_names(Figure)} - OF_OTHER_TASKS:
        assert any(True for _ in registry.find(Figure, name)().pictures(alone.run)), name


def test_a_baseline_changes_no_row_line_or_sentence_of_any_picture(alone: Drawn, beside: Drawn) -> None:
    before, after = alone.list_worded(), beside.list_worded()
    assert after.keys() == before.keys()
    for name, shown in after.items():
        assert leave_out_scales(shown) == leave_out_scales(before[name]), name
        assert shown.sentence == before[name].sentence, name
        assert replace(shown.picture, table=None, panels=(), unspoken=frozenset()) == replace(
            before[name].picture, table=None, panels=()
        ), name


def test_a_baseline_changes_nothing_that_a_summary_says_of_models(alone: Drawn, beside: Drawn) -> None:
    for name, suite in alone.summary.suites.items():
        other = beside.summary.suites[name]
        assert other.claims == suite.claims
        assert list(map(describe_lead, other.leads)) == list(map(describe_lead, suite.leads))
        for label, model in other.models.items():
            for headline in model.headlines:
                said = describe_weakest(label, headline, other)
                assert said == ("" if is_scale(label) else describe_weakest(label, headline, suite))


def test_a_gate_that_names_no_model_is_about_models_and_no_baseline_shares_its_level(
    alone: Drawn, beside: Drawn
) -> None:
    texts = ["semtrace.exact[distractors=0] >= 0.5", "drop(crash.exact[perturbation=comments]) <= 5%"]
    before, after = (judge_gates(check_gates(texts, each.run.run), each.run) for each in (alone, beside))
    assert after == before
    named = check_gates(["ladder.exact[model=baseline:static-calls] >= 0.5"], beside.run.run)
    assert [verdict.model for verdict in judge_gates(named, beside.run)] == ["baseline:static-calls"]


def test_a_run_of_baselines_alone_is_judged_and_spoken_of() -> None:
    run = make_everything({}, BASELINES, programs=PROGRAMS)
    gates = check_gates(["ladder.exact >= 0.5"], run.run)
    assert [verdict.model for verdict in judge_gates(gates, run)] == [*BASELINES]
    sentences = " ".join(worded.sentence for worded in draw(run).list_worded().values())
    assert "baseline:static-calls: " in sentences
    assert "baseline:chance" not in sentences


def test_what_is_counted_over_suites_departs_by_those_suites_alone(alone: Drawn) -> None:
    (overall,) = [picture for picture in alone.pictures if picture.kind == "overall-stability"]
    assert overall.of == {"suite": "crash"}
    assert not [departure for departure in overall.departures if "call-graph" in departure or "fault" in departure]


def test_a_baseline_of_one_reply_is_no_endpoint_that_answers_nothing(beside: Drawn) -> None:
    scale = beside.summary.suites["ladder"].models["baseline:static-calls"]
    scale = replace(scale, same_reply=Total(15, 15))
    wrong = replace(scale.counts, outcomes={**scale.counts.outcomes, "correct": 0})
    assert not format_same_reply(replace(scale, counts=wrong))
    assert format_same_reply(replace(scale, counts=wrong, unspoken=False))
