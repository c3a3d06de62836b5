"""Asks which line of a program is faulty, and judges the reply."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

from pytest_codereason.core import ANSWERED, Ask, Axis, Completion, Fault, Instance, Metric, Outcome, Verdict
from pytest_codereason.core.language.structure import Code, Span
from pytest_codereason.core.programs import EMPTY, is_whole
from pytest_codereason.errors import DoesNotParse, Skip
from pytest_codereason.questions.replies.line_numbers import KEYS, NUMBERS, NamesRange, read_lines
from pytest_codereason.questions.tasks.shared.shown_lines import ShownLines, find_label
from pytest_codereason.registry import language

#: The most lines that a question may ask for.
MOST_LINES = 10
#: An answer so many lines from the faulty one is near.
NEAR = 2

TOP = Axis(
    name="top",
    default=1,
    allowed=f"whole numbers from 1 to {MOST_LINES} (how many lines a reply may name, the likeliest first)",
    accepts=lambda value: is_whole(value, 1, MOST_LINES),
    short="top",
)

#: What a verdict says of the line that a reply names.
METRICS = (
    Metric(name="exact", title="Faulty line", right=True),
    Metric(name="top_k", title="Faulty line among those named"),
    Metric(name="same_statement", title="Same statement"),
    Metric(name="same_function", title="Same function"),
    Metric(name=f"within_{NEAR}", title=f"Within {NEAR} lines"),
    Metric(name="distance", title="Distance in lines", of=ANSWERED, binary=False, higher_is_better=False),
    Metric(name="exact_answered", title="Faulty line, answered only", of=ANSWERED, right=True),
)


class FaultQuestion:
    """The question which line of a program is faulty.

    Raises:
        Skip: the program has no fault or no specification, or its faulty line is not shown.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance, self._program, self._prefill = instance, instance.program, ""
        facts = instance.program.facts
        if facts.get("fault") is None:
            raise Skip("the program has no fault: the suite plants none (see the axis 'fault')")
        if not str(facts.get("specification") or "").strip():
            raise Skip("the program has no specification")
        self.shown = ShownLines(instance)
        fault = facts.fault
        numbers = [self.shown.find(fault.file, line) for line in (fault.line, *fault.also)]
        if numbers[0] is None:
            raise Skip("the faulty line is not among the lines that are shown")
        #: the shown lines that are to blame, the faulty line first
        self.faulty = tuple(dict.fromkeys(number for number in numbers if number is not None))

    @property
    def _top(self) -> int:
        return int(self._instance.axes.get("top", 1))

    @property
    def _label(self) -> str:
        """The pattern of a label."""
        return KEYS if self._instance.axes.get("layout") == "keys" else NUMBERS

    def ask(self) -> Ask:
        """The question, with the replies that baselines give."""
        instance, program = self._instance, self._program
        lang = language(program.language)
        messages, self._prefill = instance.template.render(
            [],
            {
                "specification": str(program.facts.specification).strip(),
                "code": "\n".join(self._list_text()),
                "language": lang.title,
                "fence": lang.fence,
                "labelled": instance.layout is not None,
                "several": len(program.files) > 1,
                "surrounded": instance.context is not None,
                "top": self._top,
                "form": self._describe_form(),
            },
        )
        lines = [number for number in self.shown.places if self.shown.lines[number - 1].strip()]

        def guess_reply(random: Callable[[], float]) -> str:
            return self.write_reply([lines[int(random() * len(lines))]])

        return Ask(messages=messages, prefill=self._prefill, truth=self.write_reply(self.faulty[:1]), guess=guess_reply)

    def _list_text(self) -> Sequence[str]:
        layout = self._instance.layout
        return self.shown.lines if layout is None else layout.text.split("\n")

    def _describe_form(self) -> str:
        what = "label" if self._label == KEYS else "number"
        one = f'"<{what}>"' if self._label == KEYS else f"<{what}>"
        return f'{{"line": {one}}}' if self._top == 1 else f'{{"lines": [{one}, {one}, ...]}}'

    def write_reply(self, numbers: Sequence[int]) -> str:
        """The reply that names these shown lines."""
        names = [self.shown.name(number) for number in numbers]
        labels = names if self._label == KEYS else [*map(int, names)]
        return json.dumps({"line": labels[0]} if self._top == 1 else {"lines": labels})

    def judge(self, completion: Completion) -> Verdict:
        """The verdict on the reply to :meth:`ask`.

        Every metric is 0 for a reply that names no line, and ``distance`` is missing. A reply is invalid if it names no
        line, a range, more lines than asked for, or a line that is not shown.
        """
        rule = LineRule(
            labels=self.shown.labels,
            faulty=self.faulty,
            top=self._top,
            keyed=self._label == KEYS,
            prefill=self._prefill,
        )
        lines, verdict = rule.judge(completion)
        shown = {
            "fault_quarter_shown": float(self.shown.find_quarter(self.faulty[0]) or 0),
            "lines_shown": float(len(self.shown.lines)),
        }
        metrics = {**shown, **verdict.metrics, **(self._place(lines[0]) if lines else {})}
        return replace(verdict, metrics=metrics, grounds=asdict(rule))

    def _place(self, number: int) -> dict[str, float]:
        """Where in the program a named line stands, beside the faulty one."""
        exact = number in self.faulty
        quarter = self.shown.find_quarter(number)
        return {
            "same_statement": float(exact or self._share(number, _find_statement)),
            "same_function": float(exact or self._share(number, _find_function)),
            **({} if quarter is None else {"answer_quarter": float(quarter)}),
        }

    def _share(self, number: int, find: Callable[[Code, int], Span | None]) -> bool:
        """Whether a shown line stands in the same part of the same file as a faulty line."""
        place, faulty = self.shown.places.get(number), self._program.facts.fault
        if place is None or place.file != faulty.file:
            return False
        code = _parse(self._program.language, self._program.files[place.file])
        return code is not None and any(
            find(code, _find_start(code.source, place.line)) == find(code, at)
            for at in _find_blamed(code.source, faulty)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRule:
    """All that decides whether the lines of a reply are right, without the program."""

    labels: Sequence[str]  #: what each shown line is called
    faulty: Sequence[int]  #: the lines to blame, counted from 1
    top: int
    keyed: bool  #: whether the labels are keys, else they are numbers
    prefill: str

    def judge(self, completion: Completion) -> tuple[Sequence[int], Verdict]:
        """The shown lines that the reply names, and the verdict; no lines if the reply is no answer."""
        if completion.finish in ("refused", "too-long"):
            return (), self._refuse(completion.finish)
        cut = completion.finish == "length"
        try:
            text = f"{self.prefill if completion.prefilled else ''}{completion.text}"
            labels = read_lines(text, KEYS if self.keyed else NUMBERS, cut=cut)
        except NamesRange as error:
            return (), self._refuse("invalid", reason=f"the reply names a range of lines: {str(error)[:60]}")
        if labels is None:
            if cut:
                return (), self._refuse("truncated", reason="the reply was cut off before it named a line")
            return (), self._refuse("invalid", reason="the reply names no line")
        answer = ", ".join(labels)[:200]
        if len(labels) > self.top:
            reason = f"the reply names more lines than asked for: {len(labels)} for {self.top}"
            return (), self._refuse("invalid", answer, reason)
        numbers = [find_label(self.labels, label) for label in labels]
        if None in numbers:
            reason = f"no such line is shown: {labels[numbers.index(None)]} of {len(self.labels)}"
            return (), self._refuse("invalid", answer, reason)
        lines = [number for number in numbers if number is not None]
        outcome: Outcome = "correct" if lines[0] in self.faulty else "wrong"
        return lines, self._make_verdict(outcome, answer, metrics=self._measure(lines))

    def _measure(self, lines: Sequence[int]) -> dict[str, float]:
        first = lines[0]
        distance = min(abs(first - faulty) for faulty in self.faulty)
        exact = first in self.faulty
        return {
            "exact": float(exact),
            "exact_answered": float(exact),
            "top_k": float(any(line in self.faulty for line in lines)),
            f"within_{NEAR}": float(distance <= NEAR),
            "distance": float(distance),
        }

    def _refuse(self, outcome: Outcome, answer: str | None = None, reason: str = "") -> Verdict:
        zeros = {metric.name: 0.0 for metric in METRICS if metric.higher_is_better}
        return self._make_verdict(outcome, answer, reason, zeros)

    def _make_verdict(
        self, outcome: Outcome, answer: str | None, reason: str = "", metrics: Mapping[str, float] = EMPTY
    ) -> Verdict:
        names = [self.labels[number - 1] for number in self.faulty]
        return Verdict(outcome=outcome, expected=" or ".join(names), answer=answer, reason=reason, metrics=metrics)


@lru_cache(maxsize=64)  # several models, samples and steps answer about one program
def _parse(name: str, source: str) -> Code | None:
    lang = language(name)
    if not lang.has("syntax"):
        return None
    try:
        return lang.syntax.parse(source)
    except DoesNotParse:
        return None


def _find_blamed(source: str, fault: Fault) -> Iterator[int]:
    """The offset of a character of each text that is to blame."""
    if fault.spans:
        yield fault.spans[0].start
        yield from (span.end - 1 for span in fault.spans[1:])
    else:
        yield from (_find_start(source, line) for line in (fault.line, *fault.also))


def _find_start(source: str, line: int) -> int:
    """The offset of the first character of a line that is no blank."""
    start = 0
    for _ in range(line - 1):
        start = source.find("\n", start) + 1
    blank = re.compile(r"[ \t\r]*").match(source, start)
    return blank.end() if blank else start


def _find_statement(code: Code, at: int) -> Span | None:
    return _find_innermost((statement.span for statement in code.statements), at)


def _find_function(code: Code, at: int) -> Span | None:
    return _find_innermost((function.span for function in code.functions), at)


def _find_innermost(spans: Iterable[Span], at: int) -> Span | None:
    around = [span for span in spans if span.start <= at < span.end]
    return min(around, key=lambda span: span.end - span.start, default=None)
