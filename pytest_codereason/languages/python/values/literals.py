"""Reads, writes and compares Python values. Literals are read with :mod:`ast` and never evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections import Counter
from types import NoneType
from typing import Any

from pytest_codereason.core import Value
from pytest_codereason.core.text import python_trees
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import (
    MAX_BITS,
    MAX_CHARS,
    check_size,
    count_level,
    raise_power,
    strip_blanks,
    unify_nan,
)

_NUMBERS = (int, float)
_OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_WORDS = {"True": True, "False": False, "None": None}
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,17})|True|False|None")
#: What the parser warns of: an unknown escape, and a word right behind a number.
_WARNS = re.compile(r"\\|[0-9][A-Za-z]")
#: Levels of nesting that the harness writes.
MAX_DEPTH = 100
#: The types of values that are compared by ``==`` alone.
_SCALARS = frozenset({int, str, bool, bytes, type(None)})
#: The types of collections that have a literal, and levels of them that are read for sure.
_COLLECTIONS, _SHALLOW = frozenset({list, tuple, set, dict}), 50
#: How Python prints the floats that have no literal, and how ``float('...')`` spells them.
FLOATS = frozenset({"nan", "inf", "-inf"})


def read(text: str) -> Value:
    """The value of a literal.

    Besides what ``ast.literal_eval`` takes (less complex numbers and ``...``): ``nan`` and
    ``inf`` as Python prints them, ``float('nan')``, ``float('inf')``, and arithmetic.
    """
    if _PLAIN.fullmatch(text):  # most answers, without a parser
        return Value(_WORDS[text] if text in _WORDS else int(text))
    reader = PythonReader()
    value = reader.value(parse(strip_blanks(text)).body, 0)
    return Value(value, reader.unresolved)


def parse(text: str) -> ast.Expression:
    """The tree of one expression.

    Raises:
        NotALiteral: The text is not an expression.
    """
    try:
        if not _WARNS.search(text):
            return python_trees.parse(text, "eval")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape such as '\d' still is a literal
            return python_trees.parse(text, "eval")
    except python_trees.NO_TREE as error:
        raise NotALiteral(f"not one expression ({getattr(error, 'msg', None) or 'cannot be parsed'})") from None


#: Types of most values, whose ``repr`` is their literal.
_WRITTEN_BY_REPR = frozenset({int, str, bool, NoneType, bytes})


def write(value: Any) -> str:
    """The literal of a value. The elements of a set are sorted by their text."""
    if type(value) in _WRITTEN_BY_REPR:
        return repr(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    if isinstance(value, tuple):
        return f"({write(value[0])},)" if len(value) == 1 else f"({', '.join(map(write, value))})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{write(k)}: {write(v)}' for k, v in value.items())}}}"
    if isinstance(value, set):
        return f"{{{', '.join(sorted(map(write, value)))}}}" if value else "set()"
    if isinstance(value, frozenset):
        return f"frozenset({write(set(value)) if value else ''})"
    return repr(value)


#: Characters of the longest text of a value of these types, for each of its characters.
_WIDTHS: dict[type, int] = {str: len(r"\U0001f600"), bytes: len(r"\xff")}
#: Characters of an item beside its own text: ``, `` and the brackets.
_BESIDE = 4


def has_exact_literal(value: Any) -> bool:
    """Whether reading the literal of a value surely gives the value. True of most values, at the cost of a glance."""
    return _bound_literal(value, 0) <= MAX_CHARS


def _bound_literal(value: Any, depth: int) -> float:
    """No fewer characters than the literal has; infinite where the literal may give another value, or none."""
    kind = type(value)
    if kind in _WIDTHS:
        return _WIDTHS[kind] * len(value) + _BESIDE
    if kind is int:
        return value.bit_length() + _BESIDE if value.bit_length() <= MAX_BITS else math.inf
    if kind is bool or value is None:
        return len("False")
    if kind is float:
        return len(repr(value)) if math.isfinite(value) else math.inf
    if depth == _SHALLOW or kind not in _COLLECTIONS:
        return math.inf
    items = [*value, *value.values()] if kind is dict else value
    return sum([_bound_literal(item, depth + 1) + _BESIDE for item in items]) + len("set()")


def equal(left: Any, right: Any) -> bool:
    """Whether ``left == right``, and all types within them agree."""
    kind = type(left)
    if kind is type(right):
        if kind in _SCALARS:
            return bool(left == right)
        if kind is list or kind is tuple:
            return len(left) == len(right) and all(map(equal, left, right))
    return bool(_tag_types(left) == _tag_types(right))


def _tag_types(value: Any) -> Any:
    """``value`` with its types, so that ``==`` compares them. Keys are counted, because several may be NaN."""
    kind = type(value).__name__
    if isinstance(value, (list, tuple)):
        return kind, tuple(map(_tag_types, value))
    if isinstance(value, dict):
        return kind, frozenset(Counter((_tag_types(k), _tag_types(v)) for k, v in value.items()).items())
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(Counter(map(_tag_types, value)).items())
    return kind, unify_nan(value) if isinstance(value, float) else value


class PythonReader:
    """Walks the tree of one literal."""

    def __init__(self) -> None:
        self.unresolved = False

    def value(self, node: ast.expr, depth: int) -> Any:
        read = getattr(self, f"on_{type(node).__name__}", None)
        if read is None:
            raise refuse(node)
        return read(node, count_level(depth))

    def values(self, nodes: list[ast.expr], depth: int) -> list[Any]:
        return [self.value(n, depth) for n in nodes]

    def on_Constant(self, node: ast.Constant, _: int) -> Any:
        if isinstance(node.value, complex) or node.value is ...:
            raise refuse(node)
        return check_size(node.value) if type(node.value) is int else node.value

    def on_List(self, node: ast.List, depth: int) -> list[Any]:
        return self.values(node.elts, depth)

    def on_Tuple(self, node: ast.Tuple, depth: int) -> tuple[Any, ...]:
        return tuple(self.values(node.elts, depth))

    def on_Set(self, node: ast.Set, depth: int) -> set[Any]:
        return set(self.keys(node.elts, depth))

    def on_Dict(self, node: ast.Dict, depth: int) -> dict[Any, Any]:
        written = [n for n in node.keys if n is not None]
        if len(written) < len(node.values):  # `{**other}` has no key
            raise refuse(node)
        return dict(zip(self.keys(written, depth), self.values(node.values, depth), strict=True))

    def on_UnaryOp(self, node: ast.UnaryOp, depth: int) -> Any:
        number = self.value(node.operand, depth)
        if type(number) not in _NUMBERS or not isinstance(node.op, (ast.USub, ast.UAdd)):
            raise refuse(node)
        return -number if isinstance(node.op, ast.USub) else number

    def on_Name(self, node: ast.Name, _: int) -> float:
        if node.id not in FLOATS:
            raise refuse(node)
        return float(node.id)  # a NaN of its own each time: a dict may have several as keys

    def on_Call(self, node: ast.Call, _: int) -> Any:
        match node:
            case ast.Call(func=ast.Name(id="set"), args=[], keywords=[]):
                return set()
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(word))], keywords=[]) if (
                word in FLOATS
            ):
                return float(word)
        raise refuse(node)

    def keys(self, nodes: list[ast.expr], depth: int) -> list[Any]:
        keys = self.values(nodes, depth)
        try:
            hash(tuple(keys))
        except TypeError:
            raise NotALiteral("a list, set or dict inside a set or as a key") from None
        return keys

    def on_BinOp(self, node: ast.BinOp, depth: int) -> Any:
        return self.calculate(node.op, self.value(node.left, depth), self.value(node.right, depth))

    def calculate(self, sign: ast.operator, left: Any, right: Any) -> Any:
        """Arithmetic between two numbers."""
        if type(left) not in _NUMBERS or type(right) not in _NUMBERS:
            raise NotALiteral("not a literal: an operator between values that are not numbers")
        self.unresolved = True
        try:
            if isinstance(sign, ast.Pow):
                whole = isinstance(left, int) and isinstance(right, int) and right >= 0
                result = raise_power(left, right) if whole else left**right
            elif type(sign) in _OPERATORS:
                result = _OPERATORS[type(sign)](left, right)
            else:
                raise NotALiteral("not a literal: an operator that is not arithmetic")
        except (ArithmeticError, ValueError) as error:
            raise NotALiteral(f"arithmetic without a result ({error})") from None
        if type(result) not in _NUMBERS:
            raise NotALiteral("not a literal: a complex number")
        return check_size(result) if isinstance(result, int) else result


def refuse(node: ast.expr) -> NotALiteral:
    """The error for a node. It names the node's type in words: ``list comp`` for ``ListComp``."""
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in type(node).__name__).strip()
    return NotALiteral(f"not a literal: {words}")


def decode(payload: Any, depth: int = 0) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: the harness does not write such a value.
        NotALiteral: the value has an integer that is too large for a literal.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(payload, list):
        return [decode(item, depth + 1) for item in payload]
    if not isinstance(payload, dict):
        return payload
    match list(payload.items()):
        case [("int", str(digits))]:
            return check_size(int(digits, 16))
        case [("float", "nan" | "inf" | "-inf" as word)]:
            return float(word)
        case [("utf-32", str(digits))]:
            return bytes.fromhex(digits).decode("utf-32-be", "surrogatepass")
        case [("bytes", str(digits))]:
            return bytes.fromhex(digits)
        case [("tuple", list(items))]:
            return tuple([decode(item, depth + 1) for item in items])
        case [("set" | "frozenset" as kind, list(items))]:
            members = [decode(item, depth + 1) for item in items]
            return _collect_hashed(set if kind == "set" else frozenset, members)
        case [("dict", list(pairs))] if all(isinstance(p, list) and len(p) == 2 for p in pairs):
            return _collect_hashed(dict, [(decode(k, depth + 1), decode(v, depth + 1)) for k, v in pairs])
    raise ValueError("not in the form that the harness writes")


def _collect_hashed(kind: Any, members: list[Any]) -> Any:
    try:
        return kind(members)
    except TypeError as error:
        raise ValueError(str(error)) from None
