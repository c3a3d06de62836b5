"""Sends requests to one model: loads it before the first, asks again after trouble, and stops for good."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cached_property, partial

from pytest_codereason.core import Completion, Model, Request, digest
from pytest_codereason.core.secrets import hide_inside
from pytest_codereason.engine.completions import check_completion
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.budget import Budget
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.storage.notices import ModelPause, Notices
from pytest_codereason.errors import FatalModelError, ModelError, PartError, blame


class Sender:
    """The way to one model, in one process and one event loop.

    Args:
        allowance: how many requests may be in flight, and until when.
        notices: tell when the model is to be left alone, and when the session ends, in whichever process.
        budget: pays for each request; ``None`` where nothing is to be paid.
        patience: how often and how long a request is tried.
    """

    def __init__(
        self,
        model: Model,
        allowance: Allowance,
        notices: Notices,
        *,
        budget: Budget | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.model = model
        self.slots = asyncio.Semaphore(allowance.count_requests(model))  #: whoever calls :meth:`send` holds one
        self.sent = 0  #: requests, of this process
        self.fatal: FatalModelError | None = None  #: the reason why no more requests are sent
        self._allowance, self._notices, self._budget = allowance, notices, budget
        self.patience = patience or Patience()  #: with which requests are tried
        self.patience.pause = ModelPause(notices, lambda: self.identity)
        self._started: asyncio.Task[None] | None = None

    @cached_property
    def identity(self) -> str:
        """Digest of everything that shapes an answer besides the request."""
        return digest(dict(self.model.identity))

    async def ask(self, request: Request) -> Completion:
        """One completion. It is paid for and not stored.

        Raises:
            ModelError: the model gave no answer.
        """
        async with self.slots:
            return await self.send(request)

    async def send(self, request: Request) -> Completion:
        """One completion, as :meth:`ask` gives it, to a caller that holds a slot."""
        self.check_open()
        await self.start()
        answer = self._answer if self._budget is None else partial(self._budget.pay, self.model, ask=self._answer)
        try:
            return await self.patience.retry(partial(answer, request))
        except FatalModelError as error:
            self.stop(error)
            raise
        except PartError as error:
            raise ModelError(str(error)) from error

    async def _answer(self, request: Request) -> Completion:
        if not self.fatal and (reason := self._notices.find_stop(self._allowance.session)):
            self.stop(reason)
        self.check_open()
        self.sent += 1
        with blame(self.model):
            answer, end = self.model.answer(request), self._allowance.end
            return self.accept(await (answer if end is None else end.wait_for(answer)))

    def accept(self, completion: Completion) -> Completion:
        """A completion as it is kept: checked, and without secrets. A server may repeat what it was sent."""
        completion = check_completion(self.model, completion)
        texts = {name: hide_inside(getattr(completion, name)) for name in ("text", "reasoning", "served_by")}
        return replace(completion, **texts)

    async def start(self) -> None:
        """Loads the model, just before the first request."""
        if self._started is None:
            self._started = asyncio.ensure_future(self.model.start())
        try:
            with blame(self.model):
                if self._started.done():
                    self._started.result()
                else:
                    await asyncio.shield(self._started)
        except Exception as error:
            self.fatal = error if isinstance(error, FatalModelError) else FatalModelError(str(error))
            raise self.fatal from error

    def check_open(self) -> None:
        """Does nothing while requests are sent.

        Raises:
            FatalModelError: no more requests are sent.
        """
        if self.fatal:
            raise self.fatal

    def stop(self, reason: str | FatalModelError) -> None:
        """Sends no further request. Requests in flight may still be answered."""
        self.fatal = self.fatal or (FatalModelError(reason) if isinstance(reason, str) else reason)

    def stop_waiting(self) -> None:
        """Ends the waits between two tries of a request. Call it in the event loop."""
        self.patience.stop()

    async def close(self) -> None:
        """Closes the model, if it was loaded.

        Raises:
            PartError: the model raised an exception. Its answers are stored.
        """
        if self._started is not None and self._started.done() and self._started.exception() is None:
            with blame(self.model):
                await self.model.close()
