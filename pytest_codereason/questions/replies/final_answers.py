"""The answer of a reply as plain text: what stands in its answer tags, whatever it is.

Without tags the end of the reply counts, if it says that it is the answer: ``The answer is 8``, ``**8**``, a box, a
block of code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.boxes import Box, find_boxes
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly
from pytest_codereason.questions.replies.pieces.tags import cut_tags, drop_tags, find_tags

#: Characters of a reply without tags that may be the answer as a whole.
_SHORT = 100
#: What says that the rest of its line is the answer, or the next line.
_LABEL = re.compile(
    r"[\s>#*_-]*(?:(?:so|thus|hence|therefore|then|finally)\b[,:]?\s+)?(?:(?:the|my)\s+)?(?:(?:final|correct)\s+)?"
    r"answer\b[*_]*(?:\s+(?:is|would be)\b)?\s*[:=]?[\s*_]*",
    re.IGNORECASE,
)
_EMPHASISED = re.compile(r"(\*{1,3}|_{2,3})(?!\s)([^*_\n]+)\1[.]?")
#: What stands around an answer, and is none of it.
_MARKS = " \t\r\n`*\"'."
_FENCED = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)

#: Behind the type of an exception: its message, which names no other type.
MESSAGE = (
    r"(?:\s*(?:[:(]|,\s+(?:because|since|as)\b)(?!\s*(?:or|maybe|perhaps|possibly)\b)(?:(?!\bor\s+(?:(?:an?|line|raises?)\s+)?(?:\d|\w*(?:Error|Exception)\b))."
    r")*)?"
)


def write_answer(answer: str) -> str:
    """A reply that gives an answer in the form that is asked for; :func:`find_answer` finds it."""
    return f"[ANSWER]{answer}[/ANSWER]"


def find_answer(reply: str, *, cut: bool) -> str | None:
    """What stands in the last answer tags of a reply. Without tags what its end calls the answer, or a short reply.

    Args:
        cut: whether the reply ended at a limit, so that what is not closed is no answer.

    Raises:
        TakesTooLong: the reply takes longer than replies may.
    """
    return _find_answer(reply, cut)


def count_answers(reply: str) -> int:
    """How many different answers a reply gives, where a reward is paid for one alone.

    What stands in each pair of answer tags is one, what a line or a box calls the answer, and whatever stands behind
    the last pair. Without tags bold lines and blocks of code are some too; there is none if the end is none.
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
        last = _find_untagged(text)
        return 0 if last is None else len({last, *_list_said(text), *_list_shown(text)})
    contents = {_bare(text[tag.start : tag.ends[0] if tag.ends else len(text)]) for tag in tags}
    behind = cut_tags(text) if tags[-1].ends else ""
    return len(contents | {*_list_said(drop_tags(text))}) + bool(behind.strip(_MARKS))


@bounded("reply")
def _find_answer(reply: str, cut: bool) -> str | None:
    text = read_plainly(read_spoken(reply))
    tags = [tag for tag in find_tags(text) if tag.asked and not tag.in_string]
    closed = [tag for tag in tags if tag.ends]
    if closed:
        return _bare(text[closed[-1].start : closed[-1].ends[0]])
    if cut:
        return None
    return _bare(text[tags[-1].start :]) if tags else _find_untagged(text)


def _find_untagged(text: str) -> str | None:
    """What the end of a text without tags gives as the answer."""
    text = text.strip()
    blocks = read_blocks(text)
    if blocks and blocks[-1].closed and not text[blocks[-1].after :].strip(_MARKS):
        above = text[: blocks[-1].start].rstrip().rpartition("\n")[0].strip().rpartition("\n")[2]
        return _bare(blocks[-1].text) if _is_label(above) or not above else None
    above, _, line = text.rpartition("\n")
    label = _LABEL.match(line)
    if label is not None and label.end() < len(line):
        return _bare(line[label.end() :])
    if line and (_EMPHASISED.fullmatch(line.strip()) or _is_label(above.strip().rpartition("\n")[2])):
        return _bare(line)
    if boxes := list(_list_boxes(line)):
        return boxes[-1]
    return _bare(line) if line and not above and len(line) <= _SHORT else None


def _is_label(line: str) -> bool:
    return bool(line) and _LABEL.fullmatch(line) is not None


def _list_said(text: str) -> Iterator[str]:
    """What the lines and boxes of a text call the answer."""
    for line in text.split("\n"):
        if (label := _LABEL.match(line)) and label.end() < len(line):
            yield _bare(line[label.end() :])
    yield from _list_boxes(text)


def _list_shown(text: str) -> Iterator[str]:
    """What a text without tags shows on a line or in a block of its own."""
    for line in text.split("\n"):
        if emphasised := _EMPHASISED.fullmatch(line.strip()):
            yield _bare(emphasised[2])
    yield from (_bare(block.text) for block in read_blocks(text))


def _list_boxes(text: str) -> Iterator[str]:
    return (_bare(box.content) for box in find_boxes(text, lambda _: True))


def _bare(text: str) -> str:
    """An answer without what is written around it: a block of code, a box, words that announce it."""
    text = text.strip()
    if fenced := _FENCED.fullmatch(text):
        text = fenced[1]
    if label := _LABEL.match(text):
        text = text[label.end() :]
    if (boxes := list(find_boxes(text, lambda _: True))) and boxes[0].content and _is_all(boxes[0], text):
        text = boxes[0].content
    return text.strip(_MARKS)


def _is_all(box: Box, text: str) -> bool:
    return not (text[: box.start] + text[box.end :]).strip(f"{_MARKS}$")
