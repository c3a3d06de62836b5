"""Ends a run early: signals, and the workers of xdist, which may not have got the signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import StoreError

#: Seconds that a worker has to end. After them xdist kills the worker: at first answers in flight land, then the worker
#: closes its model, its store and its sandbox.
WORKER_END_S = GRACE_S + 4.0


def stop_on_sigterm() -> signal.Handlers | None:
    """Makes SIGTERM end a run as Ctrl-C does. A second SIGTERM ends it at once. Gives the replaced handler."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return None

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise KeyboardInterrupt("SIGTERM")

    signal.signal(signal.SIGTERM, stop)
    return signal.SIG_DFL


def stop_workers(config: pytest.Config, store: Path, session: str) -> None:
    """Has the workers of xdist send no further request. xdist itself lets them go on for seconds.

    From now on a Ctrl-C ends this process at once. pytest would begin to wait for the workers anew.
    """
    distributed: Any = config.pluginmanager.get_plugin("dsession")
    if distributed is None:
        return
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        config.add_cleanup(partial(_restore, before))
    if nodes := getattr(distributed, "nodemanager", None):
        nodes.EXIT_TIMEOUT = WORKER_END_S
    with suppress(StoreError), closing(Store(store)) as opened:
        opened.notices.stop(session, "the run is ending")


def _restore(handler: Callable[[int, FrameType | None], Any] | int | None) -> None:
    signal.signal(signal.SIGINT, handler)
