"""LiveCodeBench, execution: 479 short Python functions from contests, each with one call and its output.

The data set is not part of this package: ``livecodebench.jsonl``, or the file as the Hugging Face hub
has it, lies where ``CODEREASON_DATA`` says, or is fetched once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import ClassVar

from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.programs.sources import _imports
from pytest_codereason.programs.sources._dataset import DataSet
from pytest_codereason.programs.sources._rows import Entry, Rows

#: The data set as one JSON object a line; looked for before the hub's own file.
EXPORTED = "livecodebench.jsonl"


class LiveCodeBench(DataSet):
    """The functions of LiveCodeBench's execution set; names are the data set's, ``sample_0`` to ``sample_478``.

    The programs use names that LiveCodeBench's own runner imports. This source adds these imports.
    """

    name = "livecodebench"
    languages = ("python",)
    files: ClassVar[Mapping[str, Remote]] = {
        # Fixed to a revision; its checksum is not known here, and the digest of what was read stands in every plan.
        "python": Remote(
            name="execution-v2/data/test-00000-of-00001.parquet",
            url="https://huggingface.co/datasets/livecodebench/execution-v2/resolve/"
            "e3bbac6d5da0043c4a0b4e4f4b678f1f6497cc86/data/test-00000-of-00001.parquet",
            others=(EXPORTED,),
            instead=f"a file {EXPORTED} in a folder of CODEREASON_DATA, with a row a line,",
        )
    }
    licence = "Creative Commons"

    @classmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The rows that have ``id``, ``function_name``, ``code``, ``input`` (the call) and ``output``."""
        for place, row in rows.lines():
            fields = rows.fields(row, ("id", "function_name", "code", "input", "output"), place)
            if fields is None:
                continue
            known, function, code, call, output = fields
            try:
                tree = parse(code)
            except NO_TREE as error:
                rows.leave_out("its code is not Python", f"{place}: {error}")
                continue
            arguments = _find_arguments(tree, function, call)
            lacking = _imports.list_missing(tree)
            if arguments is None:
                rows.leave_out("its input is not a call of its function", place)
            elif foreign := sorted(_imports.FOREIGN[lack] for lack in lacking & _imports.FOREIGN.keys()):
                rows.leave_out(f"it needs {foreign[0]}", place)
            else:
                imports = _imports.write_imports(lacking)
                source = code.strip("\n") + "\n"
                whole = f"{imports}\n\n{source}" if imports else source
                yield place, Entry(known, whole, f"{function}({arguments})", arguments, output)


def _find_arguments(tree: ast.Module, function: str, call: str) -> str | None:
    """The arguments in a call of a function that the program defines; ``None`` if it is no such call."""
    try:
        called = parse(call.strip(), "eval").body
    except NO_TREE:
        return None
    defined = any(isinstance(node, ast.FunctionDef) and node.name == function for node in tree.body)
    if not (defined and isinstance(called, ast.Call) and isinstance(called.func, ast.Name)):
        return None
    if called.func.id != function:
        return None
    return call.strip().partition("(")[2].rstrip()[:-1].strip()
