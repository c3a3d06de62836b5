"""Questions about programs of the tests."""

from __future__ import annotations

from pytest_codereason.core import Instance, Program
from pytest_codereason.questions.templates.loading import load


def make_instance(reference: Program, program: Program) -> Instance:
    """A question about the output of a program that was changed."""
    template = load("output-prediction", "direct")
    return Instance(
        id="x",
        family="x",
        suite="x",
        program=program,
        reference=reference,
        axes={},
        matrix={},
        template=template,
        asks="output",
    )
