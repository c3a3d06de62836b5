"""A model within this process that tells the truth, or whatever a test has it say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_codereason.core import Completion, Model, Request, Usage
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = {count}
seed = 3

[matrix]
prompting = ["direct"]

[sampling]
samples = {samples}
"""
#: A suite that chooses its questions, eight in each of its cells.
ADAPTIVE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "ladder"
count = 8

[adaptive]
over = "level"
top = 8
budget = 8
batch = 2
"""


def make_suite(folder: Path, name: str = "small", *, count: int = 3, samples: int = 1) -> Suite:
    """A suite that runs no program."""
    path = folder / f"{name}.suite.toml"
    path.write_text(SUITE.format(count=count, samples=samples))
    return load(path)


def tell_truth(request: Request) -> Completion:
    """The right reply, of three tokens and two."""
    return Completion(text=request.ask.truth, usage=Usage(prompt=3, completion=2), latency_s=0.5)


class Teller(Model):
    """Answers with what ``say`` gives, and remembers what it was asked."""

    pinned = False
    concurrency = 2

    def __init__(self, say: Callable[[Request], Any] = tell_truth, *, label: str = "teller") -> None:
        self.label = label
        self._say = say
        self.asked: list[Request] = []
        self.calls: list[str] = []

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Teller:
        raise NotImplementedError

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"teller": self.label}

    async def start(self) -> None:
        self.calls.append("start")

    async def answer(self, request: Request) -> Completion:
        self.asked.append(request)
        reply: Completion = self._say(request)
        return reply

    async def close(self) -> None:
        self.calls.append("close")
