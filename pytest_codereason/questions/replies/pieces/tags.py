"""Finds answer tags in a reply: ``[ANSWER]1[/ANSWER]``, ``<answer>1</answer>`` and ``<output>1</output>``."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Closing tags that are kept for one opening tag: a string in the answer may hold a closing tag.
MAX_ENDS = 3

_TAG = re.compile(
    r"[\[<](?P<end>/?)(?:answer|(?P<other>final_?answer|final|output|result|solution"
    r"|assertion))(?:[ ][^\[\]<>\n]{0,80})?[\]>]",
    re.IGNORECASE,
)
_IN_STRING = re.compile(r"['\"\w]")


class Tag(NamedTuple):
    """An opening tag, by the offsets of what may be its content."""

    start: int  #: where the content begins
    ends: tuple[int, ...]  #: where the next closing tags begin, the nearest first; none where the tag stays open
    in_string: bool  #: whether a quote or a letter stands right before the tag, as in ``'[ANSWER]'``
    innermost: bool  #: whether the next tag closes this one
    asked: bool = True  #: whether prompts ask for an answer in such tags


def find_tags(text: str) -> list[Tag]:
    """The opening tags of ``text``, in their order."""
    if "[" not in text and "<" not in text:
        return []
    tags: list[Tag] = []
    ends: tuple[int, ...] = ()
    next_closes = False
    matches = list(_TAG.finditer(text))
    if len(matches) == 2 and not (matches[0]["end"] or matches[1]["end"]):  # `[ANSWER]1[ANSWER]`
        ends, next_closes = (matches.pop().start(),), True
    for match in reversed(matches):
        if match["end"]:
            ends = (match.start(), *ends[: MAX_ENDS - 1])
            next_closes = True
            continue
        start, end = match.span()
        in_string = start > 0 and _IN_STRING.match(text, start - 1) is not None
        tags.append(Tag(end, ends, in_string, next_closes, match["other"] is None))
        next_closes = False
    return tags[::-1]


def cut_tags(text: str) -> str:
    """What stands behind the last tag of ``text``; all of it where there is none."""
    return text[max((match.end() for match in _TAG.finditer(text)), default=0) :]


def drop_tags(text: str) -> str:
    """``text`` without its tags, but with what stands in them."""
    return _TAG.sub("", text)


def keep_tags(text: str) -> str:
    """The tags of ``text`` alone, without what stands around them."""
    return "".join(tag[0] for tag in _TAG.finditer(text))
