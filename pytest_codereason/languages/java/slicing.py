"""Cuts a part out of a class of Java: a static method or a nested class, with the members that it needs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.syntax.escapes import parse_program
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

#: Most lines of a slice, without comments and blank lines.
MOST_LINES = 300
#: The count of arguments of a method that is named but not called: ``Item::weigh``.
_ANY = -1
#: What is between the names of a part.
_AND = ", "
#: Members that are static without the word.
_STATIC = CLASSES - {"class_declaration"} | {"static_initializer"}
_PARENTS = frozenset({"superclass", "super_interfaces", "extends_interfaces", "permits"})
_CALLS = frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"})
_NAMES = frozenset({"identifier", "type_identifier"})


class Mention(NamedTuple):
    """A name that a member uses."""

    name: str
    given: int | None = None  #: how many arguments, for a method or a constructor
    foreign: bool = False  #: whether it is called on an object, which may be one of the class


class ClassMember(NamedTuple):
    """A member of a class."""

    text: str  #: with the comment above, if there is one
    names: frozenset[str]
    uses: frozenset[Mention]
    counts: range | None  #: of the arguments that a method or constructor takes; None for all else
    static: bool
    open: bool  #: whether it can be named outside its class
    functions: int  #: how many it declares, itself among them
    lines: int  #: without comments and blank lines
    abstract: bool

    def answers(self, use: Mention) -> bool:
        """Whether a use of one of its names may mean this member."""
        if self.counts is None or use.given is None:
            return self.counts is None
        if use.foreign and self.static:
            return False
        return use.given == _ANY or use.given in self.counts


class ClassText(NamedTuple):
    """The class that a file is named after."""

    name: str
    before: str  #: the line of the package
    imports: Sequence[str]
    head: str  #: from its modifiers to its brace
    alone: str  #: the same without what it extends and implements
    members: Sequence[ClassMember]

    def close(self, names: Iterable[str]) -> frozenset[int]:
        """The numbers of the members of these names, and of those that they need."""
        by_name = self._by_name
        waiting = [i for name in names for i in by_name[name] if _is_root(self.members[i])]
        waiting += [i for i, member in enumerate(self.members) if member.abstract]
        kept = set[int]()
        while waiting:
            i = waiting.pop()
            if i in kept:
                continue
            kept.add(i)
            member = self.members[i]
            for use in member.uses:
                waiting += (j for j in by_name.get(use.name, ()) if self.members[j].answers(use))
            if member.counts is None:  # the code that a class runs when it is loaded belongs to the fields that it sets
                blocks = (j for j in by_name.get("", ()) if any(u.name in member.names for u in self.members[j].uses))
                waiting += blocks
        return frozenset(kept)

    @property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the members of each name; of initialisers by an empty name."""
        by_name: dict[str, list[int]] = {}
        for i, member in enumerate(self.members):
            for name in member.names or ("",):
                by_name.setdefault(name, []).append(i)
        return by_name


def list_parts(path: str, text: str) -> list[str]:
    """What slices are cut around: names of static methods and nested classes of the class that a file is named after.

    Names that need the same members are in one slice, as long as it has at most :data:`MOST_LINES` lines. A slice has
    at least two functions.

    Raises:
        DoesNotParse: The text is no Java.
    """
    one = _read_class(path, text)
    if one is None:
        return []
    groups: list[tuple[list[str], frozenset[int]]] = []
    for name in dict.fromkeys(name for member in one.members if _is_root(member) for name in sorted(member.names)):
        members = one.close([name])
        if _count_lines(one, members) > MOST_LINES:
            continue
        for number, (names, others) in enumerate(groups):
            if members & others and _count_lines(one, members | others) <= MOST_LINES:
                groups[number] = [*names, name], members | others
                break
        else:
            groups.append(([name], members))
    return [
        _AND.join(names)
        for names, members in groups
        if sum(one.members[i].functions for i in members) > 1 and len(members) < len(one.members)
    ]


def _count_lines(one: ClassText, members: frozenset[int]) -> int:
    return sum(one.members[i].lines for i in members)


def cut_class(path: str, text: str, part: str) -> str:
    """The file with a part of its class, and with the imports that this part names."""
    one = _read_class(path, text)
    assert one is not None
    members = [one.members[i] for i in sorted(one.close(part.split(_AND)))]
    head = one.alone if all(member.static for member in members) else one.head
    words = set(re.findall(r"\w+", head + "".join(member.text for member in members)))
    imports = "".join(f"{line}\n" for line in one.imports if (last := _read_last(line)) == "*" or last in words)
    body = "\n\n".join(member.text for member in members)
    return "\n".join(block for block in (one.before, imports, f"{head}\n{body}\n}}\n") if block)


@lru_cache(maxsize=8)
def _read_class(path: str, text: str) -> ClassText | None:
    """The class that a file is named after; None if there is none."""
    tree = parse_program(text)
    name = posixpath.basename(path).removesuffix(".java")
    for node in tree.root.named_children:
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if node.type not in CLASSES or named is None or body is None or tree.text(named) != name:
            continue
        if node.type not in ("class_declaration", "interface_declaration"):
            return None
        at = tree.span
        packages = [tree.text(n) + "\n" for n in tree.root.named_children if n.type == "package_declaration"]
        imports = [tree.text(n) for n in tree.root.named_children if n.type == "import_declaration"]
        parents = [child for child in node.named_children if child.type in _PARENTS]
        alone = text[at(node).start : at(parents[0] if parents else body).start].rstrip() + " {"
        head = text[at(node).start : at(body).start + 1]
        members = tuple(_list_members(tree, body, name))
        return ClassText(name, "".join(packages), imports, head, alone, members)
    return None


def _list_members(tree: Tree, body: Node, around: str) -> Iterator[ClassMember]:
    comment: Node | None = None
    for node in body.named_children:
        if node.type in STRUCTURE.comments:
            comment = node
            continue
        start = tree.line_start(tree.span(node).start)
        if comment is not None and comment.type == "block_comment":
            start = tree.line_start(tree.span(comment).start)
        comment = None
        yield _read_member(tree, node, tree.source[start : tree.span(node).end].rstrip("\n"), around, body.type)


def _read_member(tree: Tree, node: Node, text: str, around: str, place: str) -> ClassMember:
    words = next((tree.text(child).split() for child in node.children if child.type == "modifiers"), [])
    named = node.child_by_field_name("name")
    names = [tree.text(named)] if named is not None else []
    names += [tree.text(n) for d in node.children_by_field_name("declarator") if (n := d.child_by_field_name("name"))]
    static = "static" in words or node.type in _STATIC or (place == "interface_body" and node.type not in METHODS)
    counts = None
    if node.type in METHODS and (parameters := node.child_by_field_name("parameters")) is not None:
        kinds = [child.type for child in parameters.named_children]
        least = kinds.count("formal_parameter")
        counts = range(least, 256) if "spread_parameter" in kinds else range(least, least + 1)
    abstract = node.type == "method_declaration" and node.child_by_field_name("body") is None and "native" not in words
    inner = [*walk(node)]
    uses = frozenset(_list_uses(tree, inner, around))
    functions = sum(one.type in METHODS or one.type == "lambda_expression" for one in inner)
    lines = len({line for leaf in inner if not leaf.children for line in _list_lines(leaf)})
    return ClassMember(text, frozenset(names), uses, counts, static, "private" not in words, functions, lines, abstract)


def _list_lines(leaf: Node) -> range:
    """The lines of a leaf of a tree; none of a comment."""
    return range(0) if leaf.type in STRUCTURE.comments else range(leaf.start_point[0], leaf.end_point[0] + 1)


def _list_uses(tree: Tree, nodes: Sequence[Node], around: str) -> Iterator[Mention]:
    """The names of members that a member may use."""
    for node in nodes:
        if node.type in _CALLS:
            given = node.child_by_field_name("arguments")
            count = (
                len([one for one in given.named_children if one.type not in STRUCTURE.comments])
                if given is not None
                else 0
            )
            named = node.child_by_field_name("name") or node.child_by_field_name("type")
            name = tree.text(named).partition("<")[0] if named is not None else around
            holder = node.child_by_field_name("object")
            yield Mention(name, count, holder is not None and tree.text(holder) not in (around, "this"))
        elif node.type == "method_reference":
            yield Mention(tree.text(node.named_children[-1]), _ANY)
        elif node.type in _NAMES and not _names_call(node) and tree.text(node) != around:
            yield Mention(tree.text(node))


def _names_call(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "method_invocation" and parent.child_by_field_name("name") == node


def _is_root(member: ClassMember) -> bool:
    return member.static and member.open and bool(member.names) and member.functions > 0


def _read_last(line: str) -> str:
    """The name that an import makes known, ``*`` for all of a package."""
    return line.rstrip("; \n").rpartition(".")[2].strip()
