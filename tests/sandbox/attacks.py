"""Hostile programs of Python, and what must come of each."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.sandbox import Sandbox, tiers
from tests.processes import read_processes
from tests.sandbox.targets import Targets

#: No attack but one on time may meet the clock, however busy the machine is.
AMPLE = Limits(wall_s=60)
SHORT = Limits(wall_s=0.5)
NAMESPACES, LANDLOCK, SECCOMP = "namespaces", "landlock", "seccomp"
#: The tiers that tests force, from the strongest down.
TIERS = ("namespaces+landlock+seccomp", "namespaces", "landlock+seccomp", "processes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A program, the call, and what must come of it.

    ``expected`` are endings, with the limit after a colon; ``value`` is what a ``returned`` one must give.
    ``needs``: layers of which one is enough; below them nothing is claimed.
    """

    source: str
    call: str = "f()"
    expected: tuple[str, ...]
    value: object = None
    limits: Limits = AMPLE
    needs: tuple[str, ...] = ()


def denied(source: str, *needs: str) -> Attack:
    """An attempt at what must be refused: ``f`` gives ``'denied'`` where it was, by an error of the system."""
    body = "\n".join(f"        {line}" for line in source.strip().splitlines())
    program = f"import os, socket\ndef f():\n    try:\n{body}\n    except OSError:\n        return 'denied'\n"
    return Attack(source=program, expected=("returned",), value="denied", needs=needs)


def tampering(source: str, call: str = "f()") -> Attack:
    """A program that interferes with its harness."""
    return Attack(source=source, call=call, expected=("tampered",))


def hits(limit: str, source: str, limits: Limits | None = None) -> Attack:
    """A program that takes too much of something; some of them until their time runs out."""
    expected = tuple(f"limit:{word}" for word in limit.split("|"))
    return Attack(source=source, expected=expected, limits=limits or (SHORT if "time" in limit else AMPLE))


ALL: dict[str, Attack] = {
    # Ending early, or seeming to.
    "os._exit": tampering("import os\ndef f(): os._exit(0)"),
    "sys.exit": tampering("import sys\ndef f(): sys.exit(0)"),
    "exit": tampering("def f(): exit()"),
    "exit while loading": tampering("raise SystemExit(0)\ndef f(): return 1"),
    "a subclass of SystemExit": tampering("class E(SystemExit): pass\ndef f(): raise E"),
    "killed by itself": Attack(
        source="import os, signal\ndef f():\n    os.kill(os.getpid(), signal.SIGKILL)\n    os._exit(0)",
        expected=("tampered",),
    ),
    "atexit prints success": Attack(
        source="import atexit\natexit.register(print, '{\"value\": 1}')\ndef f(): return 2",
        expected=("returned",),
        value=2,
    ),
    # Interfering with the harness.
    "patched len": tampering("import builtins\nbuiltins.len = lambda _: 3\ndef f(): return len([])"),
    "patched through __builtins__": tampering("__builtins__.print = None\ndef f(): return 1"),
    "deleted builtin": tampering("import builtins\ndel builtins.repr\ndef f(): return 1"),
    "patched json.dumps": tampering("import json\njson.dumps = lambda _: '1'\ndef f(): return 2"),
    "patched os.write": tampering("import os\nos.write = lambda *_: 0\ndef f(): return 2"),
    "patched in a callback": tampering(
        "import builtins, atexit\ndef g(): builtins.len = None\natexit.register(g)\ndef f(): return 2"
    ),
    "frames": tampering(
        "import sys\ndef f():\n    frame = sys._getframe()\n    while frame.f_back: frame = frame.f_back\n"
        "    return str(frame.f_locals)"
    ),
    "frames by inspect": tampering("import inspect\ndef f(): return str(inspect.currentframe().f_back.f_globals)"),
    "frames by a traceback": tampering(
        "def f():\n    try: 1 / 0\n    except ZeroDivisionError as e: return str(e.__traceback__.tb_frame.f_back)"
    ),
    "all objects": tampering("import gc\ndef f(): return len(gc.get_objects())"),
    "rubbish on the result's descriptor": tampering("import os\ndef f():\n    os.write(3, b'[[[\\n')\n    return 1"),
    "a second result": tampering("import os\ndef f():\n    os.write(3, b'{\"value\": 1}\\n')\n    return 1"),
    "half a result": tampering("import os\ndef f():\n    os.write(3, b'{\"value\": 1')\n    os._exit(0)"),
    "a result of no known form": tampering(
        'import os\ndef f():\n    os.write(3, b\'{"value": {"set": [[]]}}\\n\')\n    os._exit(0)'
    ),
    "deep brackets as result": tampering("import os\ndef f():\n    os.write(3, b'[' * 100000)\n    os._exit(0)"),
    "a result and another status": tampering(
        "import os\ndef f():\n    os.write(3, b'{\"value\": 1}\\n')\n    os._exit(1)"
    ),
    "closed descriptors": tampering("import os\ndef f():\n    os.closerange(0, 99)\n    return 1"),
    "result turned to nothing": tampering(
        "import os\ndef f():\n    os.dup2(os.open('/dev/null', os.O_RDWR), 3)\n    return 1"
    ),
    # Taking too much.
    "swallows every exception": hits(
        "time|cpu", "def f():\n    while True:\n        try: pass\n        except BaseException: pass"
    ),
    "ignores signals": hits(
        "time",
        "import signal, time\ndef f():\n    for s in range(1, 32):\n        try: signal.signal(s, signal.SIG_IGN)\n"
        "        except OSError: pass\n    time.sleep(99)",
    ),
    "burns": hits("cpu|time", "def f():\n    while True: pass", Limits(wall_s=2, cpu_s=1)),
    "list of 10^11": hits("memory", "def f(): return [0] * 10**11"),
    "grows": hits(
        "memory|time", "def f():\n    x = []\n    while True: x.append(bytes(1 << 20))", Limits(memory_mb=64)
    ),
    "shared memory": hits("memory", "import mmap\ndef f(): return mmap.mmap(-1, 10**11)"),
    "prints without end": hits("output", "def f():\n    while True: print('x' * 1000)"),
    "complains without end": hits("output", "import sys\ndef f():\n    while True: sys.stderr.write('x' * 1000)"),
    "huge result": hits("result", "def f(): return 'x' * (2 << 20)"),
    "10 GB file": hits(
        "file",
        "def f():\n    with open('x', 'wb') as file:\n        for _ in range(10_000): file.write(bytes(1 << 20))",
    ),
    "threads": hits(
        "processes|memory|time",
        "import threading, time\ndef f():\n    while True: threading.Thread(target=time.sleep, args=(9,)).start()",
    ),
    "a thread left running": hits(
        "time", "import threading, time\ndef f(): threading.Thread(target=time.sleep, args=(99,)).start()"
    ),
    "empty files without end": hits(
        "file|time", "def f():\n    for n in range(10**9): open(str(n), 'w').close()", Limits(wall_s=2)
    ),
    # Folders that are hard to remove.
    "folders in folders": Attack(
        source="import os\ndef f():\n    for _ in range(2000):\n        os.mkdir('d')\n        os.chdir('d')\n"
        "    return 1",
        expected=("returned",),
        value=1,
    ),
    "locked folders": Attack(
        source="import os\ndef f():\n    os.makedirs('a/b/c')\n    os.symlink('/', 'a/b/c/d')\n"
        "    for name in ('a/b/c', 'a/b', 'a', '.'): os.chmod(name, 0)\n    return 1",
        expected=("returned",),
        value=1,
    ),
    # Values that lie.
    "equal to everything": Attack(
        source="class A:\n    def __eq__(self, other): return True\ndef f(): return A()", expected=("raised",)
    ),
    "a subclass of int": Attack(
        source="class A(int):\n    def __eq__(self, other): return True\n    __hash__ = None\ndef f(): return [A(3)]",
        expected=("raised",),
    ),
    "a liar about its class": Attack(
        source="class A:\n    __class__ = int\n    def __repr__(self): return '3'\ndef f(): return A()",
        expected=("raised",),
    ),
    "a number too long to print": Attack(source="def f(): return [1 << 10**5]", expected=("raised",)),
    "the same, written itself": tampering(
        'import os\ndef f():\n    os.write(3, b\'{"value":{"int":"%s"}}\\n\' % (b\'f\' * 10**5))\n    os._exit(0)'
    ),
    "within itself": Attack(source="def f():\n    x = []\n    x.append(x)\n    return x", expected=("raised",)),
    "a message that raises": Attack(
        source="class E(Exception):\n    def __str__(self): raise SystemExit(0)\ndef f(): raise E", expected=("raised",)
    ),
    "a metaclass that names itself": Attack(
        source="class M(type):\n    __name__ = property(exit)\nclass A(metaclass=M): pass\ndef f(): return A()",
        expected=("raised",),
    ),
    "the call rebinds f": Attack(
        source="def f(): return 1", call="[f := lambda: 2, f()][1]", expected=("returned",), value=2
    ),
    "a stack overflow": Attack(
        source="import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __repr__(self): return repr([self])\n"
        "def f(): return repr(A())",
        expected=("raised", "limit:memory", "limit:time"),
    ),
    # Reaching out.
    "the parent's environment": denied("return open('/proc/{parent}/environ', 'rb').read()"),
    "the parent's memory": denied("return open('/proc/{parent}/mem', 'rb').seek(4096)"),
    "its keeper's environment": denied("return open(f'/proc/{os.getppid()}/environ', 'rb').read()"),
    "signals to the parent": denied("return os.kill({parent}, 0)", NAMESPACES, LANDLOCK, SECCOMP),
    "signals to its keeper": denied(
        "if not os.getppid(): return 'denied'\nreturn os.kill(os.getppid(), 0)", NAMESPACES, LANDLOCK, SECCOMP
    ),
    "a secret file": denied("return open('{secret}').read()", NAMESPACES, LANDLOCK),
    "a secret file by a link": denied("os.symlink('{secret}', 'x')\nreturn open('x').read()", NAMESPACES, LANDLOCK),
    "a secret file by a hard link": denied("os.link('{secret}', 'x')\nreturn open('x').read()", NAMESPACES, LANDLOCK),
    "passwords": denied("return open('/etc/shadow', 'rb').read()", NAMESPACES, LANDLOCK),
    "the project": denied("return open('{project}', 'rb').read()", NAMESPACES, LANDLOCK),
    "the home": denied("return open('{home}', 'rb').read()", NAMESPACES, LANDLOCK),
    "installed packages": denied("return open('{packages}', 'rb').read()", NAMESPACES, LANDLOCK),
    "writing outside": denied("return open('{outside}', 'w').write('x')", NAMESPACES, LANDLOCK),
    "writing beside its folder": denied(
        "return open(os.path.dirname(os.getcwd()) + '/x', 'w').write('x')", NAMESPACES, LANDLOCK
    ),
    # Opened for writing and left as it is: where the sandbox fails, no interpreter is damaged.
    "writing to the interpreter": denied("return open(os.__file__, 'a').close()", NAMESPACES, LANDLOCK),
    "tcp": denied("return socket.create_connection(('127.0.0.1', {port}), 1)", NAMESPACES, SECCOMP),
    "udp": denied(
        "with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end: return end.sendto(b'x', ('127.0.0.1', {udp}))",
        NAMESPACES,
        SECCOMP,
    ),
    "abstract sockets": denied(
        "with socket.socket(socket.AF_UNIX) as end: return end.connect('\\0{abstract}')", NAMESPACES, LANDLOCK, SECCOMP
    ),
    "the kernel's log": denied("return open('/dev/kmsg', 'rb').read(1)", NAMESPACES, LANDLOCK),
    "becoming root": denied("os.setuid(0)\nreturn open('{secret}').read()", NAMESPACES, LANDLOCK),
    "raised limits": Attack(
        source="import resource\ndef f(): resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", expected=("raised",)
    ),
    "a namespace of its own": Attack(
        source="import ctypes\ndef f(): return ctypes.CDLL(None).unshare(0x10000000)",
        expected=("returned",),
        value=-1,
        needs=(SECCOMP,),
    ),
    "ptrace": Attack(
        source="import ctypes\ndef f(): return ctypes.CDLL(None).ptrace(0x4206, {parent}, 0, 0)",  # does not stop it
        expected=("returned",),
        value=-1,
    ),
    "signals to the parent by its folder": Attack(
        source="import ctypes, os\ndef f():\n    try: folder = os.open('/proc/{parent}', os.O_RDONLY)\n"
        "    except OSError: return -1\n    return ctypes.CDLL(None).syscall(424, folder, 0, None, 0)",
        expected=("returned",),
        value=-1,
        needs=(NAMESPACES, LANDLOCK, SECCOMP),
    ),
    "signals from the kernel to the parent": Attack(
        source="import fcntl, os\ndef f():\n    read, write = os.pipe()\n"
        "    try: return fcntl.fcntl(read, 8, {parent})\n    except OSError: return 'denied'",
        expected=("returned",),
        value="denied",
        needs=(NAMESPACES,),
    ),
    "the parent's limits": Attack(
        source="import resource\ndef f():\n    try: return resource.prlimit({parent}, resource.RLIMIT_CPU)\n"
        "    except OSError: return 'denied'",
        expected=("returned",),
        value="denied",
        needs=(NAMESPACES, SECCOMP),
    ),
}

#: Run after every attack: finds nothing of it.
PROBE = Run.from_source(
    language="python",
    source="import builtins, json, os, sys\n"
    "def f(): return len([1, 2]), json.dumps([1]), repr(1), os.listdir('.'), sorted(os.environ), sys.argv",
    call="f()",
)
CLEAN: tuple[object, ...] = (
    *(2, "[1]", "1", []),
    ["HOME", "LANG", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ"],
    ["main.py"],
)


def applies(attack: Attack, sandbox: Sandbox) -> bool:
    """Whether the layers of a sandbox claim to stop an attack."""
    return not attack.needs or any(layer in sandbox.layers for layer in attack.needs)


def run_attack(attack: Attack, sandbox: Sandbox, targets: Targets | None, language: str = "python") -> Execution:
    """What came of an attack on ``targets``."""
    source = targets.fill_in(attack.source) if targets else attack.source
    return sandbox.run(Run.from_source(language=language, source=source, call=attack.call, limits=attack.limits))


def complaint(attack: Attack, execution: Execution) -> str:
    """What is wrong with what came of an attack, empty where it is as it must be."""
    ending = f"{execution.ending}:{execution.limit}" if execution.limit else execution.ending
    if ending not in attack.expected:
        return f"{ending} ({execution.error} {execution.message}) instead of {attack.expected}"
    if ending == "returned" and execution.value != attack.value:
        return f"returned {execution.value!r:.300}"
    return ""


def processes(marker: str) -> list[str]:
    """Processes whose command line holds ``marker``."""
    return [process for process, command in read_processes("cmdline") if marker.encode() in command]


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    children: list[int] = []
    with contextlib.suppress(OSError):  # one that ends meanwhile has none
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += [int(child) for child in (task / "children").read_text().split()]
    return [*children, *(below for child in children for below in descendants(child))]


BOMB = """
import os
def f():
    while True:
        try: os.fork()
        except OSError: pass
"""


def bounded(sandbox: Sandbox) -> bool:
    """Whether the kernel counts the processes of a job: those of root it does not."""
    return os.geteuid() != 0 or NAMESPACES in sandbox.layers or SECCOMP in sandbox.layers


def bombed(sandbox: Sandbox) -> str:
    """Runs a bomb that never gives in; what is wrong with what came of it."""
    execution = sandbox.run(Run.from_source(language="python", source=BOMB, call="f()", limits=Limits(wall_s=1)))
    keeper = next(iter(sandbox._keepers.values())).process
    until = time.monotonic() + 30
    sandbox.run(PROBE)
    # Whoever watches a job goes on for a while to remove its folder, which may hold many files; a bomb does not end.
    while (left := len(descendants(keeper.pid))) > 1 and time.monotonic() < until:
        sandbox.run(PROBE)
    return "" if execution.ending == "limit" and left <= 1 else f"{execution.ending}, {left} left"


def open_tier(tier: str) -> Sandbox:
    """A sandbox forced into a tier."""
    return tiers.open_first_tier([() if tier == "processes" else tuple(tier.split("+"))])
