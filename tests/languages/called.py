"""Small programs, each with the edges that a reader finds."""

from __future__ import annotations

from pathlib import Path


def read_calls(language: str) -> dict[str, tuple[str, dict[str, list[str]]]]:
    """The programs of a language with their edges, by name.

    In the file a program begins with ``=== name``. A line ``>>> f -> g h`` says that ``f`` calls ``g`` and ``h``. All
    names but ``main``, the code outside of functions, stand there without ``main.`` before them.
    """
    calls = {}
    text = Path(__file__).with_name("calls").joinpath(f"{language}.txt").read_text(encoding="utf-8")
    for part in text.removeprefix("=== ").split("\n=== "):
        name, *lines = part.splitlines()
        edges = {}
        for line in lines:
            if line.startswith(">>> "):
                caller, callees = line.removeprefix(">>> ").split(" -> ")
                edges[_qualify(caller)] = sorted(map(_qualify, callees.split()))
        calls[name] = "\n".join(line for line in lines if not line.startswith(">>> ")), edges
    return calls


def _qualify(name: str) -> str:
    return name if name == "main" else f"main.{name}"
