import re

from pytest_codereason.core import Dialect, Language, Runner, Syntax, Value, Values
from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.structure import Code, Span
from pytest_codereason.core.text.edits import Replace, apply
from pytest_codereason.errors import DoesNotParse, NotALiteral

LINE = re.compile(r"(add|times) -?\d+|# .*")
COMMENT = re.compile(r"^#.*\n", re.MULTILINE)
MAIN = """
import json, os, re
call = re.search(r"-?[0-9]+", open("call").read())
value = int(call[0]) if call else None  # without a call a program has no value
for line in open("program"):
    word, number = line.split()[:2]
    if word == "add":
        value += int(number)
    if word == "times":
        value *= int(number)
os.write(int(os.environ["CODEREASON_RESULT"]), json.dumps({"value": value}).encode() + b"\\n")
"""


class StepsCode(Code):
    """A program without names or conditions: nothing to rename or rewrite."""

    functions = statements = blocks = sites = bindings = insertions = units = ()
    taken = frozenset({"add", "times", "f"})

    def __init__(self, source, call):
        self.source, self.call = source, call


class StepsSyntax(Syntax):
    def parse(self, source, call=""):
        if complaint := self.check(source):
            raise DoesNotParse(complaint)
        return StepsCode(source, call)

    def check(self, source):
        wrong = [line for line in source.splitlines() if not LINE.fullmatch(line)]
        return f"not a step: {wrong[0]}" if wrong else ""

    def normalise(self, source):  # without comments, and with a map of every line to its new place
        return apply(source, [Replace(Span(*comment.span()), "") for comment in COMMENT.finditer(source)])


class StepsValues(Values):
    def read(self, text):
        if not re.fullmatch(r"-?\d{1,1000}", text.strip()):
            raise NotALiteral(f"not a whole number: {text[:100]}")
        return Value(int(text))

    def write(self, value):
        return str(value)

    def equal(self, left, right):
        return left == right

    def decode(self, payload):
        return payload  # the value that the harness below writes: a whole number, or None

    def assertion(self, call):
        return f"{call} == ", ""


class StepsDialect(Dialect):
    def comment(self, text):
        return "\n".join(f"# {line}" for line in text.splitlines())

    def print_statement(self, text):
        return self.comment(text)

    def fresh(self, stem, taken):
        return stem


class StepsRunner(Runner):
    def harness(self, files, entry, call):  # the interpreter that the sandbox starts, and the files in its folder
        return Harness(
            interpreter="python3",
            own=True,  # the Python that runs pytest, not the one that PATH finds
            package="python3",  # what to install where it is missing
            arguments=("-S", "main.py"),
            files={"main.py": MAIN, "program": files[entry], "call": call},
        )


class Steps(Language):
    name = "steps"
    fence = "steps"
    title = "Steps"
    suffixes = (".steps",)
    syntax = StepsSyntax()
    values = StepsValues()
    dialect = StepsDialect()
    runner = StepsRunner()
