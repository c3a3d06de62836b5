"""Programs with their call graphs: those that ship with this package, or those of any folder ``LANGUAGE/NAME/``."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import pytest_codereason
from pytest_codereason.core import AxisValue, Language, Program, Source
from pytest_codereason.core.files.caps import parse_json, read_capped
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.files.program_folders import SPECIFICATION, read_origin, read_program
from pytest_codereason.core.language.driving import WRITER
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.sources._rows import make_safe_name
from pytest_codereason.programs.sources._settings import SUITE_KEYS
from pytest_codereason.programs.sources._sizes import SIZES, Sizes
from pytest_codereason.registry import language, list_names

VERSION = 1
SETTINGS = ("path", "split", "count", *SIZES)
SPLITS = ("train", "test")
#: Where the shipped programs lie: in an installed package, and in a checkout.
_PACKAGE = Path(pytest_codereason.__file__).parent
SHIPPED = (_PACKAGE / "corpus_shipped", _PACKAGE.parent / "corpus")
#: Where the third study's own set has its programs.
_STUDY_PROGRAMS = "benchmark"
#: Where splits lie: in a harvested set, and in the third study's own.
_SPLITS = ("split", "traceeval_split")
_REPOSITORY = re.compile(r"github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?(?=[/\s)>\]\"'`#]|$)")


class _Listed(NamedTuple):
    """The programs of one language, and why others are left out."""

    programs: Mapping[str, Program]
    left_out: Sequence[str]
    sha: str  #: of all files


class Corpus(Source):
    """Programs with their call graphs, each a folder; see ``core/files/program_folders.py``."""

    name = "corpus"
    facts = frozenset({"edges", "output", "specification"})
    beside_suite: ClassVar[frozenset[str]] = frozenset({"path"})

    def __init__(
        self, root: Path, split: str, count: int | None, sizes: Sizes, *, own: bool, specified_for: str = ""
    ) -> None:
        """``specified_for`` names the task that needs specifications, if there is one."""
        self._root, self._split, self._count, self._sizes, self._own = root, split, count, sizes, own
        self._specified_for = specified_for
        inner = root / _STUDY_PROGRAMS
        self._programs = inner if inner.is_dir() else root
        folders = sorted(path.name for path in self._programs.glob("*/"))
        self.languages = tuple(name for name in folders if name in list_names(Language) or ":" in name)
        self._listed: dict[str, _Listed] = {}
        if not self.languages:
            raise BadSetting("path", f"{shorten_path(root)} has no folder of a language, such as python/NAME/main.py")

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Self:
        """Settings: ``path`` (a folder; without it the shipped programs), ``split`` (``train`` or ``test``), ``count``
        (only the first so many programs of each language), ``min_lines``, ``max_lines``, ``max_tokens`` (leave out
        shorter and longer programs)."""
        check_keys(settings, (*SETTINGS, *SUITE_KEYS), "the source corpus")
        path, split, count = settings.get("path"), settings.get("split", ""), settings.get("count")
        if path is not None and not isinstance(path, str):
            raise BadSetting("path", f"'path' must be a folder of programs, not {path!r}")
        if split not in ("", *SPLITS):
            raise BadSetting("split", f"'split' must be {' or '.join(SPLITS)}, not {split!r}")
        if count is not None and (type(count) is not int or count < 1):
            raise BadSetting("count", f"'count' must be a whole number from 1, not {count!r}")
        root = Path(path) if path is not None else next((each for each in SHIPPED if each.is_dir()), SHIPPED[0])
        if not root.is_dir():
            raise BadSetting("path", f"{shorten_path(root)} is no folder")
        return cls(root, split, count, Sizes.read(settings), own=path is None)

    def with_facts(self, facts: frozenset[str], task: str) -> Source:
        """The folders with a specification, if one is needed."""
        if "specification" not in facts:
            return self
        return Corpus(self._root, self._split, self._count, self._sizes, own=self._own, specified_for=task)

    def names(self, language: str) -> Iterator[str]:
        """The names of the folders, sorted."""
        return iter(self._list_language(language).programs)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that folder.

        Raises:
            UsageError: There is no such program.
        """
        program = self._list_language(language).programs.get(name)
        if program is None:
            raise UsageError(f"{shorten_path(self._root)} has no {language} program {name!r}")
        return program

    def notes(self, language: str) -> list[str]:
        """How many folders were left out, and why the first of them."""
        left_out = self._list_language(language).left_out
        if not left_out:
            return []
        return [f"{shorten_path(self._programs / language)}: {len(left_out)} left out (the first: {left_out[0]})"]

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, settings, and a digest of the files."""
        listed = [f"{name} {self._list_language(name).sha}" for name in self.languages]
        sha = hashlib.sha256("\n".join(listed).encode()).hexdigest()[:16]
        return {
            "name": self.name,
            "version": VERSION,
            "split": self._split,
            "count": self._count or 0,
            "sha256": sha,
            **self._sizes.identity,
        }

    def _list_language(self, name: str) -> _Listed:
        if name not in self._listed:
            self._listed[name] = self._read_language(language(name))
        return self._listed[name]

    def _read_language(self, lang: Language) -> _Listed:
        folders: Iterator[Path] = iter(sorted(each for each in (self._programs / lang.name).iterdir() if each.is_dir()))
        if self._split:
            chosen = self._read_split(lang.name)
            folders = (folder for folder in folders if folder.name in chosen)
        programs: dict[str, Program] = {}
        left_out: list[str] = []
        sha = hashlib.sha256()
        for folder in folders:
            try:
                program = self._read_program(folder, lang)
                self._check_program(program, folder)
            except UsageError as error:
                left_out.append(str(error))
                continue
            programs[make_safe_name(folder.name)] = program
            facts = {name: fact for name, fact in program.facts.items() if name in self.facts}
            sha.update(json.dumps([folder.name, program.sha, facts], sort_keys=True).encode())
            if len(programs) == self._count:
                break
        return _Listed(programs, left_out, sha.hexdigest()[:16])

    def _read_program(self, folder: Path, lang: Language) -> Program:
        about = read_origin(folder)
        origin, part, driver = (about.get(key, "") for key in ("origin", "part", "driver"))
        place = f"{origin}:{part}" if origin and part else origin
        program = read_program(folder, lang, origin=place or f"{self.name}/{folder.name}")
        return replace(
            program,
            licence=about.get("licence", ""),
            written_by=(("driver", driver.removeprefix(WRITER)),) if driver.startswith(WRITER) else (),
            repository=about.get("repository", "") or ("" if self._own else self._find_repository(folder, lang.name)),
        )

    def _check_program(self, program: Program, folder: Path) -> None:
        """Refuses a program that the suite cannot ask about.

        Raises:
            UsageError: It is too short or too long, or lacks a specification that the task needs.
        """
        if self._specified_for and not program.facts.get("specification", "").strip():
            raise UsageError(f"{shorten_path(folder)}: no {SPECIFICATION}, which the task {self._specified_for} needs")
        if reason := self._sizes.describe_misfit(program.text):
            raise UsageError(f"{shorten_path(folder)}: {reason}")

    def _find_repository(self, folder: Path, language: str) -> str:
        """The repository of a program of the third study: from its README, else from its id ``REPOSITORY_0003``."""
        for readme in itertools.islice(sorted(folder.glob("README*")), 1):
            if link := _REPOSITORY.search(readme.read_text(encoding="utf-8", errors="replace")):
                return link[1]
        repositories = self._repositories.get(language, ())
        short = folder.name.rpartition("_")[0]
        return next((each for each in repositories if short and each.rpartition("/")[2] == short), "")

    @cached_property
    def _repositories(self) -> Mapping[str, Collection[str]]:
        """The repositories of each language, as the study lists them with their splits."""
        lists = {}
        for name in self.languages:
            if file := self._find_split_file(f"{name}_repo_assignment.json"):
                lists[name] = sorted(_read_object(file))
        return lists

    def _read_split(self, language: str) -> frozenset[str]:
        """The ids of a split.

        Raises:
            UsageError: The folder has no such split.
        """
        name = f"{self._split}_ids.json"
        file = self._find_split_file(name)
        if file is None:
            raise UsageError(f"{shorten_path(self._root)} has no split: there is no {_SPLITS[0]}/{name}")
        ids = _read_object(file).get(language, [])
        if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
            raise UsageError(f"{shorten_path(file)}: the ids of {language} are no list of names")
        return frozenset(ids)

    def _find_split_file(self, name: str) -> Path | None:
        return next((file for folder in _SPLITS if (file := self._root / folder / name).is_file()), None)


def _read_object(file: Path) -> dict[str, object]:
    try:
        payload = parse_json(read_capped(file))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shorten_path(file)}: no JSON: {error}") from error
    if not isinstance(payload, dict):
        raise UsageError(f"{shorten_path(file)}: no JSON object")
    return payload
