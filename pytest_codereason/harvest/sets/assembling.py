"""Makes the set of all repositories' journals: drops near copies, splits, and writes programs, funnel and datasheet."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core.files.program_folders import write_facts
from pytest_codereason.core.language.driving import WRITER
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.funnel import Funnel, FunnelContent
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram
from pytest_codereason.harvest.repositories.repositories import Repository
from pytest_codereason.harvest.sets import moment_suite
from pytest_codereason.harvest.sets.datasheet import write_datasheet
from pytest_codereason.harvest.sets.moment_suite import write_suite
from pytest_codereason.harvest.sets.near_copies import NearCopies
from pytest_codereason.harvest.sets.splitting import Side, split
from pytest_codereason.harvest.sets.tables import ProgramSize, describe_sizes
from pytest_codereason.harvest.settings import Settings

FUNNEL = "funnel.json"
STATISTICS = "statistics.json"
DATASHEET = "datasheet.md"
SPLIT = "split"
PROGRAM = "program.json"


class RepositoryOutcome(NamedTuple):
    """A repository and what became of its files. Without a journal nobody could open it."""

    repository: Repository
    journal: Journal | None
    complaint: str = ""


def assemble(folder: Path, sources: Sequence[RepositoryOutcome], settings: Settings) -> FunnelContent:
    """Writes the set into a folder, in place of the one before; gives the content of ``funnel.json``."""
    fresh = folder / ".fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    funnel, sizes, copies = Funnel(settings.languages), [], {name: NearCopies() for name in settings.languages}
    for source in sorted(sources, key=lambda source: source.repository.name):
        numbers = Counter[str]()
        outcomes = sorted(source.journal.read() if source.journal else (), key=lambda o: (o.language, o.path))
        for outcome in outcomes:
            funnel.add(outcome, source.repository.name)
            for program in outcome.programs:
                if program.files is None:
                    continue
                numbers[outcome.language] += 1
                name = f"{source.repository.name}_{numbers[outcome.language]:04}"
                if copy := copies[outcome.language].add(name, program.files):
                    refusal = Refusal("is nearly a copy", f"{copy.likeness:.0%} of {copy.of}")
                    funnel.refuse_program(outcome.language, refusal, f"{source.repository.name}/{outcome.path}")
                    continue
                funnel.tallies[outcome.language].written += program.how.startswith(WRITER)
                _write_program(fresh / outcome.language / name, source, outcome, program)
                sizes.append(measure(name, source.repository.name, outcome.language, program))
    sides = split(_count_programs(sizes), settings.seed)
    _write_split(fresh / SPLIT, sizes, sides, settings)
    statistics = describe_sizes(sizes, sides, settings.languages)
    counts: FunnelContent = {**funnel.to_json(), "repositories": _describe_repositories(sources, sides)}
    _write_json(fresh / FUNNEL, counts)
    _write_json(fresh / STATISTICS, statistics)
    (fresh / DATASHEET).write_text(write_datasheet(settings, counts, statistics), encoding="utf-8")
    if suite := write_suite([name for name in settings.languages if any(size.language == name for size in sizes)]):
        (fresh / moment_suite.NAME).write_text(suite, encoding="utf-8")
    _replace(folder, fresh, settings)
    return counts


def measure(name: str, repository: str, language: str, program: HarvestedProgram) -> ProgramSize:
    """The size of a program."""
    edges = sum(map(len, (program.edges or {}).values()))
    return ProgramSize(name, repository, language, program.functions, edges, program.lines)


def _write_program(folder: Path, source: RepositoryOutcome, outcome: FileOutcome, program: HarvestedProgram) -> None:
    assert program.files is not None
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    write_facts(folder, output=program.output, edges=program.edges)
    about = {
        "entry": program.entry,
        "origin": f"{source.repository.title}/{outcome.path}",
        "repository": source.repository.name,
        "version": source.journal.version if source.journal else "",
        "path": outcome.path,
        "sha256": outcome.sha256,
        "licence": outcome.licence,
        "part": program.part,
        "driver": program.how,
        "changes": list(program.changes),
        "functions": program.functions,
        "lines": program.lines,
    }
    _write_json(folder / PROGRAM, about)


def _count_programs(sizes: Sequence[ProgramSize]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for size in sizes:
        counts.setdefault(size.repository, Counter())[size.language] += 1
    return counts


def _write_split(folder: Path, sizes: Sequence[ProgramSize], sides: Mapping[str, Side], settings: Settings) -> None:
    """The split in the files of the third study: ids by language, and the side of each repository by language."""
    folder.mkdir(parents=True)
    for side in ("train", "test"):
        ids = {
            language: [s.name for s in sizes if s.language == language and sides[s.repository] == side]
            for language in settings.languages
        }
        _write_json(folder / f"{side}_ids.json", ids)
    for language in settings.languages:
        names = sorted({size.repository for size in sizes if size.language == language})
        _write_json(folder / f"{language}_repo_assignment.json", {name: sides[name] for name in names})


def _describe_repositories(sources: Sequence[RepositoryOutcome], sides: Mapping[str, Side]) -> list[dict[str, str]]:
    return [
        {
            "name": source.repository.name,
            "place": source.repository.title,
            "version": source.journal.version if source.journal else "",
            "split": sides.get(source.repository.name, ""),
            "complaint": source.complaint,
        }
        for source in sorted(sources, key=lambda source: source.repository.name)
    ]


def _replace(folder: Path, fresh: Path, settings: Settings) -> None:
    """Puts the parts of the fresh set in place of those before."""
    for name in (*settings.languages, SPLIT, FUNNEL, STATISTICS, DATASHEET, moment_suite.NAME):
        old = folder / name
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)
        if (fresh / name).exists():
            os.replace(fresh / name, old)
    shutil.rmtree(fresh)


def _write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
