"""Extras as the doctor finds them."""

from __future__ import annotations

from email.message import Message
from importlib import metadata

import pytest

from pytest_codereason.session.doctor.finding import Finding
from pytest_codereason.session.doctor.packages import examine_packages


def test_an_extra_is_there_only_with_all_its_packages_new_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    requires = [
        "pandas>=2",
        'pytest>=8; extra == "good"',
        'pytest>=8; extra == "half"',
        'no-such-package>=1; extra == "half"',
        'pytest>=999; extra == "old"',
    ]
    described = Message()
    for extra in ("good", "half", "old", "dev"):
        described["Provides-Extra"] = extra
    monkeypatch.setattr(metadata, "requires", lambda name: requires)
    monkeypatch.setattr(metadata, "metadata", lambda name: described)
    findings = {finding.subject: finding for finding in examine_packages()}
    states = {name: finding.state for name, finding in findings.items()}
    assert states == {"good": "ok", "half": "absent", "old": "absent"}
    assert findings["half"].words == "no-such-package is not installed"
    assert findings["half"].remedy == "pip install 'pytest-codereason[half]'"
    assert findings["old"].words.endswith("needed is >=999")


def test_a_package_without_extras_has_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda name: None)
    monkeypatch.setattr(metadata, "metadata", lambda name: Message())
    assert list(examine_packages()) == []


def test_an_early_version_of_a_package_is_new_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    described = Message()
    described["Provides-Extra"] = "early"
    monkeypatch.setattr(metadata, "requires", lambda name: ['pytest>=8; extra == "early"'])
    monkeypatch.setattr(metadata, "metadata", lambda name: described)
    monkeypatch.setattr(metadata, "version", lambda name: "9.0rc1")
    assert list(examine_packages()) == [Finding("early", "ok", "pytest 9.0rc1")]


def test_every_extra_of_this_package_is_looked_at() -> None:
    assert {"local", "report", "vllm", "xdist"} <= {finding.subject for finding in examine_packages()}
