"""Runs beside a traced Python program: notes which of its functions calls which.

The harness loads this file before the program. Where the interpreter has ``sys.monitoring`` (3.12 and later), it says
which function starts and which line runs. Python 3.11 has no hook that is fast enough: an empty ``sys.setprofile``
takes longer than all that is done here. There the code of each function calls the witness itself (``weaver.py``), and
``sys.settrace`` is used for lines.

A program shares this process, so nothing that it meets leads to the notes: what it can find is opaque (:func:`hide`),
and what would lead past that is refused (:meth:`Witness.guard`).
"""

from __future__ import annotations

import _imp
import builtins
import gc
import sys
import threading
from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]
from _lsprof import Profiler
from json.encoder import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

#: The code of functions, unlike that of modules and class bodies, keeps its locals in slots.
OPTIMIZED = 1
#: Code that Python makes for itself. What it calls is called by the function or module in whose text it stands.
SILENT = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"}
GENERIC = "<generic parameters of "
BROKEN = "the trace ended before the program: it reached the recursion limit, set a tracer, or looked for what runs it"
#: One of the tools of ``sys.monitoring`` that have no use of their own.
TOOL = 4
MONITORING: Any = getattr(sys, "monitoring", None)
#: What ``compile`` hands on from the code around it, unless it is told not to: ``from __future__ import ...``.
FUTURE = 0x1FE0000
PLAIN_COMPILE = builtins.compile
#: Taken before the program can put its own in their place.
LOOK, GET_TRACE, GET_PROFILE = sys._getframe, sys.gettrace, sys.getprofile
PAUSE_COLLECTOR, GO_ON_COLLECTING, DOES_COLLECT = gc.disable, gc.enable, gc.isenabled
FRAME: Any = type(LOOK())
#: What finds every object, or every frame, or a fresh copy of what does.
REVEALING = [(gc, "get_objects"), (gc, "get_referrers"), (gc, "get_referents"), (sys, "_current_frames")]
FRESH = {"gc", "_imp", "sys"}


def hide(function: Callable[..., Any]) -> Any:
    """A callable that does the same, and whose code, closure and owner cannot be seen."""
    return _lru_cache_wrapper(function, 0, False, None)


class Witness:
    """Notes calls, and lines or nothing but entered functions if asked to, from :meth:`start` to :meth:`stop`."""

    def __init__(self, modules: dict[str, tuple[str, str, str]], witnessed: str, weave: Any) -> None:
        """``modules`` gives the name, path and text of each of the program's files, by the name that its code has."""
        self.modules = modules
        self.lines = witnessed == "lines"
        #: what counts functions in C, one for each thread: nobody can write into it
        self.profilers: list[Any] | None = [] if witnessed == "entered" else None
        self.weave = weave
        self.edges: set[tuple[str, str]] = set()
        self.counts: dict[tuple[str, int], int] = {}
        #: by the id of a code: the code, kept so that no other gets the id; the name of the function or module whose
        #: text it is; and whether it is a function
        self.known: dict[int, tuple[CodeType, str, bool]] = {}
        #: the same by place, for copies of a code
        self.placed: dict[tuple[str, int, str], tuple[CodeType, str, bool]] = {}
        self.broken = self.begun = False
        self.follows, self.note_line = make_counters(
            {name: file for name, (_, file, _) in modules.items()}, self.counts
        )
        self.begins = hide(lambda *_: self.profile())
        builtins.compile = hide(self.compile)

    def start(self, entry: CodeType | None, file: str) -> None:
        """Begins. The code of an entry call counts as part of a file."""
        self.broken = self.begun  # the program cannot begin a second time
        self.begun = True
        self.guard()
        room = 2 if MONITORING is None and self.profilers is None else 1  # for what notes the deepest call
        sys.setrecursionlimit(sys.getrecursionlimit() + room)
        if entry is not None:
            self.adopt(entry, self.modules[file][0])
        if self.profilers is not None:
            if MONITORING is None:  # later versions count all threads at once
                threading.setprofile(self.begins)
            self.profile()
        elif MONITORING is not None:
            events = MONITORING.events
            MONITORING.use_tool_id(TOOL, "codereason")
            MONITORING.register_callback(TOOL, events.PY_START, hide(self.make_listener()))
            MONITORING.register_callback(TOOL, events.LINE, self.note_line)
            MONITORING.set_events(TOOL, self.choose_events())
        elif self.lines:
            threading.settrace(self.follows)
            sys.settrace(self.follows)

    def stop(self) -> str:
        """Ends, and says why the trace is not whole; empty if it is."""
        if self.profilers is not None:
            whole = MONITORING is not None or GET_PROFILE() is self.profilers[0]
            self.profilers[0].disable()
        elif MONITORING is not None:
            whole = MONITORING.get_tool(TOOL) == "codereason"
            whole = whole and MONITORING.get_events(TOOL) == self.choose_events()
            MONITORING.set_events(TOOL, 0)
        else:
            whole = not self.lines or (GET_TRACE() is self.follows and threading.gettrace() is self.follows)
            sys.settrace(None)
        whole = whole and not self.broken
        return "" if whole else BROKEN

    def guard(self) -> None:
        """Refuses the program what leads to the notes. The trace of a program that asks for it is broken."""
        spoil, follows, begins = hide(self.spoil), self.follows, self.begins

        def tell(plain: Any, is_harmless: Callable[..., bool]) -> Any:
            def told(*given: Any) -> Any:
                if is_harmless(*given):
                    return plain(*given)
                return spoil()

            return hide(told)

        for module, name in REVEALING:
            setattr(module, name, tell(getattr(module, name), lambda *_: False))
        for name in ("settrace", "setprofile"):
            plain = getattr(sys, name)
            setattr(sys, name, tell(plain, lambda given, *_: given is None or given is follows or given is begins))
        _imp.create_builtin = tell(_imp.create_builtin, lambda spec: spec.name not in FRESH)

    def profile(self) -> None:
        """Counts the functions of a thread from now on."""
        assert self.profilers is not None
        profiler = Profiler(builtins=False)
        self.profilers.append(profiler)
        profiler.enable()

    def list_entered(self) -> list[str]:
        """The functions of the program that were entered, where they alone are noted."""
        codes = [entry.code for profiler in self.profilers or () for entry in profiler.getstats()]
        found = [self.identify(code) for code in codes if not isinstance(code, str)]
        return sorted({name for name, function in filter(None, found) if function})

    def spoil(self) -> None:
        """Says that the trace is not whole."""
        self.broken = True

    def choose_events(self) -> int:
        """The events of ``sys.monitoring`` that are asked for."""
        events = MONITORING.events
        chosen: int = events.PY_START | (events.LINE if self.lines else 0)
        return chosen

    def encode(self) -> str:
        """The trace as JSON."""
        edges = ",".join(f"[{quoted(caller)},{quoted(callee)}]" for caller, callee in sorted(self.edges))
        files: dict[str, list[str]] = {}
        for (file, line), times in sorted(self.counts.items()):
            files.setdefault(file, []).append(f"[{line},{times}]")
        lines = ",".join(f"{quoted(file)}:[{','.join(pairs)}]" for file, pairs in files.items())
        entered = f',"entered":[{",".join(map(quoted, self.list_entered()))}]' if self.profilers is not None else ""
        return f'{{"edges":[{edges}],"lines":{{{lines}}}{entered}}}'

    def compile(
        self,
        source: Any,
        filename: Any,
        mode: str,
        flags: int = 0,
        dont_inherit: bool = False,
        optimize: int = -1,
        *,
        _feature_version: int = -1,
    ) -> Any:
        """Stands in for ``compile``. Functions of the program, imported ones too, then tell of their start."""
        if not dont_inherit:
            flags |= LOOK(1).f_code.co_flags & FUTURE
        code = PLAIN_COMPILE(source, filename, mode, flags, True, optimize, _feature_version=_feature_version)
        module = self.modules.get(getattr(code, "co_filename", ""))
        if module is None or not (mode == "eval" or is_text(source, module[2])):
            return code
        code = self.weave_all(code)
        if mode == "exec":  # else the entry call
            self.learn(code, module[0], False)
        return code

    def weave_all(self, code: CodeType) -> CodeType:
        """A copy of a code in which every function tells of its start, or has a mark by which its copies are known."""
        inside = [self.weave_all(inner) if isinstance(inner, type(code)) else inner for inner in code.co_consts]
        code = code.replace(co_consts=tuple(inside))
        if not code.co_flags & OPTIMIZED or is_silent(code):
            return code
        if MONITORING is None and self.profilers is None:
            woven: CodeType = self.weave(code, hide(self.make_hook()))
            return woven
        return code.replace(co_consts=(*code.co_consts, object()))

    def make_hook(self) -> Callable[[], None]:
        """What the code of one function calls when it starts."""
        enter, spoil, identify, look = hide(self.enter), hide(self.spoil), id, LOOK
        callers: set[int] = set()
        last = None

        def hook() -> None:
            nonlocal last
            try:
                caller = look(2).f_code
                if caller is last:  # a loop or a recursion: by far the most calls
                    return
                if identify(caller) in callers or enter(look(1)):
                    callers.add(identify(caller))
                    last = caller
            except ValueError:  # nothing calls the first function of a thread
                return
            except RecursionError:  # at the limit, where a call of a new function has no room to be noted
                spoil()

        return hook

    def make_listener(self) -> Callable[[CodeType, int], Any]:
        """What gets each start of a function from ``sys.monitoring``."""
        enter, spoil, identify, look = hide(self.enter), hide(self.spoil), id, LOOK
        modules, disable = self.modules, MONITORING.DISABLE
        callers: set[tuple[int, int]] = set()
        last: tuple[CodeType | None, CodeType | None] = None, None

        def listener(code: CodeType, offset: int) -> Any:
            nonlocal last
            try:
                caller = look(2).f_code
                callee, before = last  # one value, because threads share it
                if code is callee and caller is before:
                    return None
                if code.co_filename not in modules:
                    return disable
                if (identify(code), identify(caller)) in callers or enter(look(1)):
                    callers.add((identify(code), identify(caller)))
                    last = code, caller
            except ValueError:
                return None
            except RecursionError:
                spoil()
            return None

        return listener

    def enter(self, frame: FrameType) -> bool:
        """Notes that a frame has been entered. True if each such call from the same code gives the same edge."""
        collects = DOES_COLLECT()
        PAUSE_COLLECTOR()  # else a finaliser of the program may run here, and look around
        try:
            return self.note_frame(frame)
        finally:
            if collects:
                GO_ON_COLLECTING()

    def note_frame(self, frame: FrameType) -> bool:
        """Does the work of :meth:`enter`."""
        if type(frame) is not FRAME or GET_PROFILE() is not None or GET_TRACE() not in (None, self.follows):
            self.broken = True
            return False
        callee = self.identify(frame.f_code)
        if callee is None:
            return False
        back = frame.f_back
        while back is not None:
            caller = self.identify(back.f_code)
            if caller is not None:
                if callee[1]:
                    self.edges.add((caller[0], callee[0]))
                return back is frame.f_back and id(back.f_code) in self.known
            back = back.f_back
        return False

    def identify(self, code: CodeType) -> tuple[str, bool] | None:
        """The function or module in whose text a code stands, and whether it is that function's own code."""
        known = self.known.get(id(code))
        if known is not None and known[0] is code:
            return known[1:]
        placed = self.placed.get(place_code(code))
        return placed[1:] if placed is not None and is_copy(code, placed[0]) else None

    def adopt(self, code: CodeType, name: str) -> None:
        """Counts all that a code outside the program's files calls as called by a module of the program."""
        self.known[id(code)] = (code, name, False)
        for inner in code.co_consts:
            if isinstance(inner, type(code)):
                self.adopt(inner, name)

    def learn(self, code: CodeType, name: str, function: bool) -> None:
        """Names a code and all codes within it."""
        self.known[id(code)] = self.placed[place_code(code)] = (code, name, function)
        self.learn_inside(code, name, name)

    def learn_inside(self, code: CodeType, owner: str, prefix: str) -> None:
        """Names the codes within one. ``owner`` calls what class bodies call; ``prefix`` is before their names."""
        lambdas = 0
        for inner in list_inside(code):
            name = inner.co_name
            if inner.co_flags & OPTIMIZED:
                if name == "<lambda>":
                    lambdas += 1
                    name = f"<lambda{lambdas}>"
                self.learn(inner, f"{prefix}.{name}", True)
            else:
                self.known[id(inner)] = self.placed[place_code(inner)] = (inner, owner, False)
                self.learn_inside(inner, owner, f"{prefix}.{name}")
        for silent in list_silent(code):
            self.known[id(silent)] = self.placed[place_code(silent)] = (silent, owner, False)


def make_counters(files: dict[str, str], counts: dict[tuple[str, int], int]) -> tuple[Any, Any]:
    """The function of ``sys.settrace`` and that of ``sys.monitoring`` that count lines. A signal may interrupt both, so
    neither holds anything else."""
    disabled = None if MONITORING is None else MONITORING.DISABLE

    def note_line(code: CodeType, line: int) -> Any:
        file = files.get(code.co_filename)
        if file is None:
            return disabled
        if line > 0:  # an empty file begins at line 0
            counts[file, line] = counts.get((file, line), 0) + 1
        return None

    def follow(frame: FrameType, event: str, argument: object) -> Any:
        if event == "call":
            return follows if frame.f_code.co_filename in files else None
        if event == "line" and type(frame) is FRAME:
            note_line(frame.f_code, frame.f_lineno)
        return follows

    follows = hide(follow)
    return follows, hide(note_line)


def place_code(code: CodeType) -> tuple[str, int, str]:
    """The place of a code, which its copies share."""
    return code.co_filename, code.co_firstlineno, getattr(code, "co_qualname", code.co_name)


def is_copy(code: CodeType, of: CodeType) -> bool:
    """Whether a code does what another does, as a copy with another name or flag."""
    same = code.co_code == of.co_code and code.co_names == of.co_names and len(code.co_consts) == len(of.co_consts)
    return same and all(mine is its for mine, its in zip(code.co_consts, of.co_consts, strict=True))


def is_text(source: Any, text: str) -> bool:
    """Whether what is compiled is the text of a file."""
    plain = type(source)
    if plain is bytes:
        source = source.decode("utf-8", "surrogatepass")
    elif plain is not str:
        return False
    return normalize(source) == normalize(text)


def normalize(text: str) -> str:
    """A text without what reading a file may change."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_silent(code: CodeType) -> bool:
    """Whether Python made a code for itself, so that the codes within it belong to what is around it."""
    return code.co_name in SILENT or code.co_name.startswith(GENERIC)


def list_silent(code: CodeType) -> list[CodeType]:
    """The codes within a code that Python made for itself, at every depth, as far as no function is between."""
    found = []
    for inner in code.co_consts:
        if isinstance(inner, type(code)) and is_silent(inner):
            found += [inner, *list_silent(inner)]
    return found


def list_inside(code: CodeType) -> list[CodeType]:
    """The codes of functions, lambdas and classes directly within a code, in the order in which their bodies begin."""
    found = [inner for inner in code.co_consts if isinstance(inner, type(code)) and not is_silent(inner)]
    found += [inner for silent in list_silent(code) for inner in silent.co_consts if isinstance(inner, type(code))]
    return sorted((inner for inner in found if not is_silent(inner)), key=find_body)


def find_body(code: CodeType) -> tuple[int, int]:
    """The line and column where the body of a code begins."""
    places = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]
    inside = [place for place in places if place[1] or place[0] > code.co_firstlineno]
    return min(inside or places or [(code.co_firstlineno, 0)])
