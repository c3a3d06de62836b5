"""The moments of Python programs: each line in its order, and what variables held before it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.moments import MOST_VISITS, TOO_LARGE, UNBOUND, LineProbe, Moments
from pytest_codereason.languages.python.moments import is_short
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages.called import run_program

CORPUS = Path(__file__).parents[2] / "corpus" / "python"
run = partial(run_program, "python")


def watch(sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "") -> Execution:
    """Runs a program of one file. A probe is a line, and names with blanks between them."""
    return sandbox.run(
        Run(
            language="python",
            files={"main.py": source},
            entry="main.py",
            call=call,
            witnessed="moments",
            probes=tuple(LineProbe("main.py", line, tuple(names.split())) for line, names in probes),
        )
    )


def see(sandbox: Sandbox, source: str, *probes: tuple[int, str], call: str = "") -> Moments:
    execution = watch(sandbox, source, *probes, call=call)
    assert execution.trace is not None, execution.words
    assert execution.trace.moments is not None
    return execution.trace.moments


def values(moments: Moments) -> Any:
    return moments.list_seen()


RUN = """def f(xs):
    best, run = 0, 0
    for x in xs:
        if x > 3:
            run = run + x
        else:
            run = 0
        best = max(best, run)
    return best
"""


def test_a_probe_sees_what_a_line_finds(sandbox: Sandbox) -> None:
    moments = see(sandbox, RUN, (8, "run best"), call="f([4, 9, 1, 5, 6, 8, 2])")
    assert values(moments) == [[[4, 0], [13, 4], [0, 13], [5, 13], [11, 13], [19, 13], [0, 19]]]
    assert moments.lines[:8] == (1, 2, 3, 4, 5, 8, 3, 4)
    assert moments.frames[:2] == (0, 1)
    assert moments.whole


def test_the_line_of_the_call_is_no_line_of_the_program(sandbox: Sandbox) -> None:
    assert see(sandbox, "x = 1\ny = 2\n", call="(lambda: x)()").lines == (1, 2)


def test_frames_keep_their_numbers(sandbox: Sandbox) -> None:
    source = "def g(n):\n    while n:\n        yield n\n        n -= 1\na, b = g(1), g(2)\nlist(zip(a, b))\nlist(b)\n"
    moments = see(sandbox, source)
    rows = list(zip(moments.frames, moments.lines, strict=True))
    assert rows == [
        *[(0, 1), (0, 5), (0, 6), (1, 2), (1, 3), (2, 2), (2, 3), (1, 4), (1, 2)],
        *[(0, 7), (2, 4), (2, 2), (2, 3), (2, 4), (2, 2)],
    ]


def test_each_call_has_a_frame_of_its_own(sandbox: Sandbox) -> None:
    moments = see(sandbox, "def f(n):\n    return n and f(n - 1)\nf(3)\nf(0)\n")
    assert moments.frames == (0, 0, 1, 2, 3, 4, 0, 5)


def test_a_comprehension_runs_its_line_once(sandbox: Sandbox) -> None:
    source = "def f(n):\n    k = [i for i in range(n)]\n    return sum(j for j in k)\n"
    assert see(sandbox, source, call="f(5)").lines == (1, 2, 3)


def test_the_line_of_a_lambda_runs_for_each_call(sandbox: Sandbox) -> None:
    source = "def f(xs):\n    return sorted(xs, key=lambda x: -x)\ndef g(): return 1\n"
    assert see(sandbox, source, call="f([1, 2]) + [g()]").lines == (1, 3, 2, 2, 2, 3)


def test_an_object_under_two_names_is_one(sandbox: Sandbox) -> None:
    source = "def f():\n    a = [1]\n    b = a\n    c = [1]\n    return c\n"
    [[visit]] = see(sandbox, source, (5, "a b c d"), call="f()").visits
    assert visit.same == (0, 0, 2, 3)
    assert visit.values == (0, 0, 0, UNBOUND)


@pytest.mark.parametrize(
    "value",
    ["[0] * 3000", "'x' * 2001", "10 ** 5000", "object()", "[lambda: 1]", "type('L', (list,), {})()", "float", "a"],
)
def test_a_value_that_is_huge_cyclic_or_foreign_is_marked(value: str, sandbox: Sandbox) -> None:
    source = f"def f():\n    a = []\n    a.append(a)\n    v = {value}\n    return 1\n"
    [[visit]] = see(sandbox, source, (5, "v"), call="f()").visits
    assert visit.values == (TOO_LARGE,)


def test_all_values_together_are_limited(sandbox: Sandbox) -> None:
    source = "def f():\n    for i in range(300):\n        v = [i] * 450\n        w = 1\n"
    moments = see(sandbox, source, (4, "v"), call="f()")
    [seen] = moments.visits
    assert len(seen) == MOST_VISITS
    assert seen[0].values == (0,)
    assert seen[-1].values == (TOO_LARGE,)


def test_a_value_is_short_by_its_sizes() -> None:
    own: list[Any] = []
    own.append(own)
    assert is_short([1, "abc", {"k": (2.5, None, True, {3})}])
    assert not any(is_short(value) for value in (own, [[[0] * 999] * 999] * 999, 1 << 9000, b"x" * 2001))


@pytest.mark.parametrize(
    ("source", "call", "place"),
    [
        ("def f(a):\n    return a[3]\n", "f([])", 2),
        ("def g(a):\n    return 1 / a\ndef f(a):\n    b = g(a)\n    return b\n", "f(0)", 2),
        ("def f(a):\n    raise KeyError(a)\n", "f(0)", 2),
        ("import json\ndef f(a):\n    return json.loads(a)\n", "f('[')", 3),
        ("def f(a):\n    try:\n        a[3]\n    except IndexError:\n        pass\n    return a[4]\n", "f([])", 6),
        ("def f(a):\n    try:\n        a[3]\n    finally:\n        a = 1\n", "f([])", None),
        ("def g(a):\n    try:\n        a[3]\n    except KeyError:\n        pass\ndef f(a):\n    g(a)\n", "f([])", None),
        ("def g(a):\n    try:\n        a[3]\n    finally:\n        a = 1\ndef f(a):\n    g(a)\n", "f([])", None),
        ("def f(a):\n    try:\n        a[3]\n    except IndexError as e:\n        raise e\n", "f([])", None),
        ("def f(a):\n    try:\n        a[3]\n    except IndexError:\n        a[4]\n", "f([])", 5),
        ("def g(a):\n    for b in a:\n        b += 1\ndef f(a):\n    g(b[3] for b in a)\n", "f([[]])", None),
        ("def f(a):\n    b = [c[3] for c in a]\n    return b\n", "f([[]])", 2),
        ("def f(a):\n    return 1\n", "f([])", None),
    ],
)
def test_an_exception_comes_from_a_line(source: str, call: str, place: int | None, sandbox: Sandbox) -> None:
    assert watch(sandbox, source, call=call).raised_at == (None if place is None else ("main.py", place))


def test_a_long_run_and_one_with_threads_are_not_whole(sandbox: Sandbox) -> None:
    long = see(sandbox, "def f():\n    for i in range(60_000):\n        i += 1\n", call="f()")
    assert (long.whole, long.lines) == (False, ())
    source = "import threading\ndef g():\n    pass\nt = threading.Thread(target=g)\nt.start()\nt.join()\n"
    assert not see(sandbox, source).whole


def test_a_name_that_is_no_plain_text_hides_the_variables(sandbox: Sandbox) -> None:
    source = (
        "class Name(str):\n    __hash__ = str.__hash__\n    def __eq__(self, other):\n        print('looked up')\n"
        "        return False\nglobals()[Name('x')] = 1\ny = 2\nz = 3\n"
    )
    execution = watch(sandbox, source, (8, "x y"))
    assert execution.trace is not None
    assert execution.trace.moments is not None
    assert execution.trace.moments.visits == ((),)
    assert execution.stdout == ""


def test_lines_are_those_that_are_counted(sandbox: Sandbox) -> None:
    source = RUN + "def g(n):\n    while True:\n        n -= 1\n        if n < 0:\n            break\n    return n\n"
    call = "f([4, 1]) + g(3)"
    counted = run(sandbox, source, "lines", call).trace
    assert counted is not None
    moments = see(sandbox, source, call=call)
    # The witness of lines takes the line of the call for the first line of the file.
    assert Counter(moments.lines) == Counter(counted.lines["main.py"]) - Counter({1: counted.lines["main.py"][1] - 1})


@pytest.mark.slow
def test_programs_of_the_corpus_behave_the_same(sandbox: Sandbox) -> None:
    for folder in sorted(CORPUS.iterdir())[:: take_every(4)]:
        files = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
        plain = Run(language="python", files=files, entry="main.py")
        first = sandbox.run(replace(plain, witnessed="moments"))
        assert first.trace is not None, (folder.name, first.words)
        assert first.trace.moments is not None
        moments = first.trace.moments
        reached = dict.fromkeys(zip((moments.files[n] for n in moments.frames), moments.lines, strict=True))
        probes = tuple(LineProbe(file, line, list_names(files[file])) for file, line in reached)
        second = sandbox.run(replace(plain, witnessed="moments", probes=probes))
        ended = sandbox.run(plain)
        for traced in (first, second):
            assert traced.ends_as(ended, lambda a, b: a == b), folder.name
        assert second.trace is not None
        assert second.trace.moments is not None
        assert second.trace.moments.runs_like(moments), folder.name


def list_names(source: str) -> tuple[str, ...]:
    """Names that a program uses, some of them variables."""
    return tuple(sorted(set(re.findall(r"\b[a-z_]{1,12}\b", source)))[:12])
