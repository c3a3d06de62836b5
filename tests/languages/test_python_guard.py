"""What keeps the notes of Python's witness: hidden functions show nothing, and what leads here is refused."""

from __future__ import annotations

import builtins
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_codereason.languages.python import guard
from pytest_codereason.languages.python.guard import (
    Guard,
    hide,
    make_compile,
    make_counters,
    make_handlers,
    make_loader,
)


def test_a_hidden_function_does_the_same_and_shows_nothing() -> None:
    kept: list[int] = []
    hidden = hide(lambda value, more=0: kept.append(value + more))
    hidden(1)
    hidden(1, more=2)
    hidden(1)  # nothing is remembered
    assert kept == [1, 3, 1]
    names = dir(hidden)
    assert not {"__code__", "__closure__", "__globals__", "__wrapped__", "__func__"} & {*names}
    assert getattr(hidden, "__self__", None) is None


def test_compile_hands_on_what_it_was_given() -> None:
    seen: list[tuple[Any, ...]] = []

    def hand_out(*given: Any) -> Any:
        seen.append(given[1:])
        return given[0]

    other = make_compile(hand_out)
    assert eval(other("3 + 4", "<x>", "eval")) == 7
    other("1", "<x>", "eval", 0, True, 2)
    source, mode, flags, optimize = seen[0]
    assert (source, mode, optimize) == ("3 + 4", "eval", -1)
    assert flags & guard.FUTURE == sys._getframe().f_code.co_flags & guard.FUTURE != 0  # this file has a future import
    assert seen[1] == ("1", "eval", 0, 2)
    with pytest.raises(SyntaxError):
        other("3 +", "<x>", "eval")
    assert len(seen) == 2
    assert other("1", "<x>", "eval", 0, True).co_flags & guard.FUTURE == 0
    assert other("f'{x}'", "<x>", "eval").co_filename == "<x>"


def test_the_errors_of_a_loader_show_no_frame_of_what_loads() -> None:
    error = ImportError("no such module")
    load = make_loader(hide(lambda spec, *_: (None, error) if spec == "bad" else ("module", None)))
    assert load("good") == "module"
    with pytest.raises(ImportError, match="no such module") as caught:
        load("bad")
    assert [entry.name for entry in caught.traceback][1:] == ["create"]
    assert make_loader(hide(lambda *_: None))("any") is None


def test_a_handler_does_not_run_in_the_middle_of_what_is_kept() -> None:
    told: list[str] = []
    seen: list[int] = []

    def kept() -> None:
        signal.raise_signal(signal.SIGUSR1)

    def handler(number: int, frame: FrameType | None) -> None:
        seen.append(number)

    put, get = make_handlers({kept.__code__}, lambda: told.append("spoilt"))
    before = put(signal.SIGUSR1, handler)
    try:
        assert get(signal.SIGUSR1) is handler is not signal.getsignal(signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR1)
        assert (seen, told) == ([signal.SIGUSR1], [])
        kept()
        assert (seen, told) == ([signal.SIGUSR1], ["spoilt"])
        assert put(signal.SIGUSR1, int(signal.SIG_IGN)) is handler  # as signal.signal hands it on
        assert get(signal.SIGUSR1) == signal.SIG_IGN
        with pytest.raises(TypeError, match="SIG_IGN"):
            put(signal.SIGUSR1, "no handler")
        with pytest.raises(ValueError, match="out of range"):
            get(10**6)
        assert get(signal.SIGINT) is signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_counters_count_lines_of_the_program_alone() -> None:
    counts: dict[tuple[str, int], int] = {}
    follow, note_line = make_counters({"<own>": "main.py"}, counts)
    own, other = (compile("x = 1\n\nfor _ in range(2):\n    x += 1\n", name, "exec") for name in ("<own>", "<other>"))
    before = sys.gettrace()
    sys.settrace(follow)
    try:
        exec(own)
        exec(other)
    finally:
        sys.settrace(before)
    assert counts == {("main.py", 1): 1, ("main.py", 3): 3, ("main.py", 4): 2}
    note_line(own, 0)
    note_line(own, 1)
    assert note_line(other, 1) is (None if guard.MONITORING is None else guard.MONITORING.DISABLE)
    assert counts["main.py", 1] == 2
    assert ("main.py", 0) not in counts


def test_what_is_kept_raises_nothing_and_says_that_it_failed() -> None:
    one = Guard()

    def fail(divisor: int) -> int:
        return 7 // divisor

    kept = one.keep(fail)
    assert kept(2) == 3
    assert one.full == [False]
    assert kept(0) is None
    assert one.full == [True]
    assert kept(7) == 1

    def leave() -> None:
        raise SystemExit

    assert one.keep(leave)() is None


def test_only_harmless_tracers_are_set() -> None:
    one, put = Guard(), list[Any]()
    own = object()
    setter = one.make_setter(put.append, (None, own))
    setter(None)
    setter(own)
    assert (put, one.broken) == ([None, own], False)
    setter(print)
    assert (put, one.broken) == ([None, own], True)


@pytest.mark.parametrize("name", ["_ctypes", "_lsprof", "gc", "sys", "_imp", "package._ctypes", ""])
def test_a_module_that_leads_here_is_not_loaded(name: str) -> None:
    one = Guard()
    loaded: list[Any] = []
    load = one.make_loader(loaded.append)
    assert load(_make_spec(name, "built-in")) == (None, None)
    assert (loaded, one.broken) == ([], True)


def test_another_module_is_loaded_from_a_copy_of_what_describes_it() -> None:
    one = Guard()
    seen: list[Any] = []
    module = ModuleType("_bisect")

    def make(given: Any) -> ModuleType:
        seen.append(given)
        return module

    load, spec = one.make_loader(make), _make_spec("_bisect", "built-in")
    assert load(spec) == (module, None)
    assert (seen[0].name, seen[0].origin) == ("_bisect", "built-in")
    assert seen[0] is not spec
    assert not one.broken
    for strange in (SimpleNamespace(name="_bisect", origin="built-in"), None, _make_spec("_bisect", "")):
        assert load(strange) == (None, None)
    assert len(seen) == 1
    assert one.broken


def test_why_a_module_is_not_loaded_is_said_without_frames() -> None:
    one = Guard()

    def fail(spec: Any) -> Any:
        raise ImportError(f"no {spec.name}")

    module, error = one.make_loader(fail)(_make_spec("_bisect", "built-in"))
    assert module is None
    assert str(error) == "no _bisect"
    assert error is not None
    assert error.__traceback__ is None
    assert not one.broken


def _make_spec(name: str, origin: str) -> Any:
    spec = type(builtins.__spec__)(name, None, origin=origin)
    assert type(spec) is guard.SPEC
    return spec


ASKS = {
    "nothing": "",
    "all objects": "gc.get_objects()",
    "referrers": "gc.get_referrers([])",
    "referents": "gc.get_referents([])",
    "frames": "sys._current_frames()",
    "hook": "sys.addaudithook(print)",
    "tracer": "sys.settrace(print)",
    "profiler": "sys.setprofile(print)",
    "no tracer": "sys.settrace(None); sys.setprofile(None)",
    "own tracer": "sys.settrace(OWN); sys.settrace(None)",
    "ctypes": "import ctypes",
    "profiler in C": "import _lsprof",
    "plain module": "import _bisect, array",
}
HARMLESS = {"nothing", "no tracer", "own tracer", "plain module"}


@pytest.mark.parametrize("asked", ASKS)
def test_who_asks_for_what_leads_here_breaks_the_trace(asked: str) -> None:
    """In a process of its own, because the guard changes the modules of the interpreter."""
    code = f"""
scope = {{"__name__": "guard"}}
import ctypes, gc, sys
exec(open({str(Path(guard.__file__))!r}).read(), scope)
def OWN(*_): return None
one = scope["Guard"]()
one.guard(OWN)
assert not one.broken and "ctypes" not in sys.modules and "_ctypes" not in sys.modules
try:
    {ASKS[asked] or "pass"}
except (ImportError, AttributeError):
    pass
print(one.broken)
"""
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{asked not in HARMLESS}\n"
