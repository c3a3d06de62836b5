"""Sentences as a page shows them: figures stay on one line, and evidence stands back."""

from __future__ import annotations

import pytest

from pytest_codereason.reports.pages.rendering import join_figures, set_evidence_back


@pytest.mark.parametrize(
    "figure",
    [
        "[−0.890, −0.730]",
        ">= baseline - 0.05",
        "<= old + 2%",
        "== 0.5",
        "p < 0.001",
        "p = 0.289",
        "n 400",
        "50 %",
    ],
)
def test_no_line_breaks_in_a_figure(figure: str) -> None:
    joined = join_figures(f"it fails {figure}; more follows")
    assert joined == f"it fails {figure.replace(' ', chr(0xA0))}; more follows"


def test_evidence_stands_back_and_conditions_do_not() -> None:
    sentence = "exact (vanilla, digits 4) falls to 0.8 (−0.1 [−0.2, −0.0], p < 0.001) on 9 answers, 2 wrong (None <b>)."
    shown = set_evidence_back(sentence)
    assert shown.count('<span class="evidence">') == 1
    assert '0.8 <span class="evidence">(−0.1 [−0.2,\xa0−0.0], p\xa0&lt;\xa00.001)</span> on 9' in shown
    assert "exact (vanilla, digits 4) falls" in shown
    assert "(None &lt;b&gt;)." in shown


@pytest.mark.parametrize("counts", ["n 12, 12 programs", "1 pair, 0 lost, 1 won, 1 program"])
def test_counts_of_a_gate_stand_back(counts: str) -> None:
    shown = set_evidence_back(f"exact = 0.5 ({counts}) leaves >= 0.5 open")
    assert shown.replace("\xa0", " ") == f'exact = 0.5 <span class="evidence">({counts})</span> leaves &gt;= 0.5 open'
