"""Engines of the tests, and what they are asked."""

from __future__ import annotations

from pytest_codereason.models.local.engine import EngineSettings

#: A request that takes a while.
LONG = {"prompt": [1000] * 100, "n_predict": 4000, "ignore_eos": True}


def settings(path: object) -> EngineSettings:
    return EngineSettings(path=str(path), context=4096, chunk=64, threads=1, flash=False)
