"""A change to a program as one value, and the program after it.

What is known about a program (its entry call, the names and lines in its facts) goes through the
same maps as its source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pytest_codereason.core import EMPTY, Program
from pytest_codereason.core.maps import Applied
from pytest_codereason.core.structure import Binding
from pytest_codereason.errors import BadEdit, Refused
from pytest_codereason.text.edits import Edit, Replace, apply


class Change(NamedTuple):
    """One change to a program: to its source, its entry call and the names that its facts use."""

    edits: tuple[Edit, ...] = ()
    call: tuple[Edit, ...] = ()  #: to the entry call
    #: the new name of what is renamed, by its qualified name before; what it encloses follows
    names: Mapping[str, str] = EMPTY


def rename(names: Mapping[Binding, str]) -> Change:
    """Renames bindings, all at once: names may be swapped. The caller chooses names that are free.

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
    defined = {qualified(binding): name for binding, name in names.items() if binding.kind in ("function", "class")}
    return Change(edits=tuple(edits), call=tuple(call), names=defined)


def qualified(binding: Binding) -> str:
    """The name of a function or class as :attr:`Function.name` has it."""
    return f"{binding.function}.{binding.name}" if binding.function else binding.name


def change(program: Program, change: Change) -> Program:
    """The program after a change, with what is known about it carried along.

    ``edges`` (a call graph) and ``line`` (of a fault) go through the change's maps, ``input`` follows
    the arguments of the call; ``reasoning`` quotes the old text and is dropped. Other facts stay.

    Raises:
        BadEdit: the edits cannot be applied, or remove a line that a fact names.
    """
    applied = apply(program.source, change.edits)
    call = apply(program.call, change.call) if change.call else None
    facts = {name: fact for name, fact in program.facts.items() if name != "reasoning"}
    if (line := facts.get("line")) is not None:
        facts["line"] = applied.line(line)
        if facts["line"] is None:
            raise BadEdit(f"the change removes line {line}, which a fact names")
    if "edges" in facts:
        facts["edges"] = {
            renamed(caller, change.names): [renamed(callee, change.names) for callee in callees]
            for caller, callees in facts["edges"].items()
        }
    if "input" in facts:
        facts["input"] = _arguments(facts["input"], program.call, call)
    return program.rewritten(applied.text, call.text if call else program.call, facts)


# ``<module>`` and its like are names, but not the ``<Item>`` of ``List<Item>``.
_PART = re.compile(r"(?<![^.:$(),\s])<\w+>|[^.:$(),\[\]<>\s]+")


def renamed(name: str, names: Mapping[str, str]) -> str:
    """A qualified name after renames.

    Parts are divided by ``.``, ``:`` or ``$``; types in the parentheses or brackets of a signature are
    names of their own: ``shop.Cart:add(shop.Item[],int)``.
    """
    made: list[str] = []
    start = at = 0
    for part in _PART.finditer(name):
        between = name[at : part.start()]
        if between.strip(".:$"):
            start = part.start()  # a comma, a bracket: another name begins
        made += [between, names.get(name[start : part.end()], part[0])]
        at = part.end()
    return "".join([*made, name[at:]])


def _arguments(text: str, before: str, call: Applied | None) -> str:
    """The arguments ``text`` of the call ``before``, as they stand after the call was edited."""
    start = before.find(f"({text})")
    if start < 0:
        raise BadEdit(f"the fact 'input' is not what the call {before} is given")
    if call is None:
        return text
    new = call.offset(start)
    if new is None or not call.text.endswith(")"):
        raise BadEdit(f"the parentheses of the call {before} are edited away")
    return call.text[new + 1 : len(call.text) - (len(before) - start - len(text) - 1)]
