"""Reads numbered lists of names: ``1. main.f, main.g``. The time is linear in the reply."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_codereason.questions.replies.pieces.blocks import find_fences, read_blocks

_OPENING, _CLOSING = "([{<", ")]}>"
#: What may stand before a number or a name: quotes, headings, bullets, bold.
_DECORATION = re.compile(r"[\s>#*_+•`\"'-]*")
_NUMBER = re.compile(
    r"[\s>#*_+•`-]*+(?:(?:q|question|answer|a)\b[\s.:#*_]*+)?[(\[]?(?:q)?(\d{1,7})[*_`]*+(?:[)\]][*_`]*+[.:]?"
    r"|[.:])(?![\d=])"
    r"[*_`]*+",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"(?:question|q|answer)\s*+#?(\d{1,7})\s*+", re.IGNORECASE)
_BULLET = re.compile(r"\s*+[-*+•]\s++")
_ARROW = re.compile(r"->|→|=>|:(?=\s|\Z)|\bcalls\b:?")
_NOTHING = re.compile(
    r"[\W_]*(?:none|null|nothing|empty|n\W?a|no(?:\s+[\w-]+){0,3}\s+(?:calls?|callees?|functions?"
    r"|edges?)(?:\s+\w+){0,2})?"
    r"[\W_]*",
    re.IGNORECASE,
)
_NOTHING_WORDS = frozenset({"", "none", "n/a", "na", "null", "nothing", "empty", "-", "[]", "{}"})
#: "and" before a name, as in ``main.f and main.g``.
_AND = re.compile(r"(?<=[^\s,;])\s++(?:and|&)\s++(?=[`*\"']*+[\w$]++[.:$]\S)")
_QUALIFIED = re.compile(r"\w[.:$]\S")
_QUOTES = "`*\"'"


def read_numbered_lists(text: str, labels: Sequence[str]) -> list[list[str]] | None:
    """The names that a reply lists for each question; ``None`` if it answers none.

    Args:
        text: the reply, without reasoning.
        labels: what each question is about, in their order. A reply may write a label in place of a number.
    """
    answers = _read_json(text, labels)
    if answers is None:
        lines = [line for line in text.split("\n") if not line.lstrip(" \t>").startswith(("```", "~~~"))]
        answers = _read_numbers(lines, len(labels)) or _read_labels(lines, labels)
    if not answers:
        return None
    return [list(dict.fromkeys(answers.get(number, ()))) for number in range(1, len(labels) + 1)]


def split_names(text: str) -> list[str]:
    """The names of one list: ``main.f, Cart:add(int,int)`` are two.

    Commas and semicolons inside brackets do not divide. Of an item of several words, the first one with a dot or a
    colon inside is the name, else the first one.
    """
    if len(text) < 200 and _NOTHING.fullmatch(text):
        return []
    if (inside := text.strip(" \t.`*")).startswith("[") and inside.endswith("]"):
        text = inside[1:-1]
    text = _AND.sub(", ", text)
    names = (_find_name(item) for item in _divide(text, ",;"))
    return [name for name in names if name.lower() not in _NOTHING_WORDS]


def _divide(text: str, marks: str) -> Iterator[str]:
    """The parts of a text between marks that stand outside of brackets. Brackets need not match."""
    depth = start = 0
    for at, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= depth > 0 and not (character == ">" and text[at - 1 : at] in ("-", "="))
        elif depth == 0 and character in marks:
            yield text[start:at]
            start = at + 1
    if depth and start == 0 and not marks.isspace():  # an opening bracket without its end: divide everywhere
        yield from re.split(f"[{re.escape(marks)}]", text)
    else:
        yield text[start:]


def _find_name(item: str) -> str:
    if bullet := _BULLET.match(item):
        item = item[bullet.end() :]
    words = [word.strip(_QUOTES).rstrip(".:").strip(_QUOTES) for word in _divide(item.strip(), " \t")]
    words = [word for word in words if word]
    if len(words) > 1 and not words[1].startswith("("):
        return next((word for word in words if _QUALIFIED.search(word)), words[0])
    return words[0] if words else ""


def _read_numbers(lines: Sequence[str], count: int) -> dict[int, list[str]]:
    """The answers of numbered lines, by number. The last answer to a question counts."""
    answers: dict[int, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        number = _NUMBER.match(line)
        rest = line[number.end() :] if number else ""
        if number is None and (named := _QUESTION.fullmatch(line.strip(" \t#*_:>.-"))):
            number = named
        if number is not None:
            current = []
            if int(number[1]) in answers and _is_prose(rest):
                continue  # a numbered note after the answers
            if 1 <= int(number[1]) <= count:
                answers[int(number[1])] = current
            current += _read_rest(rest)
        elif current is not None and line.strip():
            if bullet := _BULLET.match(line):
                current += split_names(line[bullet.end() :])
            elif _lists_names(line):
                current += split_names(line)
    return answers


def _is_prose(rest: str) -> bool:
    """Whether what stands behind a number is a text without names."""
    return len(rest.split()) > 2 and not _QUALIFIED.search(rest.rstrip(" .:")) and not _NOTHING.fullmatch(rest[:200])


def _read_rest(rest: str) -> list[str]:
    """The names behind a number. A question that is repeated there ends with its question mark or colon."""
    asked, mark, answer = rest.rpartition("?")
    rest = answer if mark and " " in asked.strip() else rest
    before, arrow, after = _partition_arrow(rest)
    if arrow and " " not in before.strip(_QUOTES + " \t"):
        rest = after
    elif rest.rstrip(" *_").endswith(":"):
        return []
    return split_names(rest)


def _partition_arrow(text: str) -> tuple[str, str, str]:
    arrow = _ARROW.search(text)
    return (text[: arrow.start()], arrow[0], text[arrow.end() :]) if arrow else (text, "", "")


def _lists_names(line: str) -> bool:
    """Whether a line below a number holds names and nothing else."""
    items = [item.strip(_QUOTES + " \t.") for item in _divide(line, ",;")]
    return all(re.fullmatch(r"\S*\w[.:$]\S+|", item) for item in items) and any(items)


def _read_labels(lines: Sequence[str], labels: Sequence[str]) -> dict[int, list[str]]:
    """The answers of lines that begin with what a question is about: ``main.f: main.g``, ``main.f -> main.g``."""
    numbers = {label: number for number, label in enumerate(labels, 1)}
    answers: dict[int, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        plain = line[_DECORATION.match(line).end() :]  # type: ignore[union-attr]  # matches anywhere
        before, arrow, after = _partition_arrow(plain)
        number = numbers.get(before.strip(_QUOTES + "_ \t:")) or numbers.get(before.strip(_QUOTES + " \t:"))
        bullet = _BULLET.match(line)
        if number is not None and (arrow or not bullet):
            if arrow.strip() in ("->", "→", "=>") and number in answers:  # an edge a line
                current = answers[number]
            else:
                current = answers[number] = []
            current += split_names(after)
        elif current is not None and bullet:
            current += split_names(line[bullet.end() :])
        elif line.strip():
            current = None
    return answers


def _read_json(text: str, labels: Sequence[str]) -> dict[int, list[str]] | None:
    """The answers of a reply that is JSON, or whose last block of code is; ``None`` if there is no such answer."""
    stripped = text.strip()
    candidates = [stripped]
    if find_fences(text):
        candidates += [block.text.strip() for block in read_blocks(text)[-1:]]
    if (start := stripped.find("{")) >= 0 and stripped.endswith("}"):
        candidates.append(stripped[start:])
    for candidate in candidates:
        if candidate.startswith(("{", "[")):
            try:
                payload = json.loads(candidate)
            except (ValueError, RecursionError):
                continue
            answers = _read_payload(payload, {label: number for number, label in enumerate(labels, 1)})
            if answers:
                return answers
    return None


def _read_payload(payload: Any, numbers: Mapping[str, int]) -> dict[int, list[str]]:
    """The answers of a JSON object by number or label, or of a list with one entry for each question."""
    if isinstance(payload, list):
        if payload and all(isinstance(entry, Mapping) for entry in payload):
            keyed = {
                _pick(entry, ("question", "number", "id", "caller")): _pick(entry, _ANSWER_KEYS) for entry in payload
            }
            return _read_payload({str(key): names for key, names in keyed.items() if key is not None}, numbers)
        if len(payload) != len(numbers):
            return {}
        payload = {str(number): entry for number, entry in enumerate(payload, 1)}
    if not isinstance(payload, Mapping):
        return {}
    if len(payload) == 1 and not any(_find_number(key, numbers) for key in payload):
        return _read_payload(next(iter(payload.values())), numbers)
    answers = {}
    for key, names in payload.items():
        number = _find_number(key, numbers)
        if number and (names is None or isinstance(names, (str, list))):
            listed = [names or ""] if not isinstance(names, list) else [name for name in names if isinstance(name, str)]
            answers[number] = [name for each in listed for name in split_names(each)]
    return answers


_ANSWER_KEYS = ("answer", "answers", "callees", "calls", "functions")


def _pick(entry: Mapping[str, object], keys: Sequence[str]) -> Any:
    return next((entry[key] for key in keys if key in entry), None)


def _find_number(key: str, numbers: Mapping[str, int]) -> int:
    """The number of the question that a key names, 0 if there is none."""
    if key in numbers:
        return numbers[key]
    digits = re.fullmatch(r"\s*(?:q|question|answer)?[\s_]*(\d{1,7})\.?\s*", key, re.IGNORECASE)
    number = int(digits[1]) if digits else 0
    return number if number <= len(numbers) else 0
