"""A language as tables: what its nodes are called. The engine beside this file reads them, the same for all languages.

A table is frozen data, so the table of a language derives from that of another by ``dataclasses.replace``. What no
table can say of a language is a method of its :class:`~pytest_codereason.languages.frame.hooks.Hooks`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.core.language.structure import Place

#: Types of nodes.
Kinds = frozenset[str]
_NONE: Kinds = frozenset()


def split_kinds(text: str) -> Kinds:
    """The types that a text names."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Statements, functions and blocks."""

    statements: Mapping[str, str]  #: the kind of each statement, by its node
    #: The kind by a node within, for statements that are told apart by it.
    refined: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sequences: Kinds  #: what holds a list of statements; of a ``case``, what follows the colon
    braced: Kinds  #: those of them in braces
    listed: Kinds  #: statements only where they stand in a sequence: blocks
    #: What holds one statement without braces, and the fields that do; without fields, any of them does.
    bodies: Mapping[str, tuple[str, ...]]
    deepening: Kinds  #: statements whose inside is one block deeper
    chained: Kinds = _NONE  #: parents in which such a statement is no deeper: ``else if``
    comments: Kinds = frozenset({"comment"})
    headers: Kinds = _NONE  #: nodes in a sequence that are none of its statements
    closed: Kinds = _NONE  #: nodes in which nothing is looked at: annotations, patterns, types
    wrapping: Kinds = _NONE  #: what stands around a definition and belongs to it: decorators
    functions: Kinds
    methods: Kinds
    needs_body: bool = False  #: whether a function without a body is none
    opens_behind: bool = False  #: whether what stands before the body of a function belongs to what is around it
    holders: Mapping[str, str] = field(default_factory=dict)  #: classes and the like, and the field of their name
    resetting: Kinds = _NONE  #: bodies of classes whose code belongs to no function around
    given: Mapping[str, str] = field(default_factory=dict)  #: what gives its value a name, and the field of the name
    nameable: Kinds = _NONE  #: values that take such a name
    names: Kinds  #: leaves that are a name in a list of parameters or a pattern
    #: The fields of a node that hold such names; what has no fields holds none.
    binding: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def framing(self) -> Kinds:
        """Nodes that change what stands around the nodes within, or that the outline lists."""
        parts = (self.statements, self.sequences, self.functions, self.holders, self.resetting, self.nameable)
        return frozenset().union(*parts)

    def list_children(self, node: Node) -> list[Node]:
        """The named children of a node, without comments."""
        return [child for child in node.named_children if child.type not in self.comments]

    def is_statement(self, kind: str, node: Node, parent: Node | None) -> bool:
        """Whether a node of this type is a statement of its own: no part of a header, and no body in braces."""
        if parent is None or kind not in self.statements:
            return False
        if parent.type in self.sequences:
            return True
        if kind in self.listed or (fields := self.bodies.get(parent.type)) is None:
            return False
        return not fields or any(node in parent.children_by_field_name(name) for name in fields)

    def list_statements(self, sequence: Node) -> list[Node]:
        """The statements of a sequence."""
        return [child for child in sequence.named_children if self.is_statement(child.type, child, sequence)]

    def name_kind(self, kind: str, node: Node) -> str:
        """The kind of a statement."""
        if refined := self.refined.get(kind):
            return next((refined[c.type] for c in node.named_children if c.type in refined), self.statements[kind])
        return self.statements[kind]


#: What may stand behind a statement on its line: a comment.
_TRAILING = re.compile(r"[ \t]*(?://[^\r\n\u2028\u2029]*|/\*[^*\r\n]*\*/[ \t]*)?(?=[\r\n\u2028\u2029]|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePlaces:
    """Sites and insertions: what a perturbation may change, and where it may put something."""

    conditions: Mapping[str, str]  #: what a condition decides, by the node that holds it in a field ``condition``
    parentheses: str = "parenthesized_expression"
    plain: Kinds = _NONE  #: nodes whose condition has parentheses of its own
    sees_within: bool = False  #: whether a condition in parentheses has the form of what they hold
    constants: Kinds  #: boolean literals
    comparisons: frozenset[str]  #: operators; empty if the nodes below have no others
    compared: Kinds = frozenset({"binary_expression"})  #: nodes of which one with such an operator is a comparison
    loops: Mapping[str, str]
    returns: Kinds = frozenset({"return_statement"})
    assignments: Mapping[str, str]  #: the operator of each; empty if it is read from the text
    initialised: Kinds = _NONE  #: assignments only with a field ``value``
    literals: Mapping[str, str]  #: the form of each; empty for a number
    labels: tuple[str, ...] = ()  #: fields in which a literal is no value
    fixed: Kinds = _NONE  #: parents in which a literal is no value
    calls: Mapping[str, tuple[str, ...]]  #: the fields that lead from a call to the name of what it calls
    operations: frozenset[str]  #: names of operations on collections
    leaving: Kinds  #: statements behind which nothing is reached
    reviving: Kinds = _NONE  #: statements that are reached from elsewhere: labels of ``goto``
    first: Kinds = _NONE  #: statements of a file before which nothing stands
    members: Mapping[str, Place]  #: bodies that hold definitions: of classes, in some languages of a file
    top: tuple[Place, ...] = ("top",)  #: what a place between the statements of a file is
    held: Mapping[str, Place] = field(default_factory=dict)  #: what places are in a body of such a node
    hoisted: bool = True  #: whether a function is known also where its declaration is not reached
    indented: bool = False  #: whether the indentation of a line has a meaning
    strict: bool = False  #: whether the compiler refuses what is not reached
    above: bool = False  #: whether what is put before a definition stands above its comments
    trailing: re.Pattern[str] = _TRAILING  #: what may stand behind a statement up to the end of its line


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """The small places that a fault changes: operators, indices, bounds, arguments, defaults, reads."""

    operations: Kinds  #: nodes with an operator
    comparisons: Kinds = _NONE  #: operations with several operators in a row: ``a < b < c``
    variable: str = "identifier"
    comments: Kinds = frozenset({"comment"})
    subscripts: Mapping[str, str]  #: ``a[i]``: the node, and the field of the index; empty for the second child
    slices: Kinds = _NONE  #: ``a:b`` between brackets
    #: Texts that take ``$a[$i]`` without braces around it, where the index can be no operation.
    texts: Kinds = _NONE
    #: ``for (i = 0; i < n; i++)``: the node, and the field of its beginning
    counting_loops: Mapping[str, str] = field(default_factory=dict)
    iterating_loops: Kinds = _NONE  #: ``for left in right``
    calls: Kinds
    #: What the arguments of well-known functions are, a word for each: ``index``, ``start``, ``end``, ``default``, or
    #: ``-``. There is one text for each number of arguments: ``{"range": ("end", "start end")}``.
    roles: Mapping[str, tuple[str, ...]]
    quantifiers: Kinds = _NONE  #: functions that join many truth values: ``any``
    wrapped: bool = False  #: whether there is a node around each argument
    unlike: Kinds  #: arguments that have a name, or may be several
    defaults: Mapping[str, str] = field(default_factory=dict)  #: parameters with a default, and its field
    fallbacks: Kinds = _NONE  #: operators whose right side is used where the left side has no value
    literals: Mapping[str, str]  #: the form of each literal; empty for a number
    #: Where a variable is read: the node around it, and the fields; without fields, anywhere in the node.
    reads: Mapping[str, tuple[str, ...]]
    declarations: Kinds = _NONE  #: nodes that give a type to a name
    closed: Kinds = _NONE  #: nodes in which a fault changes nothing
    untyped: Kinds = _NONE  #: types that say nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All that the engine knows of the nodes of a language."""

    structure: Structure
    places: CodePlaces
    details: Details
