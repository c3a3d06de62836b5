"""Call graphs: which functions each caller calls when the program runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pytest_codereason.core import (
    Ask,
    Axis,
    Completion,
    Instance,
    Language,
    Metric,
    Outcome,
    Program,
    Ratio,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.core.facts import Edges, Facts
from pytest_codereason.core.language.naming import GraphExample, Naming
from pytest_codereason.core.language.tracing import Body
from pytest_codereason.errors import Skip
from pytest_codereason.languages.call_graphs.comparing import EdgeCounts, compare_graphs, list_found
from pytest_codereason.languages.call_graphs.kinds import Kind, sort_edges
from pytest_codereason.questions.replies.numbered_lists import read_numbered_lists
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly
from pytest_codereason.questions.tasks.shared.call_audit import audit_answer
from pytest_codereason.questions.tasks.shared.defences import make_defence_axis
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis
from pytest_codereason.questions.tasks.shared.resolving import resolve_program
from pytest_codereason.registry import language


def _list_ratios(end: str, title: str) -> tuple[Metric, ...]:
    tp, fp, fn = f"tp{end}", f"fp{end}", f"fn{end}"
    f1 = Ratio(part={tp: 2}, whole={tp: 2, fp: 1, fn: 1}, by_language=True)
    precision = Ratio(part={tp: 1}, whole={tp: 1, fp: 1}, by_language=True)
    recall = Ratio(part={tp: 1}, whole={tp: 1, fn: 1}, by_language=True)
    return (
        Metric(name=f"f1{end}", title=f"F1{title}", binary=False, ratio=f1),
        Metric(name=f"precision{end}", title=f"Precision{title}", binary=False, ratio=precision),
        Metric(name=f"recall{end}", title=f"Recall{title}", binary=False, ratio=recall),
        Metric(name=f"exact{end}", title=f"Exact graph{title}", right=not end),
    )


#: The instruction, ours and not the study's, to leave out calls on branches that the run does not take.
BRANCHES = "untaken-branches"
_DEFENCE = make_defence_axis(BRANCHES)


class CallGraph(Task):
    """One request a program, with a question for each function that called something (TraceEval, section 3).

    An edge is right if the tracer witnessed it. Names are compared as the study does, where a constructor is its class
    and calls of the standard library are dropped, and as they are.
    """

    name = "call-graph"
    version = 3
    needs = frozenset({"edges"})
    capabilities = frozenset({"tracer", "naming"})
    asks = "edges"
    executes = "optional"  # a program about which an answer is wrong, to see which lines ran
    metrics = (*_list_ratios("", ""), *_list_ratios("_strict", ", strict names"))
    axes: ClassVar[Mapping[str, Axis]] = {"prompting": make_prompting_axis("direct"), _DEFENCE.name: _DEFENCE}

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about a small program: right, with a class for its constructor, with a wrong edge, empty, none."""
        source = "class A:\n    def __init__(self):\n        f()\n\n\ndef f():\n    pass\n\n\nA()\n"
        edges = {"main": ["main.A.__init__"], "main.A.__init__": ["main.f"]}
        program = Program.from_source(language="python", source=source, facts=Facts(edges=edges, output=""))
        right = "1. main.A.__init__\n2. main.f\n"
        bare = "1. main.A\n2. main.f, len\n"
        return (
            TaskExample(
                program=program, reply=right, outcome="correct", metrics={"tp": 2, "exact": 1, "exact_strict": 1}
            ),
            TaskExample(program=program, reply=bare, outcome="correct", metrics={"tp": 2, "fp": 0, "fp_strict": 2}),
            TaskExample(
                program=program, reply="1. main.f\n2. main.f", outcome="wrong", metrics={"tp": 1, "fp": 1, "fn": 1}
            ),
            TaskExample(program=program, reply="1.\n2. none", outcome="wrong", metrics={"tp": 0, "fp": 0, "fn": 2}),
            TaskExample(program=program, reply="I do not know", outcome="invalid", metrics={"tp": 0, "fp": 0, "fn": 2}),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once, about every caller.

        Raises:
            Skip: The program has no call graph, or an empty one.
        """
        program = instance.program
        edges: Edges = {caller: callees for caller, callees in (program.facts.get("edges") or {}).items() if callees}
        if not edges:
            raise Skip("the program has no call graph")
        lang = language(program.language)
        bodies = lang.tracer.list_bodies(program.files, program.entry)
        messages, prefill = instance.template.render(
            [],
            {
                "language": lang.title,
                "fence": lang.fence,
                "files": _list_files(instance),
                "questions": [lang.naming.describe(caller, bodies) for caller in edges],
                "rule": lang.naming.rule,
                "untaken_branches": instance.axes.get(_DEFENCE.name) == BRANCHES,
                "shown": _describe_example(lang.naming, lang.naming.example, lang.tracer.list_bodies),
            },
        )
        truth = write_answers(edges)

        def guess_reply(random: Callable[[], float]) -> str:
            names = [body.name for body in bodies if body.callable] or ["main"]
            return write_answers({caller: [names[int(random() * len(names))]] for caller in edges})

        completion = yield from ask_model(
            Ask(messages=messages, prefill=prefill, truth=truth, guess=guess_reply, room=len(truth))
        )
        kinds = find_kinds(program, edges)
        verdict = yield from audit_answer(judge_reply(completion, edges, lang.naming, kinds), program, edges)
        return replace(verdict, grounds={"edges": edges, "kinds": [(*edge, kind) for edge, kind in kinds.items()]})

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the edges that were witnessed. The tags of wrong edges are not looked at."""
        kinds = {(caller, callee): kind for caller, callee, kind in recorded.grounds["kinds"]}
        return judge_reply(recorded.replies[-1], recorded.grounds["edges"], lang.naming, kinds)


def _list_files(instance: Instance) -> list[dict[str, str]]:
    """The files of a program, the entry last; one text where a context or labels surround the program."""
    program = instance.program
    if instance.context is not None or instance.layout is not None:
        return [{"path": program.entry, "text": instance.code.strip("\n")}]
    return [{"path": file, "text": program.files[file].strip("\n")} for file in program.shown_order]


def _describe_example(
    naming: Naming, example: GraphExample, list_bodies: Callable[[Mapping[str, str], str], Sequence[Body]]
) -> dict[str, object]:
    bodies = list_bodies(example.files, example.entry)
    return {
        "files": [{"path": file, "text": text.strip("\n")} for file, text in example.files.items()],
        "questions": [naming.describe(caller, bodies) for caller in example.edges],
        "answers": write_answers(example.edges),
    }


def write_answers(edges: Mapping[str, Sequence[str]]) -> str:
    """The callees of each caller as a numbered list."""
    return "\n".join(f"{i}. {', '.join(callees)}".rstrip() for i, callees in enumerate(edges.values(), 1))


#: The kind of each edge, by caller and callee.
EdgeKinds = Mapping[tuple[str, str], Kind]


def find_kinds(program: Program, edges: Edges) -> EdgeKinds:
    """The kind of each edge by caller and callee; none where the text cannot be resolved."""
    resolution = resolve_program(program)
    if resolution is None:
        return {}
    return {edge: kind.kind for edge, kind in sort_edges(resolution, edges).items()}


def judge_reply(completion: Completion, edges: Edges, naming: Naming, kinds: EdgeKinds) -> Verdict:
    """The verdict on a reply. Edges that it names count also where it is cut off.

    Correct: all edges are right, and none is missing, by the study's comparison of names.
    """
    lists = None
    if completion.finish not in ("refused", "too-long"):
        lists = read_numbered_lists(read_plainly(read_spoken(completion.text)), list(edges))
    named = {caller: [naming.tidy(name) for name in names] for caller, names in zip(edges, lists or (), strict=False)}
    counts, strict = compare_graphs(naming, edges, named)
    outcome: Outcome = "correct" if counts.is_exact else "wrong"
    if completion.finish in ("refused", "too-long"):
        outcome = completion.finish
    elif completion.finish == "length" and outcome != "correct":
        outcome = "truncated"
    elif lists is None:
        outcome = "invalid"
    return Verdict(
        outcome=outcome,
        expected=write_answers(edges),
        answer=None if lists is None else write_answers(named),
        reason="no answer to any question found" if outcome == "invalid" else "",
        # The answer's own F1 tells a near miss from a bad one. That of a run is no mean of these.
        metrics={
            "f1": counts.f1,
            **_measure(counts, "", outcome),
            **_measure(strict, "_strict", outcome),
            **_count_kinds(kinds, list_found(naming, edges, named) if named else frozenset()),
        },
    )


def _count_kinds(kinds: EdgeKinds, found: Collection[tuple[str, str]]) -> dict[str, float]:
    """How many edges of each kind there are, and how many of them the reply names."""
    whole = Counter(kinds.values())
    part = Counter(kind for edge, kind in kinds.items() if edge in found)
    numbers = {f"edges_{kind}": float(whole[kind]) for kind in whole}
    return {**numbers, **{f"found_{kind}": float(part[kind]) for kind in whole}}


def _measure(counts: EdgeCounts, end: str, outcome: Outcome) -> dict[str, float]:
    exact = counts.is_exact and outcome in ("correct", "wrong")
    numbers = {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "exact": exact}
    return {f"{name}{end}": float(number) for name, number in numbers.items()}
