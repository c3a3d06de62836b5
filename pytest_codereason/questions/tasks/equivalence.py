"""Equivalence: do two programs give the same for every call of a domain? If not, for which call do they differ?

The right answer rests on running both for 300 calls, and a witness is judged by running both, see
``docs/equivalence.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, ClassVar

from pytest_codereason.core import (
    Ask,
    Axis,
    Instance,
    Language,
    Metric,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.errors import SandboxError
from pytest_codereason.questions.pairs.answers import DIFFERENT, EQUAL, PairRule
from pytest_codereason.questions.pairs.domains import describe_arguments
from pytest_codereason.questions.pairs.finding import DRAWN, ProgramPair, accepts_changes, find_pair, separates
from pytest_codereason.questions.replies.final_answers import count_answers, write_answer
from pytest_codereason.questions.tasks.shared.alone import require_alone
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis
from pytest_codereason.registry import language

PAIRS = ("equal", "different")
#: Changed tokens of a pair in the middle of the shipped suites: who goes by looks takes more for a difference.
USUAL_CHANGED = 90


class Equivalence(Task):
    """One question, one answer: equal, or different with a call that shows it."""

    name = "equivalence"
    version = 4
    needs = frozenset()
    capabilities = frozenset({"syntax", "values", "dialect", "runner"})
    asks = "equivalence"
    needs_call = True
    metrics = (
        Metric(name="exact", title="Right", right=True),
        Metric(name="verdict", title="Right word"),
        Metric(name="witness", title="Witness found", only=("pair", "different")),
        Metric(name="false_witness", title="False witness", higher_is_better=False),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "pair": Axis.of_words("pair", PAIRS),
        "changes": Axis(
            name="changes",
            default=DRAWN,
            allowed=f"{DRAWN}, or perturbations joined by +, such as conditions+rename",
            accepts=accepts_changes,
            short="changes",
        ),
        "prompting": make_prompting_axis("direct", "cot"),
    }
    executes = True

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about both pairs of a small program."""
        source = (
            "def f(xs, n):\n    t = 0\n    for x in xs:\n        if x > n and x % 2 == 1:\n            t += x\n"
            "        if x > 90 and t > 3:\n            t = t - 7\n    return t\n"
        )
        program = Program.from_source(language="python", source=source, call="f([5, 8, 2, 7, 31], 4)")
        equal = partial(TaskExample, program=program, axes={"pair": "equal"})
        different = partial(TaskExample, program=program, axes={"pair": "different"})
        return (
            equal(reply="[ANSWER]EQUAL[/ANSWER]", outcome="correct", metrics={"exact": 1, "verdict": 1}),
            equal(reply="They are alike: EQUAL or not?\n[ANSWER] equal. [/ANSWER]", outcome="correct"),
            equal(
                reply="[ANSWER]DIFFERENT f([3], 1)[/ANSWER]",
                outcome="wrong",
                metrics={"exact": 0, "verdict": 0, "false_witness": 1},
            ),
            equal(reply="[ANSWER]EQUAL or DIFFERENT f([3], 1)[/ANSWER]", outcome="invalid", metrics={"verdict": 0}),
            equal(reply="[ANSWER]DIFFERENT f([3], open('x'))[/ANSWER]", outcome="invalid"),
            equal(reply="I cannot say whether they are.", outcome="invalid"),
            different(
                reply="[ANSWER]EQUAL[/ANSWER]", outcome="wrong", metrics={"exact": 0, "verdict": 0, "witness": 0}
            ),
            different(reply="[ANSWER]DIFFERENT[/ANSWER]", outcome="invalid", metrics={"exact": 0, "verdict": 1}),
            different(reply="[ANSWER]DIFFERENT f([3], 10 ** 9)[/ANSWER]", outcome="invalid", metrics={"witness": 0}),
            different(
                reply="[ANSWER]DIFFERENT f([], 4)[/ANSWER]",
                outcome="wrong",
                metrics={"verdict": 1, "witness": 0, "false_witness": 1},
            ),
        )

    def steps(self, instance: Instance) -> Steps:
        """Finds the pair by runs, asks about it, and runs both programs for the witness.

        Raises:
            Skip: the program has no such pair.
            SandboxError: a witness separates two programs that were taken for equal.
        """
        require_alone(instance, "a pair is shown as two programs")
        lang, changes = language(instance.language), str(instance.axes.get("changes", DRAWN))
        equal = instance.axes.get("pair", PAIRS[0]) == PAIRS[0]
        pair = yield from find_pair(instance, lang, changes, equal=equal)
        rule = PairRule(
            equal=equal, functions=pair.functions, recorded=pair.domain.recorded, expected=_write_truth(pair)
        )
        answer = rule.read((yield from ask_model(_ask_about(instance, lang, pair))), lang)
        found: bool | str | None = None
        if answer.witness:
            found = yield from separates(lang, pair.one, pair.other, answer.witness)
        if found is True and equal:
            raise SandboxError(f"the pair is not equal: {pair.one.function}({answer.witness}) separates the programs")
        verdict = rule.judge(answer, found)
        metrics = {**verdict.metrics, "changed_tokens": float(pair.changed)}
        return replace(verdict, metrics=metrics, grounds={**asdict(rule), "ran": answer.witness, "found": found})

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different answers the reply gives."""
        return count_answers(reply)

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by what the call with the witness showed. Nothing is run."""
        grounds = dict(recorded.grounds)
        ran, found = grounds.pop("ran"), grounds.pop("found")
        rule = PairRule(**grounds)
        answer = rule.read(recorded.replies[-1], lang)
        return rule.judge(answer, found if answer.witness == ran else "was never run")


def _write_truth(pair: ProgramPair) -> str:
    return EQUAL if pair.equal else f"{DIFFERENT} {pair.one.function}({pair.witness})"


def _ask_about(instance: Instance, lang: Language, pair: ProgramPair) -> Ask:
    messages, prefill = instance.template.render(
        [],
        {
            "language": lang.title,
            "one": pair.one.text.rstrip("\n"),
            "other": pair.other.text.rstrip("\n"),
            "calls": [program.call for program in (pair.one, pair.other)],
            "form": f"{pair.one.function}(...)",
            "domain": describe_arguments(lang, pair.domain.places),
        },
    )
    return Ask(
        messages=messages,
        prefill=prefill,
        truth=write_answer(_write_truth(pair)),
        guess=lambda random: write_answer(_guess(lang, pair, random)),
        naive=write_answer(EQUAL if pair.changed < USUAL_CHANGED else f"{DIFFERENT} {pair.one.call}"),
        notes=(f"{pair.changed} tokens differ", f"the programs differ for {pair.witness}" if not pair.equal else ""),
    )


def _guess(lang: Language, pair: ProgramPair, random: Callable[[], float]) -> str:
    """One of the words, and behind the second a call by chance."""
    if random() < 0.5:
        return EQUAL
    recorded = pair.domain.recorded
    values: Any = lang.values.read_arguments(recorded).values
    written = lang.values.write_arguments([guess_value(value, random) for value in values], recorded)
    return f"{DIFFERENT} {pair.one.function}({written})"
