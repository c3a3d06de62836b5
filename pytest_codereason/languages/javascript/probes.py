"""Writes calls of the witness into a JavaScript file.

Nothing is written over and no line end is added before the end of a file, so every statement keeps its line::

    const f = (n) => g(n);
    const f = (n) => {const codereason$p=codereason$enter(2);try{return(g(n))}finally{codereason$now=codereason$p}};
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text import edits
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.grammar import FUNCTION_DECLARATIONS, NAMED_VALUES, STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import (
    CLASSES,
    COMMENTS,
    FUNCTIONS,
    list_children,
    list_declared,
    list_directives,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: What calls nothing when it is worked out.
_IDLE = NAMED_VALUES | {"identifier", "undefined", "number", "string", "true", "false", "null", "this", "regex"}


class Owner(NamedTuple):
    """The function or file whose body is written into."""

    number: int
    root: int  #: the id of its node
    waits: bool  #: whether it is a generator, asynchronous, or a module
    generates: bool = False
    is_async: bool = False


class Probed(NamedTuple):
    """A file with calls of the witness."""

    text: str
    applied: Applied  #: what says where the old text is now
    places: list[int]  #: the lines that are counted, by the number of the place, less that of the first


def write_probes(
    tree: Tree, numbers: Mapping[int, int], prefix: str, *, module: bool, first_place: int | None = None
) -> Probed:
    """A file with calls of the witness in it.

    Args:
        tree: The file.
        numbers: The number of each body, by the id of its node; 0 for text that is no file.
        prefix: What the names of the witness begin with.
        module: Whether the file is an ES module.
        first_place: The number of the first place where lines are counted; ``None`` if they are not.
    """
    writer = ProbeWriter(tree, numbers, prefix, module=module, first_place=first_place)
    writer.write()
    applied = edits.apply(tree.source, writer.list_edits())
    return Probed(applied.text, applied, writer.places)


class ProbeWriter:
    """Collects the edits of one file."""

    def __init__(
        self, tree: Tree, numbers: Mapping[int, int], prefix: str, *, module: bool, first_place: int | None
    ) -> None:
        self.tree = tree
        self.numbers = numbers
        self.prefix = prefix
        self.module = module
        self.first_place = first_place
        self.places: list[int] = []
        self.lines: set[tuple[int, int]] = set()  #: lines that are counted, with the node of their function
        #: edits under what orders them: the offset; what ends there before what begins; the inner end first
        self.edits: list[tuple[int, bool, int, int, edits.Edit]] = []
        self.step = 0
        self.ends: dict[int, int] = {}  #: by the ids of nodes

    def list_edits(self) -> list[edits.Edit]:
        """The edits, from the beginning of the file to its end."""
        return [edit for *_, edit in sorted(self.edits, key=lambda entry: entry[:4])]

    def open(self, at: int, text: str) -> None:
        """Writes before what begins at an offset."""
        self.edits.append((at, True, self.step, len(self.edits), edits.Insert(at, text)))

    def close(self, at: int, text: str) -> None:
        """Writes behind what ends at an offset."""
        self.edits.append((at, False, -self.step, len(self.edits), edits.Insert(at, text)))

    def surround(self, node: Node, before: str, after: str) -> None:
        """Writes before and behind a node."""
        self.open(self.tree.at(node.start_byte), before)
        self.close(self.end(node), after)

    def end(self, node: Node) -> int:
        """Where a node ends. The parser counts a comment behind it as a part of it."""
        path = [node.id]
        while node.id not in self.ends and (last := _find_last(node)) is not None:
            node = last
            path.append(node.id)
        end = self.ends.get(node.id, self.tree.at(node.end_byte))
        self.ends.update(dict.fromkeys(path, end))
        return end

    def write(self) -> None:
        """Goes through the file. A stack stands in for recursion, because trees may be deep."""
        root = self.tree.root
        owner = Owner(self.numbers[root.id], root.id, waits=self.module, is_async=self.module)
        self.write_file(root)
        waiting = [(child, root, owner) for child in reversed(root.children)]
        while waiting:
            node, parent, owner = waiting.pop()
            self.step += 1
            if node.type in FUNCTIONS:
                inside = self.write_function(node)
                key = node.child_by_field_name("name")
                children = [(child, node, owner if child == key else inside) for child in node.children]
            else:
                self.count_line(node, parent, owner)
                self.write_node(node, owner)
                children = [(child, node, owner) for child in node.children]
            waiting += reversed(children)

    # what begins and ends a body

    def write_file(self, root: Node) -> None:
        """Says that the code of the file runs."""
        p, number = self.prefix, self.numbers[root.id]
        if not number:
            return
        if self.module:
            self.write_beginning(root, f"const {p}p={p}begin({number});")
            self.close(len(self.tree.source), f"\n;{p}end({p}p);")
        else:
            self.write_beginning(root, f"{p}file({number});")

    def write_beginning(self, body: Node, text: str) -> int:
        """Writes behind the directives of a file or function, and gives back where."""
        directives = list_directives(body)
        statements = [n for n in list_children(body) if n.type != "hash_bang_line"][len(directives) :]
        if statements:
            at = self.tree.at(statements[0].start_byte)
        elif directives:
            at, text = self.end(directives[-1]), f";{text}"
        elif body.type == "statement_block":
            at = self.tree.at(body.start_byte) + 1
        else:
            at = len(self.tree.source)
        self.open(at, text)
        return at

    def write_function(self, node: Node) -> Owner:
        """Says when the body of a function runs."""
        p, number = self.prefix, self.numbers[node.id]
        marks = {child.type for child in node.children}
        generates = "*" in marks or node.type.startswith("generator")
        is_async = "async" in marks
        waits = generates or is_async
        owner = Owner(number, node.id, waits, generates, is_async)
        body = node.child_by_field_name("body")
        if body is None:
            return owner
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            self.write_defaults(parameters, f"{p}{'aside' if generates else 'within'}({number},()=>(")
        beginning = f"const {p}p={p}{'begin' if waits else 'enter'}({number});"
        self.write_body(body, owner, beginning, f"finally{{{p}end({p}p)}}" if waits else f"finally{{{p}now={p}p}}")
        return owner

    def write_body(self, body: Node, owner: Owner, beginning: str, ending: str) -> None:
        """Puts the body of a function into a ``try``, between what stands before and behind that."""
        if body.type == "statement_block":
            at = self.write_beginning(body, f"{beginning}try{{")
            self.hoist_functions(body, at)
            end = self.end(body) - 1
            (self.open if end == at else self.close)(end, f"}}{ending}")
        else:
            counted = self.count_text(body, owner)
            self.surround(body, f"{{{beginning}try{{{counted}return(", f")}}{ending}}}")

    def write_defaults(self, node: Node, before: str) -> None:
        """Says that defaults of parameters are worked out by the function."""
        waiting = list_children(node)
        while waiting:
            part = waiting.pop()
            if part.type in ("assignment_pattern", "object_assignment_pattern"):
                value = part.child_by_field_name("right")
                self.write_part(value, before)
                waiting += [child for child in list_children(part) if child != value]
            elif part.type == "computed_property_name":
                for key in list_children(part):
                    self.write_part(key, before)
            else:
                waiting += list_children(part)

    def write_part(self, value: Node | None, before: str) -> None:
        """Says that a value is worked out by another body than that around it."""
        inner = value
        while inner is not None and inner.type == "parenthesized_expression":
            inner = list_children(inner)[0]
        if value is not None and inner is not None and inner.type not in _IDLE:
            self.surround(value, before, "))")

    def hoist_functions(self, body: Node, at: int) -> None:
        """Makes variables of functions that a block cannot declare: two of one name, or one named like a variable.

        The body of a function stands in a block now. There ``var x; function x() {}`` is no program any more.
        """
        declared = [n for n in list_children(body) if n.type in FUNCTION_DECLARATIONS]
        if not declared:
            return
        names = {n.id: self.tree.text(name) for n in declared if (name := n.child_by_field_name("name"))}
        counts = Counter(names.values()) + Counter(self.list_variables(body))
        for node in declared:
            name = node.child_by_field_name("name")
            if name is None or counts[names[node.id]] == 1:
                continue
            span = Span(self.tree.at(node.start_byte), self.end(node))
            order = (at, True, self.step)
            self.edits.append((*order, len(self.edits), edits.Insert(at, f"var {names[node.id]}=")))
            if span.start != at:
                self.edits.append((*order, len(self.edits), edits.Move(span, at)))
                self.edits.append((*order, len(self.edits), edits.Insert(at, ";")))
            else:
                self.close(span.end, ";")
            gone = self.tree.span(name)
            self.edits.append((gone.start, True, self.step, len(self.edits), edits.Replace(gone, "")))

    def list_variables(self, body: Node) -> set[str]:
        """The names that ``var`` declares in a function."""
        names: set[str] = set()
        waiting = [body]
        while waiting:
            node = waiting.pop()
            if node.type == "variable_declaration":
                names.update(list_declared(self.tree, node))
            elif node.type == "for_in_statement" and (left := node.child_by_field_name("left")) is not None:
                kind = node.child_by_field_name("kind")
                if kind is not None and kind.type == "var":
                    names.update(list_declared(self.tree, left))
            waiting += [n for n in node.named_children if n.type not in FUNCTIONS]
        return names

    # what waits, and what goes on

    def write_node(self, node: Node, owner: Owner) -> None:
        """Writes at a node that is no function."""
        if node.type in CLASSES:
            self.write_fields(node)
        if owner.waits:
            self.write_waiting(node, owner)

    def write_fields(self, node: Node) -> None:
        """Says that the constructor works out the fields of an object, where one is written."""
        body = node.child_by_field_name("body")
        members = list_children(body) if body is not None else []
        constructor = next((n for n in members if is_constructor(n)), None)
        if constructor is None:
            return
        derived = any(child.type == "class_heritage" for child in node.children)  # its constructor runs already
        for field in members:
            if field.type == "field_definition" and all(child.type != "static" for child in field.children):
                call = f"{self.prefix}{'aside' if derived else 'within'}({self.numbers[constructor.id]},()=>("
                self.write_part(field.child_by_field_name("value"), call)

    def write_waiting(self, node: Node, owner: Owner) -> None:
        """Says where a generator or an asynchronous body waits, and where it goes on."""
        p = self.prefix
        operand = next(iter(list_children(node)), None)
        if (node.type == "yield_expression" and owner.generates) or (
            node.type == "await_expression" and owner.is_async
        ):
            self.open(self.tree.at(node.start_byte), f"{p}resume({p}p,")
            if operand is None:
                self.close(self.end(node), f" {p}pause({p}p))")
            elif any(child.type == "*" for child in node.children):
                self.surround(operand, f" {p}lend({p}p,", "))")
            else:
                self.surround(operand, f" {p}pause({p}p,", "))")
        elif node.type == "return_statement" and owner.generates and owner.is_async and operand is not None:
            self.surround(operand, f"{p}pause({p}p,(", "))")
        elif node.type in ("catch_clause", "finally_clause"):
            body = node.child_by_field_name("body")
            if body is not None:
                self.open(self.tree.at(body.start_byte) + 1, f"{p}again({p}p);")
        elif node.type == "for_in_statement":
            self.write_loop(node)

    def write_loop(self, node: Node) -> None:
        """Says that a loop over values goes on in its body, and where values are waited for, behind it."""
        p = self.prefix
        body = node.child_by_field_name("body")
        operator = node.child_by_field_name("operator")
        right = node.child_by_field_name("right")
        if body is None or right is None or operator is None or operator.type != "of":
            return
        awaits = any(child.type == "await" for child in node.children)
        at = self.tree.at(body.start_byte)
        if awaits:
            self.open(at, f"{{{p}again({p}p);")
            self.move_pattern(node, at)
            self.open(at, "try{")
        else:
            self.open(at, "{try{")
        self.close(self.end(body), f"}}finally{{{p}again({p}p)}}}}")
        if awaits:
            self.surround(right, f"{p}lend({p}p,(", "))")
            outermost = node
            while outermost.parent is not None and outermost.parent.type == "labeled_statement":
                outermost = outermost.parent
            self.surround(outermost, "try{", f"}}finally{{{p}again({p}p)}}")

    def move_pattern(self, node: Node, at: int) -> None:
        """Takes a value apart in the body of its loop, where the loop goes on, instead of in the head."""
        left, kind = node.child_by_field_name("left"), node.child_by_field_name("kind")
        if left is None or left.type == "identifier":
            return
        span, value = self.tree.span(left), f"{self.prefix}v"
        self.open(span.start, value if kind is not None else f"const {value}")
        if kind is not None:
            self.edits.append(
                (self.tree.at(kind.start_byte), True, self.step, 0, edits.Replace(self.tree.span(kind), "const"))
            )
        self.open(at, f"{self.tree.text(kind)} " if kind is not None else "(")
        self.edits.append((at, True, self.step, len(self.edits), edits.Move(span, at)))
        self.open(at, f"={value};" if kind is not None else f"={value});")

    # lines

    def count_line(self, node: Node, parent: Node, owner: Owner) -> None:
        """Counts the line of a statement, if it is the first of its function on that line."""
        if self.first_place is None or node.type not in STRUCTURE.statements:
            return
        if node.type in FUNCTION_DECLARATIONS or node.type in ("statement_block", "empty_statement"):
            return
        if parent.type in STRUCTURE.sequences and not self.is_directive(node, parent):
            self.open(self.tree.at(node.start_byte), self.count_text(node, owner))
        elif _is_held(node, parent) and (text := self.count_text(node, owner)):
            self.surround(node, f"{{{text}", "}")

    def is_directive(self, node: Node, parent: Node) -> bool:
        """Whether a statement is a directive of the file or function around it."""
        around = parent.parent
        whole = parent.type == "program" or (around is not None and around.type in FUNCTIONS)
        return whole and node in list_directives(parent)

    def count_text(self, node: Node, owner: Owner) -> str:
        """The call that counts the line of a node, empty if its function counts that line already."""
        line = node.start_point[0] + 1
        if self.first_place is None or (owner.root, line) in self.lines:
            return ""
        self.lines.add((owner.root, line))
        self.places.append(line)
        return f"{self.prefix}line({self.first_place + len(self.places) - 1});"


def is_constructor(member: Node) -> bool:
    """Whether a member of a class is its constructor."""
    name = member.child_by_field_name("name")
    static = any(child.type == "static" for child in member.children)
    return member.type == "method_definition" and not static and name is not None and name.text == b"constructor"


def _find_last(node: Node) -> Node | None:
    """The last child of a node that is no comment."""
    return next((child for child in reversed(node.children) if child.type not in COMMENTS), None)


def _is_held(node: Node, parent: Node) -> bool:
    """Whether a statement is what a condition or a loop holds, which needs no braces."""
    if parent.type == "labeled_statement":
        return False
    return parent.type == "else_clause" or node in map(parent.child_by_field_name, ("body", "consequence"))
