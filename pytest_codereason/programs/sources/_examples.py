"""Worked examples of our own, the same in every language: for data sets whose programs must not be shown.

The folder of each language has their code, in ``examples.toml``.
"""

from __future__ import annotations

from typing import NamedTuple

from pytest_codereason.core import Facts, Program
from pytest_codereason.errors import UsageError
from pytest_codereason.registry import language


class OwnExample(NamedTuple):
    """A small function's output, with the steps to it."""

    name: str  #: under which each language has the function and the arguments of its call
    output: object  #: as Python has it
    #: The steps name nothing of the program, so they hold under other names too. ``{true}`` and ``{false}`` stand for
    #: the words of the language.
    reasoning: str


def program(example: OwnExample, name: str) -> Program:
    """The example in one language, with the facts ``input``, ``output`` and ``reasoning``."""
    lang = language(name)
    source, function, arguments = lang.dialect.worked_examples[example.name]
    words = {"true": lang.values.write(True), "false": lang.values.write(False)}
    facts = Facts(
        input=arguments,
        # As the language itself would give it back: a list of PHP is an array, of Java one of longs.
        output=lang.values.read(lang.values.write(example.output)).value,
        reasoning=example.reasoning.format(**words),
    )
    return Program.from_source(
        language=name, source=source, call=f"{function}({arguments})", facts=facts, origin="pytest-codereason"
    )


def list_programs(name: str) -> list[Program]:
    """The examples that a language has."""
    lang = language(name)
    known = lang.dialect.worked_examples if lang.has("dialect") and lang.has("values") else {}
    return [program(example, name) for example in EXAMPLES if example.name in known]


def take_programs(source: str, name: str, count: int) -> tuple[Program, ...]:
    """The first of these examples, for a source that shows them.

    Raises:
        UsageError: the language has fewer.
    """
    examples = list_programs(name)
    if count > len(examples):
        raise UsageError(f"{source} has {len(examples)} worked examples in {name}, not {count}")
    return tuple(examples[:count])


EXAMPLES = (
    OwnExample(
        "long-words",
        ["BIRCH", "MAPLE"],
        """\
The call gives three strings and the shortest length 5.
"oak" has 3 letters, 3 >= 5 is {false}: it is left out.
"birch" has 5 letters, 5 >= 5 is {true}: "BIRCH" is added.
"maple" has 5 letters, 5 >= 5 is {true}: "MAPLE" is added.
So "BIRCH" and "MAPLE" are returned.""",
    ),
    OwnExample(
        "digit-sum",
        20,
        """\
The call gives 40917, and the sum begins with 0.
40917 leaves 7 when divided by 10: the sum is 7. 40917 divided by 100 is 409.
409 leaves 9: the sum is 16. 409 divided by 100 is 4.
4 leaves 4: the sum is 20. 4 divided by 100 is 0, which ends the loop.
The sum returned is 20.""",
    ),
)
