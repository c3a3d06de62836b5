"""Witnesses the calls of Python programs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.core.language.tracing import Body, Witnessed
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.python.bodies import list_definitions, name_module, parse_file
from pytest_codereason.languages.python.runner import PythonRunner

#: What notes the calls: the harness loads these files into the same names, in this order.
WITNESS = ("weaver.py", "codes.py", "guard.py", "moments.py", "witness.py")


class PythonTracer(Tracer):
    """Witnesses calls by the interpreter's own hooks, and entered functions by its profiler in C.

    A file's code is named as Python imports the file: ``main``, ``shop.prices``. A function has the names of what
    encloses it before its own: ``main.Stack.push``, ``main.outer.inner``. The lambdas of one function, class or module
    are numbered in the order in which their bodies begin: ``main.<lambda1>``. What a comprehension or a class body
    calls is called by the function or module around it. The body of a generator is entered when its first value is
    asked for, so the caller is who asks.
    """

    sorting = re.compile(r"\b(cmp_to_key)\s*\(")
    comparing = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        return _add_trace(files, entry, call, {"witnessed": witnessed})

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments."""
        blurred = [_list_blurred(file, files[file]) for file in _list_files(files, entry)]
        return _add_trace(files, entry, call, {"witnessed": "moments", "probes": probes, "blurred": blurred})

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every module and function of a program."""
        bodies = []
        for file in _list_files(files, entry):
            module = name_module(file)
            bodies.append(Body(module, file, 1, callable=False))
            for node, name in list_definitions(parse_file(file, files[file]), module):
                if not isinstance(node, ast.ClassDef):
                    bodies.append(Body(name, file, node.lineno))
        return bodies


def _add_trace(files: Mapping[str, str], entry: str, call: str, settings: Mapping[str, object]) -> Harness:
    """How to run a program beside the witness with these settings."""
    trace = {
        **settings,
        "entry": entry,
        "modules": {file: name_module(file) for file in _list_files(files, entry)},
        "witness": {name: read_beside(__file__, name) for name in WITNESS},
    }
    plain = PythonRunner().harness(files, entry, call)
    return replace(plain, files={**plain.files, "trace": json.dumps(trace)})


def _list_files(files: Mapping[str, str], entry: str) -> list[str]:
    """The files with code."""
    return [file for file in files if file == entry or file.endswith(".py")]


def _list_blurred(file: str, text: str) -> list[int]:
    """The lines with a comprehension. Some versions of Python tell of such a line once for each of its rounds."""
    lines = set[int]()
    for node in ast.walk(parse_file(file, text)):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sorted(lines)
