"""Every public file with what a user decides by: where it lies, how large it is, and what fetches it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Source
from pytest_codereason.core.files import fetching
from pytest_codereason.models.shared import weights
from pytest_codereason.session.doctor.public_files import WEIGHTS, PublicFile, list_public_files


@dataclass(frozen=True)
class Machine:
    data: Path
    cache: Path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine that has nothing yet."""
    made = Machine(tmp_path / "data", tmp_path / "cache")
    made.data.mkdir()
    monkeypatch.setenv("CODEREASON_DATA", str(made.data))
    monkeypatch.setenv("CODEREASON_CACHE", str(made.cache))
    return made


def find(name: str, part: str) -> PublicFile:
    (found,) = [file for file in list_public_files() if (file.name, file.part) == (name, part)]
    return found


def test_every_file_of_every_shipped_source_and_all_weights_are_listed_once(machine: Machine) -> None:
    wanted = {
        (name, language) for name in registry.list_shipped(Source) for language in registry.find(Source, name).files
    }
    wanted |= {(name, "weights") for name in weights.PINS}
    listed = [(file.name, file.part) for file in list_public_files()]
    assert len(listed) == len(wanted)
    assert set(listed) == wanted
    assert ("cruxeval", "python") in wanted
    assert ("smollm2", "weights") in wanted
    assert listed[-1][1] == WEIGHTS, "weights stand last"


def test_a_file_of_a_source_lies_where_data_lies(machine: Machine) -> None:
    assert find("cruxeval", "python").here is None
    remote = registry.find(Source, "cruxeval").files["python"]
    lying = machine.data / remote.name
    lying.parent.mkdir(parents=True, exist_ok=True)
    lying.write_bytes(b"{}\n")
    found = find("cruxeval", "python")
    assert found.here == lying
    assert (found.size, found.licence) == (remote.size, registry.find(Source, "cruxeval").licence)


def test_weights_lie_in_the_cache_and_a_folder_of_their_name_is_none(machine: Machine) -> None:
    assert find("smollm2", "weights").here is None
    path = weights.locate(weights.SMOLLM2)
    path.mkdir(parents=True)
    assert find("smollm2", "weights").here is None
    path.rmdir()
    path.write_bytes(b"GGUF")
    found = find("smollm2", "weights")
    assert found.here == path
    assert machine.cache in path.parents
    assert (found.size, found.licence) == (92_871_040, "Apache-2.0")


def test_a_file_is_fetched_by_its_own_fetch(machine: Machine) -> None:
    """What lies in the cache already is found there without a network."""
    remote = registry.find(Source, "cruxeval").files["python"]
    cached = machine.cache / "data" / remote.name
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"{}\n")
    assert find("cruxeval", "python").fetch() == cached == fetching.fetch(remote)
