"""The abstract type of what reads the programs of a language: structure, validity, uniform layout."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code


class Syntax(ABC):
    """Reads programs: their structure, whether they are valid, their uniform layout."""

    @abstractmethod
    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program, and of its entry call if there is one.

        Raises:
            DoesNotParse: The text is no program of the language, or is too long.
        """

    @abstractmethod
    def check(self, source: str) -> str:
        """The complaint of a second, independent parser; empty if it accepts the program."""

    @abstractmethod
    def normalise(self, source: str) -> Applied:
        """The program without comments and in a uniform layout, with the same meaning, and the map to its text.

        The text is the same in every version of the interpreter. A program that is uniform already stays as it is.
        The map has a place for every line and every character that is no comment and no blank.

        Raises:
            DoesNotParse: The text is no program of the language.
        """

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """What :attr:`Code.taken` of the program is. A language whose words stand in the text need not parse it.

        Raises:
            DoesNotParse: The text is no program of the language. A language that does not parse it raises nothing.
        """
        return self.parse(source, call).taken

    def detach_method(self, text: str) -> str:
        """The text of a function or method, as a function outside a class is written."""
        return text

    def wrap_function(self, text: str) -> str:
        """A program that holds a function, or a method after :meth:`detach_method`, and nothing else."""
        return text
