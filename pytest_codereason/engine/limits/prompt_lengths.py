"""Estimates, before a run, how many questions are too long for a model.

The number tells the user whether the run is worth its time. The run itself finds out which questions are too long, so
a few questions are measured here and stand for all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from pytest_codereason.core import Ask, AxisValue, Instance, Model, Spec
from pytest_codereason.core.text.tokens import estimate_length
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.errors import PartError, blame, explain
from pytest_codereason.questions.suites.suite import Suite

F = TypeVar("F")
QuestionKind = tuple[str, str]  #: language and cell, as in an id: ``("python", "distractors:20,position:0")``


def count_kinds(questions: Iterable[tuple[F, str]]) -> dict[F, Counter[QuestionKind]]:
    """How many questions of each kind a file has, from pairs of the file and ``python/0007[cell]``."""
    counts: dict[F, Counter[QuestionKind]] = defaultdict(Counter)
    for file, name in questions:
        program, _, cell = name.partition("[")
        counts[file][program.partition("/")[0], cell.removesuffix("]")] += 1
    return counts


def list_warnings(asked: Iterable[tuple[Suite, Mapping[QuestionKind, int]]], models: Iterable[Model]) -> Iterator[str]:
    """A warning for each suite with questions that are too long for a model.

    Args:
        asked: each suite with the number of questions of each kind, summed over all models.
        models: the models, after :meth:`~pytest_codereason.core.Model.check`. A model that raises an exception has no
            warning but that.
    """
    limits = []
    for model in models:
        try:
            with blame(model):
                limits.append((model, model.context_length()))
        except PartError as error:
            yield explain(error)
    if not limits:
        return
    for suite, counts in asked:
        each = {kind: many // len(limits) for kind, many in counts.items()}
        for model, length in limits:
            if length and (many := count_too_long(suite, each, model, length)):
                yield (
                    f"{suite.name}: about {_round(many):,} of {sum(each.values()):,} questions are longer than the "
                    f"{length:,} tokens that {model.label} takes; they will count as too-long"
                )


def count_too_long(suite: Suite, counts: Mapping[QuestionKind, int], model: Model, length: int) -> int:
    """About how many questions take more than ``length`` tokens, together with the longest allowed answer."""
    total = 0
    for instance, many in sample_questions(suite, counts, model):
        try:
            ask = find_first_ask(suite.task, instance)
            tokens = _count_tokens(ask, model)
        except Exception:  # broken: the run reports and counts it
            continue
        sampling = suite.sampling_for(instance, model.sampling).with_room(ask.room)
        if tokens + (sampling.max_tokens or 1) > length:
            total += many
    return total


def sample_questions(suite: Suite, counts: Mapping[QuestionKind, int], model: Model) -> Iterator[tuple[Instance, int]]:
    """One question for each language and cell, and for how many questions it stands.

    Each cell is measured with another program, so that cells of one length, such as the positions in a context, are
    measured with several programs. Questions that cannot be built are left out.
    """
    known = merge_kinds(suite, counts)
    names = {lang: list(islice(suite.list_programs(lang), len(suite.cells))) for lang, _ in known}
    for place, ((language, cell), many) in enumerate(known.items()):
        if not names[language]:
            continue
        spec = Spec(language, names[language][place % len(names[language])], cell)
        try:
            instance = draft(suite, spec, model.count_tokens)
        except Exception:  # skipped or broken: the run reports and counts it
            continue
        yield instance, many


def merge_kinds(
    suite: Suite, counts: Mapping[QuestionKind, int]
) -> Counter[tuple[str, tuple[tuple[str, AxisValue], ...]]]:
    """How many questions each language and cell has. Values that stages draw from a program make no cell."""
    cells = {Spec("", "", cell).cell: cell for cell in suite.cells}
    known: Counter[tuple[str, tuple[tuple[str, AxisValue], ...]]] = Counter()
    for (language, name), many in counts.items():
        text = name
        while text and text not in cells:  # removes values that stages draw from the program; they come last
            text = text.rpartition(",")[0]
        if text in cells:
            known[language, cells[text]] += many
    return known


def _count_tokens(ask: Ask, model: Model) -> int:
    text = "\n".join([*(message.content for message in ask.messages), ask.prefill])
    count = model.count_tokens(text)
    return estimate_length(text) if count is None else count


def _round(number: int) -> int:
    """The number rounded to two digits, because an estimate is not more exact."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / step) * step
