"""Where a program takes dead code without noticing it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from pytest_codereason.changes.perturbations._known_values import KnownValues
from pytest_codereason.core import Dialect, Program
from pytest_codereason.core.language.dialects import DeadCodeForms
from pytest_codereason.core.language.structure import Binding, Code, Function, Insertion, Span

_WORD = re.compile(r"\w+")
#: What stands behind, or before, a variable that is given another value.
_ASSIGNED = re.compile(r"\s*(?:=(?!=)|(?:[-+*/%&|^]|<<|>>>?)=|\+\+|--)")
_STEPPED = re.compile(r"(?:\+\+|--)\s*\Z")


class DeadCodePlaces:
    """Where a program takes dead code without noticing it, and which of its names may be used there."""

    def __init__(self, program: Program, code: Code, forms: DeadCodeForms, dialect: Dialect) -> None:
        self._code, self._forms = code, forms
        self._source, self._call, self._shared = program.source, program.call, len(program.files) > 1
        self._dialect = dialect
        self._by_name: dict[str, list[Function]] = {}
        for function in code.functions:
            self._by_name.setdefault(function.name, []).append(function)
        self._readable: dict[tuple[Span, tuple[str, ...]], tuple[str, ...]] = {}
        self.values = KnownValues(program, code)

    @cached_property
    def _open(self) -> bool:
        """Whether the top level may get new names: nothing lists them, and no other file is given them."""
        if self._shared:
            return False
        taken, forms = self._code.taken, self._forms
        return forms.sees_top.isdisjoint(taken) and (bool(self._call) or not forms.sealed_by.isdisjoint(taken))

    def list_tops(self) -> list[Insertion]:
        """Where functions may stand that are never called: none in a program without functions."""
        if not (self._open and self._by_name):
            return []
        return [i for i in self._code.insertions if i.place == self._forms.top and not i.function]

    def list_free_names(self) -> list[str]:
        """Names that only ever mean variables of functions, so that nobody reads a global of that name.

        Every appearance of the word, in strings too, must be a use of such a variable.
        """
        words = self._code.words
        uses: dict[str, int] = {}
        for binding in self._code.bindings:
            # A name that also means something else gets a count that no word can have.
            of_variable = binding.function and binding.kind != "class"
            count = len(binding.uses) if of_variable else len(words) + 1
            uses[binding.name] = uses.get(binding.name, 0) + count
        counts = Counter(words)
        return [name for name, count in uses.items() if count == counts[name] and self._may_be_global(name)]

    def _may_be_global(self, name: str) -> bool:
        if name.startswith("_") or name in self._forms.filled or not name.isascii():
            return False
        return bool(self._dialect.sigil) or self._dialect.fresh(name, frozenset()) == name

    def list_branches(self) -> list[Insertion]:
        """Where statements may stand: in functions, or at the top level of a program without any."""
        places = self._code.insertions
        classes = self._local_classes
        sees_locals = not self._forms.sees_locals.isdisjoint(self._code.taken)
        inside = [i for i in places if i.reachable and i.place == "statement" and i.function in self._by_name]
        if sees_locals or classes or len(self._by_name) < len(self._code.functions):
            inside = [
                i
                for i in inside
                if (function := self.find_function(i)) is not None
                and not (sees_locals and self._does_mention(function, self._forms.sees_locals))
                and not any(function.span.start < start < i.at <= end for start, end in classes)
            ]
        if inside or self._by_name or not self._open:
            return inside
        kinds = {"statement"} if self._forms.top == "member" else {"statement", "top"}
        outside = [i for i in places if i.reachable and i.place in kinds and not any(s < i.at <= e for s, e in classes)]
        return list({i.at: i for i in outside}.values())

    @cached_property
    def _local_classes(self) -> list[tuple[int, int]]:
        """Where classes begin, and where their last lines end: a variable assigned in their blocks is a member."""
        source = self._source
        return [
            (s.span.start, len(source) if (end := source.find("\n", s.span.end)) < 0 else end)
            for s in self._code.statements
            if s.kind == "class"
        ]

    def find_function(self, place: Insertion) -> Function | None:
        """The innermost function around a place."""
        functions = self._by_name.get(place.function, ())
        if len(functions) == 1:
            return functions[0]
        return next((f for f in reversed(functions) if f.span.start < place.at), None)

    def _does_mention(self, function: Function, words: frozenset[str]) -> bool:
        if words.isdisjoint(self._code.taken):
            return False
        return not words.isdisjoint(_WORD.findall(self._source, *function.span))

    def list_readable(self, function: Function | None, place: Insertion) -> tuple[str, ...]:
        """Parameters that have a value at a place of the function, and may be read there."""
        # A function in the default of a parameter may run before the parameters behind it have a value.
        if function is None or self._source[place.at : function.body.start].strip():
            return ()
        seen = self._code.list_parameters(function, place.at)
        names = self._readable.get((function.span, seen))
        if names is None:
            drops = self._does_mention(function, self._forms.drops)
            names = () if drops else tuple(self._list_settled(function, seen))
            self._readable[function.span, seen] = names
        return names

    def _list_settled(self, function: Function, seen: Iterable[str]) -> Iterator[str]:
        for name in seen:
            # A second binding of the name is a closure's, or a block's, which cannot be read above its declaration.
            bindings = self._bindings.get((name, function.name), [])
            if (
                len(bindings) == 1
                and bindings[0].kind == "parameter"
                and not (self._forms.captures_constants and self._does_vary(bindings[0]))
            ):
                yield name

    def _does_vary(self, binding: Binding) -> bool:
        """Whether a parameter is assigned, or might not be equal to itself."""
        source = self._source
        spans = [use.span for use in binding.uses if not use.in_call]
        declared = self._dialect.equality.declared_unequal
        if declared and declared.search(source, max(0, spans[0].start - 20), spans[0].start):
            return True
        return any(
            _ASSIGNED.match(source, span.end) or _STEPPED.search(source, max(0, span.start - 4), span.start)
            for span in spans
        )

    @cached_property
    def _bindings(self) -> dict[tuple[str, str], list[Binding]]:
        bindings: dict[tuple[str, str], list[Binding]] = {}
        for binding in self._code.bindings:
            bindings.setdefault((binding.name, binding.function), []).append(binding)
        return bindings

    @cached_property
    def keeps_names(self) -> bool:
        """Whether the names in the texts mean what the language offers, and nobody looks at what is printed."""
        if self._forms.redefines.search(self._source):
            return False
        return self._forms.names.isdisjoint(name for name, _ in self._bindings)

    def runs_once(self, place: Insertion, function: Function) -> bool:
        """Whether a place is reached once: in the outermost block of the function that the entry call names."""
        return function is self.values.entry and len(place.indent) == self._entry_indent

    @cached_property
    def _entry_indent(self) -> int:
        entry, places = self.values.entry, self._code.insertions
        assert entry is not None, "only places in it are asked about"
        return min(len(i.indent) for i in places if i.function == entry.name and self.find_function(i) is entry)
