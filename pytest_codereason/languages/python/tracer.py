"""Witnesses the calls of Python programs."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import replace

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.tracing import Body, Witnessed
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.python.bodies import list_definitions, name_module, parse_file
from pytest_codereason.languages.python.runner import PythonRunner

#: What notes the calls: the harness loads these files into the same names, in this order.
WITNESS = ("weaver.py", "codes.py", "guard.py", "witness.py")


class PythonTracer(Tracer):
    """Witnesses calls by the interpreter's own hooks, and entered functions by its profiler in C.

    A file's code is named as Python imports the file: ``main``, ``shop.prices``. A function has the names of what
    encloses it before its own: ``main.Stack.push``, ``main.outer.inner``. The lambdas of one function, class or module
    are numbered in the order in which their bodies begin: ``main.<lambda1>``. What a comprehension or a class body
    calls is called by the function or module around it. The body of a generator is entered when its first value is
    asked for, so the caller is who asks.
    """

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        trace = {
            "entry": entry,
            "modules": {file: name_module(file) for file in files if file == entry or file.endswith(".py")},
            "witnessed": witnessed,
            "witness": {name: read_beside(__file__, name) for name in WITNESS},
        }
        plain = PythonRunner().harness(files, entry, call)
        return replace(plain, files={**plain.files, "trace": json.dumps(trace)})

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every module and function of a program."""
        bodies = []
        for file, text in files.items():
            if file != entry and not file.endswith(".py"):
                continue
            module = name_module(file)
            bodies.append(Body(module, file, 1, callable=False))
            for node, name in list_definitions(parse_file(file, text), module):
                if not isinstance(node, ast.ClassDef):
                    bodies.append(Body(name, file, node.lineno))
        return bodies
