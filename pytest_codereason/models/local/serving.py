"""The engine's own process: loads a GGUF file with llama.cpp and serves it on a loopback socket until its input ends.

It is run as a file, so that it imports nothing but the standard library and xllamacpp. The first line of its input has
the settings as JSON. Its first line of output is the address, or why there is none. What llama.cpp writes to the
error output tells its starter why it failed.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from typing import Any

#: Layers that a graphics card computes, where llama.cpp was built for one: all.
_EVERY_LAYER = 999


def serve(settings: dict[str, Any]) -> None:
    """Loads the weights, writes the address, and answers until the input ends."""
    end_with_starter()
    import xllamacpp

    params = make_params(xllamacpp, settings)
    try:
        server = xllamacpp.Server(params)
    except Exception as error:
        write({"error": " ".join(str(error).split()) or repr(error)})
        sys.exit(1)  # in order, so that llama.cpp writes what it still has to say
    write({"address": server.listening_address})
    threading.Event().wait()


def make_params(xllamacpp: Any, settings: dict[str, Any]) -> Any:
    """The parameters of llama.cpp."""
    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [settings["key"]]
    params.n_parallel, params.n_ctx = 1, settings["context"]
    params.n_ubatch, params.n_gpu_layers = settings["chunk"], _EVERY_LAYER
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    flash = xllamacpp.llama_flash_attn_type
    params.flash_attn_type = (
        flash.LLAMA_FLASH_ATTN_TYPE_AUTO if settings["flash"] else flash.LLAMA_FLASH_ATTN_TYPE_DISABLED
    )
    # The last prompt is remembered, and no other: copies of old prompts would take memory unseen.
    params.cache_ram_mib, params.cache_idle_slots, params.n_ctx_checkpoints, params.swa_full = 0, False, 0, True
    params.fit_params = False  # the starter has chosen the context by the memory that there is
    params.ui, params.endpoint_slots, params.warmup, params.offline = False, False, False, True
    params.verbosity = 1  # errors
    return params


def end_with_starter() -> None:
    """Ends this process when its input ends, which is when its starter has closed it or has died.

    While weights are loaded, no thread of Python runs. On Linux the kernel sends a signal then.
    """
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([0], [], [], 0)[0]:  # it has ended already
            os._exit(1)

    def wait() -> None:
        os.read(0, 1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def read_line() -> bytes:
    """The first line of the input, and nothing behind it."""
    line = bytearray()
    while (byte := os.read(0, 1)) not in (b"", b"\n"):
        line += byte
    return bytes(line)


def write(message: dict[str, Any]) -> None:
    """Writes one line of JSON."""
    os.write(1, json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the starter decides
    serve(json.loads(read_line()))
