"""Lists what a file of JavaScript offers to be called, with guesses of arguments and examples of its documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.driving import DriverCall
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.parameter_kinds import count_expected, guess_kind, is_test, split_name
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.frame.verbs import rank_method
from pytest_codereason.languages.javascript.syntax.tree import list_children, parse_source

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset(
    "function_declaration generator_function_declaration function_expression generator_function arrow_function".split()
)
_VALUES = {
    "number": ("3", "5", "12"),
    "start": ("1", "0", "2"),
    "end": ("3", "2", "9"),
    "iterable": ("[3, 1, 2, 3]", '["pear", "fig", "plum"]', "[[1, 2], [3, 4]]"),
    "mapping": ("{ a: 1, b: 2 }", '{ name: "fig", size: 3 }'),
    "text": ('"one two three"', '"Hello, World 42"', '"a,b;c"'),
    "path": ('"notes/plan.txt"',),
    "flag": ("true",),
    "": ("[3, 1, 2]", '"one two"', "7", "{ a: 1, b: 2 }"),
}
_DATES = ("new Date(2024, 1, 29)", "new Date(2021, 11, 5, 14, 30)")
_ARRAYS = "length|push|map|forEach|filter|reduce|slice|concat|join|sort|every|some"
_TEXTS = "charAt|charCodeAt|split|toLowerCase|toUpperCase|replace|trim|substring|substr|startsWith|endsWith|match"
_EXAMPLE = re.compile(r"^[ \t]*\*?[ \t]*@example[^\n]*\n(.*?)(?=^[ \t]*\*?[ \t]*@\w|\Z)", re.DOTALL | re.MULTILINE)


class Callable(NamedTuple):
    """A function or class at the top of a file."""

    name: str  #: as a trace has it within the file
    reach: str  #: what is written to call it: ``module.exports`` for a function without a name
    node: Node  #: the function or class
    whole: Node  #: the statement
    is_class: bool = False


def list_callables(tree: Tree) -> list[Callable]:
    """The functions and classes at the top of a file, those that are no others' own first."""
    found = dict[str, Callable]()
    for statement in tree.root.named_children:
        inner = statement.child_by_field_name("declaration") if statement.type == "export_statement" else statement
        for one in _read_statement(tree, inner or statement, statement):
            found.setdefault(one.reach, one)
    return list(found.values())


def _read_statement(tree: Tree, node: Node, whole: Node) -> Iterator[Callable]:
    name = node.child_by_field_name("name")
    if node.type in _FUNCTIONS and name is not None:
        yield Callable(tree.text(name), tree.text(name), node, whole)
    elif node.type == "class_declaration" and name is not None:
        yield Callable(tree.text(name), tree.text(name), node, whole, is_class=True)
    elif node.type in ("lexical_declaration", "variable_declaration"):
        for declarator in node.named_children:
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if (
                name is not None
                and name.type == "identifier"
                and value is not None
                and (function := _find_function(value))
            ):
                yield Callable(tree.text(name), tree.text(name), function, whole, function.type == "class")
    elif node.type == "expression_statement" and node.named_children[0].type == "assignment_expression":
        left = node.named_children[0].child_by_field_name("left")
        right = node.named_children[0].child_by_field_name("right")
        if left is not None and right is not None and (function := _find_function(right)):
            reach = tree.text(left)
            if re.fullmatch(r"(module\.)?exports(\.\w+)?", reach):
                name_left = reach.removeprefix("module.").removeprefix("exports.")
                yield Callable(name_left, reach, function, whole, function.type == "class")


def _find_function(value: Node) -> Node | None:
    """The function that a value is, or that a call makes another function of: ``curry(function (a, b) {})``."""
    if value.type in _FUNCTIONS or value.type == "class":
        return value
    if value.type == "call_expression" and (arguments := value.child_by_field_name("arguments")) is not None:
        inner = [child for child in list_children(arguments) if child.type in _FUNCTIONS]
        return inner[-1] if len(inner) == 1 else None
    return None


def propose_calls(tree: Tree, one: Callable, taken: frozenset[str]) -> Iterator[DriverCall]:
    """Calls of a function, or of the methods of a class on an object of it."""
    if not one.is_class:
        for arguments in guess_arguments(tree, one.node):
            yield DriverCall(one.name, f"{one.reach}({arguments})", (), "names")
        return
    body = one.node.child_by_field_name("body")
    methods = [
        child for child in (list_children(body) if body is not None else ()) if child.type == "method_definition"
    ]
    named = [(tree.text(key), method) for method in methods if (key := method.child_by_field_name("name")) is not None]
    constructor = next((method for name, method in named if name == "constructor"), None)
    lists = guess_arguments(tree, constructor)[:2] if constructor is not None else [""]
    variable = one.name[:1].lower() + one.name[1:]
    variable = variable if variable != one.name and variable not in taken else f"{variable}Object"
    for arguments in lists:
        setup = (f"const {variable} = new {one.reach}({arguments});",)
        for name, method in sorted(named, key=lambda pair: rank_method(pair[0])):
            words = {child.type for child in method.children}
            if not re.fullmatch(r"[A-Za-z]\w*", name) or name == "constructor" or "set" in words:
                continue
            holder = one.reach if "static" in words else variable
            if "get" in words:
                yield DriverCall(f"{one.name}.{name}", f"{holder}.{name}", setup, "names")
                continue
            for given in guess_arguments(tree, method)[:2]:
                yield DriverCall(f"{one.name}.{name}", f"{holder}.{name}({given})", setup, "names")


def guess_arguments(tree: Tree, function: Node) -> list[str]:
    """Some lists of arguments for a function, as text, the most plausible first."""
    parameters = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    nodes = [] if parameters is None else [parameters] if parameters.type == "identifier" else list_children(parameters)
    text = tree.read(function, "body")
    choices: list[Sequence[str]] = []
    for node in nodes:
        if node.type == "assignment_pattern":
            break
        if node.type == "rest_pattern":
            choices.append(("1, 2, 3",) if not is_test(tree.text(node)) else ("x => x > 1",))
        elif node.type == "identifier":
            choices.append(tuple(_guess(tree.text(node), text)))
        else:
            choices.append(("[1, 2, 3]",) if node.type == "array_pattern" else ("{ a: 1, b: 2 }",))
    ranks = range(max(map(len, choices), default=1))
    return [*dict.fromkeys(", ".join(found[min(rank, len(found) - 1)] for found in choices) for rank in ranks)]


def _guess(name: str, body: str) -> Sequence[str]:
    """Values for a parameter, as text."""
    word = re.escape(name)
    if called := re.search(rf"(?<![\w$.]){word}(?:\.(?:call|apply)\([^,()]*,?|\()([^()]*)\)", body):
        return _write_functions(called[1].count(",") + 1 if called[1].strip() else 0, is_test(name))
    if {"date", "dates"} & {*split_name(name)}:
        return _DATES
    if re.search(rf"(?<![\w$.]){word}\.(?:{_TEXTS})\b", body):
        return _VALUES["text"]
    kind = guess_kind(name)
    if kind == "callable":
        return _write_functions(count_expected(name), is_test(name))
    if kind in ("text", "mapping"):
        return _VALUES[kind]
    if re.search(rf"(?<![\w$.]){word}\.(?:{_ARRAYS})\b|\bof {word}\b", body):
        return _VALUES["iterable"]
    return _VALUES[kind]


def _write_functions(arity: int, test: bool) -> Sequence[str]:
    if arity == 0:
        return ("() => 7",)
    if test:
        return ("x => x > 1", "x => x.length > 3")
    if arity == 1:
        return ("x => x", "x => String(x)", "x => x * 2")
    letters = ", ".join("xyzuvw"[:arity])
    return (f"({letters}) => x + y", f"({letters}) => x")


def read_examples(tree: Tree, one: Callable, names: frozenset[str]) -> Iterator[DriverCall]:
    """The calls in the ``@example`` parts of the comment before a function, each with the declarations before it."""
    comment = one.whole.prev_named_sibling
    if comment is None or comment.type != "comment":
        return
    for example in _EXAMPLE.finditer(tree.text(comment).removesuffix("*/")):
        yield from _read_example(re.sub(r"^[ \t]*\* ?", "", example[1], flags=re.MULTILINE), one, names)


def _read_example(text: str, one: Callable, names: frozenset[str]) -> Iterator[DriverCall]:
    short = one.reach.rpartition(".")[2] if one.name != "exports" else ""
    if short:
        text = re.sub(rf"(?<![\w$.])[A-Za-z_$]\w*\.{re.escape(short)}\b(?=\()", one.reach, text)
    try:
        tree = parse_source(text)
    except DoesNotParse:
        return
    setup: list[str] = []
    for statement in list_children(tree.root):
        source = tree.text(statement).rstrip(";")
        if statement.type in ("import_statement", "export_statement") or "require(" in source:
            continue
        if statement.type == "expression_statement" and statement.named_children[0].type != "assignment_expression":
            if one.reach in source:
                yield DriverCall(one.name, source, tuple(setup), "documentation")
            else:
                setup.append(f"{source};")
        elif set(re.findall(r"\b(?:var|let|const|function|class)\s+([\w$]+)", source)) & names:
            return
        else:
            if (called := _find_result(tree, statement, one)) is not None:
                yield DriverCall(one.name, tree.text(called), tuple(setup), "documentation")
            setup.append(f"{source};" if statement.type != "function_declaration" else source)


def _find_result(tree: Tree, statement: Node, one: Callable) -> Node | None:
    """The call in ``const result = f(2)``."""
    declarators = [child for child in statement.named_children if child.type == "variable_declarator"]
    value = declarators[0].child_by_field_name("value") if len(declarators) == 1 else None
    called = value.child_by_field_name("function") if value is not None and value.type == "call_expression" else None
    return value if called is not None and tree.text(called) == one.reach else None
