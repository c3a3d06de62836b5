"""What can be told of a trace of reasoning from its text alone: runaway repetition, and words of doubt along it.

Everything takes time linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

#: Characters at the end of a text in which repetition is looked for; a run of blanks counts as one.
WINDOW = 10_000
#: Characters of the longest unit that counts as repeated.
UNIT = 1_000
#: A run is a collapse from so many characters and so many units on. Elements of a list that are alike, rows of a
#: table and lines of code stay below, or are followed by something else.
LEAST, TIMES = 500, 5
#: A run is found by the characters that it ends with.
_KEY = 64
#: Parts of a text in which words are counted.
PARTS = 10


def measured(steps: Sequence[tuple[str, str]]) -> dict[str, float]:
    """The numbers kept of one sample, from the shown reasoning (may be empty) and the reply of each of its steps.

    ``characters`` of the last step's trace, which is its reasoning, or its reply where none is shown;
    ``repetition`` (0 to 1) and ``collapsed`` (0 or 1), the highest of all these texts; ``confusion.0`` to
    ``confusion.9``, the words of doubt in each tenth of the last trace, where there are any.
    """
    if not steps:
        return {}
    runs = [run(text) for step in steps for text in step if text]
    trace = steps[-1][0] or steps[-1][1]
    words = confusion(trace)
    return {
        "characters": float(len(trace)),
        "repetition": round(max((share for share, _ in runs), default=0.0), 4),
        "collapsed": float(any(collapsed for _, collapsed in runs)),
        **{f"confusion.{part}": float(count) for part, count in enumerate(words) if count},
    }


def run(text: str) -> tuple[float, bool]:
    """How much of the end of a text is one unit said over and over, and whether that is a collapse.

    The run is the longest stretch that ends where the text ends and in which each character equals the one
    a fixed distance of at most :data:`UNIT` before it: a unit said back to back, the last time perhaps cut
    off. It counts from three units on. The share is that of the last :data:`WINDOW` characters, or of all
    where the text is shorter. A run that something else follows, such as the bracket that ends a list, is none.
    """
    if (blanks := len(text) - len(text.rstrip())) >= LEAST:  # nothing but line ends, say
        return min(blanks, WINDOW) / min(len(text), WINDOW), True
    end = " ".join(text[-4 * WINDOW :].split())[-WINDOW:]
    longest, unit = _longest(end)
    if not unit or longest < 3 * unit:
        return 0.0, False
    return longest / len(end), longest >= max(LEAST, TIMES * unit)


def _longest(text: str) -> tuple[int, int]:
    """Length and unit of the longest run at the end of a text, (0, 0) where there is none."""
    best, key = (0, 0), text[-_KEY:]
    at = text.rfind(key, 0, len(text) - 1) if len(text) > _KEY else -1
    while at >= 0 and (unit := len(text) - len(key) - at) <= UNIT:
        length = _stretch(text, unit)
        if length > best[0]:
            best = length, unit
        if length == len(text):
            break
        at = text.rfind(key, 0, at + len(key) - 1)
    return best


def _stretch(text: str, unit: int) -> int:
    """How many characters at the end of ``text`` each equal the one ``unit`` before, the first unit included."""
    low, high = 0, len(text) - unit
    while low < high:
        middle = (low + high + 1) // 2
        if text[-middle:] == text[-middle - unit : -unit]:
            low = middle
        else:
            high = middle - 1
    return low + unit


def confusion(text: str) -> list[int]:
    """How many of the words in ``confusion.txt`` begin in each tenth of a text, by characters."""
    counts = [0] * PARTS
    for match in _words().finditer(text):
        counts[PARTS * match.start() // len(text)] += 1
    return counts


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    lines = files(__package__).joinpath("confusion.txt").read_text(encoding="utf-8").splitlines()
    listed = sorted((line for line in lines if line and not line.startswith("#")), key=len, reverse=True)
    # The first letters stand in front, so that most places are passed over at once.
    firsts = "".join(sorted({word[0] for word in listed}))
    return re.compile(rf"(?<!\w)(?=[{firsts}])(?:{'|'.join(map(re.escape, listed))})(?!\w)", re.IGNORECASE)
