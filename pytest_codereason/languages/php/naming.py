"""The names of PHP's functions in call graphs."""

from __future__ import annotations

from collections.abc import Collection

from pytest_codereason.core.language.naming import Naming
from pytest_codereason.languages.frame.examples import read_graph
from pytest_codereason.languages.php.dialect import BUILTIN

#: Classes and functions of the language beside those that are one plain word.
_LIBRARY = frozenset(
    """
    arrayaccess arrayiterator arrayobject datetime datetimeimmutable dateinterval dateperiod datetimezone
    domainexception errorexception invalidargumentexception iteratoraggregate jsonexception jsonserializable
    lengthexception logicexception outofboundsexception outofrangeexception overflowexception rangeexception
    runtimeexception splfixedarray splheap splminheap splmaxheap splobjectstorage splpriorityqueue splqueue
    splstack stdclass typeerror underflowexception unexpectedvalueexception unitenum valueerror weakmap
    weakreference argumentcounterror arithmeticerror divisionbyzeroerror parseerror
    """.split()
)
_PREFIXES = ("array_", "str_", "preg_", "mb_", "json_", "is_", "ctype_", "iterator_", "call_user_func", "spl_", "var_")


class PHPNaming(Naming):
    """``main.Stack.push``: the file, what encloses the function, the function."""

    example = read_graph(__package__)
    rule = (
        'The module is the path of the file with dots and without its ending: "main" for "main.php", "lib.shapes" for '
        '"lib/shapes.php". A function f in "main.php" is "main.f", a method is "main.Class.method", a constructor is '
        '"main.Class.__construct", a method of a trait is "main.Trait.method". Namespaces are left out. Functions '
        "without a name (function, fn) are numbered within the function, class or file around them, in the order in "
        'which they begin: "main.<closure1>", "main.f.<closure2>". Classes without a name are "<class1>".'
    )

    def tidy(self, text: str) -> str:
        """The name without arguments, with dots for the signs of PHP."""
        name = text.partition("(")[0].strip()
        return name.replace("::", ".").replace("->", ".").replace("\\", ".").lstrip(".")

    def simplify(self, name: str) -> str:
        """A constructor is its class."""
        return name.removesuffix(".__construct")

    def is_library(self, name: str, own: Collection[str]) -> bool:
        """Whether the first part is a function or class of the language, and no file of the program."""
        first = name.partition(".")[0]
        word = first.lower()
        known = word in BUILTIN or word in _LIBRARY or word.startswith(_PREFIXES)
        return known and not any(each == first or each.startswith(f"{first}.") for each in own)
