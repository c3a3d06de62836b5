"""A finding is one thing with its state, the words about it, and at most one remedy."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, astuple
from typing import Any, cast

import pytest

from pytest_codereason.session.doctor.finding import SANDBOX, Finding
from pytest_codereason.session.doctor.running import _describe_sandbox


def test_what_is_well_needs_no_remedy() -> None:
    assert astuple(Finding("java", "ok", "17")) == ("java", "ok", "17", "")
    assert astuple(Finding("java", "absent", "not found", "apt install")) == (
        "java",
        "absent",
        "not found",
        "apt install",
    )


def test_equal_findings_are_one_and_none_is_changed_afterwards() -> None:
    finding = Finding("java", "ok", "17")
    assert {finding, Finding("java", "ok", "17")} == {finding}
    with pytest.raises(FrozenInstanceError):
        cast(Any, finding).state = "weak"


def test_the_sandbox_is_known_by_its_subject() -> None:
    assert SANDBOX == "sandbox"
    assert _describe_sandbox("processes").subject == SANDBOX
