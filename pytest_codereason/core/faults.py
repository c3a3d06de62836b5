"""Fault operators: how one line of a program is made wrong on purpose.

The operator ``off-by-one`` finds every loop bound, comparison and index of a program, and says for each what a
programmer might have written by mistake. The stage ``fault`` chooses one of these injections and applies it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from pytest_codereason.core.language.capabilities import Capability
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.programs import Program


class Injection(NamedTuple):
    """One fault that may be planted: a stretch of the program's entry, and the wrong text that stands there instead."""

    span: Span  #: empty where text is inserted
    text: str  #: empty where text is deleted
    function: str  #: the qualified name of the innermost function around it, empty at the top
    #: where the faulty line is found: an offset within ``text``, such as that of ``return`` behind a line break
    blame: int = 0
    #: whether something is missing: the line before the gap is then as much to blame as the line after it
    omission: bool = False


class FaultExample(NamedTuple):
    """A program before and after a fault. Both are run in a test, and give different values."""

    language: str
    before: str
    after: str
    call: str
    line: int  #: the faulty line, from 1


class FaultOperator(ABC):
    """Lists what one kind of mistake makes of a program. It draws nothing and runs nothing.

    An injection changes one line, and the program still parses. Whether it still compiles, and whether anybody can
    observe the change, is found out when the injection is chosen.
    """

    name: ClassVar[str]
    version: ClassVar[int]  #: raised when the same program gets other injections
    capabilities: ClassVar[frozenset[Capability]] = frozenset({"syntax"})  #: what it needs of a language

    @classmethod
    def examples(cls) -> Sequence[FaultExample]:
        """Small programs before and after the fault, at least one for each supported language."""
        return ()

    @abstractmethod
    def list_injections(self, program: Program) -> Sequence[Injection]:
        """Every injection in the program's entry, in the order of the source; the same in every process.

        Only functions are made faulty, if the program has any: nobody could say by the specification that the data of a
        driver are wrong.

        Raises:
            DoesNotParse: the program is no program of its language.
        """
