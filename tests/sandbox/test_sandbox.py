"""What a sandbox gives back, and how it behaves among threads, processes and losses."""

from __future__ import annotations

import ctypes
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Harness, Limits, Run
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import SandboxError, UsageError
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox, open_sandbox, selftest, tiers
from pytest_codereason.sandbox.keeper_process import JobEnd
from tests.sandbox import attacks
from tests.sandbox.conftest import in_tier
from tests.session.background import Waiter


def python(source: str, call: str = "", stdin: str = "", limits: Limits | None = None) -> Run:
    return Run.from_source(language="python", source=source, call=call, stdin=stdin, limits=limits or Limits())


VALUES = (
    *("None", "True", "0", "-1", "10**400", "-(2**53)", "1.5", "-0.0", "1e300", "float('inf')", "float('-inf')"),
    *("''", "'a\\n\\x00\\x1b'", "'\\ud800'", "'\\U0001f600'", "b''", "b'\\x00\\xff'", "()", "(1,)", "[(1, [2]), {3}]"),
    *("set()", "{1, 'a', (2, 3)}", "frozenset({1, 2})", "{}", "{(1, 2): {None: [1.0]}, True: 'x', b'k': -0.0}"),
)


@pytest.mark.parametrize("tier", attacks.TIERS)
def test_values_come_back_as_they_are(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    text = f"[{', '.join(VALUES)}]"
    execution = in_tier(sandboxes, tier).run(python(f"x = {text}", "x"))
    expected = eval(text)
    assert execution.value == expected
    assert language("python").values.equal(execution.value, expected)
    assert execution.tier == tier


def test_nan_comes_back(sandbox: Sandbox) -> None:
    assert language("python").values.equal(sandbox.run(python("", "float('nan')")).value, float("nan"))


def test_depth_up_to_a_hundred(sandbox: Sandbox) -> None:
    nested = "def f(n):\n    x = 0\n    for _ in range(n): x = [x]\n    return x"
    assert sandbox.run(python(nested, "f(100)")).returned
    execution = sandbox.run(python(nested, "f(101)"))
    assert (execution.ending, execution.error) == ("raised", "NotALiteral")


@pytest.mark.parametrize(
    "value", ["f", "object()", "iter([])", "1j", "...", "type", "__import__('collections').Counter()"]
)
def test_what_has_no_literal_is_an_error_of_its_own(value: str, sandbox: Sandbox) -> None:
    execution = sandbox.run(python("def f(): pass", value))
    assert (execution.ending, execution.error) == ("raised", "NotALiteral")
    assert "no literal form" in execution.message


def test_a_script_reads_and_prints(sandbox: Sandbox) -> None:
    source = "import sys\nprint(input(), sys.stdin.read())\nprint('e', file=sys.stderr)"
    execution = sandbox.run(python(source, stdin="a é\nb"))
    assert (execution.ending, execution.stdout, execution.stderr) == ("returned", "a é b\n", "e\n")


def test_stdin_is_empty_otherwise(sandbox: Sandbox) -> None:
    execution = sandbox.run(python("input()"))
    assert (execution.ending, execution.error) == ("raised", "EOFError")


@pytest.mark.parametrize(("code", "ending"), [("0", "returned"), ("", "returned"), ("3", "raised"), ("'no'", "raised")])
def test_a_script_may_exit(code: str, ending: str, sandbox: Sandbox) -> None:
    assert sandbox.run(python(f"import sys\nsys.exit({code})")).ending == ending


def test_exceptions_have_type_and_message(sandbox: Sandbox) -> None:
    execution = sandbox.run(python("def f(x): return {}[x]", "f('k')"))
    assert (execution.ending, execution.error, execution.message) == ("raised", "KeyError", "'k'")
    assert execution.value is None


def test_recursion_is_as_deep_as_in_a_plain_interpreter(sandbox: Sandbox) -> None:
    source = "def f(n): return n if n == 0 else f(n - 1)"
    assert sandbox.run(python(source, "f(990)")).value == 0
    assert sandbox.run(python(source, "f(1000)")).error == "RecursionError"


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("def f(:", "f()"),
        ("x = 1", "x +"),
        ("x = '\\0'".replace("\\0", "\0"), "x"),
        ("x = '\ud800'", "x"),
        ("x = 1", "x; 2"),
    ],
)
def test_what_does_not_compile_is_rejected(source: str, call: str, sandbox: Sandbox) -> None:
    execution = sandbox.run(python(source, call))
    assert execution.ending == "rejected"
    assert execution.message


def test_an_empty_program_and_a_long_line(sandbox: Sandbox) -> None:
    assert sandbox.run(python("")).returned
    assert sandbox.run(python(f"x = '{'a' * 5_000_000}'", "len(x)")).value == 5_000_000


def test_the_declared_encoding_of_a_text_does_not_count(sandbox: Sandbox) -> None:
    assert sandbox.run(python("# -*- coding: latin-1 -*-\nx = 'é'", "x")).value == "é"


def test_time_and_memory_are_the_jobs_own(sandbox: Sandbox) -> None:
    sandbox.run(python("x = bytes(200 << 20)"))
    small = sandbox.run(python("", "1"))
    large = sandbox.run(python("x = b'x' * (100 << 20)", "1"))
    assert 1 < small.peak_mb < 60
    assert 100 < large.peak_mb < 200
    busy = sandbox.run(python("import time\nwhile time.process_time() < 0.2: pass"))
    assert 0.15 < busy.cpu_s < 1 + busy.wall_s
    assert busy.wall_s >= 0.15


def test_memory_is_what_the_limit_says(sandbox: Sandbox) -> None:
    limits = Limits(memory_mb=200)
    assert sandbox.run(python("x = bytes(150 << 20)", "1", limits=limits)).returned
    assert sandbox.run(python("x = bytes(250 << 20)", "1", limits=limits)).limit == "memory"


@pytest.mark.parametrize(
    ("said", "ending"),
    [("job: cannot allocate memory for thread-local data: ABORT", "limit"), ("cannot allocate a table", "tampered")],
)
def test_no_room_for_a_thread_is_a_limit(said: str, ending: str, sandbox: Sandbox) -> None:
    """Where memory ends within the C library, that library ends the process with status 127."""
    execution = sandbox.run(python(f"import os\nos.write(2, b'{said}')\nos._exit(127)"))
    assert execution.ending == ending, execution.words
    assert execution.limit == ("memory" if ending == "limit" else "")


def test_random_numbers_differ_between_jobs(sandbox: Sandbox) -> None:
    numbers = {sandbox.run(python("import random", "random.random()")).value for _ in range(3)}
    assert len(numbers) == 3


def test_sets_print_the_same_in_every_job(sandbox: Sandbox) -> None:
    printed = {sandbox.run(python("print({'a', 'b', 'c', 'd', 'e'})")).stdout for _ in range(3)}
    assert len(printed) == 1


def test_the_folder_is_empty_and_its_own(sandbox: Sandbox) -> None:
    body = "before = os.listdir('.')\n    open('x', 'w').close()\n    return before, os.listdir('.')"
    source = f"import os\ndef f():\n    {body}"
    assert [sandbox.run(python(source, "f()")).value for _ in range(2)] == [([], ["x"])] * 2


@pytest.mark.parametrize("tier", attacks.TIERS)
def test_nothing_but_its_streams_is_open_and_it_leaves_no_core(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    source = """
import os, resource
def opened(n):
    try: return bool(os.fstat(n))
    except OSError: return False
"""
    call = "([n for n in range(4096) if opened(n)], resource.getrlimit(resource.RLIMIT_CORE))"
    assert in_tier(sandboxes, tier).run(python(source, call)).value == ([0, 1, 2, 3], (1, 1))


@pytest.mark.parametrize("tier", [tier for tier in attacks.TIERS if "namespaces" in tier])
def test_jobs_share_no_memory_and_no_semaphores(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    source = "import ctypes\nlibc = ctypes.CDLL(None)\n"
    creations = "[libc.shmget(77, 4096, 0o1666), libc.semget(77, 1, 0o1666), libc.msgget(77, 0o1666)]"
    lookups = "[libc.shmget(77, 0, 0), libc.semget(77, 0, 0), libc.msgget(77, 0)]"
    sandbox = in_tier(sandboxes, tier)
    assert sandbox.run(python(source, creations)).returned
    assert sandbox.run(python(source, lookups)).value == [-1, -1, -1]


def test_ends_come_in_order(sandbox: Sandbox) -> None:
    runs = (python("import time", f"[time.sleep({(7 - n) / 100}), {n}]") for n in range(8))
    assert [e.value[1] for e in sandbox.run_all(runs, workers=4)] == list(range(8))


def test_threads_share_it(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(6) as pool:
        values = [e.value for e in pool.map(sandbox.run, [python("", f"{n} * {n}") for n in range(30)])]
    assert values == [n * n for n in range(30)]


def test_a_forked_process_has_keepers_of_its_own(sandbox: Sandbox) -> None:
    sandbox.run(python(""))
    read, write = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            os.write(write, json.dumps(sandbox.run(python("", "6 * 7")).value).encode())
            sandbox.close()
        finally:
            os._exit(0)
    os.close(write)
    with open(read) as file:
        assert file.read() == "42"
    os.waitpid(pid, 0)
    assert sandbox.run(python("", "1")).value == 1


def kill_keepers(sandbox: Sandbox) -> None:
    """Kills every keeper of a sandbox, as the machine does when memory runs out."""
    for keeper in list(sandbox._keepers.values()):
        children = Path(f"/proc/{keeper.process.pid}/task/{keeper.process.pid}/children").read_text().split()
        for pid in (keeper.process.pid, *map(int, children)):
            with suppress(ProcessLookupError):  # a keeper takes its children along
                os.kill(pid, signal.SIGKILL)
        keeper.process.wait()


@pytest.mark.parametrize("tier", attacks.TIERS[::2])
def test_a_killed_keeper_is_started_anew(tier: str) -> None:
    with attacks.open_tier(tier) as sandbox:
        kill_keepers(sandbox)
        assert sandbox.run(python("", "1")).value == 1


@pytest.mark.slow
def test_a_killed_keeper_of_a_compiler_is_started_anew() -> None:
    run = Run.from_source(language="java", source="class A { static int f() { return 1; } }", call="A.f()")
    with attacks.open_tier(attacks.TIERS[0]) as sandbox:
        assert sandbox.run(run).value == 1
        kill_keepers(sandbox)
        assert sandbox.run(run).value == 1


def test_the_jobs_of_a_killed_keeper_run_again_once_and_are_then_errors() -> None:
    markers = [f"{os.getpid()}.{number}" for number in (71, 72)]
    with attacks.open_tier(attacks.TIERS[0]) as sandbox, ThreadPoolExecutor(2) as pool:
        source = "import os\nos.execv('/bin/sleep', ['sleep', '{}'])"
        limits = Limits(wall_s=60)
        jobs = [pool.submit(sandbox.run, python(source.format(marker), limits=limits)) for marker in markers]
        killed: set[str] = set()

        def list_running() -> list[str]:
            return [pid for marker in markers for pid in attacks.processes(marker)]

        for _ in range(2):
            # Killed jobs may be seen for a moment more.
            Waiter().until(lambda: len(pids := set(list_running())) == 2 and not pids & killed)
            assert not any(job.done() for job in jobs)
            killed.update(list_running())
            kill_keepers(sandbox)
        for job in jobs:
            assert isinstance(job.exception(60), SandboxError)
        assert not {*list_running()} - killed, "no job runs a third time"
        assert sandbox.run(python("", "1")).value == 1


def test_it_can_be_closed_twice_and_used_again() -> None:
    sandbox = open_sandbox("off")
    assert sandbox.tier == "off"
    assert sandbox.run(python("", "1")).value == 1
    sandbox.close()
    sandbox.close()
    assert sandbox.run(python("", "2")).value == 2
    sandbox.close()


def test_nothing_of_it_is_left_when_closed() -> None:
    with attacks.open_tier(attacks.TIERS[0]) as sandbox:
        (keeper,) = sandbox._keepers.values()
        folder = Path(keeper.folder.name)
        marker = f"{os.getpid()}.99"
        pool = ThreadPoolExecutor(1)
        source = f"import os\nos.execv('/bin/sleep', ['sleep', '{marker}'])"
        running = pool.submit(sandbox.run, python(source, limits=Limits(wall_s=120)))
        while not attacks.processes(marker):
            assert not running.done()
    assert keeper.process.poll() is not None
    assert not folder.exists()
    with pool:
        assert isinstance(running.exception(60), SandboxError)
    sandbox.close()


def test_require_refuses_less_than_namespaces() -> None:
    with pytest.raises(UsageError, match="no isolation by namespaces"):
        tiers.open_first_tier([("landlock", "seccomp"), ()], required=True)


class Hollow(Sandbox):
    """Claims every layer and has none."""

    def execute(self, harness: Harness, binaries: dict[str, str], stdin: str, limits: Limits) -> JobEnd:
        with Sandbox((), "") as plain:
            return plain.execute(harness, binaries, stdin, limits)


def test_a_layer_that_does_not_hold_is_not_claimed() -> None:
    assert selftest.find_holding_layers(Hollow(tiers.TIERS[0], "")) == ()


def test_this_process_can_be_read_by_nobody(sandbox: Sandbox) -> None:
    assert sandbox.tier
    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0


def test_it_starts_for_a_user_whom_the_machine_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    with pytest.raises(RuntimeError):
        Path.home()
    with attacks.open_tier("processes") as sandbox:
        assert sandbox.run(python("def f(): return 1", "f()")).value == 1


@pytest.mark.parametrize("tier", attacks.TIERS)
def test_it_starts_where_ended_children_are_ignored(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    in_tier(sandboxes, tier)
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with attacks.open_tier(tier) as sandbox:
            assert sandbox.tier == tier
            assert sandbox.run(python("def f(): return 1", "f()")).value == 1
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_no_place_for_temporary_files_is_trouble_of_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    with pytest.raises(SandboxError, match="the sandbox does not start"):
        _ = Executor("auto").tier


@pytest.mark.slow
def test_memory_does_not_grow_over_hundreds_of_jobs() -> None:
    def read_memory(pid: int) -> int:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4

    with attacks.open_tier(attacks.TIERS[0]) as sandbox:
        (keeper,) = sandbox._keepers.values()
        children = Path(f"/proc/{keeper.process.pid}/task/{keeper.process.pid}/children").read_text().split()
        watched = [os.getpid(), *map(int, children)]
        run = python("def f(n): return list(range(n))", "f(100)")
        list(sandbox.run_all([run] * 200))
        before = [read_memory(pid) for pid in watched]
        descriptors = len(os.listdir("/proc/self/fd"))
        for execution in sandbox.run_all([run] * 500):
            assert execution.returned
        grown = [now - then for now, then in zip(map(read_memory, watched), before, strict=True)]
        assert all(more < 1024 for more in grown), grown  # 2 KiB a job
        assert len(os.listdir("/proc/self/fd")) <= descriptors + 4


@pytest.mark.slow
def test_xdist_workers_have_their_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from pytest_codereason.core.execution import Run
        from pytest_codereason.sandbox import open_sandbox

        @pytest.fixture(scope="session")
        def sandbox():
            with open_sandbox() as opened:
                yield opened

        @pytest.mark.parametrize("n", range(12))
        def test_value(sandbox, n):
            assert sandbox.run(Run.from_source(language="python", source="", call=f"{n} + 1")).value == n + 1
        """
    )
    pytester.runpytest_subprocess("-n2", "-p", "no:cacheprovider").assert_outcomes(passed=12)


@pytest.mark.parametrize("path", ["/tmp/out.py", "../out.py", "shop/../../out.py"])
def test_a_file_outside_the_folder_of_the_program_is_refused(path: str, sandbox: Sandbox) -> None:
    harness = language("python").runner.harness({"main.py": "", path.lstrip("/"): ""}, "main.py", "1")
    files = {**harness.files, path: "x = 1"}
    with pytest.raises(SandboxError, match="leaves the program's folder"):
        sandbox.execute(replace(harness, files=files), {}, "", Limits())
