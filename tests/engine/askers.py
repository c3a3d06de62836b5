"""One model at work in this process: its sender, its answers, its asker."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pytest_codereason.core import Model, Record
from pytest_codereason.engine.answers import Answers
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.questions.suites.suite import Suite


def make_sender(model: Model, store: Store, *, budget: Budget | None = None, **allowed: Any) -> Sender:
    patience = Patience(attempts=2, first_wait_s=0.001)
    allowance = Allowance(**{"concurrency": 2, **allowed})
    return Sender(model, allowance, store.notices, budget=budget, patience=patience)


def make_answers(
    model: Model, store: Store, *, selection: str = "", only: str | None = None, session: str = "", **more: Any
) -> Answers:
    sender = make_sender(model, store, session=session, **more)
    return Answers(sender, store, OpenRuns(store, model, selection, only=only), session=session)


def make_asker(model: Model, store: Store, **more: Any) -> Asker:
    return Asker(make_answers(model, store, **more), Executor("auto"))


def ask(asker: Asker, suite: Suite, *, repeats: int = 0, numbers: Sequence[int] = ()) -> list[Record]:
    async def run() -> list[Record]:
        specs = list(suite.specs())
        asked = await asyncio.gather(*(asker.records(suite, spec, numbers, repeats=repeats) for spec in specs))
        asker.stop_judging()
        await asker.answers.sender.close()
        return [record for records in asked for record in records]

    return asyncio.run(run())
