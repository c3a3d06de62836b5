"""The answer of a reply as plain text: what stands in its answer tags, whatever it is."""

from __future__ import annotations

from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly
from pytest_codereason.questions.replies.pieces.tags import cut_tags, find_tags

#: Characters of a reply without tags that may be the answer as a whole.
_SHORT = 100


def write_answer(answer: str) -> str:
    """A reply that gives an answer in the form that is asked for; :func:`find_answer` finds it."""
    return f"[ANSWER]{answer}[/ANSWER]"


def find_answer(reply: str, *, cut: bool) -> str | None:
    """What stands in the last answer tags of a reply, or the whole of a short reply without tags.

    Args:
        cut: whether the reply ended at a limit, so that what is not closed is no answer.

    Raises:
        TakesTooLong: the reply takes longer than replies may.
    """
    return _find_answer(reply, cut)


def count_answers(reply: str) -> int:
    """How many different answers a reply gives, where a reward is paid for one alone.

    What stands in each pair of answer tags is one, and whatever stands behind the last pair is one more. A reply
    without tags gives one if it is a single line.
    """
    try:
        return _count_answers(reply)
    except TakesTooLong:
        return 0


@bounded("reply")
def _count_answers(reply: str) -> int:
    text = read_plainly(read_spoken(reply))
    tags = [tag for tag in find_tags(text) if tag.asked]
    if not tags:
        return int(bool(text.strip()) and "\n" not in text.strip())
    contents = {_strip(text[tag.start : tag.ends[0] if tag.ends else len(text)]) for tag in tags}
    behind = cut_tags(text) if tags[-1].ends else ""
    return len(contents) + bool(behind.strip())


@bounded("reply")
def _find_answer(reply: str, cut: bool) -> str | None:
    text = read_plainly(read_spoken(reply))
    tags = [tag for tag in find_tags(text) if tag.asked and not tag.in_string]
    closed = [tag for tag in tags if tag.ends]
    if closed:
        return _strip(text[closed[-1].start : closed[-1].ends[0]])
    if tags and not cut:
        return _strip(text[tags[-1].start :])
    whole = text.strip()
    return _strip(whole) if not cut and whole and len(whole) <= _SHORT and "\n" not in whole else None


def _strip(text: str) -> str:
    return text.strip(" \t\r\n`*\"'.")
