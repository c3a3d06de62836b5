"""Reads what a model says in a reply: the end of its text, without the reasoning."""

from __future__ import annotations

import re

#: Characters of a reply that are read, counted from its end.
MAX_REPLY = 1_000_000

_THOUGHT = re.compile(r"\[/THOUGHT\]", re.IGNORECASE)
_ANSWER = re.compile(r"\[ANSWER\]", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")
_THINK = re.compile(r"^[ \t]*<think(?:ing)?>|</(think)(?:ing)?>", re.MULTILINE | re.IGNORECASE)


def read_spoken(reply: str) -> str:
    """The last million characters of a reply, with plain line ends and without reasoning."""
    return drop_thoughts(strip_reasoning(reply[-MAX_REPLY:].replace("\r\n", "\n")))


def drop_thoughts(text: str) -> str:
    """What follows the last ``[/THOUGHT]``, if an ``[ANSWER]`` follows it; else the whole text.

    A model that puts its answer between its thoughts is read there.
    """
    ends = [end.end() for end in _THOUGHT.finditer(text)]
    return text[ends[-1] :] if ends and _ANSWER.search(text, ends[-1]) else text


def strip_reasoning(text: str) -> str:
    """``text`` without the text between think tags.

    An opening tag counts at the start of a line. An opening tag that is never closed hides the rest of the text.
    A closing tag at the end of a line that was never opened hides all text before it.
    """
    kept_parts: list[str] = []
    start: int | None = 0
    for tag in _THINK.finditer(text):
        if tag[1] is None:
            kept_parts += [] if start is None else [text[start : tag.start()]]
            start = None
        elif start is None:
            start = tag.end()
        elif _LINE_END.match(text, tag.end()):
            kept_parts, start = [], tag.end()
    return "\n".join(kept_parts if start is None else [*kept_parts, text[start:]])
