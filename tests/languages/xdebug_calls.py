"""The edges of PHP programs by the function trace of the debugger Xdebug, which shares nothing with the tracer."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pytest_codereason.core import Program
from pytest_codereason.languages.frame.tree import walk
from pytest_codereason.languages.php.syntax.tree import find_opening
from pytest_codereason.languages.php.tracer import read_files
from tests.languages.xdebug import LOADED, list_extensions

Edge = tuple[str, str]


def trace_calls(program: Program, folder: Path) -> set[Edge]:
    """Who calls whom: each function of the program with the innermost one below it on the stack.

    Raises:
        LookupError: The program calls a function by a name that it has not, through ``__call`` or a renamed method.
    """
    for name, text in program.files.items():
        folder.joinpath("program", name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath("program", name).write_text(find_opening(text) + text, "utf-8")
    settings = ["mode=trace", "start_with_request=yes", "trace_format=1", "use_compression=0"]
    settings += [f"output_dir={folder}", "trace_output_name=calls"]
    command = ["php", "-n", f"-d{LOADED}", *(f"-dxdebug.{each}" for each in settings), *list_extensions()]
    subprocess.run([*command, f"program/{program.entry}"], cwd=folder, capture_output=True, check=True, timeout=120)
    return _read_edges((folder / "calls.xt").read_text("utf-8", "replace"), program, folder / "program")


def alias_twins(program: Program) -> Mapping[str, str]:
    """One name for all functions without a name that stand on the same lines, as the debugger has one for them."""
    first, names = dict[tuple[str, int, int], str](), {}
    for file in read_files(program.files, program.entry):
        for node, name in zip(file.nodes, list(file.names.values())[1:], strict=True):
            place = (file.path, node.start_point[0], node.end_point[0])
            names[name] = first.setdefault(place, name) if not file.tree.read(node) else name
    return names


def list_generators(program: Program) -> set[str]:
    """The functions that a debugger sees called each time that they go on."""
    found = set()
    for file in read_files(program.files, program.entry):
        for node, name in zip(file.nodes, list(file.names.values())[1:], strict=True):
            if any(each.type == "yield_expression" for each in walk(node)):
                found.add(name)
    return found


def _read_edges(text: str, program: Program, root: Path) -> set[Edge]:
    names = _list_names(program, root)
    edges, stack = set[Edge](), dict[int, str]()
    for line in text.splitlines():
        cells = line.split("\t")
        if len(cells) < 7 or cells[2] != "0":
            continue
        level, function, own = int(cells[0]), cells[5], cells[6] == "1"
        for deeper in [each for each in stack if each >= level]:
            del stack[deeper]
        body = ""
        if function in ("include", "include_once", "require", "require_once"):
            body = names.get(cells[7], "")
        elif function == "{main}":
            body = names[str(root / program.entry)]
        elif own:
            body = _find_body(function, names)
            if stack:
                edges.add((stack[max(stack)], body))
        if body:
            stack[level] = body
    return edges


def _find_body(function: str, names: Mapping[str, str]) -> str:
    if closure := re.search(r"\{closure:.*\}", function):
        return names[closure[0].lower()]
    key = "::".join(part.rpartition("\\")[2] for part in re.split("->|::", function)).lower()
    if key in names:
        return names[key]
    # A method of a trait is called by the name of the class that uses it.
    method = key.rpartition("::")[2]
    found = {name for other, name in names.items() if "::" in other and other.rpartition("::")[2] == method}
    if len(found) != 1:
        raise LookupError(function)
    return found.pop()


def _list_names(program: Program, root: Path) -> Mapping[str, str]:
    """What the debugger calls the bodies of a program, with their names in a trace."""
    names, twins = {}, alias_twins(program)
    for file in read_files(program.files, program.entry):
        path = str(root / file.path)
        bodies = list(file.names.values())
        names[path] = bodies[0]
        for node, name in zip(file.nodes, bodies[1:], strict=True):
            if file.tree.read(node):
                names["::".join(name.split(".")[bodies[0].count(".") + 1 :]).lower()] = name
            else:
                names[f"{{closure:{path}:{node.start_point[0] + 1}-{node.end_point[0] + 1}}}".lower()] = twins[name]
    return names
