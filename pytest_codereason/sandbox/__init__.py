"""Runs untrusted programs, and returns their results as data. Only Linux can run them; any system can import this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.sandbox.tiers import Mode, open_sandbox

if TYPE_CHECKING:
    from pytest_codereason.sandbox.sandbox import Sandbox

__all__ = ["Mode", "Sandbox", "open_sandbox"]


def __getattr__(name: str) -> Any:
    """The class, which is imported when it is used: it needs modules that only Linux has."""
    if name == "Sandbox":
        from pytest_codereason.sandbox.sandbox import Sandbox

        return Sandbox
    raise AttributeError(name)
