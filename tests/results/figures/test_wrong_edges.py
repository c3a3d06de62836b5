"""Why edges of call graphs are wrong: shares by reason, with an example."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.figures.wrong_edges import WrongEdgesFigure
from tests.results.figures.rows import record, run, show

SUITE = {"graphs": ("call-graph", {"perturbation": ["vanilla", "renamed"]})}


def make_edge(callee: str, tag: str, **changes: Any) -> dict[str, Any]:
    edge = {"caller": "main", "callee": callee, "tag": tag, "file": "main.py", "line": 3, "code": f"{callee}()"}
    return {**edge, "instead": "", "kind": "", **changes}


def make_answer(program: int, edges: list[dict[str, Any]], perturbation: str = "vanilla") -> dict[str, Any]:
    """An answer that has these wrong and missed edges."""
    row = record("graphs", "m", program, {"perturbation": perturbation}, right=not edges)
    for edge in edges:
        for name in ("audit", *([] if edge.get("forgiven", True) else ["audit_normalised"])):
            count = f"{name}.{edge['tag']}"
            row["metrics"][count] = row["metrics"].get(count, 0.0) + 1
    return {**row, "audit": edges}


def test_reasons_with_shares_and_an_example() -> None:
    rows = [
        make_answer(0, [make_edge("main.f", "branch-not-taken"), make_edge("main.g", "branch-not-taken")]),
        make_answer(1, [make_edge("main.A.area", "declared-type", instead="main.B.area")]),
        make_answer(2, [make_edge("main.h", "left-out", file="", line=0, code="", kind="direct")]),
        make_answer(3, []),
        make_answer(4, [make_edge("main.f", "no-such-name")], "renamed"),  # another condition
    ]
    (picture,) = show(WrongEdgesFigure(), rows, run(SUITE, ["m"]))
    assert picture.header == ("model", "names", "edges", "reason", "share", "example", "code")
    assert picture.rows == (
        ("m", "strict", "wrong", "branch-not-taken", "2 of 3 (66.7 %)", "main → main.f", "0000, main.py:3: main.f()"),
        (
            "m",
            "strict",
            "wrong",
            "declared-type",
            "1 of 3 (33.3 %)",
            "main → main.A.area (right: main.B.area)",
            "0001, main.py:3: main.A.area()",
        ),
        ("m", "strict", "missed", "left-out", "1 of 1 (100.0 %)", "main → main.h", "0002"),
    )
    assert picture.sentence == "m: 3 wrong edges by strict names, most often branch-not-taken (2)."


def test_edges_are_counted_by_strict_and_by_normalised_names() -> None:
    classes = [make_edge(f"main.C{place}", "class-for-constructor", forgiven=True) for place in range(3)]
    other = make_edge("main.D", "class-for-constructor", forgiven=False)
    rows = [make_answer(0, [*classes, other]), make_answer(1, [make_edge("main.f", "other", forgiven=False)])]
    (picture,) = show(WrongEdgesFigure(), rows, run(SUITE, ["m"]))
    assert [row[:6] for row in picture.rows] == [
        ("m", "strict", "wrong", "class-for-constructor", "4 of 5 (80.0 %)", "main → main.C0"),
        ("m", "strict", "wrong", "other", "1 of 5 (20.0 %)", "main → main.f"),
        ("m", "normalised", "wrong", "class-for-constructor", "1 of 2 (50.0 %)", "main → main.D"),
        ("m", "normalised", "wrong", "other", "1 of 2 (50.0 %)", "main → main.f"),
    ]
    assert picture.sentence == (
        "m: 5 wrong edges by strict names, most often class-for-constructor (4); 2 by normalised names, most often "
        "class-for-constructor (1), as precision counts them."
    )


def test_reasons_that_are_the_same_by_both_names_stand_once() -> None:
    taken = [make_edge(f"main.{name}", "branch-not-taken", forgiven=False) for name in "fg"]
    missed = [make_edge("main.h", "left-out", forgiven=False), make_edge("main.C", "left-out", forgiven=True)]
    (picture,) = show(WrongEdgesFigure(), [make_answer(0, [*taken, *missed])], run(SUITE, ["m"]))
    assert [row[:6] for row in picture.rows] == [
        ("m", "both", "wrong", "branch-not-taken", "2 of 2 (100.0 %)", "main → main.f"),
        ("m", "strict", "missed", "left-out", "2 of 2 (100.0 %)", "main → main.h"),
        ("m", "normalised", "missed", "left-out", "1 of 1 (100.0 %)", "main → main.h"),
    ]
    assert picture.sentence == "m: 2 wrong edges by strict and by normalised names, most often branch-not-taken (2)."


def test_right_answers_and_other_tasks_have_no_such_figure() -> None:
    assert show(WrongEdgesFigure(), [make_answer(0, [])], run(SUITE, ["m"])) == []
    plain = {"graphs": ("output-prediction", {"perturbation": ["vanilla"]})}
    assert show(WrongEdgesFigure(), [make_answer(0, [make_edge("main.f", "other")])], run(plain, ["m"])) == []


def test_edges_that_are_wrong_by_strict_names_alone_are_said_to_be_no_others() -> None:
    row = make_answer(0, [make_edge("main.C", "class-for-constructor", forgiven=True)])
    for fp, said in ((0.0, " (1); none by normalised names, as precision counts them."), (1.0, " (1).")):
        row["metrics"]["fp"] = fp
        (picture,) = show(WrongEdgesFigure(), [row], run(SUITE, ["m"]))
        assert picture.sentence == f"m: 1 wrong edge by strict names, most often class-for-constructor{said}"
