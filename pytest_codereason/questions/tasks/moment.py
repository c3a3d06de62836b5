"""A moment of a run: given a program and its call, what does a variable hold, which line runs next, and so on.

The right answer is what a tracer witnessed, see ``docs/moments.md``. Inverse questions ask for a call that makes a
given thing happen; the call of an answer is run under trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, ClassVar

from pytest_codereason.core import (
    ANSWERED,
    Ask,
    Axis,
    AxisValue,
    Instance,
    Language,
    Message,
    Metric,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.answers import Rule
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.finding import find_moment
from pytest_codereason.questions.moments.inverse.aims import AIMS
from pytest_codereason.questions.moments.inverse.finding import Goal, find_goal
from pytest_codereason.questions.moments.inverse.judging import CallRule, read_grounds
from pytest_codereason.questions.moments.kinds.aliasing import AliasKind
from pytest_codereason.questions.moments.kinds.branch import LENGTH, BranchKind
from pytest_codereason.questions.moments.kinds.following import NextKind
from pytest_codereason.questions.moments.kinds.raising import RaiseKind
from pytest_codereason.questions.moments.kinds.value import ValueKind
from pytest_codereason.questions.moments.kinds.visits import VisitsKind
from pytest_codereason.questions.moments.kinds.writing import WriterKind
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.moments.wording import word_goal, word_question, write_name
from pytest_codereason.questions.replies.final_answers import count_answers, write_answer
from pytest_codereason.questions.replies.values import count_values
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine, ShownLines
from pytest_codereason.questions.tasks.shared.verdicts import RESOLVED_METRICS
from pytest_codereason.registry import language

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (ValueKind(), VisitsKind(), BranchKind(), NextKind(), RaiseKind(), WriterKind(), AliasKind())
}
#: Lines that ``show`` prints before the moment.
_MOST_SHOWN = 40
_SOURCE = """def f(xs):
    n = 0
    for x in xs:
        if x % 2:
            n = n + x
        else:
            n = n - 1
    return n
"""
_FEE = """def fee(days):
    cost = days * 3
    if (days + 5) % 12:
        cost = cost + 4
    return cost
"""


class Moment(Task):
    """One question, one answer: about one moment of the run of the program that is shown."""

    name = "moment"
    version = 7
    needs = frozenset()
    capabilities = frozenset({"syntax", "values", "runner", "tracer"})
    asks = "moment"
    metrics = (
        Metric(name="exact", title="Right", right=True),
        Metric(name="partial", title="Right in part", binary=False, proportion=True),
        Metric(name="exact_answered", title="Right, answered only", of=ANSWERED, right=True),
        *(replace(metric, only=("about", "value")) for metric in RESOLVED_METRICS),
        Metric(name="yes_found", title="One object seen", only=("about", "alias")),
        Metric(name="no_found", title="Two objects seen", only=("about", "alias")),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "about": Axis.of_words("about", (*KINDS, *AIMS)),
        "prompting": make_prompting_axis("direct", "cot"),
    }
    requires: ClassVar[Mapping[str, AxisValue]] = {"layout": "numbers"}
    executes = True

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about small programs that have one moment of a kind."""
        program = Program.from_source(language="python", source=_SOURCE, call="f([5, 3, 8, 10, 1, 9, 11, 12, 4, 7])")
        visits = partial(TaskExample, program=program, axes={"about": "visits"})
        branch = partial(TaskExample, program=program, axes={"about": "branch"})
        fee = Program.from_source(language="python", source=_FEE, call="fee(30)")
        avoid = partial(TaskExample, program=fee, axes={"about": "avoid"})
        return (
            visits(reply="[ANSWER]6[/ANSWER]", outcome="correct", metrics={"exact": 1, "partial": 1, "visits": 6}),
            visits(reply="It runs for 5, 3 ...\n[ANSWER] 6 [/ANSWER]", outcome="correct"),
            visits(reply="6", outcome="correct"),
            visits(reply="[ANSWER]5[/ANSWER]", outcome="wrong", metrics={"exact": 0, "partial": 0}),
            visits(reply="[ANSWER]6, 5[/ANSWER]", outcome="invalid"),
            visits(reply="[ANSWER]len(xs)[/ANSWER]", outcome="invalid"),
            visits(reply="I cannot say how often it runs.", outcome="invalid"),
            branch(reply="[ANSWER]TTFFTTTFFT[/ANSWER]", outcome="correct"),
            branch(reply="[ANSWER]T T F F T T T F F F[/ANSWER]", outcome="wrong", metrics={"exact": 0, "partial": 0.9}),
            branch(reply="[ANSWER]TTFF[/ANSWER]", outcome="invalid"),
            avoid(reply="[ANSWER]fee(19)[/ANSWER]", outcome="correct", metrics={"exact": 1, "partial": 1}),
            avoid(reply="36 can be divided by 12: fee(31)", outcome="correct"),
            avoid(reply="[ANSWER]fee(20)[/ANSWER]", outcome="wrong", metrics={"exact": 0}),
            avoid(reply="[ANSWER]fee('19')[/ANSWER]", outcome="wrong", metrics={"exact": 0}),
            avoid(reply="[ANSWER]fee(print(19))[/ANSWER]", outcome="invalid"),
            avoid(reply="There is none.", outcome="invalid"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Runs the program that is shown under trace, draws a moment, and asks about it.

        Raises:
            Skip: the program cannot be traced, or its run has no such moment.
        """
        lang, about = language(instance.language), str(instance.axes.get("about", "value"))
        if about in AIMS:
            return (yield from _ask_for_call(instance, lang, about))
        run, candidate = yield from find_moment(instance, lang, KINDS[about])
        question = _Question(instance, lang, about, run, candidate)
        verdict = question.rule.judge((yield from ask_model(question.ask())), lang)
        numbers = {"depth": float(candidate.depth), "visits": float(candidate.visits), "visit": float(candidate.visit)}
        return replace(verdict, metrics={**numbers, **verdict.metrics}, grounds=asdict(question.rule))

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different answers the reply gives."""
        tagged, program = count_answers(reply), instance.program
        if instance.axes.get("about", "value") != "value":
            return tagged
        lang = language(instance.language)
        return max(tagged, count_values(reply, language=lang, call=program.call, program=program.source))

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the right answer and the labels of the lines, or by how the call of the answer ended."""
        if recorded.grounds["kind"] in AIMS:
            rule, end = read_grounds(recorded.grounds)
            return rule.judge_again(recorded.replies[-1], lang, end)
        return Rule(**recorded.grounds).judge(recorded.replies[-1], lang)


class _Question:
    """A question about a moment, in the words and labels of the text that is shown."""

    def __init__(
        self, instance: Instance, lang: Language, about: str, run: WitnessedRun, moment: MomentCandidate
    ) -> None:
        self._instance, self._lang, self._about, self._run, self._moment = instance, lang, about, run, moment
        self._shown = ShownLines(instance)
        self.rule = Rule(
            kind=about,
            expected=self._write(moment.answer),
            labels=self._shown.labels,
            name=write_name(moment.names[0], lang) if moment.names else "",
            line=self._label(moment.place),
        )

    def _label(self, place: ProgramLine) -> str:
        return _label(self._shown, place)

    def _write(self, answer: Any) -> str:
        """An answer as a reply writes it."""
        if self._about == "value":
            return self._lang.values.write(answer)
        if isinstance(answer, ProgramLine):
            return self._label(answer)
        return f"{self._label(answer[0])}, {answer[1]}" if self._about == "raise" else str(answer)

    def ask(self) -> Ask:
        """The question, with the replies that baselines give."""
        question = word_question(self._about, self._moment, self._label, self._lang)
        messages, prefill = _render(self._instance, question)
        return Ask(
            messages=messages,
            prefill=prefill,
            truth=write_answer(self.rule.expected),
            guess=lambda random: write_answer(self._guess(random)),
            derivation=tuple(self._derive()),
        )

    def _guess(self, random: Callable[[], float]) -> str:
        """An answer of the right form, by chance."""
        moment = self._moment
        if self._about == "value":
            return self._write(guess_value(moment.answer, random))
        if self._about == "branch":
            return "".join("TF"[int(random() * 2)] for _ in range(LENGTH))
        if moment.options and self._about != "writer":
            return str(moment.options[int(random() * len(moment.options))])
        lines = [number for number in self._shown.places if self._shown.lines[number - 1].strip()]
        line = self._shown.name(lines[int(random() * len(lines))])
        return f"{line}, {moment.answer[1]}" if self._about == "raise" else line

    def _derive(self) -> Iterator[str]:
        """The lines that ran up to the moment, with their texts, and how often each had run."""
        moments, seen = self._run.moments, dict[ProgramLine, int]()
        for event in range(min(self._moment.depth + 1, len(moments.lines))):
            place = self._run.find_place(event)
            seen[place] = seen.get(place, 0) + 1
            number = self._shown.find(place.file, place.line)
            if event > self._moment.depth - _MOST_SHOWN and number is not None:
                text = self._shown.lines[number - 1]
                yield f"{event + 1:>6}  line {self._shown.name(number)}, visit {seen[place]}: {text.strip()}"


def _ask_for_call(instance: Instance, lang: Language, kind: str) -> Steps:
    """Tries calls of the program that is shown, asks for one that does what hardly any does, and runs the answer."""
    run, goal = yield from find_goal(instance, lang, kind)
    shown, known = ShownLines(instance), goal.known
    labels = [_label(shown, want.place) for want in goal.aim.wants]
    messages, prefill = _render(instance, word_goal(kind, instance.program.function, goal.aim, labels))
    rule = CallRule(
        kind=kind,
        function=instance.program.function,
        expected=f"{instance.program.function}({known.arguments})",
        aim=goal.aim,
        labels=labels,
        prefill=prefill,
    )

    def guess(random: Callable[[], float]) -> str:
        values = [guess_value(value, random) for value in run.lines.arguments]
        recorded = run.program.call.partition("(")[2].rpartition(")")[0]
        return write_answer(f"{rule.function}({lang.values.write_arguments(values, recorded)})")

    completion = yield from ask_model(
        Ask(
            messages=messages,
            prefill=prefill,
            truth=write_answer(rule.expected),
            guess=guess,
            notes=tuple(_list_counts(run, goal, labels)),
        )
    )
    verdict = yield from rule.judge(completion, lang, run)
    visits = known.counts.get(goal.aim.wants[-1].place, 0)
    numbers = {"depth": float(sum(known.counts.values())), "visits": float(visits), "visit": 0.0}
    return replace(verdict, metrics={**numbers, **verdict.metrics})


def _list_counts(run: WitnessedRun, goal: Goal, labels: Sequence[str]) -> Iterator[str]:
    """How often the wanted lines run in the recorded call and in the known one."""
    known = f"{run.program.function}({goal.known.arguments})"
    for label, want in zip(labels, goal.aim.wants, strict=True):
        before, after = len(run.visits.get(want.place, ())), goal.known.counts.get(want.place, 0)
        yield f"line {label}: {before} visits in {run.program.call}, {after} visits in {known}"


def _render(instance: Instance, question: str) -> tuple[tuple[Message, ...], str]:
    """The messages and the prefill of a question."""
    return instance.template.render(
        [],
        {
            "language": language(instance.language).title,
            "code": _show_lines(instance),
            "call": instance.program.call,
            "question": question,
            "surrounded": instance.context is not None,
        },
    )


def _show_lines(instance: Instance) -> str:
    """The text that is shown, without blank lines at its end: the number of one alone reads like an answer."""
    layout = instance.layout
    if layout is None:
        return instance.code.rstrip("\n")
    shown = layout.text.rstrip("\n").split("\n")
    while not layout.lines[len(shown) - 1].strip():
        shown.pop()
    return "\n".join(shown)


def _label(shown: ShownLines, place: ProgramLine) -> str:
    number = shown.find(place.file, place.line)
    if number is None:
        raise Skip("a line of the moment is not shown")
    return shown.name(number)
