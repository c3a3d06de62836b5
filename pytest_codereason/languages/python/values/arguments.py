"""Python: the arguments of a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from pytest_codereason.core import Arguments
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import Room
from pytest_codereason.languages.frame.literals import MAX_CHARS
from pytest_codereason.languages.python.values.literals import FLOATS, PythonReader, parse, refuse, write

_SEQUENCES = (str, bytes, list, tuple)
#: What may be called, beside ``set()`` and ``float('nan')``.
_COLLECTIONS: Mapping[str, Callable[..., Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
}
#: Methods of strings that may be called, by name and the types of their arguments.
_METHODS: Mapping[str, tuple[tuple[type, ...], ...]] = {
    "join": ((list,), (tuple,)),
    "split": ((), (str,)),
    "upper": ((),),
    "lower": ((),),
}


def read_arguments(text: str) -> Arguments:
    """The arguments of a call, with a text that is written from their values.

    Raises:
        NotALiteral: An argument is neither a literal nor a form that is worked out.
    """
    call, reader = _parse_call(text), _ArgumentReader()
    values = reader.values(call.args, 1)
    names = ["" for _ in values]
    for keyword in call.keywords:
        if keyword.arg is None:
            raise NotALiteral("not a literal: a mapping of arguments")
        names.append(keyword.arg)
        values.append(reader.value(keyword.value, 1))
    texts = (f"{name}={write(value)}" if name else write(value) for name, value in zip(names, values, strict=True))
    return Arguments(tuple(values), tuple(names), ", ".join(texts), literal=reader.literal)


def equal_expressions(left: str, right: str) -> bool:
    """Whether two texts of arguments have the same syntax tree."""
    try:
        return ast.dump(_parse_call(left)) == ast.dump(_parse_call(right))
    except NotALiteral:
        return False


def _parse_call(text: str) -> ast.Call:
    """The call of a function with the arguments ``text``."""
    if len(text) > MAX_CHARS:
        raise NotALiteral(f"longer than {MAX_CHARS:,} characters")
    call = parse(f"f({text})").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise NotALiteral("not the arguments of one call")
    return call


class _ArgumentReader(PythonReader):
    """Reads arguments: literals, and short forms that are worked out."""

    def __init__(self) -> None:
        super().__init__()
        self.literal = True
        self._room = Room()

    def values(self, nodes: list[ast.expr], depth: int) -> list[Any]:
        """The values of nodes; ``*[1, 2]`` gives two."""
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                self.literal = False
                values += self._list_items(self.value(node.value, depth), node)
            else:
                values.append(self.value(node, depth))
        return values

    def on_BinOp(self, node: ast.BinOp, depth: int) -> Any:
        left, right = self.value(node.left, depth), self.value(node.right, depth)
        if type(left) in _SEQUENCES or type(right) in _SEQUENCES:
            self.literal = False
            return self._combine(node.op, left, right)
        return self._room.hold(self.calculate(node.op, left, right))

    def _combine(self, operator: ast.operator, left: Any, right: Any) -> Any:
        """``'a' + 'b'``, ``[0] * 3``, ``3 * [0]``."""
        if isinstance(operator, ast.Mult) and type(left) is int:
            left, right = right, left
        if isinstance(operator, ast.Mult) and type(left) in _SEQUENCES and type(right) is int:
            return self._room.repeat_apart(left, right)
        if isinstance(operator, ast.Add) and type(left) is type(right):
            return self._room.join(left, right)
        raise NotALiteral("not a literal: an operator between these types")

    def on_Call(self, node: ast.Call, depth: int) -> Any:
        match node:
            case ast.Call(func=ast.Name(id="set"), args=[], keywords=[]):
                return set()
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(word))], keywords=[]) if (
                word in FLOATS
            ):
                return float(word)
        self.literal = False
        arguments = self.values(node.args, depth)
        match node:
            case ast.Call(func=ast.Name(id="range"), keywords=[]):
                return _make_range(arguments)
            case ast.Call(func=ast.Name(id=name)) if name in _COLLECTIONS:
                return self._collect(node, arguments, depth)
            case ast.Call(func=ast.Attribute(value=owner, attr=name), keywords=[]):
                return self._call_method(self.value(owner, depth), name, arguments, node)
        raise refuse(node)

    def _collect(self, node: ast.Call, arguments: list[Any], depth: int) -> Any:
        """``list(range(3))``, ``dict(a=1)``."""
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        named = {keyword.arg: self.value(keyword.value, depth) for keyword in node.keywords if keyword.arg}
        if len(named) != len(node.keywords) or (named and name != "dict") or len(arguments) > 1:
            raise refuse(node)
        if arguments and not (name == "dict" and isinstance(arguments[0], dict)):
            # The order of a set is not the same everywhere.
            ordered = name not in ("set", "frozenset")
            arguments = [self._list_items(arguments[0], node, ordered=ordered)]
        try:
            return self._room.hold(_COLLECTIONS[name](*arguments, **named))
        except (TypeError, ValueError) as error:
            raise NotALiteral(f"no {name} ({error})") from None

    def _list_items(self, value: Any, node: ast.expr, *, ordered: bool = True) -> list[Any]:
        """The items of what may be iterated over."""
        if isinstance(value, range):
            self._room.take(len(value))
        elif not isinstance(value, (str, bytes, list, tuple, dict) if ordered else (*_SEQUENCES, dict, set, frozenset)):
            raise refuse(node)
        items = list(value)
        self._room.take(len(items))
        return items

    def _call_method(self, owner: Any, name: str, arguments: list[Any], node: ast.Call) -> Any:
        """``'-'.join(['a', 'b'])``."""
        if type(owner) is not str or tuple(map(type, arguments)) not in _METHODS.get(name, ()):
            raise refuse(node)
        if name == "join":
            self._room.take(len(owner) * len(arguments[0]))
        try:
            return self._room.hold(getattr(owner, name)(*arguments))
        except (TypeError, ValueError) as error:
            raise NotALiteral(f"no string ({error})") from None


def _make_range(arguments: list[Any]) -> range:
    try:
        made = range(*arguments)
        len(made)
    except (TypeError, ValueError, OverflowError) as error:
        raise NotALiteral(f"not a range ({error})") from None
    return made
