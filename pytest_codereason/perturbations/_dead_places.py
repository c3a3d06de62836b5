"""Where a program takes dead code without noticing it, and which of its names may be used there."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.structure import Binding, Code, Function, Insertion, Span
from pytest_codereason.perturbations._dead_wording import Wording

_WORD = re.compile(r"\w+")
#: What stands behind, or before, a variable that is given another value.
_ASSIGNED = re.compile(r"\s*(?:=(?!=)|(?:[-+*/%&|^]|<<|>>>?)=|\+\+|--)")
_STEPPED = re.compile(r"(?:\+\+|--)\s*\Z")
#: A number that may not be equal to itself, before the name it is declared with.
_FLOATING = re.compile(r"\b(?:float|double)\s+\Z")
#: Variables that PHP fills itself.
_FILLED = frozenset({"this", "argv", "argc", "GLOBALS"})


class Places:
    """One program as the writer of dead code sees it."""

    def __init__(self, program: Program, code: Code, wording: Wording) -> None:
        self._code, self._wording = code, wording
        self._source, self._call = program.source, program.call
        self._speaker = registry.language(program.language)
        self._named: dict[str, list[Function]] = {}
        for function in code.functions:
            self._named.setdefault(function.name, []).append(function)
        self._readable: dict[Span, tuple[str, ...]] = {}

    @cached_property
    def _open(self) -> bool:
        """Whether the top level may get new names: nothing lists them, and no other file is given them."""
        taken, wording = self._code.taken, self._wording
        return wording.sees_top.isdisjoint(taken) and (bool(self._call) or not wording.sealed.isdisjoint(taken))

    def tops(self) -> list[Insertion]:
        """Where functions may stand that are never called: in programs that have functions."""
        if not (self._open and self._named):
            return []
        return [i for i in self._code.insertions if i.place == self._wording.top and not i.function]

    def globals(self) -> list[str]:
        """Names that only ever mean variables of functions: a global of that name is nobody's.

        Every appearance of the word, in strings too, must be a use of such a variable.
        """
        text = f"{self._source}\n{self._call}"
        words = Counter(_WORD.findall(text if text.isascii() else unicodedata.normalize("NFKC", text)))
        uses: Counter[str] = Counter()
        for binding in self._code.bindings:
            # One that is no function's makes the sum too large.
            uses[binding.name] += len(binding.uses) if binding.function else len(text)
        return [name for name, count in uses.items() if count == words[name] and self._plain(name)]

    def _plain(self, name: str) -> bool:
        if name.startswith("_") or name in _FILLED or not name.isascii():
            return False
        return self._wording.parameter != "%(p)s" or self._speaker.dialect.fresh(name, frozenset()) == name

    def branches(self) -> list[Insertion]:
        """Where statements may stand: in functions, or at the top level of a program without any."""
        places = self._code.insertions
        classes = self._local_classes
        inside = [
            i
            for i in places
            if i.reachable
            and i.place == "statement"
            and (function := self.around(i)) is not None
            and not self._mentions(function, self._wording.sees_locals)
            and not (classes and any(function.span.start < start < i.at <= end for start, end in classes))
        ]
        if inside or self._named or not self._open:
            return inside
        kinds = {"statement"} if self._wording.top == "member" else {"statement", "top"}
        found = [i for i in places if i.reachable and i.place in kinds and not any(s < i.at <= e for s, e in classes)]
        return list({i.at: i for i in found}.values())

    @cached_property
    def _local_classes(self) -> list[tuple[int, int]]:
        """Where classes begin, and end with their lines: what is assigned in their blocks is a member."""
        ends = self._source
        return [
            (s.span.start, len(ends) if (end := ends.find("\n", s.span.end)) < 0 else end)
            for s in self._code.statements
            if s.kind == "class"
        ]

    def around(self, place: Insertion) -> Function | None:
        """The innermost function around a place."""
        known = self._named.get(place.function, ())
        if len(known) == 1:
            return known[0]
        return next((f for f in reversed(known) if f.span.start < place.at), None)

    def _mentions(self, function: Function, words: frozenset[str]) -> bool:
        if words.isdisjoint(self._code.taken):
            return False
        return not words.isdisjoint(_WORD.findall(self._source, *function.span))

    def readable(self, function: Function | None) -> tuple[str, ...]:
        """Parameters that have a value wherever statements of the function stand, and may be read there."""
        if function is None:
            return ()
        found = self._readable.get(function.span)
        if found is None:
            dropped = self._mentions(function, self._wording.drops)
            found = self._readable[function.span] = () if dropped else tuple(self._settled(function))
        return found

    def _settled(self, function: Function) -> Iterator[str]:
        for name in function.parameters:
            # Two of one name: a closure's, or one of a block, which cannot be read above its declaration.
            found = self._bindings.get((name, function.name), [])
            if (
                len(found) == 1
                and found[0].kind == "parameter"
                and not (self._wording.fixed and self._varies(found[0]))
            ):
                yield name

    def _varies(self, binding: Binding) -> bool:
        """Whether a parameter is assigned, or might not be equal to itself."""
        source = self._source
        spans = [use.span for use in binding.uses if not use.in_call]
        if _FLOATING.search(source, max(0, spans[0].start - 20), spans[0].start):
            return True
        return any(
            _ASSIGNED.match(source, span.end) or _STEPPED.search(source, max(0, span.start - 4), span.start)
            for span in spans
        )

    @cached_property
    def _bindings(self) -> dict[tuple[str, str], list[Binding]]:
        found: dict[tuple[str, str], list[Binding]] = {}
        for binding in self._code.bindings:
            found.setdefault((binding.name, binding.function), []).append(binding)
        return found

    @cached_property
    def trusting(self) -> bool:
        """Whether what the texts call is what the language offers, and nobody looks at what is printed."""
        if self._wording.meddles.search(self._source):
            return False
        return self._wording.called.isdisjoint(name for name, _ in self._bindings)

    def once(self, place: Insertion, function: Function) -> bool:
        """Whether a place is come to once: in the outermost block of the function that the entry call is about."""
        return function is self._entry and len(place.indent) == self._entry_indent

    @cached_property
    def _entry_indent(self) -> int:
        return min(len(i.indent) for i in self._code.insertions if self.around(i) is self._entry)

    @cached_property
    def _entry(self) -> Function | None:
        """The function that only the entry call names, once."""
        for binding in self._code.bindings:
            if len(binding.uses) == 2 and binding.uses[1].in_call and not binding.uses[0].in_call:
                found = [f for f in self._code.functions if f.name.rpartition(".")[2] == binding.name]
                if len(found) == 1 and found[0].span.start <= binding.uses[0].span.start < found[0].body.start:
                    return found[0]
        return None
