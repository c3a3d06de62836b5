"""Languages that lack something: questions about their programs are skipped, with the reason, and nothing raises."""

from __future__ import annotations

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Dialect, Facts, Language, Perturbation, Program
from pytest_codereason.errors import Skip

CHANGES = [name for name in registry.list_shipped(Perturbation) if name != "vanilla"]
SOURCE = "def f(x):\n    if x > 1:\n        return x\n    return 2\n"


class Bare(Language):
    """Only a name."""

    name, fence, title, suffixes = "bare", "bare", "Bare", (".bare",)


class BareDialect(Dialect):
    """The three methods, and none of the optional parts."""

    def comment(self, text: str) -> str:
        return f"# {text}"

    def print_statement(self, text: str) -> str:
        return f"print({text!r})"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        return stem


class Plain(Language):
    """Python with a dialect that has no optional parts."""

    name, fence, title, suffixes = "plain", "python", "Plain", (".py",)
    syntax = registry.language("python").syntax
    values = registry.language("python").values
    dialect = BareDialect()


def change(name: str, language: str) -> Program:
    program = Program.from_source(
        language=f"{__name__}:{language}", source=SOURCE, call="f(3)", facts=Facts(output=3, input="3")
    )
    return perturb(program, parse(name), 0, "x", "output")


@pytest.mark.parametrize("name", ["vanilla", *CHANGES])
def test_a_language_without_capabilities_is_skipped_and_the_reason_names_the_capability(name: str) -> None:
    with pytest.raises(Skip, match="the language bare has no syntax"):
        change(name, "Bare")


@pytest.mark.parametrize("name", ["conditions", "dead-code", "prints"])
def test_a_dialect_without_the_part_is_skipped_and_the_reason_names_the_language(name: str) -> None:
    with pytest.raises(Skip, match=r"the language .*Plain (has no|does not say)"):
        change(name, "Plain")


@pytest.mark.parametrize("name", ["comments", "misleading-comments", "rename", "misleading-names", "hint"])
def test_what_needs_no_optional_part_is_applied(name: str) -> None:
    assert change(name, "Plain").source != SOURCE
