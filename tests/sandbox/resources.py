# ruff: noqa: E501 - a program stands on one line
"""Attacks on memory outside the limits, and on what all programs of a machine share.

Each gives ``refused`` where a layer stops it, and ``done`` where none does. None of them does any harm.
"""

from __future__ import annotations

from tests.sandbox.attacks import LANDLOCK, NAMESPACES, SECCOMP, Attack

CTYPES = """
import ctypes, errno, fcntl, mmap, os, resource, select, signal, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), 'refused')
    return result
def call(number, *arguments):
    return checked(libc.syscall(ctypes.c_long(number), *arguments))
"""
PRIVATE = "mmap.mmap(-1, 1 << 22, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)"
FILTER = "struct.pack('HBBI', 6, 0, 0, 0x7FFF0000)"


def _attack(source: str, *needs: str) -> Attack:
    return Attack(source=source, expected=("returned",), value="refused", needs=needs or (SECCOMP,))


def python(body: str, *needs: str) -> Attack:
    """A program of Python that runs ``body``."""
    lines = [line.removeprefix(" " * 8) for line in body.strip().splitlines()]
    body = "\n".join(f"        {line}" for line in lines)
    refused = "    except (OSError, ValueError):\n        return 'refused'\n    return 'done'\n"
    return _attack(f"{CTYPES}\ndef f():\n    try:\n{body}\n{refused}", *needs)


def javascript(body: str, *needs: str) -> Attack:
    """A program of JavaScript that runs ``body``, which may call ``done`` and ``refused`` later."""
    return _attack(
        "const f = () => new Promise(end => { const done = () => end('done'), refused = () => end('refused');\n"
        f"try {{ {body} }} catch {{ refused(); }} }});",
        *needs,
    )


def php(expression: str, *needs: str) -> Attack:
    """A program of PHP that evaluates an expression, which is false where the attack is stopped."""
    return _attack(f"function f() {{ return @({expression}) ? 'done' : 'refused'; }}", *needs)


def java(body: str, *needs: str) -> Attack:
    """A program of Java that runs ``body``."""
    method = f'static Object f() {{ try {{ {body} }} catch (Throwable error) {{ return "refused"; }} return "done"; }}'
    return _attack(
        f"import java.net.*; import java.nio.*; import java.nio.channels.*; import java.nio.file.*;\nclass P {{ {method} }}",
        *needs,
    )


#: System calls by their numbers on x86-64.
CALLS = {
    "pages given to a pipe": python("""
        reader, writer = os.pipe()
        page = mmap.mmap(-1, 4096); page[0:1] = b'x'
        class Piece(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('length', ctypes.c_size_t)]
        piece = Piece(ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096)
        checked(libc.vmsplice(writer, ctypes.byref(piece), 1, 0))
    """),
    "pages of a file in a pipe": python("""
        with open('own', 'w+b') as file:
            file.write(b'x' * 4096); file.flush()
            os.sendfile(os.pipe()[1], file.fileno(), 0, 1)
    """),
    "pages moved into a pipe": python("""
        with open('own', 'w+b') as file:
            file.write(b'x' * 4096); file.seek(0)
            call(275, file.fileno(), None, os.pipe()[1], None, 4096, 0)
    """),
    "pages in two pipes": python("""
        pipes = os.pipe(), os.pipe()
        os.write(pipes[0][1], b'x')
        call(276, pipes[0][0], pipes[1][1], 1, 0)
    """),
    "memory that stays when it is unmapped": python("mmap.mmap(-1, 1 << 20)"),
    "the same, with a strict flag": python("mmap.mmap(-1, 1 << 20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | 0x4000)"),
    "a file in memory": python("os.memfd_create('own')"),
    "a secret file in memory": python("call(447, 0)"),
    "a file for all programs in memory": python("os.unlink(f'/dev/shm/{open(\"/dev/shm/own\", \"w\").name[9:]}')", NAMESPACES, LANDLOCK),
    "memory of /dev/zero": python("mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)", NAMESPACES, LANDLOCK),
    "huge pages of the reserve": python("mmap.mmap(-1, 1 << 21, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x44000)"),
    "huge pages for a mapping": python(f"{PRIVATE}.madvise(14)"),
    "huge pages at once": python(f"held = {PRIVATE}\n        held[:] = b'x' * (1 << 22)\n        held.madvise(25)"),
    "comparing its memory with that of others": python(f"{PRIVATE}.madvise(12)"),
    "huge pages for the process": python("checked(libc.prctl(41, 0, 0, 0, 0))"),
    "a table of locks": python("checked(libc.prctl(78, 1, 16, 0, 0))"),
    "filters of system calls": python(f"code = ctypes.create_string_buffer({FILTER})\n        checked(libc.prctl(38, 1, 0, 0, 0))\n        checked(libc.prctl(22, 2, struct.pack('HxxxxxxQ', 1, ctypes.addressof(code)), 0, 0))"),
    "names of mappings": python(f"held = {PRIVATE}\n        checked(libc.prctl(0x53564D41, 0, ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(held))), ctypes.c_size_t(4096), b'own'))"),
    "a larger pipe": python("fcntl.fcntl(os.pipe()[0], 1031, 1 << 17)"),
    "a named pipe": python("os.mkfifo('own')"),
    "a pipe of watches": python("reader = (ctypes.c_int * 2)()\n        checked(libc.pipe2(reader, 0x80))\n        fcntl.ioctl(reader[0], 0x5760, 8)"),
    "larger buffers of sockets": python("socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)"),
    "a filter of a socket": python(f"code = ctypes.create_string_buffer({FILTER})\n        socket.socketpair()[0].setsockopt(1, 26, struct.pack('HxxxxxxQ', 1, ctypes.addressof(code)))"),
    "sockets that hold sockets": python("ends = socket.socketpair()\n        socket.send_fds(ends[0], [b'x'], [ends[1].fileno()])"),
    "datagrams": python("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"),
    "datagrams with flags": python("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)"),
    "a packet socket": python("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()"),
    "many messages at once": python("ends = socket.socketpair()\n        call(307, ends[0].fileno(), None, 0, 0)"),
    "memory of System V": python("checked(libc.shmget(0, 4096, 0o600))"),
    "semaphores of System V": python("checked(libc.semget(0, 1, 0o600))"),
    "messages of System V": python("checked(libc.msgget(0, 0o600))"),
    "a queue of messages": python("call(240, b'own', 0o102, 0o600, None)"),
    "a key": python("call(248, b'user', b'own', b'x', 1, -2)"),
    "a ring of keys": python("call(250, 1, None)"),
    "faults of its own memory": python("call(323, 1)"),
    "rings of input and output": python("call(425, 1, ctypes.create_string_buffer(256))"),
    "asynchronous input and output": python("context = ctypes.c_ulong(0)\n        call(206, 1, ctypes.byref(context))"),
    "counters of the processor": python("call(298, struct.pack('IIQ', 1, 120, 0).ljust(120, b'\\0'), 0, -1, -1, 0)"),
    "programs of the kernel": python("call(321, 0, bytes(72), 72)"),
    "a core of the processor for itself": python("checked(libc.prctl(62, 1, 0, 1, 0))"),
    "a table of segments": python("call(154, 1, struct.pack('IIII', 0, 0, 0, 0x51), 16)"),
    "a file's attributes": python("fcntl.ioctl(os.open('.', os.O_RDONLY), 0x80086601, bytes(8))"),
    "named attributes": python("os.setxattr(os.open('own', os.O_CREAT | os.O_WRONLY), 'user.own', b'x')"),
    "signals for others": python("fcntl.fcntl(os.pipe()[0], 8, 0)"),
    "signals for others, by a structure": python("fcntl.fcntl(os.pipe()[0], 15, struct.pack('ii', 1, 0))"),
    "signals from a folder": python("fcntl.fcntl(os.open('.', os.O_RDONLY), 1026, 2)"),
    "watches on files": python("checked(libc.inotify_init())"),
    "watches on files, with flags": python("checked(libc.inotify_init1(0x80000))"),
    "watches on whole file systems": python("call(300, 0x200, 0)"),
    "a lease on its own file": python("fcntl.fcntl(os.open('mine', os.O_CREAT | os.O_RDONLY), 1024, 0)"),
    "a lease on the interpreter": python("fcntl.fcntl(os.open(os.__file__, os.O_RDONLY), 1024, 0)"),
    "core dumps for a program": python("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"),
    "core dumps for a program, by the other call": python("resource.prlimit(0, resource.RLIMIT_CORE, (0, 0))"),
    "core dumps for a program, by its own number": python("resource.prlimit(os.getpid(), resource.RLIMIT_CORE, (0, 0))"),
    "writing everything to disk": python("call(162)"),
    "writing a file system to disk": python("call(306, os.open('.', os.O_RDONLY))"),
    "rules of its own": python("call(444, struct.pack('Q', 1), 8, 0)"),
    "memory of chosen processors": python("call(238, 0, None, 0)"),
    "another kind of machine": python("call(135, 0x0040000)"),
    "the clock's settings": python("call(159, bytes(256))"),
    "the handle of a file": python("call(303, -100, b'.', struct.pack('Ii', 128, 0).ljust(136, b'\\0'), bytes(4), 0)"),
    "memory by a call for other processes": python("byte = ctypes.create_string_buffer(1)\n        piece = struct.pack('QQ', ctypes.addressof(byte), 1)\n        call(310, os.getpid(), piece, 1, piece, 1, 0)"),
    "a descriptor of another process": python("call(438, call(434, os.getpid(), 0), 0, 0)"),
    "a new namespace by a call for processes": python("pid = call(56, 0x10000011, 0, 0, 0, 0)\n        if not pid: os._exit(0)"),
    "a new namespace of clocks": python("checked(libc.unshare(0x80))"),
    "a call of a later kernel": python("call(459, 0, 0, 0, 0)"),
    "terminals": python("os.openpty()", NAMESPACES, LANDLOCK, SECCOMP),
    "input for a terminal": python("fcntl.ioctl(os.openpty()[1], 0x5412, b'x')"),
    # Numbers of other interfaces of the kernel: the filter ends the process.
    "a call by its 32-bit number": Attack(
        source=f"{CTYPES}\ndef f():\n    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)\n"
        "    code.write(bytes.fromhex('53 b8 14 00 00 00 cd 80 5b c3'))\n"
        "    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()\n    return 'done'\n",
        expected=("tampered",),
        needs=(SECCOMP,),
    ),
    "a call by its x32 number": Attack(
        source=f"{CTYPES}\ndef f():\n    call(0x40000000 | 39)\n    return 'done'\n", expected=("tampered",), needs=(SECCOMP,)
    ),
}  # fmt: skip
#: Stopped in any case: by a limit, by the loss of capabilities, or because a kernel, a processor or a file system lacks
#: the feature.
STOPPED_ANYWAY = {
    *("a call of a later kernel", "a core of the processor for itself", "a file's attributes", "a queue of messages"),
    *("rings of input and output", "a secret file in memory", "counters of the processor", "programs of the kernel"),
    *("a table of locks", "a pipe of watches", "names of mappings", "huge pages at once", "named attributes"),
    *("watches on whole file systems", "a call by its x32 number", "a new namespace by a call for processes"),
    *("a new namespace of clocks", "a ring of keys", "rules of its own", "the handle of a file", "signals from a folder"),
    *("a call by its 32-bit number", "memory of chosen processors", "a lease on the interpreter", "input for a terminal", "memory by a call for other processes"),
}  # fmt: skip

JAVASCRIPT = {
    "watches": javascript("require('fs').watch('.').on('error', refused); setTimeout(done, 50);"),
    "a server": javascript("require('net').createServer().listen(0, '127.0.0.1', done).on('error', refused);"),
    "a named socket": javascript("require('net').createServer().listen('./own', done).on('error', refused);"),
    "a secret in another thread": javascript("new (require('worker_threads').Worker)(`require('fs').readFileSync('{secret}')`, { eval: true }).on('error', refused).on('exit', code => code ? refused() : done());", NAMESPACES, LANDLOCK),
    "udp": javascript("const s = require('dgram').createSocket('udp4').on('error', refused); s.send('x', {udp}, '127.0.0.1', e => e ? refused() : done());", NAMESPACES, SECCOMP),
    "http": javascript("require('http').get('http://127.0.0.1:{port}').on('error', refused).on('socket', s => s.on('connect', done));", NAMESPACES, SECCOMP),
    "its inspector": javascript("require('inspector').open(0, '127.0.0.1'); require('inspector').url() ? done() : refused();"),
    "a shell that reads a secret": javascript("require('child_process').execFileSync('/bin/cat', ['{secret}']); done();", NAMESPACES, LANDLOCK),
    "a secret by a link": javascript("const fs = require('fs'); fs.symlinkSync('{secret}', 'own'); fs.readFileSync('own'); done();", NAMESPACES, LANDLOCK),
    "another's priority": javascript("require('os').setPriority({parent}, require('os').getPriority({parent})); done();", NAMESPACES, SECCOMP),
    "a signal to the parent": javascript("process.kill({parent}, 0); done();", NAMESPACES, LANDLOCK, SECCOMP),
    "a named pipe by a shell": javascript("require('child_process').execFileSync('/usr/bin/mkfifo', ['own'], { stdio: 'ignore' }); done();"),
}  # fmt: skip

PHP = {
    "a server": php("stream_socket_server('tcp://127.0.0.1:0')"),
    "a named socket": php("stream_socket_server('unix://own')"),
    "udp": php("($s = stream_socket_client('udp://127.0.0.1:{udp}')) && fwrite($s, 'x')", NAMESPACES, SECCOMP),
    "a named socket for datagrams": php("stream_socket_server('udg://own', $n, $m, STREAM_SERVER_BIND)"),
    "a pair of datagrams": php("stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_DGRAM, 0)"),
    "a named pipe by a shell": php("shell_exec('mkfifo own 2>/dev/null && echo 1')"),
    "a shell that reads a secret": php("shell_exec('cat {secret} 2>/dev/null')", NAMESPACES, LANDLOCK),
    "a secret by a link": php("symlink('{secret}', 'own') && file_get_contents('own')", NAMESPACES, LANDLOCK),
    "a secret by a pattern": php("glob('{secret}*')", NAMESPACES, LANDLOCK),
    "a file outside": php("file_put_contents('{outside}', 'x')", NAMESPACES, LANDLOCK),
    "a signal to the parent": php("shell_exec('kill -0 {parent} 2>/dev/null && echo 1')", NAMESPACES, LANDLOCK, SECCOMP),
    "another's priority": php("pcntl_setpriority(pcntl_getpriority({parent}), {parent})", NAMESPACES, SECCOMP),
}  # fmt: skip

JAVA = {
    "a server": java("new ServerSocket(0).close();"),
    "udp": java("new DatagramSocket().send(new DatagramPacket(new byte[1], 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), {udp}));", NAMESPACES, SECCOMP),
    "a named socket": java("ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(\"own\")).close();"),
    "watches": java("FileSystems.getDefault().newWatchService().close();"),
    "a process that reads a secret": java("if (new ProcessBuilder(\"/bin/cat\", \"{secret}\").start().waitFor() != 0) return \"refused\";", NAMESPACES, LANDLOCK),
    "a secret by a link": java("Files.createSymbolicLink(Path.of(\"own\"), Path.of(\"{secret}\")); Files.readString(Path.of(\"own\"));", NAMESPACES, LANDLOCK),
    "a file outside": java("Files.writeString(Path.of(\"{outside}\"), \"x\");", NAMESPACES, LANDLOCK),
    "the parent's handle": java("ProcessHandle.of({parent}).orElseThrow();", NAMESPACES, LANDLOCK),
    "memory of a file for all programs": java("FileChannel.open(Path.of(\"/dev/shm/own\"), StandardOpenOption.CREATE, StandardOpenOption.DELETE_ON_CLOSE, StandardOpenOption.READ, StandardOpenOption.WRITE).close();", NAMESPACES, LANDLOCK),
    "the list of processes": java("try (var list = Files.list(Path.of(\"/proc\"))) { list.count(); }", NAMESPACES, LANDLOCK),
}  # fmt: skip

ALL: dict[str, dict[str, Attack]] = {"python": CALLS, "javascript": JAVASCRIPT, "php": PHP, "java": JAVA}
