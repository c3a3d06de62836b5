"""CodeCrash's own perturbations, run from a checkout that CODEREASON_CODECRASH names.

Nothing of that code is here. It is imported from the checkout as its own scripts import it, from the folder that holds
``perturbations/`` and ``utils/`` (https://github.com/CUHK-ARISE/CodeCrash, GPL-3.0).
"""

from __future__ import annotations

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


def load_perturbations(programs: Sequence[Program]) -> Mapping[str, Callable[[Program], str]]:
    """What changes one of ``programs`` in the study's way, by our name of the perturbation. Empty without a checkout.

    A program has the call ``f(...)`` and the fact ``output``, as those of CRUXEval have. The draws are seeded.
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
        "rename": lambda p: structural.process_renaming_entities(p.source, "f", expressions[id(p)])[0],
        "conditions": lambda p: structural.process_reformatting_conditions(p.source),
        "dead-code": lambda p: structural.process_inserting_garbage_code(p.source),
        "psc-all": lambda p: structural.process_psc_all(p.source, "f", expressions[id(p)])[0],
        "comments": lambda p: textual.process_inserting_misleading_comments(p.source, output=outputs[id(p)]),
        "prints": lambda p: textual.process_inserting_misleading_prints(p.source, output=outputs[id(p)]),
        # A model writes the study's hints. This value is by the rule that its code has besides.
        "hint": lambda p: textual.process_inserting_function_hints(
            p.source, output_task, "f", values.random_modify_output(outputs[id(p)])
        ),
    }


def write_output(program: Program) -> str:
    """The literal of what a program returns."""
    return registry.language("python").values.write(program.facts["output"])
