"""Running programs nobody vouches for, and getting what came of it back as data."""

from __future__ import annotations

from pytest_codereason.sandbox.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import Mode, open_sandbox

__all__ = ["Mode", "Sandbox", "open_sandbox"]
