"""Finds which methods of a Java source can be renamed, and where they are called.

All methods of one name in one class are renamed together. In a file with a package, only private methods can be
renamed, because other files may call the others. A file without a package is a whole program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName
from pytest_codereason.languages.frame.tree import walk
from pytest_codereason.languages.java.syntax.declarations import has_meaning, list_modifiers, name_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree
    from pytest_codereason.languages.java.syntax.declarations import Class, Declarations

#: Methods that the virtual machine or serialisation look for by name.
_FOUND_BY_NAME = frozenset(
    {"main", "readObject", "writeObject", "readObjectNoData", "readResolve", "writeReplace", "agentmain", "premain"}
)
_REFLECTION = ("getClass", "getSimpleName", "getName", "forName", ".class", "getStackTrace", "printStackTrace")


class Methods:
    """The methods that can be renamed. A group has one name in one class."""

    def __init__(self, tree: Tree, declared: Declarations) -> None:
        self.tree = tree
        self.declared = declared
        self.reflective = any(word in tree.source for word in _REFLECTION)
        packaged = any(node.type == "package_declaration" for node in tree.root.named_children)
        self.groups: dict[str, dict[int, ScopedName]] = {}  #: by name, then by the id of the class
        for cls in declared.classes.values():
            for name, nodes in cls.methods.items():
                if nodes and self._is_candidate(cls, name, nodes, packaged):
                    self._add(cls, name, nodes)

    def _is_candidate(self, cls: Class, name: str, nodes: list[Node], packaged: bool) -> bool:
        if all("private" in list_modifiers(self.tree, node) for node in nodes):
            return True
        others = sum(name in other.methods for other in self.declared.classes.values())
        return not packaged and cls.node.type == "class_declaration" and others == 1

    def _add(self, cls: Class, name: str, nodes: list[Node]) -> None:
        group = self.groups.setdefault(name, {})[cls.node.id] = ScopedName(name, "function")
        for node in nodes:
            label = node.child_by_field_name("name")
            if label is not None:
                group.uses.append(Use(self.tree.span(label)))
            for modifier in list_modifiers(self.tree, node):
                if modifier == "native":
                    group.taint("native code knows its name")
                elif has_meaning(modifier):
                    group.taint("an annotation may give its name a meaning")
        if name in _FOUND_BY_NAME:
            group.taint("it is looked for by its name")
        if self.declared.inherits(cls, name):
            group.taint("it may override or overload an inherited method")
        if f'"{name}"' in self.tree.source:
            group.taint("a string holds its name")

    def file(self, root: Scope) -> None:
        """Declares every group in the outermost scope."""
        for name, groups in self.groups.items():
            for number, group in groups.items():
                root.names[f"{number}.{name}()"] = group

    def call(self, node: Node, around: list[Class]) -> None:
        """Adds a call or a reference ``x::f`` inside the classes ``around`` (inner classes first)."""
        name, receiver = _split_reference(node)
        if name is None or (text := self.tree.text(name)) not in self.groups:
            return
        use = Use(self.tree.span(name))
        if receiver is None:
            self._add_plain_call(text, use, around)
        elif receiver.type == "super" or any(n.type == "super" for n in node.children):
            self._note_unsure(text, "it is called on super")
        else:
            self._on(text, use, self._list_types(self.tree, receiver, around))

    def entry(self, call: Tree) -> None:
        """Adds the uses in the entry call, which is evaluated outside all classes."""
        for node in walk(call.root):
            if node.type not in ("method_invocation", "method_reference"):
                continue
            name, receiver = _split_reference(node)
            if name is None or (text := call.text(name)) not in self.groups:
                continue
            use = Use(call.span(name), in_call=True)
            if receiver is None and len(self.groups[text]) == 1:
                next(iter(self.groups[text].values())).uses.append(use)
            elif receiver is None:
                self._note_unsure(text, "the entry call may mean another class")
            else:
                self._on(text, use, self._list_types(call, receiver, []))

    def _add_plain_call(self, text: str, use: Use, around: list[Class]) -> None:
        for cls in around:
            if text in cls.methods:
                if group := self.groups[text].get(cls.node.id):
                    group.uses.append(use)
                return
            if above := self._list_classes_above(cls, text):
                if len(above) == 1 and (group := self.groups[text].get(above[0].node.id)):
                    group.uses.append(use)
                else:
                    self._note_unsure(text, "it may be inherited in several ways")
                return
            if self.declared.inherits(cls, text):
                self._note_unsure(text, "a class may inherit a method of its name")
                return

    def _list_classes_above(self, cls: Class, text: str) -> list[Class]:
        """The classes of this source from which a class inherits a method."""
        above = (other for name in self.declared.above(cls) for other in self.declared.named.get(name, []))
        return [other for other in above if text in other.methods]

    def _note_unsure(self, text: str, reason: str) -> None:
        for group in self.groups[text].values():
            group.taint(reason)

    def _on(self, text: str, use: Use, types: set[str]) -> None:
        """Adds a call on a value of one of these types; ``?`` is an unknown type."""
        owners = {
            owner.node.id
            for name in types
            for cls in self.declared.named.get(name, [])
            for owner in ([cls] if text in cls.methods else self._list_classes_above(cls, text))
        }
        mine = [self.groups[text][owner] for owner in owners if owner in self.groups[text]]
        if "?" in types or len(owners) > 1 or (mine and len(types) > 1):
            self._note_unsure(text, "it may be called on a value whose type is not known")
        elif mine:
            mine[0].uses.append(use)

    def _list_types(self, tree: Tree, node: Node, around: list[Class]) -> set[str]:
        """The names of the types that an expression may have."""
        text = tree.text(node)
        candidates = {"?"}
        match node.type:
            case "this" if around and around[0].name:
                candidates = {around[0].name}
            case "type_identifier" | "generic_type":
                candidates = {name_type(text).rpartition(".")[2]}
            case "string_literal" | "class_literal":
                candidates = {"String" if node.type == "string_literal" else "Class"}
            case "parenthesized_expression" if node.named_child_count == 1:
                candidates = self._list_types(tree, node.named_children[0], around)
            case "object_creation_expression" if made := node.child_by_field_name("type"):
                candidates = {name_type(tree.text(made)).rpartition(".")[2]}
            case "field_access" if text.endswith(".this"):
                candidates = {text.removesuffix(".this").rpartition(".")[2]}
            case "identifier" | "field_access" if "." not in text.removeprefix("this."):
                candidates = self._list_named(text.removeprefix("this."))
        return candidates

    def _list_named(self, text: str) -> set[str]:
        if text in self.declared.variables:
            types = {name.rpartition(".")[2] for name in self.declared.variables[text]}
            return {"?" if name in self.declared.type_parameters else name for name in types}
        # A name in capitals may be a constant that is inherited.
        named = text in self.declared.named or (text[:1].isupper() and not (len(text) > 1 and text.isupper()))
        return {text} if named else {"?"}


def _split_reference(node: Node) -> tuple[Node | None, Node | None]:
    """The name of the called method, and the object that it is called on."""
    if node.type == "method_reference":
        last = node.named_children[-1]
        return (last if last.type == "identifier" else None), node.children[0]
    return node.child_by_field_name("name"), node.child_by_field_name("object")
