"""Sandboxes in forced tiers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox import Sandbox
from tests.sandbox import attacks


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
            sandboxes[tier] = attacks.opened(tier)
        except SandboxError as error:
            pytest.skip(f"this machine does not offer {tier}: {error}")
    return sandboxes[tier]


@pytest.fixture
def sandbox(sandboxes: dict[str, Sandbox]) -> Sandbox:
    """The strongest sandbox."""
    return in_tier(sandboxes, attacks.TIERS[0])
