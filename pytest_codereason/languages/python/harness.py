"""Runs beside a Python program: evaluates the call and writes its value as a line of JSON.

The sandbox starts this file alone, in a folder with the program and the call. The file takes every function that it
needs before the program runs, and checks these functions afterwards. It writes a value only if none was changed.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import atexit
import builtins
import gc
import json
import os
import sys
import threading
import types
from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]
from json.encoder import encode_basestring_ascii as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes a quarter of the start
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 100
MAX_BITS = 10_000
MAX_MESSAGE = 10_000
PROGRAM = "<program>"
BYTE_ORDER_MARK = "\ufeff"  #: skipped in files only, so not by ``compile``
#: Where the files of a program with names of its own lie, in the folder of the job.
FOLDER = "program"
WATCHED = (builtins, json, json.encoder, os)
builtins.__dict__.update(exit=sys.exit, quit=sys.exit)
BEFORE = [(module, module.__dict__, dict(module.__dict__)) for module in WATCHED]
GROUPS: dict[type[Any], str] = {tuple: "tuple", set: "set", frozenset: "frozenset"}
#: What an errno says about the limits: EFBIG, ENOSPC, EAGAIN, ENOMEM.
LIMITS = {27: "file", 28: "file", 11: "processes", 12: "memory"}
#: What a program that walks to its caller, or through all objects, does on the way.
PROBES = {"sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers", "object.__getattr__"}
FRAMES = {"tb_frame", "f_code", "gi_code", "cr_code", "ag_code"}


class NotALiteral(Exception):
    """A value has no literal form."""


class Tampered(BaseException):
    """The program interferes with what runs it."""


def encode(value: Any, depth: int = 0) -> str:
    """``value`` as JSON. Only exact types are encoded, so no code of the program runs here."""
    if depth > MAX_DEPTH:
        raise NotALiteral(f"the value is nested more than {MAX_DEPTH} levels deep")
    kind: type[Any] = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is str:
        try:
            value.encode()
        except UnicodeEncodeError:  # JSON would make one character of two halves of a surrogate pair
            return f'{{"utf-32":"{value.encode("utf-32-be", "surrogatepass").hex()}"}}'
        return quoted(value)
    if kind is int:
        if value.bit_length() > MAX_BITS:
            raise NotALiteral(f"an integer of more than {MAX_BITS} bits has no literal form")
        return repr(value) if -(1 << 53) < value < 1 << 53 else f'{{"int":"{value:x}"}}'
    if kind is float:
        return repr(value) if value - value == 0 else f'{{"float":"{value}"}}'
    if kind is bytes:
        return f'{{"bytes":"{value.hex()}"}}'
    if kind is dict:
        pairs = [f"[{encode(k, depth + 1)},{encode(v, depth + 1)}]" for k, v in value.items()]
        return f'{{"dict":[{",".join(pairs)}]}}'
    if kind is not list and kind not in GROUPS:
        raise NotALiteral(f"the value holds an object of type {name_type(kind)}, which has no literal form")
    inside = f"[{','.join([encode(v, depth + 1) for v in value])}]"
    return inside if kind is list else f'{{"{GROUPS[kind]}":{inside}}}'


def name_type(kind: type) -> str:
    """The name of a type, even if its metaclass defines another name."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def encode_error(error: BaseException) -> str:
    """The line for an exception."""
    try:
        message = str(error)[:MAX_MESSAGE]
    except BaseException:
        message = ""
    limit = ""
    if isinstance(error, MemoryError):
        limit = "memory"
    elif isinstance(error, OSError) and type(error.errno) is int:
        limit = LIMITS.get(error.errno, "")
    elif type(error) is RuntimeError and message == "can't start new thread":
        limit = "processes"
    extra = f',"limit":"{limit}"' if limit else ""
    return f'{{"error":{quoted(name_type(type(error)))},"message":{quoted(message)}{extra}}}'


class Watch:
    """Notices actions that no honest program needs."""

    def __init__(self) -> None:
        self.noticed = ""
        self.busy = False
        self.folder = ""  #: of a program whose files have names of their own

    def within(self, file: str) -> bool:
        """Whether a file is one of the program's."""
        return self.folder != "" and file.startswith(self.folder)

    def audit(self, event: str, arguments: tuple[object, ...]) -> None:
        """Gets each audit event from the interpreter."""
        if self.busy or event not in PROBES:
            return
        if event == "object.__getattr__" and arguments[1] not in FRAMES:
            return
        self.busy = True
        caller = sys._getframe(1)
        file = caller.f_code.co_filename
        if file == PROGRAM or self.within(file) or caller.f_globals.get("__name__") == "inspect":
            self.noticed = f"the program looked for what runs it ({event})"
        self.busy = False

    def check(self) -> None:
        """Raises ``Tampered`` if something was noticed or changed."""
        for module, now, before in BEFORE:
            for name in before:
                if now.get(name, before) is not before[name]:
                    raise Tampered(f"the program changed {module.__name__}.{name}")
        if self.noticed:
            raise Tampered(self.noticed)


def count_frames() -> int:
    """The depth of the caller's stack, so that a program gets its full recursion limit."""
    frame, count = sys._getframe(1), 0
    while frame := frame.f_back:  # type: ignore[assignment]
        count += 1
    return count + 2


def evaluate(source: str, call: str, watch: Watch, path: str, begin: Callable[..., None] | None) -> str:
    """The line to write. Runs the program, evaluates the call in its scope, and runs the exit functions.

    ``path`` is that of the program's entry file. ``begin`` begins the trace, where there is one.
    """
    try:
        program = compile(source.removeprefix(BYTE_ORDER_MARK), PROGRAM, "exec", dont_inherit=True)
        entry = compile(call.strip(), PROGRAM, "eval", dont_inherit=True) if call else None
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError) as error:
        return f'{{"rejected":{quoted(f"{type(error).__name__}: {error}"[:MAX_MESSAGE])}}}'
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    module.__dict__["__file__"] = path
    sys.modules["__main__"] = module
    execute, work_out = exec, eval
    sys.setrecursionlimit(sys.getrecursionlimit() + count_frames())
    join_threads = threading._shutdown  # type: ignore[attr-defined]
    at_exit = atexit._run_exitfuncs
    line = '{"value":null}'
    if begin:
        begin(entry, PROGRAM)
    else:  # a witness looks at a frame at every call, which would wake the watch every time
        sys.addaudithook(watch.audit)
    try:
        execute(program, module.__dict__)
        if entry is not None:
            value = work_out(entry, module.__dict__)
            watch.check()
            line = f'{{"value":{encode(value)}}}'
    except Tampered:
        raise
    except SystemExit as error:
        watch.check()
        if entry is not None:
            raise Tampered("the program ended itself (SystemExit)") from None
        if error.code is not None and error.code != 0:
            line = encode_error(error)
    except BaseException as error:
        watch.check()
        line = encode_error(error)
    join_threads()
    at_exit()
    watch.check()
    return line


def hide(function: Callable[..., Any]) -> Any:
    """A callable that does the same, and whose code, closure and owner cannot be seen."""
    return _lru_cache_wrapper(function, 0, False, None)


def make_finish(channel: int, seal: str, witness: Any) -> Callable[[str, bool], None]:
    """What writes the line and ends the process, for the function that calls this one and for nobody else."""
    write, end, look, text = os.write, os._exit, sys._getframe, quoted
    home = look(1)

    def finish(line: str, ran: bool) -> None:
        """``ran`` says that the program ran to its end, so that it has a trace."""
        if look(1) is not home:
            line = '{"tampered":"the program reached what runs it"}'
        elif ran and witness:
            broken = witness.stop()
            line = f'{{"tampered":{text(broken)}}}' if broken else f'{line[:-1]},"trace":{witness.encode()}}}'
        rest = f"{seal}{line}\n".encode("ascii")
        while rest:
            rest = rest[write(channel, rest) :]
        end(0)

    return finish


def make_silence() -> Callable[[], None]:
    """What keeps the program from being heard again, by a signal or as an object is thrown away."""
    ignore, stop, pause = _signal.signal, _signal.setitimer, gc.disable
    numbers, ignored = sorted({*_signal.valid_signals()} - {_signal.SIGKILL, _signal.SIGSTOP}), _signal.SIG_IGN

    def silence() -> None:
        pause()
        for timer in (0, 1, 2):
            stop(timer, 0)
        for number in numbers:
            ignore(number, ignored)

    return silence


def make_witness(files: dict[str, str]) -> Any:
    """What notes the calls of the program."""
    scope: dict[str, Any] = {"__name__": "witness", "__builtins__": dict(vars(builtins))}
    settings = json.loads(files["trace"])
    for name, source in settings["witness"].items():
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), scope)
    names = settings["modules"]
    paths = {file: f"{FOLDER}/{file}" for file in names if os.path.exists(f"{FOLDER}/{file}")}
    modules = {os.path.abspath(path): (names[file], file, read_file(path)) for file, path in paths.items()}
    modules[PROGRAM] = names[settings["entry"]], settings["entry"], files["program.py"]
    moments = None
    if settings["witnessed"] == "moments":
        numbers = {file: number for number, file in enumerate(names)}
        codes = {code: numbers[file] for code, (_, file, _) in modules.items()}
        probes = [(numbers[file], line, looked_at) for file, line, looked_at in settings["probes"]]
        moments = scope["MomentNotes"](codes, settings["blurred"], probes, encode)
    witness = scope["Witness"](modules, settings["witnessed"], scope["weave"], moments)
    BEFORE[0][2]["compile"] = builtins.compile  # the witness has put its own there
    return witness


def read_file(name: str) -> str:
    """The text of a file as it is."""
    with open(name, encoding="utf-8", errors="surrogatepass", newline="") as file:
        return file.read()


def read_files() -> dict[str, str]:
    """The program and the call. Their files are removed; files in the program's own folder stay."""
    texts = {}
    for name in ("program.py", "call.py", "main.py", "entry", "seal", "trace"):
        if os.path.exists(name):
            texts[name] = read_file(name)
            os.unlink(name)
    return texts


def place_files(files: dict[str, str]) -> str:
    """The path of the entry. Files with names of their own lie where Python imports them."""
    if "entry" not in files:
        return os.path.abspath("main.py")
    for name, text in files.items():
        if name.startswith(FOLDER + "/"):
            os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
                file.write(text)
    path = os.path.abspath(files["entry"])
    sys.argv[:] = [path]
    sys.path[:0] = dict.fromkeys([os.path.dirname(path), os.path.abspath(FOLDER)])
    return path


def main(files: dict[str, str] | None = None) -> None:
    """Runs the program, writes the result and ends. A warm interpreter passes the files."""
    pid, end, me = os.getpid, os._exit, os.getpid()
    channel = int(os.environ.pop("CODEREASON_RESULT"))
    files = files or read_files()
    path = place_files(files)
    streams = sys.stdout, sys.stderr
    watch = Watch()
    if "entry" in files:
        watch.folder = os.path.abspath(FOLDER)
    program, call, ran, silence = files["program.py"], files["call.py"], False, hide(make_silence())
    witness = make_witness(files) if "trace" in files else None
    finish, begin = hide(make_finish(channel, files.pop("seal", ""), witness)), witness and hide(witness.start)
    del files, witness
    try:
        line = evaluate(program, call, watch, path, begin)
        ran = not line.startswith('{"rejected"')
    except Tampered as noticed:
        line = f'{{"tampered":{quoted(noticed.args[0])}}}'
    if pid() != me:  # a child of the program that came this far
        end(0)
    for stream in (sys.stdout, sys.stderr, *streams):
        try:
            stream.flush()
        except BaseException:
            continue
    silence()
    finish(line, ran)


if __name__ == "__main__":
    main()
