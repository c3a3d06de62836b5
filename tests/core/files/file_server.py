"""A server of one file, for what is fetched."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    asked: list[str]
    body: bytes

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path == "/absent" or self.path.partition("/")[2].partition("/")[0] in ("401", "403", "500"):
            self.send_error(404 if self.path == "/absent" else int(self.path[1:4]))
            return
        self.send_response(200)
        if self.path != "/unsaid":
            self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body[:1000] if self.path == "/cut" else self.body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serve(body: bytes) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that answers every request with ``body``, and the paths that it was asked for."""
    paths: list[str] = []
    with _serve(type("Asked", (Handler,), {"asked": paths, "body": body})) as url:
        yield url, paths


class Versions:
    """A file in a version, sent by a server whose connections end after some bytes."""

    def __init__(self, body: bytes, version: str, *, cut: int) -> None:
        self.body, self.version, self.cut = body, version, cut
        self.begun: list[int] = []  #: the byte at which each answer began


@contextmanager
def serve_versions(file: Versions) -> Iterator[str]:
    """The address of a server of a file, from any byte on while its version is the one asked for."""

    class Cutting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            begun = int(wanted[1]) if wanted and self.headers.get("If-Range") == file.version else 0
            if begun >= len(file.body):
                self.send_error(416)
                return
            file.begun.append(begun)
            self.send_response(206 if begun else 200)
            self.send_header("ETag", file.version)
            self.send_header("Content-Length", str(len(file.body) - begun))
            self.end_headers()
            self.wfile.write(file.body[begun : begun + file.cut])

        def log_message(self, *_: Any) -> None:
            pass

    with _serve(Cutting) as url:
        yield url


@contextmanager
def _serve(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    served = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=served.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{served.server_port}"
    finally:
        served.shutdown()
        served.server_close()
        thread.join()
