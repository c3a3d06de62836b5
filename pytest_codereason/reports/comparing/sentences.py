"""What a comparison says in sentences: what is compared, whether one side is worse, and on which questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_codereason.core.text import wording
from pytest_codereason.reports.comparing.comparison import RunComparison, SidesComparison, SuiteComparison
from pytest_codereason.reports.comparing.differences import Difference, Finding, MetricRow, can_have_smallest
from pytest_codereason.reports.comparing.flips import FlipCount
from pytest_codereason.reports.comparing.matching import Overlap
from pytest_codereason.reports.comparing.sides import Side
from pytest_codereason.reports.words.formatting import (
    describe_truncated,
    format_axis_value,
    format_condition,
    format_moment,
    format_noise,
    format_number,
    format_outcome,
    format_signed,
)
from pytest_codereason.reports.words.horizon_captions import describe_ratio
from pytest_codereason.reports.words.run_notes import format_reused

FINDINGS: dict[Finding, str] = {
    "worse": "worse",
    "better": "better",
    "unclear": "no clear difference",
    "too-few": "too few to tell",
    "same": "no difference",
    "undefined": "undefined",
}
_NAMED = 3  # clear rows beside the headline that a sentence names
#: So many kinds of failure are named in a sentence.
_KINDS_NAMED = 4


def describe_side(side: Side) -> str:
    """``openai:gpt, reports/release-41, 2026-11-20 10:00``; says so if the run is only a part."""
    parts = [side.subject.model, side.subject.run]
    if side.info.started:
        parts.append(format_moment(side.info.started))
    if side.info.tool:
        parts.append(f"asked by {side.info.tool}")
        parts += _describe_scores(side)
    if because := side.info.partial_because:
        parts.append(f"PARTIAL: {because}")
    return ", ".join(wording.one_line(part, 300) for part in parts)


def _find_endpoint(side: Side) -> str:
    """The address that a model was asked at, or its addresses; empty if its run does not say."""
    model = side.info.models.get(side.subject.model)
    endpoint = model.identity.get("endpoint") if model else None
    return " and ".join(map(str, endpoint)) if isinstance(endpoint, list) else str(endpoint or "")


def _describe_scores(side: Side) -> Iterator[str]:
    """Which scores of another tool stand for which of ours."""
    pairs = [pair for suite in side.info.suites.values() for pair in suite.resolved.get("read_as", {}).items()]
    for theirs, ours in dict.fromkeys(pairs):
        yield f"whose {theirs} counts as {ours}"


def list_remarks(comparison: RunComparison) -> Iterator[str]:
    """Which endpoints two sides of one name asked, what is not compared, and what is wrong with the records."""
    for pair in comparison.pairs:
        asked = [_find_endpoint(side) for side in (pair.before, pair.after)]
        if pair.before.subject.model == pair.after.subject.model and all(asked) and asked[0] != asked[1]:
            one, other = (wording.one_line(endpoint, 200) for endpoint in asked)
            yield f"{pair.before.letter} was asked at {one}, {pair.after.letter} at {other}."
    for model in comparison.left_out:
        yield f"Not compared: {wording.one_line(model)}, which the other run did not ask."
    for pair in comparison.pairs:
        for side, names in zip((pair.before, pair.after), pair.only, strict=True):
            if names:
                suites = wording.one_line(", ".join(names), 400)
                yield f"Not compared: {suites}, {'a suite' if len(names) == 1 else 'suites'} of {side.letter} alone."
    several = len({side.subject.run for side in comparison.sides}) > 1
    for side in comparison.sides if several else ():
        if reused := format_reused(side.info):
            yield f"{side.letter}: {reused}. An answer that both runs have from the store was given once."
    if many := comparison.damaged.count:
        first = wording.one_line(comparison.damaged.lines[0], 200)
        verb = "is" if many == 1 else "are"
        yield f"{wording.plural(many, 'damaged line')} of records {verb} left out, the first: {first}."


def describe_overlap(suite: SuiteComparison, pair: SidesComparison) -> str:
    """``same plan, 400 questions``, or which part of two plans is compared, and why the rest is not."""
    overlap, (a, b) = suite.overlap, (pair.before.letter, pair.after.letter)
    if overlap.same_plan and not any(overlap.only):
        parts = [f"same plan, {wording.plural(overlap.shared, 'question')}"]
    else:
        plans = "same plan" if overlap.same_plan else _describe_plans(overlap)
        many = [wording.count(each) for each in overlap.questions]
        parts = [f"{plans}, {wording.plural(overlap.shared, 'question')} of {many[0]} in {a} and {many[1]} in {b}"]
    for letter, only in zip((a, b), overlap.only, strict=True):
        if only:
            parts.append(f"{wording.count(only)} {'is' if only == 1 else 'are'} in {letter} alone")
    if overlap.altered:
        parts.append(
            f"{wording.plural(overlap.altered, 'question')} of one id {'has' if overlap.altered == 1 else 'have'} "
            "another program or answer"
        )
    for letter, alone in zip((a, b), overlap.unpaired, strict=True):
        if alone:
            answers = wording.plural(alone, "answer")
            parts.append(f"{answers} to these {'is' if alone == 1 else 'are'} in {letter} alone")
    for letter, missing in zip((a, b), overlap.unanswered, strict=True):
        if missing:
            parts.append(f"{wording.count(missing)} without a scored answer in {letter}")
    return "; ".join(parts) + "."


def _describe_plans(overlap: Overlap) -> str:
    return f"other plans ({', '.join(overlap.differing)} differ)" if overlap.differing else "other plans"


def describe_suite(suite: SuiteComparison, pair: SidesComparison) -> Iterator[str]:
    """Whether the later side is worse, a sentence for each way of prompting; then what else is clear."""
    a, b = pair.before.letter, pair.after.letter
    if suite.horizon:
        yield describe_ratio(suite.horizon, a, b)
    if suite.chosen:
        if not suite.horizon:
            yield f"{a} and {b} share no cell in which answers say how far they read, so nothing is compared."
        return
    if not suite.overlap.shared:
        yield f"{a} and {b} share no question, so nothing is compared."
        return
    headlines, worst = suite.headlines, find_worst(suite)
    if worst is not None:
        yield describe_row(worst, a, b)
    for row in headlines:
        yield describe_row(row, a, b)
    told = (*headlines, worst)
    clear = [row for row in suite.rows if row not in told and row.finding in ("worse", "better")]
    clear.sort(key=lambda row: not row.along)  # the other metrics often say the same as the headline
    if clear:
        also = worst is not None or any(row.finding in ("worse", "better") for row in headlines)
        yield f"{'Also clear' if also else 'Clear'}: " + (
            "; ".join(map(_describe_clear, clear[:_NAMED]))
            + (f"; and {len(clear) - _NAMED} more in the table" if len(clear) > _NAMED else "")
            + "."
        )
    if floor := _describe_noise(suite, (a, b)):
        yield floor
    if suite.flips.lost and (kinds := _describe_kinds(suite.flips.counts)):
        yield f"Of {wording.plural(suite.flips.lost, 'answer')} lost in all conditions: {kinds}."


def find_worst(suite: SuiteComparison) -> MetricRow | None:
    """What is clearly and most of all worse, if the plain questions do not show it: the first thing to say then."""
    if any(row.finding == "worse" for row in suite.headlines):
        return None
    worse = [row for row in suite.rows if row.finding == "worse" and row.is_headline and row not in suite.headlines]
    return max(worse, key=lambda row: abs(row.difference.value) if row.difference else 0.0, default=None)


def describe_row(row: MetricRow, a: str, b: str) -> str:
    """``B is worse: exact falls from 0.861 to 0.812 (−0.049 [−0.075, −0.023], p = 0.012) on 400 answers ...``."""
    name, difference = name_row(row), row.difference
    if not difference:
        return f"{name} is undefined: {difference.of}: {difference.why}."
    if row.finding == "same":
        both = f"{name} is {format_number(difference.after)} in both"
        return f"No difference: {both}, and none of {_count(difference)} flips.{_describe_smallest(row)}"
    change = f"{format_signed(difference.value)}{_format_interval(difference)}, {_describe_p(row)}"
    evidence = f"({change}) on {_count(difference)}; {_describe_flips(difference)}"
    means = f"{format_number(difference.before)} to {format_number(difference.after)}"
    if row.finding == "too-few":
        return f"Too few programs to tell: {name} goes from {means} {evidence}."
    if row.finding == "unclear":
        return f"No clear difference: {name} goes from {means} {evidence}.{_describe_smallest(row)}"
    verb = "rises" if difference.value > 0 else "falls"
    sentence = f"{b} is {row.finding} than {a}: {name} {verb} from {means} {evidence}."
    return " ".join(filter(None, (sentence, describe_truncated(difference.bounds, sides=(f"in {a}", f"in {b}")))))


def _describe_smallest(row: MetricRow) -> str:
    """What would have been seen, so that nobody takes a small comparison for a proof of no difference."""
    if row.smallest is None:
        return " No difference could have been clear on so few questions." if can_have_smallest(row) else ""
    return f" A true difference of {format_number(row.smallest)} would be clear in 4 of 5 such comparisons."


def _describe_p(row: MetricRow) -> str:
    """``p = 0.012``, or ``p = 0.004, corrected 0.052``: the interval beside it is that of the row alone, as is p."""
    assert row.difference
    alone, corrected = format_p(row.difference.p), format_p(row.p)
    text = f"p {alone}" if alone.startswith("<") else f"p = {alone}"
    return text if corrected == alone else f"{text}, corrected {corrected}"


def _describe_flips(difference: Difference) -> str:
    return f"{wording.count(difference.flips.lost)} lost, {wording.count(difference.flips.won)} won"


def _count(difference: Difference) -> str:
    """``400 answers about 200 programs``."""
    programs = wording.plural(difference.families, difference.unit)
    return (
        f"{wording.plural(difference.pairs, 'answer')} about {programs}"
        if difference.pairs
        else f"{programs}, unpaired"
    )


def _describe_clear(row: MetricRow) -> str:
    assert row.difference
    return f"{name_row(row)} is {row.finding} ({format_signed(row.difference.value)}{_format_interval(row.difference)})"


def _describe_noise(suite: SuiteComparison, letters: tuple[str, str]) -> str:
    """How often answers change although nothing does; empty if neither side was asked a question a second time."""
    texts = zip(letters, map(format_noise, suite.noise), strict=True)
    floors = [f"{letter} {text}" for letter, text in texts if text]
    return f"Noise floor: {'; '.join(floors)}." if floors else ""


def _describe_kinds(counts: Sequence[FlipCount]) -> str:
    kinds = sorted((each for each in counts if not each.axis and each.lost), key=lambda each: -each.lost)
    texts = [f"{wording.count(each.lost)} {format_kind(str(each.value))}" for each in kinds[:_KINDS_NAMED]]
    if others := sum(each.lost for each in kinds[_KINDS_NAMED:]):
        texts.append(f"{wording.count(others)} of other kinds")
    return ", ".join(texts)


def format_kind(kind: str) -> str:
    """``wrong (off by one)`` for the kind of failure ``wrong: off by one``."""
    outcome, _, more = kind.partition(": ")
    return f"{format_outcome(outcome)} ({more})" if more else format_outcome(outcome)


def name_row(row: MetricRow) -> str:
    """``exact``, ``exact (vanilla, cot)``, ``exact, digits 4 (cot)``."""
    around = {axis: value for axis, value in row.where.items() if axis != row.along}
    of = f" ({condition})" if (condition := format_condition(around)) else ""
    at = f", {row.along} {format_axis_value(row.where[row.along])}" if row.along else ""
    return f"{row.metric.name}{at}{of}"


def format_finding(row: MetricRow) -> str:
    """The verdict of a row."""
    return FINDINGS[row.finding]


def format_smallest(row: MetricRow) -> str:
    """The smallest true difference that would be clear, where none is; ``none`` if the questions are too few."""
    if row.smallest is not None:
        return format_number(row.smallest)
    return "none" if row.shows_nothing and can_have_smallest(row) else ""


def list_cells(row: MetricRow) -> list[str]:
    """What a table says of a row: both sides, their difference, the flips, p alone and corrected, what can be seen."""
    difference = row.difference
    if not difference:
        return ["", "", difference.reason, "", "", "", "", ""]
    return [
        format_number(difference.before),
        format_number(difference.after),
        format_change(difference),
        *list_flips(row),
        format_p(difference.p),
        format_p(row.p),
        format_smallest(row),
    ]


def list_flips(row: MetricRow) -> tuple[str, str]:
    """How many answers were lost and won, beside the first metric of a suite; empty beside the others."""
    if not row.difference or not row.is_headline:
        return "", ""
    return wording.count(row.difference.flips.lost), wording.count(row.difference.flips.won)


def format_p(p: float | None) -> str:
    """``0.012``; ``< 0.001`` below that."""
    if p is None:
        return "unknown"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _format_interval(difference: Difference) -> str:
    if difference.low is None:
        return ""
    return f" [{format_signed(difference.low)}, {format_signed(difference.high)}]"


def format_change(difference: Difference) -> str:
    """``−0.049 [−0.075, −0.023]``."""
    return f"{format_signed(difference.value)}{_format_interval(difference)}"


def describe_judging(comparison: RunComparison) -> str:
    """How the p-values were corrected, and what a verdict needs."""
    rows = wording.plural(comparison.judged, "row")
    return (
        "p: randomisation test over programs. p and the 95 % interval are those of one row alone. 'corrected' is p by "
        f"Holm for all {rows}. A difference is clear if that is at most 0.05 and the interval leaves out zero. Under "
        "'sees' stands the smallest true difference that would be clear in 4 of 5 such comparisons."
    )
