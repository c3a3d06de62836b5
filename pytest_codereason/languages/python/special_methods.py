"""The methods that Python calls by itself."""

from __future__ import annotations

import ast

#: The method behind an operator, without its underscores.
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.BitAnd: "and",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}
_ITERATES = ("__iter__", "__next__")
#: The methods that a built-in function may call of its first argument; ``<`` and ``>`` of the items.
CONVERSIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "sum", "any", "all", "enumerate", "zip", "map"), _ITERATES),
    **dict.fromkeys(("min", "max", "sorted"), (*_ITERATES, "__lt__", "__gt__")),
    "dict": (*_ITERATES, "keys", "__getitem__"),
    "len": ("__len__",),
    "str": ("__str__", "__repr__"),
    "print": ("__str__", "__repr__"),
    "repr": ("__repr__",),
    "format": ("__format__", "__str__"),
    "iter": ("__iter__",),
    "next": ("__next__",),
    "bool": ("__bool__", "__len__"),
    "hash": ("__hash__",),
    "abs": ("__abs__",),
    "int": ("__int__", "__index__"),
    "float": ("__float__",),
    "round": ("__round__",),
    "reversed": ("__reversed__", "__len__", "__getitem__"),
}
