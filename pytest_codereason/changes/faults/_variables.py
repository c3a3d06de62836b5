"""The variables of a program: of what sort each is, as far as its text tells, and where it has a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.core.language.structure import Binding, Block, Site, Span, Statement

T = TypeVar("T", Statement, Block)
#: Only numbers stand beside these operators, or are compared by them.
_NUMERIC = frozenset({"-", "*", "/", "//", "%", "**", "-=", "*=", "/=", "%=", "<", "<=", ">", ">=", "++", "--"})
_NUMBER, _TEXT, _LIST, _TRUTH = "number", "text", "list", "truth"
#: What a declared type is called in other words.
_TYPES = {
    **dict.fromkeys(("int", "integer", "float", "double", "long", "short", "number"), _NUMBER),
    **dict.fromkeys(("str", "string"), _TEXT),
    **dict.fromkeys(("bool", "boolean"), _TRUTH),
    **dict.fromkeys(("array", "list"), _LIST),
}
_SORTS = {"int": _NUMBER, "float": _NUMBER, "str": _TEXT, "bool": _TRUTH}
_ASSIGNMENT = re.compile(r"\$?[\w$]+\s*(?::[^=]+)?=\s*(?=[^=>\s])")
#: How a value begins, by its sort.
_BEGINNINGS = {
    _NUMBER: re.compile(r"-?\d|len\(|count\(|strlen\(|[\w.$]+\.(?:length\b|size\(\))"),
    _TEXT: re.compile(r"[frb]?[\"'`]"),
    _LIST: re.compile(r"\[|array\("),
    _TRUTH: re.compile(r"(?:true|false)\b", re.IGNORECASE),
    "map": re.compile(r"\{|new Map\b|dict\("),
    "set": re.compile(r"set\(|new Set\b"),
}
#: Statements whose own variables have a value only inside them.
_HOLDING = frozenset({"for", "with", "try"})


class Variables:
    """The variables and parameters of a program's functions."""

    def __init__(self, places: FaultPlaces) -> None:
        self._places = places
        self._code = places.code

    def list_sorts(self) -> Mapping[Binding, str]:
        """The sort of each variable of which the text tells something."""
        return self._sorts

    @cached_property
    def _uses(self) -> dict[int, Binding]:
        """The variables by the ends of their uses."""
        return {
            use.span.end: binding
            for binding in self._code.bindings
            if binding.kind in ("parameter", "variable")
            for use in binding.uses
            if not use.in_call and use.template.endswith("{}")
        }

    def find(self, span: Span) -> Binding | None:
        """The variable whose name, and nothing else, stands at a span."""
        binding = self._uses.get(span.end)
        text = self._places.text(span)
        return binding if binding is not None and text.lstrip("$") == binding.name.lstrip("$") else None

    def list_used(self, span: Span) -> Iterator[Binding]:
        """The variables that are used within a span."""
        for end, binding in self._uses.items():
            if span.start < end <= span.end:
                yield binding

    def find_sort(self, span: Span) -> str:
        """The sort of the value of a literal, a variable or a plain expression; empty if the text does not tell."""
        text = self._places.text(span)
        if binding := self.find(span):
            return self._sorts.get(binding, "")
        for sort, beginning in _BEGINNINGS.items():
            if beginning.match(text):
                return sort
        return ""

    @cached_property
    def _sorts(self) -> dict[Binding, str]:
        """The sort of each variable: by its declared type, by how it is used, or by its first value."""
        sorts: dict[Binding, str] = {}
        for site in self._code.sites_of("assignment"):
            self._read_assignment(site, sorts)
        for site in self._code.sites_of("operator", "bound"):
            if site.kind == "operator" and site.form in _NUMERIC:
                for part in site.parts:
                    if binding := self.find(part):
                        sorts[binding] = _NUMBER
            elif site.holder:
                for binding in self.list_used(site.statement):
                    if binding.name.lstrip("$") == site.holder.lstrip("$"):
                        sorts[binding] = _NUMBER
        for site in self._code.sites_of("read"):
            if site.form and (binding := self.find(site.span)):
                sorts[binding] = _TYPES.get(site.form.lower(), site.form)
        return sorts

    def _read_assignment(self, site: Site, sorts: dict[Binding, str]) -> None:
        text = self._places.text(site.span)
        target = _ASSIGNMENT.match(text)
        if target is None:
            return
        name = re.match(r"\$?[\w$]+", text)
        assert name is not None
        binding = self.find(Span(site.span.start, site.span.start + name.end()))
        if binding is not None and binding not in sorts:
            sort = next((s for s, begin in _BEGINNINGS.items() if begin.match(text, target.end())), "")
            if sort:
                sorts[binding] = sort

    def list_visible(self, at: int) -> Iterator[tuple[Binding, int]]:
        """The variables of the function around an offset that surely have a value there, and their last use before."""
        function = self._places.find_function(at)
        name = function.name if function else ""
        for binding in self._code.bindings:
            if binding.kind not in ("parameter", "variable") or binding.function != name:
                continue
            ends = [use.span.end for use in binding.uses if not use.in_call]
            before = [end for end in ends if end <= at]
            if before and self.has_value(binding, at) and self.is_seen(binding, at):
                yield binding, max(before)

    def is_seen(self, binding: Binding, at: int) -> bool:
        """Whether no closure or comprehension hides a variable at an offset of its function."""
        return self._code.can_read(binding, at) and not self._is_enclosed(binding)

    def _is_enclosed(self, binding: Binding) -> bool:
        """Whether a variable ends within a statement: that of a closure without a name, or of a comprehension."""
        uses = [use.span for use in binding.uses if not use.in_call]
        first = min(uses)
        function = self._places.find_function(first.start)
        if function is not None and first.start < function.body.start:  # in its head
            return False
        statement = self._find_around(self._code.statements, first.start)
        if statement is None or statement.kind in _HOLDING:
            return binding.kind == "parameter"
        return max(uses).end <= statement.span.end

    def has_value(self, binding: Binding, at: int) -> bool:
        """Whether a variable surely has a value at an offset of its function."""
        starts = [use.span.start for use in binding.uses if not use.in_call]
        function = self._places.find_function(at)
        if not starts or (function is not None and binding.function not in ("", function.name)):
            return False
        first = min(starts)
        if function is not None and first < function.body.start:  # in its head
            return binding.name.lstrip("$") in {parameter.lstrip("$&. ") for parameter in function.parameters}
        if first >= at:
            return False
        statement = self._find_around(self._code.statements, first)
        if statement is not None and statement.kind in _HOLDING:
            block = self._find_around(self._code.blocks, at)
            return statement.span.start < at <= statement.span.end and block is not None and block.span.start > first
        block = self._find_around(self._code.blocks, first)
        inside = block is None or block.span.start <= at <= self._find_end(block)
        return inside and (statement is None or statement.span.end <= at) and len(starts) > 1

    def _find_end(self, block: Block) -> int:
        """Where the line of a block's end ends: something may be inserted below its last statement."""
        end = self._places.source.find("\n", block.span.end)
        return len(self._places.source) if end < 0 else end + 1

    @staticmethod
    def _find_around(parts: Sequence[T], at: int) -> T | None:
        around = [part for part in parts if part.span.start <= at < part.span.end]
        return max(around, key=lambda part: part.span.start, default=None)
