"""What the text says of lines, in every language that can be traced."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_codereason.core import Program
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.code_lines import CodeLines, FileLines
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language

#: By language: one program, line by line alike.
SOURCES: Mapping[str, str] = {
    "python": """def f(xs):
    v = 0
    for x in xs:
        if x > 3:
            v = v + x
        elif x == 1:
            v += 2
        else:
            v = 7
        w = x; u = 1
    return v
""",
    "javascript": """function f(xs) {
    let v = 0;
    for (const x of xs) {
        if (x > 3) {
            v = v + x;
        } else if (x === 1) {
            v += 2;
        } else {
            v = 7;
        } let w = x; let u = 1;
    } return v;
}
""",
    "java": """class Main { static int f(int[] xs) {
    int v = 0;
    for (int x : xs) {
        if (x > 3) {
            v = v + x;
        } else if (x == 1) {
            v += 2;
        } else {
            v = 7;
        } int w = x; int u = 1;
    } return v;
} }
""",
    "php": """<?php function f($xs) {
    $v = 0;
    foreach ($xs as $x) {
        if ($x > 3) {
            $v = $v + $x;
        } elseif ($x === 1) {
            $v += 2;
        } else {
            $v = 7;
        } $w = $x; $u = 1;
    } return $v;
}
""",
}


def read(name: str, source: str = "") -> FileLines:
    return FileLines(language(name), "main", source or SOURCES[name], "")


@pytest.mark.parametrize("name", SOURCES)
def test_plain_lines_hold_one_statement(name: str) -> None:
    assert [line for line in read(name).plain if line < 11] == [2, 5, 7, 9]


@pytest.mark.parametrize("name", SOURCES)
def test_a_condition_leads_to_its_block(name: str) -> None:
    branches = read(name).branches
    assert {line: (each.first, each.last) for line, each in branches.items()} == {4: (5, 5), 6: (7, 7)}


@pytest.mark.parametrize("name", SOURCES)
def test_a_loop_is_around_its_lines(name: str) -> None:
    lines = read(name)
    loop = lines.find_loop(5)
    assert loop is not None
    assert lines.find_line(loop.span.start) == 3
    assert lines.find_loop(2) is None


@pytest.mark.parametrize("name", SOURCES)
def test_writers_give_a_variable_its_value(name: str) -> None:
    lines = read(name)
    function = lines.plain[2].function
    [variable] = [each for each in lines.list_variables(function) if each.strip("$") == "v"]
    assert lines.find_writers(variable, function) == frozenset({2, 5, 7, 9})


@pytest.mark.parametrize(
    "source",
    [
        "function f() { let v = 0;\nconst g = () => {\nv = 2;\n};\nv = 1;\ng();\nreturn v; }",
        "function f() { let v = 0;\nv++;\nv = 1;\nreturn v; }",
        "function f() { let v = 0;\nwhile ((v = next())) {\nv = 1;\n}\nreturn v; }",
        "function f() { let v = 0;\ntry {\nv = next();\n} catch {\n}\nreturn v; }",
        "function f(xs) { let v = 0;\nxs.forEach((x) => {\nv = v + x;\n});\nreturn v; }",
        "function f(xs) { let v = 0;\nif (xs.some((x) => {\nv = x;\nreturn v;\n})) {\nreturn v;\n}\n}",
    ],
)
def test_a_variable_that_something_else_writes_has_no_writers(source: str) -> None:
    assert read("javascript", source).find_writers("v", "f") is None


def test_a_variable_within_a_function_without_a_name_has_writers() -> None:
    source = "function f(xs) {\nxs.forEach((x) => {\nlet v = 0;\nif (x) {\nv = 1;\n}\nlog(v);\n});\n}"
    assert read("javascript", source).find_writers("v", "f") == frozenset({3, 5})


def test_a_class_is_no_plain_line() -> None:
    assert list(read("javascript", "class A extends Array {}\nlet b = 1;\n").plain) == [2]


def test_an_item_is_no_variable() -> None:
    lines = read(
        "python", "def f(a):\n    i = 1\n    a[i] = 2\n    a.b = i\n    a, i = i, a\n    (c, d), i = a\n    return a\n"
    )
    assert lines.find_writers("a", "f") == frozenset({5})
    assert lines.find_writers("i", "f") == frozenset({2, 5, 6})


def test_literals_of_the_text_and_of_the_call() -> None:
    program = Program.from_source(
        language="python", source="def f(a, b):\n    return 'x' + a[7]\n", call="f([1, {'k': 2}], 5)"
    )
    lines = CodeLines(language("python"), program)
    assert all(map(lines.is_literal, ["x", 7, 1, {"k": 2}, "k", 2, 5, "", [], {}, ()]))
    assert not any(map(lines.is_literal, [3, "y", True, 1.0, [2]]))


def test_a_program_that_does_not_parse_is_skipped() -> None:
    with pytest.raises(Skip, match="does not parse"):
        CodeLines(language("python"), Program.from_source(language="python", source="def f(:", call="f()"))


def test_a_place_outside_of_the_program_holds_nothing() -> None:
    lines = CodeLines(language("python"), Program.from_source(language="python", source="a = 1\n"))
    assert lines.find_plain(ProgramLine("main", 2)) is None
    assert lines.find_branch(ProgramLine("main", 1)) is None
    assert lines.find_plain(ProgramLine("main", 1)) is not None


def test_a_line_with_a_lambda_is_not_plain() -> None:
    source = "def f(xs):\n    a = sorted(xs, key=lambda x: -x)\n    b = a\n    return b\n"
    lines = CodeLines(language("python"), Program.from_source(language="python", source=source))
    assert [line for line in range(1, 5) if lines.find_plain(ProgramLine("main", line))] == [3, 4]


def test_an_operator_of_php_writes_a_text() -> None:
    source = "<?php function f($xs) {\n    $v = 'a';\n    $w = \"x{$v}\";\n    $v .= $w;\n    return $v . $w;\n}\n"
    assert read("php", source).find_writers("v", "f") == frozenset({2, 4})
    assert [line for line in range(1, 7) if read("php", source).reads(line, "v", "f")] == [5]
    assert read("php", source.replace("$v .= $w", "sort($v)")).find_writers("v", "f") is None


def test_a_line_with_a_lambda_of_java_is_no_plain_one() -> None:
    source = """import java.util.List;
class Main { static int f(List<Integer> xs) {
    int[] sum = {0};
    xs.forEach(x -> sum[0] += x);
    xs.forEach(System.out::println);
    if (xs.stream().anyMatch(x -> x > 3)) {
        sum[0]++;
    }
    return sum[0];
} }
"""
    program = Program.from_source(language="java", source=source)
    lines = CodeLines(language("java"), program)
    assert [n for n in range(1, 11) if lines.find_plain(ProgramLine(program.entry, n))] == [3, 5, 7, 9]
    assert lines.find_branch(ProgramLine(program.entry, 6)) is None
