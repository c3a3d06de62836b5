"""Finds the names of a Java program and their uses.

A variable, a type, a method and a label may have the same name. So each kind has keys of its own in the scopes: ``x``,
``<T>``, ``f()`` and ``loop:``. A variable is declared before its uses, so each use is resolved at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding, BindingKind, Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName, resolve_bindings
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.syntax.declarations import Class, Declarations
from pytest_codereason.languages.java.syntax.fields import StaticFields
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS
from pytest_codereason.languages.java.syntax.methods import Methods

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = frozenset(
    {"block", "constructor_body", "for_statement", "lambda_expression", "switch_block", "switch_rule", "catch_clause"}
    | {"static_initializer", "field_declaration", "constant_declaration", "enum_constant", "labeled_statement"}
)
#: Where an identifier is no variable, by the type of its parent and the field it stands in.
_NEVER = frozenset({"scoped_identifier", "package_declaration", "import_declaration", "marker_annotation"})
#: The field in which a node of a type holds a name that is no variable.
_MEMBER = {
    **dict.fromkeys((*CLASSES, *METHODS, "annotation", "method_invocation", "enum_constant"), "name"),
    **dict.fromkeys(("formal_parameter", "catch_formal_parameter", "resource", "variable_declarator"), "name"),
    "annotation_type_element_declaration": "name",
    "instanceof_expression": "name",
    "lambda_expression": "parameters",
    "field_access": "field",
    "element_value_pair": "key",
}
_DECLARED = frozenset({"inferred_parameters", "receiver_parameter", "type_pattern", "record_pattern_component"})

#: Nodes, each with the scope it stands in.
Placed = list[tuple["Node", Scope]]


class JavaResolver:
    """Walks a source once and puts every name into its scope."""

    def __init__(
        self, tree: Tree, declared: Declarations, methods: Methods, fields: StaticFields, names: dict[int, str]
    ) -> None:
        self.tree = tree
        self.declared = declared
        self.methods = methods
        self.fields = fields
        self.qualified = names  #: of methods, by the ids of their nodes
        self.root = Scope("")
        self.class_of: dict[Scope, Class] = {}
        self.functions: set[Scope] = {self.root}  #: where variables of patterns are declared
        self.records: set[Scope] = set()
        self.canonical: set[Scope] = set()  #: constructors of records

    def run(self) -> tuple[Binding, ...]:
        """Every binding, in the order of the source."""
        stack: list[tuple[Node, Scope]] = [(self.tree.root, self.root)]
        kinds = self.tree.kinds
        while stack:
            node, scope = stack.pop()
            kind = kinds[node.kind_id]
            if kind == "identifier":
                self._visit_identifier(node, scope)
            elif kind == "type_identifier":
                self._visit_type(node, scope)
            elif node.named_child_count:
                stack.extend(reversed(self._enter(kind, node, scope)))
        self.methods.file(self.root)
        self.fields.file(self.root)
        return resolve_bindings(self.root)[0]

    def _use(self, node: Node) -> Use:
        return Use(self.tree.span(node), "{}", False)

    def _enter(self, kind: str, node: Node, scope: Scope) -> Placed:
        """Declares the names of a node. Returns its children, each with its scope."""
        if special := _SPECIAL.get(kind):
            return special(self, node, scope)
        if node.id in self.declared.classes:
            scope = scope.open()
            self.class_of[scope] = self.declared.classes[node.id]
            self.fields.declare(self.class_of[scope], scope)
        elif kind in _SCOPES:
            member = scope in self.class_of
            scope = scope.open()
            if member or kind == "lambda_expression":
                self.functions.add(scope)
        if declare := _DECLARING.get(kind):
            declare(self, node, scope)
        elif kind in ("method_invocation", "method_reference"):
            self.methods.call(node, self._list_classes(scope))
        elif kind == "field_access":
            self.fields.access(node, self._list_classes(scope))
        return [(child, scope) for child in node.named_children]

    def _visit_resources(self, node: Node, scope: Scope) -> Placed:
        """Declares resources in the block of their ``try``. ``catch`` does not see them."""
        inner = scope.open()
        within = ("resource_specification", "block")
        return [(n, inner if n.type in within else scope) for n in node.named_children]

    def _visit_qualified(self, node: Node, scope: Scope) -> Placed:
        """Handles ``Outer.Inner``, whose last part is a member of the part before."""
        return [(n, scope) for n in node.named_children[:-1]]

    def _list_classes(self, scope: Scope | None) -> list[Class]:
        """The classes around a scope, inner classes first."""
        enclosing = []
        while scope is not None:
            if scope in self.class_of:
                enclosing.append(self.class_of[scope])
            scope = scope.parent
        return enclosing

    # declarations

    def _visit_class(self, node: Node, scope: Scope) -> Placed:
        name = node.child_by_field_name("name")
        local = node.parent is not None and node.parent.type in (
            "block",
            "constructor_body",
            "switch_block_statement_group",
        )
        if local and name is not None:
            declared = self._visit_type_name(scope, name, "class")
            declared.taint(self._explain_local(node))
        inner = scope.open()
        if node.type == "record_declaration":
            self.records.add(inner)
        # The components of a record are its fields.
        return [
            (n, inner)
            for n in node.named_children
            if n != name and not (node.type == "record_declaration" and n.type == "formal_parameters")
        ] + [(kind, inner) for kind in self._list_component_types(node)]

    def _list_component_types(self, node: Node) -> list[Node]:
        components = node.child_by_field_name("parameters") if node.type == "record_declaration" else None
        return [n for c in components.named_children for n in c.named_children[:-1]] if components else []

    def _explain_local(self, node: Node) -> str:
        if node.type != "class_declaration":
            return "its name can be printed"
        cls = next((c for c in self.declared.classes.values() if c.node == node), None)
        if cls is None or cls.open or self.methods.reflective:
            return "its name can be asked for"
        return ""

    def _visit_type_name(self, scope: Scope, node: Node, kind: BindingKind) -> ScopedName:
        name = self.tree.text(node)
        return self._make_name(scope, f"<{name}>", name, kind, self._use(node))

    @staticmethod
    def _make_name(scope: Scope, key: str, name: str, kind: BindingKind, use: Use) -> ScopedName:
        declared = scope.names.setdefault(key, ScopedName(name, kind))
        declared.uses.append(use)
        return declared

    def _visit_method(self, node: Node, scope: Scope) -> Placed:
        name = node.child_by_field_name("name")
        inner = scope.open(self.qualified[node.id])
        self.functions.add(inner)
        if node.type != "method_declaration" and name is not None:
            self._visit_constructor(name, scope)
        children = [(n, inner) for n in node.named_children if n != name]
        if scope.parent in self.records and node.type == "constructor_declaration":
            self.canonical.add(inner)
        return children

    def _visit_constructor(self, name: Node, scope: Scope) -> None:
        """Adds a constructor as a use of its class's name."""
        at: Scope | None = scope
        key = f"<{self.tree.text(name)}>"
        while at is not None:
            if key in at.names:
                at.names[key].uses.append(self._use(name))
                return
            at = at.parent

    def _visit_enhanced_for(self, node: Node, scope: Scope) -> Placed:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        inner = scope.open()
        if name is not None:
            inner.declare(self.tree.text(name), "variable", self._use(name))
        # Its own name means nothing yet in what is iterated over.
        return [(n, scope if n == value else inner) for n in node.named_children if n != name]

    def _visit_parameter(self, node: Node, scope: Scope) -> None:
        role: BindingKind = "parameter" if node.type == "formal_parameter" else "variable"
        self._visit_variable(node.child_by_field_name("name"), scope, role)
        if node.type == "formal_parameter" and scope in self.canonical:
            for declared in scope.names.values():
                declared.taint("it may be a parameter of a record's canonical constructor")

    def _visit_lambda(self, node: Node, scope: Scope) -> None:
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            for name in parameters.named_children or [parameters]:
                self._visit_variable(name, scope, "parameter")

    def _matched(self, node: Node, scope: Scope) -> None:
        inner = node.child_by_field_name("name") if node.type == "instanceof_expression" else node.named_children[-1]
        self._visit_pattern(inner, scope)

    def _visit_type_parameters(self, node: Node, scope: Scope) -> None:
        """Declares all type parameters at once, because the bound of one may be a later one."""
        for parameter in node.named_children:
            for name in parameter.named_children:
                if name.type == "type_identifier":
                    self._visit_type_name(scope, name, "class")

    def _visit_labelled(self, node: Node, scope: Scope) -> None:
        label = node.named_children[0]
        name = self.tree.text(label)
        self._make_name(scope, f"{name}:", name, "label", self._use(label))

    def _visit_variable(self, name: Node | None, scope: Scope, kind: BindingKind) -> None:
        if name is not None and name.type == "identifier":
            scope.declare(self.tree.text(name), kind, self._use(name))

    def _visit_declarator(self, node: Node, scope: Scope) -> None:
        holder = node.parent.type if node.parent else ""
        if holder in ("local_variable_declaration", "spread_parameter"):
            kind: BindingKind = "parameter" if holder == "spread_parameter" else "variable"
            self._visit_variable(node.child_by_field_name("name"), scope, kind)

    def _visit_pattern(self, name: Node | None, scope: Scope) -> None:
        """Declares a pattern's variable, which is visible wherever the pattern has matched, even after its block.

        So all pattern variables of one name in a function are one binding and are renamed together.
        """
        if name is None or name.type != "identifier":
            return
        at = scope
        while at not in self.functions and at not in self.class_of and at.parent is not None:
            at = at.parent
        text = self.tree.text(name)
        declared = at.declare(text, "variable", self._use(name))
        if any(text in cls.fields | cls.inherited or cls.open for cls in self._list_classes(scope)):
            declared.taint("where the pattern does not match, a field may have its name")

    # uses

    def _visit_identifier(self, node: Node, scope: Scope) -> None:
        parent = node.parent
        if parent is None or parent.type in _NEVER or self._declares(node, parent):
            return
        text = self.tree.text(node)
        if parent.type == "record_pattern":
            self._visit_type(node, scope)
        elif parent.type in ("break_statement", "continue_statement"):
            self._visit_label(text, node, scope)
        elif parent.type == "labeled_statement" and parent.named_children[0] == node:
            return
        elif not self._is_variable_use(text, node, parent, scope):
            # `Local.method()`: what is no variable may be a type.
            self._visit_type(node, scope)

    def _declares(self, node: Node, parent: Node) -> bool:
        """Whether an identifier names a declaration or a member of another object."""
        if parent.type == "method_reference":
            return parent.named_children[0] != node
        if parent.type in _DECLARED:
            return True
        return parent.type in _MEMBER and parent.child_by_field_name(_MEMBER[parent.type]) == node

    def _visit_label(self, text: str, node: Node, scope: Scope) -> None:
        at: Scope | None = scope
        while at is not None:
            if label := at.names.get(f"{text}:"):
                label.uses.append(self._use(node))
                return
            at = at.parent

    def _is_variable_use(self, text: str, node: Node, parent: Node, scope: Scope) -> bool:
        """Adds a use of a variable. Returns whether the name is a variable."""
        hidden = ""
        at: Scope | None = scope
        while at is not None:
            if declared := at.names.get(text):
                declared.uses.append(self._use(node))
                declared.taint(hidden)
                if parent.type == "switch_label":
                    declared.taint("a case may mean a constant of its name")
                return True
            if cls := self.class_of.get(at):
                if text in cls.fields:
                    return True
                if cls.open or text in cls.inherited:
                    hidden = "a class inside may inherit a field of its name"
            at = at.parent
        return False

    def _visit_type(self, node: Node, scope: Scope) -> None:
        text = self.tree.text(node)
        hidden = ""
        at: Scope | None = scope
        while at is not None:
            if declared := at.names.get(f"<{text}>"):
                declared.uses.append(self._use(node))
                declared.taint(hidden)
                return
            if cls := self.class_of.get(at):
                if text in cls.types:
                    return
                if text in cls.inherited or (cls.open and len(text.rstrip("0123456789")) > 1):
                    # Nobody gives a nested class a single letter for a name.
                    hidden = "a class may inherit another class of its name"
            at = at.parent


_SPECIAL: dict[str, Callable[[JavaResolver, Node, Scope], Placed]] = {
    **dict.fromkeys(CLASSES, JavaResolver._visit_class),
    **dict.fromkeys(METHODS, JavaResolver._visit_method),
    **dict.fromkeys(_NEVER, lambda _walk, _node, _scope: []),
    "scoped_type_identifier": JavaResolver._visit_qualified,
    "enhanced_for_statement": JavaResolver._visit_enhanced_for,
    "try_with_resources_statement": JavaResolver._visit_resources,
}
_DECLARING: dict[str, Callable[[JavaResolver, Node, Scope], None]] = {
    **dict.fromkeys(("formal_parameter", "catch_formal_parameter", "resource"), JavaResolver._visit_parameter),
    **dict.fromkeys(("instanceof_expression", "type_pattern", "record_pattern_component"), JavaResolver._matched),
    "variable_declarator": JavaResolver._visit_declarator,
    "lambda_expression": JavaResolver._visit_lambda,
    "type_parameters": JavaResolver._visit_type_parameters,
    "labeled_statement": JavaResolver._visit_labelled,
}
