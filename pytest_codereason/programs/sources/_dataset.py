"""The base of sources that read a data set from files."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from pytest_codereason.core import AxisValue, Facts, Program, Source
from pytest_codereason.core.files.fetching import find_file, locate
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting, NotALiteral, NotHere, UsageError
from pytest_codereason.programs.sources._examples import take_programs
from pytest_codereason.programs.sources._rows import Entry, Rows, make_safe_name
from pytest_codereason.programs.sources._settings import SUITE_KEYS
from pytest_codereason.programs.sources._translations import Translations
from pytest_codereason.registry import language

#: Raised whenever the same file would give other programs.
VERSION = 1


class DataSet(Source):
    """Programs from files, one file a language; it is read once, when its names are first asked for."""

    facts = frozenset({"input", "output"})

    def __init__(
        self,
        folder: Path | None,
        count: int | None,
        translations: Sequence[Translations] = (),
        *,
        common: bool = False,
    ) -> None:
        self._folder = folder
        self._count = count
        self._common = common
        self._translations = {translation.language: translation for translation in translations}
        self.languages = (*type(self).languages, *self._translations)
        self._read: dict[str, tuple[Rows, dict[str, Program]]] = {}
        self._reading = threading.Lock()

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> Self:
        """Settings: ``path`` (a folder like those of ``CODEREASON_DATA``), ``count`` (use only so many programs),
        ``translations`` (a file of translations, or a list of such files), ``common`` (use only programs that every
        language has)."""
        check_keys(settings, ("path", "count", "translations", "common", *SUITE_KEYS), f"the source {cls.name}")
        path, count, common = settings.get("path"), settings.get("count"), settings.get("common", False)
        if not isinstance(common, bool):
            raise BadSetting("common", f"'common' must be true or false, not {common!r}")
        if path is not None and not isinstance(path, str):
            raise BadSetting("path", f"'path' must be the path of a folder, not {path!r}")
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise BadSetting("count", f"'count' must be a whole number from 1, not {count!r}")
        folder = None if path is None else Path(path).expanduser()
        return cls(folder, count, cls._open_translated(settings.get("translations", [])), common=common)

    @classmethod
    def _open_translated(cls, named: object) -> list[Translations]:
        names = [named] if isinstance(named, str) else named
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadSetting("translations", f"'translations' must be the path of a file, or a list, not {named!r}")
        try:
            opened = [Translations.open(name, cls.name) for name in names]
        except NotHere:
            raise
        except UsageError as error:
            raise BadSetting("translations", str(error)) from error
        known = [*cls.languages, *(translations.language for translations in opened)]
        if twice := [name for name in dict.fromkeys(known) if known.count(name) > 1]:
            raise BadSetting("translations", f"'translations' adds {twice[0]} to {cls.name}, which has it already")
        return opened

    @classmethod
    @abstractmethod
    def entries(cls, rows: Rows, name: str) -> Iterator[tuple[str, Entry]]:
        """The programs of a file in one language, each with its place. ``rows`` counts the rows left out."""

    def path(self, language: str) -> Path:
        """The path of a language's file, which is fetched if it is missing.

        Raises:
            UsageError: the file is missing and cannot be fetched.
        """
        remote = self.files[language]
        if self._folder is None:
            return find_file(remote)
        return locate(remote, [self._folder]) or self._folder / remote.name

    def names(self, language: str) -> Iterator[str]:
        """The data set's ids, in its order; with ``common`` only those that every language has.

        Raises:
            UsageError: the file is missing or has no program.
        """
        programs = self._read_programs(language)[1]
        others = [self._read_programs(other)[1] for other in self.languages] if self._common else []
        return (name for name in programs if all(name in other for other in others))

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that id.

        Raises:
            UsageError: there is no such program.
        """
        program = self._read_programs(language)[1].get(name)
        if program is None:
            raise UsageError(f"{self.name} has no {language} program {name!r}")
        return program

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """The first ``count`` (up to 2) examples of our own: the same for every program."""
        return take_programs(self.name, language, count)

    def notes(self, language: str) -> list[str]:
        """Which rows were left out, and why."""
        return self._read_programs(language)[0].notes

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, settings, and digests of the files read so far: those of the suite's languages."""
        files = {f"sha256_{language}": rows.sha for language, (rows, _) in sorted(self._read.items())}
        common = {"common": True} if self._common else {}
        return {"name": self.name, "version": VERSION, "count": self._count or 0, **common, **files}

    def _read_programs(self, language: str) -> tuple[Rows, dict[str, Program]]:
        with self._reading:
            if language not in self._read:
                self._read[language] = self._load(language)
            return self._read[language]

    def _load(self, name: str) -> tuple[Rows, dict[str, Program]]:
        translations = self._translations.get(name)
        if translations:
            rows, entries = translations.read()
        else:
            rows = Rows.of(self.path(name))
            entries = self.entries(rows, name)
        written = (("translation", translations.writers),) if translations else ()
        read = language(name).values.read
        programs: dict[str, Program] = {}
        for place, entry in entries:
            if self._count is not None and len(programs) >= self._count:
                break
            try:
                facts = Facts(input=entry.given, output=read(entry.output).value)
            except NotALiteral as error:
                rows.leave_out("its output is not a literal", f"{place}, {error}")
                continue
            known = make_safe_name(entry.name)
            if known in programs:
                rows.leave_out(f"a second program {known}", place)
                continue
            program = Program.from_source(
                language=name,
                source=entry.source,
                call=entry.call,
                facts=facts,
                origin=f"{self.name}/{known}",
                licence=self.licence,
            )
            programs[known] = replace(program, written_by=written) if written else program
        if not programs:
            raise UsageError("; ".join([f"{shorten_path(rows.path)} holds no program", *rows.notes]))
        return rows, programs
