"""The reports say by themselves which model is best and whether that is certain."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Metric
from pytest_codereason.reports.reporters.report_html import HtmlReport
from pytest_codereason.reports.reporters.summary_json import SummaryJson
from pytest_codereason.reports.reporters.summary_md import SummaryMarkdown
from pytest_codereason.reports.reporters.terminal import write_lines
from pytest_codereason.reports.words.lead_sentences import describe_lead, format_distance, format_rank
from pytest_codereason.results.measures.leads import Distance, Doubt, Lead, Rank
from pytest_codereason.results.values import Delta
from tests.reports.reporters.pages import Finished, finish
from tests.results.synthetic import make_row, make_run


def distance(model: str, value: float, doubt: Doubt | None = None, *, pairs: int = 40) -> Distance:
    delta = Delta(
        value=value,
        low=value - 0.02,
        high=value + 0.02,
        relative=None,
        relative_low=None,
        relative_high=None,
        pairs=pairs,
        families=20,
    )
    return Distance(model=model, delta=delta, doubt=doubt)


def lead(*others: Distance, compared: int = 3, **where: str) -> Lead:
    metric = Metric(name="exact", title="Exact match")
    return Lead(where=where, best="alpha", others=others, metric=metric, compared=compared)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            lead(distance("beta", 0.1), distance("gamma", 0.2)),
            "Best model: alpha. It is clearly ahead of beta (+0.100 [+0.080, +0.120]) and gamma (+0.200 [+0.180, "
            "+0.220]).",
        ),
        (
            lead(distance("beta", 0.01, "chance"), distance("gamma", 0.2), perturbation="vanilla", prompting="cot"),
            "Best model (vanilla, cot): not certain. alpha is first, but its lead over beta (+0.010 [−0.010, +0.030]) "
            "can be chance on 20 programs (3 pairs of models looked at together). It is clearly ahead of gamma "
            "(+0.200 [+0.180, +0.220]). Only plain questions (perturbation vanilla) count here.",
        ),
        (
            lead(distance("beta", 0.1, "truncated", pairs=0), compared=1),
            "Best model: not certain. alpha is first, but its lead over beta (+0.100 [+0.080, +0.120], unpaired) is "
            "not certain, because the token limit cut off too many answers.",
        ),
        (
            lead(distance("beta", 0.0, "chance"), distance("gamma", 0.01, "chance"), distance("delta", 0.2)),
            "Best model: not certain. alpha is level with beta (0.000 [−0.020, +0.020]) on 20 programs (3 pairs of "
            "models looked at together). Its lead over gamma (+0.010 [−0.010, +0.030]) can be chance on 20 programs (3 "
            "pairs of models looked at together). It is clearly ahead of delta (+0.200 [+0.180, +0.220]).",
        ),
        (
            lead(distance("beta", 0.0, "chance"), compared=1),
            "Best model: not certain. alpha is level with beta (0.000 [−0.020, +0.020]) on 20 programs.",
        ),
        (
            lead(*(distance(name, 0.2) for name in ("beta", "gamma", "delta", "epsilon", "zeta"))),
            "Best model: alpha. It is clearly ahead of beta (+0.200 [+0.180, +0.220]), gamma (+0.200 [+0.180, +0.220]) "
            "and 3 more models.",
        ),
    ],
)
def test_the_sentence_says_who_is_best_and_how_certain_that_is(given: Lead, sentence: str) -> None:
    assert describe_lead(given) == sentence


def test_so_few_programs_that_no_lead_could_be_clear_are_said_to_be_too_few() -> None:
    behind = distance("beta", 0.4, "chance")
    assert isinstance(behind.delta, Delta)
    few, enough = (replace(behind, delta=replace(behind.delta, families=families)) for families in (5, 6))
    assert "can be chance on 5 programs, too few to tell: it takes at least 6." in describe_lead(lead(few, compared=1))
    assert "can be chance on 6 programs." in describe_lead(lead(enough, compared=1))


def test_an_interval_that_leaves_out_zero_beside_chance_is_said_to_be_of_one_pair() -> None:
    sentence = describe_lead(lead(distance("beta", 0.1, "chance")))
    assert "(+0.100 [+0.080, +0.120]) can be chance" in sentence
    assert "(3 pairs of models looked at together; an interval is that of its pair alone)." in sentence


def test_it_is_said_where_less_is_better() -> None:
    given = lead(distance("beta", -0.3))
    assert "Less is better" not in describe_lead(given)
    lost = Metric(name="lost", title="Lost", higher_is_better=False)
    assert describe_lead(replace(given, metric=lost)).endswith(" Less is better.")


def test_a_cell_says_how_far_the_best_is_ahead() -> None:
    given = lead(distance("beta", 0.01, "chance"), distance("gamma", 0.2))
    assert [format_distance(given, model) for model in ("alpha", "beta", "gamma", "another")] == [
        "first, not certain",
        "+0.010 [−0.010, +0.030], can be chance",
        "+0.200 [+0.180, +0.220], clear",
        "",
    ]
    assert format_distance(lead(distance("beta", 0.1)), "alpha") == "best"
    assert format_distance(lead(distance("beta", 0.0, "chance")), "beta") == "0.000 [−0.020, +0.020], level"


def test_a_rank_shows_a_tie_as_a_tie() -> None:
    given = replace(
        lead(distance("beta", 0.01, "chance")), ranks={"alpha": Rank(1, 2), "beta": Rank(1, 2), "c": Rank(3, 3)}
    )
    assert [format_rank(given, model) for model in ("alpha", "beta", "c", "another")] == ["1–2", "1–2", "3", ""]


def compare_models(folder: Path, *models: str) -> Finished:
    """A run of models, the first right on 36 of 40 programs, the next on 26, and so on."""
    rows = [
        make_row(
            id=f"python/{program}",
            family=str(program),
            language="python",
            axes={},
            model=model,
            outcome="correct" if program < 36 - 10 * place else "wrong",
            metrics={"exact": float(program < 36 - 10 * place)},
        )
        for place, model in enumerate(models)
        for program in range(40)
    ]
    run = make_run(suites={"semtrace": {"language": ["python"]}}, models=list(models))
    return finish(folder, run, rows)


def test_every_report_says_which_model_is_best(tmp_path: Path) -> None:
    run = compare_models(tmp_path, "alpha", "beta")
    sentence = "Best model: alpha. It is clearly ahead of beta (+0.250 [+0.125, +0.400])."
    assert sentence in re.sub(r"\s+", " ", " ".join(text for text, _ in write_lines(run.report)))
    assert sentence in SummaryMarkdown().write(*run.parts).read_text("utf-8").replace("\\", "")
    page = HtmlReport().write(*run.parts).read_text("utf-8")
    glance = page[page.index('id="glance"') : page.index('id="suite-1"')]
    assert sentence in re.sub("<[^>]*>", "", glance).replace("\xa0", " ")
    assert "+0.250 [+0.125, +0.400], clear" in glance
    assert re.findall(r'class="rank" data-title="rank">(.*?)</td>', glance) == ["1", "2"]
    (given,) = json.loads(SummaryJson().write(*run.parts).read_text("utf-8"))["suites"]["semtrace"]["leads"]
    assert (given["best"], given["certain"]) == ("alpha", True)
    assert given["ranks"] == {"alpha": [1, 1], "beta": [2, 2]}
    assert [(each["model"], each["delta"]["value"], each["doubt"]) for each in given["others"]] == [
        ("beta", 0.25, None)
    ]


def test_a_single_model_is_compared_with_nobody(tmp_path: Path) -> None:
    run = compare_models(tmp_path, "alpha")
    assert "Best model" not in " ".join(text for text, _ in write_lines(run.report))
    page = HtmlReport().write(*run.parts).read_text("utf-8")
    glance = page[page.index('id="glance"') : page.index('id="suite-1"')]
    assert "rank" not in glance
    assert '<th scope="col">falls most</th>' in glance, "it still says where the model fails, and what was left out"
