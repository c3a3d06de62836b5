"""What is made of this project besides the wheel: a container and a conda package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
#: Packages that have another name on conda-forge, with the version there.
CONDA_NAMES = {"esprima2": ("esprima-python", ">=4.0")}  # its original, of the same import name


def read_dependencies() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [Requirement(text) for text in project["dependencies"]]
    return dict(CONDA_NAMES.get(each.name, (each.name, str(each.specifier))) for each in wanted)


def test_the_conda_package_needs_what_the_wheel_needs() -> None:
    text = (ROOT / ".ci" / "conda" / "recipe.yaml").read_text("utf-8")
    run = text.partition("  run:\n")[2].partition("\n\n")[0]
    listed = dict(re.findall(r"^ +- (\S+) ?(\S*)$", run, re.MULTILINE))
    assert listed.pop("python") == ">=3.11"
    assert listed == read_dependencies()
    version = re.search(r"^  version: (\S+)$", text, re.MULTILINE)
    assert version is not None
    assert f'version = "{version[1]}"' in (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize("package", ["nodejs", "php-cli", "openjdk-\\d+-jdk-headless"])
def test_the_container_has_what_ci_installs(package: str) -> None:
    for name in ("Containerfile", ".ci/run"):
        assert re.search(rf"[ (]{package}\b", (ROOT / name).read_text("utf-8")), name


def test_the_container_installs_extras_that_exist() -> None:
    extras = re.search(r"'/src\[(.*)\]'", (ROOT / "Containerfile").read_text("utf-8"))
    assert extras is not None
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras[1].split(",")) <= known.keys()


def test_the_page_about_installing_names_every_extra() -> None:
    table = (ROOT / "docs" / "install.md").read_text("utf-8").partition("## Extras")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {*listed} == known.keys() - {"dev"}


def test_the_citation_is_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"\nversion: {project['version']}\n" in text
    assert f"\nlicense: {project['license']}\n" in text
    assert project["authors"][0]["name"] in text
