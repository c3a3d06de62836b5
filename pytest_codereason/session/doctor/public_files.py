"""The public files that suites and models read: data sets and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pytest_codereason import registry
from pytest_codereason.core import Source
from pytest_codereason.core.files import fetching
from pytest_codereason.models.shared import weights

WEIGHTS = "weights"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFile:
    """A file that somebody has published, with what a user decides by."""

    name: str  #: of the data set or the model
    part: str  #: a language, or ``weights``
    size: int  #: in bytes, 0 if it is not known
    licence: str
    here: Path | None  #: where it lies on this machine
    fetch: Callable[[], Path]


def list_public_files() -> Iterator[PublicFile]:
    """Every public file that a shipped source or model reads."""
    for name in registry.list_shipped(Source):
        kind = registry.find(Source, name)
        for language, remote in kind.files.items():
            yield PublicFile(
                name=name,
                part=language,
                size=remote.size,
                licence=kind.licence,
                here=fetching.locate(remote),
                fetch=partial(fetching.fetch, remote),
            )
    for pin in weights.PINS.values():
        path = weights.locate(pin)
        yield PublicFile(
            name=pin.name,
            part=WEIGHTS,
            size=pin.fetched,
            licence=pin.licence,
            here=path if path.is_file() else None,
            fetch=partial(weights.fetch, pin),
        )
