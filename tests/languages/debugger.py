"""Runs a program of Python under the debugger of the standard library, and writes down each line and all variables.

It is started as a process of its own, in the folder of the program, and shares nothing with the tracer:
``python debugger.py ENTRY CALL OUTPUT``. The output is a list of events: the frame, the file, the line, and the texts
of the variables.
"""

from __future__ import annotations

import bdb
import json
import os
import sys
from types import FrameType
from typing import Any

#: Code that stands on the lines of what is around it.
WITHIN = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
LONGEST = 300


class Recorder(bdb.Bdb):
    """Stops at each line of the program's files."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder
        self.events: list[tuple[int, str, int, dict[str, str]]] = []
        self.kept: dict[int, tuple[FrameType, int]] = {}

    def user_line(self, frame: FrameType) -> None:
        """Notes a line. A frame is kept, so that no other gets its id."""
        file = os.path.realpath(frame.f_code.co_filename)
        if os.path.dirname(file) != self.folder or not os.path.exists(file) or frame.f_code.co_name in WITHIN:
            return
        number = self.kept.setdefault(id(frame), (frame, len(self.kept)))[1]
        held = {name: write(value) for name, value in frame.f_locals.items()}
        self.events.append((number, os.path.basename(file), frame.f_lineno, held))


def write(value: Any) -> str:
    """The text of plain data; empty for anything else."""
    if not is_plain(value, 0):
        return ""
    text = repr(value)
    return text if len(text) <= LONGEST else ""


def is_plain(value: Any, depth: int) -> bool:
    """Whether a value is a literal, by its exact type."""
    if type(value) in (list, tuple):
        return depth < 20 and len(value) <= LONGEST and all(is_plain(each, depth + 1) for each in value)
    if type(value) is dict:
        return all(is_plain(each, depth + 1) for pair in [*value.items()][:LONGEST] for each in pair)
    if type(value) is float:
        return bool(value - value == 0)
    return value is None or type(value) in (bool, int, str)


def main(entry: str, call: str, output: str) -> None:
    """Runs the program."""
    recorder = Recorder(os.path.realpath("."))
    sys.path.insert(0, ".")
    with open(entry, encoding="utf-8") as file:
        code = compile(file.read(), os.path.abspath(entry), "exec")
    scope: dict[str, Any] = {"__name__": "__main__", "__file__": os.path.abspath(entry)}
    try:
        recorder.runctx(code, scope, scope)
        if call:
            recorder.runeval(call, scope, scope)
    except Exception:
        pass
    with open(output, "w", encoding="utf-8") as file:
        json.dump(recorder.events, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
