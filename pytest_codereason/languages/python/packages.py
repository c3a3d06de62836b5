"""The packages that are installed beside this one, without importing any of them."""

from __future__ import annotations

import csv
import platform
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path

from pytest_codereason.core import Package

STANDARD_LIBRARY = "python"


def list_packages(standard_library: Path) -> list[Package]:
    """The standard library and every installed distribution that has files of Python, sorted by name."""
    packages = {STANDARD_LIBRARY: _describe_standard_library(standard_library)}
    for distribution in distributions():
        package = _describe(distribution)
        if package.name and package.paths:
            packages.setdefault(package.name, package)  # the first on the path is the one that an import finds
    return [packages[name] for name in sorted(packages)]


def _describe_standard_library(folder: Path) -> Package:
    return Package(STANDARD_LIBRARY, platform.python_version(), "PSF-2.0", folder, (folder,))


def _describe(distribution: Distribution) -> Package:
    metadata = distribution.metadata  # parsed at every access
    root = Path(str(distribution.locate_file("")))
    return Package(
        name=_read_field(metadata, "Name"),
        version=_read_field(metadata, "Version"),
        licence=_read_licence(metadata),
        root=root,
        paths=tuple(sorted(file for name in _list_modules(distribution) if (file := root / name).is_file())),
    )


def _list_modules(distribution: Distribution) -> Iterator[str]:
    """The files of Python, relative to the root. A wheel's list is read as text: an object for each file is slow."""
    record = distribution.read_text("RECORD")
    if record is None:
        return (str(file) for file in distribution.files or () if file.suffix == ".py")
    rows = csv.reader(record.splitlines())
    return (row[0] for row in rows if row and row[0].endswith(".py"))


def _read_field(metadata: PackageMetadata, key: str) -> str:
    """A field, empty where it is missing."""
    return metadata[key] or "" if key in metadata else ""


def _read_licence(metadata: PackageMetadata) -> str:
    """The licence as an expression, else as a short text, else the last word of the classifier."""
    for key in ("License-Expression", "License"):
        text = _read_field(metadata, key).strip()
        if text and "\n" not in text and len(text) <= 40:
            return text
    classifiers = [each for each in metadata.get_all("Classifier") or () if each.startswith("License ::")]
    return classifiers[0].rpartition(" :: ")[2] if classifiers else ""
