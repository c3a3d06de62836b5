"""Takes a repository through all steps, and keeps what became of each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, as_completed
from pathlib import Path

from pytest_codereason.core.refusals import Refusal
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.making.drawing import choose_files
from pytest_codereason.harvest.making.making import Surroundings, list_surroundings, make_programs, refuse_file
from pytest_codereason.harvest.outcomes import FileOutcome
from pytest_codereason.harvest.repositories.cloning import CannotOpen
from pytest_codereason.harvest.repositories.repositories import Repository, check_out, describe_content
from pytest_codereason.harvest.repositories.walking import SourceFile, read_source
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.harvest.workers import WorkerDied, Workers, get_executor
from pytest_codereason.registry import language as find_language

#: Called with each outcome.
Notice = Callable[[FileOutcome], None]
#: How often a worker may end over a file.
_DEATHS = 2


def open_journal(folder: Path, repository: Repository, settings: Settings) -> Journal:
    """The journal of a repository, in the folder of all journals."""
    content = describe_content(repository)
    subject = {"place": repository.place, "settings": settings.digest, "content": content}
    return Journal(folder / f"{repository.name}.jsonl", subject)


def harvest_repository(
    repository: Repository, settings: Settings, journal: Journal, workers: Workers, notice: Notice
) -> None:
    """Takes all files of a repository through the steps. Outcomes that are in its journal are not worked out again.

    Raises:
        CannotOpen: The repository cannot be read.
        SandboxError: A program could not be run, and is not to blame.
    """
    suffixes = {suffix: name for name in settings.languages for suffix in find_language(name).suffixes}
    with check_out(repository, suffixes) as checkout:
        known = journal.begin(checkout.version)

        def keep(outcome: FileOutcome) -> None:
            if outcome.path not in known:
                journal.write(outcome)
            notice(outcome)

        try:
            chosen = workers.wait(workers.call(choose_files, checkout.folder, repository.name, suffixes, settings))
        except WorkerDied as error:
            raise CannotOpen("its files take too long to read, or crash their reader") from error
        waiting = []
        for file in (*checkout.left_out, *chosen):
            if file.refusal:
                keep(refuse_file(file))
            elif file.path in known:
                keep(known[file.path])
            else:
                waiting.append(file)
        around = {name: list_surroundings(checkout.folder, chosen, name) for name in settings.languages}
        _make_all(waiting, checkout.folder, around, settings, workers, keep)
        journal.end()


def _make_all(
    files: Sequence[SourceFile],
    folder: Path,
    around: dict[str, Surroundings],
    settings: Settings,
    workers: Workers,
    keep: Notice,
) -> None:
    """Makes programs of files. A file over which workers end twice is refused."""
    deaths = Counter[str]()
    waiting = list(files)
    while waiting:
        futures: dict[Future[FileOutcome], SourceFile] = {}
        # a file that may have ended a worker runs alone, so that no other file is blamed
        alone = [file for file in waiting if deaths[file.path]]
        batch = alone[:1] or waiting
        waiting = [file for file in waiting if file not in batch] if alone else []
        try:
            for file in batch:
                futures[workers.call(work, folder, file, around[file.language], settings)] = file
            for future in as_completed(futures):
                file = futures[future]
                try:
                    keep(workers.wait(future))
                except WorkerDied:
                    deaths[file.path] += 1
                    if deaths[file.path] < _DEATHS:
                        waiting.append(file)
                    else:
                        keep(refuse_file(file._replace(refusal=Refusal("cannot be worked on", "its reader crashes"))))
        finally:
            for future in futures:
                future.cancel()


def work(folder: Path, file: SourceFile, around: Surroundings, settings: Settings) -> FileOutcome:
    """What becomes of a file that has been drawn. Called in a worker."""
    text = read_source(folder, file.path)
    if isinstance(text, Refusal):  # it has changed since it was drawn
        return refuse_file(file._replace(refusal=text))
    return make_programs(file, text, around, settings, get_executor().execute)
