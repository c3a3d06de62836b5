"""Output prediction: given a program and a call, what value does the call return?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from pytest_codereason.core import (
    ANSWERED,
    Ask,
    Axis,
    Completion,
    Instance,
    Language,
    Metric,
    Outcome,
    Program,
    Steps,
    Task,
    Value,
    Verdict,
    asked,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.registry import language
from pytest_codereason.tasks import _defences
from pytest_codereason.tasks._chance import alike
from pytest_codereason.tasks._prompting import axis as prompting
from pytest_codereason.tasks.extraction import extract

_QUERIES = ("both", "before", "after")
_MAX_SHOTS = 2
#: Characters kept of an answer and of a reason.
_MAX_ANSWER, _MAX_REASON = 10_000, 200


class OutputPrediction(Task):
    """One question, one answer, compared as data with the value that the program's facts hold."""

    name = "output-prediction"
    version = 1
    needs = frozenset({"output"})
    asks = "output"
    metrics = (
        Metric(name="exact", title="Exact match"),
        Metric(name="partial", title="Partial match", binary=False),
        Metric(name="exact_answered", title="Exact match of answered", of=ANSWERED),
        Metric(name="unresolved", title="Unresolved", of=ANSWERED, higher_is_better=False),
        *_defences.METRICS,
        Metric(name="exact_own", title="Right about its own rewriting", only=("defence", _defences.REFACTOR)),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "prompting": prompting("direct", "cot"),
        "shots": Axis(
            name="shots",
            default=0,
            allowed=f"whole numbers from 0 to {_MAX_SHOTS}",
            accepts=lambda value: type(value) is int and 0 <= value <= _MAX_SHOTS,
            short="shots",
        ),
        "query": Axis(
            name="query",
            default="both",
            allowed="both, before, after (where the question stands, seen from the code)",
            accepts=lambda value: value in _QUERIES,
            short="query",
        ),
        "defence": _defences.AXIS,
    }

    def steps(self, instance: Instance) -> Steps:
        """Asks once; direct prompting gives the reply's beginning, chain of thought leaves it to the model.

        What is right is what the program does, whatever the model makes of it before it is asked.
        """
        rewriting = yield from _defences.rewritten(instance)
        instance = rewriting.instance
        lang = language(instance.language)
        program, expected = instance.program, instance.program.facts["output"]
        before, after = lang.values.assertion(program.call)
        asking = asking_of(instance)
        messages, prefill = instance.template.render(
            [{**_values(lang, shot), **asking, **_solution(lang, shot)} for shot in instance.shots],
            {**_values(lang, program), **asking, "code": instance.code.rstrip("\n")},
        )

        def reply(value: Any) -> str:
            literal = lang.values.write(value)
            if prefill:
                return f" {literal}{after}\n```"
            steps = program.facts.get("reasoning", "")
            return f"{steps}\n\n```{lang.fence}\n{before}{literal}{after}\n```".lstrip()

        def told(execution: Execution) -> str:
            return reply(execution.value) if execution.returned else f"The call {execution.words}"

        ask = Ask(
            messages=messages,
            prefill=prefill,
            prefill_stop=("\n```",) if prefill else (),
            truth=reply(expected),
            guess=lambda random: reply(alike(expected, random)),
            run=Run(language=program.language, source=program.source, call=program.call),
            reply=told,
        )
        completion = yield from asked(ask)
        judge = partial(score, completion, lang=lang, call=program.call, prefill=prefill)
        verdict, own = judge(expected=expected), dict(rewriting.metrics)
        if rewriting.execution and rewriting.execution.returned:
            own["exact_own"] = judge(expected=rewriting.execution.value).metrics["exact"]
        return replace(verdict, metrics={**verdict.metrics, **own})


def asking_of(instance: Instance) -> dict[str, bool]:
    """What a template is given about how to ask, whatever the program."""
    query = instance.axes.get("query", "both")
    return {
        "query_before": query != "after",
        "query_after": query != "before",
        "ignore_comments": instance.axes.get("defence") == _defences.IGNORE,
    }


def _values(lang: Language, program: Program) -> dict[str, Any]:
    """What a template is given about a program."""
    before, after = lang.values.assertion(program.call)
    return {
        "code": program.source.rstrip("\n"),
        "call": program.call,
        "language": lang.title,
        "fence": lang.fence,
        "before": before,
        "after": after,
    }


def _solution(lang: Language, program: Program) -> dict[str, str]:
    """What a template is given about a worked example besides."""
    return {"answer": lang.values.write(program.facts["output"]), "reasoning": program.facts.get("reasoning", "")}


def score(completion: Completion, *, lang: Language, call: str, prefill: str, expected: Any) -> Verdict:
    """What a reply is worth.

    A reply that ran into the limit on its length counts where it had completed an answer before.
    Every metric is 0 for a reply without a value.
    """
    if completion.finish in ("refused", "too-long"):
        return _verdict(completion.finish, lang, expected)
    cut = completion.finish == "length"
    answer = extract(
        completion.text,
        language=lang,
        call=call,
        prefill=prefill,
        prefilled=completion.prefilled,
        cut=cut,
    )
    text = answer.text[:_MAX_ANSWER] if answer else None
    if cut and (answer is None or not answer.complete):
        reason = "the reply reached the limit on its length before an answer was complete"
        return _verdict("truncated", lang, expected, text, reason=reason)
    if answer is None:
        return _verdict("invalid", lang, expected, reason="no answer found")
    if answer.value is None:
        return _verdict("invalid", lang, expected, text, reason=f"no {lang.title} literal: {answer.reason}")
    outcome: Outcome = "correct" if lang.values.equal(answer.value.value, expected) else "wrong"
    return _verdict(outcome, lang, expected, text, value=answer.value)


def _verdict(
    outcome: Outcome,
    lang: Language,
    expected: Any,
    text: str | None = None,
    *,
    reason: str = "",
    value: Value | None = None,
) -> Verdict:
    exact = float(outcome == "correct")
    return Verdict(
        outcome=outcome,
        expected=lang.values.write(expected),
        answer=text,
        reason=reason[:_MAX_REASON],
        metrics={
            "exact": exact,
            "partial": partial_match(lang, value.value, expected) if value else 0.0,
            "exact_answered": exact,
            "unresolved": float(value is not None and value.unresolved),
        },
    )


def partial_match(lang: Language, answer: Any, expected: Any) -> float:
    """The share of the positions of ``expected`` at which ``answer`` is right, 0 to 1.

    Defined for lists and tuples (Sense and Sensitivity, appendix C); anything else is right (1) or not (0).
    """
    if not (isinstance(expected, (list, tuple)) and isinstance(answer, (list, tuple)) and expected):
        return float(lang.values.equal(answer, expected))
    # An answer may be too short, or too long: what stands past the end is not counted here.
    return sum(map(lang.values.equal, answer, expected)) / len(expected)
