"""What the names in call graphs mean: how they compare, and how a question speaks of a function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, NamedTuple

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.tracing import Body


class GraphExample(NamedTuple):
    """A program with its call graph, shown before a question is asked."""

    files: Mapping[str, str]
    entry: str
    edges: Edges


class Naming(ABC):
    """The names that a language's tracer gives to functions."""

    #: a worked example for prompts, which a test traces
    example: ClassVar[GraphExample]
    #: how names are written, for prompts: a sentence or two
    rule: ClassVar[str]

    @abstractmethod
    def tidy(self, text: str) -> str:
        """A name from a reply as a tracer writes it: ``main.f`` for ``main.f()``."""

    @abstractmethod
    def simplify(self, name: str) -> str:
        """A name as the third study compares names: a constructor is its class."""

    @abstractmethod
    def is_library(self, name: str, own: Collection[str]) -> bool:
        """Whether a name is that of the standard library.

        Args:
            own: the names of the program's files, classes and functions.
        """

    def describe(self, name: str, bodies: Sequence[Body]) -> str:
        """A caller in the words of a question: ``the function "main.price"``.

        Args:
            bodies: what the tracer lists of the program.
        """
        file = next((body.file for body in bodies if body.name == name and not body.callable), None)
        return f'the function "{name}"' if file is None else f'the module-level code of the file "{file}"'
