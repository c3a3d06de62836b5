"""Java's tracer: the edges are those that a reader finds, and the program does what it does untraced."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.languages.java import runner as java_runner
from pytest_codereason.languages.java.tracer import JavaTracer
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import open_sandbox
from pytest_codereason.strategies import programs
from tests.examples import take_every
from tests.languages.called import read_calls, run_program, share

CALLS = read_calls("java", "Main:main(java.lang.String[])", "Main:")


run = partial(run_program, "java")


@pytest.mark.parametrize("name", share(CALLS))
def test_edges_are_those_that_a_reader_finds(name: str, sandbox: Sandbox) -> None:
    source, edges = CALLS[name]
    execution = run(sandbox, source)
    assert execution.returned, f"{execution.words} {execution.stderr}"
    assert execution.trace
    assert execution.trace.edges == edges


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CALLS][:: take_every(6)])
def test_edges_are_the_same_where_lines_are_counted(name: str, sandbox: Sandbox) -> None:
    source, edges = CALLS[name]
    execution = run(sandbox, source, "lines")
    assert execution.trace, f"{execution.words} {execution.stderr}"
    assert execution.trace.edges == edges
    assert execution.stdout == run(sandbox, source, "").stdout


def test_lines_are_counted(sandbox: Sandbox) -> None:
    source = """\
class Main {
    static int f(int n) {
        if (n == 0)
            return 0;
        return 1;
    }
    public static void main(String[] a) {
        java.util.List.of(0, 1, 2).forEach(
            n -> f(n));
    }
}
"""
    execution = run(sandbox, source, "lines")
    assert execution.trace
    assert execution.trace.lines == {"Main.java": {3: 3, 4: 1, 5: 2, 8: 1, 9: 3, 10: 1}}


def test_lines_behind_the_class_of_the_call_keep_their_numbers(sandbox: Sandbox) -> None:
    source = (
        "class Main {\n  static int f() { return Other.g(); }\n}\nclass Other {\n  static int g() { return 1; }\n}\n"
    )
    execution = run(sandbox, source, "lines", call="f()")
    assert execution.trace
    assert execution.trace.lines["Main.java"][5] == 1


def test_a_program_of_packages(sandbox: Sandbox) -> None:
    files = {
        "app/Main.java": "package app;\nimport lib.Shapes;\npublic class Main {\n"
        "    public static void main(String[] a) { Shapes.Square.area(new Shapes()); }\n}\n",
        "lib/Shapes.java": "package lib;\npublic class Shapes {\n"
        "    public static class Square { public static void area(Shapes s) { help(); } static void help() {} }\n}\n",
    }
    execution = sandbox.run(Run(language="java", files=files, entry="app/Main.java", witnessed="lines"))
    assert execution.trace, execution.words
    assert execution.trace.edges == {
        "app.Main:main(java.lang.String[])": ["lib.Shapes$Square:area(lib.Shapes)"],
        "lib.Shapes$Square:area(lib.Shapes)": ["lib.Shapes$Square:help()"],
    }
    assert execution.trace.lines["lib/Shapes.java"][3] > 0


def test_a_call_has_no_caller(sandbox: Sandbox) -> None:
    source = "class Main {\n    static int f(int n) { return g(n); }\n    static int g(int n) { return n; }\n}\n"
    execution = run(sandbox, source, call="Main.f(3)")
    assert execution.value == 3
    assert execution.trace
    assert execution.trace.edges == {"Main:f(int)": ["Main:g(int)"]}


@pytest.mark.parametrize(
    "edge",
    [["Main:f(int)", "Main:h(int)"], ["Main:f(int)", "Main:f(long)"], ["Main:f(int)", "Main:<clinit>()"], ["f", "f"]],
)
def test_a_forged_edge_is_refused(edge: list[str]) -> None:
    files = {"Main.java": "class Main { static int f(int n) { return n; } }"}
    JavaTracer().read({"edges": [["Main:f(int)", "Main:f(int)"]]}, files, "Main.java")
    with pytest.raises(ValueError, match=r"no (method|call)|no name"):
        JavaTracer().read({"edges": [edge]}, files, "Main.java")


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(program=programs(["java"]))
def test_traced_programs_return_what_they_return_untraced(program: Program, sandbox: Sandbox) -> None:
    traced = sandbox.run(replace(Run.from_program(program), witnessed="lines"))
    assert traced.value == program.facts.output
    assert traced.trace


def list_published() -> list[dict[str, Any]]:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "callgraph", "java.jsonl")
    if not path.is_file():
        pytest.skip("CODEREASON_DATA names no folder with callgraph/java.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


#: Makes a class from bytes at run time. Its text is in no file of the program.
OUTSIDE = {"cats__Classloading__CL4"}


@pytest.mark.slow
def test_the_public_micro_benchmarks_give_their_executed_edges(sandbox: Sandbox) -> None:
    wrong: list[tuple[str, object]] = []
    for row in list_published()[:: take_every(6)]:
        if row["entry"] and row["id"] not in OUTSIDE:
            package, _, name = row["entry"].rpartition(".")
            [entry] = [
                file
                for file, text in row["files"].items()
                if re.search(rf"\bclass\s+{name}\b", text) and file.startswith(package.replace(".", "/"))
            ]
            execution = sandbox.run(Run(language="java", files=row["files"], entry=entry, witnessed="calls"))
            edges = execution.trace.edges if execution.trace else None
            if edges != {
                caller: sorted(callees) for caller, callees in row["executed_edges_declared"].items() if callees
            }:
                wrong.append((row["id"], edges))
            if execution.returned == ("reject_reason" in row):
                wrong.append((row["id"], execution.words))
    assert not wrong


def test_unsafe_does_to_fields_what_it_does_untraced(sandbox: Sandbox) -> None:
    source = """\
import sun.misc.Unsafe;

class Main {
    Object o = "a"; int i = 1; long l = 2; boolean z;

    public static void main(String[] a) throws Exception {
        try { Unsafe.getUnsafe(); } catch (SecurityException refused) { System.out.println(refused); }
        var one = Unsafe.class.getDeclaredField("theUnsafe");
        one.setAccessible(true);
        Unsafe u = (Unsafe) one.get(null);
        long o = at(u, "o"), i = at(u, "i"), l = at(u, "l"), z = at(u, "z");
        Main m = new Main();
        System.out.println(o != i && i != l && l != z && i == at(u, "i") && i != Unsafe.INVALID_FIELD_OFFSET);
        show(m, u.getObject(m, o), u.getInt(m, i), u.getLong(m, l), u.getBoolean(m, z));
        u.putObject(m, o, "b"); u.putInt(m, i, 10); u.putLong(m, l, 20); u.putBoolean(m, z, true);
        show(m, u.getObjectVolatile(m, o), u.getIntVolatile(m, i));
        show(m, u.getLongVolatile(m, l), u.getBooleanVolatile(m, z));
        u.putObjectVolatile(m, o, "c"); u.putIntVolatile(m, i, 11);
        u.putLongVolatile(m, l, 21); u.putBooleanVolatile(m, z, false);
        show(m);
        u.putOrderedObject(m, o, "d"); u.putOrderedInt(m, i, 12); u.putOrderedLong(m, l, 22);
        show(m, u.compareAndSwapObject(m, o, "d", "e"), u.compareAndSwapInt(m, i, 0, 13));
        show(m, u.compareAndSwapLong(m, l, 22, 23));
        show(m, u.getAndSetObject(m, o, null), u.getAndSetInt(m, i, 14), u.getAndSetLong(m, l, 24));
        show(m, u.getAndAddInt(m, i, -4), u.getAndAddLong(m, l, 6));
        try { u.objectFieldOffset(Main.class.getDeclaredField("shown")); }
        catch (IllegalArgumentException of) { show(m, of); }
    }

    static int shown;
    static long at(Unsafe u, String name) throws Exception {
        return u.objectFieldOffset(Main.class.getDeclaredField(name));
    }
    static void show(Main m, Object... said) {
        System.out.println(java.util.Arrays.toString(said) + m.o + m.i + m.l + m.z);
    }
}
"""
    untraced, traced = run(sandbox, source, ""), run(sandbox, source)
    assert untraced.returned, untraced.words
    assert (traced.ending, traced.stdout) == (untraced.ending, untraced.stdout)
    assert traced.trace
    assert len(untraced.stdout.splitlines()) == 11


def test_bodies_are_named_as_in_a_trace(sandbox: Sandbox) -> None:
    source = """\
import java.util.*;
import java.util.function.Function;

class Main {
    record Pair<A extends Comparable<A>>(A left, List<String> right) {
        Pair {
            check(left, right);
        }

        static <B> void check(B left, List<? extends CharSequence> right) {}
    }

    static class Box {
        Box(String[] words, Map.Entry<String, Box> entry) {}
    }

    static int count(Function<String, Integer> f, Box box, Object... rest) {
        return f.apply("a");
    }

    public static void main(String[] args) {
        new Pair<>("a", List.of());
        count(String::length, new Box(args, null), 1, 2);
    }
}
"""
    execution = run(sandbox, source)
    assert execution.trace, execution.words
    edges = execution.trace.edges
    traced = {*edges, *(callee for callees in edges.values() for callee in callees)}
    bodies = {body.name for body in JavaTracer().list_bodies({"Main.java": source}, "Main.java") if body.callable}
    assert traced == bodies


#: The machines of Java that are installed beside the one that all other tests run.
OTHERS = sorted(
    javac.parent
    for javac in Path("/usr/lib/jvm").glob("[!.]*/bin/javac")
    if not javac.parents[1].is_symlink() and javac.resolve() != Path(shutil.which("javac") or "").resolve()
)


@pytest.mark.slow
@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: folder.parent.name)
def test_every_installed_java_traces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    java_runner._describe_compiler.cache_clear()
    source = "class Main { static int f() { return g(); } static int g() { return 7; } }"
    with open_sandbox() as sandbox:
        plain, traced = (run_program("java", sandbox, source, witnessed, "f()") for witnessed in ("", "lines"))
    java_runner._describe_compiler.cache_clear()
    assert (plain.value, traced.value) == (7, 7), f"{plain.words} {traced.words}"
    assert traced.trace
    assert traced.trace.edges == {"Main:f()": ["Main:g()"]}


def test_a_program_uses_modules_beside_the_base(sandbox: Sandbox) -> None:
    source = (
        'import java.util.logging.*;\nclass Main { static void f() { Logger.getLogger("x").fine("y"); }\n'
        "public static void main(String[] a) { f(); } }\n"
    )
    trace = run_program("java", sandbox, source).trace
    assert trace is not None
    assert trace.edges == {"Main:main(java.lang.String[])": ["Main:f()"]}
