"""No key, address or proxy of the machine reaches a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import Server


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def healthy() -> Iterator[Server]:
    """A server without faults."""
    with Server() as running:
        yield running
