"""How far a search is, as a log shows it."""

from __future__ import annotations

import pytest

from pytest_codereason.fuzzing import search_progress
from tests.fuzzing.conftest import Fuzzed
from tests.fuzzing.words import LARGE, large

pytestmark = pytest.mark.slow


def test_a_long_search_says_how_far_it_is(fuzzed: Fuzzed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_progress, "LOG_S", 0.0)
    result, requests = fuzzed.ask(LARGE, large())
    lines = [line for line in result.outlines if line.startswith("test_reads: ")]
    assert lines[0] == "test_reads: 0 requests, at most 200 more, 0 questions"
    assert any("; shrinking, " in line for line in lines)
    assert len(lines) <= requests
    result.stdout.fnmatch_lines(["*1 failed*"])


def test_a_short_search_says_nothing(fuzzed: Fuzzed) -> None:
    result, _ = fuzzed.ask(LARGE, large())
    result.stdout.no_fnmatch_line("test_reads: * at most *")
