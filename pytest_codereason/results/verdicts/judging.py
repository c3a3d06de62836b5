"""Judges gates by their limits, not by the measured value alone.

Example: ``semtrace.exact >= 0.8`` passes if the share of right answers is at least 0.8 in all but one of twenty such
runs. It fails if the share is below 0.8 as surely, and is undecided otherwise. ``docs/gates.md`` has the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_codereason.core.text.wording import count, plural
from pytest_codereason.options import Claim, Undecided
from pytest_codereason.results.measures.horizons import compare_horizons, measure_horizon
from pytest_codereason.results.measures.measures import estimate_metric, mark_outcomes
from pytest_codereason.results.measures.noise import Noise, measure_noise
from pytest_codereason.results.measures.resolved import mark_unresolved
from pytest_codereason.results.records.answer_counts import count_answers, list_answers
from pytest_codereason.results.runs.run_data import RunData, Subject
from pytest_codereason.results.runs.run_info import EXACT, RESOLVED, RunInfo, SuiteInfo
from pytest_codereason.results.statistics.limits import Contrast
from pytest_codereason.results.statistics.power import count_needed_families, find_smallest_change
from pytest_codereason.results.values import Undefined
from pytest_codereason.results.verdicts.adaptive_cells import find_unfinished, list_cells
from pytest_codereason.results.verdicts.baselines import find_counterpart
from pytest_codereason.results.verdicts.coverage import count_left, find_gap
from pytest_codereason.results.verdicts.early import find_early_verdict
from pytest_codereason.results.verdicts.fitted import Fitted
from pytest_codereason.results.verdicts.fitted_sentences import describe_fitted
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.levels import LEVEL, share_level
from pytest_codereason.results.verdicts.quantities import Term, list_terms, measure
from pytest_codereason.results.verdicts.sentences import (
    Grounds,
    describe_bounds,
    describe_part,
    describe_smallest,
    describe_sums,
    describe_unmeasured,
    describe_verdict,
)
from pytest_codereason.results.verdicts.sufficing import find_sufficient
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict

_MOST_NEEDED = 1_000_000  # more programs than anybody asks decide nothing
_LOWER = (">", ">=")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How the user wants gates to be judged."""

    claim: Claim = "generator"
    undecided: Undecided = "fail"
    allow_partial: bool = False
    baseline: RunData | None = None  #: the earlier run; ``None`` if there is none, or it is gone


def judge_gates(gates: Sequence[Gate], data: RunData, rules: Rules | None = None) -> list[GateVerdict]:
    """One verdict for each gate and model that it is about, in that order.

    A gate is unmeasured in these cases: no answer was scored; a question that it is about is unanswered (outcome
    ``error``); a question that it is about was not asked, here or in the baseline, unless partial runs are allowed.
    """
    judged = [
        (gate, subject)
        for gate in gates
        for subject in data.subjects
        if subject.model in gate.list_models(data.runs[subject.run])
    ]
    return [_judge_subject(gate, subject, data, rules or Rules(), len(judged)) for gate, subject in judged]


def _judge_subject(gate: Gate, subject: Subject, data: RunData, rules: Rules, judged: int) -> GateVerdict:
    run, noise = data.runs[subject.run], measure_noise(data, gate.quantity.suite, subject)
    early = None
    if _is_what_was_decided(gate, run, rules):
        rows = data.select_subject(data.select_suite(gate.quantity.suite), subject)
        early = find_early_verdict(gate, subject.model, run, rows, allow_partial=rules.allow_partial, noise=noise)
    verdict = early or _judge_records(gate, subject, data, rules, judged, noise)
    note = _describe_sums(gate, run.suites[gate.quantity.suite], subject, data)
    return replace(verdict, sentence=f"{verdict.sentence}; {note}") if note else verdict


def _describe_sums(gate: Gate, suite: SuiteInfo, subject: Subject, data: RunData) -> str:
    """What a gate on ``exact`` counts as right though it is left as a sum; empty if nothing is."""
    resolved = next((metric for metric in suite.metrics if metric.name == RESOLVED), None)
    if resolved is None or gate.quantity.metric != EXACT:
        return ""
    rows = data.select_subject(data.select_suite(gate.quantity.suite), subject)
    terms = list_terms(gate, suite, rows, None)
    sums = sum(int(mark_unresolved(term.rows).sum()) for term in terms)
    right = sum(int(mark_outcomes(term.rows, ("correct",)).sum()) for term in terms)
    value = estimate_metric(terms[0].rows, resolved).value if len(terms) == 1 else None
    return describe_sums(sums, right, value) if sums else ""


def _is_what_was_decided(gate: Gate, run: RunInfo, rules: Rules) -> bool:
    """Whether a verdict of a run that stopped early answers what is asked: about its suite, beside its baseline."""
    if rules.claim != "suite":
        return False
    if rules.baseline is None or not gate.bound.from_baseline:
        return True
    (folder,) = rules.baseline.runs
    return run.baseline is not None and Path(folder).resolve() == Path(run.baseline).resolve()


def _judge_records(
    gate: Gate, subject: Subject, data: RunData, rules: Rules, judged: int, noise: Noise | None
) -> GateVerdict:
    run = data.runs[subject.run]
    suite = run.suites[gate.quantity.suite]
    rows = data.select_subject(data.select_suite(gate.quantity.suite), subject)
    verdict = GateVerdict(
        gate=str(gate),
        model=subject.label,
        verdict=Decision.UNMEASURED,
        passed=False,
        claim=rules.claim,
        sentence="",
    )
    earlier = None
    if gate.bound.rival is not None:
        other = next(each for each in data.subjects if (each.run, each.model) == (subject.run, gate.bound.rival))
        earlier = data.select_subject(data.select_suite(gate.quantity.suite), other)
    if gate.bound.from_baseline:
        if rules.baseline is None:
            return replace(verdict, sentence=f"{gate} cannot be judged: the baseline is not there any more")
        label = find_counterpart(subject.model, rules.baseline.run)
        chosen = next(each for each in rules.baseline.subjects if each.model == label)
        earlier = rules.baseline.select_subject(rules.baseline.select_suite(gate.quantity.suite), chosen)
    terms = list_terms(gate, suite, rows, earlier)
    prefix = f"{subject.label}: " if len(data.subjects) > 1 and gate.model != subject.label else ""
    if gate.find_metric(suite).curve:
        fitted = _judge_fitted(gate, run, terms, verdict, rules, share_level(gate.op, judged))
        return replace(fitted, sentence=prefix + fitted.sentence)
    measured = measure(terms, gate.find_metric(suite))
    gap = _find_gap(gate, run, suite, terms)
    obstacles = [*_list_unanswered(gate, terms), *_list_surplus(gate, suite, terms)]
    if gap and not rules.allow_partial:
        can_be_judged = not obstacles and not isinstance(measured, Undefined)
        obstacles = [*obstacles, describe_part(gap, can_be_judged=can_be_judged)]
    if isinstance(measured, Undefined):
        why = ["no scored answers", *obstacles]
        return replace(verdict, sentence=prefix + describe_unmeasured(gate, None, measured.reason, why))
    if measured.flips is not None:
        measured = replace(measured, noise=noise)
    verdict = replace(
        verdict,
        value=measured.value,
        low=measured.low,
        high=measured.high,
        n=measured.n,
        families=measured.families,
        baseline=measured.baseline,
        against=gate.bound.rival,
        flips=measured.flips,
        noise=measured.noise,
        bounds=measured.bounds,
    )
    if obstacles:
        return replace(verdict, sentence=prefix + describe_unmeasured(gate, measured, "", obstacles))
    misses = share_level(gate.op, judged)
    if rules.claim == "suite":
        own = [term for term in terms if not term.of_baseline]
        left = count_left(suite, own) if gap and run.sampled else None if gap else 0
        measured = replace(measured, contrast=replace(measured.contrast, left=left))
    low, high = measured.contrast.find_limits(*misses)
    decision = decide(gate, low, high)
    grounds = Grounds(
        measured=measured,
        decision=decision,
        low=low,
        high=high,
        misses=misses,
        needed=_count_needed(measured.contrast, gate.bound.number) if decision is Decision.UNDECIDED else None,
    )
    smallest, notes = None, [f"PARTIAL, allowed: {gap}"] if gap else []
    if decision is Decision.PASS and gate.bound.is_relative and can_have_smallest(measured.contrast):
        smallest = find_smallest_change(measured.contrast.columns)
        notes.append(describe_smallest(smallest))
        if measured.value == measured.baseline == 0 and gate.find_metric(suite).higher_is_better:
            notes.append("both figures are 0, so nothing can be lost")
    notes += [text] if (text := describe_bounds(gate, measured)) else []
    if not gap:
        failing = LEVEL / judged
        enough = find_sufficient(gate, gate.find_metric(suite), suite.plan, terms, decision, failing)
        notes += [str(enough)] if enough else []
    notes.append("about this suite's questions" if rules.claim == "suite" else "about programs like these")
    return replace(
        verdict,
        verdict=decision,
        passed=decision is Decision.PASS or (decision is Decision.UNDECIDED and rules.undecided == "pass"),
        at_least=low,
        at_most=high,
        needed=grounds.needed,
        smallest=smallest,
        sentence=prefix + "; ".join([describe_verdict(gate, grounds), *notes]),
    )


def _judge_fitted(
    gate: Gate, run: RunInfo, terms: Sequence[Term], verdict: GateVerdict, rules: Rules, misses: tuple[float, float]
) -> GateVerdict:
    """The verdict of a gate on a figure that is fitted over an axis."""
    suite = run.suites[gate.quantity.suite]
    mine, theirs = (
        next((measure_horizon(term.rows, suite) for term in terms if term.of_baseline is of_baseline), None)
        for of_baseline in (False, True)
    )
    own = [term for term in terms if not term.of_baseline]
    if suite.chosen_axis:
        name = gate.quantity.suite
        cells = [cell for term in own for cell in list_cells(term.rows, run, name, verdict.model, term.where)]
        gap = find_unfinished(run, cells)
    else:
        gap = _find_gap(gate, run, suite, own)
    obstacles = [*_list_unanswered(gate, terms), *_list_surplus(gate, suite, terms)]
    if gap and not rules.allow_partial:
        obstacles = [*obstacles, describe_part(gap, can_be_judged=not obstacles and mine is not None)]
    pair = compare_horizons(theirs, mine) if theirs and mine else None
    if mine is None or (gate.bound.is_relative and pair is None):
        lacking = "an answer that says anything about reading" if mine is None else "a cell of this gate"
        why = [f"{'the run' if mine is None else gate.bound.rival or 'the baseline'} lacks {lacking}", *obstacles]
        return replace(verdict, sentence=describe_unmeasured(gate, None, "no curve", why))
    fitted = Fitted(gate, pair.second, pair.first) if pair else Fitted(gate, mine)
    decision = Decision.UNMEASURED if obstacles else fitted.decide(misses)
    needed = fitted.count_needed(misses) if decision is Decision.UNDECIDED else None
    notes = [*([f"PARTIAL, allowed: {gap}"] if gap else []), "about programs like these"]
    at_least, at_most = (None, None) if obstacles else fitted.find_limits(misses)
    return replace(
        verdict,
        claim="generator",  # nobody knows the curve of a suite
        verdict=decision,
        passed=decision is Decision.PASS or (decision is Decision.UNDECIDED and rules.undecided == "pass"),
        value=fitted.figure.value,
        low=fitted.figure.low,
        high=fitted.figure.high,
        at_least=at_least,
        at_most=at_most,
        n=fitted.mine.asked,
        families=int(terms[0].rows["family"].nunique()),
        baseline=fitted.baseline,
        against=gate.bound.rival,
        bounds=fitted.bounds,
        needed=needed,
        sentence=describe_fitted(fitted, misses, needed, notes, obstacles),
    )


def can_have_smallest(contrast: Contrast) -> bool:
    """Whether it is the difference of two means of numbers from 0 to 1, and is not known exactly."""
    return len(contrast.factors) == 2 and contrast.ends == (0.0, 1.0) and contrast.left != 0


def decide(gate: Gate, low: float | None, high: float | None) -> Decision:
    """What the limits of a quantity say of a gate."""
    if low is None or high is None:
        return Decision.UNDECIDED
    if gate.op == "==":
        if low == high:
            return Decision.PASS if gate.holds(low) else Decision.FAIL
        return Decision.UNDECIDED if low <= gate.bound.number <= high else Decision.FAIL
    worst, best = (low, high) if gate.op in _LOWER else (high, low)
    if gate.holds(worst):
        return Decision.PASS
    return Decision.UNDECIDED if gate.holds(best) else Decision.FAIL


def _list_unanswered(gate: Gate, terms: Sequence[Term]) -> list[str]:
    """How many questions are unanswered, here and on the other side."""
    texts = []
    for of_baseline, where in ((False, ""), (True, f" {gate.bound.by}")):
        own = [term.rows for term in terms if term.of_baseline is of_baseline]
        if errors := sum(int(mark_outcomes(rows, ("error",)).sum()) for rows in own):
            texts.append(f"{count(errors)} unanswered{where}")
    return texts


def _find_gap(gate: Gate, run: RunInfo, suite: SuiteInfo, terms: Sequence[Term]) -> str | None:
    """Which of the answers that a gate is about were not asked for, here or on the other side; ``None`` if all were."""
    own, earlier = ([term for term in terms if term.of_baseline is of_baseline] for of_baseline in (False, True))
    here = sum(term.rows["id"].nunique() for term in own)
    verb = "asked" if run.partial_because else "recorded"  # lines of the records are damaged or gone
    if gap := find_gap(suite, [term.where for term in own], here, verb, run.partial_because):
        return gap
    if lacking := sum(count_answers(suite, term.rows).lacking for term in own):
        some = "lacks some of its answers" if lacking == 1 else "lack some of their answers"
        return f"{count(lacking)} of {plural(here, 'question')} {some}"
    # The suite of the other side is the same, and so are the numbers of its samples.
    pairs = [[list_answers(term.rows) for term in part] for part in (own, earlier)]
    common = sum(
        len({name for name, *_ in asked} - {name for name, *_ in asked - before})
        for asked, before in zip(*pairs, strict=bool(earlier))
    )
    other = gate.bound.rival or "the baseline"
    return f"{other} has {count(common)} of {plural(here, 'question')}" if earlier and common < here else None


def _list_surplus(gate: Gate, suite: SuiteInfo, terms: Sequence[Term]) -> list[str]:
    """What the records have beyond the suite: somebody has put several runs into one file, say."""
    texts = []
    for of_baseline, where in ((False, ""), (True, f" {gate.bound.by}")):
        own = [term for term in terms if term.of_baseline is of_baseline]
        counts = [suite.count_questions(term.where) for term in own]
        more = sum(
            max(0, term.rows["id"].nunique() - many) for term, many in zip(own, counts, strict=True) if many is not None
        )
        if more:
            texts.append(f"{plural(more, 'question')} recorded{where} that the suite does not have")
        if surplus := sum(count_answers(suite, term.rows).surplus for term in own):
            texts.append(f"{plural(surplus, 'answer')} recorded{where} that the suite does not ask for")
    return texts


def _count_needed(contrast: Contrast, bound: float) -> int | None:
    """About how many programs would decide, if the value stays; ``None`` if hardly any number would."""
    needed = count_needed_families(contrast.columns, contrast.factors, bound, ends=contrast.find_ends())
    if needed is None or needed > _MOST_NEEDED:
        return None
    return _round_up(max(needed, len(contrast.columns) + 1))


def _round_up(number: float) -> int:
    """The next whole number with two leading digits."""
    step = 10.0 ** max(0, math.floor(math.log10(max(number, 1))) - 1)
    return int(math.ceil(number / step) * step)
