"""Runs beside a traced Python program: notes which of its functions calls which.

The harness loads this file before the program. Where the interpreter has ``sys.monitoring`` (3.12 and later), it says
which function starts and which line runs. Python 3.11 has no hook that is fast enough: an empty ``sys.setprofile``
takes longer than all that is done here. There the code of each function calls the witness itself (``weaver.py``), and
``sys.settrace`` is used for lines.

A program shares this process, so nothing that it meets leads to the notes: what it can find is opaque (:func:`hide`),
and what would lead past that is refused (:meth:`Witness.guard`).
"""

from __future__ import annotations

import builtins
import gc
import sys
import threading
from _lsprof import Profiler
from json.encoder import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any
if __name__ != "witness":  # the harness loads all of these into the same names
    from pytest_codereason.languages.python.codes import (
        is_copy,
        is_silent,
        is_text,
        list_inside,
        list_silent,
        list_within,
    )
    from pytest_codereason.languages.python.guard import (
        FRAME,
        FUTURE,
        GET_PROFILE,
        GET_TRACE,
        LOOK,
        MONITORING,
        PLAIN_COMPILE,
        SEEN,
        Guard,
        bare,
        hide,
        make_compile,
        make_counters,
    )
    from pytest_codereason.languages.python.moments import MomentNotes, make_hooks, pause_collector

#: The code of functions, unlike that of modules and class bodies, keeps its locals in slots.
OPTIMIZED = 1
BROKEN = (
    "the trace ended before the program: it reached the recursion limit, set a tracer, made other code in the name of "
    "a file, loaded ctypes, or looked for what runs it"
)
#: The calls that it takes to note a line, at the limit of recursion.
MOMENTS_ROOM = 8
#: One of the tools of ``sys.monitoring`` that have no use of their own.
TOOL = 4
PAUSE_COLLECTOR, GO_ON_COLLECTING, DOES_COLLECT = gc.disable, gc.enable, gc.isenabled
LIST_OBJECTS, CALLED_BACK = gc.get_objects, gc.callbacks
CODE: Any = type(LOOK().f_code)
FUNCTION: Any = type(lambda: None)


class Witness(Guard):
    """Notes calls, and lines or nothing but entered functions if asked to, from :meth:`start` to :meth:`stop`.

    A body is known by the code that was compiled here before the program began. Other code in the name of one of the
    program's files spoils the trace.
    """

    def __init__(
        self, modules: dict[str, tuple[str, str, str]], witnessed: str, weave: Any, moments: MomentNotes | None = None
    ) -> None:
        """``modules`` gives the name, path and text of each of the program's files, by the name that its code has."""
        super().__init__()
        self.modules = modules
        self.lines = witnessed in ("lines", "moments")
        self.moments = moments
        #: what counts functions in C, one for each thread: nobody can write into it
        self.profilers: list[Any] | None = [] if witnessed == "entered" else None
        self.weave = weave
        self.edges: set[tuple[str, str]] = set()
        self.counts: dict[tuple[str, int], int] = {}
        #: by the id of a code: the code, kept so that no other gets the id; the name of the function or module whose
        #: text it is; and whether it is a function
        self.known: dict[int, tuple[CodeType, str, bool]] = {}
        #: the same by the id of the constant that only the code of one function and its copies have
        self.marked: dict[int, tuple[CodeType, str, bool]] = {}
        self.begun = False
        self.follows, self.note_line = make_counters(
            {name: file for name, (_, file, _) in modules.items()}, self.counts
        )
        if moments is not None:
            moments.identify = self.identify
            self.follows, *self.hooks = make_hooks(moments, self.keep, self.spoil)
            self.inside = moments.codes
        self.begins = self.keep(lambda *_: self.profile())
        self.prepared = self.prepare()
        builtins.compile = make_compile(self.keep(self.hand_out))

    def prepare(self) -> dict[str, CodeType]:
        """The code of each of the program's files. Nothing of the program can look on while its functions get names."""
        prepared = {}
        stderr, sys.stderr = sys.stderr, None  # for the warnings, which are due when the program compiles a file
        for file, (name, _, text) in self.modules.items():
            try:
                code = PLAIN_COMPILE(text.encode("utf-8", "surrogatepass"), file, "exec", 0, True)
            except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
                continue  # the program meets it when it imports the file
            prepared[file] = self.weave_all(code)
            self.learn(prepared[file], name, False)
        sys.stderr = stderr
        return prepared

    def hand_out(self, code: Any, source: Any, mode: Any, flags: Any, optimize: Any) -> Any:
        """What ``compile`` gives the program: the prepared code of a file, or what was compiled."""
        if type(code) is not CODE or not self.is_in_file(code):
            return code
        if type(mode) is str and type(flags) is int and type(optimize) is int:
            plain = mode == "exec" and not flags & FUTURE and optimize < 1
            if plain and type(code.co_filename) is str and is_text(source, self.modules[code.co_filename][2]):
                return self.prepared.get(code.co_filename, code)
        self.broken = self.broken or self.begun  # before that, it is the call
        return code

    def start(self, entry: CodeType | None, file: str) -> None:
        """Begins. The code of an entry call counts as part of a file."""
        self.broken = self.begun  # the program cannot begin a second time
        self.begun = True
        if self.profilers is not None and MONITORING is not None:
            self.profile()
        self.guard(self.follows, self.begins)
        room = 2 if MONITORING is None and self.profilers is None else 1  # for what notes the deepest call
        if self.moments is not None:
            pause_collector(gc)
            room = MOMENTS_ROOM
        sys.setrecursionlimit(sys.getrecursionlimit() + room)
        if entry is not None:
            self.adopt(entry, self.modules[file][0])
            if self.moments is not None:
                self.moments.outside.update((id(code), code) for code in list_within(entry))
        if self.profilers is not None:
            if MONITORING is None:  # later versions count all threads at once
                threading.setprofile(self.begins)
                self.profile()
        elif MONITORING is not None:
            events = MONITORING.events
            MONITORING.use_tool_id(TOOL, "codereason")
            if self.moments is None:
                MONITORING.register_callback(TOOL, events.PY_START, hide(self.make_listener()))
                MONITORING.register_callback(TOOL, events.LINE, self.note_line)
            else:
                for event, hook in zip((events.PY_START, events.LINE, events.RAISE), self.hooks, strict=True):
                    MONITORING.register_callback(TOOL, event, hook)
            MONITORING.set_events(TOOL, self.choose_events())
        elif self.lines:
            threading.settrace(self.follows)
            sys.settrace(self.follows)

    def stop(self) -> str:
        """Ends, and says why the trace is not whole; empty if it is."""
        for name, value in vars(MONITORING).items() if MONITORING is not None else ():
            setattr(SEEN, name, value)
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
        # What the collector calls may come in the middle of what runs here.
        whole = whole and not self.broken and not self.full[0] and not CALLED_BACK and not self.has_stranger()
        return "" if whole else BROKEN

    def has_stranger(self) -> bool:
        """Whether a function has code in the name of a file that is not the file's. Later versions see it begin."""
        if MONITORING is not None:
            return False
        return any(
            type(thing) is FUNCTION and self.belongs(thing.__code__) and self.identify(thing.__code__) is None
            for thing in LIST_OBJECTS()
        )

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

    def choose_events(self) -> int:
        """The events of ``sys.monitoring`` that are asked for."""
        events = MONITORING.events
        chosen: int = events.PY_START | (events.LINE if self.lines else 0) | (events.RAISE if self.moments else 0)
        return chosen

    def encode(self) -> str:
        """The trace as JSON."""
        edges = ",".join(f"[{quoted(caller)},{quoted(callee)}]" for caller, callee in sorted(self.edges))
        files: dict[str, list[str]] = {}
        for (file, line), times in sorted(self.counts.items()):
            files.setdefault(file, []).append(f"[{line},{times}]")
        lines = ",".join(f"{quoted(file)}:[{','.join(pairs)}]" for file, pairs in files.items())
        entered = f',"entered":[{",".join(map(quoted, self.list_entered()))}]' if self.profilers is not None else ""
        moments = f',"moments":{self.moments.encode()}' if self.moments is not None else ""
        return f'{{"edges":[{edges}],"lines":{{{lines}}}{entered}{moments}}}'

    def weave_all(self, code: CodeType) -> CodeType:
        """A copy of a code in which every function tells of its start, or has a mark by which its copies are known."""
        inside = [self.weave_all(inner) if isinstance(inner, type(code)) else inner for inner in code.co_consts]
        code = code.replace(co_consts=tuple(inside))
        if not code.co_flags & OPTIMIZED or is_silent(code):
            return code
        if MONITORING is None and self.profilers is None and self.moments is None:
            woven: CodeType = self.weave(code, hide(self.make_hook()))
            return woven
        return code.replace(co_consts=(*code.co_consts, object()))

    def make_hook(self) -> Callable[[], None]:
        """What the code of one function calls when it starts."""
        callers: set[int] = set()

        def note(frame: FrameType) -> None:
            if self.enter(frame):
                callers.add(id(frame.f_back.f_code))  # type: ignore[union-attr]

        enter, has, full, identify, look = self.keep(note), hide(callers.__contains__), self.full, id, LOOK
        pause, go_on, collects = PAUSE_COLLECTOR, GO_ON_COLLECTING, DOES_COLLECT
        nobody, no_room = ValueError, RecursionError
        last = None

        def hook() -> None:
            nonlocal last
            try:
                caller = look(2).f_code
                if caller is last:  # a loop or a recursion: by far the most calls
                    return
                if has(identify(caller)):
                    last = caller
                elif collects():
                    pause()  # else a finaliser of the program may run where the notes can be seen
                    enter(look(1))
                    go_on()
                else:
                    enter(look(1))
            except nobody:  # nothing calls the first function of a thread
                return
            except no_room:  # at the limit, where a call of a new function has no room to be noted
                full[0] = True

        hidden: Callable[[], None] = bare(hook)
        return hidden

    def make_listener(self) -> Callable[[CodeType, int], Any]:
        """What gets each start of a function from ``sys.monitoring``."""
        callers: set[tuple[int, int]] = set()

        def note(frame: FrameType) -> Any:
            code = frame.f_code
            if not self.belongs(code):
                return MONITORING.DISABLE
            if self.enter(frame):
                callers.add((id(code), id(frame.f_back.f_code)))  # type: ignore[union-attr]
            return None

        enter, has, full, identify, look = self.keep(note), hide(callers.__contains__), self.full, id, LOOK
        pause, go_on, collects = PAUSE_COLLECTOR, GO_ON_COLLECTING, DOES_COLLECT
        nobody, no_room = ValueError, RecursionError
        last: tuple[CodeType | None, CodeType | None] = None, None

        def listener(code: CodeType, offset: int) -> Any:
            nonlocal last
            try:
                caller = look(2).f_code
                callee, before = last  # one value, because threads share it
                if code is callee and caller is before:
                    return None
                if has((identify(code), identify(caller))):
                    last = code, caller
                    return None
                if not collects():
                    return enter(look(1))
                pause()
                noted = enter(look(1))
                go_on()
                return noted
            except nobody:
                return None
            except no_room:
                full[0] = True
            return None

        hidden: Callable[[CodeType, int], Any] = bare(listener)
        return hidden

    def enter(self, frame: FrameType) -> bool:
        """Notes that a frame has been entered. True if each such call from the same code gives the same edge."""
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
        marked = self.find_mark(code)
        if marked is not None and is_copy(code, marked[0]):
            return marked[1:]
        if marked is not None or self.is_in_file(code):
            self.broken = True
        return None

    def belongs(self, code: CodeType) -> bool:
        """Whether a code is one of the program's, or says so."""
        return id(code) in self.known or self.is_in_file(code) or self.find_mark(code) is not None

    def is_in_file(self, code: CodeType) -> bool:
        """Whether a code is in the name of a file of the program. A name that is no plain text may be any."""
        return type(code.co_filename) is not str or code.co_filename in self.modules

    def find_mark(self, code: CodeType) -> tuple[CodeType, str, bool] | None:
        """The function that has the last constant of a code."""
        constants = code.co_consts
        return self.marked.get(id(constants[-1])) if type(constants) is tuple and constants else None

    def adopt(self, code: CodeType, name: str) -> None:
        """Counts all that a code outside the program's files calls as called by a module of the program."""
        self.known[id(code)] = (code, name, False)
        for inner in code.co_consts:
            if isinstance(inner, type(code)):
                self.adopt(inner, name)

    def learn(self, code: CodeType, name: str, function: bool) -> None:
        """Names a code and all codes within it."""
        self.known[id(code)] = (code, name, function)
        if function:
            self.marked[id(code.co_consts[-1])] = self.known[id(code)]
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
                self.known[id(inner)] = (inner, owner, False)
                self.learn_inside(inner, owner, f"{prefix}.{name}")
        for silent in list_silent(code):
            self.known[id(silent)] = (silent, owner, False)
