"""Toy: a language from outside the package. Its file ``syntax.py`` parses it.

A program is a list of functions. A line is a statement, ``--`` begins a comment, values are JSON::

    fn f(n)
      let m = n * 2
      if m > 3
        return [m, n]
      end
      return 0
    end
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pytest_codereason.core import (
    AxisValue,
    Dialect,
    Example,
    Facts,
    Language,
    Program,
    Runner,
    Source,
    Value,
    Values,
)
from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.dialects import NEVER, FaultForms, PrintForms
from pytest_codereason.errors import NotALiteral, Refused
from tests.toy.syntax import WORDS, ToySyntax


class ToyValues(Values):
    """Values of Toy: those of JSON."""

    def read(self, text: str) -> Value:
        try:
            return Value(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise NotALiteral(str(error)) from None

    def write(self, value: Any) -> str:
        return json.dumps(value)

    def equal(self, left: Any, right: Any) -> bool:
        return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)

    def decode(self, payload: Any) -> Any:
        return payload

    def assertion(self, call: str) -> tuple[str, str]:
        return f"assert {call} == ", ""


class ToyDialect(Dialect):
    """Writes pieces of Toy; without forms of conditions or of dead code."""

    printing = PrintForms(redirects=NEVER)
    faults = FaultForms(
        arithmetic={"+": "-", "*": "+"},
        connectives={},
        opposites={">": "<=", "<": ">="},
        quantifiers={},
        negation="not ",
        truths=("true", "false"),
        returning=("return null", "return {}"),
    )

    def comment(self, text: str) -> str:
        if "\0" in text:
            raise Refused("a comment cannot hold a NUL character")
        return "\n".join(f"-- {line}".rstrip() for line in text.splitlines() or [""])

    def print_statement(self, text: str) -> str:
        return f"print {json.dumps(text)}"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        names = [stem, *(f"{stem}_{number}" for number in range(1, len(taken) + 2))]
        return next(name for name in names if name not in taken and name not in WORDS)


SOURCE = """fn double(items)  -- of a pair
  let first = items[0] * 2

  if first > 4
    let second = items[1] + items[1]
    return [first, second]
  end
  return times(items, 2)
end

fn times(items, n)
  return [items[0] * n, items[1] * n]
end
"""

#: Turns a program of Toy into one of Python and runs it.
HARNESS = r"""
import json, os, re
result = os.fdopen(int(os.environ.pop("CODEREASON_RESULT")), "w")
names = {"true": True, "false": False, "null": None, "len": len}
def translate(source):
    level, lines = 0, []
    for line in source.splitlines():
        code = re.sub(r'("(?:\\.|[^"\\])*")|--.*', lambda m: m[1] or "", line).strip()
        level -= code == "end"
        if code and code != "end":
            word, _, rest = code.partition(" ")
            python = {"fn": f"def {rest}:", "if": f"if {rest}:", "let": rest, "print": f"print({rest})"}
            lines.append("    " * level + python.get(word, code))
        level += code.startswith(("fn ", "if "))
    return "\n".join(lines)
try:
    exec(translate(open("program.toy").read()), names)
    call = open("call.toy").read()
    line = {"value": eval(call, names) if call else None}
    text = json.dumps(line)
except SyntaxError as error:
    text = json.dumps({"rejected": str(error)})
except Exception as error:
    text = json.dumps({"error": type(error).__name__, "message": str(error)})
result.write(text + "\n")
"""


class ToyRunner(Runner):
    """Runs programs of Toy by Python."""

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        source = "\n".join(files.values())
        return Harness(
            interpreter="python3",
            package="python3",
            own=True,
            arguments=("-S", "-B", "main.py"),
            files={"main.py": HARNESS, "program.toy": source, "call.toy": call},
        )


class Toy(Language):
    """A toy."""

    name = "tests.toy:Toy"
    fence = "toy"
    title = "Toy"
    suffixes = (".toy",)
    syntax = ToySyntax()
    values = ToyValues()
    dialect = ToyDialect()
    runner = ToyRunner()

    def examples(self) -> Sequence[Example]:
        return (
            Example(
                {"main.toy": 'fn f(n)\n  if n > 2\n    return [n, "-- x"]\n  end\nend\n'},
                "main.toy",
                "f(3)",
                '[3, "-- x"]',
            ),
            Example({"main.toy": 'print "hello"\n'}, "main.toy", stdout="hello\n"),
        )


class ToySource(Source):
    """Two programs of Toy."""

    name = "tests.toy:ToySource"
    languages = ("tests.toy:Toy",)
    facts = frozenset({"output", "input", "specification"})
    PROGRAMS: ClassVar[Mapping[str, tuple[str, str, Any]]] = {
        "double": (SOURCE, "[3, 1]", [6, 2]),
        "greet": ('fn greet(who)\n  print "start"\n  return "hi " + who\nend\n', '"you"', "hi you"),
    }

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> ToySource:
        return cls()

    def names(self, language: str) -> Iterator[str]:
        yield from self.PROGRAMS

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        source, arguments, output = self.PROGRAMS[name]
        facts = Facts(output=output, input=arguments, specification=f"{name} does what its name says.")
        return Program.from_source(language=language, source=source, call=f"{name}({arguments})", facts=facts)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        others = [other for other in self.PROGRAMS if other != name]
        return tuple(self.program(language, other, axes) for other in others[:count])

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        return {"version": 1}


class Mute(Language):
    """A language that nobody has written anything for."""

    name = "tests.toy:Mute"
    fence = "mute"
    title = "Mute"
    suffixes = (".mute",)


class MuteSource(Source):
    """Programs of Toy and of Mute, by name only."""

    name = "tests.toy:MuteSource"
    languages = ("tests.toy:Toy", "tests.toy:Mute")
    facts = frozenset({"output"})

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> MuteSource:
        return cls()

    def names(self, language: str) -> Iterator[str]:
        yield "a"

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        raise NotImplementedError

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        return ()

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        return {}
