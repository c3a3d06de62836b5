"""CodeCrash's own perturbations, run from a checkout that CODEREASON_CODECRASH names.

The study lays a program out before it changes it: its loaders of both data sets keep ``ast.unparse(ast.parse(code))``
of each program (``loader/crux.py``; section 2 of the paper). :func:`lay_out` is that step. Our perturbations take a
program as the data set has it, so whoever compares the two times :func:`lay_out` too.

Nothing of that code is here. It is imported from the checkout as its own scripts import it, from the folder that holds
``perturbations/`` and ``utils/`` (https://github.com/CUHK-ARISE/CodeCrash, GPL-3.0).
"""

from __future__ import annotations

import ast
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from pytest_codereason import registry
from pytest_codereason.core import Program

VARIABLE = "CODEREASON_CODECRASH"
WITHOUT = f"CodeCrash's own code was not run: {VARIABLE} names no checkout of it"


def lay_out(source: str) -> str:
    """A program without comments and in the layout of Python's own printer, as the study's loaders keep it."""
    return ast.unparse(ast.parse(source))


def load_perturbations(programs: Sequence[Program]) -> Mapping[str, Callable[[str, Program], str]]:
    """What changes one of ``programs`` in the study's way, by our name of the perturbation. Empty without a checkout.

    Each takes the text that is changed, which is laid out, and the program. A program has the call ``f(...)`` and the
    fact ``output``, as those of CRUXEval have. The draws are seeded.
    """
    folder = Path(os.environ.get(VARIABLE, ""))
    if VARIABLE not in os.environ or not (folder / "perturbations" / "textual").is_dir():
        return {}
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    structural, textual = import_module("perturbations.structural"), import_module("perturbations.textual")
    values, output_task = import_module("perturbations.textual.utils"), import_module("utils.format").Task("output")
    random.seed(0)
    outputs = {id(program): write_output(program) for program in programs}
    expressions = {id(p): [p.call, f"assert {p.call} == {outputs[id(p)]}"] for p in programs}
    return {
        "rename": lambda text, p: structural.process_renaming_entities(text, "f", expressions[id(p)])[0],
        "conditions": lambda text, p: structural.process_reformatting_conditions(text),
        "dead-code": lambda text, p: structural.process_inserting_garbage_code(text),
        "psc-all": lambda text, p: structural.process_psc_all(text, "f", expressions[id(p)])[0],
        "comments": lambda text, p: textual.process_inserting_misleading_comments(text, output=outputs[id(p)]),
        "prints": lambda text, p: textual.process_inserting_misleading_prints(text, output=outputs[id(p)]),
        # A model writes the study's hints. This value is by the rule that its code has besides.
        "hint": lambda text, p: textual.process_inserting_function_hints(
            text, output_task, "f", values.random_modify_output(outputs[id(p)])
        ),
    }


def write_output(program: Program) -> str:
    """The literal of what a program returns."""
    return registry.language("python").values.write(program.facts["output"])
