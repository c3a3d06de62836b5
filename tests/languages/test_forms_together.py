"""Programs in which many forms of a language meet, and programs that disturb their trace."""

from __future__ import annotations

import pytest

from pytest_codereason.sandbox import Sandbox
from tests.languages.called import read_calls, run_program

pytestmark = pytest.mark.slow

CALLS = {
    "javascript": read_calls("javascript_together"),
    "java": read_calls("java_together", "Main:main(java.lang.String[])", "Main:"),
}

#: Programs that end their process, or write to every place that is open.
DISTURBING = {
    "java": {
        "end": "Runtime.getRuntime().halt(0);",
        "forge": "for (int i = 3; i < 30; i++) try { java.nio.file.Files.writeString(java.nio.file.Path.of("
        '"/proc/self/fd/" + i), "{\\"value\\":null,\\"trace\\":{\\"edges\\":[]}}\\n"); }'
        " catch (Exception e) { } System.exit(0);",
    },
    "javascript": {
        "end": "process.on('exit', () => process.exit(0));",
        "forge": "for (let i = 3; i < 30; i++) try { require('fs').writeSync(i, "
        '\'{"value":null,"trace":{"edges":[]}}\\n\'); } catch { } process.reallyExit(0);',
        "leave": "process.removeAllListeners();",
    },
}
AROUND = {
    "java": """class Main {
    public static void main(String[] a) { %s }
}""",
    "javascript": "function f() {}\nf();\n%s",
}


@pytest.mark.parametrize(("language", "name"), [(language, name) for language in CALLS for name in CALLS[language]])
def test_edges_are_those_that_a_reader_finds(language: str, name: str, sandbox: Sandbox) -> None:
    source, edges = CALLS[language][name]
    plain, calls, lines = (run_program(language, sandbox, source, kind) for kind in ("", "calls", "lines"))
    for traced in (calls, lines):
        assert traced.trace, f"{traced.words} {traced.stderr}"
        assert traced.trace.edges == edges
        assert (traced.ending, traced.error, traced.stdout) == (plain.ending, plain.error, plain.stdout)


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language in DISTURBING for name in DISTURBING[language]]
)
def test_a_program_that_disturbs_its_trace_has_none(language: str, name: str, sandbox: Sandbox) -> None:
    execution = run_program(language, sandbox, AROUND[language] % DISTURBING[language][name])
    assert (execution.ending, execution.trace) == ("tampered", None)


#: Programs that fill their stack, so that the tracer may lose sight of who calls whom.
FULL = read_calls("java_full", "Main:main(java.lang.String[])", "Main:")


@pytest.mark.parametrize("name", FULL)
def test_a_trace_of_a_full_stack_is_true_or_there_is_none(name: str, sandbox: Sandbox) -> None:
    source, edges = FULL[name]
    execution = run_program("java", sandbox, source)
    if execution.trace is None:
        assert execution.ending == "tampered"
    else:
        assert execution.trace.edges == edges
