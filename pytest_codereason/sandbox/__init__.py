"""Runs untrusted programs, and returns their results as data."""

from __future__ import annotations

from pytest_codereason.sandbox.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import Mode, open_sandbox

__all__ = ["Mode", "Sandbox", "open_sandbox"]
