"""Chooses which questions of a suite are asked: a part for one machine, or a sample for a quick look."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_codereason.core import Spec
from pytest_codereason.engine.previews import find_first_ask, preview
from pytest_codereason.engine.sharding import Work, find_family, sample, share
from pytest_codereason.errors import CodereasonError, PartError, Skip, blame
from pytest_codereason.files.locations import shorten_path
from pytest_codereason.suites.suite import Suite


def select(suite: Suite, *, limit: int | None = None, shard: tuple[int, int] | None = None) -> Iterable[Spec]:
    """The questions that ``--eval-shard`` (part, number of parts) and ``--eval-limit`` leave.

    Every process chooses the same questions for every model.
    """
    if limit is None and shard is None:
        return suite.specs()
    specs = list(suite.specs())
    if shard:
        part, parts = shard
        work = [Work(find_family(spec.id), suite.cost_of(spec)) for spec in specs]
        specs = [specs[i] for i in share(work, parts, part)]
    if limit is not None and limit < len(specs):
        strata = ((spec.language, spec.program, repr(spec.axes)) for spec in specs)
        chosen = sample(strata, limit, suite.name)
        specs = [spec for i, spec in enumerate(specs) if i in chosen]
    return specs


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
                instance = preview(suite, spec)
                with blame(suite.task):
                    find_first_ask(suite.task.steps(instance))
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
