"""Finds which fields of a Java source can be renamed, and where they are used.

A private static field can be renamed if each appearance of its name is understood: it is a variable, or it reads the
field through its class, or a field of something else through an expression of another type, as ``numbers.length`` does.
No other file can use such a field, and no class inherits it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.syntax.declarations import Class, Declarations, has_meaning, list_modifiers
from pytest_codereason.languages.java.syntax.grammar import METHODS

if TYPE_CHECKING:
    from tree_sitter import Node

#: Fields that serialisation looks for by name.
_FOUND_BY_NAME = frozenset({"serialVersionUID", "serialPersistentFields"})
#: Programs that may find a private static field by its name.
_REFLECTION = re.compile(r"\b(?:getDeclaredFields?|findStatic(?:Getter|Setter|VarHandle)|ObjectStreamClass|native)\b")
_NAMES = ("identifier", "type_identifier")
#: Where ``this`` is asked for a member, and goes nowhere.
_MEMBER_OF = ("field_access", "method_invocation", "explicit_constructor_invocation")


class StaticFields:
    """The fields that can be renamed. A class has one of each name."""

    def __init__(self, tree: Tree, declared: Declarations) -> None:
        self.tree = tree
        self.declared = declared
        self.groups: dict[str, dict[int, ScopedName]] = {}  #: by name, then by the id of the class
        self.understood: set[Span] = set()  #: appearances of their names that are no uses of theirs, or of variables
        for cls in declared.classes.values():
            for label, declaration in cls.statics:
                self._add(cls, label, declaration)

    def _add(self, cls: Class, label: Node, declaration: Node) -> None:
        name = self.tree.text(label)
        field = self.groups.setdefault(name, {})[cls.node.id] = ScopedName(name, "field", [Use(self.tree.span(label))])
        if any(has_meaning(modifier) for modifier in list_modifiers(self.tree, declaration)):
            field.taint("an annotation may give its name a meaning")
        if name in _FOUND_BY_NAME:
            field.taint("it is looked for by its name")
        if _REFLECTION.search(self.tree.source):
            field.taint("the program may ask for its fields")
        if f'"{name}"' in self.tree.source:
            field.taint("a string holds its name")

    def declare(self, cls: Class, scope: Scope) -> None:
        """Declares the fields of a class in the scope of its body, where plain names are looked up."""
        for name, fields in self.groups.items():
            if field := fields.get(cls.node.id):
                scope.names[name] = field

    def entry(self, call: Tree) -> None:
        """Leaves alone the names in the entry call, which is evaluated outside all classes."""
        for node in walk(call.root):
            if node.type in _NAMES and (text := call.text(node)) in self.groups:
                self._note_unsure(text, "the entry call may mean it")

    def access(self, node: Node, around: list[Class]) -> None:
        """Adds a use ``C.x`` or ``this.x`` inside the classes ``around`` (inner classes first)."""
        owner, name = node.child_by_field_name("object"), node.child_by_field_name("field")
        if owner is None or name is None or (text := self.tree.text(name)) not in self.groups:
            return
        cls = self._find_class(owner, around)
        if cls is not None and (field := self.groups[text].get(cls.node.id)):
            field.uses.append(Use(self.tree.span(name)))
        elif self._names_class(owner, around, 0) or self._has_other_type(owner, around, self.groups[text]):
            self.understood.add(self.tree.span(name))  # ``System.out``, ``numbers.length``

    def _names_class(self, owner: Node, around: list[Class], count: int) -> bool:
        """Whether a name can mean nothing but a class, of which the source has so many."""
        name = self.tree.text(owner)
        is_other = name in self.declared.variables or name in self.declared.type_parameters
        is_inherited = any(cls.open for cls in around)
        is_name = owner.type == "identifier" and not is_other and not is_inherited
        return is_name and len(self.declared.named.get(name, [])) == count

    def _has_other_type(self, owner: Node, around: list[Class], numbers: Iterable[int]) -> bool:
        """Whether an expression is no object of some classes: nothing in the source can be one."""
        is_class = owner.type == "identifier" and self.tree.text(owner) in self.declared.named
        if is_class or owner.type in ("this", "super") or any(cls.open for cls in around):
            return False
        owners = [cls for cls in self.declared.classes.values() if cls.node.id in numbers]
        return all(cls.node.type == "class_declaration" and cls.name not in self._kinds for cls in owners)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The names of all types that expressions may have, every class of the source if ``this`` is handed on."""
        kinds: set[str] = set()
        for node in walk(self.tree.root):
            holder = node.parent
            if node.type == "this" and (holder is None or holder.type not in _MEMBER_OF):
                kinds |= self.declared.named.keys()
            elif node.type == "type_identifier" or (
                node.type == "identifier"
                and holder is not None
                and (holder.type == "method_reference" or holder.child_by_field_name("field") == node)
            ):
                kinds.add(self.tree.text(node))
        return frozenset(kinds)

    def _find_class(self, owner: Node, around: list[Class]) -> Class | None:
        """The class that ``this`` or a name means; ``None`` where that is not sure."""
        if owner.type == "this":
            return around[0] if around else None
        if not self._names_class(owner, around, 1):
            return None
        name = self.tree.text(owner)
        [named] = self.declared.named[name]
        is_top = named.node.parent is not None and named.node.parent.type == "program"
        return named if is_top or named in around or any(name in cls.types for cls in around) else None

    def file(self, root: Scope) -> None:
        """Moves every field to the outermost scope. A name that is not understood everywhere stays."""
        if not self.groups:
            return
        for scope in root.all():
            for key in self.groups.keys() & scope.names.keys():
                declared = scope.names[key]
                self.understood.update(use.span for use in declared.uses)
                if declared.kind == "field":
                    del scope.names[key]
                elif declared.unsafe:
                    self._note_unsure(key, "a variable of its name stays")
        for node in walk(self.tree.root):
            if node.type not in _NAMES or (text := self.tree.text(node)) not in self.groups:
                continue
            if self.tree.span(node) not in self.understood and not _names_method(node):
                self._note_unsure(text, "something else may have its name")
        for name, fields in self.groups.items():
            for number, field in fields.items():
                root.names[f"{number}.{name}"] = field

    def _note_unsure(self, text: str, reason: str) -> None:
        for field in self.groups[text].values():
            field.taint(reason)


def _names_method(node: Node) -> bool:
    holder = node.parent
    return (
        holder is not None
        and (holder.type in METHODS or holder.type == "method_invocation")
        and holder.child_by_field_name("name") == node
    )
