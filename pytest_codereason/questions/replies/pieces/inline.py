"""Reads literals in inline code, where nothing better is stated: ``we get `42` ``."""

from __future__ import annotations

import re

from pytest_codereason.questions.replies.literals import Candidate, LiteralReader
from pytest_codereason.questions.replies.statements.assertions import compile_call, compile_function
from pytest_codereason.questions.replies.statements.denials import CONTRASTS, NEGATED, NEGATIONS, UNEQUAL

#: Characters before a literal that are looked at.
_MAX_BEFORE = 200
_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]++)\1(?!`)")
_LEADS = re.compile(
    r"(?:\b(?:gets?|gives?|obtain|yields?|returns?|becomes?|so|thus|hence)|[=→:>]|->)[ \t*]*\Z", re.IGNORECASE
)
#: What denies a literal right before it: ``the answer is `n + 39`, not `42` ``.
_DENIED = re.compile(
    rf"(?:\b(?:than|{NEGATIONS}|{CONTRASTS})(?:[ ]be)?|{NEGATED}(?:[ ]be)?|{UNEQUAL})[ \t*]*\Z", re.IGNORECASE
)
_SENTENCE = re.compile(r"[.;!?](?=\s)|\n")
#: The steps of a list, of which the last one breaks off.
_STEPS_CUT = re.compile(
    r"^[ \t]*(?:\d+[.)]|[-*•])[ \t][^\n]*\n+[ \t]*(?:\d+[.)]|[-*•])[ \t][^\n]*[^\W\d_][ \t]*\Z", re.MULTILINE
)


def find_inline(reader: LiteralReader, text: str, call: str) -> Candidate | None:
    """The last literal in inline code, if it is the only one or words before it lead to it.

    A sentence about a call with other arguments gives none, and neither does a list of steps that breaks off.
    """
    last: Candidate | None = None
    low = text.rfind("\n", 0, len(text.rstrip())) + 1 if _STEPS_CUT.search(text[-2 * _MAX_BEFORE :]) else 0
    for code in reversed(list(_INLINE.finditer(text, low))):
        before = text[max(0, code.start() - _MAX_BEFORE) : code.start()]
        if _DENIED.search(before) or _speaks_of_other(reader, before, call):
            continue
        candidate = reader.read(code[2])
        if candidate.value is None:
            continue
        if _LEADS.search(before[-40:]):
            return candidate
        if last is not None and last.text != candidate.text:
            return None
        last = last or candidate
    return last


def _speaks_of_other(reader: LiteralReader, before: str, call: str) -> bool:
    """Whether the sentence is about a call of the function with other arguments."""
    sentence = _SENTENCE.split(before)[-1]
    if "(" not in sentence or compile_call(call, reader.parameter_mark).search(sentence):
        return False
    return any(
        sentence[other.end() : other.end() + 1] not in ("", ")") for other in compile_function(call).finditer(sentence)
    )
