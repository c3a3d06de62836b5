"""Blanks out what only types need, so that node runs the rest as JavaScript.

    const last = <T,>(items: T[]): T => items.at(-1)!;
    const last =     (items     )    => items.at(-1) ;

Every character keeps its offset, and every line its number. A statement that is blanked as a whole becomes ``;``, and
so does a type that ends a statement without one. Otherwise the next line might be read on::

    let text = read() as string      let text = read() ;
    (first ?? second)()              (first ?? second)()

An import that only types use is blanked too, as the compiler of TypeScript does it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from pytest_codereason.core.reading import bounded
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.typescript.parsing import CASTS, DECLARATIONS, SIGNATURES, TYPES, parse_source

if TYPE_CHECKING:
    from tree_sitter import Node

#: Words that stand before a member of a class.
_MODIFIERS = frozenset({"accessibility_modifier", "override_modifier"})
_WHOLE = DECLARATIONS | SIGNATURES
#: Words and signs that are blanked, by the nodes that they stand in.
_WORDS = {
    "abstract_class_declaration": frozenset({"abstract"}),
    "public_field_definition": frozenset({"readonly", "?", "!"}),
    "method_definition": frozenset({"?"}),
    "optional_parameter": frozenset({"?"}),
    "variable_declarator": frozenset({"!"}),
    "non_null_expression": frozenset({"!"}),
}
_LINE_ENDS = "\r\n\u2028\u2029"
#: What would be read on behind a field on the line before.
_READ_ON = (b"[", b"*", b"(")


@bounded("source")
def blank(source: str) -> str:
    """A program as JavaScript.

    Raises:
        DoesNotParse: the text is not TypeScript, or has what cannot be erased.
    """
    blanker = _Blanker(parse_source(source))
    blanker.blank()
    return "".join(blanker.text)


def _ends_statement(node: Node) -> bool:
    """Whether a statement or field without a semicolon ends with a node."""
    end, outer = node.end_byte, node
    while (parent := outer.parent) is not None and parent.end_byte == end:
        outer = parent
        if outer.type == "public_field_definition":
            return outer.next_sibling is None or outer.next_sibling.type != ";"
        if outer.type.endswith(("_statement", "_declaration")):
            return True
    return False


class _Blanker:
    """Blanks one program."""

    def __init__(self, tree: Tree) -> None:
        self.text = list(tree.source)
        self._tree = tree
        self._written: list[tuple[int, str]] = []  #: signs that stand in what is blanked
        self._imports: list[Node] = []
        self._exports: list[Node] = []
        self._used: set[str] = set()  #: names that are read where no type stands
        self._values: set[str] = set()  #: names that are declared as more than a type
        self._types: set[str] = set()

    def blank(self) -> None:
        """Goes through the program, then through what it imports and exports."""
        waiting = [self._tree.root]
        while waiting:
            node = waiting.pop()
            waiting += reversed(self._look(node))
        for statement in self._imports:
            self._blank_import(statement)
        for clause in self._exports:
            self._blank_specifiers(clause, self._types - self._values)
        for at, sign in self._written:
            self.text[at] = sign

    def _look(self, node: Node) -> list[Node]:
        """Blanks what is a type at a node, and gives back the children that may have more of it."""
        kind = node.type
        if kind in TYPES or kind in _MODIFIERS:
            self._blank(node)
            self._end_statement(node, node)
            if kind in _MODIFIERS and self._is_read_on(node):
                self._write(node.start_byte, ";")
        elif kind in _WHOLE or (kind == "public_field_definition" and _has(node, "declare", "abstract")):
            self._blank_whole(node)
        elif kind in {"import_statement", "export_statement"}:
            return self._look_at_module(node)
        else:
            return self._look_within(node)
        return []

    def _look_within(self, node: Node) -> list[Node]:
        kind = node.type
        for child in node.children:
            if child.type in _WORDS.get(kind, ()):
                self._blank(child)
        if kind in CASTS:
            for child in node.children[1:]:
                self._blank(child)
            self._end_statement(node, node.children[1])
            return node.children[:1]
        if kind in {"identifier", "shorthand_property_identifier"}:
            self._used.add(self._tree.text(node))
        elif kind == "formal_parameters":
            self._blank_this(node)
        elif kind == "arrow_function":
            self._join_arrow(node)
        if kind != "export_specifier" and (name := node.child_by_field_name("name")) is not None:
            self._values.add(self._tree.text(name))
        return node.children

    # what is blanked

    def _blank(self, node: Node) -> None:
        for at in range(self._tree.at(node.start_byte), self._tree.at(node.end_byte)):
            if self.text[at] not in _LINE_ENDS:
                self.text[at] = " "

    def _write(self, byte: int, sign: str) -> None:
        self._written.append((self._tree.at(byte), sign))

    def _blank_whole(self, node: Node) -> None:
        if (name := node.child_by_field_name("name")) is not None:
            self._types.add(self._tree.text(name))
        self._blank(node)
        self._write(node.start_byte, ";")

    def _end_statement(self, node: Node, blanked: Node) -> None:
        if _ends_statement(node):
            self._write(blanked.start_byte, ";")

    def _is_read_on(self, modifier: Node) -> bool:
        following = modifier.next_sibling
        return following is not None and self._tree.bytes[following.start_byte : following.start_byte + 1] in _READ_ON

    def _blank_this(self, parameters: Node) -> None:
        """``this`` as a parameter is a type only."""
        for child in parameters.named_children:
            pattern = child.child_by_field_name("pattern")
            if pattern is not None and pattern.type == "this":
                self._blank_listed(child)

    def _blank_listed(self, node: Node) -> None:
        """One of a list, with the comma behind it."""
        self._blank(node)
        if node.next_sibling is not None and node.next_sibling.type == ",":
            self._blank(node.next_sibling)

    def _join_arrow(self, node: Node) -> None:
        """Puts a parenthesis where its line may not end, if a type of several lines stands between."""
        types, result = map(node.child_by_field_name, ("type_parameters", "return_type"))
        parameters = node.child_by_field_name("parameters")
        if types is not None and parameters is not None and types.start_point[0] != parameters.start_point[0]:
            self._write(types.start_byte, "(")
            self._write(parameters.start_byte, " ")
        if result is not None and parameters is not None and parameters.end_point[0] != result.end_point[0]:
            self._write(result.end_byte - 1, ")")
            self._write(parameters.end_byte - 1, " ")

    # modules

    def _look_at_module(self, node: Node) -> list[Node]:
        declaration = node.child_by_field_name("declaration")
        if (declaration is not None and declaration.type in DECLARATIONS) or _has(node, "type", "namespace"):
            self._blank_whole(node)
            if declaration is not None:
                self._blank_whole(declaration)
                self._written.pop()
            return []
        if node.type == "import_statement":
            self._imports.append(node)
            return []
        clauses = [child for child in node.children if child.type == "export_clause"]
        for clause in clauses:
            self._blank_specifiers(clause, frozenset())
        if node.child_by_field_name("source") is not None:
            return []
        self._exports += clauses
        return node.children

    def _blank_import(self, statement: Node) -> None:
        """Blanks the names that no value is read from; the whole statement, if it is left without one."""
        clause = next((child for child in statement.children if child.type == "import_clause"), None)
        if clause is None:
            return
        names = set(_list_imported(self._tree, clause))
        unused = names - self._used
        if not names - unused:
            self._blank_whole(statement)
            return
        for child in clause.named_children:
            if child.type == "named_imports":
                self._blank_specifiers(child, unused)
            elif self._tree.text(child.named_children[0] if child.named_children else child) in unused:
                self._blank_listed(child)
                if child.prev_sibling is not None:
                    self._blank(child.prev_sibling)

    def _blank_specifiers(self, clause: Node, names: Collection[str]) -> None:
        for specifier in clause.named_children:
            if _has(specifier, "type") or _name(self._tree, specifier) in names:
                self._blank_listed(specifier)


def _has(node: Node, *words: str) -> bool:
    """Whether one of these words or signs is a child of a node."""
    return any(child.type in words for child in node.children)


def _list_imported(tree: Tree, clause: Node) -> Iterator[str]:
    """The names that a clause of an import declares, those of types left out."""
    for child in clause.named_children:
        if child.type == "named_imports":
            yield from (_name(tree, n) for n in child.named_children if not _has(n, "type"))
        else:
            yield tree.text(child.named_children[0] if child.named_children else child)


def _name(tree: Tree, specifier: Node) -> str:
    """The name by which this file knows what it imports or exports."""
    fields = ("alias", "name") if specifier.type == "import_specifier" else ("name",)
    name = next(filter(None, map(specifier.child_by_field_name, fields)), None)
    return "" if name is None else tree.text(name)
