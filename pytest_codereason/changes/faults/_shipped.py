"""What the shipped faults have in common: examples in a file, and sites that a dialect knows how to get wrong."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar

from pytest_codereason.changes.faults._examples import read_examples
from pytest_codereason.changes.faults._places import FaultPlaces, read_places
from pytest_codereason.core import Program
from pytest_codereason.core.faults import FaultExample, FaultOperator, Injection
from pytest_codereason.core.language.capabilities import Capability
from pytest_codereason.errors import Skip


class ShippedFault(FaultOperator):
    """A fault that ships. There are no injections in a language whose dialect does not say how mistakes are written."""

    capabilities: ClassVar[frozenset[Capability]] = frozenset({"syntax", "dialect"})

    @classmethod
    def examples(cls) -> Sequence[FaultExample]:
        """Programs of the languages that have such a fault, in ``examples/``."""
        return read_examples(cls.name)

    def list_injections(self, program: Program) -> Sequence[Injection]:
        """Every injection in the program's entry, in the order of the source; the same in every process.

        Raises:
            DoesNotParse: the program is no program of its language.
        """
        try:
            places = read_places(program)
        except Skip:
            return ()
        injections = dict.fromkeys(self.find(places))
        return sorted(injections, key=lambda injection: (injection.span, injection.text))

    @abstractmethod
    def find(self, places: FaultPlaces) -> Iterable[Injection]:
        """The injections in any order; one may occur twice."""
