"""Reads the file in which a user says which models are of one category, and which are versions of one model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.files.toml_files import parse_toml, read_text
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError

KEYS = ("match", "categories", "family", "version")


class ModelKind(NamedTuple):
    """What a file says of the models whose names fit."""

    match: tuple[str, ...]
    categories: tuple[str, ...] = ()
    family: str = ""  #: versions of one model have one family
    version: str = ""
    place: int = 0  #: of the entry in its file: an earlier version stands before a later one


def load_text(path: str | Path | None) -> dict[str, str]:
    """The text of a user's file by its name; nothing without a file.

    Raises:
        UsageError: the file cannot be read or holds a mistake.
    """
    if path is None:
        return {}
    text = read_text(Path(path))
    name = shorten_path(Path(path))
    parse_kinds(name, text)
    return {name: text}


def list_kinds(texts: Mapping[str, str]) -> list[ModelKind]:
    """The entries of a user's file, else those of the shipped one."""
    if texts:
        return [kind for name, text in texts.items() for kind in parse_kinds(name, text)]
    shipped = files(__package__).joinpath("model_categories.toml")
    return parse_kinds(shipped.name, shipped.read_text("utf-8"))


def parse_kinds(name: str, text: str) -> list[ModelKind]:
    """The entries of the file ``name`` with the content ``text``.

    Raises:
        UsageError: the text holds a mistake; names the file and what to do.
    """
    file = parse_toml(Path(name), text)
    entries = file.table.get("models")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise file.fail('models are missing: write [[models]] with match = ["*name*"] and categories = ["open"]')
    for key in file.table.keys() - {"models"}:
        raise file.fail(f"unknown key {key!r}{suggest_name(key, ('models',))}", key)
    return [_read_entry(name, place, entry) for place, entry in enumerate(entries, 1)]


def _read_entry(name: str, place: int, entry: Mapping[str, Any]) -> ModelKind:
    where = f"{name}: [[models]] number {place}"
    for key in entry.keys() - set(KEYS):
        raise UsageError(f"{where}: unknown key {key!r}{suggest_name(key, KEYS)}: the keys are {', '.join(KEYS)}")
    for key in ("match", "categories"):
        texts = entry.get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
            raise UsageError(f'{where}: {key} must be a list of texts, such as ["open"], not {texts!r}')
    for key in ("family", "version"):
        if not isinstance(entry.get(key, ""), str):
            raise UsageError(f"{where}: {key} must be a text, not {entry[key]!r}")
    if not entry.get("match"):
        raise UsageError(f'{where}: match is missing: write the names that it is about, such as match = ["*gpt-4o*"]')
    if entry.get("version") and not entry.get("family"):
        raise UsageError(f"{where}: a version needs a family, such as the name that its versions share")
    return ModelKind(
        match=tuple(pattern.lower() for pattern in entry["match"]),
        categories=tuple(entry.get("categories", ())),
        family=entry.get("family", ""),
        version=entry.get("version", ""),
        place=place,
    )


def find_kind(model: str, spec: str, kinds: Sequence[ModelKind]) -> ModelKind | None:
    """The first entry that fits the label of a model, or what its endpoint calls it."""
    names = (model.lower(), spec.lower())
    return next((kind for kind in kinds if any(fnmatchcase(name, each) for each in kind.match for name in names)), None)
