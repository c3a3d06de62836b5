"""Scripted models that look for faulty lines, each in a way that is known.

The programs are drawn here, so that a localiser can compare the program of a prompt with the correct one. It finds the
correct one by the specification.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, Self

from pytest_codereason.core import Completion, Model, Request

PROGRAMS = 4
_STATEMENTS = 12
_WORDS = ("apples", "pears", "plums", "figs")
_NAME = re.compile(r"\b[^\W\d]\w*\b")
_KEYWORDS = frozenset({"def", "return", "for", "in", "if", "while", "print", "None", "False", "True", "import"})


def write_program(number: int) -> str:
    """A function of twelve sums, no two alike in their numbers, with an early return and none of them idle."""
    lines = [
        f"def count_{_WORDS[number]}(first, second):",
        "    if first < 0:",
        "        return 0",
        "    total = first",
    ]
    for place in range(_STATEMENTS):
        lines.append(f"    total = total + second + {100 * number + 7 * place + 3}")
    return "\n".join([*lines, "    return total"]) + "\n"


def list_rows() -> list[dict[str, Any]]:
    """The programs as rows of the source ``jsonl``."""
    return [
        {
            "id": _WORDS[number],
            "language": "python",
            "code": write_program(number),
            "call": f"count_{_WORDS[number]}(5, 9)",
            "specification": f"Adds up all numbers of {_WORDS[number]}: every number counts, none is taken away.",
        }
        for number in range(PROGRAMS)
    ]


@cache
def _know(specification: str) -> tuple[frozenset[str], frozenset[str]]:
    """The lines of the correct program with this specification, and these lines without their operators."""
    (code,) = [row["code"] for row in list_rows() if row["specification"] == specification]
    lines = [_forget_names(line) for line in code.split("\n")]
    return frozenset(lines), frozenset(map(_forget_operators, lines))


def _forget_names(line: str) -> str:
    code = line.split("#", maxsplit=1)[0].strip()
    return _NAME.sub(lambda match: match[0] if match[0] in _KEYWORDS else "_", code)


def _forget_operators(line: str) -> str:
    return re.sub(r"[-+*/%]+", "?", line)


def read_prompt(request: Request) -> tuple[str, list[str]]:
    """The specification and the lines of the program in a prompt."""
    return read_lines(str(request.ask.messages[-1].content))


def read_lines(prompt: str) -> tuple[str, list[str]]:
    """The specification and the lines of the program in the text of a prompt."""
    specification = prompt.partition("[SPECIFICATION]\n")[2].partition("\n[/SPECIFICATION]")[0].strip()
    return specification, prompt.partition("[PROGRAM]\n")[2].partition("\n[/PROGRAM]")[0].split("\n")


def find_fault(specification: str, lines: list[str]) -> int:
    """The line that is one of the correct program but for its operators."""
    right, alike = _know(specification)
    texts = [_forget_names(line) for line in lines]
    (number,) = [i for i, text in enumerate(texts, 1) if text not in right and _forget_operators(text) in alike]
    return number


class Localiser(Model):
    """The perfect one: it compares the program with the correct one."""

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Self:
        return cls()

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"scripted": type(self).__name__}

    @property
    def pinned(self) -> bool:
        return False

    async def answer(self, request: Request) -> Completion:
        return Completion(text=json.dumps({"line": self.choose(*read_prompt(request))}), finish="stop")

    def choose(self, specification: str, lines: list[str]) -> int:
        """The line that it names."""
        return find_fault(specification, lines)


class FirstReturn(Localiser):
    """Always blames the first ``return``."""

    def choose(self, specification: str, lines: list[str]) -> int:
        return next(i for i, line in enumerate(lines, 1) if line.strip().startswith("return"))


class Believer(Localiser):
    """Trusts comments: it blames the first line that has one."""

    def choose(self, specification: str, lines: list[str]) -> int:
        commented = [i for i, line in enumerate(lines, 1) if "#" in line]
        return commented[0] if commented else super().choose(specification, lines)


class FirstQuarter(Localiser):
    """Reads the first quarter of a program alone, and says line 1 if there is no fault in it."""

    def choose(self, specification: str, lines: list[str]) -> int:
        line = super().choose(specification, lines)
        return line if 4 * (line - 1) < len(lines) else 1


class Flipper(Localiser):
    """Right in 7 of 10 cases, whatever is asked, and each time anew: the same question may get another answer."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def choose(self, specification: str, lines: list[str]) -> int:
        text = "\n".join(lines)
        self._times[text] += 1
        drawn = hashlib.sha256(f"{text} {self._times[text]}".encode()).digest()[0]
        return super().choose(specification, lines) if drawn < 0.7 * 256 else 1
