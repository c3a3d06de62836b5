"""A question whose program the model rewrites before it answers."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Facts, Instance, Program
from pytest_codereason.questions.templates.loading import load

SHOWN = Program.from_source(
    language="python", source="def f(a):\n    # returns 7\n    return a + 1\n", call="f(1)", facts=Facts(output=2)
)


def instance(original: Program = SHOWN, **more: Any) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="suite",
        program=original,
        axes={"prompting": "direct", "defence": "refactor"},
        matrix={},
        template=load("output-prediction", "direct"),
        rewriting=load("refactor", "refactor"),
        **more,
    )
