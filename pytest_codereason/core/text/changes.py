"""A change to a program as one value, and the program after it.

Every change of a program's text gives a map (:class:`~pytest_codereason.core.text.edits.Applied`). :func:`move` takes
the entry call and the facts through that map.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pytest_codereason.core import EMPTY, Fault, Program
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.facts import ABSENT, Forms, OwnFact
from pytest_codereason.core.language.structure import Binding, Function, Span
from pytest_codereason.core.text.edits import Edit, Replace, apply
from pytest_codereason.errors import BadEdit, LostPlace, Refused


class Change(NamedTuple):
    """One change to a program: to its source, its entry call and the names that its facts use."""

    edits: tuple[Edit, ...] = ()  #: to the source; every offset counts in the text before the change
    call: tuple[Edit, ...] = ()  #: to the entry call
    #: the new name of what is renamed, by its qualified name before; what it encloses follows
    names: Mapping[str, str] = EMPTY
    forms: Mapping[str, Forms] = EMPTY  #: the places that are changed by templates, by the name of the perturbation


def rename(names: Mapping[Binding, str], functions: Sequence[Function] = ()) -> Change:
    """Renames bindings, all at once: names may be swapped. The caller chooses names that are free.

    Args:
        names: the new name of each binding.
        functions: the program's functions, which say the qualified names of methods.

    Raises:
        Refused: renaming one of them might change what the program does.
    """
    edits: list[Edit] = []
    call: list[Edit] = []
    for binding, name in names.items():
        if binding.unsafe:
            raise Refused(f"{binding.name} cannot be renamed: {binding.unsafe}")
        for use in binding.uses:
            (call if use.in_call else edits).append(Replace(use.span, use.template.format(name)))
    defined = [binding for binding in names if binding.kind in ("function", "class")]
    methods: dict[str, list[Function]] = {}
    for function in functions if defined else ():
        if "." in function.name:
            methods.setdefault(function.name.rpartition(".")[2], []).append(function)
    qualified = {qualify(binding, methods.get(binding.name, ())): names[binding] for binding in defined}
    return Change(edits=tuple(edits), call=tuple(call), names=qualified)


def qualify(binding: Binding, methods: Sequence[Function] = ()) -> str:
    """The name of a function or class as :attr:`Function.name` has it: ``outer.inner``, ``Class.method``.

    ``methods`` are the functions of that name inside a class or function.
    """
    starts = [use.span.start for use in binding.uses if not use.in_call]
    for method in methods:
        if any(method.span.start <= start < method.body.start for start in starts):
            return method.name
    return f"{binding.function}.{binding.name}" if binding.function else binding.name


def change(program: Program, change: Change) -> Program:
    """The program after a change of its entry, with its call and facts moved along.

    ``reasoning`` quotes the old text and is dropped. The fact ``forms`` counts the places that were changed by
    templates.

    Raises:
        BadEdit: the edits cannot be applied.
        LostPlace: they remove what a fact names, or move it in two pieces.
    """
    call = apply(program.call, change.call) if change.call else None
    source, known = apply(program.source, change.edits), program.facts
    facts = _move_facts(program, source, call, change.names)
    if "reasoning" in known:
        facts["reasoning"] = ABSENT
    if change.forms:
        facts["forms"] = add_forms(known.get("forms", EMPTY), change.forms)
    return _replace_text(program, source, call, facts)


def add_forms(first: Mapping[str, Forms], second: Mapping[str, Forms]) -> dict[str, Forms]:
    """The places of both, by the name of the perturbation."""
    added = dict(first)
    for name, forms in second.items():
        known = added.get(name, Forms())
        added[name] = Forms(known.published + forms.published, known.safe + forms.safe)
    return added


def move(program: Program, source: Applied, call: Applied | None = None, names: Mapping[str, str] = EMPTY) -> Program:
    """The program with another text of its entry, and with its facts taken through the map of the change.

    The fault's text moves, and its line with it. The input follows the arguments of the call, a fact of a user's own
    moves itself. All other facts stay. The names in a call graph are a tracer's, so they follow later, in
    ``changes/stages/_call_graphs.py``.

    Args:
        source: the change of the entry's text.
        call: the change of the entry call, where it changes.
        names: the new name of each function or class that is renamed, by its qualified name before.

    Raises:
        LostPlace: the change removes what a fact names, or moves it in two pieces.
    """
    return _replace_text(program, source, call, _move_facts(program, source, call, names))


def _replace_text(program: Program, source: Applied, call: Applied | None, facts: Mapping[str, Any]) -> Program:
    """The program with the text after a change, and with other values of some facts."""
    changed = program.facts.replace(**facts) if facts else None
    return program.replace_source(source.text, call.text if call else None, changed)


def _move_facts(program: Program, source: Applied, call: Applied | None, names: Mapping[str, str]) -> dict[str, object]:
    """The facts that a change moves, with their values after it."""
    changes: dict[str, object] = {}
    for name, fact in program.facts.items():
        if name in _UNMOVED:
            continue
        if name == "input":
            if call is not None and program.call:
                changes[name] = _move_arguments(fact, program.call, call)
        elif name == "fault":
            changes[name] = _move_fault(fact, _FileMovement(program, source, names))
        elif isinstance(fact, OwnFact):
            changes[name] = fact.move(_FileMovement(program, source, names))
    return changes


def _move_fault(fault: Fault, movement: _FileMovement) -> Fault:
    if not fault.spans:
        also: list[int] = []
        for line in fault.also:
            with suppress(LostPlace):  # the faulty line itself is left to name
                also.append(movement.move_line(fault.file, line))
        return fault._replace(line=movement.move_line(fault.file, fault.line), also=tuple(also))
    if fault.file != movement.program.entry:
        return fault
    first, *others = fault.spans
    at = movement.move_span(fault.file, first)
    before: list[Span] = []
    for other in others:
        with suppress(LostPlace):
            before.append(movement.move_span(fault.file, other))
            if movement.source.span(Span(other.start, max(first.end, other.end))) is None:  # the gap ends a definition
                end = before[-1].end
                return Fault(movement.find_line(end - 1), fault.file, (), (Span(end - 1, end),))
    lines = [movement.find_line(place) for place in (at.start, *(span.end - 1 for span in before))]
    return Fault(lines[0], fault.file, tuple(lines[1:]), (at, *before))


#: Facts that say nothing about the text, and the call graph.
_UNMOVED = frozenset({"output", "reasoning", "specification", "forms", "edges"})


class _FileMovement(NamedTuple):
    """The new places of lines, characters and names after a change of the entry."""

    program: Program
    source: Applied
    names: Mapping[str, str]

    def move_line(self, file: str, line: int) -> int:
        """The number of a line after the change.

        Raises:
            LostPlace: the change removes the line.
        """
        if file != self.program.entry:
            return line
        moved = self.source.line(line)
        if moved is None:
            raise LostPlace(f"the change removes line {line}, which a fact names")
        return moved

    def move_span(self, file: str, span: Span) -> Span:
        """The place of a text after the change, from its first character that remains to its last.

        Raises:
            LostPlace: the change removes the text, or moves it in two pieces.
        """
        if file != self.program.entry:
            return span
        moved = self.source.span(span)
        if moved is None:
            text = self.source.before[slice(*span)]
            raise LostPlace(f"the change removes or tears the text that a fact names: {text}")
        return moved

    def find_line(self, at: int) -> int:
        """The line of a character of the new text."""
        return self.source.text.count("\n", 0, at) + 1

    def move_offset(self, file: str, offset: int) -> int | None:
        """The offset of a character after the change, ``None`` if the change removes it."""
        return self.source.offset(offset) if file == self.program.entry else offset

    def move_name(self, name: str) -> str:
        """A qualified name after the renames.

        In a program of several files only a name that begins with the changed file is renamed.
        """
        if len(self.program.files) == 1:
            return rename_qualified(name, self.names)
        file = f"{self.program.entry}:"
        return file + rename_qualified(name.removeprefix(file), self.names) if name.startswith(file) else name


# ``<module>`` and its like are names, but not the ``<Item>`` of ``List<Item>``.
_PART = re.compile(r"(?<![^.:$(),\s])<\w+>|[^.:$(),\[\]<>\s]+")


def rename_qualified(name: str, names: Mapping[str, str]) -> str:
    """A qualified name after renames.

    Parts are divided by ``.``, ``:`` or ``$``; types in the parentheses or brackets of a signature are
    names of their own: ``shop.Cart:add(shop.Item[],int)``.
    """
    parts: list[str] = []
    start = at = 0
    for part in _PART.finditer(name):
        between = name[at : part.start()]
        if between.strip(".:$"):
            start = part.start()  # a comma, a bracket: another name begins
        parts += [between, names.get(name[start : part.end()], part[0])]
        at = part.end()
    return "".join([*parts, name[at:]])


def _move_arguments(text: str, before: str, call: Applied) -> str:
    """The arguments ``text`` of the call ``before``, after the edits of the call."""
    start = before.find(f"({text})")
    if start < 0:
        raise BadEdit(f"the fact 'input' differs from the arguments of the call {before}")
    new = call.offset(start)
    if new is None or not call.text.endswith(")"):
        raise BadEdit(f"an edit removes the parentheses of the call {before}")
    return call.text[new + 1 : len(call.text) - (len(before) - start - len(text) - 1)]
