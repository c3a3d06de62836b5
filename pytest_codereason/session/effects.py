"""Refuses options that the user typed and that have no effect. In an ini file an option may stand for other runs."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pytest_codereason.core import Model, Spec
from pytest_codereason.engine.previews import find_first_ask, preview
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.errors import UsageError
from pytest_codereason.options import Options
from pytest_codereason.suites.reading import load
from pytest_codereason.suites.suite import Suite


def check_gate_options(typed: Collection[str], options: Options) -> None:
    """Checks the options that say how gates are judged.

    Raises:
        UsageError: there is no gate.
    """
    if "--eval-allow-partial" in typed and not options.gates:
        raise UsageError("--eval-allow-partial has no effect: there is no gate; add --eval-gate")


def check_search_options(typed: Collection[str], *, searches: bool) -> None:
    """Checks the options of fuzz tests.

    Raises:
        UsageError: the run has no fuzz test.
    """
    for flag in ("--eval-fuzz-requests", "--eval-fuzz-shrink"):
        if flag in typed and not searches:
            raise UsageError(f"{flag} has no effect: this run has no fuzz test; name a file with one")


def check_seed(
    typed: Collection[str], options: Options, models: Iterable[Model], suites: Iterable[Suite], *, searches: bool
) -> None:
    """Checks that ``--eval-seed`` changes something: what a suite asks, what a model draws, what is asked first.

    Raises:
        UsageError: it changes nothing.
    """
    if "--eval-seed" not in typed or searches or options.repeat or options.stop_when_decided:
        return
    if any(model.draws_by_seed for model in models):
        return
    suites = list(suites)
    if not any(map(_uses_seed, suites)):
        names = ", ".join(suite.name for suite in suites)
        raise UsageError(f"--eval-seed has no effect: nothing in {names} is drawn by a seed")


def _uses_seed(suite: Suite) -> bool:
    other = load(suite.path, seed=suite.seed + 1)
    if [*_describe_parts(suite)] != [*_describe_parts(other)]:
        return True
    return [*_build_first(suite)] != [*_build_first(other)]


def _describe_parts(suite: Suite) -> Iterator[Any]:
    yield dict(suite.source.identity)
    yield from map(suite.describe_stage, suite.stages)


def _build_first(suite: Suite) -> Iterator[Any]:
    """What is asked first about one program of each language, in each cell. A stage may draw by the suite's seed."""
    for language in suite.languages:
        for name, cell in itertools.product(itertools.islice(suite.list_programs(language), 1), suite.cells):
            try:
                instance = preview(suite, Spec(language, name, cell))
                yield find_first_ask(follow_steps(suite.task, instance)).messages
            except Exception:  # skipped or broken: the run reports and counts it
                yield None
