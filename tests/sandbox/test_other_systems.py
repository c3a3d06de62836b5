from __future__ import annotations

import sys

import pytest

from pytest_codereason.errors import SandboxError
from pytest_codereason.sandbox import Mode, open_sandbox


@pytest.mark.parametrize("mode", ["auto", "require", "off"])
@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_a_system_that_is_no_linux_refuses_to_run_programs(
    monkeypatch: pytest.MonkeyPatch, system: str, mode: Mode
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(SandboxError, match=f"programs run only on Linux, in its sandbox, and this is {system}: use"):
        open_sandbox(mode)
