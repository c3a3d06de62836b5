"""Guesses arguments for functions of Python, from annotations, from names and from what a body does."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence
from typing import Any

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.languages.frame.parameter_kinds import count_expected, guess_kind, is_test

_VALUES = {
    "number": ("3", "5", "12"),
    "start": ("1", "0", "2"),
    "end": ("3", "2", "9"),
    "iterable": ("[3, 1, 2, 3]", "['pear', 'fig', 'plum', 'fig']", "[(1, 'one'), (2, 'two')]"),
    "mapping": ("{'a': 1, 'b': 2}", "{'pear': [1, 2], 'fig': [3]}"),
    "text": ("'one two three'", "'Hello, World 42'", "'a,b;c'"),
    "path": ("'notes/plan.txt'",),
    "flag": ("True",),
    "": ("[3, 1, 2]", "'one two'", "7", "{'a': 1, 'b': 2}"),
}
_TEXT_METHODS = frozenset(
    "split strip lower upper replace startswith endswith splitlines encode isdigit isalpha lstrip rstrip join title"
    " format partition rpartition isupper islower isspace capitalize".split()
)
_MAPPING_METHODS = frozenset("items keys values get setdefault".split())
_ORIGINS = {
    "Optional": "Union",
    "List": "list",
    "Dict": "dict",
    "Tuple": "tuple",
    "Set": "set",
    "FrozenSet": "frozenset",
}


def guess_arguments(function: ast.FunctionDef | ast.AsyncFunctionDef, draws: Draws, skip: int = 0) -> list[str]:
    """Some lists of arguments for a function, as text, the most plausible first.

    Args:
        function: The function.
        draws: Decides which values are drawn where a type is known.
        skip: How many parameters at the start are not to be given, such as ``self``.
    """
    given = [*function.args.posonlyargs, *function.args.args][skip:]
    optional = given[len(given) - len(function.args.defaults) :] if function.args.defaults else []
    needed = [parameter for parameter in given if parameter not in optional]
    choices = [_guess(parameter, function, draws) for parameter in needed]
    if function.args.vararg:
        name = function.args.vararg.arg
        values: Sequence[str] = ("str", "len") if name in ("funcs", "functions") else ()
        choices += [values or ("[1, 2, 3]", "'abc'", "4"), values or ("[4, 5, 6]", "'xyz'", "5")]
    keywords = [
        (parameter, _guess(parameter, function, draws))
        for parameter, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if default is None
    ]
    lists = []
    for rank in range(max([len(found) for found in choices], default=1)):
        values = [found[min(rank, len(found) - 1)] for found in choices]
        values += [f"{parameter.arg}={found[min(rank, len(found) - 1)]}" for parameter, found in keywords]
        lists.append(", ".join(values))
    lists += _add_options(lists[0], function, optional, draws)
    return list(dict.fromkeys(lists))


def is_typed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether every parameter that must be given has an annotation, ``self`` apart."""
    given = [*function.args.posonlyargs, *function.args.args]
    needed = given[: len(given) - len(function.args.defaults)]
    return bool(needed) and all(parameter.annotation or parameter.arg in ("self", "cls") for parameter in needed)


def _add_options(
    arguments: str, function: ast.FunctionDef | ast.AsyncFunctionDef, optional: Sequence[ast.arg], draws: Draws
) -> list[str]:
    """The arguments with one optional parameter given besides, for some of them."""
    defaults = [*zip(optional, function.args.defaults, strict=False)]
    defaults += [(p, d) for p, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if d]
    lists = []
    for parameter, default in defaults[:3]:
        if isinstance(default, ast.Constant) and isinstance(default.value, bool):
            value = str(not default.value)
        elif isinstance(default, ast.Constant) and type(default.value) is int:
            value = str(default.value + 2)
        elif guess_kind(parameter.arg):
            value = _guess(parameter, function, draws)[0]
        else:
            continue
        lists.append(", ".join(filter(None, (arguments, f"{parameter.arg}={value}"))))
    return lists


def _guess(parameter: ast.arg, function: ast.AST, draws: Draws) -> Sequence[str]:
    """Values for a parameter, as text."""
    if parameter.annotation is not None and (values := _draw_values(parameter.annotation, draws)):
        return values
    kind, arity = _observe(parameter.arg, function)
    kind = kind or guess_kind(parameter.arg)
    if kind == "callable":
        return _write_functions(arity or count_expected(parameter.arg), is_test(parameter.arg))
    return _VALUES[kind]


def _write_functions(arity: int, test: bool) -> Sequence[str]:
    if arity == 0:
        return ("lambda: 7", "list")
    if arity == 1:
        if test:
            return ("lambda x: x > 1", "lambda x: len(x) > 3", "bool")
        return ("lambda x: x", "str", "len")
    letters = "xyzuvw"[:arity]
    return (f"lambda {', '.join(letters)}: {' + '.join(letters)}", f"lambda {', '.join(letters)}: x")


def _observe(name: str, function: ast.AST) -> tuple[str, int]:
    """The kind of a parameter by what the body does with it, and the number of arguments if it is called."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            return "callable", 2 if starred else len(node.args)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            if node.attr in _TEXT_METHODS:
                return "text", 0
            if node.attr in _MAPPING_METHODS:
                return "mapping", 0
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Name) and node.iter.id == name:
            return "text" if guess_kind(name) == "text" else "iterable", 0
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "islice"):
            limit = node.args[-1] if node.args else None
            if isinstance(limit, ast.Name) and limit.id == name:
                return "number", 0
    return "", 0


def _draw_values(annotation: ast.expr, draws: Draws) -> list[str]:
    """Values of a type, drawn by Hypothesis with a fixed seed; none if the type is not known."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    try:
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = parse(annotation.value, "eval").body
        strategy = _find_strategy(annotation)
    except (KeyError, *NO_TREE):
        return []
    if isinstance(strategy, str):
        return [strategy]
    drawn: list[str] = []

    @seed(draws.below(1 << 30))
    @settings(
        max_examples=12, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(strategy)
    def collect(value: Any) -> None:
        drawn.append(repr(value))

    collect()
    plain = [text for text in dict.fromkeys(drawn) if len(text) <= 60 and not re.search(r"<| at 0x|nan|inf", text)]
    return sorted(plain, key=lambda text: not _says_much(text))[:3]


def _says_much(text: str) -> bool:
    return text not in ("0", "0.0", "''", "b''", "[]", "{}", "()", "set()", "False", "None")


def _find_strategy(node: ast.expr) -> Any:
    """The strategy for a type, or the text of a function where the type is one.

    Raises:
        KeyError: The type is not known here.
    """
    from hypothesis import strategies as st

    if isinstance(node, ast.Constant) and node.value is None:
        return st.none()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _find_first([node.left, node.right])
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]
    name = _ORIGINS.get(name, name)
    inner: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    match name:
        case "Callable":
            arity = len(inner[0].elts) if inner and isinstance(inner[0], ast.List) else 1
            returns = ast.unparse(inner[-1]) if len(inner) > 1 else ""
            return _write_functions(arity, returns == "bool")[0]
        case "Union":
            return _find_first(inner)
        case "Literal":
            return st.sampled_from([ast.literal_eval(value) for value in inner])
    found = _find_collection(name, inner)
    return _find_plain(name) if found is None else found


def _find_collection(name: str, inner: Sequence[ast.expr]) -> Any:
    """The strategy for a collection of elements of some types; ``None`` if the name is not that of a collection."""
    from hypothesis import strategies as st

    if name in ("list", "Sequence", "Iterable", "Collection", "MutableSequence"):
        return st.lists(_find_strategy(inner[0]) if inner else _find_plain("int"), min_size=2, max_size=5)
    if name in ("set", "frozenset", "AbstractSet", "MutableSet"):
        return st.frozensets(_find_strategy(inner[0]) if inner else _find_plain("int"), min_size=1, max_size=4)
    if name in ("dict", "Mapping", "MutableMapping"):
        keys, values = map(_find_strategy, inner) if len(inner) == 2 else map(_find_plain, ("str", "int"))
        return st.dictionaries(keys, values, min_size=1, max_size=3)
    if name == "tuple" and inner:
        if isinstance(inner[-1], ast.Constant) and inner[-1].value is ...:
            return st.lists(_find_strategy(inner[0]), min_size=2, max_size=4).map(tuple)
        return st.tuples(*map(_find_strategy, inner))
    return None


def _find_plain(name: str) -> Any:
    """The strategy for a type without parts, with values that a person might write."""
    from hypothesis import strategies as st

    if name in ("str", "AnyStr", "Hashable"):
        return st.sampled_from(["fig", "pear", "plum", "one two", "Ada", "a-b_c", "x1", "HELLO", "42"])
    if name in ("int", "object", "Any", "T", "Number", "Real"):
        return st.integers(0, 12)
    if name == "float":
        return st.sampled_from([0.5, 1.5, 2.0, 3.25, 10.0])
    if name == "bytes":
        return st.sampled_from([b"fig", b"pear plum", b"\x00\x01"])
    if isinstance(kind := getattr(builtins, name, None), type) and not issubclass(kind, BaseException):
        return st.from_type(kind)
    raise KeyError(name)


def _find_first(nodes: Sequence[ast.expr]) -> Any:
    """The strategy of the first type that is known and is not ``None``."""
    for node in nodes:
        if ast.unparse(node) != "None":
            try:
                return _find_strategy(node)
            except KeyError:
                continue
    raise KeyError("Union")
