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
from typing import Any

from pytest_codereason.core import Capability, Dialect, Example, Language, Runner, Syntax, Values
from pytest_codereason.core.language.calls import Calls
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.driving import Drivers
from pytest_codereason.core.language.naming import Naming
from pytest_codereason.core.language.printing import Printer


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

    def _load(self, capability: Capability) -> Any:
        if not self.has(capability):
            raise self._describe_missing(capability)
        module = importlib.import_module(f"{self._owner.__module__}.{capability}")
        return getattr(module, f"{self._owner.__name__}{capability.title()}")

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        syntax: Syntax = self._load("syntax")()
        return syntax

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        values: Values = self._load("values")()
        return values

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        dialect: Dialect = self._load("dialect")()
        return dialect

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        runner: Runner = self._load("runner")()
        return runner

    @cached_property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        tracer: Tracer = self._load("tracer")()
        return tracer

    @cached_property
    def calls(self) -> Calls:
        """Reads call sites."""
        calls: Calls = self._load("calls")()
        return calls

    @cached_property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        naming: Naming = self._load("naming")()
        return naming

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        printer: Printer = self._load("printer")(self.values.write)
        return printer

    @cached_property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        drivers: Drivers = self._load("drivers")()
        return drivers

    def examples(self) -> Sequence[Example]:
        """The ``PROGRAMS`` of the file ``programs.py``: small programs with the results of running them."""
        if "programs" not in self._files:
            return ()
        programs: Sequence[Example] = importlib.import_module(f"{self._owner.__module__}.programs").PROGRAMS
        return programs
