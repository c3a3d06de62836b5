"""A language whose capabilities are found in the files of its folder, by their names.

Example: the syntax of ``class Lua(TableLanguage)`` in ``lua/__init__.py`` is ``LuaSyntax`` in ``lua/syntax.py``, or in
``lua/syntax/__init__.py``. A language without that file has no syntax.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

from pytest_codereason.core import Capability, Dialect, Example, Language, Runner, Syntax, Values
from pytest_codereason.core.language.calls import Calls
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.driving import Drivers
from pytest_codereason.core.language.naming import Naming
from pytest_codereason.core.language.printing import Printer
from pytest_codereason.languages.frame.examples import read_programs

T = TypeVar("T")


class TableLanguage(Language):
    """A language in a folder of its own, with a file for each capability. A file is imported when it is used."""

    @cached_property
    def _owner(self) -> type[Language]:
        """The class that has the folder: this one, or the one that it derives from elsewhere."""
        return next(kind for kind in type(self).__mro__ if hasattr(sys.modules[kind.__module__], "__path__"))

    @cached_property
    def _files(self) -> frozenset[str]:
        folder = sys.modules[self._owner.__module__].__path__
        return frozenset(module.name for module in pkgutil.iter_modules(folder))

    def has(self, capability: Capability) -> bool:
        """Whether the folder has the file of this capability."""
        return capability in self._files

    def _load(self, capability: Capability, kind: type[T]) -> type[T]:
        if not self.has(capability):
            raise self._describe_missing(capability)
        module = importlib.import_module(f"{self._owner.__module__}.{capability}")
        found: type[T] = getattr(module, f"{self._owner.__name__}{capability.title()}")
        return found

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        return self._load("syntax", Syntax)()

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        return self._load("values", Values)()

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        return self._load("dialect", Dialect)()

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        return self._load("runner", Runner)()

    @cached_property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        return self._load("tracer", Tracer)()

    @cached_property
    def calls(self) -> Calls:
        """Reads call sites."""
        return self._load("calls", Calls)()

    @cached_property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        return self._load("naming", Naming)()

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        return self._load("printer", Printer)(self.values.write)

    @cached_property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        return self._load("drivers", Drivers)()

    def examples(self) -> Sequence[Example]:
        """The programs of the file ``examples.toml``, with the results of running them."""
        return read_programs(self._owner.__module__)
