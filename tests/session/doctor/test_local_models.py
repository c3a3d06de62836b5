from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.models.shared import weights
from pytest_codereason.session.doctor import local_models
from pytest_codereason.session.doctor.finding import Finding
from pytest_codereason.session.doctor.local_models import examine_local_models


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores, 1.5 GB of memory that is free, and an empty cache."""
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    monkeypatch.setattr(local_models, "read_free_memory", lambda: 1_500_000_000)
    monkeypatch.setattr(local_models, "count_cores", lambda: 2)
    monkeypatch.setattr(local_models, "measure_cores", lambda most: most)


def find(name: str) -> Finding:
    return next(finding for finding in examine_local_models() if finding.subject == f"local:{name}")


def put(pin: weights.Pin) -> None:
    path = weights.locate(pin)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"GGUF")


def test_what_local_means_stands_first() -> None:
    words = "no weights are here yet: --model=local fetches local:smollm2, 93 MB"
    assert next(examine_local_models()) == Finding("local", "absent", words, "codereason fetch smollm2")
    put(weights.SMOLLM2)
    put(weights.PINS["qwen2.5-coder-0.5b"])
    words = "--model=local asks local:qwen2.5-coder-0.5b, the best that is here"
    assert next(examine_local_models()) == Finding("local", "ok", words)


def test_what_is_not_here_has_the_command_that_fetches_it() -> None:
    assert find("qwen2.5-coder-0.5b") == Finding(
        "local:qwen2.5-coder-0.5b",
        "absent",
        "quickstart takes about 86 seconds on 2 cores, and 1.0 GB of memory",
        "codereason fetch qwen2.5-coder-0.5b",
    )


def test_what_is_here_is_ready() -> None:
    put(weights.SMOLLM2)
    assert find("smollm2") == Finding(
        "local:smollm2", "ok", "quickstart takes about 47 seconds on 2 cores, and 0.3 GB of memory"
    )


def test_what_does_not_fit_is_said() -> None:
    finding = find("qwen2.5-coder-1.5b")
    assert finding.state == "absent"
    assert finding.words == "needs 2.1 GB of memory, and 1.5 GB are free"


def test_cores_that_others_use_are_not_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_models, "measure_cores", lambda most: 1)
    assert "about 79 seconds on 1 of 2 cores that are free now" in find("smollm2").words


def test_a_machine_that_does_not_tell_its_memory_may_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_models, "read_free_memory", lambda: None)
    assert "quickstart takes about 3 minutes" in find("qwen2.5-coder-1.5b").words
