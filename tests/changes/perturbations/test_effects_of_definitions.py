"""Definitions that act when they are executed keep their order."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import pytest

from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.data_sets import data

NOTE = "log = []\ndef note(v):\n    log.append(v)\n    return v\n"
#: Definitions with effects, beside some without, whose order is seen in ``log``.
ACTING = {
    "defaults": "def g(a=note(1)):\n    return a\ndef h(b=note(2)):\n    return b\n",
    "annotations": "def g(a: note(1)):\n    return a\ndef h(b) -> note(2):\n    return b\n",
    "class bodies": "class A:\n    note(1)\nclass B:\n    log.append(2)\n",
    "class attributes": "class A:\n    x = note(1)\nclass B:\n    def m(self, y=note(2)):\n        return y\n",
    "keyword-only defaults": "def g(*, a=note(1)):\n    return a\ndef h(*, b=[note(2)]):\n    return b\n",
    "what is read": "def g(a=note(1)):\n    return a\nclass B:\n    size = len(log)\n    log.append(size)\n",
    "reads alone": "def g(a=note(1)):\n    return a\ndef h(b=log[-1:]):\n    log.append(b)\n",
    "attributes": "class A:\n    note.x = 1\nclass B:\n    note.x = 2\nclass C:\n    log.append(note.x)\n",
    "hidden names": "def len(v):\n    log.append(v)\n    return 1\ndef g(a=len([1])):\n    return a\n"
    "def h(b=len([2])):\n    return b\n",
    "descriptors": "class P:\n    def __set_name__(self, owner, name):\n        log.append(name)\n"
    "class A:\n    x = P()\nclass B:\n    y = P()\n",
}
IDLE = "def one():\n    return 1\ndef two():\n    return 2\n"


def list_orders(program: Program, seeds: int) -> Iterator[Program]:
    for seed in range(seeds):
        try:
            yield perturb(program, parse("function-order"), seed, "x", "output")
        except Skip:
            continue


def assert_same(programs: list[Program], changed: list[list[Program]], sandbox: Sandbox) -> None:
    runs = [Run.from_program(program) for program in itertools.chain(programs, *changed)]
    ends = iter(sandbox.run_all(runs))
    rights = [next(ends) for _ in programs]
    for right, variants in zip(rights, changed, strict=True):
        assert right.returned, right.words
        for variant in variants:
            end = next(ends)
            assert (end.ending, end.value) == (right.ending, right.value), variant.source


@pytest.mark.parametrize("case", ACTING)
def test_what_is_seen_of_the_order_stays(case: str, sandbox: Sandbox) -> None:
    source = f"{NOTE}{IDLE}{ACTING[case]}def f(n):\n    return repr(log) + repr(one() + two())\n"
    program = Program.from_source(language="python", source=source, call="f(2)")
    variants = list({variant.source: variant for variant in list_orders(program, 12)}.values())
    assert len(variants) > 1, "what does nothing may still be moved"
    assert_same([program], [variants], sandbox)


def test_definitions_of_a_data_set_of_changes(sandbox: Sandbox) -> None:
    rows = [json.loads(line) for line in data("programs/changes.jsonl").read_text().splitlines()]
    programs = [
        Program.from_source(language=row["language"], source=row["code"], call=call)
        for row in rows
        if row["under"] == "function-order"
        for call in row["calls"]
    ]
    assert programs
    assert_same(programs, [[*list_orders(program, 8)] for program in programs], sandbox)
