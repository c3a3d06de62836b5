"""A harvest from the places that a user names to the finished set."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.files.locks import lock
from pytest_codereason.errors import CodereasonError, SandboxError, UsageError, describe_error, describe_file_error
from pytest_codereason.harvest.funnel import FunnelContent
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.making.writing import WriteTexts, add_written_drivers
from pytest_codereason.harvest.pipeline import harvest_repository, open_journal
from pytest_codereason.harvest.progress import ProgressLine
from pytest_codereason.harvest.repositories.cloning import CannotOpen
from pytest_codereason.harvest.repositories.github import GitHub
from pytest_codereason.harvest.repositories.repositories import Repository
from pytest_codereason.harvest.sets.assembling import FUNNEL, RepositoryOutcome, assemble
from pytest_codereason.harvest.settings import VERSION, Settings
from pytest_codereason.harvest.workers import Workers

SETTINGS = "harvest.json"
JOURNALS = "journals"


def harvest(
    repositories: Sequence[Repository],
    settings: Settings,
    folder: Path,
    workers: int,
    progress: ProgressLine,
    write: WriteTexts | None = None,
) -> FunnelContent:
    """Makes a set of the repositories in a folder; gives the content of its ``funnel.json``.

    A harvest that was stopped goes on where it was. A harvest that is done is not done again.

    Args:
        repositories: Where the code is.
        settings: The options of the harvest.
        folder: The folder of the set.
        workers: How many processes make programs.
        progress: Shows how far the harvest is.
        write: Has drivers written for files that give no program by rule.

    Raises:
        UsageError: The folder holds something else, or cannot be written.
        SandboxError: Programs cannot be run.
    """
    try:
        with _hold(folder, settings):
            journals = [open_journal(folder / JOURNALS, repository, settings) for repository in repositories]
            complaints = _fill(repositories, journals, settings, workers, progress)
            if write and (trouble := add_written_drivers(journals, write, settings, workers)):
                progress.say(f"{trouble}; run the same command again to continue")
            return _assemble_once(folder, repositories, journals, complaints, settings)
    except OSError as error:
        raise UsageError(f"{shorten_path(folder)}: cannot be written: {describe_file_error(error)}") from error


def search_once(folder: Path, settings: Settings, github: GitHub, query: str) -> list[str]:
    """The addresses that GitHub finds. They are kept in the folder of the harvest, so that a later run has the same.

    Raises:
        UsageError: The query is refused, GitHub cannot be reached, or the folder holds something else.
    """
    name = hashlib.sha256(f"{github.address} {query}".encode()).hexdigest()[:16]
    path = folder / JOURNALS / f"query-{name}.json"
    try:
        with _hold(folder, settings):
            if path.is_file():
                kept: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
                return kept["repositories"]
            github.say(f"asking GitHub for {query}")
            addresses = github.search(query)
            github.say(f"GitHub finds {len(addresses):,} repositories")
            path.parent.mkdir(exist_ok=True)
            fresh = path.with_suffix(".part")
            fresh.write_text(json.dumps({"query": query, "repositories": addresses}, indent=2) + "\n", encoding="utf-8")
            os.replace(fresh, path)
            return addresses
    except OSError as error:
        raise UsageError(f"{shorten_path(folder)}: cannot be written: {describe_file_error(error)}") from error


@contextmanager
def _hold(folder: Path, settings: Settings) -> Iterator[None]:
    """Keeps other harvests out of the folder.

    Raises:
        UsageError: The folder holds something else, or another harvest is at work in it.
    """
    shown, path = shorten_path(folder), folder / SETTINGS
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {shown}: this is no folder")
    if folder.is_dir() and any(folder.iterdir()) and not path.is_file():
        raise UsageError(f"--out {shown}: the folder holds something else; name a new one")
    folder.mkdir(parents=True, exist_ok=True)
    own = {"version": VERSION, **json.loads(json.dumps(asdict(settings)))}
    with path.open("a+", encoding="utf-8") as file:
        try:
            lock(file, wait=False)
        except BlockingIOError:
            raise UsageError(f"--out {shown}: another harvest is writing there; wait for its end") from None
        file.seek(0)
        before = _read_settings(file.read())
        changed = [name for name in own if name in before and before[name] != own[name]]
        if changed:
            name = changed[0]
            raise UsageError(
                f"--out {shown}: the harvest there has {name} = {json.dumps(before[name])}, not "
                f"{json.dumps(own[name])}; name another folder, or the same options"
            )
        if not before:
            file.truncate(0)
            file.write(json.dumps(own, indent=2) + "\n")
            file.flush()
        yield


def _read_settings(text: str) -> dict[str, object]:
    try:
        settings = json.loads(text)
    except ValueError:
        return {}
    return settings if isinstance(settings, dict) else {}


def _fill(
    repositories: Sequence[Repository],
    journals: Sequence[Journal],
    settings: Settings,
    workers: int,
    progress: ProgressLine,
) -> dict[str, str]:
    """Fills the journals that are not done; gives why a repository could not be opened, by its name."""
    waiting = [pair for pair in zip(repositories, journals, strict=True) if not pair[1].done]
    progress.begin(len(repositories), len(repositories) - len(waiting))
    if not waiting:
        return {}
    complaints: dict[str, str] = {}
    pool = Workers(workers)
    try:
        if missing := pool.find_missing(settings.languages):
            raise SandboxError("; ".join(missing))
        openers = ThreadPoolExecutor(workers)

        def work(repository: Repository, journal: Journal) -> None:
            try:
                harvest_repository(repository, settings, journal, pool, progress.count)
            except CannotOpen as error:
                complaints[repository.name] = str(error)
            except CodereasonError:
                raise
            except Exception as error:  # nobody knows what a repository holds, and the others go on
                complaints[repository.name] = f"cannot be read: {describe_error(error)}"
            progress.finish(repository.name, complaints.get(repository.name, ""))

        futures = [openers.submit(work, *pair) for pair in waiting]
        try:
            done, _ = wait(futures, return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        finally:  # after Ctrl-C or a failure nothing new begins, and what runs is ended
            openers.shutdown(wait=False, cancel_futures=True)
            pool.close()
            openers.shutdown()
    finally:
        pool.close()
        progress.end()
    return complaints


def _assemble_once(
    folder: Path,
    repositories: Sequence[Repository],
    journals: Sequence[Journal],
    complaints: dict[str, str],
    settings: Settings,
) -> FunnelContent:
    """Makes the set of the journals, unless it is made already."""
    mark = folder / JOURNALS / "assembled"
    digest = _digest(repositories, journals, complaints)
    if mark.is_file() and mark.read_text() == digest and (folder / FUNNEL).is_file():
        funnel: FunnelContent = json.loads((folder / FUNNEL).read_text(encoding="utf-8"))
        return funnel
    mark.unlink(missing_ok=True)
    sources = [
        RepositoryOutcome(repository, journal if journal.done else None, complaints.get(repository.name, ""))
        for repository, journal in zip(repositories, journals, strict=True)
    ]
    funnel = assemble(folder, sources, settings)
    mark.parent.mkdir(exist_ok=True)
    fresh = mark.with_suffix(".part")
    fresh.write_text(digest)
    os.replace(fresh, mark)
    return funnel


def _digest(repositories: Sequence[Repository], journals: Sequence[Journal], complaints: dict[str, str]) -> str:
    hashed = hashlib.sha256(json.dumps([*map(list, repositories), complaints], sort_keys=True).encode())
    for journal in journals:
        if journal.done:
            with journal.path.open("rb") as file:
                hashed.update(hashlib.file_digest(file, "sha256").digest())
    return hashed.hexdigest()
