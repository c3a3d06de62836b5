"""Programs that try to write their own trace. What comes of each is tampering, or the trace of what ran."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason import languages, registry
from pytest_codereason.core.execution import Run
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.java import runner as java_runner
from pytest_codereason.languages.java import tracer as java_tracer
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import open_sandbox
from tests.examples import mostly_slow, take_every
from tests.languages.called import run_program
from tests.languages.forging import AROUND, read_attacks


@pytest.mark.parametrize(
    ("witnessed", "language", "name", "attack"),
    [
        *mostly_slow((("calls", *attack) for attack in read_attacks()), 5),
        *(pytest.param("lines", *attack, marks=pytest.mark.slow) for attack in read_attacks()[:: take_every(3)]),
    ],
)
def test_a_program_cannot_write_its_trace(
    witnessed: Witnessed, language: str, name: str, attack: str, sandbox: Sandbox
) -> None:
    execution = run_program(language, sandbox, AROUND[language].replace("{attack}", attack), witnessed)
    assert execution.ending in ("returned", "raised", "tampered"), execution.words
    edges = {} if execution.trace is None else execution.trace.edges
    planted = [
        (caller, callee) for caller, callees in edges.items() for callee in callees if re.search(r"\bb\b", callee)
    ]
    assert planted == []
    if name.startswith("hidden") and execution.trace is not None:
        calls = [callee for caller, callees in edges.items() if re.search(r"\bc\b", caller) for callee in callees]
        assert [callee for callee in calls if re.search(r"\ba\b", callee)], edges
    assert execution.trace is not None or execution.ending == "tampered"


#: By name: a protection, as the text of a file and what stands for it when it is off; an attack that it stops.
PROTECTIONS = {
    "opaque functions": ("python", "guard.py", "_lru_cache_wrapper(function, 0, False, None)", "function"),
    "no frames in errors": (
        "python",
        "guard.py",
        "            except BaseException:\n",
        "            except EOFError:\n",
    ),
    "no list of objects": ("python", "guard.py", "for module, name in REVEALING:", "for module, name in ():"),
    "no handler in the middle": ("python", "guard.py", "if below.f_code in kept:", "if below in kept:"),
    "no globals": ("python", "guard.py", "hide(bare(compile))", "hide(compile)"),
    "V8's stack": ("javascript", "witness.js", "|| isCalled(caller, body)", "|| true"),
    "secrets": ("php", "witness.php", "random_int(1, \\PHP_INT_MAX)", "$number"),
    "the machine's stack": ("java", "Witness.java", "&& !isCalled(caller, body)", "&& false"),
}
STOPPED = {
    "opaque functions": "what compile holds, and what that holds",
    "no frames in errors": "the errors of what runs at the recursion limit",
    "no list of objects": "all objects",
    "no handler in the middle": "a signal that interrupts the witness",
    "no globals": "the globals of what stands in for compile, seen by a warning",
    "V8's stack": "the witness by its name, through Function",
    "secrets": "one call of the witness",
    "the machine's stack": "the witness by its name, and the numbers of all bodies",
}
FOLDER = Path(languages.__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize("protection", PROTECTIONS)
def test_an_attack_succeeds_without_its_protection(protection: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language, file, on, off = PROTECTIONS[protection]
    plain = Path.read_text
    weak = (FOLDER / language / file).read_text("utf-8")
    assert weak.count(on) == 1

    def read(path: Path, *given: str, **named: str) -> str:
        return weak.replace(on, off) if path.name == file else plain(path, *given, **named)

    monkeypatch.setattr(Path, "read_text", read)
    caches = [read_beside, java_runner._describe_compiler]
    for cache in caches:
        cache.cache_clear()
    attack = next(text for *key, text in read_attacks() if key == [language, STOPPED[protection]])
    with open_sandbox() as weakened:
        execution = run_program(language, weakened, AROUND[language].replace("{attack}", attack))
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()
    assert execution.trace is not None, execution.words
    assert [callee for callees in execution.trace.edges.values() for callee in callees if re.search(r"\bb\b", callee)]


def test_what_lies_beside_the_unsafe_of_the_library_writes_any_trace(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules = [each.replace("jdk.zipfs", "jdk.zipfs,jdk.unsupported") for each in java_tracer._BESIDE]
    monkeypatch.setattr(java_tracer, "_BESIDE", modules)
    attacks = {name: text for language, name, text in read_attacks() if language == "java"}
    attack = attacks["a class of its own beside the library's Unsafe"]
    execution = run_program("java", sandbox, AROUND["java"].replace("{attack}", attack))
    assert execution.trace is not None, execution.words
    assert "Main:b()" in execution.trace.edges["Main:a()"]


#: By language: a program that writes a result of a call, and ends.
LINES = {
    "python": ("import os\ndef f():\n    os.write(3, b'{\"value\":7}\\n')\n    os._exit(0)", "f()"),
    "javascript": (
        "const f = () => { require('fs').writeSync(3, '{\"value\":7}\\n'); process.reallyExit(0); };",
        "f()",
    ),
    "php": ("function f() { fwrite(fopen('php://fd/3', 'w'), '{\"value\":7}' . \"\\n\"); exit(0); }", "f()"),
    "java": (
        "class Main { static int f() throws Exception {"
        " var made = java.io.FileDescriptor.class.getDeclaredConstructor(int.class); made.setAccessible(true);"
        ' new java.io.FileOutputStream(made.newInstance(3)).write("{\\"value\\":7}\\n".getBytes());'
        " Runtime.getRuntime().halt(0); return 0; } }",
        "f()",
    ),
}


@pytest.mark.parametrize("language", LINES)
def test_a_line_without_the_seal_is_tampering(language: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source, call = LINES[language]
    run = Run.from_source(language=language, source=source, call=call)
    assert sandbox.run(run).ending == "tampered"
    runner = registry.language(language).runner
    harness = type(runner).harness
    monkeypatch.setattr(type(runner), "harness", lambda *given: replace(harness(*given), sealed=False))
    execution = sandbox.run(run)
    assert (execution.ending, execution.value) == ("returned", 7)
