"""Keeps the notes of the witness from the traced program: what stands in for functions, and what is refused.

The harness loads this file before ``witness.py``, into the same names.
"""

from __future__ import annotations

import _imp
import _signal  # type: ignore[import-not-found]
import builtins
import gc
import sys
from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]
from _operator import index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import CodeType, FrameType
    from typing import Any

NAMESPACE: Any = type(sys.implementation)
#: What the program sees of ``sys.monitoring``, which later versions have, and its functions as they are now.
SEEN: Any = getattr(sys, "monitoring", None)
MONITORING: Any = NAMESPACE(**vars(SEEN)) if SEEN else None
#: What ``compile`` hands on from the code around it, unless it is told not to: ``from __future__ import ...``.
FUTURE = 0x1FE0000
PLAIN_COMPILE = builtins.compile
#: Taken before the program can put its own in their place.
LOOK, GET_TRACE, GET_PROFILE = sys._getframe, sys.gettrace, sys.getprofile
FRAME: Any = type(LOOK())
SPEC: Any = type(builtins.__spec__)
#: The fields of a specification, even if the program gave its class others.
FIELDS = SPEC.__dict__["__dict__"].__get__
#: What finds every object or every frame, or is called in the middle of what runs here.
REVEALING = [
    *((gc, name) for name in ("get_objects", "get_referrers", "get_referents")),
    *((sys, name) for name in ("_current_frames", "_current_exceptions", "addaudithook")),
]
#: Modules in C that write into the memory of the process, or call a function in the middle of what runs here.
NATIVE = {"_ctypes", "_lsprof", "_testcapi", "_testinternalcapi"}
#: Modules that begin an interpreter of its own in the same process, in which nothing is refused.
INTERPRETERS = {"_xxsubinterpreters", "_interpreters"}
#: Those whose fresh copies would have what is refused.
FRESH = {"gc", "_imp", "_signal", "sys"}
#: What a program can do with ``sys.monitoring`` without looking at what runs here.
READING = {"get_tool", "get_events", "get_local_events"}


def hide(function: Callable[..., Any]) -> Any:
    """A callable that does the same, and whose code, closure and owner cannot be seen."""
    return _lru_cache_wrapper(function, 0, False, None)


def bare(function: Callable[..., Any]) -> Any:
    """The same function, but its frame leads to nothing else: it finds no names but those that it holds."""
    kind: Any = type(function)
    alone = kind(function.__code__, {"__builtins__": {}}, "", function.__defaults__, function.__closure__)
    alone.__kwdefaults__ = function.__kwdefaults__
    return alone


def make_compile(hand_out: Callable[..., Any]) -> Callable[..., Any]:
    """What stands in for ``compile``. It may run code of the program, as for a warning, so it holds nothing."""
    plain, look, future = PLAIN_COMPILE, LOOK, FUTURE

    def compile(
        source: Any,
        filename: Any,
        mode: Any,
        flags: Any = 0,
        dont_inherit: Any = False,
        optimize: Any = -1,
        *,
        _feature_version: int = -1,
    ) -> Any:
        if not dont_inherit:
            flags |= look(1).f_code.co_flags & future
        code = plain(source, filename, mode, flags, True, optimize, _feature_version=_feature_version)
        return hand_out(code, source, mode, flags, optimize)

    hidden: Callable[..., Any] = hide(bare(compile))
    return hidden


def make_loader(load: Callable[..., tuple[Any, Any] | None]) -> Any:
    """What stands in for a function that loads modules in C: its errors show nothing."""

    def create(spec: Any, *given: Any) -> Any:
        module, error = load(spec, *given) or (None, None)
        if error is not None:
            raise error
        return module

    return hide(bare(create))


def make_counters(files: dict[str, str], counts: dict[tuple[str, int], int]) -> tuple[Any, Any]:
    """The function of ``sys.settrace`` and that of ``sys.monitoring`` that count lines. A signal may interrupt both, so
    neither holds anything else."""
    disabled, kind, text, plain = getattr(MONITORING, "DISABLE", None), type, str, FRAME

    def note_line(code: CodeType, line: int) -> Any:
        file = files.get(code.co_filename) if kind(code.co_filename) is text else None
        if file is None:
            return disabled
        if line > 0:  # an empty file begins at line 0
            counts[file, line] = counts.get((file, line), 0) + 1
        return None

    def follow(frame: FrameType, event: str, argument: object) -> Any:
        if event == "call":
            file = frame.f_code.co_filename
            return follows if kind(file) is text and file in files else None
        if event == "line" and kind(frame) is plain:
            note_line(frame.f_code, frame.f_lineno)
        return follows

    follows = hide(bare(follow))
    return follows, hide(bare(note_line))


def make_handlers(kept: Collection[CodeType], spoil: Callable[[], Any]) -> tuple[Any, Any]:
    """What stands in for ``signal`` and ``getsignal``: a handler does not run in the middle of what has one of ``kept``
    below it, where it could see the notes. It is told by ``spoil`` instead."""
    plain, get, to_number, is_callable = _signal.signal, _signal.getsignal, index, callable
    stand_ins: dict[int, tuple[Any, Any]] = {}

    def name(number: int, current: Any) -> Any:
        stand_in, handler = stand_ins.get(number, (None, None))
        return handler if stand_in is not None and stand_in is current else current

    def stand_in_for(handler: Callable[..., Any]) -> Any:
        def handle(number: int, frame: FrameType | None) -> Any:
            below = frame
            while below is not None:
                if below.f_code in kept:
                    return spoil()
                below = below.f_back
            return handler(number, frame)

        return hide(bare(handle))

    def put(number: Any, handler: Any) -> Any:
        number = to_number(number)
        stand_in = stand_in_for(handler) if is_callable(handler) else handler
        before = name(number, plain(number, stand_in))
        stand_ins[number] = stand_in, handler
        return before

    def look_up(number: Any) -> Any:
        number = to_number(number)
        return name(number, get(number))

    return hide(bare(put)), hide(bare(look_up))


class Guard:
    """Refuses a program what leads to the notes, and knows whether it tried."""

    def __init__(self) -> None:
        self.broken = False
        self.kept: Any = None  #: the code that is below all that can reach the notes
        self.inside: set[Any] = set()  #: further code in the middle of which no handler may run
        self.full = [False]  #: whether something failed here, as where the stack is full; it is noted without a call

    def keep(self, function: Callable[..., Any]) -> Any:
        """Hides a function that can reach the notes. No exception leaves it, because that would show its frame."""
        full = self.full

        def kept(*given: Any) -> Any:
            try:
                return function(*given)
            except BaseException:
                full[0] = True
            return None

        self.kept = kept.__code__
        return hide(kept)

    def spoil(self, *_: Any) -> None:
        """Says that the trace is not whole."""
        self.broken = True

    def guard(self, *harmless: Any) -> None:
        """Refuses the program what leads to the notes. The trace of a program that asks for it is broken.

        ``harmless`` are the tracers and profilers that may be set, because they are the witness's own.
        """
        spoil = self.keep(self.spoil)
        for module, name in REVEALING:
            setattr(module, name, spoil)
        _signal.signal, _signal.getsignal = make_handlers(frozenset({self.kept, *self.inside}), spoil)
        for name, value in vars(MONITORING).items() if MONITORING is not None else ():
            if type(value) is type(LOOK) and name not in READING:
                setattr(SEEN, name, spoil)
        for name in ("settrace", "setprofile"):
            setattr(sys, name, self.keep(self.make_setter(getattr(sys, name), (None, *harmless))))
        for name in ("create_builtin", "create_dynamic"):
            setattr(_imp, name, make_loader(self.keep(self.make_loader(getattr(_imp, name)))))
        for name, module in list(sys.modules.items()):  # a warm interpreter has them, and what uses them
            leads = name in NATIVE | INTERPRETERS or name.startswith("ctypes.") or name == "ctypes"
            if leads or "ctypes" in vars(module):
                del sys.modules[name]

    def make_setter(self, plain: Callable[[Any], None], harmless: tuple[Any, ...]) -> Callable[..., None]:
        """What sets a tracer or a profiler, if it is none of the program's."""

        def put(function: Any) -> None:
            if any(function is one for one in harmless):
                plain(function)
            else:
                self.broken = True

        return put

    def make_loader(self, plain: Callable[[Any], Any]) -> Callable[..., tuple[Any, Any]]:
        """What loads a module in C, if the program may have it. It gives the module, or why there is none."""

        def load(spec: Any, *_: Any) -> tuple[Any, Any]:
            fields = FIELDS(spec) if type(spec) is SPEC else {}
            texts = {name: value for name, value in fields.items() if type(name) is str and type(value) is str}
            name, origin = texts.get("name", ""), texts.get("origin", "")
            if not name or not origin or name.rpartition(".")[2] in NATIVE | INTERPRETERS | FRESH:
                self.broken = True
                return None, None
            try:
                return plain(NAMESPACE(name=name, origin=origin)), None
            except ImportError as error:
                return None, error.with_traceback(None)

        return load
