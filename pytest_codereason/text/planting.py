"""Plants a fault in a program: one stretch of one file is written wrong, and the facts say which line it is."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pytest_codereason.core import Fault, Program
from pytest_codereason.core.facts import ABSENT
from pytest_codereason.core.structure import Span
from pytest_codereason.errors import BadEdit
from pytest_codereason.text.changes import move
from pytest_codereason.text.edits import Replace, apply

#: Facts that are those of the correct program, and need not be those of the faulty one.
_OF_THE_CORRECT = ("output", "reasoning", "edges")


class WantedFault(NamedTuple):
    """Which fault of a program a question wants, without saying where it is."""

    operator: str
    quarter: int = 0  #: of the file by lines, 1 to 4; 0 is everywhere
    number: int = 1  #: the so-manieth of all that will do
    observed: bool = True  #: whether it must be seen to change what the program does

    @property
    def of(self) -> str:
        """The fault as :attr:`TextRequest.of` names it: ``off-by-one/2/1``."""
        return f"{self.operator}/{self.quarter}/{self.number}{'' if self.observed else '/unobserved'}"

    @classmethod
    def read(cls, of: str) -> WantedFault:
        """The fault that :attr:`of` names.

        Raises:
            ValueError: ``of`` names no fault.
        """
        # A name from outside, ``package.module:Name``, holds no slash either.
        operator, quarter, number, *rest = of.split("/")
        if rest not in ([], ["unobserved"]):
            raise ValueError(f"{of!r} names no fault")
        return cls(operator, int(quarter), int(number), not rest)

    @property
    def words(self) -> str:
        """The fault in words: ``off-by-one in quarter 2``."""
        return f"{self.operator} in quarter {self.quarter}" if self.quarter else self.operator


class ChosenFault(NamedTuple):
    """One fault: the stretch of a file that is written wrong, and the line that is then to blame."""

    file: str
    span: Span
    text: str  #: the wrong text
    line: int  #: of the faulty file, from 1
    also: tuple[int, ...] = ()  #: see :attr:`Fault.also`

    def write(self) -> str:
        """The fault as JSON, which is the text of the kind ``fault``."""
        values = {"file": self.file, "span": self.span, "text": self.text, "line": self.line, "also": self.also}
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def read(cls, written: str) -> ChosenFault:
        """The fault that :meth:`write` wrote.

        Raises:
            ValueError: the text is something else.
        """
        try:
            values: dict[str, Any] = json.loads(written)
            start, end = map(int, values["span"])
            also = tuple(map(int, values["also"]))
            return cls(str(values["file"]), Span(start, end), str(values["text"]), int(values["line"]), also)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"no fault: {error}") from error


def plant(program: Program, fault: ChosenFault) -> Program:
    """The program with the fault, which is a fact of it. Facts that only the correct program has are dropped.

    Raises:
        BadEdit: the program has no such file, stretch or line.
    """
    if fault.file not in program.files:
        raise BadEdit(f"the program has no file {fault.file!r}")
    view = program.view(fault.file)
    changed = program.accept_view(move(view, apply(view.source, [Replace(fault.span, fault.text)])))
    lines = changed.files[fault.file].count("\n") + 1
    if not all(1 <= line <= lines for line in (fault.line, *fault.also)):
        raise BadEdit(f"the fault stands in no line of {fault.file!r}, which has {lines}")
    facts = changed.facts.replace(
        fault=Fault(fault.line, fault.file, fault.also), **dict.fromkeys(_OF_THE_CORRECT, ABSENT)
    )
    return changed.replace_source(changed.source, facts=facts)
