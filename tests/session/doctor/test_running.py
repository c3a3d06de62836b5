"""What the doctor says of a sandbox and of languages: the strongest tier, a good one, and what is missing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Language
from pytest_codereason.core.language.capabilities import Example
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.session.doctor.finding import SANDBOX, Finding
from pytest_codereason.session.doctor.running import _HELP, _describe_sandbox, _try_language, examine_running

FINE = "an example runs and returns what it should"


@pytest.mark.parametrize(
    ("tier", "state", "words"),
    [
        ("namespaces+landlock+seccomp", "ok", "namespaces+landlock+seccomp"),
        ("landlock+seccomp", "ok", "landlock+seccomp, without namespaces, which this machine does not offer"),
        ("seccomp", "weak", "seccomp: programs can read your files, and the keys in them"),
        ("processes", "weak", "processes: "),
    ],
)
def test_a_tier_is_described_by_what_it_lacks(tier: str, state: str, words: str) -> None:
    finding = _describe_sandbox(tier)
    assert finding.state == state
    assert finding.words.startswith(words)
    assert bool(finding.remedy) == (tier != "namespaces+landlock+seccomp")


def show(monkeypatch: pytest.MonkeyPatch, name: str, *examples: Example) -> None:
    """Gives a language other examples."""
    monkeypatch.setattr(type(language(name)), "examples", lambda self: examples)


def test_a_language_is_tried_by_its_first_example_with_a_call(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _try_language("python", sandbox) == Finding("python", "ok", FINE)
    script = Example({"main": "print(1)\n"}, "main", stdout="1\n")
    files = {"a.py": "from b import g\n\ndef f(n):\n    return g(n) + 1\n", "b.py": "def g(n):\n    return n\n"}
    good, wrong = (Example(files, "a.py", "f(2)", value) for value in ("3", "4"))
    broken = Example({"main": "def f():\n    raise KeyError(1)\n"}, "main", "f()", "1")
    found: list[tuple[Sequence[Example], str, str]] = [
        ([script, good, wrong], "ok", FINE),
        ([wrong, good], "missing", "an example goes wrong: the program "),
        ([broken], "missing", "an example goes wrong: the program raises KeyError"),
        ([script], "ok", "has no example that could be run"),
    ]
    for examples, state, words in found:
        show(monkeypatch, "python", *examples)
        finding = _try_language("python", sandbox)
        assert (finding.subject, finding.state, finding.remedy) == ("python", state, "")
        assert finding.words.startswith(words)


def test_what_a_language_lacks_is_said_with_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no node
    with Sandbox((), "off") as bare:
        finding = _try_language("javascript", bare)
        assert (finding.subject, finding.state, finding.remedy) == ("javascript", "missing", "apt-get install nodejs")
        assert finding.words == "node is not installed"
        finding = _try_language("klingon", bare)
        assert (finding.subject, finding.state) == ("klingon", "missing")
        assert "klingon" in finding.words


def test_the_sandbox_comes_first_and_then_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "list_names", {Language: ["python"]}.__getitem__)
    first, second = examine_running()
    assert first.subject == SANDBOX
    assert second == Finding("python", "ok", FINE)
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    (missing,) = examine_running()
    assert (missing.subject, missing.state, missing.remedy) == (SANDBOX, "missing", _HELP)
    assert missing.words.startswith("does not start: [Errno 2] No such file or directory: '/no/such/folder")
    with Sandbox((), "off") as bare:
        assert "No such file" in _try_language("python", bare).words
