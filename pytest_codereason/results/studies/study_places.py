"""Which figure or table of a study a picture repeats, as :attr:`Picture.after` names it.

Example: percent changes by position repeat figures 2b and 5b of *Sense and Sensitivity* for CRUXEval's outputs in
Python, and figure 11 for PHP. Where the study has no figure of that kind, its section is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pytest_codereason.core import Metric
from pytest_codereason.results.records.axes import DEFENCE, PERTURBATION
from pytest_codereason.results.runs.run_info import SuiteInfo
from pytest_codereason.results.studies.study_facts import CRASH, DIGITS, RECALL

_SECTION = f"{RECALL}, section 5"
_DIGITS, _SECTION_DIGITS = (f"{RECALL}, {place}" for place in DIGITS)
_INPUTS = "input-prediction"


def place_change(suite: SuiteInfo, language: str) -> str:
    """Of the percent change by position."""
    if _has_digits(suite):
        return _DIGITS if language == "python" else _SECTION_DIGITS
    if suite.task == _INPUTS:
        return f"{RECALL}, figures 6 and 7" if language == "python" else _SECTION
    panel = "a" if suite.task == "function-retrieval" else "c" if _is_semtrace(suite) else "b"
    figures = {
        "python": f"figures 2{panel} and 5{panel}",
        "javascript": f"figure 10{panel}",
        "php": f"figure 11{panel}",
    }
    return f"{RECALL}, {figures[language]}" if language in figures else _SECTION


def place_dissociation(language: str) -> str:
    """Of lexical and semantic recall side by side."""
    figures = {"python": "figures 2 and 5", "javascript": "figure 10", "php": "figure 11"}
    return f"{RECALL}, {figures[language]}" if language in figures else _SECTION


def place_course(suite: SuiteInfo, language: str, metric: Metric) -> str:
    """Of a metric by position."""
    if _has_digits(suite):
        return _DIGITS if language == "python" and metric.name == suite.headline.name else _SECTION_DIGITS
    if _is_semtrace(suite) and language == "python" and metric.name in ("partial", "unresolved"):
        return f"{RECALL}, figure {8 if metric.name == 'partial' else 9}"
    return _SECTION


def place_largest_drops(suite: SuiteInfo) -> str:
    """Of the largest drops by position."""
    return _SECTION_DIGITS if _has_digits(suite) else _SECTION


def place_removal(task: str) -> str:
    """Of the accuracy as lines are removed; figure 1 is of the interpreter, which predicts outputs."""
    return f"{RECALL}, equation 1, " + ("figure 3" if task == _INPUTS else "figures 1 and 3")


def place_drops(
    task: str, language: str, prompting: str, unit: str, values: Iterable[str] = (), *, reasoned: bool = False
) -> str:
    """Of changes against the unchanged program under ``values`` of perturbation, in ``percent`` or in ``points``.

    ``reasoned`` says whether models may reason first.
    """
    if any("density" in value for value in values):
        return f"{CRASH}, {'table 6' if reasoned else 'figure 4'}"
    if reasoned and task == "output-prediction":
        return f"{CRASH}, table 4"
    if task not in (_INPUTS, "output-prediction"):
        return f"{CRASH}, section 3"
    if task == _INPUTS:
        return f"{CRASH}, table {5 if unit == 'percent' else 17}"
    if language != "python":
        return f"{CRASH}, table 7"
    tables = {
        ("direct", "percent"): _name_tables(values),
        ("direct", "points"): "tables 13 and 14",
        ("cot", "percent"): "tables 2 and 15",
        ("cot", "points"): "tables 14 and 16",
    }
    return f"{CRASH}, {tables.get((prompting, unit), 'table 4')}"


def place_ways(task: str, language: str, ways: Collection[str]) -> str:
    """Of the average changes in percent, with several ways of asking side by side."""
    tables = {"output-prediction": "table 2", _INPUTS: "table 5"}
    is_studied = task in tables and language == "python" and {"direct", "cot"} <= set(ways)
    return f"{CRASH}, {tables[task]}" if is_studied else ""


def place_scores(suite: SuiteInfo, language: str) -> str:
    """Of the scores under each perturbation, with their changes."""
    if suite.varying_axes([DEFENCE]):
        return f"{CRASH}, tables 8 and 9"
    if any("density" in str(value) for value in suite.axes[PERTURBATION]):
        return f"{CRASH}, {'table 6' if may_reason(suite) else 'figure 4'}"
    if may_reason(suite) and suite.task == "output-prediction":
        return f"{CRASH}, table 4"
    if suite.task == _INPUTS:
        return f"{CRASH}, table 5"
    tables = _name_tables(map(str, suite.axes[PERTURBATION]))
    return f"{CRASH}, {tables if language == 'python' else 'table 7'}"


def place_density(suite: SuiteInfo, *, tokens: bool) -> str:
    """Of scores, or of tokens, by density; figure 4 has no models that reason, and no tokens."""
    return f"{CRASH}, " + ("table 6" if tokens or may_reason(suite) else "figure 4 and table 6")


def place_agreement(task: str) -> str:
    """Of the agreement of several answers."""
    return f"{CRASH}, table {12 if task == _INPUTS else 11}"


def _name_tables(values: Iterable[str]) -> str:
    """The tables of direct questions; table 10 has what the aggregate of all structural changes is made of."""
    return "tables 1, 2 and 10" if {"rename", "conditions", "dead-code"} & {*values} else "tables 1 and 2"


def may_reason(suite: SuiteInfo) -> bool:
    """Whether models may reason before they answer: no prompt gives the beginning of the reply."""
    return suite.resolved.get("prefill") is False


def _is_semtrace(suite: SuiteInfo) -> bool:
    return bool(suite.resolved.get("source", {}).get("name") == "semtrace")


def _has_digits(suite: SuiteInfo) -> bool:
    """Whether the numbers of its programs have other than two digits, as in one figure of the study alone."""
    digits = suite.axes.get("digits") or [suite.resolved.get("source", {}).get("digits", 2)]
    return _is_semtrace(suite) and list(digits) != [2]
