"""Makes drivers for code of Python."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from pytest_codereason.core.language.driving import MARK, DriverCall, Drivers, Excerpt, Origin, Shown
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.frame.verbs import rank_method
from pytest_codereason.languages.python import additions, slicing
from pytest_codereason.languages.python.bodies import name_module
from pytest_codereason.languages.python.guesses import guess_arguments, is_typed
from pytest_codereason.languages.python.slicing import PythonModule, read_module
from pytest_codereason.languages.python.uses import read_doctests, read_uses

_GUARD = 'if __name__ == "__main__":\n'
#: Most constructors of a class that are tried.
_CONSTRUCTORS = 3
#: How an object is used that has one of these methods.
_SPECIAL = {
    "__len__": "len({0})",
    "__iter__": "list({0})",
    "__repr__": "repr({0})",
    "__str__": "str({0})",
    "__bool__": "bool({0})",
    "__reversed__": "list(reversed({0}))",
    "__hash__": "hash({0}) == hash({0})",
    "__eq__": "{0} == {1}",
    "__lt__": "{0} < {1}",
    "__add__": "{0} + {1}",
    "__sub__": "{0} - {1}",
    "__or__": "{0} | {1}",
    "__and__": "{0} & {1}",
    "__contains__": "3 in {0}",
    "__getitem__": "{0}[0]",
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class PythonDrivers(Drivers):
    """Makes drivers from doctests, from uses in tests, and from signatures.

    A program of one file gets its driver at the end, under ``if __name__ == "__main__":``. In a program of several
    files the driver is the file ``main.py``, which imports what it calls.
    """

    list_parts = staticmethod(slicing.list_parts)
    check_additions = staticmethod(additions.check_additions)

    def cut(
        self, path: str, text: str, siblings: Mapping[str, str], part: str = "", also: Sequence[str] = ()
    ) -> Excerpt:
        """The file with the modules of its repository that it imports, or a slice of it."""
        return slicing.cut(path, text, siblings, part)

    def propose(self, excerpt: Excerpt, tests: Mapping[str, str], draws: Draws) -> Sequence[DriverCall]:
        """Calls from doctests, then from tests, then with values of the annotated types, then with likely values."""
        module = read_module(excerpt.entry, excerpt.files[excerpt.entry])
        public = {name: node for name, node in module.definitions.items() if not name.startswith("_")}
        definitions = public or module.definitions
        documented = list(read_doctests(module, module.names))
        tested = list(read_uses(tests, frozenset(definitions)))
        made: dict[str, list[str]] = {}
        for candidate in (*documented, *tested):
            if candidate.target in definitions and not candidate.setup and _is_call_of(candidate):
                made.setdefault(candidate.target, []).append(candidate.expression)
        guessed: list[DriverCall] = []
        for name, node in definitions.items():
            if isinstance(node, ast.ClassDef):
                guessed += _propose_for_class(node, module, made.get(name, ()), draws)
            elif isinstance(node, _Function):
                origin: Origin = "types" if is_typed(node) else "names"
                guessed += [
                    DriverCall(name, f"{name}({arguments})", (), origin) for arguments in guess_arguments(node, draws)
                ]
        return [
            *dict.fromkeys(candidate for candidate in (*documented, *tested, *guessed) if _is_expression(candidate))
        ]

    def write_probe(self, excerpt: Excerpt, candidates: Sequence[DriverCall]) -> tuple[Mapping[str, str], str]:
        """A program that evaluates each candidate in a scope of its own."""
        tried = json.dumps([[*candidate.setup, candidate.expression] for candidate in candidates])
        text = f"{read_beside(__file__, 'probe.py')}\n\ntry_candidates({tried!r}, {MARK!r})\n"
        return self._add(excerpt, text, sorted(read_module(excerpt.entry, excerpt.files[excerpt.entry]).names))

    def write_driver(
        self, excerpt: Excerpt, calls: Sequence[tuple[DriverCall, Shown]]
    ) -> tuple[Mapping[str, str], str]:
        """A program that makes the calls and prints their values."""
        lines: list[str] = []
        active: tuple[str, ...] = ()
        for candidate, shown in calls:
            known = len(active) if candidate.setup[: len(active)] == active else 0
            lines += candidate.setup[known:]
            active = candidate.setup
            value = shown.form.replace("{}", candidate.expression, 1)
            lines.append(f"print({value})" if shown.form else candidate.expression)
        if any("islice(" in line for line in lines):
            lines.insert(0, "from itertools import islice")
        module = read_module(excerpt.entry, excerpt.files[excerpt.entry])
        used = {node.id for line in lines for node in ast.walk(parse(line)) if isinstance(node, ast.Name)}
        return self._add(excerpt, "\n".join(lines) + "\n", sorted(used & module.names))

    def _add(self, excerpt: Excerpt, driver: str, names: Sequence[str]) -> tuple[Mapping[str, str], str]:
        entry = excerpt.entry
        if len(excerpt.files) == 1:
            text = excerpt.files[entry]
            if not driver.strip():
                return excerpt.files, entry
            body = "".join(f"    {line}" if line.strip() else line for line in driver.splitlines(keepends=True))
            return {entry: f"{text}{'' if text.endswith(chr(10)) else chr(10)}\n\n{_GUARD}{body}"}, entry
        module = name_module(entry)
        imports = f"from {module} import {', '.join(names)}\n" if names else f"import {module}\n"
        return {**excerpt.files, "main.py": f"{imports}\n{driver}"}, "main.py"


def _is_expression(candidate: DriverCall) -> bool:
    try:
        parse(candidate.expression, "eval")
    except NO_TREE:
        return False
    return True


def _is_call_of(candidate: DriverCall) -> bool:
    """Whether an expression is what its target returns, and nothing is done with that."""
    node = parse(candidate.expression, "eval").body if _is_expression(candidate) else None
    return isinstance(node, ast.Call) and ast.unparse(node.func) == candidate.target


def _propose_for_class(
    node: ast.ClassDef, module: PythonModule, made: Sequence[str], draws: Draws
) -> Iterator[DriverCall]:
    """Objects of a class, and calls of their methods."""
    methods = {
        name: method
        for around in reversed([node, *_list_bases(node, module)])
        for name, method in ((m.name, m) for m in around.body if isinstance(m, _Function))
    }
    constructor = methods.get("__init__") or methods.get("__new__")
    lists = guess_arguments(constructor, draws, skip=1) if constructor else [_guess_fields(node, draws)]
    expressions = [*dict.fromkeys([*made, *(f"{node.name}({arguments})" for arguments in lists)])][:_CONSTRUCTORS]
    variable = _name_object(node.name, module.names)
    origin: Origin = "types" if constructor and is_typed(constructor) else "names"
    for expression in expressions:
        setup = (f"{variable} = {expression}",)
        source: Origin = "uses" if expression in made else origin
        for name, method in sorted(methods.items(), key=lambda item: rank_method(item[0])):
            target = f"{node.name}.{name}"
            if name in _SPECIAL:
                use = _SPECIAL[name].format(variable, expression)
                yield DriverCall(target, use, setup, source)
            elif name == "__call__" or not name.startswith("_"):
                yield from (DriverCall(target, use, setup, source) for use in _use(node, variable, method, draws))


def _use(node: ast.ClassDef, variable: str, method: _Function, draws: Draws) -> Iterator[str]:
    """Calls of a method."""
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in method.decorator_list}
    if "property" in decorators or "cachedproperty" in decorators or "cached_property" in decorators:
        yield f"{variable}.{method.name}"
        return
    if decorators & {"setter", "deleter", "abstractmethod"}:
        return
    static = "staticmethod" in decorators
    holder = node.name if static or "classmethod" in decorators else variable
    called = holder if method.name == "__call__" else f"{holder}.{method.name}"
    for arguments in guess_arguments(method, draws, skip=0 if static else 1)[:2]:
        yield f"{called}({arguments})"


def _list_bases(node: ast.ClassDef, module: PythonModule) -> Iterator[ast.ClassDef]:
    """The classes of the module from which a class inherits."""
    for base in node.bases:
        found = module.definitions.get(base.id) if isinstance(base, ast.Name) else None
        if isinstance(found, ast.ClassDef) and found is not node:
            yield found
            yield from _list_bases(found, module)


def _guess_fields(node: ast.ClassDef, draws: Draws) -> str:
    """Arguments for the fields of a dataclass or a named tuple; none for another class."""
    records = {ast.unparse(part).partition("(")[0].rpartition(".")[2] for part in (*node.decorator_list, *node.bases)}
    if not records & {"dataclass", "NamedTuple"}:
        return ""
    fields = [
        ast.arg(step.target.id, step.annotation)
        for step in node.body
        if isinstance(step, ast.AnnAssign) and isinstance(step.target, ast.Name) and step.value is None
    ]
    made = parse("def make(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args.args = fields
    return guess_arguments(made, draws)[0]


def _name_object(name: str, taken: frozenset[str]) -> str:
    variable = "".join(
        f"_{c.lower()}" if c.isupper() and i and not name[i - 1].isupper() else c.lower() for i, c in enumerate(name)
    )
    variable = PurePosixPath(variable).name.strip("_")
    return variable if variable not in taken and variable != name else f"{variable}_object"
