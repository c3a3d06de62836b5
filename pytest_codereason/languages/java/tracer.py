"""Witnesses the calls of Java programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.moments import MOST_EVENTS, MOST_TEXT, MOST_TEXTS, MOST_VISITS, LineProbe
from pytest_codereason.core.language.tracing import Body, Trace, Witnessed, check_trace
from pytest_codereason.languages.frame.files import FOLDER
from pytest_codereason.languages.java.bodies import OUTSIDE, list_bodies, parse_file, read_node
from pytest_codereason.languages.java.runner import JavaRunner
from pytest_codereason.languages.java.types import TypeNames, erase_types

if TYPE_CHECKING:
    from tree_sitter import Node

#: The library, without what reaches every class: modules that load an agent, and ``jdk.unsupported``. A program may put
#: a class into that one's packages, and then has all rights of ``sun.misc.Unsafe``. ``Unsafe.java`` is there instead.
_MODULES = (
    *("java.compiler", "java.desktop", "java.management", "java.naming", "java.net.http", "java.scripting"),
    *("java.sql.rowset", "java.xml.crypto", "jdk.httpserver", "jdk.xml.dom", "jdk.zipfs"),
    *("jdk.charsets", "jdk.localedata", "jdk.crypto.ec", "jdk.net", "jdk.nio.mapmode", "codereason"),
)
#: The harness in a module of its own, which a program can neither open nor see into.
_BESIDE = (
    *("--limit-modules", ",".join(_MODULES)),
    *("--module-path", "harness.jar", "--add-modules", "codereason"),
    *("--add-exports", "java.base/jdk.internal.access=codereason"),
    *("--add-exports", "java.base/jdk.internal.misc=codereason"),
    *("--add-opens", "java.base/java.io=codereason"),
    *("-cp", "program.jar", "codereason.Harness"),
)
#: Has the machine print which methods were entered, as it ends. Later machines than Java 21 cannot do so.
_TOUCHED = (
    *("-XX:+UnlockDiagnosticVMOptions", "-XX:+IgnoreUnrecognizedVMOptions"),
    *("-XX:+LogTouchedMethods", "-XX:+PrintTouchedMethodsAtExit"),
)
#: Has the machine say of each exception where it was made, however often it was made there before.
_ALL_TRACES = "-XX:-OmitStackTraceInFastThrow"
_HEADER = "# Method::print_touched_methods version 1\n"
_METHOD = re.compile(r"([^\s()]+)\.([^\s().]+):\((\S*)\)\S+")
_DESCRIBED = re.compile(r"(\[*)(?:L([^;]+);|([BCDFIJSZ]))")
_PRIMITIVES = dict(zip("BCDFIJSZ", ("byte", "char", "double", "float", "int", "long", "short", "boolean"), strict=True))
#: How many parameters a compiler may put before those that are written.
_HIDDEN = 2
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

    sorting = re.compile(r"\.(sort|sorted)\s*\(")
    comparing = frozenset({"compare", "compareTo"})

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        plain = JavaRunner().harness(files, entry, call)
        arguments = (*plain.arguments[: plain.arguments.index("-jar")], *_BESIDE)
        noted = {**plain.files, "trace": witnessed}
        if witnessed == "entered":
            return replace(plain, arguments=(*_TOUCHED, *arguments), files=noted)
        # The second compiler, which starts slowly, more than halves the cost of a noted call.
        arguments = tuple(argument for argument in arguments if "TieredStopAtLevel" not in argument)
        return replace(plain, arguments=arguments, files=noted)

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments."""
        plain = self.harness(files, entry, call, "moments")
        order = [*files]
        laid_out = [f"{FOLDER}/{file}" for file in order] if len(order) > 1 else ["Program.java"]
        looks = [f"{n} {order.index(file)}:{line} {' '.join(names)}" for n, (file, line, names) in enumerate(probes)]
        most = MOST_EVENTS, MOST_VISITS, MOST_TEXT, MOST_TEXTS, len(probes)
        notes = {"order": laid_out, "probes": looks, "most": [*map(str, most)]}
        return replace(
            plain,
            arguments=(_ALL_TRACES, *plain.arguments),
            files={**plain.files, **{name: "\n".join(lines) for name, lines in notes.items()}},
        )

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every method and constructor that is written, and the code of each class outside of its methods.

        Methods are named as in a trace, as far as files and imports tell: ``shop.Cart:add(java.lang.String)``. A type
        of which they tell nothing stands as it is written.
        """
        roots = {file: parse_file(text) for file, text in files.items()}
        listed = [(file, node, body) for file, root in roots.items() for node, body in list_bodies(file, root)]
        classes = frozenset(body.name.removesuffix(OUTSIDE) for _, _, body in listed if not body.callable)
        types = {file: TypeNames(root, classes) for file, root in roots.items()}
        return [erase_types(types[file], node, body) if body.callable else body for file, node, body in listed]

    def list_shared_lines(self, files: Mapping[str, str], entry: str) -> set[tuple[str, int]]:
        """Also those of lambdas, which are no bodies here."""
        lambdas = {(file, line) for file, text in files.items() for line in _list_lambda_lines(parse_file(text))}
        return super().list_shared_lines(files, entry) | lambdas

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
            root = parse_file(text)
            generic.update(_find_type_parameters(root))
            for _, body in list_bodies(file, root):
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
        entered = []
        for name in payload.get("entered", ()):
            with suppress(ValueError):  # what the compiler or the library added
                if (body := find(name)).callable:
                    named[name] = body
                    entered.append(name)
        lines = {entry if len(files) == 1 else file: counts for file, counts in payload.get("lines", {}).items()}
        files_of_lines = [Body("", file, 1, callable=False) for file in files]
        checked = {**payload, "lines": lines} | ({"entered": entered} if "entered" in payload else {})
        return check_trace(checked, [*named.values(), *files_of_lines])

    def read_printed(self, stderr: str) -> Any:
        """The methods that the machine says were entered: it prints them last of all."""
        _, header, printed = stderr.rpartition(_HEADER)
        methods = [match.groups() for line in printed.splitlines() if (match := _METHOD.fullmatch(line))]
        return {"edges": [], "entered": [name for method in methods for name in _name(*method)]} if header else None


def _name(cls: str, method: str, described: str) -> Iterator[str]:
    """The name of a method as edges have it. A constructor has several, because a compiler adds parameters to it."""
    types = [
        (known.replace("/", ".") if known else _PRIMITIVES[letter]) + "[]" * len(brackets)
        for brackets, known, letter in _DESCRIBED.findall(described)
    ]
    hidden = _HIDDEN if method == "<init>" else 0
    for start in range(min(hidden, len(types)) + 1):
        for end in range(start, len(types) + 1) if hidden else [len(types)]:
            yield f"{cls.replace('/', '.')}:{method}({','.join(types[start:end])})"


def _split(name: str) -> tuple[str, list[str]]:
    """The class and method of a name, without the numbers of local classes, and the last words of its types."""
    match = _SIGNATURE.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no name of a method")
    types = [re.split(r"[.$]", text)[-1] for text in match["types"].split(",") if text]
    return _NUMBER.sub("$", match["place"]), types


def _list_lambda_lines(root: Node) -> Iterator[int]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "lambda_expression":
            yield node.start_point[0] + 1
        waiting += node.children


def _find_type_parameters(root: Node) -> Iterator[str]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "type_parameter":
            yield next(read_node(child) for child in node.named_children if child.type == "type_identifier")
        waiting += node.children
