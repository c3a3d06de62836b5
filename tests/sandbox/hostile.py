# ruff: noqa: E501 - a program stands on one line
"""Hostile programs of every language, what must come of each, and a probe that finds nothing of them.

Runs without pytest, so that any user can run it: ``python -m tests.sandbox.hostile TIER LANGUAGE complaints 3``.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.sandbox import Sandbox
from tests.sandbox import attacks, memories, resources
from tests.sandbox.attacks import NAMESPACES, SECCOMP, Attack
from tests.sandbox.targets import Targets

QUICK = Limits(wall_s=2.0, cpu_s=5)
#: For a program that only burns its time, in a language that starts at once.
BRIEF = Limits(wall_s=1.0, cpu_s=5)
#: Without these nothing counts the processes of root.
COUNTED = (NAMESPACES, SECCOMP)


def _tampered(source: str) -> Attack:
    return Attack(source=source, expected=("tampered",))


def _hits(words: str, source: str, limits: Limits | None = None, needs: tuple[str, ...] = ()) -> Attack:
    """A program that takes too much of something. Where that is not time, a busy machine must not end it first."""
    expected = tuple(f"limit:{word}" for word in words.split("|"))
    return Attack(
        source=source, expected=expected, limits=limits or (QUICK if "time" in words else attacks.AMPLE), needs=needs
    )


def _gives(value: object, source: str, *needs: str) -> Attack:
    return Attack(source=source, expected=("returned",), value=value, needs=needs)


def _fails(source: str, *endings: str, limits: Limits = attacks.AMPLE) -> Attack:
    return Attack(source=source, expected=endings or ("raised",), limits=limits)


JAVASCRIPT = {
    "process.exit": _tampered("function f() { process.exit(0); }"),
    "process.reallyExit": _tampered("process.reallyExit(0); function f() { return 1; }"),
    "exit in a getter of the result": _tampered("const f = () => ({ get x() { process.exit(0); } });"),
    # The first process of a namespace cannot be killed from within.
    "killed by itself": _fails(
        "function f() { process.kill(process.pid, 'SIGKILL'); for (;;); }", "tampered", "limit:time", limits=QUICK
    ),
    "a second result": _tampered("function f() { require('fs').writeSync(3, '{\"value\":1}\\n'); return 1; }"),
    "rubbish as result": _tampered("function f() { require('fs').writeSync(3, '[['); process.exit(0); }"),
    "no one left to settle": _tampered(
        "process.removeAllListeners('beforeExit'); function f() { return new Promise(() => {}); }"
    ),
    "aborts": _fails("function f() { process.abort(); }"),
    "constructor of constructors": _gives(
        "object", "const f = () => typeof f.constructor.constructor('return process')();"
    ),
    "patched at every turn": _gives(
        {"a": ["s", 1]},
        "JSON.stringify = () => '1'; Object.prototype.toJSON = () => 3; Object.keys = () => [];\n"
        "Array.isArray = () => false; Array.prototype[Symbol.iterator] = null; Function.prototype.call = null;\n"
        "Buffer.from = null; Reflect.apply = null; require('fs').writeSync = () => 9; Promise.prototype.then = null;\n"
        "Object.defineProperty(Array.prototype, '0', { set() { throw 1; } });\n"
        "function f() { return { a: ['s', 1] }; }",
    ),
    "equal to everything": _gives(
        {}, "const f = () => new (class { valueOf() { return 1; } equals() { return true; } })();"
    ),
    "a number too long to print": _fails("const f = () => [-(1n << 100000n)];"),
    "a proxy that lies": _gives(
        {"x": 1},
        "const f = () => new Proxy({}, { get: () => 1, ownKeys: () => ['x'],"
        " getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }) });",
    ),
    "the caller's frame": _fails("function f() { return f.caller.arguments[0]; }"),
    "timers left running": _gives(1, "setInterval(() => {}, 10); function f() { return 1; }"),
    "prints success": _gives(2, "process.on('exit', () => console.log('{\"value\":1}')); function f() { return 2; }"),
    "swallows every exception": _hits("time|cpu", "function f() { for (;;) try { throw 1; } catch {} }", BRIEF),
    "list of 10^11": _hits(
        "memory|time",
        "function f() { const a = []; for (let i = 0; i < 1e11; i++) a.push({}); }",
        Limits(wall_s=20, memory_mb=64),
    ),
    "buffers": _hits("memory", "function f() { const a = []; for (;;) a.push(Buffer.alloc(1 << 26, 1)); }"),
    "prints without end": _hits("output", "function f() { for (;;) console.log('x'.repeat(1000)); }"),
    "huge result": _hits("result", "function f() { return 'x'.repeat(2 << 20); }"),
    "10 GB file": _hits(
        "file",
        "function f() { const b = Buffer.alloc(1 << 20);\n"
        "for (let i = 0; i < 10000; i++) require('fs').appendFileSync('x', b); }",
    ),
    "processes": _hits(
        "time|processes|memory",
        "function f() { for (;;) try { require('child_process').spawn(process.execPath,"
        " ['-e', 'for(;;);'], { stdio: 'ignore' }); } catch {} }",
    ),
    "the parent's environment": _gives(
        "denied",
        "function f() { try { return require('fs').readFileSync("
        "'/proc/{parent}/environ', 'utf8'); } catch { return 'denied'; } }",
    ),
    "tcp": _gives(
        "denied",
        "const f = () => new Promise(r => { try { require('net').connect({port}, '127.0.0.1')"
        ".on('connect', () => r('open')).on('error', () => r('denied')); } catch { r('denied'); } });",
        NAMESPACES,
        SECCOMP,
    ),
}

PHP = {
    "exit": _tampered("function f() { exit(0); }"),
    "exit while loading": _tampered("exit(0); function f() { return 1; }"),
    "exit at a tick": _tampered(
        "declare(ticks=1); register_tick_function(fn() => exit(0)); function f() { $x = 1; return 1; }"
    ),
    "exit on a warning": _tampered("set_error_handler(fn() => exit(0)); function f() { return $nothing; }"),
    "exit in a handler of output": _tampered(
        "ob_start(fn() => exit(0)); function f() { echo 1; ob_end_flush(); return 1; }"
    ),
    "a second result": _tampered(
        "function f() { fwrite(fopen('php://fd/3', 'w'), \"{\\\"value\\\":1}\\n\"); return 1; }"
    ),
    "half a number as result": _tampered(
        'function f() { fwrite(fopen(\'php://fd/3\', \'w\'), "{\\"value\\":{\\"float\\":\\"00 00 00 00 0000\\"}}\\n");\n'
        "(new ReflectionProperty('Codereason\\\\Harness', 'result'))->setValue(null, null); exit(0); }"
    ),
    "the harness by reflection": _tampered(
        "function f() { $r = new ReflectionProperty('Codereason\\Harness', 'result'); $r->setAccessible(true);\n"
        'fwrite($r->getValue(), "{\\"value\\":1}\\n"); return 2; }'
    ),
    "the harness loses its descriptor": _tampered(
        "function f() { $r = new ReflectionProperty('Codereason\\Harness', 'result'); $r->setAccessible(true);\n"
        "$r->setValue(null, null); return 2; }"
    ),
    "the harness declared again": _fails(
        "<?php namespace Codereason; class Harness {} function f() { return 1; }", "rejected"
    ),
    "a function of the harness": _gives(
        2.5,
        "<?php namespace Codereason; function bin2hex($x) { return '00'; } function pack() { return ''; }\n"
        "function is_float($x) { return false; } function f() { return 2.5; }",
    ),
    "prints success": _gives(
        2, "register_shutdown_function(function () { echo '{\"value\":1}'; }); function f() { return 2; }"
    ),
    "an object that writes itself": _fails(
        "class A implements JsonSerializable { function jsonSerialize(): mixed { exit(0); }\n"
        "function __toString() { exit(0); } } function f() { return new A; }"
    ),
    "within itself": _fails("function f() { $a = [1]; $a[] = &$a; return $a; }"),
    "swallows every exception": _hits(
        "time|cpu", "function f() { while (1) try { throw new Error; } catch (Throwable) {} }", BRIEF
    ),
    "list of 10^11": _hits("memory", "function f() { return range(0, 10 ** 8) + array_fill(0, 10 ** 9, 1); }"),
    "calls without end": _hits("memory", "function f() { return f(); }"),
    "memory without its own limit": _hits(
        "memory", "ini_set('memory_limit', -1);\nfunction f() { while (1) $a[] = str_repeat('x', 1 << 24); }"
    ),
    "prints without end": _hits("output", "function f() { while (1) echo str_repeat('x', 1000); }"),
    "warns without end": _hits("output", "function f() { while (1) $nothing[1]; }"),
    "huge result": _hits("result", "function f() { return str_repeat('x', 2 << 20); }"),
    "10 GB file": _hits(
        "file|output",  # PHP warns of each write that fails, and goes on
        "function f() { $h = fopen('x', 'w'); for ($i = 0; $i < 10000; $i++) fwrite($h, str_repeat('x', 1 << 20)); }",
    ),
    "fork bomb": _hits("time|processes|cpu|output", "function f() { while (1) pcntl_fork(); }", needs=COUNTED),
    "the parent's environment": _gives(
        "denied", "function f() { return @file_get_contents('/proc/{parent}/environ') ?: 'denied'; }"
    ),
    "signals to the parent": _gives(False, "function f() { return @pcntl_setpriority(5, {parent}); }", NAMESPACES),
    "tcp": _gives(
        "denied",
        "function f() { return @fsockopen('127.0.0.1', {port}, $n, $m, 1) ? 'open' : 'denied'; }",
        NAMESPACES,
        SECCOMP,
    ),
}


def _java(body: str, before: str = "") -> str:
    return f"import java.util.*;\nclass P {{ {before} static Object f() throws Throwable {{ {body} }} }}"


_DESCRIPTOR = (
    "var c = java.io.FileDescriptor.class.getDeclaredConstructor(int.class); c.setAccessible(true);\n"
    "var out = new java.io.FileOutputStream(c.newInstance(3)); "
)
JAVA = {
    "System.exit": _tampered(_java("System.exit(0); return 1;")),
    "System.exit in a static initialiser": _tampered(_java("return 1;", "static { System.exit(0); }")),
    "halt": _tampered(_java("Runtime.getRuntime().halt(0); return 1;")),
    "exit from another thread": _tampered(_java("new Thread(() -> System.exit(0)).start(); while (true);")),
    "a second result": _tampered(_java(_DESCRIPTOR + 'out.write("{\\"value\\":1}\\n".getBytes()); return 1;')),
    "rubbish as result": _tampered(_java(_DESCRIPTOR + "out.write(91); System.exit(0); return 1;")),
    "a crash": _fails(
        _java(
            'var u = sun.misc.Unsafe.class.getDeclaredField("theUnsafe"); u.setAccessible(true);\n'
            "((sun.misc.Unsafe) u.get(null)).putAddress(0, 0); return 1;"
        ),
        *("raised", "tampered"),  # the first process of a namespace cannot end by a signal of its own
    ),
    "equal to everything": _fails(_java("return new Object() { public boolean equals(Object o) { return true; } };")),
    "a number too long to print": _fails(_java("return java.math.BigInteger.ONE.shiftLeft(100000);")),
    "within itself": _fails(_java("List<Object> l = new ArrayList<>(); l.add(l); return l;")),
    "a message that raises": _fails(
        _java(
            "throw new E();", "static class E extends Exception { public String getMessage() { throw new Error(); } }"
        )
    ),
    "calls without end": _fails(_java("return f();")),
    "the harness declared again": _fails(
        "package codereason; class Harness { static int f() { return 1; } }", "rejected", "tampered"
    ),
    "a compiler made to overflow": _fails(_java("return " + "(" * 20000 + "1" + ")" * 20000 + ";"), "rejected"),
    "a processor of annotations": _gives(
        1,
        _java(
            "return 1;",
            '@javax.annotation.processing.SupportedAnnotationTypes("*") static class A'
            " extends javax.annotation.processing.AbstractProcessor { static { System.exit(1); } public boolean process(Set<? extends"
            " javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r) { return true; } }",
        ),
    ),
    "prints success": _gives(
        2,
        _java(
            'Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("{\\"value\\":1}"))); return 2;'
        ),
    ),
    "a thread left running": _hits(
        "time|cpu", _java("new Thread(() -> { while (true) Thread.onSpinWait(); }).start(); return 1;")
    ),
    "a hook that never ends": _hits(
        "time",
        _java(
            "Runtime.getRuntime().addShutdownHook(new Thread(() -> { for (;;) java.util.concurrent.locks.LockSupport.park(); })); return 1;"
        ),
    ),
    "swallows every exception": _hits("time|cpu", _java("for (;;) try { throw new Error(); } catch (Throwable t) { }")),
    "list of 10^11": _hits("memory", _java("List<long[]> l = new ArrayList<>(); for (;;) l.add(new long[1 << 20]);")),
    "memory beside the heap": _hits(
        "memory|time",
        _java("List<Object> l = new ArrayList<>(); for (;;) l.add(java.nio.ByteBuffer.allocateDirect(1 << 24));"),
    ),
    "threads": _hits(
        "processes|memory|time",
        _java("for (;;) new Thread(() -> java.util.concurrent.locks.LockSupport.park()).start();"),
        Limits(wall_s=4),  # those that were started keep the machine from ending
    ),
    "prints without end": _hits("output", _java('for (;;) System.out.println("x".repeat(1000));')),
    "huge result": _hits("result", _java('return "x".repeat(2 << 20);')),
    "10 GB file": _hits(
        "file",
        _java(
            'try (var out = new java.io.FileOutputStream("x")) { for (int i = 0; i < 10000; i++) out.write(new byte[1 << 20]); } return 1;'
        ),
    ),
    "the parent's environment": _gives(
        "denied",
        _java(
            'try { return new String(new java.io.FileInputStream("/proc/{parent}/environ").readAllBytes()); }'
            ' catch (java.io.IOException e) { return "denied"; }'
        ),
    ),
    "tcp": _gives(
        "denied",
        _java(
            'try (var s = new java.net.Socket("127.0.0.1", {port})) { return "open"; } catch (java.io.IOException e) { return "denied"; }'
        ),
        NAMESPACES,
        SECCOMP,
    ),
}

_OWN = {"python": attacks.ALL, "javascript": JAVASCRIPT, "php": PHP, "java": JAVA}
ALL: dict[str, dict[str, Attack]] = {
    language: own | resources.ALL[language] | memories.ALL[language] for language, own in _OWN.items()
}
#: Finds the files of a job and what its interpreter took from the environment, as they must be.
PROBES: dict[str, tuple[str, object]] = {
    "python": (attacks.PROBE.source, attacks.CLEAN),
    "javascript": (
        "const f = () => [JSON.stringify([1]), [..._(process.env)].sort().join(), require('fs').readdirSync('.').sort()];"
        "const _ = Object.keys;",
        ["[1]", "HOME,LANG,OPENSSL_CONF,PATH,TMPDIR,TZ", ["call.js", "harness.js", "program.js"]],
    ),
    "php": (
        "function f() { $e = array_keys(getenv()); sort($e); return [json_encode([1]), implode(',', $e), array_slice(scandir('.'), 2)]; }",
        ["[1]", "HOME,LANG,PATH,TMPDIR,TZ", ["call.php", "harness.php", "program.php"]],
    ),
    "java": (
        _java(
            'var l = new java.io.File(".").list(); Arrays.sort(l); return List.of(new TreeSet<>(System.getenv().keySet()).toString(), l);'
        ),
        [
            "[CODEREASON_RESULT, HOME, LANG, LD_LIBRARY_PATH, PATH, TMPDIR, TZ]",
            ["Program.java", "call", "entry", "program.jar"],
        ],
    ),
}


def exact(value: Any) -> Any:
    """A value with the types at every level, which ``==`` takes for one another; the order of keys does not count."""
    if isinstance(value, list | tuple):
        return type(value), [exact(item) for item in value]
    if isinstance(value, dict):
        return dict, sorted((repr(exact(key)), repr(exact(item))) for key, item in value.items())
    return type(value), repr(value)


def try_attack(language: str, name: str, sandbox: Sandbox, targets: Targets) -> str:
    """Runs an attack; what is wrong with what came of it, empty where it ends as it must."""
    attack = ALL[language][name]
    return attacks.complaint(attack, attacks.run_attack(attack, sandbox, targets, language))


def probed(language: str, sandbox: Sandbox, after: str) -> str:
    """Runs the probe; what it found."""
    source, clean = PROBES[language]
    execution = sandbox.run(Run.from_source(language=language, source=source, call="f()"))
    return "" if execution.value == clean else f"after {after}: {execution}"


def list_attacks(sandbox: Sandbox, language: str, every: int = 1) -> list[str]:
    """The attacks of a language that ``sandbox`` claims to stop. Of those that no layer stops it is each ``every``-th,
    other ones in each tier.
    """
    claimed = {name: attack for name, attack in ALL[language].items() if attacks.applies(attack, sandbox)}
    alike = [name for name, attack in claimed.items() if not attack.needs]
    some = alike[attacks.TIERS.index(sandbox.tier) % every :: every]
    return [name for name, attack in claimed.items() if attack.needs or name in some]


def try_all(sandbox: Sandbox, language: str, every: int = 1) -> dict[str, str]:
    """Runs the attacks of :func:`list_attacks`; what went wrong with each, empty for nothing.

    Jobs of Python are forks of one process, so each is followed by a probe; what starts an interpreter of its own is
    followed by one at the end, which finds what any of them has left.
    """
    names = list_attacks(sandbox, language, every)
    # Some only wait for a clock; those that take all processes they can get have the machine to themselves.
    crowded = [name for name in names if "limit:processes" in ALL[language][name].expected]
    together = [name for name in names if name not in crowded]
    workers = len(os.sched_getaffinity(0))
    with (
        tempfile.TemporaryDirectory() as folder,
        Targets(Path(folder)) as targets,
        ThreadPoolExecutor(workers) as pool,
    ):

        def run(name: str) -> str:
            wrong = try_attack(language, name, sandbox, targets)
            return wrong or (probed(language, sandbox, name) if language == "python" else "")

        wrong = dict(zip([*together, *crowded], [*pool.map(run, together), *map(run, crowded)], strict=True))
        wrong["all, and what they reached"] = ", ".join(targets.list_reached())
    if language == "python" and attacks.bounded(sandbox):
        wrong["a fork bomb"] = attacks.bombed(sandbox)
    return wrong | {"all, and what is left": probed(language, sandbox, "all")}


def complaints(sandbox: Sandbox, language: str, every: int = 1) -> list[str]:
    """What went wrong with the attacks of a language that ``sandbox`` claims to stop."""
    return [f"{name}: {wrong}" for name, wrong in try_all(sandbox, language, every).items() if wrong]


def list_toothless(sandbox: Sandbox, language: str) -> Iterator[str]:
    """Runs the attacks that no layer of ``sandbox`` claims to stop. Those that do not succeed, which so show nothing."""
    with tempfile.TemporaryDirectory() as folder, Targets(Path(folder)) as targets:
        for name, attack in resources.ALL[language].items():
            if name not in resources.STOPPED_ANYWAY and not attacks.applies(attack, sandbox):
                execution = attacks.run_attack(attack, sandbox, targets, language)
                if execution.value != "done":
                    yield f"{name}: {execution}"


if __name__ == "__main__":
    tier, language, what, *more = sys.argv[1:]
    with attacks.open_tier(tier) as opened:
        if what == "verdicts":
            print(json.dumps([opened.tier, try_all(opened, language)]))
        else:
            found = (
                complaints(opened, language, *map(int, more))
                if what == "complaints"
                else list_toothless(opened, language)
            )
            print(json.dumps([opened.tier, *found]))
