"""Numbered lists of names in the many forms in which models write them."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.questions.replies.numbered_lists import read_numbered_lists, split_names
from tests.examples import examples

LABELS = ["main", "main.A.run", "main.leaf"]
#: Every reply here means the same.
RIGHT = [["main.A.__init__", "main.A.run"], ["main.f"], []]

ALIKE = {
    "plain": "1. main.A.__init__, main.A.run\n2. main.f\n3.",
    "a word for nothing": "1. main.A.__init__, main.A.run\n2. main.f\n3. None",
    "n/a": "1. main.A.__init__, main.A.run\n2. main.f\n3. N/A.",
    "no calls": "1. main.A.__init__, main.A.run\n2. main.f\n3. No function calls.",
    "a question left out": "1. main.A.__init__, main.A.run\n2. main.f",
    "parentheses": "1) main.A.__init__, main.A.run\n2) main.f\n3) -",
    "in parentheses": "(1) main.A.__init__, main.A.run\n(2) main.f\n(3) (none)",
    "in brackets": "[1] main.A.__init__, main.A.run\n[2] main.f\n[3] []",
    "colons": "1: main.A.__init__, main.A.run\n2: main.f\n3: nothing",
    "Q": "Q1: main.A.__init__, main.A.run\nQ2: main.f\nQ3:",
    "words": "Question 1: main.A.__init__, main.A.run\nAnswer 2. main.f\nQuestion 3: none",
    "bold numbers": "**1.** main.A.__init__, main.A.run\n**2.** main.f\n**3.** none",
    "bold words": "**Question 1:** main.A.__init__, main.A.run\n**Question 2:** main.f\n**Question 3:** none",
    "backticks": "1. `main.A.__init__`, `main.A.run`\n2. `main.f`\n3. none",
    "quotes": '1. "main.A.__init__", "main.A.run"\n2. "main.f"\n3. ""',
    "bold names": "1. **main.A.__init__**, **main.A.run**\n2. **main.f**\n3.",
    "bullets before numbers": "- 1. main.A.__init__, main.A.run\n- 2. main.f\n- 3.",
    "bullets below": "1.\n- main.A.__init__\n- main.A.run\n2.\n* main.f\n3.\n- none",
    "bullets with remarks": "1.\n   - `main.A.__init__` (called once)\n   - `main.A.run` - late\n2.\n   - main.f\n3.",
    "names on the next line": "1.\n   main.A.__init__, main.A.run\n2.\n   main.f\n3.\n",
    "headings": "### Question 1\nmain.A.__init__, main.A.run\n\n### Question 2\nmain.f\n\n### Question 3\nnone",
    "a fence": "```\n1. main.A.__init__, main.A.run\n2. main.f\n3.\n```",
    "a fence with a tag": "Here:\n```text\n1. main.A.__init__, main.A.run\n2. main.f\n3.\n```\nDone.",
    "prose around": "Let me look at it. It begins.\n\n1. main.A.__init__, main.A.run\n2. main.f\n3.\n\nThat is all.",
    "semicolons": "1. main.A.__init__; main.A.run\n2. main.f\n3.",
    "a full stop": "1. main.A.__init__, main.A.run.\n2. main.f.\n3.",
    "twice the same name": "1. main.A.__init__, main.A.run, main.A.run\n2. main.f\n3.",
    "a number too many": "1. main.A.__init__, main.A.run\n2. main.f\n3.\n4. main.g\n- main.h",
    "corrected": "1. main.f\n2. main.f\n3. main.f\nNo, wait.\n1. main.A.__init__, main.A.run\n2. main.f\n3. none",
    "and": "1. main.A.__init__ and main.A.run\n2. main.f\n3.",
    "backticks and": "1. `main.A.__init__` and `main.A.run`.\n2. main.f\n3.",
    "lists in lines": '1. ["main.A.__init__", "main.A.run"]\n2. [main.f]\n3. []',
    "numbered notes": "1. main.A.__init__, main.A.run\n2. main.f\n3.\n\nNotes:\n1. Library calls are out.",
    "Windows": "1. main.A.__init__, main.A.run\r\n2. main.f\r\n3.\r\n".replace("\r\n", "\n"),
    "the question repeated": "1. Which functions does the code of the file call? main.A.__init__, main.A.run\n"
    "2. Which functions does it call?\n main.f\n3. Which functions does it call? none",
    "the caller repeated": "1. main: main.A.__init__, main.A.run\n2. main.A.run -> main.f\n3. main.leaf: none",
    "names for numbers": "main: main.A.__init__, main.A.run\nmain.A.run: main.f\nmain.leaf:",
    "arrows": "main -> main.A.__init__\nmain -> main.A.run\n`main.A.run` -> `main.f`",
    "names and bullets": "**main**:\n- main.A.__init__\n- main.A.run\n\n**main.A.run**:\n- main.f\n",
    "JSON by number": json.dumps({"1": RIGHT[0], "2": RIGHT[1], "3": []}),
    "JSON by name": json.dumps(dict(zip(LABELS, RIGHT, strict=True))),
    "JSON with texts": json.dumps({"1": ", ".join(RIGHT[0]), "2": "main.f", "3": ""}),
    "JSON with null": json.dumps({"Q1": RIGHT[0], "Q2": RIGHT[1], "Q3": None}),
    "a JSON list": json.dumps(RIGHT),
    "a JSON list of objects": json.dumps([{"question": i, "answer": names} for i, names in enumerate(RIGHT, 1)]),
    "JSON in an object": json.dumps({"answers": {"1": RIGHT[0], "2": RIGHT[1], "3": []}}),
    "JSON in a fence": f"Here:\n```json\n{json.dumps(dict(zip(LABELS, RIGHT, strict=True)), indent=2)}\n```\n",
    "JSON behind words": f"Answer: {json.dumps({'1': RIGHT[0], '2': RIGHT[1], '3': []})}",
}


@pytest.mark.parametrize("form", ALIKE)
def test_forms_that_mean_the_same(form: str) -> None:
    assert read_numbered_lists(ALIKE[form], LABELS) == RIGHT


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   \n",
        "I cannot do that.",
        "main.f and main.g",
        "The program prints 3.",
        "{}",
        "[1, 2",
        "4. main.f",
        "[[], []]",
    ],
)
def test_replies_that_answer_nothing(reply: str) -> None:
    assert read_numbered_lists(reply, LABELS) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Cart:add(int,java.lang.String[]), Cart:<init>(int, int)",
            ["Cart:add(int,java.lang.String[])", "Cart:<init>(int, int)"],
        ),
        ("a.List<A,B>.f, b.f", ["a.List<A,B>.f", "b.f"]),
        ("main.<arrow1>, main.f", ["main.<arrow1>", "main.f"]),
        ("main.__init__", ["main.__init__"]),
        ("f, g", ["f", "g"]),
        ("main.f (called twice), main.g", ["main.f", "main.g"]),
        ("it calls main.f, then main.g", ["main.f", "main.g"]),
        ("main.f(, main.g", ["main.f(", "main.g"]),
        ("main.f), main.g", ["main.f)", "main.g"]),
        ("(none)", []),
        ("No calls are made", []),
        ("none, none", []),
        ("main.none", ["main.none"]),
    ],
)
def test_names_of_one_list(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_ten_thousand_names() -> None:
    names = [f"main.f{i}" for i in range(10_000)]
    answers = read_numbered_lists(f"1. {', '.join(names)}\n2. main.f\n", LABELS)
    assert answers == [names, ["main.f"], []]


@pytest.mark.parametrize(
    "piece", ["(", "1. ", "- ", "**", "main.f, ", "{", "[", "1.\n", "\n- a.b", "a.b -> ", "? ", "<", "`", "#", " "]
)
def test_the_time_is_linear(piece: str) -> None:
    start = time.process_time()
    read_numbered_lists("1. main.f\n" + piece * (50_000 // len(piece)), LABELS)
    read_numbered_lists("1. " + piece * (50_000 // len(piece)), LABELS)
    assert time.process_time() - start < 2


_WORDS = [f"main.{name}" for name in ("f", "A.__init__", "A.run", "B.<lambda1>", "none", "g_2", "Q1.f", "x.y.z")]
_NAMES = st.lists(st.sampled_from(_WORDS), max_size=5, unique=True)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(_NAMES, min_size=1, max_size=6).filter(any))
def test_what_is_written_is_read_again(lists: list[list[str]]) -> None:
    labels = [f"main.caller{i}" for i in range(len(lists))]
    plain = "\n".join(f"{i}. {', '.join(names)}" for i, names in enumerate(lists, 1))
    assert read_numbered_lists(plain, labels) == lists
    assert read_numbered_lists(json.dumps(dict(zip(labels, lists, strict=True))), labels) == lists


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    answers = read_numbered_lists(text, LABELS)
    assert answers is None or len(answers) == len(LABELS)
