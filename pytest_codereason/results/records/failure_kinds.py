"""Names the kind of a failure, so that a reader sees like failures together.

Example: of 40 wrong answers, 25 are "wrong: one position of a list", 10 "wrong: a list of another length".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pytest_codereason.core import Record
from pytest_codereason.results.records.list_items import find_items

RIGHT = "right"
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*")
_QUOTES = "\"'`"
#: Longer answers are not compared.
_LONGEST = 2_000


def name_kind(record: Record) -> str:
    """The kind of failure of one record, ``right`` for a right answer.

    A wrong answer is described by how it differs from the expected one; a wrong call graph by the most frequent tag
    of its audit. Every other failure has its outcome and the reason up to the first colon.
    """
    if record.outcome == "correct":
        return RIGHT
    if record.outcome == "wrong":
        return f"wrong: {_describe_wrong(record)}"
    reason = record.reason.partition(":")[0].strip()
    return f"{record.outcome}: {reason[:80]}" if reason else record.outcome


def _describe_wrong(record: Record) -> str:
    counted = [edge for edge in record.audit if not edge.get("forgiven")] or record.audit
    tags = Counter(str(edge.get("tag", "other")) for edge in counted)
    if tags:
        return f"edge {tags.most_common(1)[0][0]}"
    if record.answer is None or not record.expected:
        return "another answer"
    return _compare_texts(record.expected.strip(), record.answer.strip())


def _compare_texts(expected: str, answer: str) -> str:
    """How two literals differ. Nothing is evaluated."""
    if max(len(expected), len(answer)) > _LONGEST:
        return "another long answer"
    old, new = _list_items(expected), _list_items(answer)
    types = _name_type(expected, old), _name_type(answer, new)
    if types[0] != types[1]:
        return f"{types[1]} where {types[0]} is right"
    if old is not None and new is not None:
        return _compare_items(old, new)
    if types[0] == "a number":
        return _compare_numbers(expected, answer)
    if expected.casefold().split() == answer.casefold().split():
        return "other case or spacing"
    return f"another {types[0].partition(' ')[2]}"


def _name_type(text: str, items: Sequence[str] | None) -> str:
    if items is not None:
        return "a list"
    if _NUMBER.fullmatch(text):
        return "a number"
    if text[:1] in _QUOTES:
        return "a string"
    if text.casefold() in ("true", "false"):
        return "a truth value"
    return text if text in ("None", "null", "undefined") else "a value"


def _list_items(text: str) -> list[str] | None:
    spans = find_items(text)
    return None if spans is None else [text[start:end] for start, end in spans]


def _compare_items(old: Sequence[str], new: Sequence[str]) -> str:
    if len(old) != len(new):
        return "a list of another length"
    if sorted(old) == sorted(new):
        return "a list in another order"
    count = sum(a != b for a, b in zip(old, new, strict=True))
    return "one position of a list" if count == 1 else "several positions of a list"


def _compare_numbers(expected: str, answer: str) -> str:
    old, new = float(expected), float(answer)
    if old == -new:
        return "a number with the other sign"
    return "a number that is off by one" if abs(old - new) == 1 else "another number"
