"""How long 200 small programs take that are run once as they are and three times under trace.

Prints seconds and programs a second, and never fails on a clock. The start of the sandbox counts. The aim: two minutes
on two processors for Python, four for JavaScript, eight for Java.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import as_completed

import pytest

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.making.validating import validate
from pytest_codereason.harvest.workers import Workers, get_executor
from tests.benchmarks.extent import limit

pytestmark = pytest.mark.benchmark

COUNT = limit(200, 10)
FILES = {
    "python": (
        "main.py",
        "def f{0}(n):\n    return g{0}(n) + h{0}(n)\n\ndef g{0}(n):\n    return h{0}(n - {0})\n\n"
        "def h{0}(n):\n    return n * {0}\n\nfor i in range(9):\n    print(f{0}(i))\n",
    ),
    "javascript": (
        "main.js",
        "function f{0}(n) {{ return g{0}(n) + h{0}(n); }}\nfunction g{0}(n) {{ return h{0}(n - {0}); }}\n"
        "const h{0} = (n) => n * {0};\nfor (let i = 0; i < 9; i++) console.log(f{0}(i));\n",
    ),
    "java": (
        "Main.java",
        "class Main {{\n    static int f{0}(int n) {{ return g{0}(n) + h{0}(n); }}\n"
        "    static int g{0}(int n) {{ return h{0}(n - {0}); }}\n    static int h{0}(int n) {{ return n * {0}; }}\n"
        "    public static void main(String[] a) {{\n"
        "        for (int i = 0; i < 9; i++) System.out.println(f{0}(i));\n    }}\n}}\n",
    ),
}


def run(language: str, number: int) -> bool:
    """Whether a program is accepted. Called in a worker."""
    name, template = FILES[language]
    verdict = validate(language, {name: template.format(number)}, name, get_executor().execute)
    return not isinstance(verdict, Refusal)


@pytest.mark.parametrize("language", FILES)
def test_validated_programs_a_second(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    processors = len(os.sched_getaffinity(0))
    started = time.perf_counter()
    workers = Workers(processors)
    try:
        futures = [workers.call(run, language, number) for number in range(COUNT)]
        accepted = sum(workers.wait(future) for future in as_completed(futures))
    finally:
        workers.close()
    seconds = time.perf_counter() - started
    rate = f"{COUNT / seconds:.1f} a second"
    with capsys.disabled():
        print(f"\n{language}: {COUNT} programs in {seconds:.1f} s on {processors} processors, {rate}")
    assert accepted == COUNT
