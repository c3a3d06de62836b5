# fmt: off
"""The system calls that a job may make, by purpose.

The list holds the calls that four interpreters, their compilers and ordinary programs need, in any version: files,
memory, threads, processes of their own, clocks, pipes. Every other call is refused: the network, other processes,
namespaces, mounts, keys, asynchronous I/O, watches on files, the kernel itself, and all calls of later kernels.
``seccomp.py`` holds the calls that are allowed with some arguments only.

Each call has its number on x86-64 and its number on arm64. ``None`` says that the machine has no such call.
"""

from __future__ import annotations

Numbers = tuple[int | None, int | None]

#: Files. There is no ``mknod``: a named pipe takes memory, and does not look like a pipe among the open files.
_FILES: dict[str, Numbers] = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286), "pwritev2": (328, 287),
    "open": (2, None), "openat": (257, 56), "creat": (85, None), "close": (3, 57), "close_range": (436, 436),
    "lseek": (8, 62), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "mkdir": (83, None),
    "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37), "symlink": (88, None),
    "symlinkat": (266, 36),
    "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "umask": (95, 166),
    "fsync": (74, 82), "fdatasync": (75, 83), "sync_file_range": (277, 84), "fadvise64": (221, 223),
    "copy_file_range": (326, 285), "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10),
    "listxattr": (194, 11), "llistxattr": (195, 12), "flistxattr": (196, 13), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59),
}
#: Modes, owners and times of files.
ATTRIBUTES: dict[str, Numbers] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88),
}
#: Waiting.
_WAITING: dict[str, Numbers] = {
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd": (284, None), "eventfd2": (290, 19), "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87), "signalfd": (282, None), "signalfd4": (289, 74),
}
#: Memory.
_MEMORY: dict[str, Numbers] = {
    "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226), "brk": (12, 214),
    "msync": (26, 227), "mincore": (27, 232), "membarrier": (324, 283), "pkey_alloc": (330, 289),
    "pkey_free": (331, 290), "pkey_mprotect": (329, 288),
}
#: Processes and threads.
_PROCESSES_AND_THREADS: dict[str, Numbers] = {
    "execve": (59, 221), "execveat": (322, 281), "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260),
    "waitid": (247, 95), "fork": (57, None), "vfork": (58, None), "futex": (202, 98), "futex_waitv": (449, 449),
    "futex_wake": (454, 454), "futex_wait": (455, 455), "futex_requeue": (456, 456), "set_robust_list": (273, 99),
    "get_robust_list": (274, 100), "set_tid_address": (218, 96), "rseq": (334, 293), "gettid": (186, 178),
    "getpid": (39, 172), "getppid": (110, 173), "getpgid": (121, 155), "setpgid": (109, 154), "getpgrp": (111, None),
    "getsid": (124, 156), "setsid": (112, 157), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158),
    "capget": (125, 90), "capset": (126, 91), "arch_prctl": (158, None), "getcpu": (309, 168), "getrusage": (98, 165),
    "times": (100, 153), "getrlimit": (97, 163), "uname": (63, 160), "sysinfo": (99, 179),
    "restart_syscall": (219, 128), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "sched_rr_get_interval": (148, 127), "sched_getattr": (315, 275),
    "getpriority": (140, 141), "ioprio_get": (252, 31),
}
#: Signals.
_SIGNALS: dict[str, Numbers] = {
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "pause": (34, None),
}
#: Clocks.
_CLOCKS: dict[str, Numbers] = {
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "timer_create": (222, 107), "timer_settime": (223, 110), "timer_gettime": (224, 108),
    "timer_getoverrun": (225, 109), "timer_delete": (226, 111), "getrandom": (318, 278),
}
#: Pairs of sockets, between a program's own processes. ``seccomp.py`` checks how a pair is made. There is no
#: ``sendmsg``: it can put sockets into a socket, where nobody sees the memory that they hold.
_PAIRS_OF_SOCKETS: dict[str, Numbers] = {
    "sendto": (44, 206), "recvfrom": (45, 207), "recvmsg": (47, 212), "getsockname": (51, 204),
    "getpeername": (52, 205), "getsockopt": (55, 209), "shutdown": (48, 210),
}

ALLOWED: dict[str, Numbers] = (
    _FILES | _WAITING | _MEMORY | _PROCESSES_AND_THREADS | _SIGNALS | _CLOCKS | _PAIRS_OF_SOCKETS
)
