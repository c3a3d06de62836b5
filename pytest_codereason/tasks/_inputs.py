"""Finds the arguments of a call in a reply, and reads them: as data wherever they are literals.

In a reply that continues the prefill, ``assert f(``, they end at the bracket that closes the call.
In every other reply these are looked for, and the first kind that holds a complete call of the
function decides, by its last one: tags, whose whole content may also be the bare arguments; fenced
code blocks; the rest of the text. A call counts only where an assertion has it: on one side of a
comparison and not a part of something larger, so that ``0 or True or f(0)`` is none. Where there is
none of these, a reply that is nothing but literals gives them as the arguments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pytest_codereason.core import Language, Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.tasks.extraction import MAX_REPLY, spoken

#: Characters of the longest arguments that are no literals: such are run, so they are kept small.
MAX_EXPRESSION = 1_000
#: Characters of a call that are looked through for its end, and calls that are tried, the last ones first.
_MAX_CALL, _MAX_CALLS = 100_000, 20

# Groups are not repeated possessively: Python 3.11.2, which Debian 12 has, then matches something else (gh-100061).
_TAGGED = re.compile(r"[\[<]answer[\]>]((?:(?![\[<]/?answer[\]>]).)*)[\[<]/answer[\]>]", re.IGNORECASE | re.DOTALL)
_FENCED = re.compile(r"^[ \t>]*(`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t>]*\1|\Z)", re.MULTILINE | re.DOTALL)
# An escape outside a string counts as one too, or a row of them would be looked through again and again.
_TOKEN = re.compile(
    r"""\\.|'{3}.*?'{3}|"{3}.*?"{3}|`[^\\`]*+(?:\\.[^\\`]*+)*`|(['"])(?:\\.|(?!\1)[^\\\n])*\1|[()\[\]{},]""", re.DOTALL
)
#: What may stand before a call, and after it, in an assertion or on a line of its own.
_BEFORE = re.compile(r"(?:^|[\n(`:]|\b[a-z]{2,}(?<!\bor)(?<!\band)(?<!\bnot)(?<!\breturn)(?<!\bif)(?<!\belse))[ \t]*\Z")
_AFTER = re.compile(r"[ \t]*(?:\Z|\n|={2,3}|->|=>|→|[),;`#]|//|\.(?:\s|\Z|equals\())")
_RANGE = re.compile(r"\brange\(\s*-?\d{1,9}\s*(?:,\s*-?\d{1,9}\s*){0,2}\)")
_NAMED = {"python": re.compile(r"\A\s*[^\W\d]\w*\s*=(?!=)"), "php": re.compile(r"\A\s*[^\W\d]\w*\s*:(?!:)")}


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments that a reply gives."""

    text: str
    values: Value | None = None  #: a list, where all of them are literals
    complete: bool = True  #: whether something ended them


def find(reply: str, *, lang: Language, function: str, prefill: str, prefilled: bool) -> Arguments | None:
    """The arguments that a reply gives ``function``, ``None`` where it gives none."""
    text = spoken(reply[-MAX_REPLY:].replace("\r\n", "\n"))
    continued = _continued(text, prefill.rpartition("\n")[2]) if prefilled and prefill else None
    found = [_read(lang, text) for text in (continued, _in_prose(text, function)) if text is not None]
    if not found:
        return _bare_arguments(lang, text.strip(), opened=bool(prefilled and prefill and closing(text, 0) is None))
    return next((arguments for arguments in found if arguments.values), found[0])


def _bare_arguments(lang: Language, text: str, *, opened: bool) -> Arguments | None:
    """A reply that is nothing but arguments, or that left its call open; nothing says that it ended there."""
    found = Arguments(text) if not text else _read(lang, text)
    return replace(found, complete=False) if opened or found.values else None


def _read(lang: Language, text: str) -> Arguments:
    try:
        return Arguments(text, read(lang, text))
    except NotALiteral:
        return Arguments(text)


def _continued(text: str, opening: str) -> str | None:
    """What a reply puts after ``opening``, up to the bracket that closes the call."""
    if text.lstrip().startswith(opening):
        text = text.lstrip().removeprefix(opening)
    end = closing(text, 0)
    return text[:end].strip() if end is not None and _AFTER.match(text, end + 1) else None


def _in_prose(text: str, function: str) -> str | None:
    for tag in reversed(list(_TAGGED.finditer(text))):
        content = tag[1].strip().strip("`").strip()
        if content:
            called = _last_call(content, function)
            return content if called is None else called
    for block in reversed(list(_FENCED.finditer(text))):
        if (found := _last_call(block[2], function)) is not None:
            return found
    return _last_call(text, function)


def _last_call(text: str, function: str) -> str | None:
    """The arguments of the last complete call that stands where an assertion has one."""
    for found in reversed(list(_call(function).finditer(text))[-_MAX_CALLS:]):
        end = closing(text, found.end())
        if end is None or not _AFTER.match(text, end + 1):
            continue
        if _BEFORE.search(text[max(0, found.start() - 200) : found.start()]):
            return text[found.end() : end].strip()
    return None


@lru_cache(maxsize=64)
def _call(function: str) -> re.Pattern[str]:
    qualifier, _, name = function.rpartition(".")
    optional = rf"(?:{re.escape(qualifier)}\s*\.\s*)?" if qualifier else ""
    return re.compile(rf"(?<![\w$.])(?<!def )(?<!function ){optional}{re.escape(name)}\s*\(")


def closing(text: str, start: int) -> int | None:
    """The offset of the bracket that closes the one before ``start``."""
    depth = 1
    for token in _TOKEN.finditer(text, start, start + _MAX_CALL):
        depth += 1 if token[0] in "([{" else -1 if token[0] in ")]}" else 0
        if depth == 0:
            return token.start() if token[0] == ")" else None
    return None


def _top_level(text: str) -> Iterator[str]:
    """The arguments one by one."""
    depth = start = 0
    for token in _TOKEN.finditer(text):
        depth += 1 if token[0] in "([{" else -1 if token[0] in ")]}" else 0
        if token[0] == "," and depth == 0:
            yield text[start : token.start()]
            start = token.end()
    yield text[start:]


def read(lang: Language, text: str) -> Value:
    """The arguments as a list of values, where all of them are literals; names of parameters are passed over.

    Raises:
        NotALiteral: one is something else.
    """
    if named := _NAMED.get(lang.name):
        text = ",".join(named.sub("", argument, count=1) for argument in _top_level(text))
    found = lang.values.read(f"[{text}]")
    if not isinstance(found.value, list):
        raise NotALiteral("not a list of arguments")
    return found


def names(lang: Language, text: str) -> list[str]:
    """The parameter that each argument names, empty where it names none."""
    named = _NAMED.get(lang.name)
    found = [named.match(argument) if named else None for argument in _top_level(text)]
    return ["".join(match[0].split()) if match else "" for match in found]


def in_call(lang: Language, text: str) -> str:
    """Literal arguments as a call takes them.

    They stay as they are but where one holds a number that is not finite: not every way to say that is a literal of
    the language too, such as ``nan`` as Python prints it, or ``1e999`` in Java.
    """
    return ",".join(_in_call(lang, argument) for argument in _top_level(text))


def _in_call(lang: Language, argument: str) -> str:
    named = _NAMED[lang.name].match(argument) if lang.name in _NAMED else None
    name = named[0] if named else ""
    try:
        value = lang.values.read(argument.removeprefix(name)).value
    except NotALiteral:  # what follows the last comma
        return argument
    return argument if _finite(value) else name + lang.values.write(value)


def _finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_finite(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def plain(lang: Language, text: str) -> bool:
    """Whether arguments that are no data may stand in a call all the same: literals but for ``range(3)`` of Python."""
    if lang.name != "python":
        return False
    try:
        read(lang, _RANGE.sub("0", _bare(text)))
    except NotALiteral:
        return False
    return True


def refusal(lang: Language, text: str, function: str) -> str:
    """Why arguments that are no literals are not even evaluated; empty where they may be."""
    if len(text) > MAX_EXPRESSION:
        return f"no literals, and longer than {MAX_EXPRESSION} characters"
    name = re.escape(function.rpartition(".")[2])
    # In an expression of Python, ``f=`` names a parameter.
    named = r"(?!\s*=(?!=))" if lang.name == "python" else ""
    found = re.search(rf"(?<![\w$]){name}(?![\w'\"]){named}", _bare(text))
    return f"the arguments name {function} itself" if found else ""


def _bare(text: str) -> str:
    """``text`` with its strings emptied."""
    return _TOKEN.sub(lambda token: token[0] if len(token[0]) == 1 else "''", text)


def written(lang: Language, values: list[Any]) -> str:
    """Values as arguments."""
    return ", ".join(map(lang.values.write, values))
