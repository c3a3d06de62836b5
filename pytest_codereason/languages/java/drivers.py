"""Makes drivers for code of Java."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from pytest_codereason.core.language.driving import DriverCall, Drivers, Excerpt, Shown
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Refused
from pytest_codereason.languages.java import additions, excerpts, slicing
from pytest_codereason.languages.java.signatures import CallWriter, list_classes
from pytest_codereason.languages.java.syntax.escapes import parse_program

_MAIN = re.compile(r"\bstatic\s+void\s+main\s*\(\s*(final\s+)?String\b")
_BLAMED = re.compile(r"Main\.java line (\d+):")
_CANDIDATE = re.compile(r"^    static Object try(\d+)\(")
_SHOW = r"""
    static void show(int index, java.util.concurrent.Callable<Object> call) {
        String form = "null", text;
        try {
            Object value = call.call();
            text = String.valueOf(value);
            form = value == "\1" || text.matches("(?s).*@[0-9a-f]{4,}.*") ? "\"\"" : "\"{}\"";
        } catch (Throwable error) {
            text = error.getClass().getSimpleName();
        }
        StringBuilder line = new StringBuilder("\n\1[" + index + ", " + form + ", \"");
        for (char c : text.substring(0, Math.min(2000, text.length())).toCharArray())
            line.append(c == '"' || c == '\\' || c < 32 || c > 126 ? String.format("\\u%04x", (int) c) : "" + c);
        System.out.println(line + "\"]");
        System.out.flush();
    }
"""


class JavaDrivers(Drivers):
    """Makes drivers from the types of parameters.

    The driver is a class ``Main`` in the package of the file, so that it can call all that is not private.
    """

    start = "A method public static void main(String[] args) runs it. Keep the line of the package, if there is one."
    list_parts = staticmethod(slicing.list_parts)
    cut = staticmethod(excerpts.cut)
    blame_files = staticmethod(excerpts.blame_files)
    check_additions = staticmethod(additions.check_additions)

    def name_entry(self, path: str) -> str:
        """The name of the file, as its class has the same."""
        return posixpath.basename(path)

    def may_start(self, excerpt: Excerpt) -> bool:
        """Whether there is a method ``main``."""
        return bool(_MAIN.search(excerpt.files[excerpt.entry]))

    def propose(self, excerpt: Excerpt, tests: Mapping[str, str], draws: Draws) -> Sequence[DriverCall]:
        """Calls with likely values of the types of parameters."""
        tree = parse_program(excerpt.files[excerpt.entry])
        return [*dict.fromkeys(CallWriter(list_classes(tree)).propose())]

    def write_probe(self, excerpt: Excerpt, candidates: Sequence[DriverCall]) -> tuple[Mapping[str, str], str]:
        """A program that evaluates each candidate in a method of its own."""
        lines = [
            f"    static Object try{i}() throws Throwable {{ {' '.join(call.setup)} {_return(call.expression)} }}"
            for i, call in enumerate(candidates)
        ]
        calls = [
            f"        show({i}, () -> {{ try {{ return try{i}(); }} catch (Exception e) {{ throw e; }}"
            f" catch (Throwable e) {{ throw new RuntimeException(e); }} }});"
            for i in range(len(candidates))
        ]
        return self._add(excerpt, "\n".join(calls), "\n".join(lines) + _SHOW)

    def write_driver(
        self, excerpt: Excerpt, calls: Sequence[tuple[DriverCall, Shown]]
    ) -> tuple[Mapping[str, str], str]:
        """A program that makes the calls and prints their values."""
        if not calls and self.may_start(excerpt):
            return excerpt.files, excerpt.entry
        lines: list[str] = []
        active: tuple[str, ...] = ()
        declared: set[str] = set()
        for call, shown in calls:
            if call.setup != active:
                lines += [_declare(statement, declared) for statement in call.setup]
                active = call.setup
            void = call.expression.endswith(";")
            lines.append(call.expression if void else f"System.out.println({call.expression});")
            if not shown.form and not void:
                lines[-1] = f"{call.expression};"
        return self._add(excerpt, "\n".join(f"        {line}" for line in lines), "")

    def blame_candidates(self, message: str, probe: Mapping[str, str]) -> Sequence[int]:
        """The candidates on the lines that the compiler names."""
        text = next(text for name, text in probe.items() if posixpath.basename(name) == "Main.java")
        lines = text.split("\n")
        named = {int(line) for line in _BLAMED.findall(message)}
        return [int(found[1]) for line in sorted(named) if (found := _CANDIDATE.match(lines[line - 1]))]

    def _add(self, excerpt: Excerpt, body: str, members: str) -> tuple[Mapping[str, str], str]:
        if any(excerpts.names_class(text, "Main") for text in excerpt.files.values()):
            raise Refused("has a class called Main besides")
        package = excerpts.read_package(excerpt.files[excerpt.entry])
        entry = posixpath.join(posixpath.dirname(excerpt.entry), "Main.java")
        head = f"package {package};\n\n" if package else ""
        text = f"public class Main {{\n    public static void main(String[] args) throws Exception {{\n{body}\n    }}\n"
        members = f"\n{members}" if members else ""
        return {**excerpt.files, entry: f"{head}import java.util.*;\n\n{text}{members}}}\n"}, entry


def _return(expression: str) -> str:
    return f'{expression} return "\\1";' if expression.endswith(";") else f"return {expression};"


def _declare(statement: str, declared: set[str]) -> str:
    """The declaration of a variable, or another value for it if it is declared already."""
    found = re.match(r"[\w.<>, ]+? (\w+) = ", statement)
    if found is None:
        return statement
    if found[1] in declared:
        return statement[found.start(1) :]
    declared.add(found[1])
    return statement
