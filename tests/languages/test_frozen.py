"""What languages find in the programs of the corpus stays as it is frozen."""

from __future__ import annotations

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Language
from tests.examples import mostly_slow
from tests.languages import frozen

FROZEN = frozen.read_frozen()


@pytest.mark.parametrize("name", mostly_slow(sorted({path.partition("/")[0] for path in FROZEN}), 3))
def test_the_structure_of_programs_is_as_frozen(name: str) -> None:
    """If a change is wanted, ``python -m tests.languages.frozen`` writes it down."""
    now = {}
    for language, path in frozen.list_programs():
        if language.name == name:
            key, *digests = frozen.describe(language, path).split()
            now[key] = digests
    assert frozen.compare(FROZEN, now) == []


def test_every_language_has_frozen_programs() -> None:
    assert {path.partition("/")[0] for path in FROZEN} == set(registry.list_shipped(Language))


def test_a_change_is_named_by_language_and_aspect() -> None:
    path, digests = next(iter(FROZEN.items()))
    changed = {**FROZEN, path: ["other", *digests[1:]]}
    assert frozen.compare(FROZEN, changed) == [f"{path.partition('/')[0]}: functions of 1 programs"]
