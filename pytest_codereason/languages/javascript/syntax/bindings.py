"""Finds the names that a JavaScript program declares, with their uses.

``var`` and functions belong to the function around them, other declarations to the block. Names are resolved after the
walk, so hoisting needs no extra step. A function has two scopes, its parameters and its body, as in the standard for
functions with default parameters. A ``var`` with the name of a parameter is the parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding
from pytest_codereason.languages.frame import scopes as _scopes
from pytest_codereason.languages.frame.scopes import ScopedName
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax import grammar
from pytest_codereason.languages.javascript.syntax import tree as words
from pytest_codereason.languages.javascript.syntax.scoping import Handlers, Home, JavaScriptWalk, Location

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFAULTS = frozenset({"assignment_pattern", "object_assignment_pattern"})


@dataclass(slots=True)
class JavaScriptResolver(JavaScriptWalk):
    """Finds the bindings of a program and its entry call."""

    @property
    def handlers(self) -> Handlers:
        """What is done with a node, by its type."""
        return HANDLERS

    def bindings(self, call: Tree | None) -> tuple[tuple[Binding, ...], frozenset[str]]:
        """The bindings, and the names that nothing declares."""
        root = self.tree.root
        module = any(n.type in ("import_statement", "export_statement") for n in root.named_children)
        self.exposure.module |= module
        home = Home(self.root, self.root, module or words.is_strict(root), not module)
        self.walk(root, Location(self.root, home), self.handlers)
        if call is not None:
            self.tree, self.in_call = call, True
            inner = self.root.open()
            self.walk(call.root, Location(inner, Home(inner, inner)), self.handlers)
        self.taint_hoisted()
        self.exposure.taint(self.root)
        return _scopes.resolve_bindings(self.root)

    # Names

    def identifier(self, node: Node, place: Location) -> None:
        """A name by itself."""
        name = self.text(node)
        if place.kind:
            self.declare(name, self.use(node), place)
        else:
            self.exposure.mention(self.tree, node, name, place.scope)
            place.scope.refer(name, self.use(node))

    def shorthand(self, node: Node, place: Location) -> None:
        """``{a}``, in an object or a pattern."""
        name = self.text(node)
        key = name
        if node.type == "shorthand_property_identifier_pattern":
            self.exposure.reads(name)
        elif name == "__proto__":  # with a colon behind it, it would set the prototype
            key = '["__proto__"]'
        use = self.use(node, f"{key}: {{}}")
        if place.kind:
            self.declare(name, use, place)
        else:
            self.exposure.mention(self.tree, node, name, place.scope)
            place.scope.refer(name, use)

    # Declarations

    def variables(self, node: Node, place: Location) -> None:
        """``var``, ``let``, ``const``."""
        self.children(node, place._replace(kind="variable", hoisted=node.type == "variable_declaration"))

    def declarator(self, node: Node, place: Location) -> None:
        """``a = 1`` in one of those."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        self.push(value, place.referring())
        self.push(name, place)
        self.visit_named(name, value, place)

    def assignment(self, node: Node, place: Location) -> None:
        """``f = function () {}``, which gives the function its name."""
        self.visit_named(node.child_by_field_name("left"), node.child_by_field_name("right"), place)
        self.children(node, place.referring())

    def default(self, node: Node, place: Location) -> None:
        """``a = 1`` in a pattern."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.push(right, place.referring())
        self.push(left, place)
        self.visit_named(left, right, place)

    def visit_named(self, name: Node | None, value: Node | None, place: Location) -> None:
        """Notes that a name is that of a function or class, which is written without one."""
        if value is not None and value.type in grammar.NAMED_VALUES and value.child_by_field_name("name") is None:
            self.exposure.named.append((place.scope, self.text(name), value.type == "class"))

    def pair_pattern(self, node: Node, place: Location) -> None:
        """``key: a`` in a pattern."""
        key = node.child_by_field_name("key")
        self.exposure.reads(self.text(key))
        self.push(node.child_by_field_name("value"), place)
        self.push(key, place.referring())

    def function_declaration(self, node: Node, place: Location) -> None:
        """A function declaration. In a block of sloppy code it is visible in the whole function."""
        in_block = place.scope is not place.home.body
        plain = node.type == "function_declaration" and node.children[0].type == "function"
        hoisted = not in_block or (plain and not place.home.strict)
        self._declare_own_name(node, place._replace(kind="function", hoisted=hoisted))
        self.visit_function(node, place)

    def function_expression(self, node: Node, place: Location) -> None:
        """A function expression. Only the function itself sees its name."""
        place = place.referring()._replace(scope=place.scope.open())
        self._declare_own_name(node, place._replace(kind="function", hoisted=False))
        self.visit_function(node, place)

    def _declare_own_name(self, node: Node, place: Location) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), self.use(name), place)
            self.exposure.named.append((place.scope, self.text(name), place.kind == "class"))

    def method(self, node: Node, place: Location) -> None:
        """A method, getter or setter; its name is a property."""
        self.push(node.child_by_field_name("name"), place.referring())
        self.visit_function(node, place)

    def visit_function(self, node: Node, place: Location) -> None:
        """The parameters and the body of a function."""
        owner = self.owners.get(node.id, place.scope.function)
        parameters = place.scope.open(owner)
        home = place.home
        body = node.child_by_field_name("body")
        strict = home.strict or (body is not None and body.type == "statement_block" and words.is_strict(body))
        plain_this = home.plain_this if node.type == "arrow_function" else not strict and "method" not in node.type
        home = Home(parameters.open(), parameters, strict, plain_this)
        inner = Location(home.body, home)
        if body is not None and body.type == "statement_block":
            self.children(body, inner)
        else:
            self.push(body, inner)
        parameter_node = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        self.push(parameter_node, Location(parameters, home, "parameter"))
        self.visit_types(node, Location(parameters, home))

    def visit_types(self, node: Node, place: Location) -> None:
        """What a function says besides its parameters and its body: nothing in JavaScript."""

    def class_(self, node: Node, place: Location) -> None:
        """A class. It is strict code and sees its own name."""
        place = place.referring()._replace(home=place.home._replace(strict=True))
        if node.type == "class":
            place = place.opened()
        self._declare_own_name(node, place._replace(kind="class", hoisted=False))
        name = node.child_by_field_name("name")
        self.stack.extend([(child, place) for child in reversed(node.named_children) if child != name])

    def static_block(self, node: Node, place: Location) -> None:
        """``static {}`` in a class, which is like a function for ``var``."""
        scope = place.scope.open()
        body = node.child_by_field_name("body")
        if body is not None:
            self.children(body, Location(scope, Home(scope, scope, strict=True)))

    def field_definition(self, node: Node, place: Location) -> None:
        """A field: ``this`` is the object."""
        self.children(node, place._replace(home=place.home._replace(plain_this=False)))

    # Blocks

    def block(self, node: Node, place: Location) -> None:
        """A block, or the cases of a ``switch``."""
        self.children(node, place.opened())

    def for_in(self, node: Node, place: Location) -> None:
        """``for (let a of b)``."""
        place = place.opened()
        kind = node.child_by_field_name("kind")
        left = node.child_by_field_name("left")
        self.stack.extend([(child, place) for child in reversed(node.named_children) if child != left])
        if kind is None:
            self.push(left, place)
        else:
            self.push(left, place._replace(kind="variable", hoisted=kind.type == "var"))

    def catch(self, node: Node, place: Location) -> None:
        """``catch (error) {}``."""
        place = place.opened()
        self.push(node.child_by_field_name("body"), place)
        self.push(node.child_by_field_name("parameter"), place._replace(kind="variable"))

    def with_(self, node: Node, place: Location) -> None:
        """``with (object) {}``: every name inside may be a property."""
        inner = place.opened()
        inner.scope.dynamic = "a with statement may find it on an object"
        self.push(node.child_by_field_name("body"), inner)
        self.push(node.child_by_field_name("object"), place)

    def labelled(self, node: Node, place: Location) -> None:
        """``label: statement``. The key of a label ends in a colon, so that labels and variables do not mix."""
        label, inner = node.child_by_field_name("label"), place.opened()
        name = self.text(label)
        if label is not None:
            inner.scope.names[f"{name}:"] = ScopedName(name, "label", [self.use(label)])
        self.push(node.child_by_field_name("body"), inner)

    def jump(self, node: Node, place: Location) -> None:
        """``break label``, ``continue label``."""
        if label := node.child_by_field_name("label"):
            place.scope.refer(f"{self.text(label)}:", self.use(label))

    # Modules

    def import_clause(self, node: Node, place: Location) -> None:
        """``import a, { b, c as d } from "m"``."""
        place = place._replace(kind="import")
        for child in node.named_children:
            specifiers = child.named_children if child.type == "named_imports" else [child]
            for specifier in specifiers:
                name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
                if specifier.type == "namespace_import":
                    self.children(specifier, place)
                elif specifier.type == "identifier":
                    self.push(specifier, place)
                elif alias is not None:
                    self.push(alias, place)
                elif name is not None:
                    text = self.text(name)
                    self.declare(text, self.use(name, f"{text} as {{}}"), place)

    def export(self, node: Node, place: Location) -> None:
        """``export``, which shows names to other modules."""
        if node.child_by_field_name("source") is not None:
            return
        declaration = node.child_by_field_name("declaration")
        if declaration is not None and all(child.type != "default" for child in node.children):
            self.exposure.exported.update(map(words.unescape, words.list_declared(self.tree, declaration)))
        self.children(node, place)

    def export_specifier(self, node: Node, place: Location) -> None:
        """``a`` or ``a as b`` behind ``export``."""
        name = node.child_by_field_name("name")
        if name is not None:
            text = self.text(name)
            alias = node.child_by_field_name("alias")
            place.scope.refer(text, self.use(name, "{}" if alias is not None else f"{{}} as {text}"))

    # What may reach a name by other ways

    def member(self, node: Node, place: Location) -> None:
        """``object.property``."""
        self.exposure.reads(self.text(node.child_by_field_name("property")))
        self.push(node.child_by_field_name("object"), place.referring())

    def subscript(self, node: Node, place: Location) -> None:
        """``object["property"]``."""
        index = node.child_by_field_name("index")
        if index is not None and index.type == "string":
            self.exposure.reads(self.text(index)[1:-1])
        self.children(node, place.referring())

    def this(self, node: Node, place: Location) -> None:
        """``this``, where it may be the global object."""
        if place.home.plain_this:
            self.exposure.reach(self.tree, node)


HANDLERS: Handlers = {
    "identifier": JavaScriptResolver.identifier,
    "undefined": JavaScriptResolver.identifier,
    "shorthand_property_identifier": JavaScriptResolver.shorthand,
    "shorthand_property_identifier_pattern": JavaScriptResolver.shorthand,
    "variable_declaration": JavaScriptResolver.variables,
    "lexical_declaration": JavaScriptResolver.variables,
    "variable_declarator": JavaScriptResolver.declarator,
    "assignment_expression": JavaScriptResolver.assignment,
    **dict.fromkeys(_DEFAULTS, JavaScriptResolver.default),
    "pair_pattern": JavaScriptResolver.pair_pattern,
    **dict.fromkeys(grammar.FUNCTION_DECLARATIONS, JavaScriptResolver.function_declaration),
    "function_expression": JavaScriptResolver.function_expression,
    "generator_function": JavaScriptResolver.function_expression,
    "arrow_function": JavaScriptResolver.visit_function,
    "method_definition": JavaScriptResolver.method,
    **dict.fromkeys(words.CLASSES, JavaScriptResolver.class_),
    "class_static_block": JavaScriptResolver.static_block,
    "field_definition": JavaScriptResolver.field_definition,
    "statement_block": JavaScriptResolver.block,
    "switch_body": JavaScriptResolver.block,
    "for_statement": JavaScriptResolver.block,
    "for_in_statement": JavaScriptResolver.for_in,
    "catch_clause": JavaScriptResolver.catch,
    "with_statement": JavaScriptResolver.with_,
    "labeled_statement": JavaScriptResolver.labelled,
    "break_statement": JavaScriptResolver.jump,
    "continue_statement": JavaScriptResolver.jump,
    "import_clause": JavaScriptResolver.import_clause,
    "export_statement": JavaScriptResolver.export,
    "export_specifier": JavaScriptResolver.export_specifier,
    "member_expression": JavaScriptResolver.member,
    "subscript_expression": JavaScriptResolver.subscript,
    "this": JavaScriptResolver.this,
}
