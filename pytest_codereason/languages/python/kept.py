"""Where a driver of Python keeps a function of the file so that the file may call it.

Example: the file has ``def add`` and imports ``money``. A stub ``class money`` with ``show = add`` keeps ``add``,
``money.show = lambda x: add(x)`` does so too, and so does ``HELD.append(add)`` if ``HELD`` is a list of the file.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from pytest_codereason.languages.frame.additions import Flow, spread
from pytest_codereason.languages.python.scopes import list_bound, list_inside, walk_scopes

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = _Function | ast.ClassDef


class KeptNames:
    """What of a file the additions of a driver keep."""

    def __init__(
        self,
        added: Sequence[ast.stmt],
        *,
        own: frozenset[str],
        definitions: Collection[str],
        stubs: frozenset[str],
        outside: Collection[str],
    ) -> None:
        """Takes the statements that a driver added.

        Args:
            own: the functions and classes at the top of the file.
            definitions: all its functions, methods and classes.
            stubs: the names that stand for what the file imports.
            outside: the names of modules and of the language, which keep nothing for the file.
        """
        self._added, self._own, self._definitions = added, own, definitions
        self._stubs, self._outside = stubs, outside
        methods = {f".{name}" for name in definitions}
        self._leading = spread(own | methods, [*self._list_flows()])

    def find(self, node: ast.AST, mine: frozenset[str]) -> str:
        """A function of the file, or what leads to one, that is put where the file may call it.

        It may be called, and given to a function. It may not be in a stub, in an attribute, or in a container of the
        file. ``mine``: the driver's own names that are seen there.
        """
        if isinstance(node, _Definition) and node.name in self._stubs:
            return next((name for name in _list_free_names(node) if name in self._leading), "")
        own = mine.union(list_bound(list_inside(node))) - self._stubs
        for place, value in self._list_given(node):
            if isinstance(place, ast.Name) and place.id in own:
                plain = isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
                kept = [name for name in self._list_held(value, given=False) if plain and name in self._own]
            else:
                kept = [name for name in self._list_held(value) if name in self._leading]
            if kept:
                return kept[0].strip(".()")
        return ""

    def _list_flows(self) -> Iterator[Flow]:
        """How the functions of the file come into names of the driver."""
        nodes = [inner for one in self._added for inner in ast.walk(one)]
        taken = {node.name: _list_parameters(node.args) for node in nodes if isinstance(node, _Function)}
        for node in nodes:
            if isinstance(node, _Definition):
                yield Flow(frozenset({node.name}), frozenset(_list_free_names(node)))
            if isinstance(node, ast.ClassDef):
                body = frozenset(name for each in node.body for name in _list_free_names(each))
                yield Flow(frozenset({f"{node.name}()"}), body)
            if isinstance(node, _Function):
                yield Flow(frozenset({f"{node.name}()"}), self._hold(_list_results(node)))
            if isinstance(node, _Function | ast.Lambda):
                defaults = [each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
                yield Flow(_list_parameters(node.args), self._hold(defaults))
            if isinstance(node, ast.Call) and (name := _name_called(node)) in taken:
                yield Flow(taken[name], self._hold(_list_arguments(node)))
            for target, value in self._list_given(node):
                yield Flow(frozenset({_find_root(target)}), self._hold([value]))

    def _hold(self, values: Iterable[ast.expr]) -> frozenset[str]:
        return frozenset(name for value in values for name in self._list_held(value))

    def _list_given(self, node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
        """The places that a node gives something, each with what it is given: ``x`` and ``a`` in ``x.append(a)``."""
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((place, value) for target in targets for place in _list_places(target))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                yield from ((place, value) for place in _list_places(target))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield from ((place, value) for place in _list_places(target))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                yield from ((place, each.iter) for each in node.generators for place in _list_places(each.target))
            case ast.withitem(optional_vars=ast.expr() as target, context_expr=value):
                yield from ((place, value) for place in _list_places(target))
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                value = ast.Name(node.name, ast.Load())
                calls = (each if isinstance(each, ast.Call) else ast.Call(each, [], []) for each in node.decorator_list)
                yield from (pair for call in calls for pair in self._list_given(ast.Call(call.func, [value], [])))
            case ast.Call(func=func):
                match func:
                    case ast.Attribute(attr=attr, value=place) if attr not in self._definitions:
                        kept = _find_root(place) not in {"", *self._outside}
                    case place:
                        kept = isinstance(place, ast.Name) and place.id in self._stubs
                if kept:
                    yield from ((place, value) for value in _list_arguments(node))

    def _list_held(self, node: ast.AST, *, given: bool = True) -> Iterator[str]:
        """The names of what a value may hold: ``f`` for a function, ``.f`` for a method, ``f()`` for a result of it.

        Args:
            given: whether the result of a call may hold what the call is given by its name.
        """
        waiting = [node]
        while waiting:
            match inner := waiting.pop():
                case ast.Call(func=func):
                    waiting += [each for each in _list_arguments(inner) if given or not isinstance(each, ast.Name)]
                    yield f"{_name_called(inner)}()"
                    holder = func.value if isinstance(func, ast.Attribute) else func
                    direct = isinstance(holder, ast.Name) and (holder is func or holder.id in self._own)
                    waiting += [] if direct else [holder]
                case ast.Lambda():
                    yield from _list_free_names(inner)
                case ast.Attribute(attr=attr, value=value):
                    yield f".{attr}"
                    class_of_file = isinstance(value, ast.Name) and value.id in self._own and not attr.startswith("__")
                    waiting += [] if class_of_file else [value]
                case ast.Name(id=name):
                    yield name
                case _:
                    waiting += ast.iter_child_nodes(inner)


def _list_results(function: _Function) -> Iterator[ast.expr]:
    """What a function returns or yields."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and node.value is not None:
            yield node.value


def _list_parameters(arguments: ast.arguments) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg))


def _list_arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _name_called(call: ast.Call) -> str:
    """The last name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _list_places(target: ast.expr) -> Iterator[ast.expr]:
    """What a target fills: names, attributes, and the holders of items, as ``kept`` for ``kept["a"]``."""
    match target:
        case ast.Tuple(elts=inner) | ast.List(elts=inner):
            for each in inner:
                yield from _list_places(each)
        case ast.Starred(value=one) | ast.Subscript(value=one):
            yield from _list_places(one)
        case _:
            yield target


def _find_root(node: ast.expr) -> str:
    """The name that an expression begins with; empty if it begins with none."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
            return _find_root(inner)
    return ""


def _list_free_names(node: ast.AST) -> Iterator[str]:
    """The names that a definition or lambda takes from outside."""
    for inner, own in walk_scopes(node, frozenset()):
        if isinstance(inner, ast.Name) and inner.id not in own:
            yield inner.id
