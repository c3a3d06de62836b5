"""Arguments as this package writes them: literals, brackets, marks and a few words, and no byte of an answer more."""

from __future__ import annotations

import re

from pytest_codereason.core import Arguments
from pytest_codereason.languages.java.values.library import CONSTANTS, TYPES

_LITERAL = re.compile(
    r"""b?"(?:[^"\\\n]|\\.)*" | b?'(?:[^'\\\n]|\\.)*' | (?<![\w.])[0-9][\w.]*(?:(?<=[eE])[+-][0-9]+)?""", re.VERBOSE
)
_METHODS = "of asList emptyList singletonList emptySet singleton emptyMap singletonMap entry ofEntries empty ofNullable"
_WORDS = {
    "python": {"True", "False", "None", "float", "set", "frozenset", "range"},
    "javascript": {"true", "false", "null", "undefined", "NaN", "Infinity", "new", "Set", "Map"},
    "php": {"true", "false", "null", "NAN", "INF", "PHP_INT_MIN"},
    "java": {
        *("true", "false", "null", "new", "with", "valueOf", "add", "put", "java", "util", "lang", "math", "org"),
        *("javatuples", *_METHODS.split()),
        *(word for name in (*TYPES, *CONSTANTS) for word in name.split(".")),
    },
}
_MARKS = {"python": "=", "javascript": "", "php": "=>", "java": "<>;"}


def list_strangers(name: str, arguments: Arguments) -> list[str]:
    """What stands in the text of arguments, and is neither a literal nor a word or mark that the package writes."""
    text = _LITERAL.sub("0", arguments.text)
    if name == "javascript":  # a key that needs no quotes
        text = re.sub(r"(?<=[{,] )[A-Za-z_$][A-Za-z0-9_$]*(?=: )", "0", text)
    words = _WORDS[name] | {parameter.rstrip(":") for parameter in arguments.names}
    strange = [word for word in re.findall(r"[^\W\d]\w*", text) if word not in words]
    return strange + re.findall(rf"[^\w ,:.()\[\]{{}}\-{_MARKS[name]}]", text)
