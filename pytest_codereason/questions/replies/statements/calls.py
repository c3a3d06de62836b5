"""Finds calls of one function in a reply, and the text of their arguments.

A call counts only where an assertion has a call: on one side of a comparison, and not within something larger. So
``0 or True or f(0)`` holds no call, and neither does ``g(f(1)) == 3``. ``print(f(1))``, ``assertEqual(f(1), 3)`` and
``assertEquals(3, f(1))`` do.
An assertion that says what the value is not, such as ``assertNotEqual(f(1), 3)``, holds none either.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_codereason.core.text.brackets import find_closing_bracket
from pytest_codereason.questions.replies.statements.denials import is_denied

#: Calls that are tried, the last ones first.
_MAX_CALLS = 20
#: Characters before a call that are looked at.
_MAX_BEFORE = 200
#: Characters on either side of a call in which a call around it begins and ends, and how many such are tried.
_MAX_AROUND, _MAX_OUTER = 2_000, 10

_BEFORE = re.compile(
    r"(?:^|[\n(`:]|\*\*|boxed\{|(?:^|\n)[ \t]*>+"
    r"|\b[a-z]{2,}(?<!\bor)(?<!\band)(?<!\bnot)(?<!\breturn)(?<!\bif)(?<!\belse)"
    r"|(?<!\w)(?!\w*(?i:not))\w*(?:[eE]qual|[sS]ame)\w*\((?:[^\n()]|\([^\n()]*\))*,"
    r"|\bassert(?!\w*(?i:not))\w*[ \t(]+(?:(?!\b(?:or|and|not)\b|\|\||&&|!)[^\n=])*={2,3}"
    r"|[eE]quals[ \t]*\()[ \t]*\Z"
)
_AFTER = re.compile(
    r"[ \t]*(?:\Z|\n|={1,3}|->|=>|→|[),;`#}]|\*\*|//|\.(?:\s|\Z|(?:content)?[eE]quals\(|should\b)"
    r"|(?:returns?|gives|yields|is|equals|evaluates to|will return|should return)\b)"
)
#: The bracket that opens the arguments of a call, and the word before it.
_OUTER = re.compile(r"([\w$]+|[)\]])([ \t]*)\(")
#: Words whose call states or shows the value of what it is given, and words that are no function.
_STATES = re.compile(
    r"(?:assert|expect|print|echo|log|var_dump|var_export|stringify|json_encode|dumps)\w*|\w*[eE]qual\w*"
    r"|if|while|return|await"
)
#: What a sentence says of a call that does not give what is asked for: ``f(3) is 28, which is too small``.
_REJECTED = re.compile(
    r"[ \t`*]*(?:is|does|do|will|would|can)(?:[ ]?not\b|n['’]t\b)"
    r"|[^\n.;\#'\"]{0,60}?(?:[,—–(]|\b(?:which|but|and)\b)[ ]*(?:(?:but|and|which|that|this|it)[ ]+){0,2}"
    r"(?:(?:is|are|was|would[ ]be)[ ]+)?(?:still[ ]+)?"
    r"(?:too[ ](?:small|large|big|low|high|short|long|many|few|much|little)\b|(?:wrong|incorrect)\b"
    r"|not[ ](?:what|enough|right|correct|it)\b|(?:does[ ]not|doesn['’]t)[ ](?:match|work|fit))",
    re.IGNORECASE,
)
#: What prompts write in the place of arguments.
_PLACEHOLDER = "??"
_COMPARED = re.compile(r"\s*(?:={1,3}|!=|->|=>|→|is\b|returns?\b)")


def find_last_call(text: str, function: str) -> str | None:
    """The text of the arguments in the last complete call of ``function``, ``None`` if there is no call.

    A call within the arguments of another call of the function does not count: ``f(f(41))`` gives ``f(41)``.

    Blanks at the end of the arguments stay, because a line end may end a comment.
    """
    calls = list(_compile_calls(function).finditer(text))[-_MAX_CALLS:]
    ends = [find_closing_bracket(text, call.end()) for call in calls]
    for number in reversed(range(len(calls))):
        call, end = calls[number], ends[number]
        if end is None or not _AFTER.match(text, end + 1) or text[call.end() : end].strip() == _PLACEHOLDER:
            continue
        within = any(outer is not None and outer > end for outer in ends[:number])
        alone = not within and _BEFORE.search(text[max(0, call.start() - _MAX_BEFORE) : call.start()])
        if (
            alone
            and not _REJECTED.match(text, end + 1)
            and not is_denied(text, call.start(), end + 1)
            and not _is_argument(text, call.start(), end + 1)
        ):
            return text[call.end() : end].lstrip()
    return None


def _is_argument(text: str, start: int, end: int) -> bool:
    """Whether the call from ``start`` to ``end`` is an argument of another call, whose value is another."""
    before, after = text[max(0, start - _MAX_AROUND) : start], text[end : end + _MAX_AROUND]
    for outer in reversed(list(_OUTER.finditer(before))[-_MAX_OUTER:]):
        rest = before[outer.end() :] + after
        closing = find_closing_bracket(rest, 0)
        if closing is None or closing < len(before) - outer.end():
            continue  # never closed, or closed before the call
        if not outer[2]:
            return not _STATES.fullmatch(outer[1])
        # A word and a blank may be prose: "the call (f(1)) gives 3".
        return not _STATES.fullmatch(outer[1]) and bool(_COMPARED.match(rest, closing + 1))
    return False


def continue_call(text: str, opening: str) -> tuple[str, str] | None:
    """The text of the arguments that ``text`` puts after ``opening``, such as ``assert f(``, and the text after them.

    ``None`` if no bracket closes the call. A text may repeat ``opening``.
    """
    if text.lstrip().startswith(opening):
        text = text.lstrip().removeprefix(opening)
    end = find_closing_bracket(text, 0)
    return (text[:end].lstrip(), text[end:]) if end is not None and _AFTER.match(text, end + 1) else None


@lru_cache(maxsize=64)
def _compile_calls(function: str) -> re.Pattern[str]:
    qualifier, _, name = function.rpartition(".")
    optional = rf"(?:{re.escape(qualifier)}\s*\.\s*)?" if qualifier else ""
    return re.compile(rf"(?<![\w$.])(?<!def )(?<!function ){optional}{re.escape(name)}\s*\(")
