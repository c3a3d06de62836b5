"""PHP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Language, Value
from pytest_codereason.languages.php import forms, literals, runner

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness
    from pytest_codereason.core.structure import Code


class PHP(Language):
    """PHP 8.

    Two values are equal where ``===`` says so, with two departures: the order of an array's keys
    does not count, and NaN equals NaN. So ``1`` is not ``1.0``, ``-0.0`` is ``0.0``, and
    ``[1, 2]``, ``array(1, 2)`` and ``[0 => 1, 1 => 2]`` are the same.

    A string of PHP is bytes; it is read as the UTF-8 they are, with bytes that are none as Python's
    ``surrogateescape`` has them. Heredocs are not read.
    """

    name = "php"
    fence = "php"
    title = "PHP"

    def read(self, text: str) -> Value:
        """The value of a literal; an array is a list where its keys are 0, 1, 2... in order, else a dict."""
        return literals.read(text)

    def write(self, value: Any) -> str:
        """The literal of a value."""
        return literals.write(value)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert(f(81) === `` and ``);``."""
        return f"assert({call} === ", ");"

    def equal(self, left: Any, right: Any) -> bool:
        """Whether ``left === right``, but for the order of keys."""
        return literals.equal(left, right)

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program, with an opening tag or without."""
        from pytest_codereason.languages.php.structure import PHPCode

        return PHPCode(source, call)

    def check(self, source: str) -> str:
        """What ``php -l`` says against a program."""
        return forms.check(source)

    def comment(self, text: str) -> str:
        """``// text``, one for each line; ``/* text */`` where a closing tag would end it."""
        return forms.comment(text)

    def print_statement(self, text: str) -> str:
        """``echo "text\\n";``."""
        return forms.print_statement(text)

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """A name without ``$``, fit for a variable, a function or a class."""
        return forms.fresh(stem, taken)

    def normalise(self, source: str) -> str:
        """``source`` without comments, one statement a line, four spaces a level."""
        from pytest_codereason.languages.php.layout import normalise

        return normalise(source)

    def harness(self, source: str, call: str) -> Harness:
        """How to evaluate ``call`` in the scope of a program and get its value back as data."""
        return runner.harness(source, call)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return runner.decode(payload)
