"""Sandboxes in forced tiers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox import Sandbox
from tests.sandbox import attacks, commons, hostile
from tests.sandbox.targets import Targets


@pytest.fixture(scope="session")
def sandboxes() -> Iterator[dict[str, Sandbox]]:
    """Sandboxes by tier, opened when first asked for."""
    opened: dict[str, Sandbox] = {}
    yield opened
    for sandbox in opened.values():
        sandbox.close()


def in_tier(sandboxes: dict[str, Sandbox], tier: str) -> Sandbox:
    """The sandbox of a tier, where this machine offers it."""
    if tier not in sandboxes:
        try:
            sandboxes[tier] = attacks.open_tier(tier)
        except SandboxError as error:
            pytest.skip(f"this machine does not offer {tier}: {error}")
    return sandboxes[tier]


def check(language: str, name: str, sandbox: Sandbox, folder: Path) -> None:
    """Runs an attack, then the probe: both end as they must."""
    if not attacks.applies(hostile.ALL[language][name], sandbox):
        pytest.skip(f"{sandbox.tier} does not claim to stop this")
    with Targets(folder) as targets:
        assert not hostile.try_attack(language, name, sandbox, targets)
        assert targets.list_reached() == []
    assert not hostile.probed(language, sandbox, name)


@pytest.fixture
def sandbox(sandboxes: dict[str, Sandbox]) -> Sandbox:
    """The strongest sandbox."""
    return in_tier(sandboxes, attacks.TIERS[0])


@pytest.fixture(scope="session")
def commons_of_all() -> Iterator[commons.Commons]:
    """A copy of this project that ``nobody`` may read."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    if not commons.is_possible():
        pytest.skip(f"{commons.PYTHON} is missing or too old, and no other Python is sure to be open to all")
    folder = Path("/tmp", f"codereason-test-{os.getpid()}")
    try:
        yield commons.Commons(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
