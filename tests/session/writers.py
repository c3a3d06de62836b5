"""A model behind a server that writes texts for a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.servers import Server

SUMS = [
    {"id": f"sum{n}", "code": "def f(a, b):\n    return a + b", "input": f"{n}, 2", "output": f"{n + 2}"}
    for n in (1, 5)
]


def saying(reply: Callable[[str], str]) -> Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], str]:
    """A writer that replies to the text of a prompt."""
    return lambda messages, body: reply(str(messages[-1]["content"]))


def writer(server: Server, *more: str) -> list[str]:
    """The options of a run whose texts a server writes."""
    return ["--model=baseline:truth", "--eval-writer=openai:scripted", f"--eval-writer-url={server.url}", *more]
