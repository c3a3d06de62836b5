"""The names of JavaScript's functions in call graphs."""

from __future__ import annotations

from collections.abc import Collection

from pytest_codereason.core.language.naming import Naming
from pytest_codereason.languages.frame.examples import read_graph

#: Globals of the language and of node, and node's modules.
_LIBRARY = frozenset(
    """
    AbortController AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer DataView
    Date Error EvalError Event EventTarget FinalizationRegistry Float32Array Float64Array Function Generator Infinity
    Int16Array Int32Array Int8Array Intl Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError
    Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError URIError URL
    URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly atob btoa
    clearImmediate clearInterval clearTimeout console decodeURI decodeURIComponent encodeURI encodeURIComponent escape
    eval fetch global globalThis isFinite isNaN parseFloat parseInt performance process queueMicrotask require
    setImmediate setInterval setTimeout structuredClone unescape
    assert async_hooks buffer child_process cluster crypto dgram dns events fs http http2 https module net os path
    perf_hooks querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib
    """.split()
)


class JavaScriptNaming(Naming):
    """``main.Stack.push``: the file, what encloses the function, the function."""

    example = read_graph(__package__)
    rule = (
        'The module is the path of the file with dots and without its ending: "main" for "main.js", "lib.shapes" for '
        '"lib/shapes.js". A function f in "main.js" is "main.f", a method is "main.Class.method", a constructor is '
        '"main.Class.constructor", a function within a function is "main.f.inner", a method of an object literal is '
        '"main.object.method". A function without a name has that of the variable, property or field whose whole value '
        "it is. Others are numbered within the function, class or file around them, in the order in which they begin: "
        '"main.<arrow1>", "main.f.<function1>".'
    )

    def tidy(self, text: str) -> str:
        """The name without arguments."""
        return text.partition("(")[0].strip()

    def simplify(self, name: str) -> str:
        """A constructor is its class."""
        return name.removesuffix(".constructor")

    def is_library(self, name: str, own: Collection[str]) -> bool:
        """Whether the first part is a global or a module of node, and no file of the program."""
        first = name.removeprefix("node:").partition(".")[0]
        return first in _LIBRARY and not any(each == first or each.startswith(f"{first}.") for each in own)
