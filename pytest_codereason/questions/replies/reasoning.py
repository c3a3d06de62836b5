"""Measures reasoning by its text alone: runaway repetition, and words of doubt.

Every measure takes time linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

#: Characters at the end of a text in which repetition is searched; several blanks in a row count as one.
WINDOW = 10_000
#: Characters of the longest unit that counts as repeated.
UNIT = 1_000
#: A repetition of so many characters and so many units is a collapse. Equal elements of a list, rows of a table and
#: lines of code are shorter, or something else follows them.
LEAST, TIMES = 500, 5
#: The same where the numbers in the unit count on: steps of an execution are so much alike, but not for so long.
LEAST_COUNTED, TIMES_COUNTED = 2_000, 8
#: A repetition is found by the last characters of the text, so many of them.
_KEY = 64
_NUMBER, _WORD = re.compile(r"[0-9]+"), re.compile(r"[^\W\d_]{2,}")
#: Digits of a number that are compared, the last ones.
_DIGITS = 15
#: Parts of a text in which words are counted.
PARTS = 10


def measure_reasoning(steps: Sequence[tuple[str, str]]) -> dict[str, float]:
    """The measures of one sample, from the shown reasoning (may be empty) and the reply of each of its steps.

    ``characters``: the length of the last trace, which is the reasoning of the last step, or its reply where no
    reasoning is shown. ``repetition`` (0 to 1) and ``collapsed`` (0 or 1): the highest of all these texts.
    ``confusion.0`` to ``confusion.9``: the words of doubt in each tenth of the last trace that has any.
    """
    if not steps:
        return {}
    repetitions = [measure_repetition(text) for step in steps for text in step if text]
    trace = steps[-1][0] or steps[-1][1]
    counts = count_confusion(trace)
    return {
        "characters": float(len(trace)),
        "repetition": round(max((share for share, _ in repetitions), default=0.0), 4),
        "collapsed": float(any(collapsed for _, collapsed in repetitions)),
        **{f"confusion.{part}": float(count) for part, count in enumerate(counts) if count},
    }


def measure_repetition(text: str) -> tuple[float, bool]:
    """The share of the end of a text that repeats one unit, and whether the repetition is a collapse.

    The repetition is the longest stretch at the very end of the text in which each character equals the character
    at a fixed distance before it, at most :data:`UNIT`. The last unit may be cut off. Fewer than three units count as
    none, and so does a repetition that something else follows, such as the bracket that ends a list. The share is of
    the last :data:`WINDOW` characters, or of a shorter text.

    Where that is no collapse, a repetition whose numbers count on may be one: "Step 7: check again. Step 8: check
    again."
    """
    if (blanks := len(text) - len(text.rstrip())) >= LEAST:  # nothing but line ends, say
        return min(blanks, WINDOW) / min(len(text), WINDOW), True
    end = " ".join(text[-4 * WINDOW :].split())[-WINDOW:]
    longest, unit = _find_longest_repetition(end)
    if unit and longest >= max(LEAST, TIMES * unit):
        return longest / len(end), True
    if counted := _measure_counted(end):
        return counted, True
    return (longest / len(end) if unit and longest >= 3 * unit else 0.0), False


def _measure_counted(text: str) -> float:
    """The share of the end of a text that repeats one unit whose numbers count on; 0 where that is no collapse.

    Each number of the unit grows by an amount of its own, which may be 0, from one repetition to the next. A unit has
    two words at least, so that a list such as ``1, 2, 3`` or ``item1, item2`` does not count.
    """
    text = text.rstrip("0123456789")  # a number at the very end may be cut off
    plain = _NUMBER.sub("0", text)
    longest, unit = _find_longest_repetition(plain)
    if not unit or len(set(_WORD.findall(plain[-unit:]))) < 2:
        return 0.0
    numbers = [int(number[-_DIGITS:]) for number in _NUMBER.findall(text)]
    each, counted = plain.count("0", len(plain) - unit), 0  # numbers in a unit, and numbers that count on
    if not each:
        return 0.0
    last = len(numbers) - 1
    while counted + 2 * each <= last and (
        numbers[last - counted] - numbers[last - counted - each]
        == numbers[last - counted % each] - numbers[last - counted % each - each]
    ):
        counted += 1
    length = min(longest, (counted // each + 1) * unit if counted else 0)
    return length / len(plain) if length >= max(LEAST_COUNTED, TIMES_COUNTED * unit) else 0.0


def _find_longest_repetition(text: str) -> tuple[int, int]:
    """Length and unit of the longest repetition at the end of a text, (0, 0) where there is none."""
    best, key = (0, 0), text[-_KEY:]
    at = text.rfind(key, 0, len(text) - 1) if len(text) > _KEY else -1
    while at >= 0 and (unit := len(text) - len(key) - at) <= UNIT:
        length = _measure_stretch(text, unit)
        if length > best[0]:
            best = length, unit
        if length == len(text):
            break
        at = text.rfind(key, 0, at + len(key) - 1)
    return best


def _measure_stretch(text: str, unit: int) -> int:
    """How many characters at the end of ``text`` equal the character ``unit`` before, the first unit included."""
    low, high = 0, len(text) - unit
    while low < high:
        middle = (low + high + 1) // 2
        if text[-middle:] == text[-middle - unit : -unit]:
            low = middle
        else:
            high = middle - 1
    return low + unit


def count_confusion(text: str) -> list[int]:
    """How many of the words in ``doubt.txt`` begin in each tenth of a text."""
    counts = [0] * PARTS
    for start in find_confusion(text):
        counts[PARTS * start // len(text)] += 1
    return counts


def find_confusion(text: str) -> list[int]:
    """Where the words in ``doubt.txt`` begin in a text, in order."""
    return [match.start() for match in _compile_confusion().finditer(text)]


@lru_cache(maxsize=1)
def _compile_confusion() -> re.Pattern[str]:
    lines = files(__package__).joinpath("doubt.txt").read_text(encoding="utf-8").splitlines()
    words = sorted((line for line in lines if line and not line.startswith("#")), key=len, reverse=True)
    # A look at the first letter passes over most places at once.
    firsts = "".join(sorted({word[0] for word in words}))
    return re.compile(rf"(?<!\w)(?=[{firsts}])(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
