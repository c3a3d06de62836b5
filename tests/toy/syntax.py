"""How programs of Toy are parsed and laid out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from pytest_codereason.core import (
    Syntax,
)
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import (
    Binding,
    BindingKind,
    Block,
    Code,
    Function,
    Insertion,
    Place,
    Site,
    Span,
    Statement,
    Unit,
    Use,
)
from pytest_codereason.core.text.edits import Replace, apply
from pytest_codereason.errors import DoesNotParse

WORDS = frozenset({"fn", "end", "let", "return", "print", "if", "and", "or", "not", "true", "false", "null", "len"})


KINDS = {"let": "assignment", "return": "return", "print": "expression", "if": "if", "fn": "function"}


LINE = re.compile(
    r"fn (?P<fn>[A-Za-z]\w*)\((?P<parameters>[\w, ]*)\)|let (?P<let>[A-Za-z]\w*) = (?P<value>.+)"
    r"|(?P<word>return|print|if) (?P<expression>.+)|(?P<end>end)"
)


TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comment>--.*)|(?P<name>[A-Za-z_]\w*)|(?P<number>\d+(?:\.\d+)?)|\S')


class Line(NamedTuple):
    """A line that holds code."""

    span: Span  #: without blanks and comment
    indent: Span
    rest: Span  #: what stands after the code: blanks and a comment
    match: re.Match[str]
    word: str  #: ``fn``, ``let``, ``return``, ``print``, ``if``, ``end``


def cut_lines(source: str) -> Iterator[Line]:
    """The lines that hold code."""
    at = 0
    for number, text in enumerate(source.splitlines(keepends=True), 1):
        comment = next((m.start() for m in TOKEN.finditer(text) if m["comment"]), len(text))
        code = text[:comment].strip()
        if code:
            match = LINE.fullmatch(code)
            if match is None:
                raise DoesNotParse(f"cannot be parsed at {code[:40]!r}", line=number)
            start = at + text.index(code)
            word = match["word"] or next(name for name in ("fn", "let", "end") if match[name])
            span = Span(start, start + len(code))
            yield Line(span, Span(at, start), Span(span.end, at + len(text.rstrip("\r\n"))), match, word)
        at += len(text)


class ToyCode(Code):
    """A parsed program."""

    def __init__(self, source: str, call: str) -> None:
        self.source, self.call = source, call
        self.lines = list(cut_lines(source))
        self._functions: list[Function] = []
        self._statements: list[Statement] = []
        self._blocks: list[Block] = []
        self._insertions: list[Insertion] = []
        self._names: dict[tuple[str, str], tuple[BindingKind, list[Use]]] = {}
        self._read()
        if call and (not re.fullmatch(r"[A-Za-z]\w*\(.*\)", call, re.DOTALL)):
            raise DoesNotParse("the entry call is no call")

    def _read(self) -> None:
        opened: list[Line] = []
        function = ""
        for i, line in enumerate(self.lines):
            if line.word == "end":
                if not opened:
                    raise DoesNotParse("an end too many")
                self._close(opened.pop(), line, function)
                function = function if opened else ""
                continue
            if (line.word == "fn" and opened) or (line.word == "return" and not function):
                raise DoesNotParse(f"{line.word} stands in the wrong place")
            place: Place = "top" if line.word == "fn" else "statement"
            self._insert(line.indent.start, place, function, self._indent(line))
            after = function if line.word != "fn" else ""
            end = line.span.end if line.word not in ("fn", "if") else self._matching_end(i)
            self._statements.append(
                Statement(KINDS[line.word], Span(line.span.start, end), after, max(0, len(opened) - 1))
            )
            if line.word == "fn":
                function = line.match["fn"]
            self._name_uses(line, function)
            if line.word in ("fn", "if"):
                opened.append(line)
        if opened:
            raise DoesNotParse("an end is missing")
        self._insert(len(self.source), "top", "", "")
        for use in self._find_names(self.call, 0, in_call=True):
            self._use(use[0], "", use[1])

    def _matching_end(self, i: int) -> int:
        depth = 0
        for line in self.lines[i:]:
            depth += (line.word in ("fn", "if")) - (line.word == "end")
            if depth == 0:
                return line.span.end
        raise DoesNotParse("an end is missing")

    def _close(self, start: Line, end: Line, function: str) -> None:
        inside = Span(start.rest.end + 1, end.indent.start)
        body = Span(inside.start, max(inside.start, inside.end))
        indent = self._indent(end) + "  "
        self._blocks.append(Block(body, indent, function))
        last = self.lines[self.lines.index(end) - 1]
        self._insert(end.indent.start, "statement", function, indent, reachable=last.word != "return")
        if start.word == "fn":
            parameters = tuple(name.strip() for name in start.match["parameters"].split(",") if name.strip())
            self._functions.append(Function(function, Span(start.span.start, end.span.end), body, parameters))

    def _indent(self, line: Line) -> str:
        return self.source[slice(*line.indent)]

    def _insert(self, at: int, place: Place, function: str, indent: str, *, reachable: bool = True) -> None:
        before = "" if at == 0 or self.source[at - 1] == "\n" else "\n"
        self._insertions.append(Insertion(at, place, function, indent, before + indent, "\n", reachable))

    def _find_names(self, text: str, offset: int, *, in_call: bool = False) -> list[tuple[str, Use]]:
        return [
            (m["name"], Use(Span(offset + m.start(), offset + m.end()), in_call=in_call))
            for m in TOKEN.finditer(text)
            if m["name"] and m["name"] not in WORDS
        ]

    def _name_uses(self, line: Line, function: str) -> None:
        uses = self._find_names(self.source[slice(*line.span)], line.span.start)
        for i, (name, use) in enumerate(uses):
            if line.word == "fn":
                kind: BindingKind = "function" if i == 0 else "parameter"
                self._names.setdefault(("" if i == 0 else function, name), (kind, []))
            elif line.word == "let" and i == 0:
                self._names.setdefault((function, name), ("variable", []))
            self._use(name, function if line.word != "fn" or i else "", use)

    def _use(self, name: str, function: str, use: Use) -> None:
        key = (function, name) if (function, name) in self._names else ("", name)
        self._names.setdefault(key, ("function", []))[1].append(use)

    @property
    def functions(self) -> tuple[Function, ...]:
        return tuple(self._functions)

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(self._statements)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(sorted(self._blocks, key=lambda block: (block.span.start, -block.span.end)))

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        sites = []
        owners = {statement.span.start: statement for statement in self._statements}
        for line in self.lines:
            if line.word == "end":
                continue
            statement = owners[line.span.start]
            for group in ("value", "expression"):
                for operator in re.finditer(r" ([-+*<>]) ", line.match[group] or ""):
                    at = line.span.start + line.match.start(group) + operator.start(1)
                    sites.append(Site("operator", Span(at, at + 1), statement.span, statement.function, operator[1]))
            if line.word == "return":
                sites.append(Site("return", line.span, statement.span, statement.function, ""))
            elif line.word == "let":
                sites.append(Site("assignment", line.span, statement.span, statement.function, "="))
            elif line.word == "if":
                span = Span(line.span.start + line.match.start("expression"), line.span.end)
                form = "comparison" if re.search("[<>=]", line.match["expression"]) else "other"
                sites.append(Site("condition", span, statement.span, statement.function, form, "if"))
        return tuple(sites)

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        declared = {function.name for function in self._functions}
        return tuple(
            Binding(name, kind, function, tuple(uses))
            for (function, name), (kind, uses) in self._names.items()
            if kind != "function" or name in declared
        )

    @cached_property
    def taken(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", f"{self.source} {self.call}"))

    @property
    def insertions(self) -> tuple[Insertion, ...]:
        return tuple(sorted(self._insertions, key=lambda insertion: insertion.at))

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(Unit(function.name, function.span, "", frozenset()) for function in self._functions)


class ToySyntax(Syntax):
    """Reads programs of Toy."""

    def parse(self, source: str, call: str = "") -> Code:
        return ToyCode(source, call)

    def check(self, source: str) -> str:
        code = [re.sub("--.*", "", line).split() for line in source.splitlines()]
        opened = sum(words[0] in ("fn", "if") for words in code if words)
        return "" if opened == sum(words == ["end"] for words in code) else "an end is missing, or one too many"

    def normalise(self, source: str) -> Applied:
        """Without comments and empty lines, indented by two blanks."""
        ToyCode(source, "")
        edits, level, at = [], 0, 0
        for line in cut_lines(source):
            level -= line.word == "end"
            edits += [Replace(Span(at, line.span.start), "  " * level)]
            at = min(line.rest.end + 1, len(source))
            edits += [Replace(Span(line.span.end, at), "\n")]
            level += line.word in ("fn", "if")
        return apply(source, [*edits, Replace(Span(at, len(source)), "")])
