"""PHP: values."""

from __future__ import annotations

from pytest_codereason.core import Value, Values
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import equal_trees
from pytest_codereason.languages.php.values.arguments import read_arguments
from pytest_codereason.languages.php.values.literals import decode, equal, make_parser, read, write
from pytest_codereason.languages.php.values.printed import may_be_printed, read_printed


class PHPValues(Values):
    """Values of PHP.

    Two values are equal if ``===`` holds, with two exceptions: the order of an array's keys
    does not count, and NaN equals NaN. So ``1`` is not ``1.0``, ``-0.0`` is ``0.0``, and
    ``[1, 2]``, ``array(1, 2)`` and ``[0 => 1, 1 => 2]`` are the same.

    A string of PHP is bytes, which are decoded as UTF-8. Other bytes become surrogates, as with
    Python's ``surrogateescape``. Heredocs are not read.
    """

    parameter_mark = ":"
    write = staticmethod(write)
    equal = staticmethod(equal)
    decode = staticmethod(decode)
    read_arguments = staticmethod(read_arguments)

    def read(self, text: str) -> Value:
        """The value of a literal. An array is a list if its keys are 0, 1, 2... in order, else a dict."""
        return read(text)

    def read_answer(self, text: str) -> Value:
        """The same, and of what ``var_dump`` and ``print_r`` print."""
        if may_be_printed(text):
            try:
                return read_printed(text)
            except NotALiteral:
                pass
        return read(text)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert(f(81) === `` and ``);``."""
        return f"assert({call} === ", ");"

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree."""
        return equal_trees(make_parser(), left, right, ";")
