"""Checks a run as a whole, before its first request, so that a mistake costs nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_codereason.core import Model
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits import prompt_lengths as lengths
from pytest_codereason.engine.limits.run_size import RunSize
from pytest_codereason.engine.sharing.selection import try_questions
from pytest_codereason.engine.storage.signing import Signer
from pytest_codereason.errors import UsageError, explain
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.reports import conclusion
from pytest_codereason.results.runs.run_info import parse_run
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.session.checking.batches import check_batches, check_under_way
from pytest_codereason.session.checking.checks import (
    Selection,
    check_limit,
    check_prices,
    check_sandbox,
    check_store,
    list_divided_costs,
    list_open_costs,
    list_uncounted,
)
from pytest_codereason.session.checking.idle_options import Effects
from pytest_codereason.session.checking.sizing import Sizing
from pytest_codereason.session.checking.trying import Trial
from pytest_codereason.session.order import Order
from pytest_codereason.session.running.early_stop import check_stop, list_planned
from pytest_codereason.session.running.gating import read_baseline_info


@dataclass(frozen=True, kw_only=True)
class CheckedRun:
    """A run in which nothing is wrong: its questions will be asked, or counted."""

    selection: Selection
    description: dict[str, Any]  #: the content of ``run.json``, which is completed at the end
    gates: Sequence[Gate]
    sizing: Sizing
    signer: Signer | None = None
    sizes: Mapping[str, RunSize] = field(default_factory=dict)  #: by model; a dry run has none
    notes: list[str] = field(default_factory=list)  #: what a user should know before the first question


def check_run(
    order: Order,
    selection: Selection,
    description: dict[str, Any],
    executor: Executor,
    items: Sequence[tuple[Path, str]],
    trial: Trial,
) -> CheckedRun:
    """The run, once everything in it was checked. A dry run asks nobody and runs nothing, so less of it is checked.

    Args:
        description: the content of ``run.json``. What the checks find is added.
        items: the questions that will be asked, each a suite file and the id of an item.
        trial: tries the models that have not been tried yet.

    Raises:
        UsageError: a suite, a gate, a model or the store cannot be used.
    """
    options, suites, models = order.options, selection.suites, order.roster.models
    gates = conclusion.parse_gates(options.gates, description, read_baseline_info(options))
    check_stop(options, gates)
    check_limit(options, suites.values())
    conclusion.check_parts(options.figures, options.reporters)
    signer = Signer(options.sign) if options.sign else None
    effects = Effects(order, suites)
    notes = [*effects.check(gates), *_try_questions(suites.values())]
    notes += list_divided_costs(options)
    notes += _foresee(gates, description, selection, items, options)
    sizing, sizes = Sizing(suites, models, items, repeat=options.repeat), dict[str, RunSize]()
    if not options.dry_run:
        notes += _check_models(order, effects.busy_writers, trial)
        check_store(options.store)
        pairs = itertools.product(suites.values(), models.values())
        check_under_way(options, pairs, order.command.selector)
        if options.batch:
            notes += check_batches(models.values())
        tier, missing = check_sandbox(executor, suites.values(), models.values(), options.sandbox)
        sizes = sizing.estimate_each()
        notes += [*missing, *list_open_costs(sizes, options)]
        description["sandbox"] = tier
        description["versions"] |= executor.list_versions()
        description["estimate"] = {label: size.describe() for label, size in sizes.items()}
    asked = ((suite, selection.kinds[name]) for name, suite in suites.items())
    notes += lengths.list_warnings(asked, models.values())
    return CheckedRun(
        selection=selection,
        description=description,
        gates=gates,
        sizing=sizing,
        signer=signer,
        sizes=sizes,
        notes=notes,
    )


def _foresee(
    gates: Sequence[Gate],
    description: Mapping[str, Any],
    selection: Selection,
    items: Sequence[tuple[Path, str]],
    options: Options,
) -> list[str]:
    """A note for each gate that so few programs cannot let pass."""
    if options.claim == "suite" or not gates:
        return []
    from pytest_codereason.results.verdicts.foreseen import foresee

    suites = {suite.path: suite for suite in selection.suites.values()}
    questions = ((suites[path], nodeid) for path, nodeid in items)
    run = parse_run(description)
    return [*map(str, foresee(gates, run, list_planned(questions, next(iter(run.models)))))]


def _try_questions(suites: Iterable[Suite]) -> list[str]:
    """A note for each error in a part of another package, while some questions can be built.

    Raises:
        UsageError: no question can be built.
    """
    tried = [try_questions(suite) for suite in suites]
    errors = {str(error): error.trace for _, raised in tried for error in raised}
    if errors and not sum(made for made, _ in tried):
        line, trace = next(iter(errors.items()))
        raise UsageError(f"{line}\n{trace}")
    return [f"{line}; questions that need it become errors\n{trace}" for line, trace in errors.items()]


def _check_models(order: Order, writers: Sequence[Model], trial: Trial) -> list[str]:
    """What is to be said of the models that are asked, and of those that write."""
    notes, models = list_uncounted(writers), order.roster.models
    if order.options.max_cost is not None:
        check_prices(models, writers)
    return [*notes, *map(explain, trial.try_rest(dict.fromkeys([*models.values(), *writers])))]
