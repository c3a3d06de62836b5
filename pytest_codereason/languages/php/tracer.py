"""Witnesses the calls and lines of PHP programs."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.moments import MOST_EVENTS, MOST_TEXT, MOST_TEXTS, MOST_VISITS, LineProbe
from pytest_codereason.core.language.tracing import Body, Witnessed
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.files import FOLDER, read_beside
from pytest_codereason.languages.php.bodies import CLOSURES, list_functions, name_module
from pytest_codereason.languages.php.moments import MomentWriter
from pytest_codereason.languages.php.notes import HALT, EntryWriter, NoteWriter, SecretMark, find_name
from pytest_codereason.languages.php.runner import PHPRunner
from pytest_codereason.languages.php.syntax.grammar import CLASSES
from pytest_codereason.languages.php.syntax.tree import PHPTree

if TYPE_CHECKING:
    from tree_sitter import Node

_SUFFIX = ".php"
#: No program may replace what reads files, or run code in the middle of the witness. The witness says who tries.
_REFUSED = ("stream_wrapper_unregister", "stream_wrapper_restore", "pcntl_async_signals")
_ARGUMENTS = (f"-ddisable_functions={','.join(_REFUSED)}", "-dffi.enable=0")


class File(NamedTuple):
    """A file of a program, with the names of its bodies: the first is that of the file."""

    path: str
    tree: PHPTree
    names: dict[int, str]  #: by the ids of nodes
    nodes: list[Node]  #: the functions, in the order of their names


class PHPTracer(Tracer):
    """Witnesses calls and lines by calls of its own, which it writes into what PHP compiles.

    The files themselves stay as they are. A file's code is named by its path: ``main``, ``lib.shapes``. A function has
    the names of what encloses it before its own: ``main.Stack.push``. Namespaces are left out. Functions and classes
    without a name are numbered within what is around them: ``main.<closure1>``, ``main.f.<class1>.area``.
    """

    copies_collections = True
    sorting = re.compile(r"\b(u[ak]?sort|array_(?:u(?:diff|intersect)|(?:diff|intersect)_u)\w*)\s*\(", re.IGNORECASE)
    comparing = frozenset({"compare"})  # of heaps

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace. What is entered is found as calls are."""
        known = Known()

        def make(file: File, numbers: Mapping[int, int]) -> NoteWriter:
            twins = known.add_bodies(file, numbers)
            return EntryWriter(file.tree, numbers, known.marks, twins, counts=witnessed == "lines")

        return add_witness(files, entry, call, known, make, "calls")

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments."""
        most = {"events": MOST_EVENTS, "visits": MOST_VISITS, "text": MOST_TEXT, "texts": MOST_TEXTS}
        known = Known(most=most, probes=[probe.names for probe in probes])
        name = find_name({**files, "": call})

        def make(file: File, numbers: Mapping[int, int]) -> NoteWriter:
            looking = {probe.line: n for n, probe in enumerate(probes) if probe.file == file.path}
            return MomentWriter(file.tree, numbers, known.marks, name, looking)

        return add_witness(files, entry, call, known, make, "moments")

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every file and function of a program."""
        bodies = []
        for file in read_files(files, entry):
            lines = [1, *(node.start_point[0] + 1 for node in file.nodes)]
            named = zip(file.names.values(), lines, strict=True)
            bodies += [Body(name, file.path, line, callable=i > 0) for i, (name, line) in enumerate(named)]
        return bodies


class Known:
    """What the witness is told of a program."""

    def __init__(self, **beside: object) -> None:
        self.beside = beside
        self.marks: list[SecretMark] = []
        self.names: list[str] = []
        self.functions: list[str | None] = []  #: their own names, in lower case; empty for those without a name
        self.classes: list[str] = []  #: the names of the classes around them, in lower case
        self.modules: list[int] = []  #: the bodies that are files
        self.owners: list[dict[int, list[int]]] = []  #: for each file and line: the functions that have code there
        self.twins: set[int] = set()
        self.files: dict[int, int] = {}  #: the file of each mark

    def add_bodies(self, file: File, numbers: Mapping[int, int]) -> frozenset[int]:
        """Takes the bodies of a file, and gives back those that others of their kind share a line with."""
        self.modules.append(numbers[file.tree.root.id])
        self.names += file.names.values()
        self.functions.append(None)
        self.classes.append("")
        owners = defaultdict(list)
        alike: dict[int, str] = {}  #: what the stack may call them alike: a class may rename the methods of a trait
        for node in file.nodes:
            number, name, around = numbers[node.id], file.tree.read(node).lower(), _find_class(node)
            self.functions.append(name)
            self.classes.append(file.tree.read(around).lower() if around is not None else "")
            alike[number] = "trait" if around is not None and around.type == "trait_declaration" else f"={name}"
            for line in list_own_lines(node, file.nodes):
                owners[line].append(number)
        self.owners.append(dict(owners))
        shared = frozenset(
            number
            for found in owners.values()
            for number in found
            for other in found
            if other != number and alike[number] == alike[other]
        )
        self.twins |= shared
        return shared

    def describe(self) -> dict[str, object]:
        """As the witness reads it: columns of plain values."""
        columns = {field: [getattr(mark, field) for mark in self.marks] for field in SecretMark._fields}
        columns["file"] = [self.files.get(number, 0) for number in range(len(self.marks))]
        return {
            **{"marks": columns, "names": self.names, "functions": self.functions, "classes": self.classes},
            **{"modules": self.modules, "owners": self.owners, "twins": sorted(self.twins)},
            **self.beside,
        }


def add_witness(
    files: Mapping[str, str],
    entry: str,
    call: str,
    known: Known,
    make: Callable[[File, Mapping[int, int]], NoteWriter],
    ledger: str,
) -> Harness:
    """How to run a program beside a witness.

    Args:
        files: The program.
        entry: The file that is run.
        call: The call that is evaluated.
        known: What is known of the program; ``make`` adds to it.
        make: What writes the calls of the witness into a file.
        ledger: What keeps the notes: the name of a file beside this one.
    """
    plain = PHPRunner().harness(files, entry, call)
    complaint, written, count = "", list[dict[str, object]](), 0
    try:
        for file in read_files(files, entry):
            if HALT.search(files[file.path]):
                raise DoesNotParse("the program has data behind its code")
            numbers = {node: count + i for i, node in enumerate(file.names)}
            count += len(numbers)
            noted = make(file, numbers).write()
            known.files.update(dict.fromkeys(noted.marks, len(written)))
            laid_out = next(name for name in (f"{FOLDER}/{file.path}", "program.php") if name in plain.files)
            pieces = [file.tree.opening + noted.pieces[0], *noted.pieces[1:]]
            written.append({"path": laid_out, "name": file.path, "pieces": pieces, "marks": noted.marks})
    except DoesNotParse as error:  # php may say that it is no program at all
        complaint, written = str(error), []
    trace = {**known.describe(), "files": written, "complaint": complaint, "entry": entry}
    # In one file, so that a program counts as many files, and behind, so that the harness has its lines.
    beside = [read_beside(__file__, f"{name}.php").removeprefix("<?php\n") for name in ("witness", ledger)]
    return replace(
        plain,
        arguments=(*plain.arguments[:-1], *_ARGUMENTS, plain.arguments[-1]),
        files={
            **plain.files,
            "harness.php": "\n".join([plain.files["harness.php"], *beside]),
            "trace": json.dumps(trace),
        },
    )


def read_files(files: Mapping[str, str], entry: str) -> Iterator[File]:
    """The files with code.

    Raises:
        DoesNotParse: One of them is no PHP.
    """
    for path, text in files.items():
        if path == entry or path.endswith(_SUFFIX):
            try:
                tree = PHPTree(text)
            except DoesNotParse as error:
                raise DoesNotParse(f"{path}: {error}") from error
            module = name_module(path)
            functions = list(list_functions(tree, module))
            names = {tree.root.id: module, **{node.id: name for node, name in functions}}
            yield File(path, tree, names, [node for node, _ in functions])


def list_own_lines(node: Node, functions: Sequence[Node]) -> Iterator[int]:
    """The lines on which a function may have code of its own: all but those in the middle of a function within it."""
    inner = [
        each
        for each in functions
        if node.start_byte <= each.start_byte < each.end_byte <= node.end_byte and each != node
    ]
    hidden = {row for each in inner for row in range(each.start_point[0] + 1, each.end_point[0])}
    yield from (row + 1 for row in range(node.start_point[0], node.end_point[0] + 1) if row not in hidden)


def _find_class(node: Node) -> Node | None:
    """The class with a name around a method."""
    around = node.parent if node.type not in CLOSURES else None
    while around is not None and around.type not in CLASSES:
        around = around.parent if around.type != "anonymous_class" else None
    return around
