"""Checks of runs by batches: whether their models take them, and what is under way already."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path

from pytest_codereason.core import Model, Price
from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.limits.run_size import is_free
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import ModelError, StoreError, UsageError
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.suite import Suite


def settle_batches(options: Options, models: Iterable[Model], *, processes: object) -> None:
    """Gives the models of a run by batches the price of batches.

    Args:
        processes: what the user wants of several processes, if anything.

    Raises:
        UsageError: batches cannot be had: of a model, or in such a run.
    """
    if not options.batch:
        for model in models:
            if model.batching is not None and model.batching.needed:
                raise UsageError(f"{model.label} is asked by files: add --eval-batch")
        return
    refusals = {
        "-n": bool(processes) and "one process sends all batches, and nothing is gained by more",
        "--eval-stop-when-decided": options.stop_when_decided and "all is sent before the first answer is there",
        "--eval-reuse=0": options.reuse_s == 0
        and "a run that goes on could not find its batches; without the option, a new run asks everything again too",
    }
    for option, why in refusals.items():
        if why:
            raise UsageError(f"--eval-batch and {option} cannot go together: {why}. Leave one of the two out")
    asked = [model for model in models if not is_free(model)]
    for model in asked:
        if model.batching is None:
            raise UsageError(
                f"--eval-batch: {model.label} takes no batches here; ask it in a run of its own without the option. "
                "docs/batches.md lists the providers that take them"
            )
        if (price := Price.of(model.price)) is not None:
            model.price = price.scale(model.batching.terms.discount)
    if not any(model.batching for model in models):
        raise UsageError("--eval-batch has no effect: no model of this run takes batches")


def check_batches(models: Iterable[Model]) -> list[str]:
    """What is good to know of models that answer in batches. Their providers are asked whether they take them.

    Raises:
        UsageError: a provider takes none.
    """

    async def check(model: Model) -> None:
        await model.start()
        try:
            assert model.batching is not None
            await model.batching.check()
        except (UsageError, ModelError) as error:
            raise UsageError(f"--eval-batch: {model.label}: {error}") from error
        finally:
            await model.close()

    async def check_all(batched: Sequence[Model]) -> None:
        await asyncio.gather(*map(check, batched))

    batched = [model for model in models if model.batching is not None]
    run_to_end(check_all(batched))
    return [f"{model.label} {model.batching.describe()}" for model in batched if model.batching is not None]


def describe_under_way(folder: Path, pairs: Iterable[tuple[Suite, Model]], selection: str) -> str:
    """``2 batches with 41,000 requests of this run are under way``; empty if its suites and models wait for nothing.

    Empty too if the store cannot be read: whoever wants an answer says so.
    """
    with suppress(StoreError), closing(Store(folder)) as store:
        names = {OpenRuns(store, model, selection).name(suite.plan) for suite, model in pairs if model.stored}
        batches, requests = store.batches.count(names)
        if batches:
            is_or_are = "is" if batches == 1 else "are"
            return f"{plural(batches, 'batch')} with {plural(requests, 'request')} of this run {is_or_are} under way"
    return ""


def check_under_way(options: Options, pairs: Iterable[tuple[Suite, Model]], selection: str) -> None:
    """Checks that nothing is asked that waits in a batch of an earlier session.

    Raises:
        UsageError: something does.
    """
    if options.batch or not (waiting := describe_under_way(options.store, pairs, selection)):
        return
    raise UsageError(
        f"{waiting}, and would be paid twice: add --eval-batch to fetch the answers, or give "
        "them up: codereason status --cancel all"
    )


def refuse_searches(options: Options, *, searches: bool) -> None:
    """Checks that no test of a run by batches searches for counterexamples.

    Raises:
        UsageError: one does: each of its questions follows from the answer before it.
    """
    if options.batch and searches:
        raise UsageError(
            "--eval-batch: a fuzz test asks question by question, and cannot wait for batches: run it without"
        )
