"""Refuses files that are too short or declare no function."""

from __future__ import annotations

from pytest_codereason.core.reading.limits import bounded
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.core.text.wording import plural
from pytest_codereason.errors import DoesNotParse, TakesTooLong
from pytest_codereason.registry import language as find_language

#: Lines, without blank ones, of the shortest file.
SHORTEST = 20


def refuse_short(text: str) -> Refusal | None:
    """Why a file is too short, ``None`` if it is long enough."""
    return refuse_lines(count_lines(text))


def refuse_lines(lines: int) -> Refusal | None:
    """Why so many lines are too few for a file or a program, ``None`` if they are enough."""
    return Refusal("is too short", f"{plural(lines, 'line')}, fewer than {SHORTEST}") if lines < SHORTEST else None


def count_lines(text: str) -> int:
    """The lines of a text that are not blank."""
    return sum(not line.isspace() for line in text.splitlines() if line)


def refuse_empty(language: str, path: str, text: str) -> Refusal | None:
    """Why a file is no program with a function in it, ``None`` if it is one."""
    try:
        functions = count_functions(language, path.rpartition("/")[2], text)
    except TakesTooLong as error:
        return Refusal("takes too long to read", str(error))
    except DoesNotParse as error:
        return Refusal("does not parse", str(error))
    return None if functions else Refusal("has no function")


@bounded("text")
def count_functions(language: str, name: str, text: str) -> int:
    """How many functions, methods and constructors a file declares.

    Raises:
        DoesNotParse: The file is no program of the language.
    """
    bodies = find_language(language).tracer.list_bodies({name: text}, name)
    return sum(body.callable for body in bodies)
