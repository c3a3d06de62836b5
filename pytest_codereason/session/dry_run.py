"""What a run would ask and cost, without asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import pytest

from pytest_codereason.core import Model
from pytest_codereason.engine.authoring import text_kind
from pytest_codereason.engine.previews import preview
from pytest_codereason.engine.run_size import RunSize
from pytest_codereason.errors import PartError, Skip
from pytest_codereason.session.items import Question
from pytest_codereason.suites.suite import Suite
from pytest_codereason.text import wording


def format_dry_run(items: Sequence[pytest.Item], models: Mapping[str, Model], repeated: Collection[str]) -> list[str]:
    """For each suite and model, and in all: questions, prompt tokens, most reply tokens, most cost.

    Builds every question. If a task has several steps, the later steps are counted as they are after right replies.
    Equal first requests to one model are counted once, as they are asked. The questions with the ids ``repeated`` are
    asked twice.
    """
    known: dict[str, set[bytes]] = {label: set() for label in models}
    sizes: dict[tuple[str, str], RunSize] = {}
    uncounted = Counter[str]()
    for item in items:
        if isinstance(item, Question):
            size = sizes.setdefault((item.suite.name, item.model), RunSize())
            try:
                instance = preview(item.suite, item.spec, models[item.model].count_tokens)
                model, repeats = models[item.model], int(item.nodeid in repeated)
                size.add(item.suite, instance, model, known=known[item.model], repeats=repeats)
            except Skip as skip:
                unknown = "output" not in item.suite.source_program(item.spec).facts
                later = "; the run computes the output of the program first, and may then ask the question"
                uncounted[f"{skip}{later if unknown else ''}"] += 1
            except PartError as error:
                uncounted[str(error)] += 1
    lines = [line for (suite, label), size in sizes.items() for line in _format_size(f"{suite} on {label}", size)]
    if len(sizes) > 1:
        total = RunSize()
        for size in sizes.values():
            total.add_size(size)
        lines += _format_size("in all", total)
    if any(isinstance(item, Question) and _shows_hints(item.suite) for item in items):
        lines.append("here a rule writes the hints; the cost of the writer is not counted")
    for reason, many in uncounted.most_common():
        lines.append(f"not counted: {wording.plural(many, 'question')}: {reason}")
    return [*lines, "nothing was asked (--eval-dry-run)"] if lines else []


def _shows_hints(suite: Suite) -> bool:
    """Whether a model writes texts of the suite, or has written them into a file."""
    return bool(suite.writer) or any(not text_kind(kind).by_rule for kind in suite.texts)


def _format_size(title: str, size: RunSize) -> list[str]:
    later = size.requests - size.certain
    remark = f"  (at most; {later:,} of them are asked only after a right answer)" if later else ""
    return [
        title,
        f"  questions       {size.questions:>14,}",
        f"  requests        {size.requests:>14,}{remark}",
        f"  prompt tokens   {size.prompt:>14,}  (estimated; the longest prompt {size.longest:,})",
        f"  reply tokens    {size.reply:>14,}  (at most)",
        f"  cost            {size.money}",
    ]
