"""Reads the arguments that a reply states without a call: ``The input is 3.``, ``?? = 3``, ``\\boxed{3}``.

The steps are those by which a result is read, with other words. The last statement counts. A statement of the result,
such as ``so the output is 42``, is none of the arguments.
"""

from __future__ import annotations

import json
import re

from pytest_codereason.core import Language, Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.questions.replies.literals import LiteralReader
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.boxes import find_boxes
from pytest_codereason.questions.replies.pieces.strings import stands_in_string
from pytest_codereason.questions.replies.statements.sentences import find_arguments
from pytest_codereason.questions.replies.statements.tails import ends_prose
from pytest_codereason.questions.replies.wrappers import find_key

_KEYS = frozenset(
    "answer finalanswer solution input inputs argument arguments args parameter parameters predictedinput".split()
)
#: Names by which a statement of arguments gives the result: ``Answer: result = 42``.
_RESULTS = frozenset({"result", "output", "returned", "expected"})
#: The most characters of an object that names the arguments.
_MAX_OBJECT = 10_000


class _ArgumentsReader(LiteralReader):
    """Reads the arguments of a call in the place of one value."""

    def _interpret(self, text: str) -> Value:
        arguments = self._language.values.read_arguments(text)
        if not arguments.values or any(name.strip(":= ") in _RESULTS for name in arguments.names):
            raise NotALiteral("no arguments")
        return Value(arguments)


def find_stated_arguments(text: str, language: Language) -> str | None:
    """The text of the arguments that ``text`` states last, ``None`` if it states none."""
    reader = _ArgumentsReader(language, len(text))
    if (named := _find_named(reader, text)) is not None:
        return named
    found: list[tuple[int, str]] = []
    end = 0
    for place in sorted(find_arguments(text)):
        if place.value < end or stands_in_string(text, place.start, place.value):
            continue
        candidate, stop = reader.read_at(text, place.value, comma_ends=False, ends=ends_prose)
        if candidate.value is not None:
            end = stop
            found.append((stop, candidate.text))
    for box in find_boxes(text, reader.pay) if "boxed" in text else ():
        candidate = reader.read(box.content)
        if candidate.value is not None:
            found.append((box.end, candidate.text))
    return max(found)[1] if found else None


def _find_named(reader: LiteralReader, text: str) -> str | None:
    """The arguments that an object names, which is the whole text or its last block: ``{"input": 3}``."""
    blocks = read_blocks(text)
    written = (blocks[-1].text if blocks else text).strip()
    if not (written.startswith("{") and written.endswith("}") and len(written) <= _MAX_OBJECT):
        return None
    try:
        payload = json.loads(written)
    except (ValueError, RecursionError):
        return None
    key = find_key(payload, "", _KEYS)
    if key is None:
        return None
    named = payload[key]
    texts = [json.dumps(named, ensure_ascii=False)]
    if isinstance(named, str) and re.match(r"\s*[\[({'\"\d-]", named):
        texts.insert(0, named)
    return next((each for each in texts if reader.read(each).value is not None), None)
