"""Notes every line that a traced Python program runs, and what variables hold before some of them.

The harness loads this file before ``witness.py``, into the same names.

Whoever can call what notes a moment could write one. So nothing here believes its arguments: the frame is the one that
is really below on the stack, and its instruction must be one at which the interpreter tells of an event. No call is.
"""

from __future__ import annotations

import _thread
from opcode import opname

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType, FrameType
    from typing import Any
if __name__ != "witness":
    from pytest_codereason.languages.python.codes import is_silent
    from pytest_codereason.languages.python.guard import FRAME, LOOK, MONITORING, bare, hide

MOST_EVENTS = 100_000
MOST_VISITS = 256
MOST_TEXT = 2_000
MOST_TEXTS = 400_000
#: Characters of all events, so that a whole trace stays below what a job may write.
MOST_CODE = 500_000
TOO_LARGE, UNBOUND = -1, -2
#: Instructions at which no line begins: those that call a function, and the one that ends a generator.
WITHIN = {number for number, name in enumerate(opname) if "CALL" in name or name == "CLEANUP_THROW"}
#: The bytes of an instruction.
UNIT = 2
#: Instructions to which a loop comes back in the middle of its first line.
HEADS = {opname.index("FOR_ITER"), opname.index("GET_ANEXT")}
RESUME, RERAISE = opname.index("RESUME"), opname.index("RERAISE")
#: How a frame shows its variables: as a dict, or in later versions as a view.
VIEWS: Any = {dict, *(type(LOOK().f_locals) for _ in "x")}
COUNT_THREADS = _thread._count
#: Where an exception has been so far, whatever its class says of it.
FIND_TRACE: Any = BaseException.__dict__["__traceback__"].__get__
try:
    raise KeyError
except KeyError as known:
    TRACE: Any = type(known.__traceback__)
PLAIN: Any = (list, tuple, set, frozenset)
#: In place of where an exception was raised: there are two.
UNCLEAR = (0, -1, -1)


def is_short(value: Any, room: int = MOST_TEXT) -> bool:
    """Whether a value may be written in so many characters, as far as its sizes say. It takes no more time than that.

    A value that holds itself is never short.
    """
    waiting = [value]
    while waiting and room >= 0:
        one = waiting.pop()
        kind: Any = type(one)
        if kind is str or kind is bytes:
            room -= len(one)
        elif kind is int:
            room -= one.bit_length() >> 2
        elif kind in PLAIN or kind is dict:
            room -= len(one)
            if room >= 0:
                waiting += [*one.keys(), *one.values()] if kind is dict else one
        room -= 1
    return room >= 0


class MomentNotes:
    """The moments of a run, as they are noted.

    Args:
        files: the number of each of the program's files, by the name that its code has.
        blurred: for each file the lines that the interpreter tells of again and again while they run once.
        probes: for each probe the number of its file, its line, and the names that it looks at.
        encode: what writes a value.
    """

    def __init__(
        self,
        files: dict[str, int],
        blurred: Iterable[Iterable[int]],
        probes: Iterable[tuple[int, int, list[str]]],
        encode: Callable[[Any], str],
    ) -> None:
        self.files, self.write = files, encode
        self.blurred = {(file, line) for file, lines in enumerate(blurred) for line in lines}
        self.probes = {(file, line): (number, names) for number, (file, line, names) in enumerate(probes)}
        #: code that says that it stands in a file, and does not: the call
        self.outside: dict[int, CodeType] = {}
        self.starts: dict[int, tuple[CodeType, frozenset[int]]] = {}  #: by the id of a code
        self.identify: Callable[[Any], Any] = bool  #: whether a code is the program's own
        self.codes: set[Any] = set()  #: the code of what may call :meth:`note`
        self.numbers: dict[int, int] = {}  #: by the id of a frame
        self.frames: list[int] = []
        self.last: dict[int, int] = {}  #: the last line of each frame
        self.events: list[tuple[int, int]] = []
        self.whole = True
        self.raised: tuple[int, int, int] | None = None
        self.texts: dict[str, int] = {}
        self.room = MOST_TEXTS
        self.seen: list[list[str]] = [[] for _ in self.probes]

    def note(self, event: str, error: int = 0, trace: Any = None) -> bool:
        """Notes what happens now in the frame that is two below. False if somebody else calls."""
        if not self.whole:
            return True
        hook: Any = LOOK(2)
        frame = hook.f_back
        if hook.f_code not in self.codes or type(frame) is not FRAME:
            return False
        code = frame.f_code
        file = self.find_file(code)
        if file is None or is_silent(code):
            return True
        at: int = frame.f_lasti
        instruction = code.co_code[at] if at >= 0 else RESUME
        if event == "raise":
            known = self.raised is not None and self.raised[0] == error
            if instruction != RERAISE and not known and not self.has_passed(trace, frame.f_lineno):
                # Of two with no line between them, as where a generator is closed, nobody knows which one ends the run.
                self.raised = (error, file, frame.f_lineno) if self.raised is None else UNCLEAR
        elif event == "start":
            if instruction == RESUME and not code.co_code[at + 1] & 3 and self.identify(code):  # else it goes on
                self.begin(frame, file)
        elif instruction in HEADS or (at in self.find_starts(code) and instruction not in WITHIN):
            self.note_line(frame, file, frame.f_lineno)
        return True

    def find_file(self, code: CodeType) -> int | None:
        """The number of the program's file in which a code stands."""
        file = self.files.get(code.co_filename) if type(code.co_filename) is str else None
        return None if self.outside.get(id(code)) is code else file

    def has_passed(self, trace: Any, line: int) -> bool:
        """Whether an exception reached a line from another one of the program.

        Other lines may have run since it was raised: an ``except`` for another type, or a ``finally``. What is no trace
        of the interpreter is not looked at: it could run code of the program.
        """
        while type(trace) is TRACE and (trace := trace.tb_next) is not None:
            code = trace.tb_frame.f_code
            if self.find_file(code) is not None and not (is_silent(code) and trace.tb_lineno == line):
                return True
        return False

    def find_starts(self, code: CodeType) -> frozenset[int]:
        """The instructions of a code at which a line begins, and the first one, on the line of a lambda."""
        known = self.starts.get(id(code))
        if known is None or known[0] is not code:
            text = code.co_code
            body = next((at for at in range(0, len(text), UNIT) if text[at] == RESUME), -UNIT) + UNIT
            starts, before = {body}, None
            for at, _, line in code.co_lines():
                if line and line != before:  # an empty file begins at line 0
                    starts.add(at)
                before = line
            known = self.starts[id(code)] = code, frozenset(starts)
        return known[1]

    def begin(self, frame: FrameType, file: int) -> int:
        """Gives a frame its number."""
        number = self.numbers[id(frame)] = len(self.frames)
        self.frames.append(file)
        self.last[number] = 0
        return number

    def note_line(self, frame: FrameType, file: int, line: int) -> None:
        """Notes that a line of a frame is about to run."""
        self.raised = None
        number = self.numbers.get(id(frame))
        if number is None:
            number = self.begin(frame, file)
        again = self.last[number] == line and (file, line) in self.blurred
        self.last[number] = line
        if again:
            return
        self.whole = self.whole and len(self.events) < MOST_EVENTS and COUNT_THREADS() == 0
        if self.whole:
            self.events.append((number, line))
            if (file, line) in self.probes:
                self.look(frame, *self.probes[file, line])

    def look(self, frame: FrameType, probe: int, names: list[str]) -> None:
        """Notes what the names hold, one visit of a probe."""
        seen, variables = self.seen[probe], frame.f_locals
        # A key that is no plain text runs code of the program when another is looked up.
        if len(seen) >= MOST_VISITS or type(variables) not in VIEWS or any(type(name) is not str for name in variables):
            return
        held = [(True, variables[name]) if name in variables else (False, None) for name in names]
        written = [self.find_text(value) if bound else UNBOUND for bound, value in held]
        same = [
            next(n for n, (other, value) in enumerate(held) if n == at or (bound and other and value is held[at][1]))
            for at, (bound, _) in enumerate(held)
        ]
        seen.append(f"[{written},{same}]")

    def find_text(self, value: Any) -> int:
        """The place of a value among those that are written, or ``TOO_LARGE``."""
        try:
            text = self.write(value) if is_short(value) else ""
        except Exception:  # no literal, or no room on the stack
            text = ""
        if not text or len(text) > MOST_TEXT:
            return TOO_LARGE
        if text not in self.texts:
            if len(text) > self.room:
                return TOO_LARGE
            self.room -= len(text)
            self.texts[text] = len(self.texts)
        return self.texts[text]

    def encode(self) -> str:
        """The moments as JSON."""
        parts, before = [], (-1, 0)
        for frame, line in self.events:
            parts.append(str(line - before[1]) if frame == before[0] else f"[{frame},{line}]")
            before = frame, line
        frames, events = ",".join(map(str, self.frames)), ",".join(parts)
        if not self.whole or len(frames) + len(events) > MOST_CODE:
            return '{"frames":[],"events":[],"whole":false,"raised":null,"written":[],"visits":[]}'
        visits = ",".join(f"[{','.join(seen)}]" for seen in self.seen)
        raised = "null" if self.raised in (None, UNCLEAR) else f"[{self.raised[1]},{self.raised[2]}]"
        return (
            f'{{"frames":[{frames}],"events":[{events}],"whole":true,"raised":{raised},'
            f'"written":[{",".join(self.texts)}],"visits":[{visits}]}}'
        )


def make_hooks(moments: MomentNotes, keep: Callable[..., Any], spoil: Callable[[], Any]) -> tuple[Any, ...]:
    """The function of ``sys.settrace``, and those of ``sys.monitoring`` for starts, lines and exceptions.

    The program may see a frame of one, as when it calls it itself. So none holds more than hidden functions.
    """
    note, spoils, is_file = keep(moments.note), keep(spoil), frozenset(moments.files).__contains__
    probed = hide(
        {(name, line) for name, file in moments.files.items() for at, line in moments.probes if at == file}.__contains__
    )
    disabled, identify, look, kind, text = getattr(MONITORING, "DISABLE", None), id, LOOK, type, str
    find_trace, closing = FIND_TRACE, GeneratorExit  # which a generator that is thrown away raises by itself

    def follow(frame: FrameType, event: str, argument: Any) -> Any:
        file = frame.f_code.co_filename
        if kind(file) is not text or not is_file(file):
            return None
        if event == "line":
            whole = note("line")
        elif event == "call":
            whole = note("start")
        elif event == "exception":  # an ``await`` that ends is one without a trace
            apart = argument[2] is None or kind(argument[1]) is closing
            whole = apart or note("raise", identify(argument[1]), argument[2])
        else:
            whole = True
        if not whole:
            spoils()
        return follows

    def tell_start(code: CodeType, offset: int) -> Any:
        file = code.co_filename
        if kind(file) is not text or not is_file(file):
            return disabled
        if not note("start"):
            spoils()
        return None

    def tell_line(code: CodeType, line: int) -> Any:
        file = code.co_filename
        if kind(file) is not text or not is_file(file):
            return disabled
        if probed((file, line)):
            look(1).f_locals  # noqa: B018  what a variable held before dies now, and not where the notes can be seen
        if not note("line"):
            spoils()
        return None

    def tell_raise(code: CodeType, offset: int, error: BaseException) -> Any:
        file = code.co_filename
        if kind(file) is not text or not is_file(file) or kind(error) is closing:
            return
        if not note("raise", identify(error), find_trace(error)):
            spoils()

    hooks = tell_start, tell_line, tell_raise
    moments.codes = {hook.__code__ for hook in (follow, *hooks)}
    follows = hide(bare(follow))
    return (follows, *(hide(bare(hook)) for hook in hooks))


def pause_collector(collector: Any) -> None:
    """Keeps the collector from running a finaliser of the program in the middle of a note. The program may call it."""
    enabled = [collector.isenabled()]
    collector.disable()
    for name, known in (("enable", True), ("disable", False)):
        setattr(collector, name, hide(bare(make_switch(enabled, known))))
    collector.isenabled = hide(bare(lambda: enabled[0]))


def make_switch(enabled: list[bool], on: bool) -> Callable[[], None]:
    """What stands in for a function that switches the collector on or off: it only seems to."""

    def switch() -> None:
        enabled[0] = on

    return switch
