"""Numbers as readers see them, the same in terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core import AxisValue, Outcome
from pytest_codereason.core.display import visible
from pytest_codereason.core.text import wording
from pytest_codereason.results.measures.noise import Noise
from pytest_codereason.results.measures.summary import AxisSweep, Counts, ModelSummary, Total
from pytest_codereason.results.pictures import Aspect, Panel, Picture, Point
from pytest_codereason.results.values import (
    AxisPlace,
    ChangeBounds,
    Delta,
    Estimate,
    Share,
    Undefined,
    Why,
)
from pytest_codereason.results.verdicts.verdict import GateVerdict

UNDEFINED = "undefined"
#: What stands in place of the headline of a model that guesses.
GUESSES = "guesses at random, as a scale for the other models"


#: How a heading says what gates did, in its order.
_VERDICTS = {"pass": "passed", "fail": "failed", "undecided": "undecided", "unmeasured": "unmeasured"}


def format_value(estimate: Estimate | Point) -> str:
    """``0.812``, or why there is no number: ``not asked``."""
    return (estimate.why or UNDEFINED) if estimate.value is None else _spell(estimate, estimate.value)


def _spell(estimate: Estimate | Point, number: float | None) -> str:
    """A number of an estimate: a place is ``37`` or ``< 1``, and all others have three decimals."""
    if isinstance(estimate, AxisPlace) and number is not None:
        return wording.spell_place(number, estimate.lowest, estimate.highest)
    return format_number(number)


def format_number(value: float | None, decimals: int = 3) -> str:
    """``0.812``."""
    return UNDEFINED if value is None else wording.write_number(value, decimals)


def format_signed(value: float | None, decimals: int = 3) -> str:
    """A difference: ``−0.048``, ``+0.015``."""
    return UNDEFINED if value is None else wording.write_minus(f"{value:+.{decimals}f}")


def format_percent(value: float | None) -> str:
    """A relative change: ``−29.9 %``, with a blank at which no line breaks; ``0 before`` if there is none."""
    return Why.ZERO_BEFORE if value is None else format_signed(100 * value, 1) + "\xa0%"


def format_interval(estimate: Estimate | Point) -> str:
    """``[0.796, 0.827]``, or nothing if the interval is undefined."""
    if estimate.low is None:
        return ""
    return f"[{_spell(estimate, estimate.low)}, {_spell(estimate, estimate.high)}]"


def format_estimate(estimate: Estimate | Point) -> str:
    """``0.812 [0.796, 0.827]``."""
    return f"{format_value(estimate)} {format_interval(estimate)}".strip()


def format_bounds(estimate: Estimate | Point, aspect: Aspect = "value") -> str:
    """``0.620 to 0.665 with 9 truncated answers``; empty if no answer was truncated.

    The first number is the score if every truncated answer were wrong, the second if every one were right.
    """
    if estimate.bounds is None:
        return ""
    truncated = wording.plural(estimate.bounds.truncated, "truncated answer")
    return f"{format_ends(estimate, aspect)} with {truncated}"


def format_ends(estimate: Estimate | Point, aspect: Aspect = "value") -> str:
    """The bounds of an estimate, written as it is: ``0.620 to 0.665``, ``1.9 to 2.5`` of a place; empty without any."""
    if estimate.bounds is None:
        return ""
    ends = (estimate.bounds.all_wrong, estimate.bounds.all_right)
    low, high = (f"{100 * end:.2f}" if aspect == "percent" else _spell(estimate, end) for end in ends)
    return f"{low} to {high}"


def format_change_bounds(delta: Delta, aspect: Aspect = "value") -> str:
    """``−0.500 to 0.000 with 20 truncated answers``; empty if no answer of either side was truncated.

    The first number is the difference if every truncated answer were wrong, the second if every one were right.
    """
    if delta.bounds is None:
        return ""
    truncated = wording.plural(delta.bounds.truncated, "truncated answer")
    return f"{format_change_ends(delta.bounds, aspect)} with {truncated}"


def format_change_ends(bounds: ChangeBounds, aspect: Aspect = "value") -> str:
    """``−0.500 to 0.000``, or ``−50.0 to 0.0 %``."""
    if aspect == "value":
        return f"{format_signed(bounds.all_wrong)} to {format_signed(bounds.all_right)}"
    ends = (bounds.relative_all_wrong, bounds.relative_all_right)
    low, high = (Why.ZERO_BEFORE if end is None else format_signed(100 * end, 1) for end in ends)
    return f"{low} to {high} %"


def describe_truncated(bounds: ChangeBounds | None, of: str = "", sides: tuple[str, str] = ("before", "after")) -> str:
    """A sentence on the truncated answers of a difference that was called clear; empty if there is none.

    Example: ``Not certain: 20 answers were truncated (0 before, 20 after). If all of them were right, the change would
    be 0.000; if all were wrong, −0.500.`` Without ``Not certain:`` truncated answers alone cannot make the difference.
    """
    if bounds is None:
        return ""
    were = "answer was" if bounds.truncated == 1 else "answers were"
    many = f"{wording.count(bounds.truncated)} {were} truncated"
    counts = ", ".join(
        f"{wording.count(n)} {side}" for n, side in zip((bounds.before, bounds.after), sides, strict=True)
    )
    start = f"Not certain{of}: {many}" if bounds.holds_zero else wording.capitalise(f"{of} {many}".strip())
    right, wrong = format_signed(bounds.all_right), format_signed(bounds.all_wrong)
    return f"{start} ({counts}). If all of them were right, the change would be {right}; if all were wrong, {wrong}."


def format_delta_interval(delta: Delta) -> str:
    """``[−0.112, +0.015]``, or nothing if the interval is undefined."""
    return "" if delta.low is None else f"[{format_signed(delta.low)}, {format_signed(delta.high)}]"


def format_difference(delta: Delta) -> str:
    """``−0.101 [−0.162, −0.040]``."""
    return f"{format_signed(delta.value)} {format_delta_interval(delta)}".strip()


def format_delta(delta: Delta | Undefined) -> str:
    """``−0.101 [−0.162, −0.040], −16.5 %``; says where no two answers could be paired."""
    if not delta:
        return delta.reason
    return f"{format_difference(delta)}, {format_percent(delta.relative)}{'' if delta.pairs else ', unpaired'}"


def format_growth(delta: Delta) -> str:
    """A relative change with its interval: ``+50.0 [+31.2, +70.9] %``, or ``+50.0 %, no interval``."""
    if delta.relative is None:
        return Why.ZERO_BEFORE
    ends = (delta.relative_low, delta.relative_high)
    low, high = (None if end is None else format_signed(100 * end, 1) for end in ends)
    change = format_signed(100 * delta.relative, 1)
    if low is None:  # nobody misses one where nothing changes, or where the difference has none either
        return f"{change} %{', no interval' if delta.relative and delta.low is not None else ''}"
    return f"{change} [{low}, {high}] %"


def format_share(share: Share) -> str:
    """``12 of 800 (1.5 %)``."""
    if not share.whole:
        return "none to count"
    return f"{share.part:,} of {share.whole:,} ({100 * share.part / share.whole:.1f} %)"


def format_reasons(panel: Panel) -> str:
    """Why a panel has no points: ``never right``, ``not asked or unanswered``."""
    reasons = {point.why or UNDEFINED: None for points in panel.lines.values() for point in points}
    return " or ".join(reasons) or Why.NOT_ASKED


def format_origin(picture: Picture) -> str:
    """``After CodeCrash, table 7``; ``Like CodeCrash, table 7, but on programs of jsonl`` if conditions differ."""
    if picture.departures:
        *others, last = picture.departures
        return f"Like {picture.after}, but {', '.join(others)}{' and ' if others else ''}{last}"
    return f"After {picture.after}" if picture.after else ""


def format_outcome(outcome: str) -> str:
    """The word for an outcome in a table; an ``error`` is a question that nobody answered."""
    return "unanswered" if outcome == "error" else outcome


def format_unanswered(counts: Counts) -> str:
    """``12 unanswered``, or nothing; stands beside every headline that leaves questions out."""
    return f"{wording.count(counts.unanswered)} unanswered" if counts.unanswered else ""


def format_excluded(model: ModelSummary) -> str:
    """``7 unanswered, excluded from every score (HTTP 500)``; empty if every question was answered."""
    missing = format_unanswered(model.counts)
    if not missing:
        return ""
    why = "; ".join(wording.one_line(reason) for reason, _ in model.reasons.get("error", ()))
    return f"{missing}, excluded from every score" + (f" ({why})" if why else "")


def format_unscored(counts: Counts) -> str:
    """``48 truncated, 3 unanswered, 12 skipped``: questions of a suite without a whole answer; ``none`` if all have."""
    outcomes: tuple[Outcome, ...] = ("truncated", "too-long", "error", "skipped")
    parts = [f"{wording.count(counts.outcomes[each])} {format_outcome(each)}" for each in outcomes]
    return ", ".join(part for part, each in zip(parts, outcomes, strict=True) if counts.outcomes[each]) or "none"


def format_skipped(model: ModelSummary) -> str:
    """``12 skipped: 8 × no place for a comment, 4 × no result``; empty if no question was skipped.

    ``all 12 skipped: no place for a comment`` if that is all there is to say of the model.
    """
    many = model.counts.outcomes["skipped"]
    if not many:
        return ""
    reasons = model.reasons.get("skipped", ())
    if model.is_skipped and len(reasons) == 1 and reasons[0][1] == many:
        return f"all {wording.count(many)} skipped: {reasons[0][0]}"
    parts = [f"{wording.count(n)} × {reason}" for reason, n in reasons]
    if others := many - sum(n for _, n in reasons):
        parts.append(f"{wording.count(others)} for other reasons")
    return f"{'all ' if model.is_skipped else ''}{wording.count(many)} skipped: {', '.join(parts)}"


def format_collapsed(collapsed: Total) -> str:
    """``collapsed: 3 of 800``, the answers that ended in endless repetition; empty if there is none."""
    return f"collapsed: {int(collapsed.total):,} of {collapsed.known:,}" if collapsed.total else ""


#: From so many replies on, a model that nearly always says the same has probably not seen the questions.
_FEW_REPLIES, _NEARLY_ALL = 10, 0.9


def format_same_reply(model: ModelSummary) -> str:
    """``one and the same reply to 42 of 42 different questions; ...``; empty unless nearly all are one wrong text."""
    same, counts = model.same_reply, model.counts
    if same.known < _FEW_REPLIES or (same.total or 0) < _NEARLY_ALL * same.known:
        return ""
    if model.unspoken or 2 * counts.outcomes["correct"] > counts.scored:
        return ""
    many = f"{wording.count(int(same.total or 0))} of {wording.plural(same.known, 'different question')}"
    return f"one and the same reply to {many}; does the endpoint answer what it is asked?"


def format_noise(noise: Noise | None) -> str:
    """``asked again, 4 of 80 answers flipped (0.050 [0.020, 0.122]) and 12 texts changed``; empty without such answers.

    It stands beside differences: so many answers change although nothing else does.
    """
    if noise is None:
        return ""
    flips = noise.flips
    text = f"asked again, {flips.lost + flips.won:,} of {wording.plural(flips.pairs, 'answer')} flipped"
    text += f" ({format_estimate(noise.share)}) and {wording.plural(noise.texts, 'text')} changed"
    return text + (f"; {noise.unanswered:,} unanswered" if noise.unanswered else "")


def count_verdicts(gates: Sequence[GateVerdict]) -> str:
    """``1 of 4 gates passed, 1 failed, 2 undecided``; ``2 of 2 gates failed``; of a single one ``The gate failed``."""
    said = [_VERDICTS["pass" if gate.passed else gate.verdict.lower()] for gate in gates]
    (many, first), *others = ((said.count(each), each) for each in _VERDICTS.values() if each in said)
    verb = "" if first in ("passed", "failed") else "is " if many == 1 else "are "
    start = f"{many} of {len(said)} gates" if len(said) > 1 else "The gate"
    return ", ".join([f"{start} {verb}{first}", *(f"{number} {word}" for number, word in others)])


def format_moment(iso: str | None) -> str:
    """``2026-11-21 10:00`` from a time in ISO 8601."""
    return iso[:16].replace("T", " ") if iso else "unknown"


def format_duration(seconds: float | None) -> str:
    """``0.84 s``, ``3 min 12 s``, ``26 h``, ``3 days``."""
    if seconds is None:
        return "unknown"
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{seconds / 3600:.0f} h" if seconds < 172_800 else f"{seconds / 86_400:.0f} days"


def format_total(total: Total) -> str:
    """A number of each answer: ``100 on average, 19,200 in all``."""
    if total.total is None:
        return "unknown"
    return f"{total.total / total.known:,.0f} on average, {total.total:,.0f} in all"


def format_total_cost(total: Total) -> str:
    """US dollars of each answer: ``$0.0013 on average, $1.20 in all``."""
    if not total.total:
        return format_dollars(total.total)
    return f"{format_dollars(total.total / total.known)} on average, {format_dollars(total.total)} in all"


def format_dollars(dollars: float | None) -> str:
    """``$0.41``; small sums keep two significant digits."""
    if dollars is None:
        return "unknown"
    return f"${dollars:,.2f}" if dollars >= 0.1 or dollars == 0 else f"${dollars:.2g}"


def format_axis_value(value: AxisValue) -> str:
    """An axis value as suite files write it: ``true``, ``2``, ``cot``."""
    return visible(str(value).lower() if isinstance(value, bool) else str(value))


def format_condition(where: Mapping[str, AxisValue]) -> str:
    """The values of axes that a number is of: ``vanilla, cot``; empty if the number is of the whole suite."""
    return ", ".join(format_axis_value(value) for value in where.values())


def name_sweep(sweep: AxisSweep) -> str:
    """The axis, and the condition in which its values are compared: ``perturbation (cot)``."""
    where = format_condition(sweep.where)
    return f"{sweep.axis} ({where})" if where else sweep.axis
