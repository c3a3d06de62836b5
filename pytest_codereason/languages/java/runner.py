"""Says how Java programs are compiled and run."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from pytest_codereason.core import Runner
from pytest_codereason.core.execution import Harness, SeveralCalls
from pytest_codereason.languages.frame.files import FOLDER
from pytest_codereason.languages.java import tuples

_PACKAGE = "default-jdk-headless"
_VERSION = (17,)
#: A small machine that starts fast and keeps what it says off the program's standard output.
_TUNED = (
    "-Xshare:auto",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:+DisplayVMOutputToStderr",
    "-XX:CompressedClassSpaceSize=64m",
    "-XX:ReservedCodeCacheSize=48m",
    "-Dfile.encoding=UTF-8",
)
#: What reads the order of ``Set.of`` and ``Map.of`` stays interpreted: the machine may compile it before
#: ``Orders.java`` fixes the order, and would keep the one that it drew.
_READ_ANEW = (
    "-XX:CompileCommand=quiet",
    *(
        f"-XX:CompileCommand=exclude,java.util.ImmutableCollections${method}"
        for method in ("Set12$1::*", "Set12::toArray", "SetN$SetNIterator::*", "MapN$MapNIterator::*")
    ),
)
_COMPILER = "Compiler.java"
#: What the compiler compiles to run beside a program. In the compiler's own folder Java 22 would make a module of both.
_BESIDE = (
    *("CallNotes.java", "Frames.java", "Harness.java", "Instructions.java", "MomentNotes.java", "Moments.java"),
    *("Notes.java", "Orders.java", "Pool.java", "Unsafe.java", "Weaver.java", "Witness.java", "module-info.java"),
)


def _choose_environment() -> dict[str, str]:
    """The path of Java's own libraries. Without /proc, Java cannot find them itself."""
    executable = shutil.which("java")
    return {"LD_LIBRARY_PATH": str(Path(executable).resolve().parents[1] / "lib")} if executable else {}


@cache
def _describe_compiler() -> Harness:
    folder = Path(__file__).parent
    beside = {name: (folder / name).read_text() for name in _BESIDE} | tuples.read_sources()
    return Harness(
        interpreter="java",
        package=_PACKAGE,
        arguments=(*_TUNED, "-Xss8m", "-Xmx512m", "--add-opens", "java.base/java.io=ALL-UNNAMED", _COMPILER),
        files={_COMPILER: (folder / _COMPILER).read_text()} | {f"beside/{name}": text for name, text in beside.items()},
        environment=_choose_environment(),
        minimum=_VERSION,
        idle_mb=2048,
        trial={"Program.java": "class Nothing {}"},
    )


_SEVERAL = SeveralCalls(
    source="""
class CodereasonCalls {
    static java.util.List<Object> all(java.util.concurrent.Callable<?>... calls) {
        java.util.List<Object> ends = new java.util.ArrayList<>();
        for (java.util.concurrent.Callable<?> call : calls) {
            try {
                ends.add(java.util.Arrays.asList("value", call.call()));
            } catch (Throwable error) {
                ends.add(java.util.Arrays.asList("error", error.getClass().getSimpleName()));
            }
        }
        return ends;
    }
}
""",
    whole="/* {function}() */ CodereasonCalls.all({calls})",  # in the class that declares the function
    each="() -> {}",
    exhausted={"StackOverflowError": "", "OutOfMemoryError": ""},
)


class JavaRunner(Runner):
    """Compiles and runs programs of Java."""

    several = _SEVERAL

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program.

        The call is evaluated inside the class of the entry that declares its method. Without a call, ``main`` is run.
        """
        if len(files) == 1:
            laid_out = {"Program.java": files[entry]}
        else:
            laid_out = {**{f"{FOLDER}/{path}": text for path, text in files.items()}, "main": f"{FOLDER}/{entry}"}
        return Harness(
            interpreter="java",
            package=_PACKAGE,
            # Assertions are on: a program's own test is to be heard.
            arguments=(*_TUNED, *_READ_ANEW, "-Xmx{memory_mb}m", "-ea", "-jar", "program.jar"),
            files={**laid_out, "call": call} if call else laid_out,
            environment=_choose_environment(),
            minimum=_VERSION,
            idle_mb=1024,
            exhausted="insufficient memory for the Java Runtime|OutOfMemoryError|pthread_create failed",
            compiler=_describe_compiler(),
            sealed=True,
        )

    def vary(self, harness: Harness, attempt: int) -> Harness:
        """How to run a program once more: ``Set.of`` and ``Map.of`` have the opposite order if the number is odd."""
        return replace(harness, environment={**harness.environment, "CODEREASON_ORDER": str(attempt % 2)})
