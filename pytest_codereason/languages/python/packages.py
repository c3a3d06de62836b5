"""The packages that are installed beside this one, without importing any of them."""

from __future__ import annotations

import platform
from importlib.metadata import Distribution, distributions
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
    files = [Path(str(distribution.locate_file(file))) for file in distribution.files or () if file.suffix == ".py"]
    return Package(
        name=distribution.name or "",
        version=distribution.version or "",
        licence=_read_licence(distribution),
        root=Path(str(distribution.locate_file(""))),
        paths=tuple(sorted(file for file in files if file.is_file())),
    )


def _read_licence(distribution: Distribution) -> str:
    """The licence as an expression, else as a short text, else the last word of the classifier."""
    metadata = distribution.metadata
    for key in ("License-Expression", "License"):
        text = (metadata[key] or "").strip() if key in metadata else ""
        if text and "\n" not in text and len(text) <= 40:
            return text
    classifiers = [each for each in metadata.get_all("Classifier") or () if each.startswith("License ::")]
    return classifiers[0].rpartition(" :: ")[2] if classifiers else ""
