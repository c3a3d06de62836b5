"""The task ``call-graph``: what is asked, and precision, recall and F1 of replies that are worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Ask, Completion, Facts, Instance, Program, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.tracing import Trace
from pytest_codereason.core.programs import Context
from pytest_codereason.errors import Skip
from pytest_codereason.questions.tasks.call_graph import CallGraph
from pytest_codereason.questions.templates.loading import load_for_task
from pytest_codereason.results.measures.measures import estimate_metric
from pytest_codereason.results.records.records import load_records

FILES = {
    "main.py": "from lib.shapes import Square\n\n\ndef show(shape):\n    print(shape.area())\n\n\nshow(Square(3))\n",
    "lib/shapes.py": "class Square:\n    def __init__(self, side):\n        self.side = side\n\n"
    "    def area(self):\n        return power(self.side)\n\n\ndef power(n):\n    return n * n\n",
}
EDGES = {
    "main": ["lib.shapes.Square.__init__", "main.show"],
    "main.show": ["lib.shapes.Square.area"],
    "lib.shapes.Square.area": ["lib.shapes.power"],
}
PROGRAM = Program(language="python", files=FILES, entry="main.py", facts=Facts(edges=EDGES, output=""))


NOT_RUN = Execution(ending="tampered", message="no sandbox")


def ask(program: Program = PROGRAM, **more: Any) -> tuple[Ask, Any]:
    task = CallGraph()
    instance = Instance(
        id="x", family="x", suite="s", program=program, axes={}, matrix={},
        template=load_for_task(task, "direct"), asks="edges", **more,
    )  # fmt: skip
    steps = task.steps(instance)
    step = next(steps)
    assert isinstance(step, Ask)
    return step, steps


def judge(reply: str, program: Program = PROGRAM, finish: Any = "stop", execution: Execution = NOT_RUN) -> Verdict:
    """The verdict on a reply; where the task runs the program, ``execution`` is what comes of it."""
    _, steps = ask(program)
    given: Completion | Execution = Completion(text=reply, finish=finish)
    while True:
        try:
            step = steps.send(given)
        except StopIteration as end:
            verdict: Verdict = end.value
            return verdict
        assert step == replace(Run.from_program(program), witnessed="lines", optional=True)
        given = execution


def test_what_the_model_reads() -> None:
    step, _ = ask()
    assert [message.role for message in step.messages] == ["system", "user"]
    text = step.messages[1].content
    shown = text[text.index("**Code**") :]
    assert shown.index("lib/shapes.py\n```python\nclass Square") < shown.index("main.py\n```python\nfrom lib")
    assert shown.index("**Questions**") > shown.index("show(Square(3))\n```")
    assert '1. Which functions does the module-level code of the file "main.py" call?\n' in shown
    assert '2. Which functions does the function "main.show" call?\n' in shown
    assert '3. Which functions does the function "lib.shapes.Square.area" call?' in shown
    assert "main.Greeter.__init__, main.run" in text[: text.index("**Code**")], "the worked example"
    assert "power" not in shown[shown.index("**Questions**") :], "who calls nothing is not asked about"


@pytest.mark.parametrize("language", ["python", "javascript", "java"])
def test_each_language_has_its_own_example_and_rule(language: str) -> None:
    naming = registry.language(language).naming
    files, entry, edges = naming.example
    program = Program(language=language, files=files, entry=entry, facts=Facts(edges=edges))
    step, _ = ask(program)
    assert naming.rule in step.messages[1].content
    assert judge(step.truth, program).outcome == "correct"


def test_among_other_functions_the_program_is_one_text() -> None:
    program = Program.from_source(
        language="python", source="def f(): pass\nf()\n", facts=Facts(edges={"main": ["main.f"]})
    )
    step, _ = ask(program, context=Context(distractors=("def other(): pass",), place=1))
    text = step.messages[1].content
    assert "def other(): pass\n\ndef f(): pass\nf()\n```" in text[text.index("**Code**") :]


@pytest.mark.parametrize("edges", [{}, {"main": []}])
def test_a_program_without_edges_is_skipped(edges: dict[str, list[str]]) -> None:
    with pytest.raises(Skip, match="no call graph"):
        ask(Program.from_source(language="python", source="", facts=Facts(edges=edges)))


def test_the_truth_is_right_and_an_empty_reply_is_nothing() -> None:
    right, empty = judge(ask()[0].truth), judge("1.\n2.\n3.")
    assert (right.outcome, right.metrics["tp_strict"], right.metrics["fp_strict"]) == ("correct", 4, 0)
    assert (empty.outcome, empty.metrics["tp"], empty.metrics["fp"], empty.metrics["fn"]) == ("wrong", 0, 0, 4)
    assert judge("").outcome == "invalid"
    assert judge("").metrics["fn"] == 4


@pytest.mark.parametrize("finish", ["length", "refused", "too-long"])
def test_a_reply_that_does_not_end(finish: str) -> None:
    verdict = judge("1. main.show", finish=finish)
    assert verdict.outcome == {"length": "truncated"}.get(finish, finish)
    assert (verdict.metrics["tp"], verdict.metrics["fn"]) == ((1, 3) if finish == "length" else (0, 4))
    assert verdict.metrics["exact"] == 0


def test_edges_by_kind() -> None:
    metrics = judge("1. main.show\n2. lib.shapes.Square.area\n3.").metrics
    kinds = {name: value for name, value in metrics.items() if name.startswith(("edges_", "found_"))}
    assert kinds == {
        "edges_constructor": 1, "found_constructor": 0, "edges_direct": 2, "found_direct": 1,
        "edges_method": 1, "found_method": 1,
    }  # fmt: skip


#: Replies with the counts that a reader finds: (tp, fp, fn) by the study's comparison and by the strict one.
REPLIES = {
    "1. lib.shapes.Square, main.show, print\n2. lib.shapes.Square.area\n3. lib.shapes.power": ((4, 0, 0), (3, 2, 1)),
    "1. main.show\n2. lib.shapes.Square.area, print\n3. lib.shapes.Square.power": ((2, 1, 2), (2, 2, 2)),
    "1. Square, show\n2. area\n3. power": ((0, 4, 4), (0, 4, 4)),
    "I cannot tell.": ((0, 0, 4), (0, 0, 4)),
}


def test_the_figures_of_a_scripted_model() -> None:
    """Sums over four replies: TP 6, FP 5, FN 10 by the study's comparison, TP 5, FP 8, FN 11 by the strict one."""
    records = []
    for i, (reply, counts) in enumerate(REPLIES.items()):
        verdict = judge(reply)
        for end, expected in zip(("", "_strict"), counts, strict=True):
            assert tuple(verdict.metrics[f"{name}{end}"] for name in ("tp", "fp", "fn")) == expected, reply
        records.append({
            "suite": "s", "model": "m", "id": str(i), "family": str(i), "language": "python", "sample": 0, "axes": {},
            "outcome": verdict.outcome, "metrics": dict(verdict.metrics),
        })  # fmt: skip
    rows = load_records({"": records})[0]
    figures = {metric.name: estimate_metric(rows, metric).value for metric in CallGraph.metrics}
    assert figures == pytest.approx(
        {
            "precision": 6 / 11, "recall": 6 / 16, "f1": 12 / 27, "exact": 1 / 4,
            "precision_strict": 5 / 13, "recall_strict": 5 / 16, "f1_strict": 10 / 29, "exact_strict": 0,
        }
    )  # fmt: skip


BRANCH = Program.from_source(
    language="python",
    source="def f(): pass\ndef g(x):\n    if x:\n        f()\ng(0)\n",
    facts=Facts(edges={"main": ["main.g"]}),
    entry="main.py",
)


def test_wrong_edges_are_audited_by_the_lines_that_ran() -> None:
    program = replace(BRANCH, facts=Facts(edges={"main": ["main.g"], "main.g": ["main.h"]}))
    trace = Trace({"main": ["main.g"]}, {"main.py": {1: 1, 2: 1, 3: 1, 5: 1}})
    verdict = judge("1. main.g\n2. main.f", program, execution=Execution(ending="returned", trace=trace))
    wrong, missed = verdict.audit
    assert (wrong["callee"], wrong["tag"], wrong["line"], wrong["code"]) == ("main.f", "branch-not-taken", 4, "f()")
    assert (missed["callee"], missed["tag"]) == ("main.h", "left-out")
    assert (verdict.metrics["audit.branch-not-taken"], verdict.metrics["audit.left-out"]) == (1, 1)


def test_without_a_run_an_answer_is_still_judged() -> None:
    verdict = judge("1. main.g, main.f", BRANCH)
    assert verdict.outcome == "wrong"
    assert [edge["tag"] for edge in verdict.audit] == ["never-called"]


def test_right_and_empty_answers_run_nothing() -> None:
    for reply in ("1. main.g", "1.", ""):
        _, steps = ask(BRANCH)
        with pytest.raises(StopIteration):
            steps.send(Completion(text=reply))


def test_of_a_thousand_wrong_edges_a_hundred_are_kept_and_all_are_counted() -> None:
    verdict = judge("1. main.g, " + ", ".join(f"main.x{i}" for i in range(1_000)), BRANCH)
    assert len(verdict.audit) == 100
    assert verdict.metrics["audit.no-such-name"] == verdict.metrics["fp_strict"] == 1_000
