"""Makes drivers for code of JavaScript."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pytest_codereason.core.language.driving import MARK, DriverCall, Drivers, Excerpt, Shown
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript import additions, excerpts
from pytest_codereason.languages.javascript.runner import is_module
from pytest_codereason.languages.javascript.signatures import Callable, list_callables, propose_calls, read_examples
from pytest_codereason.languages.javascript.syntax.tree import list_children, list_declared, parse_source

if TYPE_CHECKING:
    from tree_sitter import Node

#: Most calls of one function that are taken of the tests.
_MOST = 6
_INSPECT = 'const codereasonInspect = require("util").inspect;\n'
_INSPECT_OF_MODULE = 'import { inspect as codereasonInspect } from "node:util";\n'
_OUTSIDE = frozenset({"identifier", "this", "super", "template_substitution", "await_expression"})


class JavaScriptDrivers(Drivers):
    """Makes drivers from the examples of comments, from uses in tests, and from the names of parameters.

    The driver stands at the end of the file, where it sees what the file does not export. If the file lies in a folder
    of its own, a further file ``main.js`` loads it.
    """

    check_additions = staticmethod(additions.check_additions)

    def cut(
        self, path: str, text: str, siblings: Mapping[str, str], part: str = "", also: Sequence[str] = ()
    ) -> Excerpt:
        """The file with the files that it loads."""
        return excerpts.cut(path, text, siblings)

    def propose(self, excerpt: Excerpt, tests: Mapping[str, str], draws: Draws) -> Sequence[DriverCall]:
        """Calls from examples in comments, then from tests, then with likely values."""
        tree = parse_source(excerpt.files[excerpt.entry])
        callables = list_callables(tree)
        callables = [one for one in callables if not one.name.startswith("_")] or callables
        names = frozenset(one.name for one in callables) | {
            name for statement in tree.root.named_children for name in _list_names(tree, statement)
        }
        calls = [call for one in callables for call in read_examples(tree, one, names)]
        calls += _read_uses(tests, {one.reach.rpartition(".")[2]: one for one in callables})
        calls += [call for one in callables for call in propose_calls(tree, one, names)]
        return [*dict.fromkeys(calls)]

    def write_probe(self, excerpt: Excerpt, candidates: Sequence[DriverCall]) -> tuple[Mapping[str, str], str]:
        """A program that evaluates each candidate in a function of its own."""
        tried = [f"{' '.join(call.setup)}\nreturn ({call.expression});" for call in candidates]
        module = is_module(excerpt.entry, excerpt.files[excerpt.entry])
        text = (_INSPECT_OF_MODULE if module else _INSPECT) + read_beside(__file__, "probe.js").replace(
            '"CANDIDATES"', json.dumps(tried)
        ).replace('"MARK"', json.dumps(MARK))
        return self._add(excerpt, text)

    def write_driver(
        self, excerpt: Excerpt, calls: Sequence[tuple[DriverCall, Shown]]
    ) -> tuple[Mapping[str, str], str]:
        """A program that makes the calls and prints their values."""
        groups: list[list[str]] = []
        active: tuple[str, ...] = ()
        for call, shown in calls:
            if not groups or not active or call.setup[: len(active)] != active:
                groups.append([])
                active = ()
            value = shown.form.replace("{}", call.expression, 1)
            groups[-1] += [
                *call.setup[len(active) :],
                f"console.log({value});" if shown.form else f"{call.expression};",
            ]
            active = call.setup
        return self._add(excerpt, "".join(map(_write_group, groups)))

    def _add(self, excerpt: Excerpt, driver: str) -> tuple[Mapping[str, str], str]:
        if not driver:
            return excerpts.start(excerpt)
        text = excerpt.files[excerpt.entry]
        driven = {**excerpt.files, excerpt.entry: f"{text}{'' if text.endswith(chr(10)) else chr(10)}\n{driver}"}
        return excerpts.start(excerpt._replace(files=driven))


def _write_group(lines: Sequence[str]) -> str:
    """The statements, in a block of their own if they declare something."""
    if len(lines) == 1:
        return f"{lines[0]}\n"
    inner = "\n".join(lines).replace("\n", "\n  ")
    return f"{{\n  {inner}\n}}\n"


def _list_names(tree: Tree, statement: Node) -> Iterator[str]:
    """The names that a statement declares at the top of a file."""
    inner = statement.child_by_field_name("declaration") if statement.type == "export_statement" else statement
    if inner is None:
        return
    if inner.type in ("lexical_declaration", "variable_declaration"):
        for declarator in list_children(inner):
            yield from list_declared(tree, declarator)
    elif (name := inner.child_by_field_name("name")) is not None:
        yield tree.text(name)


def _read_uses(tests: Mapping[str, str], callables: Mapping[str, Callable]) -> Iterator[DriverCall]:
    """The calls in tests whose arguments are written out."""
    counts: dict[str, int] = {}
    for text in tests.values():
        if not any(name in text for name in callables):
            continue
        try:
            tree = parse_source(text)
        except DoesNotParse:
            continue
        for node in walk(tree.root):
            called = node.child_by_field_name("function") if node.type == "call_expression" else None
            arguments = node.child_by_field_name("arguments")
            if called is None or arguments is None or not arguments.named_children:
                continue
            name = tree.text(called).rpartition(".")[2]
            one = callables.get(name)
            if one is None or one.is_class or counts.get(name, 0) >= _MOST:
                continue
            source = tree.text(arguments)
            if len(source) <= 200 and not any(inner.type in _OUTSIDE for inner in walk(arguments)):
                counts[name] = counts.get(name, 0) + 1
                yield DriverCall(one.name, one.reach + source, (), "tests")
