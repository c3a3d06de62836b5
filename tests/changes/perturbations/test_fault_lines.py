"""The line of a fault after any composition, held against the line that the faulty statement itself reports.

A marked statement of each program raises an error where it stands, and the program returns the line on which it was
raised. That line is the fact ``fault``, and the interpreter knows nothing of the fact.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.changes.stages.perturbation import Keep, parse, perturb
from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import perturbations
from tests.changes.perturbations.agreement import LANGUAGES

#: ``mark`` stands where the fault is. What reports the line takes its place after all changes.
PROGRAMS = {
    "python": """\
# Adds up what is left.
LIMIT = 9


def reduce_rows(rows, least=1):
    \"\"\"Keeps the larger rows.\"\"\"
    kept = []
    for row in rows:  # one by one
        if row > least and row < LIMIT:
            kept.append(row)
    return kept


def find_line(rows, step):
    total = 0
    # The sum of what is kept.
    for row in reduce_rows(rows):
        total = total + row * step
    if total > 3:
        total = mark(total)  # here
    while total > 100:
        total = total - 1
    return total


def double(n):
    return n + n  # twice
""",
    "javascript": """\
// Adds up what is left.
const LIMIT = 9;

/** Keeps the larger rows. */
function reduceRows(rows, least = 1) {
    const kept = [];
    for (const row of rows) { // one by one
        if (row > least && row < LIMIT) {
            kept.push(row);
        }
    }
    return kept;
}

function findLine(rows, step) {
    let total = 0;
    // The sum of what is kept.
    for (const row of reduceRows(rows)) {
        total = total + row * step;
    }
    if (total > 3) {
        total = mark(total); // here
    }
    while (total > 100) total = total - 1;
    return total;
}

function double(n) {
    return n + n; // twice
}
""",
    "typescript": """\
// Adds up what is left.
const LIMIT: number = 9;

interface Step {
    by: number;
}

/** Keeps the larger rows. */
function reduceRows(rows: number[], least: number = 1): number[] {
    const kept: number[] = [];
    for (const row of rows) { // one by one
        if (row > least && row < LIMIT) {
            kept.push(row);
        }
    }
    return kept;
}

function findLine(rows: number[], step: number): number {
    let total = 0;
    const by: Step = { by: step };
    // The sum of what is kept.
    for (const row of reduceRows(rows)) {
        total = total + row * by.by;
    }
    if (total > 3) {
        total = mark(total); // here
    }
    while (total > 100) total = total - 1;
    return total as number;
}

function double<T extends number>(n: T): number {
    return n + n; // twice
}
""",
    "php": """\
<?php
// Adds up what is left.

/** Keeps the larger rows. */
function reduce_rows($rows, $least = 1) {
    $kept = [];
    foreach ($rows as $row) { // one by one
        if ($row > $least && $row < 9) {
            $kept[] = $row;
        }
    }
    return $kept;
}

function find_line($rows, $step) {
    $total = 0;
    # The sum of what is kept.
    foreach (reduce_rows($rows) as $row) {
        $total = $total + $row * $step;
    }
    if ($total > 3) {
        $total = mark($total); // here
    }
    while ($total > 100) $total = $total - 1;
    return $total;
}

function double($n) {
    return $n + $n; // twice
}
""",
    "java": """\
import java.util.ArrayList;
import java.util.List;

/* Adds up what is left. */
class Main {
    static final int LIMIT = 9;

    /** Keeps the larger rows. */
    static List<Integer> reduceRows(List<Integer> rows, int least) {
        List<Integer> kept = new ArrayList<>();
        for (int row : rows) { // one by one
            if (row > least && row < LIMIT) {
                kept.add(row);
            }
        }
        return kept;
    }

    static int findLine(int start, int step) {
        List<Integer> rows = List.of(start, start + 1, 4);
        int total = 0;
        // The sum of what is kept.
        for (int row : reduceRows(rows, 1)) {
            total = total + row * step;
        }
        if (total > 3) {
            total = mark(total); // here
        }
        while (total > 100) total = total - 1;
        return total;
    }

    static int twice(int n) {
        return n + n; // twice
    }
}
""",
}
CALLS = {
    "python": "find_line([2, 3], 2)",
    "javascript": "findLine([2, 3], 2)",
    "typescript": "findLine([2, 3], 2)",
    "php": "find_line([2, 3], 2)",
    "java": "Main.findLine(2, 2)",
}
#: What stands for ``mark(total)`` in the end: an error whose message holds the line on which it is raised.
REPORTS = {
    "python": 'exec("import sys; raise ValueError(sys._getframe(1).f_lineno)")',
    "javascript": "(() => { throw new Error(new Error().stack.split('\\n')[1].match(/:(\\d+):\\d+\\)?$/)[1]); })()",
    "typescript": "(() => { throw new Error(new Error().stack.split('\\n')[1].match(/:(\\d+):\\d+\\)?$/)[1]); })()",
    "php": "throw new Exception((string) __LINE__)",
    "java": 'Integer.parseInt("x" + new Throwable().getStackTrace()[0].getLineNumber())',
}
MARK = re.compile(r"\bmark\(\$?\w+\)")
COMPOSITIONS = (
    "dead-code(strength=8)+misleading-names(strength=8)+misleading-comments(strength=8)+function-order(strength=8)",
    "function-order+misleading-comments(strength=8)+misleading-names(strength=8)+dead-code(strength=8)",
    "misleading-names+dead-code(strength=8)+function-order+conditions+comments+misleading-comments(strength=8)",
)


def make_program(language: str) -> Program:
    source = PROGRAMS[language]
    line = next(number for number, text in enumerate(source.split("\n"), 1) if "mark(" in text)
    arguments = CALLS[language].partition("(")[2].removesuffix(")")
    facts = Facts(output=0, input=arguments, fault=Fault(line))
    return Program.from_source(language=language, source=source, call=CALLS[language], facts=facts)


def change(language: str, text: str, seed: int, keep: Keep) -> Program:
    """The changed program, whose faulty statement reports its own line."""
    program = perturb(make_program(language), parse(text), seed, "x", "output", keep=keep)
    report = REPORTS[language]
    source, count = MARK.subn(lambda _: report, program.source)
    assert count == 1, program.source
    return replace(program, files={program.entry: source})


def check_lines(programs: list[Program], sandbox: Sandbox) -> None:
    """Fails where a faulty statement reports another line than the fact says."""
    for program, execution in zip(programs, sandbox.run_all([Run.from_program(p) for p in programs]), strict=True):
        reported = re.findall(r"\d+", execution.message)
        assert reported == [str(program.facts.fault.line)], f"{execution.words} {execution.message}\n{program.source}"


def test_the_line_is_right_in_python(sandbox: Sandbox) -> None:
    check_lines([change("python", COMPOSITIONS[0], 0, "layout")], sandbox)


def test_the_check_fails_where_the_line_does_not_move(sandbox: Sandbox) -> None:
    program = change("python", COMPOSITIONS[0], 0, "layout")
    wrong = replace(program, facts=program.facts.replace(fault=make_program("python").facts.fault))
    with pytest.raises(AssertionError):
        check_lines([wrong], sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_is_right_after_every_composition_at_full_strength(language: str, sandbox: Sandbox) -> None:
    keeps: tuple[Keep, ...] = ("", "layout")
    programs = [change(language, text, seed, keep) for text in COMPOSITIONS for seed in range(2) for keep in keeps]
    assert len({program.facts.fault.line for program in programs}) > 6
    check_lines(programs, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_is_right_after_drawn_compositions(language: str, sandbox: Sandbox) -> None:
    programs: list[Program] = []

    @settings(max_examples=15 if language == "java" else 20, database=None, derandomize=True)
    @given(perturbations(most=5), st.integers(0, 2**32), st.booleans())
    def collect(text: str, seed: int, kept: bool) -> None:
        with suppress(Skip):
            programs.append(change(language, text, seed, "layout" if kept else ""))

    collect()
    assert len(programs) > 10
    check_lines(programs, sandbox)
