"""The names of Python's functions in call graphs."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Collection

from pytest_codereason.core.language.naming import Naming
from pytest_codereason.languages.frame.examples import read_graph

_LIBRARY = frozenset({*sys.stdlib_module_names, *dir(builtins), "<builtin>"})


class PythonNaming(Naming):
    """``main.Stack.push``: the module, what encloses the function, the function."""

    example = read_graph(__package__)
    rule = (
        'The module is the path of the file with dots and without its ending: "main" for "main.py", "lib.shapes" for '
        '"lib/shapes.py", "lib" for "lib/__init__.py". A function f in "main.py" is "main.f", a method is '
        '"main.Class.method", a constructor is "main.Class.__init__", a function within a function is "main.f.inner". '
        "The lambdas of one function, class or module are numbered in the order in which they begin: "
        '"main.<lambda1>", "main.f.<lambda1>".'
    )

    def tidy(self, text: str) -> str:
        """The name without arguments."""
        return text.partition("(")[0].strip()

    def simplify(self, name: str) -> str:
        """A constructor is its class."""
        return name.removesuffix(".__init__")

    def is_library(self, name: str, own: Collection[str]) -> bool:
        """Whether the first part is a builtin or a module that comes with Python, and no module of the program."""
        first = name.partition(".")[0]
        return first in _LIBRARY and not any(each == first or each.startswith(f"{first}.") for each in own)
