"""What the doctor says of a sandbox: the strongest tier, a good one, and weak ones."""

from __future__ import annotations

import pytest

from pytest_codereason.session.doctor.running import _describe_sandbox


@pytest.mark.parametrize(
    ("tier", "state", "words"),
    [
        ("namespaces+landlock+seccomp", "ok", "namespaces+landlock+seccomp"),
        ("landlock+seccomp", "ok", "landlock+seccomp, without namespaces, which this machine does not offer"),
        ("processes", "weak", "processes: "),
    ],
)
def test_a_tier_is_described_by_what_it_lacks(tier: str, state: str, words: str) -> None:
    finding = _describe_sandbox(tier)
    assert finding.state == state
    assert finding.words.startswith(words)
    assert bool(finding.remedy) == (tier != "namespaces+landlock+seccomp")
