"""Takes the files of a repository through the steps that run nothing, and draws those that programs are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_codereason.core.programs import derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.licences.licences import Licences, is_accepted, read_head
from pytest_codereason.harvest.making.sizing import refuse_empty, refuse_short
from pytest_codereason.harvest.repositories.walking import SourceFile, list_files, read_source
from pytest_codereason.harvest.settings import Settings


def choose_files(folder: Path, name: str, suffixes: Mapping[str, str], settings: Settings) -> list[SourceFile]:
    """Every file of the languages. Those without a refusal are drawn.

    Files that fulfil all conditions are equally likely to be drawn. They are looked at in an order drawn at random
    until enough of them are found, so nobody reads the rest of a large repository.

    Args:
        folder: The repository.
        name: Its name, which the order depends on.
        suffixes: The language of each suffix.
        settings: The options of the harvest.
    """
    return list(_choose(folder, name, suffixes, settings))


def _choose(folder: Path, name: str, suffixes: Mapping[str, str], settings: Settings) -> Iterator[SourceFile]:
    licences = Licences(folder, settings.licences)
    candidates = []
    for file in list_files(folder, suffixes):
        checked = file if file.refusal else _check_text(folder, file, licences.find(file.path), settings)
        if checked.refusal:
            yield checked
        else:
            candidates.append(checked)
    for language in settings.languages:
        draws = Draws(derive_seed(settings.seed, "harvest", name, language))
        drawn = 0
        for file in draws.shuffle([file for file in candidates if file.language == language]):
            if settings.files and drawn == settings.files:
                yield file._replace(refusal=Refusal("is not drawn", f"{drawn} files of the repository are"))
                continue
            refusal = _refuse_program(folder, file)
            drawn += refusal is None
            yield file._replace(refusal=refusal)


def _check_text(folder: Path, file: SourceFile, licence: str | Refusal, settings: Settings) -> SourceFile:
    """The file with its licence, or with the reason against its text."""
    text = read_source(folder, file.path)
    if isinstance(text, Refusal):
        return file._replace(refusal=text)
    named = read_head(text)
    if named and not settings.any_licence and not is_accepted(named, settings.licences):
        return file._replace(refusal=Refusal("has another licence", f"its head says {named[:80]!r}"))
    if not named and isinstance(licence, Refusal) and not settings.any_licence:
        return file._replace(refusal=licence)
    told = "unknown" if isinstance(licence, Refusal) else licence
    return file._replace(licence=named or told, refusal=refuse_short(text))


def _refuse_program(folder: Path, file: SourceFile) -> Refusal | None:
    text = read_source(folder, file.path)
    return text if isinstance(text, Refusal) else refuse_empty(file.language, file.path, text)
