"""A server that searches repositories as GitHub does."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse


class Search:
    """A search over repositories with so many stars each. ``failures`` are the first answers: status and headers."""

    def __init__(
        self, stars: list[int], failures: list[tuple[int, dict[str, str]]], addresses: list[str] | None = None
    ) -> None:
        self.stars, self.failures = stars, failures
        self.addresses = addresses or [f"https://host/o/r{i}.git" for i in range(len(stars))]
        self.queries: list[str] = []
        self.tokens: set[str | None] = set()

    def answer(self, query: dict[str, list[str]]) -> dict[str, object]:
        words, page, size = query["q"][0], int(query["page"][0]), int(query["per_page"][0])
        self.queries.append(words)
        match = re.search(r"stars:(?:>=(\d+)|(\d+)\.\.(\d+))", words)
        assert match
        low, high = int(match[1] or match[2]), int(match[3] or 10**9)
        found = sorted((n, i) for i, n in enumerate(self.stars) if low <= n <= high)[::-1]
        assert page * size <= 1000, "GitHub gives 1,000 results a query"
        items = [{"clone_url": self.addresses[i], "stargazers_count": n} for n, i in found]
        return {"total_count": len(items), "incomplete_results": False, "items": items[(page - 1) * size : page * size]}


@contextmanager
def serve(search: Search) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            search.tokens.add(self.headers["Authorization"])
            status, headers = search.failures.pop(0) if search.failures else (200, {})
            body: object = {"message": f"so says {status}"}
            if status == 200:
                body = search.answer(parse_qs(urlparse(self.path).query))
            content = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
