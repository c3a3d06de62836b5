"""Takes a repository through all steps, and keeps what became of each file."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor as Pool
from concurrent.futures import Future, as_completed
from pathlib import Path

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.drawing import choose_files
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.making import Execute, make_programs
from pytest_codereason.harvest.outcomes import FileOutcome
from pytest_codereason.harvest.repositories import Repository, check_out, describe_content
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.harvest.walking import SourceFile, read_source
from pytest_codereason.registry import language as find_language

#: Called with each outcome.
Notice = Callable[[FileOutcome], None]


def open_journal(folder: Path, repository: Repository, settings: Settings) -> Journal:
    """The journal of a repository, in the folder of all journals."""
    content = describe_content(repository)
    subject = {"place": repository.place, "settings": settings.digest, "content": content}
    return Journal(folder / f"{repository.name}.jsonl", subject)


def harvest_repository(
    repository: Repository, settings: Settings, journal: Journal, execute: Execute, pool: Pool, notice: Notice
) -> None:
    """Takes all files of a repository through the steps. Outcomes that are in its journal are not worked out again.

    Raises:
        SandboxError: A program could not be run, and is not to blame.
    """
    suffixes = {suffix: name for name in settings.languages for suffix in find_language(name).suffixes}
    with check_out(repository, suffixes) as checkout:
        known = journal.begin(checkout.version)

        def keep(outcome: FileOutcome) -> None:
            if outcome.path not in known:
                journal.write(outcome)
            notice(outcome)

        def work(file: SourceFile) -> FileOutcome:
            if file.path in known:
                return known[file.path]
            text = read_source(checkout.folder, file.path)
            if isinstance(text, Refusal):  # it has changed since it was drawn
                return _refuse(file._replace(refusal=text))
            return make_programs(file, text, settings, execute)

        waiting: list[Future[FileOutcome]] = []
        try:
            chosen = choose_files(checkout.folder, repository.name, suffixes, settings)
            for file in itertools.chain(checkout.left_out, chosen):
                if file.refusal:
                    keep(_refuse(file))
                else:
                    waiting.append(pool.submit(work, file))
            for future in as_completed(waiting):
                keep(future.result())
        finally:
            for future in waiting:
                future.cancel()
        journal.end()


def _refuse(file: SourceFile) -> FileOutcome:
    return FileOutcome(path=file.path, language=file.language, licence=file.licence, refusal=file.refusal)
