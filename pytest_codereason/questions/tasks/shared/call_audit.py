"""Says why the wrong edges of an answer about a call graph are wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import replace

from pytest_codereason.core import Ask, Completion, Program, Verdict, run_program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.languages.call_graphs.auditing import audit_graph
from pytest_codereason.questions.replies.numbered_lists import read_numbered_lists
from pytest_codereason.questions.tasks.shared.resolving import resolve_program
from pytest_codereason.registry import language

#: Edges whose evidence a record holds; all are counted.
_MOST = 100


def audit_answer(
    verdict: Verdict, program: Program, edges: Edges
) -> Generator[Ask | Run, Completion | Execution, Verdict]:
    """The verdict with a tag for each wrong and missed edge, and the counts of tags among its metrics.

    ``audit.TAG`` counts by strict names, ``audit_normalised.TAG`` by normalised ones, as ``fp`` and ``fn`` do.

    The program is run for the lines that ran, unless all named edges are right. Nothing is added if the answer is
    exact, if there is none, or if nothing reads the call sites of the language.
    """
    lists = read_numbered_lists(verdict.answer, list(edges)) if verdict.answer is not None else None
    if lists is None:
        return verdict
    named = dict(zip(edges, lists, strict=True))
    if all({*named[caller]} == {*callees} for caller, callees in edges.items()):
        return verdict
    resolution = resolve_program(program)
    if resolution is None:
        return verdict
    lines = {}
    if any({*named[caller]} - {*callees} for caller, callees in edges.items()):
        execution = yield from run_program(replace(Run.from_program(program), witnessed="lines", optional=True))
        lines = dict(execution.trace.lines) if execution.trace is not None else {}
    audited = audit_graph(resolution, language(program.language).naming, program.files, edges, named, lines)
    counts = Counter(f"audit.{edge.tag}" for edge in audited)
    counts += Counter(f"audit_normalised.{edge.tag}" for edge in audited if not edge.forgiven)
    metrics = {**verdict.metrics, **{name: float(count) for name, count in counts.items()}}
    return replace(verdict, metrics=metrics, audit=[edge._asdict() for edge in audited[:_MOST]])
