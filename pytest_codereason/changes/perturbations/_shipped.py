"""What the shipped perturbations have in common: the doses that they obey, and examples in ``examples/NAME.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib import resources
from typing import ClassVar

from pytest_codereason.core import Dose, Perturbation
from pytest_codereason.core.doses import PerturbationExample
from pytest_codereason.core.language.capabilities import Capability


class ShippedPerturbation(Perturbation):
    """A perturbation that ships."""

    doses = Dose.SETTINGS
    capabilities: ClassVar[frozenset[Capability]] = frozenset({"syntax", "dialect"})

    @classmethod
    def examples(cls) -> Sequence[PerturbationExample]:
        """Programs before and after, for each language that has such a change."""
        return _read_examples(cls.name)


def _read_examples(name: str) -> tuple[PerturbationExample, ...]:
    """The examples of a perturbation, in the order of its file."""
    file = resources.files(__package__).joinpath("examples", f"{name.replace('-', '_')}.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        PerturbationExample(
            language=language,
            before=row["before"],
            after=row["after"],
            call=row["call"],
            call_after=row.get("call_after", row["call"]),
            output=row["output"],
            seed=row["seed"],
            dose=Dose(strength=row.get("strength"), placement=row.get("placement", "")),
        )
        for language, rows in tables.items()
        for row in rows
    )
