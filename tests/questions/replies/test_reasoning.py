"""Runaway repetition is told from honest text, and words of doubt are counted where they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies import reasoning as traces
from pytest_codereason.questions.replies.reasoning import (
    LEAST,
    PARTS,
    TIMES,
    UNIT,
    WINDOW,
    count_confusion,
    measure_reasoning,
    measure_repetition,
)

RANDOM = Random(0)
PROSE = " ".join("".join(RANDOM.choices("abcdefghij", k=RANDOM.randint(2, 9))) for _ in range(3_000)) + "."
PARAGRAPH = "Wait, let me re-check. The loop ends at lmin = 3, so the result is 4. But the comment says 12. "


@pytest.mark.parametrize(
    "text",
    [
        PROSE + "Hmm " * 12_000,
        PROSE + "Hmm.\n\n" * 300,
        PROSE + PARAGRAPH * 10,
        PROSE + PARAGRAPH * 9 + PARAGRAPH[:30],
        PROSE + "| 0 | 0 |\n" * 100,
        PROSE + "\n" * 2_000,
        "x" * 1_000,
        "[" + "1, " * 400,
    ],
    ids=["hmm", "hmm in paragraphs", "paragraph", "cut off", "rows alike", "line ends", "letters", "endless list"],
)
def test_what_runs_away_has_collapsed(text: str) -> None:
    share, collapsed = measure_repetition(text)
    assert collapsed
    assert 0 < share <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Hmm, wait. Hmm.",
        PROSE,
        "[" + "0, " * 3_000 + "0]\n```",
        "\n".join(f"| {i} | {RANDOM.randint(0, 9)} | 0 | 0 |" for i in range(1_000)),
        "\n".join(f"i = {i}: x = {i % 7}, nothing changes, arr = {[0] * 40}" for i in range(300)),
        "\n".join(f"Step {i}: arr = {[0] * i + [1] * (40 - i)}" for i in range(40)),
        PROSE + PARAGRAPH * 3,
        "1. main.greet\n" + "def greet(name):\n    return 'Hello, you over there, ' + name.strip()\n\n" * 3,
        "The value is\n" + "-" * 80,
        PROSE + "Hmm " * 12_000 + "So the answer is 4.",
    ],
    ids=[
        "nothing",
        "blank",
        "doubt",
        "prose",
        "list",
        "table",
        "steps",
        "states",
        "thrice",
        "thrice after a number",
        "rule",
        "found its way",
    ],
)
def test_what_is_honest_has_not(text: str) -> None:
    assert not measure_repetition(text)[1]


#: Loops with a counter, as a function of its value.
COUNTED = {
    "steps": lambda i: f"Step {i}: Wait, the comment says 12. Let me go through the loop again.\n",
    "attempts": lambda i: f"If lmin = {i} and nums[i] = {i + 1}, then the sum is {2 * i + 1}, which is not 12. Hmm. ",
    "backwards": lambda i: f"({9_000 - 10 * i}) I am confused, so the return value must be -1. Let me recheck.\n\n",
    "paragraphs": lambda i: f"Attempt number {i}. {PARAGRAPH * 5}\n\n",
}


@pytest.mark.parametrize("say", COUNTED.values(), ids=COUNTED.keys())
@pytest.mark.parametrize("cut", [0, 1, 30])
def test_a_loop_that_counts_has_collapsed(say: Callable[[int], str], cut: int) -> None:
    text = PROSE + "".join(map(say, range(90, 290)))
    share, collapsed = measure_repetition(text[: len(text) - cut])
    assert collapsed
    assert share > 0.9
    assert not measure_repetition(text + "So the answer is -1.")[1]


def test_a_loop_that_counts_may_be_cut_off_within_a_number() -> None:
    text = "".join(map(COUNTED["steps"], range(90, 290)))
    assert measure_repetition(text[: text.index("289") + 1])[1]


@pytest.mark.parametrize(
    "text",
    [
        PROSE + "".join(f"Step {i}: Wait, the comment says 12. Let me check again.\n" for i in range(12)),
        PROSE + "".join(f"i = {i}: the letter is no blank, so total becomes {i * (i + 1)}.\n" for i in range(200)),
        PROSE + "".join(f"i = {i}: nums[i] is {3 * i % 11}, so nothing is appended here.\n" for i in range(200)),
        "[" + ", ".join(map(str, range(3_000))),
        "[" + ", ".join(f"'item{i}'" for i in range(900)),
        "".join(f"| {i} | none | none | {i + 1} |\n" for i in range(400)),
        "".join(f"arr[{i}] = x + {i}\n" for i in range(800)),
    ],
    ids=["a few", "a total", "values", "numbers", "names", "rows", "assignments"],
)
def test_what_counts_on_honestly_has_not(text: str) -> None:
    assert not measure_repetition(text)[1]
    assert not measure_repetition(text[:-3])[1]


def test_this_very_file_cut_off_anywhere_has_not() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert not any(measure_repetition(text[:end])[1] for end in range(0, len(text), 37))


def test_the_share_is_that_of_the_last_characters() -> None:
    assert measure_repetition("abcdefghi " * (WINDOW // 10))[0] == 1.0
    assert measure_repetition(PROSE + "abcdefghi " * 100)[0] == pytest.approx(1_000 / WINDOW, abs=0.01)
    assert measure_repetition("y" * 100 + "x" * 100)[0] == 0.5


@given(unit=st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=40), rest=st.text())
def test_a_unit_often_enough_is_found_whatever_stands_before(unit: str, rest: str) -> None:
    times = max(TIMES, -(-LEAST // len(unit))) + 1
    assert measure_repetition(rest + unit * times)[1]
    assert not measure_repetition(rest + unit * times + "\x00")[1]


@given(text=st.text(alphabet="ab \n", max_size=3_000))
def test_the_run_is_never_more_than_its_definition_says(text: str) -> None:
    """Against the definition, character by character, where the run is long enough to be found."""
    end = " ".join(text.split())
    longest = 0
    for unit in range(1, min(UNIT, len(end) // 3) + 1):
        same = 0
        while same < len(end) - unit and end[-1 - same] == end[-1 - same - unit]:
            same += 1
        if same + unit >= 3 * unit:
            longest = max(longest, same + unit)
    share, _ = measure_repetition(text)
    assert share <= longest / max(1, len(end)) + 1e-9 or text != text.rstrip()


def test_words_of_doubt_are_counted_in_each_tenth() -> None:
    text = "x" * 500 + " Wait, " + "x" * 393 + " hmm HMM. " + "x" * 90
    assert count_confusion(text) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 2]
    assert sum(count_confusion("awaiting hmmph waiter")) == 0
    assert sum(count_confusion("Hold on, let me re-check: that is strange")) == 3
    assert count_confusion("") == [0] * PARTS


def test_a_sample_is_measured_by_its_last_trace_and_collapses_in_any() -> None:
    metrics = measure_reasoning([("", "Hmm " * 500), ("I wait. " + "y" * 92, "f(1) == 2")])
    assert metrics == {"characters": 100.0, "repetition": pytest.approx(1.0), "collapsed": 1.0, "confusion.0": 1.0}
    assert measure_reasoning([("", "4")]) == {"characters": 1.0, "repetition": 0.0, "collapsed": 0.0}
    assert measure_reasoning([]) == {}


def test_the_listed_words_are_words() -> None:
    for line in (Path(traces.__file__).parent / "doubt.txt").read_text().splitlines()[1:]:
        assert line == line.strip().lower()
        assert sum(count_confusion(line)) == 1
