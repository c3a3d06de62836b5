"""Programs of four languages that take more memory than they may, by processes that each stay within the limit.

Each holds what it has taken for as long as a job may run. None takes more than some 300 MB where nothing stops it.
"""

from __future__ import annotations

from pytest_codereason.core.execution import Limits
from tests.sandbox.attacks import NAMESPACES, Attack

LIMITS = Limits(memory_mb=64, wall_s=50)
_SETTING = """
import ctypes, mmap, os, socket, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
"""


def _attack(source: str, *needs: str) -> Attack:
    # Without namespaces, a job of root that cannot be another user starts no processes.
    return Attack(source=source, expected=("limit:memory", "limit:processes"), limits=LIMITS, needs=needs)


def _python(body: str, *needs: str) -> Attack:
    lines = [line.removeprefix(" " * 4) for line in body.strip("\n").splitlines()]
    return _attack(f"{_SETTING}\ndef f():\n" + "\n".join(lines), *needs)


#: ``/proc`` shows the sockets and mappings of a job to its keeper only with namespaces, or to root.
PYTHON = {
    "processes": _python("""
        for _ in range(6):
            if not os.fork():
                held = b'x' * (48 << 20)
                time.sleep(40)
        time.sleep(40)
    """),
    "processes that nobody waits for": _python("""
        for _ in range(6):
            if not os.fork():
                os.setsid()
                if os.fork():
                    os._exit(0)
                held = b'x' * (48 << 20)
                time.sleep(40)
        time.sleep(40)
    """),
    "sockets": _python(
        """
        for _ in range(9):
            if not os.fork():
                held = []
                for _ in range(100):
                    pair = socket.socketpair()
                    held.append(pair)
                    for end in pair:
                        end.setblocking(False)
                        try:
                            while True: end.send(b'x' * 32768)
                        except BlockingIOError: pass
                time.sleep(40)
        time.sleep(40)
    """,
        NAMESPACES,
    ),
    "tables of pages": _python("""
        for n in range(1, 25_000):
            at = n << 30
            if libc.mmap(at, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100000, -1, 0) == at:
                ctypes.c_char.from_address(at).value
        time.sleep(40)
    """),
    "mappings": _python(
        """
        for n in range(20_000):
            libc.mmap(None, 4096, 1 + n % 2, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        for _ in range(12):
            if not os.fork():
                break
        time.sleep(40)
    """,
        NAMESPACES,
    ),
    "processes that change places": _python("""
        def move():
            held = b'x' * (40 << 20)
            while True:
                if os.fork():
                    os._exit(0)
        for _ in range(6):
            if not os.fork():
                move()
        time.sleep(40)
    """),
    "threads of processes": _python("""
        import threading
        held = []
        def take():
            held.append(b'x' * (12 << 20))
            time.sleep(40)
        for _ in range(5):
            if not os.fork():
                break
        for _ in range(4):
            threading.Thread(target=take, daemon=True).start()  # a process may be refused its next thread
        time.sleep(40)
    """),
    "pages written after a fork": _python("""
        held = bytearray(48 << 20)
        for _ in range(5):
            if not os.fork():
                break
        for at in range(0, len(held), 4096):
            held[at] = 1
        time.sleep(40)
    """),
    "copies of its own file": _python("""
        with open('own', 'wb') as file:
            file.write(b'x' * (4 << 20))
        for n in range(6):
            if not os.fork():
                with open('own', 'rb') as file:
                    held = [mmap.mmap(file.fileno(), 4 << 20, mmap.MAP_PRIVATE) for _ in range(11)]
                for part in held:
                    part[:] = b'y' * len(part)
                time.sleep(40)
        time.sleep(40)
    """),
}
JAVASCRIPT = {
    "processes": _attack(
        "function f() { for (let i = 0; i < 4; i++) require('child_process').spawn(process.execPath,\n"
        "['-e', 'const held = Buffer.alloc(56 << 20, 1); setTimeout(() => held, 9e3)'], { stdio: 'ignore' });\n"
        "return new Promise(end => setTimeout(end, 9e3)); }"
    ),
    "threads": _attack(
        "const { Worker } = require('worker_threads');\n"
        "function f() { for (let i = 0; i < 9; i++) new Worker('const held = Buffer.alloc(30 << 20, 1);"
        " setTimeout(() => held, 9e3)', { eval: true }); return new Promise(end => setTimeout(end, 9e3)); }"
    ),
}
PHP = {
    "processes": _attack(
        "function f() { for ($i = 0; $i < 8; $i++)\n"
        "if (!pcntl_fork()) { $held = str_repeat('x', 40 << 20); sleep(9); } sleep(9); }"
    ),
}
JAVA = {
    "memory beside the heap": _attack(
        'class P { static Object f() throws Throwable { var u = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");\n'
        "u.setAccessible(true); var unsafe = (sun.misc.Unsafe) u.get(null); for (int n = 0; n < 20; n++)\n"
        "unsafe.setMemory(unsafe.allocateMemory(16 << 20), 16 << 20, (byte) 1); Thread.sleep(9000); return 1; } }"
    ),
}
ALL: dict[str, dict[str, Attack]] = {"python": PYTHON, "javascript": JAVASCRIPT, "php": PHP, "java": JAVA}
