"""Reads the expressions of a JavaScript file: what each is worth, and the calls in it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import Form
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    UNKNOWN,
    Argument,
    CallResult,
    Choice,
    ClassValue,
    Expression,
    FunctionValue,
    Items,
    Member,
    OtherValue,
    SuperValue,
    Variable,
)
from pytest_codereason.languages.frame.call_facts import Collector, pass_values
from pytest_codereason.languages.frame.call_reader import CallPlace, CallReader
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.bodies import read_key
from pytest_codereason.languages.javascript.syntax.tree import CLASSES, FUNCTIONS, list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_ITERATOR = "[Symbol.iterator]"
#: What calls ``toString`` or the like of a value.
_CONVERSIONS = {
    "String": ("toString",),
    "Number": ("valueOf",),
    "JSON.stringify": ("toJSON",),
    "Array.from": (_ITERATOR,),
}
_CHOOSING = frozenset({"&&", "||", "??"})
_LITERALS = {
    "string": "string",
    "number": "number",
    "true": "boolean",
    "false": "boolean",
    "regex": "RegExp",
    "null": "",
}


class JavaScriptExpressions(CallReader):
    """Reads expressions in the place where the reader of statements is."""

    counts_statements = True

    def __init__(
        self,
        file: str,
        tree: Tree,
        names: dict[int, str],
        keys: set[str],
        getters: set[str],
        collector: Collector,
        place: CallPlace,
    ) -> None:
        super().__init__(file, tree, collector, place)
        self.names = names
        self._keys = keys
        self._getters = getters
        self.declared: dict[str, set[str]] = defaultdict(set)  # the variables of each scope

    def read_function(self, node: Node, *, owner: Expression | None = None, cls: str = "") -> FunctionValue:
        """A function, with what is in it."""
        raise NotImplementedError

    def read_class(self, node: Node) -> ClassValue:
        """A class, with what is in it."""
        raise NotImplementedError

    def import_file(self, source: str) -> Expression:
        """What ``require`` gives."""
        raise NotImplementedError

    def call_special(self, node: Node, form: Form, of: Expression, *names: str) -> Expression:
        """Notes that JavaScript calls one of these methods, if the program defines such a method."""
        for name in names:
            if name in self._keys:
                self.add_site(node, form, Member(of, name), f"{self.shorten(node)}.{name}")
        return CallResult(Member(of, names[0]))

    def iterate(self, node: Node) -> Expression:
        """What a loop over a value gives, one by one."""
        value = self.read(node)
        iterator = self.call_special(node, "iteration", value, _ITERATOR)
        if _ITERATOR in self._keys:
            step = self.call_special(node, "iteration", iterator, "next")
            return Choice((Member(value, ANY), Member(iterator, ANY), Member(step, "value")))
        return Member(value, ANY)

    def assign(self, target: Node, value: Expression) -> None:
        """Gives a target a value."""
        match target.type:
            case "identifier" | "shorthand_property_identifier_pattern" | "undefined":
                self.collector.bind(
                    self._find_owner(self.tree.text(target)), self.tree.text(target), value, self.place.scope
                )
            case "member_expression" | "subscript_expression":
                self._assign_member(target, value)
            case "object_pattern":
                for part in list_children(target):
                    self._assign_part(part, value)
            case "array_pattern":
                for i, part in enumerate(list_children(target)):
                    rest = part.type == "rest_pattern"
                    self.assign(list_children(part)[0] if rest else part, value if rest else Member(value, str(i)))
            case "assignment_pattern" | "object_assignment_pattern":
                left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
                if left is not None and right is not None:
                    self.assign(left, Choice((value, self.read(right))))
            case "parenthesized_expression" | "rest_pattern" | "variable_declaration" | "lexical_declaration":
                for child in list_children(target):
                    self.assign(child, value)
            case _:
                self.read(target)

    def _find_owner(self, name: str) -> str:
        """The scope around that declares a variable, as far as the text was read; else this one."""
        scope = self.place.scope
        while scope and name not in self.declared[scope]:
            scope = self.collector.scopes.get(scope, "")
        return scope or self.place.scope

    def _assign_part(self, part: Node, value: Expression) -> None:
        if part.type == "pair_pattern":
            key, inner = part.child_by_field_name("key"), part.child_by_field_name("value")
            if key is not None and inner is not None:
                self.assign(inner, Member(value, read_key(self.tree, key) or ANY))
        elif part.type == "object_assignment_pattern":
            left = part.child_by_field_name("left")
            self.assign(part, Member(value, self.tree.text(left)) if left is not None else UNKNOWN)
        else:
            self.assign(part, value if part.type == "rest_pattern" else Member(value, self.tree.text(part)))

    def _assign_member(self, target: Node, value: Expression) -> None:
        text = self.tree.text(target)
        if text == "module.exports":
            self.collector.bind(self.tree_module, text, value, self.place.scope)
            return
        of, name = self._read_member(target)
        if isinstance(of, Member) and of == Member(Variable("module"), "exports"):
            of = Variable("module")
        if name in self._getters:
            self.add_site(target, "property", Member(of, name), self.shorten(target))
        self.collector.bind_member(of, name, value, self.place.scope)
        if isinstance(value, FunctionValue):
            self.collector.bind(value.name, "this", of, self.place.scope, fallback=True)

    @property
    def tree_module(self) -> str:
        """The name of the file."""
        scope = self.place.scope
        while self.collector.scopes.get(scope):
            scope = self.collector.scopes[scope]
        return scope

    def _read_member(self, node: Node) -> tuple[Expression, str]:
        """The object and the name of ``a.b`` and ``a['b']``."""
        holder, key = node.child_by_field_name("object"), node.child_by_field_name("property")
        index = node.child_by_field_name("index")
        of: Expression = UNKNOWN
        if holder is not None:
            of = SuperValue(self._find_class()) if holder.type == "super" else self.read(holder)
        if key is not None:
            return of, self.tree.text(key)
        if index is None:
            return of, ANY
        self.read(index)
        if index.type == "member_expression" and self.tree.text(index).startswith("Symbol."):
            return of, f"[{self.tree.text(index)}]"
        return of, read_key(self.tree, index) if index.type in ("string", "number") else ANY

    def _find_class(self) -> str:
        """The class in whose method the place is."""
        scope = self.place.scope
        known = {facts.name for facts in self.collector.classes}
        while scope:
            around = self.collector.scopes.get(scope, "")
            if around.endswith("/fields") and around.removesuffix("/fields") in known:
                return around.removesuffix("/fields")
            if scope.endswith("/fields"):
                return scope.removesuffix("/fields")
            scope = around
        return ""

    def read_expression(self, node: Node) -> Expression:  # noqa: PLR0912 - one case for each kind of node
        """What an expression is worth."""
        if node.type in FUNCTIONS:
            return self.read_function(node)
        if node.type in CLASSES:
            return self.read_class(node)
        match node.type:
            case "identifier":
                return Variable(self.tree.text(node))
            case "this":
                return Variable("this")
            case "member_expression" | "subscript_expression":
                of, name = self._read_member(node)
                if name in self._getters:
                    self.add_site(node, "property", Member(of, name), self.shorten(node))
                return Member(of, name)
            case "call_expression":
                return self._read_call(node)
            case "new_expression":
                return self._read_new(node)
            case "object":
                return self._read_object(node)
            case "array":
                return self._read_array(node)
            case "assignment_expression" | "augmented_assignment_expression":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                value = self.read(right) if right is not None else OTHER
                if left is not None:
                    self.assign(left, value)
                return value
            case "parenthesized_expression" | "sequence_expression":
                values = [self.read(child) for child in list_children(node)]
                return values[-1] if values else OTHER
            case "ternary_expression":
                test, *branches = list_children(node)
                self.read(test)
                return Choice(tuple(self.read(branch, conditional=True) for branch in branches))
            case "binary_expression":
                return self._read_binary(node)
            case "template_string":
                for child in list_children(node):
                    for inner in list_children(child):
                        self.call_special(inner, "conversion", self.read(inner), "toString", "[Symbol.toPrimitive]")
                return OtherValue("string")
            case "await_expression":
                return self.read(list_children(node)[0])
            case "yield_expression":
                return self._read_yield(node)
            case "unary_expression":
                argument = node.child_by_field_name("argument")
                value = self.read(argument) if argument is not None else OTHER
                if self.tree.text(node)[:1] in "+-":
                    self.call_special(node, "operator", value, "valueOf", "[Symbol.toPrimitive]")
                return OTHER
            case kind if kind in _LITERALS:
                return OtherValue(_LITERALS[kind])
            case _:
                for child in list_children(node):
                    self.read(child)
                return OTHER

    def _read_yield(self, node: Node) -> Expression:
        many = any(child.type == "*" for child in node.children)
        for child in list_children(node):
            value = self.iterate(child) if many else self.read(child)
            self.collector.bind_member(Items(f"{self.place.caller}/yields"), ANY, value, self.place.scope)
        return OTHER

    def _read_binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return OTHER
        word = self.tree.text(operator)
        values = self.read(left), self.read(right, conditional=word in _CHOOSING)
        if word in _CHOOSING:
            return Choice(values)
        if word in ("+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!="):
            for side, value in zip((left, right), values, strict=True):
                names = ("valueOf", "toString", "[Symbol.toPrimitive]") if word == "+" else ("valueOf",)
                self.call_special(side, "operator", value, *names)
        return OTHER

    def _read_arguments(self, node: Node | None) -> tuple[Argument, ...]:
        if node is None:
            return ()
        values = []
        for child in list_children(node):
            spread = child.type == "spread_element"
            values.append(self.iterate(list_children(child)[0]) if spread else self.read(child))
        return pass_values(*values)

    def _read_call(self, node: Node) -> Expression:
        function, passed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or passed is None:
            return OTHER
        text = self.shorten(function)
        if text in ("require", "import") and list_children(passed)[:1] and list_children(passed)[0].type == "string":
            return self.import_file(self.tree.text(list_children(passed)[0])[1:-1])
        if function.type == "super":
            cls = self._find_class()
            arguments = self._read_arguments(passed)
            self.add_site(node, "constructor", Member(SuperValue(cls), "constructor"), text, arguments)
            return OTHER
        callee = self._read_callee(function)
        if passed.type == "template_string":
            parts = [self.read(inner) for child in list_children(passed) for inner in list_children(child)]
            arguments = pass_values(OTHER, *parts)
            self.add_site(node, "decorator", callee, text, arguments)
            return CallResult(callee, arguments)
        arguments = self._read_arguments(passed)
        for name in _CONVERSIONS.get(text, ()):
            if arguments:
                self.call_special(node, "conversion", arguments[0].value, name)
        if isinstance(callee, Member) and callee.name == "bind":
            return callee.of
        if isinstance(callee, Member) and callee.name in ("call", "apply"):
            many = callee.name == "apply" and len(arguments) > 1
            arguments = pass_values(Member(arguments[1].value, ANY)) if many else arguments[1:]
        form: Form = "expression"
        if function.type == "identifier":
            form = "name"
        elif function.type == "member_expression":
            form = "method"
        self.add_site(node, form, callee, text, arguments)
        return CallResult(callee, arguments)

    def _read_callee(self, function: Node) -> Expression:
        if function.type in ("member_expression", "subscript_expression"):
            of, name = self._read_member(function)
            return Member(of, name)
        return self.read(function)

    def _read_new(self, node: Node) -> Expression:
        constructor = node.child_by_field_name("constructor")
        if constructor is None:
            return OTHER
        callee = self.read(constructor)
        arguments = self._read_arguments(node.child_by_field_name("arguments"))
        self.add_site(node, "constructor", callee, self.shorten(constructor), arguments)
        return CallResult(callee, arguments, new=True)

    def _name_items(self, node: Node) -> Items:
        return Items(f"{self.file}:{node.start_point[0] + 1}:{node.start_point[1]}")

    def _read_array(self, node: Node) -> Expression:
        items = self._name_items(node)
        spread = any(child.type == "spread_element" for child in list_children(node))
        for i, child in enumerate(list_children(node)):
            many = child.type == "spread_element"
            value = self.iterate(list_children(child)[0]) if many else self.read(child)
            self.collector.bind_member(items, ANY if spread else str(i), value, self.place.scope)
        return items

    def _read_object(self, node: Node) -> Expression:
        items = self._name_items(node)
        spread: list[Expression] = []
        for child in list_children(node):
            match child.type:
                case "pair":
                    key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                    if key is not None and value is not None:
                        given = self._read_method(value, items)
                        self.collector.bind_member(items, read_key(self.tree, key) or ANY, given, self.place.scope)
                case "method_definition":
                    key = child.child_by_field_name("name")
                    name = read_key(self.tree, key) if key is not None else ANY
                    method = self.read_function(child, owner=items)
                    self.collector.bind_member(items, name or ANY, method, self.place.scope)
                case "shorthand_property_identifier":
                    name = self.tree.text(child)
                    self.collector.bind_member(items, name, Variable(name), self.place.scope)
                case "spread_element":
                    spread.append(self.read(list_children(child)[0]))
        return Choice((items, *spread)) if spread else items

    def _read_method(self, value: Node, items: Items) -> Expression:
        plain = value.type in ("function_expression", "generator_function")
        return self.read_function(value, owner=items) if plain else self.read(value)
