"""Lists what a file of Java offers to be called, and writes likely calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.driving import DriverCall
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.frame.verbs import rank_method
from pytest_codereason.languages.java.literals import write_values
from pytest_codereason.languages.java.syntax.grammar import CLASSES, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node

#: Most constructors of a class that are tried, and most lists of arguments for each method.
_CONSTRUCTORS = 3
_LISTS = 3
#: Most methods that an object of an abstract class is given, and the types that stand for type parameters.
_METHODS = 6
_ARGUMENTS = ("String", "Integer", "String")
#: What a method of the file's own may be called that prints nothing of itself.
_UNTOLD = frozenset({"hashCode", "wait", "notify", "notifyAll", "finalize", "clone", "close"})


class Parameter(NamedTuple):
    """A parameter of a method."""

    type: str
    name: str


class Method(NamedTuple):
    """A method or constructor that a class of the same package can call."""

    name: str  #: empty for a constructor
    parameters: tuple[Parameter, ...]
    returns: str  #: the type, ``void``, or empty for a constructor
    static: bool
    public: bool = True
    abstract: bool = False


class JavaClass(NamedTuple):
    """A class that can be named from outside."""

    name: str  #: with the classes around it: ``Cart.Item``
    kind: str  #: ``class``, ``interface``, ``enum`` or ``record``
    variables: tuple[str, ...]  #: its type parameters
    abstract: bool
    methods: tuple[Method, ...]
    constructors: tuple[Method, ...]
    constants: tuple[str, ...]  #: of an enum


def list_classes(tree: Tree) -> list[JavaClass]:
    """The classes of a file that can be named from outside, outer classes first."""
    classes: list[JavaClass] = []
    for node in tree.root.named_children:
        if node.type in CLASSES:
            _read_class(tree, node, "", classes)
    return classes


def _read_class(tree: Tree, node: Node, around: str, classes: list[JavaClass]) -> None:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    kind = node.type.removesuffix("_declaration")
    if name_node is None or body is None or kind == "annotation_type":
        return
    name = f"{around}.{tree.text(name_node)}" if around else tree.text(name_node)
    modifiers = _read_modifiers(tree, node)
    members = [child for child in body.named_children if child.type not in STRUCTURE.comments]
    constants = [tree.text(c) for m in members if m.type == "enum_constant" and (c := m.child_by_field_name("name"))]
    if kind == "enum":
        members += [c for m in members if m.type == "enum_body_declarations" for c in m.named_children]
    methods, constructors = [], []
    for member in members:
        open_to_package = "private" not in _read_modifiers(tree, member)
        if member.type == "method_declaration" and open_to_package:
            methods.append(_read_method(tree, member))
        elif member.type == "constructor_declaration":
            constructors.append((_read_method(tree, member), open_to_package))
    if kind == "record" and (components := node.child_by_field_name("parameters")) is not None:
        constructors.append((Method("", _read_parameters(tree, components), "", False), True))
    made = tuple(one for one, open_to_package in constructors if open_to_package)
    if not constructors and kind == "class":
        made = (Method("", (), "", False),)
    variables = _read_variables(tree, node)
    abstract = "abstract" in modifiers or kind == "interface"
    classes.append(JavaClass(name, kind, variables, abstract, tuple(methods), made, tuple(constants)))
    for member in members:
        inner = _read_modifiers(tree, member)
        static = "static" in inner or member.type != "class_declaration" or kind == "interface"
        if member.type in CLASSES and static and "private" not in inner:
            _read_class(tree, member, name, classes)


def _read_modifiers(tree: Tree, node: Node) -> frozenset[str]:
    found = next((child for child in node.children if child.type == "modifiers"), None)
    return frozenset(tree.text(child) for child in found.children) if found is not None else frozenset()


def _read_variables(tree: Tree, node: Node) -> tuple[str, ...]:
    found = next((child for child in node.children if child.type == "type_parameters"), None)
    return tuple(tree.text(child).split()[0] for child in found.named_children) if found is not None else ()


def _read_method(tree: Tree, node: Node) -> Method:
    returns, parameters = node.child_by_field_name("type"), node.child_by_field_name("parameters")
    modifiers = _read_modifiers(tree, node)
    return Method(
        tree.read(node) if returns is not None else "",
        _read_parameters(tree, parameters) if parameters is not None else (),
        tree.read(node, "type"),
        "static" in modifiers,
        "public" in modifiers,
        returns is not None and node.child_by_field_name("body") is None and "native" not in modifiers,
    )


def _read_parameters(tree: Tree, node: Node) -> tuple[Parameter, ...]:
    parameters = []
    for child in node.named_children:
        if child.type == "formal_parameter":
            kind, name = child.child_by_field_name("type"), child.child_by_field_name("name")
            dimensions = child.child_by_field_name("dimensions")
            if kind is not None and name is not None:
                text = tree.text(kind) + (tree.text(dimensions) if dimensions is not None else "")
                parameters.append(Parameter(text, tree.text(name)))
        elif child.type == "spread_parameter":
            declarator = child.named_children[-1]
            kinds = [tree.text(c) for c in child.named_children if c.type not in ("modifiers", "variable_declarator")]
            parameters.append(Parameter(f"{kinds[0] if kinds else 'Object'}[]", tree.text(declarator)))
    return tuple(parameters)


class CallWriter:
    """Writes calls of the methods of some classes."""

    def __init__(self, classes: Sequence[JavaClass]) -> None:
        self._classes = classes
        self._by_name: Mapping[str, JavaClass] = {
            word: one for one in reversed(classes) for word in (one.name, one.name.rpartition(".")[2])
        }

    def propose(self) -> Iterator[DriverCall]:
        """Calls of the methods of all classes."""
        for one in self._classes:
            objects = self._make_objects(one, 0)[:_CONSTRUCTORS]
            variable = _name_object(one.name)
            public = {method for method in one.methods if method.public or one.kind == "interface"}
            for method in sorted(one.methods, key=lambda method: (method not in public, rank_method(method.name))):
                target = f"{one.name}.{method.name}({len(method.parameters)})"
                if method.name in _UNTOLD or (method.name == "main" and method.static):
                    continue
                for arguments in self._list_arguments(method, one, 0):
                    if method.static:
                        yield DriverCall(target, _tell(f"{one.name}.{method.name}({arguments})", method), (), "types")
                        continue
                    for made in objects:
                        setup = (f"{_write_type(one)} {variable} = {made};",)
                        yield DriverCall(
                            target, _tell(f"{variable}.{method.name}({arguments})", method), setup, "types"
                        )

    def _make_objects(self, one: JavaClass, depth: int) -> list[str]:
        """Expressions that make an object of a class."""
        if one.kind == "enum":
            return [f"{one.name}.{constant}" for constant in one.constants[:_CONSTRUCTORS]]
        made = []
        if not one.abstract:
            for constructor in one.constructors:
                lists = self._list_arguments(constructor, one, depth)
                made += [f"new {_write_type(one)}({arguments})" for arguments in lists]
        for method in one.methods:
            if method.static and re.sub(r"<.*", "", method.returns) in (one.name, one.name.rpartition(".")[2]):
                made += [f"{one.name}.{method.name}({given})" for given in self._list_arguments(method, one, depth)[:1]]
        if one.abstract and not made:
            made = self._implement(one, depth)
        return sorted(made, key=lambda text: text.endswith("()"))  # a full object says more than an empty one

    def _implement(self, one: JavaClass, depth: int) -> list[str]:
        """Small objects of an interface or an abstract class: lambdas, or anonymous classes."""
        missing = [method for method in one.methods if method.abstract]
        bodies = [self._write_body(method, one, depth) for method in missing]
        if len(missing) > _METHODS or None in bodies:
            return []
        if one.kind == "interface" and len(missing) == 1:
            names = ", ".join(parameter.name for parameter in missing[0].parameters)
            return [f"({names}) -> {{ {bodies[0]} }}"]
        methods = " ".join(
            f"{_write_head(method, one)} {{ {body} }}" for method, body in zip(missing, bodies, strict=True)
        )
        lists = (
            [""]
            if one.kind == "interface"
            else [a for c in one.constructors for a in self._list_arguments(c, one, depth)]
        )
        return [f"new {_write_type(one)}({arguments}) {{ {methods} }}" for arguments in lists[:_CONSTRUCTORS]]

    def _write_body(self, method: Method, one: JavaClass, depth: int) -> str | None:
        """What an own method does: it gives its argument back, or a likely value; None if no value is known."""
        if method.returns == "void":
            return f'System.out.println("{method.name}");'
        own = next((parameter.name for parameter in method.parameters if parameter.type == method.returns), None)
        values = [own] if own else self._find_values(Parameter(method.returns, method.name), one, depth)
        return f"return {values[0]};" if values else None

    def _list_arguments(self, method: Method, around: JavaClass, depth: int) -> list[str]:
        """Lists of arguments for a method; none if there is a type of which no value is known."""
        choices = [self._find_values(parameter, around, depth) for parameter in method.parameters]
        if not all(choices):
            return []
        ranks = range(max(map(len, choices), default=1))
        lists = (", ".join(found[min(rank, len(found) - 1)] for found in choices) for rank in ranks)
        return [*dict.fromkeys(lists)][:_LISTS]

    def _find_values(self, parameter: Parameter, around: JavaClass, depth: int) -> Sequence[str]:
        plain = re.sub(r"<.*", "", parameter.type).strip()
        own = self._by_name.get(plain)
        if own is not None:
            return self._make_objects(own, depth + 1) if depth < 2 else ()
        if plain in around.variables:
            index = around.variables.index(plain)
            return write_values("Integer" if index == 1 else "String", parameter.name)
        return write_values(parameter.type, parameter.name)


def _tell(call: str, method: Method) -> str:
    """The call with its value as it is printed; a statement if there is none."""
    if method.returns == "void":
        return f"{call};"
    return f"java.util.Arrays.toString({call})" if re.fullmatch(r"[^<]+\[\]", method.returns) else call


def _write_type(one: JavaClass) -> str:
    arguments = _ARGUMENTS[: len(one.variables)]
    return f"{one.name}<{', '.join(arguments)}>" if arguments else one.name


def _write_head(method: Method, one: JavaClass) -> str:
    """The first line of an own method."""
    given = ", ".join(f"{_fill_in(parameter.type, one)} {parameter.name}" for parameter in method.parameters)
    return f"public {_fill_in(method.returns, one)} {method.name}({given})"


def _fill_in(type_: str, one: JavaClass) -> str:
    """A type with the arguments of :func:`_write_type` for the type parameters of a class."""
    kinds = dict(zip(one.variables, _ARGUMENTS, strict=False))
    return re.sub(r"\w+", lambda word: kinds.get(word[0], word[0]), type_)


def _name_object(name: str) -> str:
    short = name.rpartition(".")[2]
    variable = short[:1].lower() + short[1:]
    return variable if variable != short and variable not in ("enum", "class", "default") else f"{variable}Object"
