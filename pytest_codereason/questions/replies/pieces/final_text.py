"""Reads what a model says in a reply: the end of its text, without the reasoning and the marks of a chat."""

from __future__ import annotations

import re

from pytest_codereason.questions.replies.pieces.marks import ANSWERING, AROUND, REASONING, TURNS, compile_rows
from pytest_codereason.questions.replies.pieces.strings import compile_outside, replace_outside, stands_in_string

#: Characters of a reply that are read, counted from its end.
MAX_REPLY = 1_000_000

_THOUGHT = re.compile(r"\[/THOUGHT\]", re.IGNORECASE)
_ANSWER = re.compile(r"\[ANSWER\]", re.IGNORECASE)
_REASONING = re.compile(
    "|".join(
        rf"(?P<open{row}>{opening})|(?P<close{row}>{closing})" for row, (opening, closing) in enumerate(REASONING)
    ),
    re.IGNORECASE | re.MULTILINE,
)
#: What a mark of reasoning may begin with; ``_REASONING`` is asked at these places alone.
_MAY_REASON = re.compile(r"<[A-Za-z/|｜]|\[/?(?i:THI|REA)|◁|Thinking\.\.\.|\.\.\.done|Here(?= is|'s|’s)")
#: An opening mark counts at the start of a line, or right behind another mark.
_OPENS = re.compile(r"(?:\A|\n|>)[ \t]*\Z")
_MAX_BLANKS = 80
#: The first letters of the name of a mark: ``<thinking>`` may end with ``</think>``.
_NAME = re.compile(r"</?([A-Za-z]{1,5})")
_ANSWERING = compile_rows(ANSWERING)
#: A message of a reply in channels, and such a reply whose marks a server has dropped.
_CHANNEL = re.compile(r"<\|channel\|>\s*+(\w++)[^\n]{0,200}?<\|message\|>")
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_BARE_CHANNEL = re.compile(r"\s*+(?:assistant)?(?:analysis|commentary)(?=[^\sa-z:,.;])")
_BARE_ANALYSIS, _BARE_FINAL = re.compile(r"\s*+(?:assistant)?analysis"), "assistantfinal"
_MAY_MARK = re.compile(r"<[A-Za-z/|｜]|\[(?:/?(?i:INST)|(?i:BEGIN|END|EOS|EOT|SEP|PAD)|\|)")
#: The same, with a search for each first character, which is faster than one search for all.
_ANGLED, _SQUARE = re.compile(r"<[A-Za-z/|｜]"), re.compile(r"\[(?:/?(?i:THI|REA|INST)|(?i:BEG|E|SEP|PAD)|\|)")
_MARK = re.compile("|".join((*AROUND, *TURNS)), re.IGNORECASE)
_AROUND = compile_outside("|".join(AROUND), re.IGNORECASE)
_TURN = compile_outside("|".join(TURNS), re.IGNORECASE)
_SPEAKER = re.compile(r"\s*+(assistant|model|user|human|system)[ \t]*+(?::|\n|\Z)", re.IGNORECASE)
_LABEL = re.compile(r"\s*+(?:assistant|model|response|ai|a):[ \t]*", re.IGNORECASE)
_ASSISTANTS = frozenset({"assistant", "model"})


def read_spoken(reply: str) -> str:
    """The last million characters of a reply, with plain line ends, without reasoning and without marks of a chat."""
    text = read_final_channel(reply[-MAX_REPLY:].replace("\r\n", "\n").removeprefix("\ufeff"))
    if not _may_have_marks(text):
        return drop_label(drop_thoughts(text))
    return read_turn(drop_label(drop_thoughts(strip_reasoning(text))))


def _may_have_marks(text: str) -> bool:
    """Whether a text may have marks, other than those of thoughts. Most replies have none."""
    return (
        _SQUARE.search(text) is not None
        or _ANGLED.search(text) is not None
        or "◁" in text
        or "..." in text
        or "Here" in text
    )


def read_final_channel(text: str) -> str:
    """The final messages of a reply in channels: nothing where the model did not come that far."""
    if "<|channel|>" in text:
        messages = []
        for channel in _CHANNEL.finditer(text):
            if channel[1].lower() == "final":
                end = _MESSAGE_END.search(text, channel.end())
                messages.append(text[channel.end() : end.start() if end else None])
        return "\n".join(messages)
    if _BARE_FINAL in text and _BARE_ANALYSIS.match(text):
        return text.rpartition(_BARE_FINAL)[2]
    return "" if _BARE_CHANNEL.match(text) else text


def drop_thoughts(text: str) -> str:
    """What follows the last ``[/THOUGHT]``, if an ``[ANSWER]`` follows it; else the whole text.

    A model that puts its answer between its thoughts is read there.
    """
    ends = [end.end() for end in _THOUGHT.finditer(text)] if "[/" in text else []
    return text[ends[-1] :] if ends and _ANSWER.search(text, ends[-1]) else text


def strip_reasoning(text: str) -> str:
    """``text`` without the text between marks of reasoning.

    An opening mark that is never closed hides the rest of the text. A closing mark that was never opened hides all
    text before it, unless it stands in a string. So does a mark that begins the answer.
    """
    if _MAY_MARK.search(text) and (answering := list(_ANSWERING.finditer(text))):
        text = text[answering[-1].end() :]
    kept_parts: list[str] = []
    start, opened, opened_name = 0, "", None
    for place in _MAY_REASON.finditer(text):
        mark = _REASONING.match(text, place.start())
        if mark is None:
            continue
        kind, name = mark.lastgroup or "", _NAME.match(mark[0])
        if opened:
            if kind == opened and (not name or not opened_name or name[1].lower() == opened_name[1].lower()):
                start, opened = mark.end(), ""
        elif kind.startswith("open"):
            if not _OPENS.search(text[max(0, mark.start() - _MAX_BLANKS) : mark.start()]):
                continue
            kept_parts.append(text[start : mark.start()])
            opened, opened_name = kind.replace("open", "close"), name
        elif not _is_mentioned(text, mark.start(), mark.end()):
            kept_parts, start = [], mark.end()
    return "\n".join(kept_parts if opened else [*kept_parts, text[start:]])


def _is_mentioned(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] == text[end : end + 1] == "`" or stands_in_string(text, start, end)


def drop_label(text: str) -> str:
    """``text`` without the name of its speaker: ``Assistant: 42``."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def read_turn(text: str) -> str:
    """What the model says before another speaker begins, without the marks that chat templates put around it.

    A mark within a string is a part of the string.
    """
    if not (_MAY_MARK.search(text) and _MARK.search(text)):
        return text
    text = replace_outside(_AROUND, lambda _: "", text)
    turns, start = [], 0
    for mark in _TURN.finditer(text):
        if mark["outside"] is not None:
            turns.append(text[start : mark.start()])
            start = mark.end()
    speaks = True
    for turn in [*turns, text[start:]]:
        speaker = _SPEAKER.match(turn)
        speaks = speaker[1].lower() in _ASSISTANTS if speaker else speaks
        said = turn[speaker.end() :] if speaker else turn
        if said.strip():
            if speaks:
                return said
            speaks = True
    return ""
