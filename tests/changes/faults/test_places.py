"""Where no fault stands: the driver, texts for readers, messages; and what a mistake may not look like."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Program
from tests.changes.faults.programs import OPERATORS, list_injections, plant

PYTHON = '''\
LIMIT = 3


class Queue:
    def __repr__(self):
        return "queue " + str(len(self.items) + 1)

    def take(self, most, wanted=0):
        """Takes 1 item, or 2."""
        if most < 1 or wanted < 0:
            raise ValueError(f"{most - 1} is fewer than {1 + 0}")
        print(most - 1, wanted)
        most -= 1
        return self.items[most]


def main():
    queue = Queue()
    for i in range(5):
        queue.take(i + 1)


if __name__ == "__main__":
    main()
'''


def list_texts(name: str, source: str, language: str = "python") -> list[str]:
    """The lines that a fault writes, without the blanks around them."""
    program = Program.from_source(language=language, source=source)
    known = source.splitlines()
    lines = [plant(program, i).text.splitlines() for i in list_injections(name, program)]
    return [line.strip() for faulty in lines for line in faulty if line not in known]


@pytest.mark.parametrize("name", OPERATORS)
def test_only_functions_with_a_meaning_are_made_wrong(name: str) -> None:
    program = Program.from_source(language="python", source=PYTHON)
    assert {injection.function for injection in list_injections(name, program)} <= {"Queue.take"}
    for text in list_texts(name, PYTHON):
        assert not text.startswith(("raise", "print", "LIMIT"))


def test_a_program_without_functions_is_made_wrong_at_the_top() -> None:
    assert list_texts("off-by-one", "x = 3\nif x < 4:\n    y = 1\n") == ["if x <= 4:"]


def test_a_file_of_several_without_functions_stays_as_it_is() -> None:
    files = {"main.py": "from data import x\nif x < 4:\n    print(x)\n", "data.py": "x = 3\n"}
    program = Program(language="python", files=files, entry="main.py")
    assert list_injections("off-by-one", program) == []


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("off-by-one", "return a[n - 1]", ["return a[n]"]),
        ("off-by-one", "return a[key]", []),
        ("off-by-one", "return a[1:n]", ["return a[0:n]", "return a[1:n + 1]", "return a[1:n - 1]"]),
        ("off-by-one", "return a[n or 3:]", []),
        (
            "boolean-logic",
            "return not any(a) & b",
            ["return any(a) & b", "return not all(a) & b", "return not any(a) | b"],
        ),
        ("boolean-logic", "if not a: return b", []),
        ("operator-swap", "return 'x' + a", []),
        ("operator-swap", "return a + b", []),
        ("operator-swap", "return n + len(a)", ["return n - len(a)"]),
        ("wrong-constant", "return 24 + 3600", ["return 42 + 3600", "return 24 + 360"]),
        ("wrong-constant", "return 0.5 - 2.0", ["return 0.05 - 2.0", "return 0.5 - 3.0"]),
        ("wrong-constant", "return -1, 'text', None", []),
        ("missing-guard", "return a or ''", []),
        ("missing-guard", "return a and b or n", ["return b or n", "return a or n", "return a and b"]),
        ("negated-condition", "if not a: return n", ["if a: return n"]),
        (
            "negated-condition",
            "if a and n == 1: return n",
            ["if not a and n == 1: return n", "if a and n != 1: return n"],
        ),
        ("negated-condition", "while True: return n", []),
        ("swapped-arguments", "return max(a, 'x')", []),
        ("swapped-arguments", "return g(1, 'x', 'y')", ["return g(1, 'y', 'x')"]),
        ("wrong-default", "return d.get(a, None)", []),
        ("deleted-statement", "a.append(n)", []),
    ],
)
def test_mistakes_are_believable(name: str, line: str, expected: list[str]) -> None:
    source = f"def f(a, b, key):\n    n = 3\n    if n - 1:\n        {line}\n"
    program = Program.from_source(language="python", source=source)
    inside = [i for i in list_injections(name, program) if i.span.start >= source.index(line)]
    assert [plant(program, injection).text.splitlines()[3].strip() for injection in inside] == expected


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (
            "java",
            "class Main {\n    static int f(int[] a) {\n        int sum = 0;\n        for (int x : a) {\n"
            "            sum += x;\n        }\n        sum *= 2;\n        return sum;\n    }\n}\n",
            ["return sum;"],
        ),
        (
            "javascript",
            "function f(a) {\n    let sum = 0;\n    for (const x of a) {\n        sum += x;\n    }\n"
            "    sum *= 2;\n    return sum;\n}\n",
            ["return sum;"] * 3,
        ),
        ("python", "def f(a):\n    for x in a:\n        g(x)\n        yield x\n    h(a)\n", ["return"] * 3),
        ("python", "def f(a):\n    b = a\n    c = b + 1\n    return c\n", []),
        ("python", "def f(a):\n    for x in a:\n        if x:\n            return x\n    b = 1\n    g(b)\n", []),
    ],
)
def test_a_return_has_a_value_that_is_known_there(language: str, source: str, expected: list[str]) -> None:
    program = Program.from_source(language=language, source=source)
    assert [injection.text.strip() for injection in list_injections("misplaced-return", program)] == expected


def test_a_statement_that_gives_a_variable_its_first_value_stays() -> None:
    body = ["n = 0", "for x in a:", "    n += x", "    if x:", "        continue", "    g(x)", "return n"]
    source = "def f(a):\n" + "".join(f"    {line}\n" for line in body)
    program = Program.from_source(language="python", source=source)
    gone = [
        program.source[slice(*injection.span)].strip() for injection in list_injections("deleted-statement", program)
    ]
    assert gone == ["n += x", "g(x)"]


def test_a_statement_may_be_deleted_above_the_field_that_it_changes() -> None:
    """A field has its value wherever it is declared."""
    source = (
        "class P {\n    static int f(int a) {\n        calls += a;\n        total = a;\n        return total;\n    }\n"
        "    private static int calls = 1, total = 2;\n}\n"
    )
    program = Program.from_source(language="java", source=source)
    gone = [
        program.source[slice(*injection.span)].strip() for injection in list_injections("deleted-statement", program)
    ]
    assert gone == ["calls += a;", "total = a;"]
