"""What a language can do, and what is said where it cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_codereason import registry
from pytest_codereason.core.language.capabilities import CAPABILITIES, Capability
from pytest_codereason.errors import MissingCapability

#: The languages that have a capability which others lack.
SOME = {name: ["python", "javascript", "java"] for name in ("tracer", "naming", "calls", "drivers")}


@pytest.mark.parametrize("name", ["python", "javascript", "php", "java"])
def test_shipped_languages_have_every_capability(name: str) -> None:
    language = registry.language(name)
    capabilities = [capability for capability in CAPABILITIES if name in SOME.get(capability, [name])]
    assert all(language.has(capability) for capability in capabilities)
    language.require(capabilities, "anything")


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_a_language_without_a_capability_says_so(capability: Capability) -> None:
    mute = registry.language("tests.toy:Mute")
    assert not mute.has(capability)
    with pytest.raises(MissingCapability, match=f"^the language tests.toy:Mute has no {capability}$"):
        getattr(mute, capability)


def test_who_needs_what_is_said() -> None:
    mute = registry.language("tests.toy:Mute")
    mute.require([], "the task ask")
    complaint = "^the task ask needs syntax and runner, which the language tests.toy:Mute lacks$"
    with pytest.raises(MissingCapability, match=complaint):
        mute.require(["runner", "syntax"], "the task ask")


def test_a_capability_is_imported_when_it_is_first_used() -> None:
    script = """
import sys
from pytest_codereason.registry import language
python = language("python")
assert python.has("syntax") and python.has("values")
loaded = [name for name in sys.modules if name.startswith("pytest_codereason.languages.python.")]
python.values.read("1")
print(loaded, "tree_sitter" in sys.modules, "pytest_codereason.languages.python.runner" in sys.modules)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert process.stdout == "[] False False\n"
