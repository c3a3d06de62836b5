"""Says whether a statement of a value ends where the value ends: ``42, or maybe 43`` and ``'ab' repeated`` go on.

What may follow a value is listed here. Everything else may change the value, so the value is then no answer.
"""

from __future__ import annotations

import re

from pytest_codereason.questions.replies.statements.denials import NEGATED, WRONG
from pytest_codereason.questions.replies.statements.words import BEHIND, OTHERS

#: Characters behind a value that are looked at.
_MAX_BEHIND = 200
#: What closes the marks around a value: inline code, emphasis, brackets, quotes of a sentence.
_CLOSING = re.compile(r"[`_)\]}]*+(?:\*{1,3}(?![ \t]*[\w(]))?[`_)\]}]*+")
_CLOSING_IN_PROSE = re.compile(rf"(?:{_CLOSING.pattern})(?:['\"”’](?=[\s.,;]|\Z))?")
#: What follows at once.
_END = re.compile(
    r"[ \t]*(?:\Z|\n|[;\\]|[.!](?=[\s)\"'*_`]|\Z)(?!\s?['\"$])|\#|//|/\*|</|\[/"
    r"|<[|｜]|\|(?=[ \t]*(?:\n|\Z))|[—–]|--[ ]|[,:](?=\s|\Z)|\(|->|→|=>"
    r"|\*/|[^\x00-\x7f\w\s×÷·±°€£¥…‰√∙∗⋅])"
)
#: A message of an assertion, or another argument of it.
_MESSAGE = re.compile(r"[ \t]*,")
#: Words behind a value that explain it, and the beginning of another sentence.
_EXPLAINS = re.compile(
    r"""[ \t]+(?:
    (?:because|since|as|by|due|thanks|rather|instead|not|which|that|this|these|so|where|here|there|altogether|overall
      |total|finally|then|too|also|again|exactly|indeed|now|given|from|via|we|i|it|you|hence|thus|therefore
      |after(?![ ](?:the[ ]|a[ ])?(?:first|second|third|each|every|one|step|iteration|loop|\d))
      |before|at|without[ ]any[ ](?:doubt|change)|every[ ]time|each[ ]time|accordingly|as[ ]well|anyway|once|only)\b
    |on[ ](?:`?[nx]\b|the\b|this|that|our|input|`?f\b)
    |in[ ](?:the[ ]end|total|all|this[ ]case|both|every|fact|our|that)
    |for[ ](?:`?[nx]\b|the\b|this|that|our|given|input|these|`?\w+`?[ ]?={1,2}|`?f\b|example)
    |with[ ](?:no\b|the[ ](?:given|same|input|argument)|`?\w+`?[ ]?=|this|these|input|n\b)
    |when[ ](?:called|run|executed|given|evaluated|invoked|passed|applied|we|you|it|the[ ](?:call|function|code)
      |`?\w+`?[ ]?={1,2}
      |\w+[ ]is[ ]\d)
    |and[ ](?:the|this|not|nothing|that|so|we|it|is|ends|stops|terminates|exits|does|f\b|no\b)
    |(?:is|was|will[ ]be)[ ](?:what|the|my|our|returned|printed|output|correct|right|[tT]rue|expected
      |therefore|thus|then|it)
    |={2,3}[ ][tT]rue
    |(?:holds|passes|succeeds|returned|printed|instead)\b
    |[A-Z]
    )""",
    re.VERBOSE,
)
_BEHIND = re.compile(rf"[ \t]*(?:{BEHIND})(?=[\s.,;!。]|\Z)", re.IGNORECASE)
#: What begins another value, a condition or a change of the value, and what a sentence says of such.
_OTHER_FIRST = re.compile(
    rf"[\s,;:(\[—–*_`|-]*+(?:(?:{OTHERS})|(?:is[ ](?:not|{WRONG})|is{NEGATED})(?!\w))"
    r"|[\s*_`)]*+,[ \t*_`]*(?:[-+]?\d|['\"\[{])",
    re.IGNORECASE,
)
_OTHER_LATER = re.compile(
    r"[^.;!?\n]*?(?:\b(?:otherwise|or else|unless|depending on|in reverse|reversed|repeated|sorted|appended|prepended"
    r"|swapped|removed)\b|\bor (?:maybe|perhaps|possibly|[-+\d'\"\[({]))",
    re.IGNORECASE,
)
#: What a comment or a mark says of an assertion that does not hold.
_DENIED = re.compile(
    rf"[ \t;,)]*+(?:[❌✗✘✖🚫⛔]|(?:\#|//|/\*|\(|—|–|-)[ \t]*(?:[❌✗✘✖🚫]|(?:this[ ]|that[ ]|it[ ])?(?:is[ ]"
    r"|would[ ]be[ ]|would[ ])?"
    rf"(?:{WRONG}|fails?|failing|no|nope|not[ ](?:true|right|correct|it)|assertionerror|invalid)\b))",
    re.IGNORECASE,
)
#: A model takes its words back at once, and says nothing better.
_WITHDRAWN = re.compile(
    r"[\s.!,;)`*—–-]*+(?:(?:no|wait|hmm|oops|actually|sorry|hold on)[\s,.!—–-]+){1,3}"
    rf"(?:that|this|it)(?:['’]s|[ ]is|[ ]was|[ ]can(?:no|['’])t[ ]be|[ ]is{NEGATED}|[ ]seems)[ ]?"
    rf"(?:{WRONG}|not[ ](?:right|correct|true)|right|correct|a[ ]mistake)",
    re.IGNORECASE,
)
_AND_MORE = re.compile(r"[ \t]*(?:and\b|&&)[^\n]{0,200}?(?:[=<>!]=|\()(?![^\n]*\bfalse\b)", re.IGNORECASE)


def ends_prose(text: str, end: int) -> bool:
    """Whether a sentence that gives a value ends with the value at ``end``, or only explains it from there on."""
    stop = end + _MAX_BEHIND
    end = _CLOSING_IN_PROSE.match(text, end, stop).end()  # type: ignore[union-attr]  # matches anywhere
    if behind := _BEHIND.match(text, end, stop):
        end = behind.end()
    elif not (_END.match(text, end, stop) or _EXPLAINS.match(text, end, stop)):
        return False
    return not _goes_on(text, end, stop)


def ends_code(text: str, end: int) -> bool:
    """The same of an assertion in code, which may have a message, a comment, or another condition beside it."""
    stop = end + _MAX_BEHIND
    if _MESSAGE.match(text, end, stop) or _AND_MORE.match(text, end, stop):
        return True
    if _DENIED.match(text, end, stop) or _WITHDRAWN.match(text, end, stop):
        return False
    closed = _CLOSING.match(text, end, stop).end()  # type: ignore[union-attr]  # matches anywhere
    if _MESSAGE.match(text, closed, stop) or _AND_MORE.match(text, closed, stop):
        return True
    if line := _LINE_OF_CODE.match(text, closed, stop):
        return not _DENIED.match(text, line.end(), stop)
    return ends_prose(text, end)


_LINE_OF_CODE = re.compile(r"[ \t]*(?:\Z|\n|;|(?=\#|//|/\*))")


def _goes_on(text: str, end: int, stop: int) -> bool:
    line = text.find("\n", end, stop)
    stop = min(stop, len(text)) if line < 0 else line
    return bool(
        _DENIED.match(text, end, stop)
        or _OTHER_FIRST.match(text, end, stop)
        or _OTHER_LATER.match(text, end, stop)
        or _WITHDRAWN.match(text, end, end + _MAX_BEHIND)
    )
