"""Chooses which questions of a suite are asked: a part for one machine, or a sample for a quick look."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_codereason.core import Spec
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.text.parts import Part, count_part
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.engine.sharing.sharding import Work, find_shared, share
from pytest_codereason.errors import CodereasonError, PartError, Skip
from pytest_codereason.questions.suites.enumeration import Questions, sample
from pytest_codereason.questions.suites.suite import Suite


def select(suite: Suite, *, limit: Part | None = None, shard: tuple[int, int] | None = None) -> Iterable[Spec]:
    """The questions that ``--eval-shard`` (part, number of parts) and ``--eval-limit`` leave.

    Every process chooses the same questions for every model. Those of an adaptive suite come cell by cell.
    """
    return _choose(suite, limit, shard) if not suite.chosen_axis else _group_cells(suite, _choose(suite, limit, shard))


def _group_cells(suite: Suite, specs: Iterable[Spec]) -> list[Spec]:
    """The questions cell by cell, so that the records of a cell stand together whoever asked it."""
    cells: dict[str, list[Spec]] = {}
    for spec in specs:
        cells.setdefault(find_shared(spec.id, suite.chosen_axis), []).append(spec)
    return [spec for cell in cells.values() for spec in cell]


def _choose(suite: Suite, limit: Part | None, shard: tuple[int, int] | None) -> Iterable[Spec]:
    if shard is None:
        questions = Questions(suite)
        most = len(questions) if limit is None else count_part(limit, len(questions))
        return questions if most == len(questions) else questions.sample(most)
    specs = list(suite.specs())
    specs = [specs[i] for i in share(_measure(suite, specs), shard[1], shard[0])]
    if limit is not None and (most := count_part(limit, len(specs))) < len(specs):
        chosen = sample(((spec.language, spec.program) for spec in specs), most, suite.name)
        specs = [spec for i, spec in enumerate(specs) if i in chosen]
    return specs


def place_programs(suite: Suite, shard: tuple[int, int]) -> dict[str, int]:
    """The programs of a shard, such as ``python/0007``, with their places among all programs of the suite, from 0."""
    work = _measure(suite, suite.specs())
    places = {family: place for place, family in enumerate(dict.fromkeys(each.family for each in work))}
    part, parts = shard
    return {work[i].family: places[work[i].family] for i in share(work, parts, part)}


def _measure(suite: Suite, specs: Iterable[Spec]) -> list[Work]:
    return [Work(find_shared(spec.id, suite.chosen_axis), suite.cost_of(spec)) for spec in specs]


def try_questions(suite: Suite) -> tuple[int, list[PartError]]:
    """Builds one question of every kind, to find mistakes in templates and tasks before any question is asked.

    Returns the number of questions that could be built, and the errors in parts of other packages.

    Raises:
        UsageError: a mistake in the suite or its templates prevents a question.
    """
    made, errors = 0, []
    for language in suite.languages:
        for cell in suite.cells:
            name = next(suite.list_programs(language), None)
            if name is None:
                continue
            spec = Spec(language, name, cell)
            try:
                instance = draft(suite, spec)
                find_first_ask(suite.task, instance)
                made += 1
            except Skip:
                made += 1  # the run reports and counts the skipped question
            except PartError as error:
                errors.append(error)
            except Exception as error:
                if isinstance(error, CodereasonError):
                    raise
                errors.append(PartError(f"{shorten_path(suite.path)}: {spec.id}", error))
    return made, errors
