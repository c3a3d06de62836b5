"""Runs a pipeline in a thread of its own, and hands its outputs to an event loop."""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from typing import Any

from pytest_codereason.errors import ModelError


class Batch:
    """Steps a continuous-batching pipeline while there are requests.

    Args:
        pipeline: an ``openvino_genai.ContinuousBatchingPipeline``. Only the batch uses it from now on.
        running: the status of a request that is not done.
    """

    def __init__(self, pipeline: Any, running: Any) -> None:
        self._pipeline = pipeline
        self._running = running
        self._waiting: queue.SimpleQueue[tuple[Any, Any, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._numbers = itertools.count()
        self._handles: dict[asyncio.Future[Any], Any] = {}
        self._thread = threading.Thread(target=self._serve, name="codereason-local", daemon=True)
        self._thread.start()

    async def run(self, tokens: Any, settings: Any) -> Any:
        """The output of one request, ``None`` if its prompt does not fit the cache.

        Raises:
            ModelError: the pipeline refused the request, or failed.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put((tokens, settings, future))
        return await future

    def close(self) -> None:
        """Stops after the current step and frees the pipeline. Requests that are not done get no output."""
        self._waiting.put(None)
        self._thread.join()
        self._handles.clear()
        del self._pipeline

    def _serve(self) -> None:
        while self._admit():
            try:
                self._pipeline.step()
            except RuntimeError as error:
                self._fail(ModelError(f"openvino-genai failed: {find_last_line(error)}"))
            self._collect()

    def _admit(self) -> bool:
        """Adds the waiting requests to the pipeline. Waits for one if the pipeline is empty. False once closed."""
        while True:
            try:
                request = self._waiting.get(block=not self._handles)
            except queue.Empty:
                return True
            if request is None:
                return False
            tokens, settings, future = request
            try:
                self._handles[future] = self._pipeline.add_request(next(self._numbers), tokens, settings)
            except RuntimeError as error:
                _settle(future, ModelError(f"openvino-genai refuses the request: {find_last_line(error)}"))

    def _collect(self) -> None:
        for future, handle in list(self._handles.items()):
            if future.cancelled():
                handle.cancel()
            elif handle.get_status() == self._running:
                continue
            else:
                _settle(future, handle.read_all()[0] if handle.can_read() else None)
            del self._handles[future]

    def _fail(self, error: ModelError) -> None:
        for future, handle in self._handles.items():
            handle.cancel()
            _settle(future, error)
        self._handles.clear()


def find_last_line(error: Exception) -> str:
    """The last line of an openvino error, which says what went wrong. The lines before name places in its source."""
    return next((line.strip() for line in reversed(str(error).splitlines()) if line.strip()), repr(error))


def _settle(future: asyncio.Future[Any], outcome: Any) -> None:
    """Gives a future of another thread's loop its result or its error."""

    def settle() -> None:
        if future.done():  # cancelled meanwhile
            return
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    future.get_loop().call_soon_threadsafe(settle)
