"""The packages in folders such as ``node_modules``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_codereason.core import Package


def list_packages(folders: Iterable[Path]) -> list[Package]:
    """The packages of these folders that have a ``package.json``, sorted by name; of one name the first."""
    packages: dict[str, Package] = {}
    for folder in folders:
        for path in _list_manifests(folder):
            manifest = _read(path)
            name, licence = str(manifest.get("name") or path.parent.name), manifest.get("license")
            licence = licence if isinstance(licence, str) else ""
            version = str(manifest.get("version") or "")
            packages.setdefault(name, Package(name, version, licence, path.parent, (path.parent,)))
    return [packages[name] for name in sorted(packages)]


def _list_manifests(folder: Path) -> Iterator[Path]:
    yield from sorted([*folder.glob("*/package.json"), *folder.glob("@*/*/package.json")])


def _read(path: Path) -> dict[str, object]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}
