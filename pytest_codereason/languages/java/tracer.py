"""Witnesses the calls of Java programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.languages import Tracer
from pytest_codereason.core.tracing import Body, Trace, Witnessed, check_trace
from pytest_codereason.languages.java.runner import JavaRunner
from pytest_codereason.languages.java.syntax.tree import make_parser

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
_CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})
#: Declarations within these have a number in the names of their classes.
_BLOCKS = frozenset({"block", "constructor_body", "lambda_expression"})
_NUMBER = re.compile(r"\$\d+")
_LEADING_NUMBER = re.compile(r"(\d*)(.*)")
_TYPE = re.compile(r"[^\[\]]+")
_SIGNATURE = re.compile(r"(?P<place>[^()]+)\((?P<types>[^()]*)\)")


class JavaTracer(Tracer):
    """Witnesses calls by calls of its own, which the compiler puts at the start and the ends of every method.

    A method has the name of its class, as the class file has it, and the erased types of its parameters:
    ``shop.Cart$Item:price(int,java.lang.String[])``. A constructor is ``<init>``. The code of a class outside of its
    methods is ``<clinit>``, which no call enters. What a lambda calls is called by the method that calls the lambda.
    Likewise with a constructor that nobody wrote.
    """

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        plain = JavaRunner().harness(files, entry, call)
        # The second compiler, which starts slowly, more than halves the cost of a noted call.
        arguments = tuple(argument for argument in plain.arguments if "TieredStopAtLevel" not in argument)
        return replace(plain, arguments=arguments, files={**plain.files, "trace": witnessed})

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every method and constructor that is written, and the code of each class outside of its methods.

        The types of parameters stand as the text has them, without what is before them and without type arguments:
        ``shop.Cart:add(Item)``.
        """
        return [body for file, text in files.items() for body in _list_bodies(file, _parse(text))]

    def follow_renames(self, pairs: Sequence[tuple[Body, Body]]) -> Callable[[str], str]:
        """What gives the new name of a method for its name in an edge, whose parameters have full types."""
        classes: dict[str, str] = {}
        methods: dict[str, list[tuple[list[str], str]]] = {}
        for old, new in pairs:
            place, types = _split(old.name)
            declaring, _, method = _split(new.name)[0].rpartition(":")
            classes[place.rpartition(":")[0]] = declaring
            methods.setdefault(place, []).append((types, method))

        def rename_class(name: str) -> str:
            parts: list[str] = []
            known = ""
            for part in name.split("$"):
                number, word = ("", part) if not known else _LEADING_NUMBER.fullmatch(part).groups()  # type: ignore[union-attr]
                known += f"${word}" if known else word
                new = classes.get(known, known)
                parts.append(number + (new.rpartition("$")[2] if parts else new))
            return "$".join(parts)

        def rename(name: str) -> str:
            match = _SIGNATURE.fullmatch(name)
            if match is None:
                return name
            place, types = _split(name)
            declaring, _, method = match["place"].rpartition(":")
            overloads = methods.get(place, [([], method)])
            method = next((new for written, new in overloads if written == types), overloads[0][1])
            full = [_TYPE.sub(lambda found: rename_class(found[0]), text) for text in match["types"].split(",")]
            return f"{rename_class(declaring)}:{method}({','.join(full)})"

        return rename

    def read(self, payload: Any, files: Mapping[str, str], entry: str) -> Trace:
        """The trace that a harness wrote, if every name in it is that of a body."""
        generic: set[str] = set()
        known: dict[str, list[tuple[Body, list[str]]]] = {}
        for file, text in files.items():
            root = _parse(text)
            generic.update(_find_type_parameters(root))
            for body in _list_bodies(file, root):
                place, types = _split(body.name)
                known.setdefault(place, []).append((body, types))

        def find(name: str) -> Body:
            place, types = _split(name)
            for body, written in known.get(place, ()):
                if len(written) == len(types) and all(
                    w == t or w.rstrip("[]") in generic for w, t in zip(written, types, strict=True)
                ):
                    return body._replace(name=name)
            raise ValueError(f"the program has no method {name!r}")

        named = {name: find(name) for edge in payload["edges"] for name in edge}
        lines = {entry if len(files) == 1 else file: counts for file, counts in payload.get("lines", {}).items()}
        files_of_lines = [Body("", file, 1, callable=False) for file in files]
        return check_trace({"edges": payload["edges"], "lines": lines}, [*named.values(), *files_of_lines])


def _split(name: str) -> tuple[str, list[str]]:
    """The class and method of a name, without the numbers of local classes, and the last words of its types."""
    match = _SIGNATURE.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no name of a method")
    types = [re.split(r"[.$]", text)[-1] for text in match["types"].split(",") if text]
    return _NUMBER.sub("$", match["place"]), types


def _read(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _parse(text: str) -> Node:
    return make_parser().parse(text.encode("utf-8", "surrogatepass")).root_node


def _list_bodies(file: str, root: Node) -> Iterator[Body]:
    package = next((child for child in root.children if child.type == "package_declaration"), None)
    prefix = f"{_read(package.named_children[-1])}." if package is not None else ""
    return _Outline(file, Counter()).list_bodies(root, prefix, nested=False)


def _find_type_parameters(root: Node) -> Iterator[str]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "type_parameter":
            yield next(_read(child) for child in node.named_children if child.type == "type_identifier")
        waiting += node.children


class _Outline(NamedTuple):
    """The bodies of one file."""

    file: str
    numbered: Counter[str]

    def list_bodies(self, around: Node, prefix: str, *, nested: bool) -> Iterator[Body]:
        """The bodies within a node. ``prefix`` is before the names of its classes: ``shop.``, ``shop.Cart$``."""
        for node in around.children:
            local = nested and (around.type in _BLOCKS or around.type.startswith("switch_block"))
            if node.type in _CLASSES:
                name = _read(_field(node, "name"))
                yield from self._list_members(node, self._number(prefix, name) if local else prefix + name)
            elif node.type == "class_body" and around.type in ("object_creation_expression", "enum_constant"):
                yield from self._list_members(node, self._number(prefix, ""))
            else:
                yield from self.list_bodies(node, prefix, nested=nested)

    def _number(self, prefix: str, name: str) -> str:
        self.numbered[prefix + name] += 1
        return f"{prefix}{self.numbered[prefix + name]}{name}"

    def _list_members(self, declared: Node, name: str) -> Iterator[Body]:
        yield Body(f"{name}:<clinit>()", self.file, declared.start_point[0] + 1, callable=False)
        header = declared.child_by_field_name("parameters") if declared.type == "record_declaration" else None
        waiting = list(declared.children)
        while waiting:
            node = waiting.pop(0)
            if node.type == "method_declaration" or node.type in _CONSTRUCTORS:
                method = "<init>" if node.type in _CONSTRUCTORS else _read(_field(node, "name"))
                parameters = node.child_by_field_name("parameters") or header
                types = ",".join(_list_types(parameters)) if parameters is not None else ""
                yield Body(f"{name}:{method}({types})", self.file, node.start_point[0] + 1)
            elif node.type.endswith(("class_body", "_body", "_body_declarations")) and node.type != "constructor_body":
                waiting[:0] = node.children
        yield from self.list_bodies(declared, f"{name}$", nested=True)


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    assert child is not None
    return child


def _list_types(parameters: Node) -> Iterator[str]:
    """The types of parameters, without type arguments and what is before the last dot."""
    for parameter in parameters.named_children:
        if parameter.type not in ("formal_parameter", "spread_parameter"):
            continue
        kinds = [child for child in parameter.named_children if child.type != "modifiers"]
        text = _read(kinds[0])
        while "<" in text:
            text, count = re.subn(r"<[^<>]*>", "", text)
            if not count:
                break
        own = "[]" * sum(_read(child).count("[") for child in kinds[1:] if child.type == "dimensions")
        more = "[]" if parameter.type == "spread_parameter" else ""
        yield re.sub(r"\s|@\w+", "", text).rpartition(".")[2] + own + more
