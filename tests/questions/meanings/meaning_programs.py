"""A program of which other meanings are asked for."""

from __future__ import annotations

from pytest_codereason.core import Facts, Instance, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.sandbox import Sandbox

SOURCE = """def f(n):
    t = 10
    for i in range(n):
        if i < 2:
            t = t + i
        else:
            t = t - 3
    return t
"""


def make_instance(source: str, call: str, meaning: str, sandbox: Sandbox, *, seed: int = 0) -> Instance:
    program = Program.from_source(language="python", source=source, call=call)
    output = sandbox.run(Run.from_program(program)).value
    return Instance(
        id="python/0000",
        family="0000",
        suite="meaning",
        program=program.replace_source(source, facts=Facts(output=output)),
        axes={"meaning": meaning},
        matrix={},
        template=load("meaning", "direct"),
        seed=seed,
    )
