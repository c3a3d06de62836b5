"""Reads the statements and expressions of Java: what each is worth, and the calls in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import Form, FunctionFacts, ParameterFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    Argument,
    CallResult,
    Choice,
    ClassValue,
    Expression,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
    OtherValue,
    SuperValue,
    Variable,
)
from pytest_codereason.languages.frame.call_facts import pass_values
from pytest_codereason.languages.frame.call_reader import CallPlace
from pytest_codereason.languages.java.bodies import CLASSES, read_node
from pytest_codereason.languages.java.call_variables import JavaVariables
from pytest_codereason.languages.java.syntax.grammar import PLACES

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = {"str": "java.lang.String", "char": "char", "int": "int", "float": "double", "bool": "boolean"}
_CHOOSING = frozenset({"&&", "||"})
#: Methods of the library that turn what they are given into text.
_WRITERS = frozenset("println print printf format append valueOf toString join formatted".split())


class JavaExpressions(JavaVariables):
    """Reads what is within methods."""

    def read_class(self, node: Node) -> str:
        """Reads a class; its full name."""
        raise NotImplementedError

    def declare_parameter(self, kind: Node, dimensions: str, name: str, erased: str) -> ParameterFacts:
        """Binds a parameter to its type."""
        raise NotImplementedError

    def _read_all(self, node: Node) -> Expression:
        for child in node.named_children:
            self.read(child)
        return OTHER

    def read_expression(self, node: Node) -> Expression:  # noqa: PLR0912, PLR0915 - one case for each kind of node
        """What an expression is worth. Reads statements too."""
        if node.type in CLASSES:
            self.read_class(node)
            return OTHER
        if node.type in PLACES.literals:
            return OtherValue(_TYPES.get(PLACES.literals[node.type], ""))
        match node.type:
            case "identifier":
                return Variable(read_node(node))
            case "this":
                return Variable("this")
            case "local_variable_declaration":
                with self.begun(node):
                    self.read_field(node)
                return OTHER
            case "method_invocation":
                return self._read_call(node)
            case "object_creation_expression":
                return self._read_new(node)
            case "explicit_constructor_invocation":
                return self._read_constructor_call(node)
            case "lambda_expression":
                return self._read_lambda(node)
            case "method_reference":
                return self._read_reference(node)
            case "field_access":
                return self._read_access(node)
            case "array_access":
                return self._read_array_access(node)
            case "array_initializer":
                items = Items(f"{self.file}:{node.start_point[0]}:{node.start_point[1]}")
                for child in node.named_children:
                    self.collector.bind_member(items, ANY, self.read(child), self.place.scope)
                return items
            case "array_creation_expression":
                values = [self.read(child) for child in node.named_children if child.type == "array_initializer"]
                return values[0] if values else Items(f"{self.file}:{node.start_point[0]}:{node.start_point[1]}")
            case "assignment_expression":
                return self._read_assignment(node)
            case "parenthesized_expression":
                return self.read(node.named_children[0]) if node.named_children else OTHER
            case "cast_expression":
                kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
                held = self.read(value) if value is not None else OTHER
                given = self.declare_type(kind, "") if kind is not None else OTHER
                return given if self.is_own(given) else held
            case "instanceof_expression":
                kind, name = node.child_by_field_name("right"), node.child_by_field_name("name")
                if kind is not None and name is not None:
                    self.bind_variable(read_node(name), self.declare_type(kind, ""))
                left = node.child_by_field_name("left")
                return OTHER if left is None else (self.read(left), OTHER)[1]
            case "ternary_expression":
                test, *branches = node.named_children
                self.read(test)
                return Choice(tuple(self.read(branch, conditional=True) for branch in branches))
            case "binary_expression":
                return self._read_binary(node)
            case "switch_expression":
                return self._read_switch(node)
            case "return_statement" | "yield_statement":
                with self.begun(node):
                    values = [self.read(child) for child in node.named_children]
                if self.place.results is not None and node.type == "return_statement":
                    self.place.results.extend(values)
                return OTHER
            case "enhanced_for_statement":
                return self.read_loop(node)
            case "resource":
                return self.read_resource(node)
            case "catch_formal_parameter":
                name = node.child_by_field_name("name")
                kind = next((child for child in node.named_children if child.type == "catch_type"), None)
                if name is not None and kind is not None:
                    types = tuple(self.declare_type(child, "") for child in kind.named_children)
                    self.bind_variable(read_node(name), Choice(types))
                return OTHER
            case kind if kind.endswith("_statement"):
                with self.begun(node):
                    return self._read_all(node)
            case kind if kind in _NO_CODE:
                return OTHER
            case _:
                return self._read_all(node)

    def read_arguments(self, node: Node) -> tuple[Argument, ...]:
        """The arguments of a call."""
        return pass_values(*(self.read(child) for child in node.named_children if "comment" not in child.type))

    def _read_call(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        passed = node.child_by_field_name("arguments")
        if name is None or passed is None:
            return OTHER
        method = read_node(name)
        form: Form = "method"
        callee: Expression
        if holder is None:
            form, callee, text = "name", Variable(f"{method}()"), method
        else:
            text = f"{self.shorten(holder)}.{method}"
            of = self._read_holder(holder)
            callee = Member(of, f"{method}()")
        arguments = self.read_arguments(passed)
        if method in _WRITERS and "toString" in self.defined and holder is not None:
            for child, argument in zip(passed.named_children, arguments, strict=False):
                self.note_special(child, "conversion", argument.value, "toString")
        self.add_site(node, form, callee, text, arguments)
        return CallResult(callee, arguments)

    def _read_holder(self, holder: Node) -> Expression:
        if holder.type == "super" or read_node(holder).endswith(".super"):
            return SuperValue(self.cls)
        return self.read(holder)

    def _read_new(self, node: Node) -> Expression:
        kind, passed = node.child_by_field_name("type"), node.child_by_field_name("arguments")
        if kind is None:
            return OTHER
        arguments = self.read_arguments(passed) if passed is not None else ()
        body = next((child for child in node.children if child.type == "class_body"), None)
        name = self.types.erase(read_node(kind), self.cls, self.bounds)
        made = self.read_class(body) if body is not None else name
        text = read_node(kind).partition("<")[0]
        if made in self.classes:
            self.add_site(node, "constructor", ClassValue(made), text, arguments)
            return CallResult(ClassValue(made), arguments)
        self.add_site(node, "constructor", OTHER, text, arguments)
        fresh = Items(f"{self.file}:{node.start_point[0]}:{node.start_point[1]}")
        return Choice((fresh, ObjectValue(name), CallResult(OTHER, arguments)))

    def _read_constructor_call(self, node: Node) -> Expression:
        constructor, passed = node.child_by_field_name("constructor"), node.child_by_field_name("arguments")
        word = read_node(constructor) if constructor is not None else "super"
        of: Expression = ClassValue(self.cls) if word == "this" else SuperValue(self.cls)
        arguments = self.read_arguments(passed) if passed is not None else ()
        self.add_site(node, "constructor", Member(of, "<init>"), word, arguments)
        return OTHER

    def _enter_function(self, node: Node, kind: str) -> str:
        """The name of a function that no edge names."""
        name = f"{self.place.caller}/{kind}@{node.start_point[0] + 1}:{node.start_point[1]}"
        self.collector.scopes[name] = self.place.scope
        return name

    def _read_lambda(self, node: Node) -> Expression:
        name = self._enter_function(node, "lambda")
        results: list[Expression] = []
        parameters: list[ParameterFacts] = []
        caller = self.place.caller
        with self.at(CallPlace(name, name, cls=self.place.cls, results=results, statement=self.place.statement)):
            listed, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
            for child in (
                [listed]
                if listed is not None and listed.type == "identifier"
                else listed.named_children
                if listed
                else []
            ):
                kind, own = child.child_by_field_name("type"), child.child_by_field_name("name")
                if kind is not None and own is not None:
                    parameters.append(self.declare_parameter(kind, "", read_node(own), ""))
                else:
                    parameters.append(ParameterFacts(read_node(child)))
            if body is not None:
                value = self.read(body)
                if body.type != "block":
                    results.append(value)
        line = node.start_point[0] + 1
        facts = FunctionFacts(name, caller, self.file, line, tuple(parameters), tuple(results), transparent=True)
        self.collector.functions.append(facts)
        return FunctionValue(name)

    def _read_reference(self, node: Node) -> Expression:
        """``A::f``: a function that calls ``f``."""
        holder = node.named_children[0]
        text = read_node(node).rpartition("::")[2].strip()
        name = self._enter_function(node, "reference")
        caller = self.place.caller
        named = self.types.erase(read_node(holder), self.cls, self.bounds)
        of: Expression = ClassValue(named) if named in self.classes else self._read_holder(holder)
        callee: Expression = of if text == "new" else Member(of, f"{text}()")
        with self.at(CallPlace(name, name, cls=self.place.cls, statement=self.place.statement)):
            form: Form = "constructor" if text == "new" else "method"
            self.add_site(node, form, callee, f"{read_node(holder)}.{text}")
        line = node.start_point[0] + 1
        result = CallResult(callee)
        self.collector.functions.append(
            FunctionFacts(name, caller, self.file, line, (ParameterFacts("0"),), (result,), transparent=True)
        )
        return FunctionValue(name)

    def _read_access(self, node: Node) -> Expression:
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("field")
        if holder is None or name is None:
            return OTHER
        full = self.types.erase(read_node(node), self.cls, self.bounds)
        if full in self.classes:
            return ClassValue(full)
        if read_node(name) == "this":
            return ObjectValue(self.types.erase(read_node(holder), self.cls, self.bounds))
        return Member(self._read_holder(holder), read_node(name))

    def _read_array_access(self, node: Node) -> Expression:
        array, index = node.child_by_field_name("array"), node.child_by_field_name("index")
        value = self.read(array) if array is not None else OTHER
        if index is not None:
            self.read(index)
        return Member(value, ANY)

    def _read_assignment(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return OTHER
        value = self.read(right)
        if left.type == "identifier":
            self.collector.bind_member(Variable("this"), read_node(left), value, self.place.scope)
            self.collector.bind(
                self.place.scope, read_node(left), Variable(read_node(left)), self.collector.scopes[self.place.scope]
            )
            return value
        target = self.read(left)
        if isinstance(target, Member):
            self.collector.bind_member(target.of, target.name, value, self.place.scope)
        return value

    def _read_binary(self, node: Node) -> Expression:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return OTHER
        word = read_node(operator)
        values = self.read(left), self.read(right, conditional=word in _CHOOSING)
        if word == "+" and '"' in read_node(node):
            for side, value in zip((left, right), values, strict=True):
                if side.type not in PLACES.literals and side.type != "binary_expression":
                    self.note_special(side, "conversion", value, "toString")
            return OtherValue("java.lang.String")
        return OTHER

    def _read_switch(self, node: Node) -> Expression:
        values: list[Expression] = []
        with self.begun(node):
            for child in node.named_children:
                if child.type != "switch_block":
                    self.read(child)
                    continue
                for rule in child.named_children:
                    for part in rule.named_children:
                        if rule.type == "switch_rule" and part.type == "expression_statement":
                            with self.begun(part):
                                values += [self.read(inner) for inner in part.named_children]
                        else:
                            self.read(part)
        return Choice(tuple(values))


#: Nodes that hold no code.
_NO_CODE = frozenset(
    "modifiers type_identifier generic_type type_arguments integral_type floating_point_type boolean_type array_type "
    "scoped_type_identifier dimensions line_comment block_comment switch_label_".split()
)
