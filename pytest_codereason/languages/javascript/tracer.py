"""Witnesses the calls of JavaScript programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.moments import MOST_EVENTS, MOST_TEXT, MOST_TEXTS, MOST_VISITS, LineProbe
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.language.tracing import Body, Trace, Witnessed
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.files import FOLDER, read_beside
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.bodies import list_functions, name_module
from pytest_codereason.languages.javascript.moments import evaluates_here, write_notes
from pytest_codereason.languages.javascript.probes import is_constructor, write_probes
from pytest_codereason.languages.javascript.runner import JavaScriptRunner, is_module
from pytest_codereason.languages.javascript.syntax.tree import CLASSES, FUNCTIONS, list_children, parse_source

if TYPE_CHECKING:
    from tree_sitter import Node

_SUFFIXES = (".js", ".mjs", ".cjs")
#: What the names of the witness begin with, with more dollars where a program has that word.
_PREFIX = "codereason$"
#: Kilobytes of the stack: about twice node's own, because the frame of a traced function is up to half larger.
_STACK = 1968
#: The witness has a bit for each two bodies.
_MOST_BODIES = 40_000


class _File(NamedTuple):
    """A file of a program, with the names of its bodies: the first is that of the file."""

    path: str
    tree: Tree
    names: dict[int, str]  #: by the ids of nodes


class JavaScriptTracer(Tracer):
    """Witnesses calls by calls of its own, which it writes into copies of the files.

    A file's code is named by its path: ``main``, ``lib.shapes``. A function has the names of what encloses it before
    its own: ``main.Stack.push``, ``main.outer.inner``. A function that is written without a name has that of the
    variable or property that it is the value of. Others are numbered within what is around them: ``main.<arrow1>``.
    """

    sorting = re.compile(r"\.(sort|toSorted)\s*\(")

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        module = is_module(entry, files[entry])
        if witnessed == "entered":
            return _count_functions(files, entry, call, module=module)
        prefix = _find_prefix(files)
        texts = dict(files)
        names: list[str] = []
        modules: list[int] = []
        places: list[tuple[str, int]] = []
        places_of: dict[str, _Places] = {}
        entry_number, complaint = 0, ""
        try:
            for file in _read_files(files, entry):
                modules.append(len(names) + 1)
                if file.path == entry:
                    entry_number = modules[-1]
                numbers = {node: len(names) + i for i, node in enumerate(file.names, start=1)}
                names += file.names.values()
                probed = write_probes(
                    file.tree,
                    numbers,
                    prefix,
                    module=_is_module_file(file.path, module=module),
                    first_place=len(places) if witnessed == "lines" else None,
                )
                texts[file.path] = probed.text
                places_of[file.path] = _find_places(file.tree, numbers, probed.applied)
                places += [(file.path, line) for line in probed.places]
            call = call and _write_into_call(call, entry_number, prefix)
            if len(names) > _MOST_BODIES:
                raise DoesNotParse(f"the program has more than {_MOST_BODIES:,} functions")
        except DoesNotParse as error:  # node may say that it is no program at all
            names, places, texts, complaint, places_of = [], [], dict(files), str(error), {}
        sizes = f"const {_PREFIX}bodies={len(names)},{_PREFIX}places={len(places)};\n"
        numbers_of = {path: known.body for path, known in places_of.items()}
        trace = {
            **{"names": names, "modules": modules, "entry": entry_number, "places": places, "complaint": complaint},
            "files": {known.body: known._asdict() for known in places_of.values()},
        }
        witness = sizes + read_beside(__file__, "witness.js")
        return _add_witness(files, texts, entry, call, numbers_of, trace, witness.replace(_PREFIX, prefix))

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments."""
        module = is_module(entry, files[entry])
        prefix = _find_prefix(files)
        texts, complaint = dict(files), ""
        numbers_of: dict[str, int] = {}
        marks: list[dict[str, object]] = []
        try:
            for number, file in enumerate(_read_files(files, entry)):
                if evaluates_here(file.tree):
                    complaint = "the program evaluates a text in a scope of its own"
                noted = write_notes(
                    file.tree,
                    prefix,
                    {probe.line: (n, probe.names) for n, probe in enumerate(probes) if probe.file == file.path},
                    module=_is_module_file(file.path, module=module),
                    first=len(marks),
                )
                count = _count_units(noted.text)
                places = zip(noted.marks, noted.offsets, strict=True)
                marks += [{**mark._asdict(), "file": number, "position": count(at)} for mark, at in places]
                texts[file.path], numbers_of[file.path] = noted.text, number
        except DoesNotParse as error:  # node may say that it is no program at all
            texts, complaint, numbers_of, marks = dict(files), str(error), {}, []
        most = {"events": MOST_EVENTS, "visits": MOST_VISITS, "text": MOST_TEXT, "texts": MOST_TEXTS}
        trace = {"marks": marks, "most": most, "probes": len(probes), "complaint": complaint, "entry": 0}
        witness = read_beside(__file__, "moments.js").replace(_PREFIX, prefix)
        return _add_witness(files, texts, entry, call, numbers_of, trace, witness)

    def read(self, payload: Any, files: Mapping[str, str], entry: str) -> Trace:
        """The trace that a harness wrote; V8 tells of functions by their places."""
        if entered := payload.get("entered", ()):
            payload = {**payload, "entered": sorted(_name_functions(files, entry, entered))}
        return super().read(payload, files, entry)

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every file and function of a program."""
        return [
            Body(name, file.path, node_line, callable=i > 0)
            for file in _read_files(files, entry)
            for i, (name, node_line) in enumerate(zip(file.names.values(), _list_lines(file), strict=True))
        ]


def _find_prefix(files: Mapping[str, str]) -> str:
    """What the names of the witness begin with: no program has it."""
    prefix = _PREFIX
    while any(prefix in text for text in files.values()):
        prefix += "$"
    return prefix


def _is_module_file(path: str, *, module: bool) -> bool:
    """Whether a file is an ES module, in a program that is or is not one."""
    return path.endswith(".mjs") or (module and not path.endswith(".cjs"))


def _add_witness(
    files: Mapping[str, str],
    texts: Mapping[str, str],
    entry: str,
    call: str,
    numbers_of: Mapping[str, int],
    trace: Mapping[str, object],
    witness: str,
) -> Harness:
    """How to run a program beside a witness.

    Args:
        files: The program as it is written.
        texts: Its files with calls of the witness in them.
        entry: The file that is run.
        call: The call that is evaluated.
        numbers_of: What the witness calls each file that has calls of it.
        trace: What the witness is told.
        witness: Its text.
    """
    module = is_module(entry, files[entry])
    plain = JavaScriptRunner().lay_out(texts, entry, call, module=module)
    ending = "" if module or not call else f"\n;return () => ({call}\n);"
    scripts: dict[str, dict[str, object]] = {}
    for path, number in numbers_of.items():
        laid_out = plain.files[_find_laid_out(plain.files, path, entry)]
        scripts |= _list_scripts(laid_out + ending * (path == entry), number, len(laid_out) - len(texts[path]))
    return replace(
        plain,
        arguments=(f"--stack-size={_STACK}", *plain.arguments),
        files={**plain.files, "witness.js": witness, "trace": json.dumps({**trace, "scripts": scripts})},
    )


def _count_functions(files: Mapping[str, str], entry: str, call: str, *, module: bool) -> Harness:
    """How to run a program as it is, while V8 counts its functions."""
    plain = JavaScriptRunner().lay_out(files, entry, call, module=module)
    scripts: dict[str, dict[str, object]] = {}
    for path in files:
        laid_out = plain.files[_find_laid_out(plain.files, path, entry)]
        ending = "" if module or not call or path != entry else f"\n;return () => ({call}\n);"
        scripts |= _list_scripts(laid_out + ending, path, len(laid_out) - len(files[path]))
    return replace(plain, files={**plain.files, "entered": json.dumps({"scripts": scripts})})


def _name_functions(files: Mapping[str, str], entry: str, entered: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """The names of functions by their places. V8 may let a function begin at its name or its parameters."""
    ends: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for file in _read_files(files, entry):
        count = _count_units(file.tree.source)
        for node, name in list_functions(file.tree, name_module(file.path)):
            start, end = (count(file.tree.at(byte)) for byte in (node.start_byte, _find_end(node)))
            ends.setdefault((file.path, end), []).append((start, name))
    for path, start, end in entered:
        if found := ends.get((path, end)):
            yield min(found, key=lambda pair: abs(pair[0] - start))[1]


class _Places(NamedTuple):
    """Where the bodies of a file stand in the text that runs, in offsets as V8 counts them."""

    body: int  #: the number of the file's own
    stretches: list[tuple[int, int, int, int]]  #: start, that of the body, end, number; outer ones first
    classes: dict[int, bool]  #: where classes begin: a constructor that nobody wrote runs there


def _find_places(tree: Tree, numbers: Mapping[int, int], applied: Applied) -> _Places:
    count = _count_units(applied.text)
    stretches, classes = [], {}
    waiting = [(tree.root, 0)]
    while waiting:
        node, constructor = waiting.pop()
        span, body, number = None, None, 0
        if node.type in CLASSES:
            within = node.child_by_field_name("body")
            members = list_children(within) if within is not None else []
            constructor = next((numbers[n.id] for n in members if is_constructor(n)), 0)
            if (place := applied.offset(tree.at(node.start_byte))) is not None:
                classes[count(place)] = True
        elif node.type in FUNCTIONS:
            first = node.child_by_field_name("parameters") or node.child_by_field_name("parameter") or node
            span, number = applied.span(Span(tree.at(first.start_byte), tree.at(node.end_byte))), numbers[node.id]
            within = node.child_by_field_name("body")
            body = applied.span(tree.span(within)) if within is not None else None
        elif node.type == "field_definition" and constructor:
            span, number = applied.span(tree.span(node)), constructor
        if span is not None:
            stretches.append((count(span.start), count((body or span).start), count(span.end), number))
        waiting += [(child, constructor) for child in node.children]
    return _Places(numbers[tree.root.id], sorted(stretches, key=lambda part: (part[0], -part[2])), classes)


def _find_end(node: Node) -> int:
    """Where the body of a function ends. The parser counts a comment behind it as a part of it."""
    body = node.child_by_field_name("body") or node
    return (body.children[-2] if body.children and body.children[-1].type == "comment" else body).end_byte


def _count_units(text: str) -> Callable[[int], int]:
    """What gives the number of UTF-16 units before an offset."""
    if text.isascii() or max(text) <= "\uffff":
        return lambda offset: offset
    before = list(accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
    return before.__getitem__


def _list_scripts(text: str, file: int | str, added: int) -> dict[str, dict[str, object]]:
    """A file as V8 knows it, with and without the mark of its encoding: by its hash, the file and how far it is moved.

    ``added`` is how much longer the text is than the file; only what is before the file moves it.
    """
    shift = added if text.startswith("//#!") else 0
    bare = text.removeprefix("\ufeff")
    return {
        _hash(text): {"file": file, "shift": shift},
        _hash(bare): {"file": file, "shift": shift - len(text) + len(bare)},
    }


def _find_laid_out(files: Mapping[str, str], path: str, entry: str) -> str:
    """The name under which a file of the program lies in the folder of the job."""
    names = [f"{FOLDER}/{path}", f"{FOLDER}/{path}.mjs", "program.js"]
    return next(name for name in names if name in files)


def _hash(text: str) -> str:
    """The hash of a script as V8 computes it."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _write_into_call(call: str, entry: int, prefix: str) -> str:
    """A call whose own functions are said to be the code of the entry."""
    tree = parse_source(f"({call}\n)")
    numbers = {tree.root.id: 0, **{node.id: entry for node, _ in list_functions(tree, "")}}
    return write_probes(tree, numbers, prefix, module=False).text[1:-2]


def _read_files(files: Mapping[str, str], entry: str) -> Iterator[_File]:
    for path, text in files.items():
        if path == entry or path.endswith(_SUFFIXES):
            try:
                tree = parse_source(text)
            except DoesNotParse as error:
                raise DoesNotParse(f"{path}: {error}") from error
            module = name_module(path)
            yield _File(path, tree, {tree.root.id: module, **{n.id: name for n, name in list_functions(tree, module)}})


def _list_lines(file: _File) -> Iterator[int]:
    yield 1
    for node, _ in list_functions(file.tree, ""):
        yield node.start_point[0] + 1
