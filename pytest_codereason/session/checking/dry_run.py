"""What a run would ask and cost, without asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest

from pytest_codereason.core import Model
from pytest_codereason.core.text import wording
from pytest_codereason.engine.building.authoring import text_kind
from pytest_codereason.engine.building.drafts import begin, draft
from pytest_codereason.engine.limits.run_size import EqualRequests, RunSize, add_sizes
from pytest_codereason.engine.rehearsing import NotKnown
from pytest_codereason.errors import PartError, Skip
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.collecting.items import Question


def format_dry_run(
    items: Sequence[pytest.Item],
    sizes: Mapping[str, Mapping[str, RunSize]],
    models: Mapping[str, Model],
    *,
    batches: bool = False,
) -> list[str]:
    """For each suite and model, and in all: questions, prompt tokens, most reply tokens, most cost.

    Every question is built, to tell which of them cannot be asked, and which requests are equal. Of a suite that
    chooses its questions, one is built for each condition: nobody knows yet which will be asked.

    Args:
        sizes: what is asked, by model and suite: the same numbers that a run gives before it begins.
        batches: whether the models are asked in batches, and their prices are those of batches.
    """
    unasked, equal, later = Counter[str](), EqualRequests(), 0
    questions = [item for item in items if isinstance(item, Question)]
    for item in (looked_at := _choose_looked_at(questions)):
        try:
            model = models[item.model]
            equal.add(item.suite, draft(item.suite, item.spec, model.count_tokens), item.model, model)
        except NotKnown:
            later += 1
        except Skip as skip:
            unknown = "output" not in begin(item.suite, item.spec).program.facts
            hint = "; the run computes the output of the program first, and may then ask the question"
            unasked[f"{skip}{hint if unknown else ''}"] += 1
        except PartError as error:
            unasked[str(error)] += 1
    suites = dict.fromkeys(suite for each in sizes.values() for suite in each)
    pairs = [(suite, label) for suite in suites for label in sizes if suite in sizes[label]]
    titled = {f"{suite} on {label}": sizes[label][suite] for suite, label in pairs}
    lines = list[str]()
    for (_, label), (title, size) in zip(pairs, titled.items(), strict=True):
        batching = models[label].batching if batches else None
        lines += _format_size(title, size, 1.0 if batching is None else batching.terms.discount)
    if len(titled) > 1:
        lines += _format_size("in all", add_sizes(titled.values()))
    if any(_shows_hints(item.suite) for item in questions):
        lines.append("here a rule writes the hints; the cost of the writer is not counted")
    if len(looked_at) < len(questions):
        lines.append(f"looked at: {wording.plural(len(looked_at), 'question')}, one for each condition that is chosen")
    if equal.many:
        lines.append(f"counted, but not asked: {wording.plural(equal.many, 'request')} equal to another one")
    if later:
        lines.append(
            f"not known: of {wording.plural(later, 'question')}, what is asked; their programs have to run first"
        )
    for reason, many in unasked.most_common():
        lines.append(f"counted, but not asked: {wording.plural(many, 'question')}: {reason}")
    return [*lines, "nothing was asked (--eval-dry-run)"] if lines else []


def _choose_looked_at(questions: Sequence[Question]) -> list[Question]:
    """All questions; of a suite that chooses them, the first of each model, language and condition."""
    chosen: dict[tuple[object, ...], Question] = {}
    for place, item in enumerate(questions):
        spec = item.spec
        alike = (item.suite.path, item.model, spec.language, spec.axes) if item.suite.chosen_axis else (place,)
        chosen.setdefault(alike, item)
    return list(chosen.values())


def _shows_hints(suite: Suite) -> bool:
    """Whether a model writes texts of the suite, or has written them into a file."""
    return bool(suite.writer) or any(not text_kind(kind).by_rule for kind in suite.texts)


def _format_size(title: str, size: RunSize, part: float = 1.0) -> list[str]:
    """The lines of a size. Its cost is ``part`` of the price that the user gave."""
    how = f"  (in batches, at {part:g} of the price)" if size.cost and part != 1 else ""
    later, (most, why) = size.requests - size.certain, size.bound
    remark = f"  (at most; {later:,} of them are asked only after a right answer)" if later else ""
    unknown = f"{wording.plural(size.unknown, 'prompt')} of unknown length; " if size.unknown else ""
    return [
        title,
        f"  questions       {size.questions:>14,}",
        f"  requests        {size.requests:>14,}{remark}",
        f"  prompt tokens   {size.prompt:>14,}  (estimated; {unknown}the longest measured prompt {size.longest:,})"
        if size.knows_prompts
        else f"  prompt tokens   {'unknown':>14}  (the programs have to run first)",
        f"  reply tokens    {size.reply:>14,}  ({'; '.join(filter(None, (most, why)))})",
        f"  cost            {size.money}{how}",
    ]
