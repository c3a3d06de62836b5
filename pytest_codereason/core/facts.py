"""What is known about a program: its output, its call graph, the line of its fault.

A fact has a name, and tasks, sources and perturbations say by name what they need and what they have. A fact that is
absent is not the same as a fact that is ``None``: a program may return ``None``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol

from pytest_codereason.core.language.structure import Span

#: The name of the file of a program that has one file, where nobody gives it another.
MAIN = "main"


class Absent(Enum):
    """The type of :data:`ABSENT`."""

    ABSENT = "absent"


#: Stands for a fact that is not known.
ABSENT: Final = Absent.ABSENT

#: A call graph: the functions that each function calls.
Edges = Mapping[str, Sequence[str]]


class Fault(NamedTuple):
    """Where a program is faulty."""

    line: int  #: from 1
    file: str = ""  #: of the program's files; a program reads an empty name as its entry
    #: other lines that are as much to blame: where something is missing, the line before the gap
    also: tuple[int, ...] = ()
    #: the text to blame on the line, then on each of the others. A change that splits the text leaves the blame where
    #: it begins; on the others, which stand before a gap, where it ends. A line without a text follows its first
    #: character that is no blank
    spans: tuple[Span, ...] = ()


class Forms(NamedTuple):
    """How many places of a program a perturbation changed by a template of its study, and how many in a safe form.

    The safe form stands where the study's template might change what the program does.
    """

    published: int = 0
    safe: int = 0


class Movement(Protocol):
    """The new places, after a change of one file, of lines, characters and names."""

    def move_line(self, file: str, line: int) -> int:
        """The number of a line after the change.

        Raises:
            LostPlace: the change removes the line.
        """

    def move_span(self, file: str, span: Span) -> Span:
        """The place of a text after the change, from its first character that remains to its last.

        Raises:
            LostPlace: the change removes the text, or moves it in two pieces.
        """

    def move_offset(self, file: str, offset: int) -> int | None:
        """The offset of a character after the change, ``None`` if the change removes it."""

    def move_name(self, name: str) -> str:
        """The qualified name of a function or class after the change: ``outer.inner``, ``Class.method``.

        In a program of several files the name begins with its file and a colon: ``lib/shapes.py:Square.area``.
        """


class OwnFact(ABC):
    """A fact of a user's own that a change of the program moves.

    A value of any other type stays as it is when the program changes::

        class Loop(OwnFact):
            def __init__(self, line):
                self.line = line

            def move(self, movement):
                return Loop(movement.move_line("main", self.line))

        Facts(output=3, loop=Loop(2))
    """

    @abstractmethod
    def move(self, movement: Movement) -> Any:
        """The fact after a change of the program."""


class Facts(Mapping[str, Any]):
    """The facts of one program, by attribute (``facts.output``) or by name (``facts["output"]``).

    Reading an absent fact raises ``KeyError``; ``"output" in facts`` says whether it is known.

    Args:
        output: the value of the entry call, or all that a script prints, as one text.
        input: the arguments of the entry call, as they are written: ``1, 2``.
        reasoning: the steps to the output in words.
        edges: the call graph, see :attr:`edges`.
        fault: where the program is faulty.
        specification: what the program should do, in words.
        own: facts of a user's own; an :class:`OwnFact` moves with the text.
    """

    __slots__ = ("_known",)

    def __init__(
        self,
        *,
        output: Any = ABSENT,
        input: str | Absent = ABSENT,  # the name that suites, tasks and records use
        reasoning: str | Absent = ABSENT,
        edges: Edges | Absent = ABSENT,
        fault: Fault | Absent = ABSENT,
        specification: str | Absent = ABSENT,
        **own: Any,
    ) -> None:
        facts = {
            "output": output,
            "input": input,
            "reasoning": reasoning,
            "edges": edges,
            "fault": fault,
            "specification": specification,
            **own,
        }
        self._known = {name: fact for name, fact in facts.items() if fact is not ABSENT}

    @property
    def output(self) -> Any:
        """The value of the entry call; of a script all that it prints, as one text."""
        return self._known["output"]

    @property
    def input(self) -> str:
        """The arguments of the entry call, as they are written."""
        known: str = self._known["input"]
        return known

    @property
    def reasoning(self) -> str:
        """The steps to the output in words."""
        known: str = self._known["reasoning"]
        return known

    @property
    def edges(self) -> Edges:
        """The call graph: the name of each caller with the names of its callees.

        Names are those of the language's tracer: ``main.Stack.push``, ``lib.shapes.area``, in Java
        ``shop.Cart:add(int,java.lang.String[])``. See ``docs/tracing.md``.
        """
        known: Edges = self._known["edges"]
        return known

    @property
    def fault(self) -> Fault:
        """Where the program is faulty."""
        known: Fault = self._known["fault"]
        return known

    @property
    def specification(self) -> str:
        """What the program should do, in words."""
        known: str = self._known["specification"]
        return known

    def replace(self, **facts: Any) -> Facts:
        """These facts, with some of them changed, added, or taken away (:data:`ABSENT`)."""
        changed = Facts.__new__(Facts)  # at a third of the cost of a call with every name
        changed._known = {name: fact for name, fact in {**self._known, **facts}.items() if fact is not ABSENT}
        return changed

    @property
    def follow_names(self) -> bool:
        """Whether a user's own fact may change when a function gets another name."""
        return any(isinstance(fact, OwnFact) for fact in self._known.values())

    def __getitem__(self, name: str) -> Any:
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def get(self, name: str, default: Any = None) -> Any:
        """A fact, or ``default`` if it is absent; ``Mapping`` raises and catches an error to find that out."""
        return self._known.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def keys(self) -> KeysView[str]:
        """The names of the facts; the views of a plain dict cost a tenth of those that ``Mapping`` gives."""
        return self._known.keys()

    def items(self) -> ItemsView[str, Any]:
        """The facts with their names."""
        return self._known.items()

    def __len__(self) -> int:
        return len(self._known)

    def __hash__(self) -> int:
        return hash(frozenset(self._known))  # the names alone: an output may be a list

    def __repr__(self) -> str:
        return f"Facts({', '.join(f'{name}={fact!r}' for name, fact in self._known.items())})"


#: Nothing is known.
NO_FACTS = Facts()
