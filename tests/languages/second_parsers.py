"""What would be run, read by parsers that the package does not read answers with.

Each reader takes nothing but data: literals, collections, and the few names that the package writes. Anything else is a
failure.
"""

from __future__ import annotations

import ast
import base64
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_codereason.languages.java.values.forms import ArgumentForm, Type
from pytest_codereason.languages.javascript.values import UNDEFINED, BigInt
from pytest_codereason.languages.javascript.values.literals import Collection, convert_number

Named = list[tuple[str, Any]]  #: the name of each argument's parameter, and the argument


def read_python(text: str) -> Named:
    """The arguments, by tree-sitter."""
    import tree_sitter
    import tree_sitter_python

    root = (
        tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language())).parse(f"f({text})".encode()).root_node
    )
    assert not root.has_error, text
    [statement] = root.named_children
    [call] = statement.named_children
    assert call.type == "call"
    assert (call.start_byte, call.end_byte) == (0, len(f"f({text})".encode()))
    function, arguments = call.named_children
    assert function.type == "identifier"
    return [_read_python_argument(node) for node in arguments.named_children]


def _read_python_argument(node: Any) -> tuple[str, Any]:
    if node.type != "keyword_argument":
        return "", _read_python_value(node)
    name, value = node.named_children
    return name.text.decode(), _read_python_value(value)


def _read_python_value(node: Any) -> Any:
    inside = node.named_children
    text = node.text.decode()
    match node.type:
        case "integer" | "float" | "true" | "false" | "none":
            return ast.literal_eval(text)
        case "string":
            assert {child.type for child in inside} <= {"string_start", "string_content", "string_end"}
            return ast.literal_eval(text)
        case "unary_operator":
            assert text.startswith("-")
            return -_read_python_value(inside[0])
        case "list":
            return [*map(_read_python_value, inside)]
        case "tuple":
            return tuple(map(_read_python_value, inside))
        case "set":
            return set(map(_read_python_value, inside))
        case "dictionary":
            return {
                _read_python_value(pair.named_children[0]): _read_python_value(pair.named_children[1])
                for pair in inside
            }
        case "call":
            name, arguments = inside[0].text.decode(), [*map(_read_python_value, inside[1].named_children)]
            return {"float": float, "set": set, "frozenset": frozenset, "range": range}[name](*arguments)
    raise AssertionError(f"{node.type}: {text}")


def read_javascript(text: str) -> Named:
    """The arguments, by esprima, which knows no BigInt."""
    import esprima

    known = re.sub(r'"(?:\\.|[^"\\])*"|(?<![\w$])(\d+)n\b', lambda m: f'new BigInt("{m[1]}")' if m[1] else m[0], text)
    [statement] = esprima.parseScript(f"f({known})").body
    assert statement.expression.type == "CallExpression"
    assert statement.expression.callee.name == "f"
    return [("", _read_javascript_value(node)) for node in statement.expression.arguments]


def _read_javascript_value(node: Any) -> Any:
    match node.type:
        case "Literal":
            assert node.regex is None
            value = node.value
            return (
                convert_number(float(node.raw)) if isinstance(value, int | float) and node.raw[0].isdigit() else value
            )
        case "Identifier":
            return {"NaN": float("nan"), "Infinity": float("inf"), "undefined": UNDEFINED}[node.name]
        case "UnaryExpression":
            assert node.operator == "-"
            number = _read_javascript_value(node.argument)
            return BigInt(-number) if isinstance(number, BigInt) else convert_number(-float(number))
        case "ArrayExpression":
            return [*map(_read_javascript_value, node.elements)]
        case "ObjectExpression":
            return dict(map(_read_javascript_property, node.properties))
        case "NewExpression":
            [argument] = [*map(_read_javascript_value, node.arguments)]
            return BigInt(argument) if node.callee.name == "BigInt" else Collection(node.callee.name, tuple(argument))
    raise AssertionError(node.type)


def _read_javascript_property(node: Any) -> tuple[str, Any]:
    assert (node.kind, node.method, node.shorthand) == ("init", False, False)
    if node.key.type == "Literal":
        assert node.computed == (node.key.value == "__proto__")
        return node.key.value, _read_javascript_value(node.value)
    assert not node.computed
    return node.key.name, _read_javascript_value(node.value)


def read_java(text: str) -> list[ArgumentForm]:
    """The forms, by javalang."""
    from javalang.parse import parse_expression

    call = parse_expression(f"f({text})")
    assert (type(call).__name__, call.member, call.selectors) == ("MethodInvocation", "f", [])
    return [*map(_read_java_form, call.arguments)]


def _read_java_form(node: Any) -> ArgumentForm:
    assert not getattr(node, "selectors", None)
    assert not getattr(node, "postfix_operators", None)
    signs = "".join(getattr(node, "prefix_operators", None) or ())
    assert signs in ("", "-")
    match type(node).__name__:
        case "Literal":
            return ArgumentForm("literal", signs + node.value)
        case "MemberReference":
            assert not signs
            return ArgumentForm("literal", f"{node.qualifier}.{node.member}")
        case "Cast":
            return ArgumentForm("cast", _read_java_type(node.type), (_read_java_form(node.expression),))
        case "ArrayCreator":
            element = _read_java_type(node.type)
            whole = Type(element.name, element.arguments, len(node.dimensions))
            return ArgumentForm("array", whole, _read_java_forms(node.initializer.initializers))
        case "ArrayInitializer":
            return ArgumentForm("braces", parts=_read_java_forms(node.initializers))
        case "MethodInvocation":
            assert not node.type_arguments
            name = f"{node.qualifier}.{node.member}" if node.qualifier else node.member
            return ArgumentForm("call", name, _read_java_forms(node.arguments))
        case "ClassCreator":
            assert not node.constructor_type_arguments
            filling = tuple(_read_java_form(line.expression) for block in node.body or () for line in block)
            return ArgumentForm("new", _read_java_type(node.type), _read_java_forms(node.arguments), filling)
    raise AssertionError(type(node).__name__)


def _read_java_forms(nodes: Sequence[Any]) -> tuple[ArgumentForm, ...]:
    return tuple(map(_read_java_form, nodes))


def _read_java_type(node: Any) -> Type:
    names, last = [node.name], node
    while getattr(last, "sub_type", None):
        last = last.sub_type
        names.append(last.name)
    inside = getattr(last, "arguments", None)
    arguments = None if inside is None else tuple(_read_java_type(argument.type) for argument in inside)
    return Type(".".join(names), arguments, len(node.dimensions or ()))


_PHP = r"""
while (($line = fgets(STDIN)) !== false) {
    $tokens = [];
    foreach (PhpToken::tokenize("<?php f(" . base64_decode($line) . ");") as $token) {
        $string = $token->id === T_CONSTANT_ENCAPSED_STRING;
        if ($token->id !== T_WHITESPACE && $token->id !== T_OPEN_TAG) {
            $text = base64_encode($string ? eval("return $token->text;") : $token->text);
            $tokens[] = [$token->getTokenName(), $text];
        }
    }
    echo json_encode($tokens), "\n";
}
"""
_PHP_WORDS = {"null": None, "true": True, "false": False, "NAN": float("nan"), "INF": float("inf")}


def read_php(texts: Sequence[str]) -> Iterator[Named]:
    """The arguments of each text, by php's own tokens. A string is worked out by php once it is a constant string."""
    asked = b"".join(base64.b64encode(text.encode("utf-8", "surrogateescape")) + b"\n" for text in texts)
    done = subprocess.run(
        ["php", "-n", "-d", "extension=tokenizer", "-r", _PHP], input=asked, capture_output=True, check=True
    )
    for text, line in zip(texts, done.stdout.splitlines(), strict=True):
        tokens = [(name, base64.b64decode(raw).decode("utf-8", "surrogateescape")) for name, raw in json.loads(line)]
        assert tokens[:2] + tokens[-2:] == [("T_STRING", "f"), ("(", "("), (")", ")"), (";", ";")], text
        reader = _PHPTokens(tokens[2:-2])
        yield reader.read_arguments()


class _PHPTokens:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens[::-1]

    def _next_is(self, kind: str) -> bool:
        if self._tokens and self._tokens[-1][0] == kind:
            self._tokens.pop()
            return True
        return False

    def read_arguments(self) -> Named:
        arguments: Named = []
        while self._tokens:
            named = len(self._tokens) > 1 and self._tokens[-2][0] == ":"
            name = f"{self._tokens.pop()[1]}:" if named else ""
            assert not named or self._next_is(":")
            arguments.append((name, self._read_value()))
            assert not self._tokens or self._next_is(",")
        return arguments

    def _read_value(self) -> Any:
        kind, text = self._tokens.pop()
        match kind:
            case "-":
                return -self._read_value()
            case "T_LNUMBER":
                return int(text)
            case "T_DNUMBER":
                return float(text)
            case "T_CONSTANT_ENCAPSED_STRING":
                return text
            case "T_STRING" if text == "PHP_INT_MIN":
                return -(2**63)
            case "T_STRING":
                return _PHP_WORDS[text]
        assert kind == "[", kind
        return self._read_array()

    def _read_array(self) -> Any:
        values: dict[Any, Any] = {}
        bare = True
        while not self._next_is("]"):
            value = self._read_value()
            if self._next_is("T_DOUBLE_ARROW"):
                bare = False
                values[value] = self._read_value()
            else:
                values[len(values)] = value
            assert self._next_is(",") or self._tokens[-1][0] == "]"
        return [*values.values()] if bare else values
