"""Function retrieval: copy, word for word, the function between two keys of a long context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from pytest_codereason.core import (
    ANSWERED,
    Ask,
    Axis,
    AxisValue,
    Completion,
    Instance,
    Language,
    Metric,
    Outcome,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.questions.replies.pieces.blocks import find_fences, read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.labels import strip_labels
from pytest_codereason.questions.tasks.shared.prompting import describe_query, make_prompting_axis, make_query_axis
from pytest_codereason.registry import language

#: The longest reply that is compared, as a multiple of the function's length: a longer reply is no copy.
_MAX_LENGTHS = 20


class FunctionRetrieval(Task):
    """Lexical recall: the lines of the program, found by the keys of its first and last line.

    The stage ``layout`` gives each line a key of its own, so that nothing but the keys leads to the function (Sense and
    Sensitivity, section 4).
    """

    name = "function-retrieval"
    version = 3
    needs = frozenset()
    requires: ClassVar[Mapping[str, AxisValue]] = {"layout": "keys"}
    metrics = (
        Metric(name="exact", title="Exact match", right=True),
        Metric(name="partial", title="Partial match", binary=False, proportion=True),
        Metric(name="exact_answered", title="Exact match, answered only", of=ANSWERED, right=True),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "prompting": make_prompting_axis("direct"),
        "query": make_query_axis("the request"),
    }

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Copies of a function: word for word, with a line left out, and none."""
        source = "def f(a):\n    b = a + 1\n    return b\n"
        program = Program.from_source(language="python", source=source, call="f(1)")
        inside = partial(TaskExample, program=program, prefilled=True)
        return (
            inside(reply=f"\n{source}```", outcome="correct", metrics={"exact": 1, "partial": 1}),
            inside(reply="\ndef f(a):\n    b = a + 1\n```", outcome="wrong", metrics={"exact": 0, "partial": 2 / 3}),
            inside(reply="\n```", outcome="invalid", metrics={"partial": 0}),
            TaskExample(program=program, reply=f"Here:\n```python\n{source}```\n", outcome="correct"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once; the reply begins inside a block of code."""
        target = instance.program.text.strip("\n")
        layout = instance.layout
        assert layout is not None, "the task requires a layout"
        keys = layout.program_labels
        lang = language(instance.language)
        messages, prefill = instance.template.render(
            [],
            {
                "code": layout.text,
                "language": lang.title,
                "fence": lang.fence,
                "start": keys[0],
                "end": keys[-1],
                **describe_query(instance),
            },
        )
        shown = [b.strip("\n") for b in (instance.context.blocks(target) if instance.context else [target])]

        def write_reply(text: str) -> str:
            return f"\n{text}\n```" if prefill else f"```{lang.fence}\n{text}\n```"

        def guess_reply(random: Callable[[], float]) -> str:
            return write_reply(shown[int(random() * len(shown))])

        completion = yield from ask_model(
            Ask(
                messages=messages,
                prefill=prefill,
                prefill_stop=("\n```",) if prefill and not find_fences(target) else (),
                truth=write_reply(target),
                guess=guess_reply,
            )
        )
        verdict = judge_reply(completion, target=target, labels=layout.labels)
        return replace(verdict, grounds={"labels": list(_list_copied(layout.labels, completion.text))})

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the text of the function, and the keys that the reply holds."""
        return judge_reply(recorded.replies[-1], target=recorded.expected, labels=recorded.grounds["labels"])


def _list_copied(labels: Iterable[str], reply: str) -> Iterator[str]:
    """Those of the keys that stand in a reply."""
    text = reply.lower()
    return (label for label in labels if label.strip().lower() in text)


def judge_reply(completion: Completion, *, target: str, labels: Sequence[str]) -> Verdict:
    """The verdict on a reply.

    Exact: the reply is the function's lines and nothing else; keys and blanks at line ends do not count. Partial: the
    share of the function's lines that come back in their order (longest common subsequence).
    """
    if completion.finish in ("refused", "too-long"):
        return _make_verdict(completion.finish, target)
    spoken = "\n".join(strip_labels(read_spoken(completion.text).split("\n"), labels))
    text, closed = _read_code(spoken, inside=completion.prefilled, own=len(find_fences(target)))
    target_lines, answer_lines = (_strip_lines(code.split("\n")) for code in (target, text))
    if not any(answer_lines):
        truncated = completion.finish == "length"
        return _make_verdict("truncated" if truncated else "invalid", target, reason="no code found")
    exact = answer_lines == target_lines
    outcome: Outcome = "correct" if exact else "wrong"
    if completion.finish == "length" and not closed and not exact:
        outcome = "truncated"
    longest = _MAX_LENGTHS * len(target) + 1_000
    partial = _count_common(target_lines, answer_lines) / len(target_lines) if len(text) <= longest else 0.0
    return _make_verdict(outcome, target, text[:longest], partial=partial)


def _read_code(text: str, *, inside: bool, own: int) -> tuple[str, bool]:
    """The code of a reply, and whether a fence ends the code.

    The function may have fences of its ``own``, for example in a comment. As many fences of the reply end no block.

    A reply that continues a block opened by the prefill, ``inside``, gives the rest of that block. Any other reply
    gives its last closed block, else its open block, else the whole text.
    """
    fences = find_fences(text)
    if inside and not (fences and not text[: fences[0].start].strip()):
        closed = len(fences) > own
        return text[: fences[own].start if closed else len(text)].strip("\n"), closed
    if own and len(fences) >= own + 2:
        return text[fences[-own - 2].end : fences[-1].start].strip("\n"), True
    blocks = read_blocks(text)
    if not blocks:
        return text.strip("\n"), False
    last = blocks[-1] if blocks[-1].closed or len(blocks) == 1 else blocks[-2]
    return last.text.strip("\n"), last.closed


def _strip_lines(lines: Sequence[str]) -> list[str]:
    """The lines without blanks at their ends, and without empty lines at either end."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").split("\n")


def _count_common(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for line in left:
        diagonal = 0
        for j, other in enumerate(right, 1):
            diagonal, row[j] = row[j], diagonal + 1 if line == other else max(row[j], row[j - 1])
    return row[-1]


def _make_verdict(
    outcome: Outcome, target: str, text: str | None = None, *, partial: float = 0.0, reason: str = ""
) -> Verdict:
    exact = float(outcome == "correct")
    return Verdict(
        outcome=outcome,
        expected=target,
        answer=text,
        reason=reason,
        metrics={"exact": exact, "partial": partial, "exact_answered": exact},
    )
