"""Finds options and settings that would have no effect, or that replace each other, before the first request.

An option that the user typed and that has no effect is an error. In an ini file, which serves many commands, it is a
note.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_codereason.core import Model, Spec
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.limits.run_size import is_free
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.errors import UsageError
from pytest_codereason.options import FLAGS, Options
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.session.checking.models import SELF
from pytest_codereason.session.order import Order


def check_given_once(typed: Mapping[str, Sequence[str]]) -> None:
    """Checks that an option with one value is not given another one; ``typed`` is :attr:`Command.typed`.

    Raises:
        UsageError: it is; the last value would silently win.
    """
    for flag, values in typed.items():
        if len(set(values)) > 1 and "action" not in FLAGS[flag].attrs:
            raise UsageError(f"{flag} is given twice, as {' and as '.join(dict.fromkeys(values))}: keep one")


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


class Effects:
    """Checks that every option of an order has an effect on the suites that are asked."""

    def __init__(self, order: Order, suites: Mapping[str, Suite]) -> None:
        self._command = order.command
        self._options = order.options
        self._suites = suites
        self._models = order.roster.models
        self._writers = list(dict.fromkeys(order.roster.writers.values()))
        self._sampling = order.roster.sampling
        self._typed = order.command.typed

    def check(self, gates: Sequence[Gate]) -> list[str]:
        """What a user should know of options without an effect.

        Raises:
            UsageError: an option that the user typed has no effect at all.
        """
        idle = [*self._list_idle(gates)]
        for flag, why in idle:
            if flag in self._typed:
                raise UsageError(f"{flag} {why}")
        notes = [*self._command.replaced, *(f"{flag} {why}" for flag, why in idle)]
        notes += check_sampling_effect(self._suites, self._models, self._sampling)
        self._check_prefill()
        return notes + check_omitted(self._suites, self._models, self._sampling)

    def _list_idle(self, gates: Sequence[Gate]) -> Iterable[tuple[str, str]]:
        """Options that have no effect, and why."""
        options, asked = self._options, [*self._models.values(), *self.busy_writers]
        names = ", ".join(model.label for model in asked)
        baselines = all(model.spec.startswith("baseline:") for model in asked)
        if options.baseline is not None and not any(gate.bound.from_baseline for gate in gates):
            yield "--eval-baseline", "has no effect: no gate names the baseline"
        if self._writers and not self.busy_writers:
            who = "each model" if options.writer == SELF else self._writers[0].label
            yield (
                "--eval-writer",
                f"has no effect: {who} has nothing to write, because no question shows a hint or another text that is "
                "not in a file. Remove it, or add 'hint' to the axis perturbation",
            )
        if options.max_cost is not None and all(map(is_free, asked)):
            yield "--eval-max-cost", f"has no effect: {names} costs nothing"
        if options.concurrency is not None and baselines:
            yield "--eval-concurrency", f"has no effect: no request is sent to {names}"
        if options.reuse_s:
            if not any(model.stored for model in asked):
                yield "--eval-reuse", f"has no effect: no answer of {names} is stored"
            elif all(model.pinned for model in asked if model.stored):
                yield (
                    "--eval-reuse",
                    f"has no effect: answers of {names} never expire, because its weights are known by their digest; "
                    "--eval-reuse=0 asks again",
                )
        if self._command.junit_file is None and self._options.junit_misses != "failures":
            yield "--eval-junit-misses", "has no effect without --junitxml=FILE"

    def _check_prefill(self) -> None:
        """Checks that a way of sending the beginning of replies is used.

        Raises:
            UsageError: no suite sends a beginning.
        """
        given = (key for key, value in self._options.model_args if key.rpartition(":")[2] == "prefill")
        if (key := next(given, None)) and not any(suite.prompts.prefill for suite in self._suites.values()):
            raise UsageError(f"--model-arg {key} has no effect: every suite of this run has prefill = false; remove it")

    @property
    def busy_writers(self) -> list[Model]:
        """The writers that have something to write."""
        return self._writers if any(suite.writer for suite in self._suites.values()) else []


def check_sampling_effect(
    suites: Mapping[str, Suite], models: Mapping[str, Model], shared: Mapping[str, object]
) -> list[str]:
    """Notes about suites that set a setting of sampling as an axis, so that a user's own setting has no effect there.

    Args:
        shared: the user's settings for all models.

    Raises:
        UsageError: a setting has no effect in any suite.
    """
    given = {key: f"--model-arg {key}" for key in shared}
    for label, model in models.items():
        given |= {key: f"{key} of {label}" for key in model.sampling if key not in given}
    notes = []
    for key, what in given.items():
        values = {name: (suite.conditions.matrix, suite.conditions.fixed) for name, suite in suites.items()}
        deaf = [name for name, places in values.items() if any(key in axes for axes in places)]
        if not deaf:
            continue
        sentence = f"{what} has no effect in {', '.join(deaf)}: the suite sets {key} as an axis"
        if len(deaf) == len(suites):
            raise UsageError(f"{sentence}; remove one of the two")
        notes.append(sentence)
    return notes


def check_omitted(suites: Mapping[str, Suite], models: Mapping[str, Model], shared: Mapping[str, object]) -> list[str]:
    """Notes about settings for all models that some model leaves out of its requests (``omit``).

    Args:
        shared: the user's settings for all models.

    Raises:
        UsageError: a setting is given that is not sent, or a suite compares values that are not sent.
    """
    notes = []
    for label, model in models.items():
        for key in sorted(model.omits & model.sampling.keys()):
            raise UsageError(f"{key} of {label} has no effect: omit={key} leaves it out of every request; remove one")
        for name, suite in suites.items():
            varied = (key for key in sorted(model.omits) if len(suite.conditions.matrix.get(key, ())) > 1)
            if compared := next(varied, None):
                raise UsageError(
                    f"{name} compares values of {compared}, but {label} has omit={compared}, so no request holds it: "
                    f"remove {compared} from omit, or from [matrix]"
                )
    for key in shared:
        deaf = [label for label, model in models.items() if key in model.omits]
        if deaf and all(key in model.omits for model in models.values() if model.takes_sampling):
            raise UsageError(
                f"--model-arg {key} has no effect: omit={key} leaves it out of every request; remove one of the two"
            )
        if deaf:
            notes.append(f"--model-arg {key} has no effect on {', '.join(deaf)}: omit={key} leaves it out")
    return notes


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
                instance = draft(suite, Spec(language, name, cell))
                yield find_first_ask(suite.task, instance).messages
            except Exception:  # skipped or broken: the run reports and counts it
                yield None
