"""The base of sources whose programs stand beside a text that says what they should do."""

from __future__ import annotations

import re
import threading
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from pytest_codereason.core import AxisValue, Facts, Program, Source, digest
from pytest_codereason.core.files.fetching import make_once
from pytest_codereason.core.files.frozen import freeze, open_frozen
from pytest_codereason.core.files.locations import cache_folder
from pytest_codereason.core.programs import is_whole
from pytest_codereason.core.text.suggestions import check_keys
from pytest_codereason.errors import BadSetting, DoesNotParse, UsageError
from pytest_codereason.programs.sources._refusals import Refusals
from pytest_codereason.programs.sources._rows import make_safe_name
from pytest_codereason.programs.sources._settings import SUITE_KEYS
from pytest_codereason.programs.sources._sizes import SIZES, Sizes
from pytest_codereason.registry import language as find_language

#: Raised whenever the same data would give other programs.
VERSION = 1
#: Words of the shortest specification.
MIN_WORDS = 3
#: Lines of the shortest program in the fourth study.
MIN_LINES = 50


class SpecifiedProgram(NamedTuple):
    """A program as its data set has it."""

    name: str
    specification: str
    source: str
    origin: str = ""
    licence: str = ""


class SpecifiedSource(Source):
    """Programs with a specification. They are chosen once and then read from the cache.

    A program is left out if its specification has fewer than three words, if it is too short or too long, if it is no
    program of its language, or if its name or its text is that of an earlier one.
    """

    facts = frozenset({"specification"})
    settings: ClassVar[tuple[str, ...]] = ()  #: keys of its own, beside sizes and ``count``

    def __init__(self, sizes: Sizes, count: int | None) -> None:
        self._sizes, self._count = sizes, count
        self._listed: dict[str, _Listed] = {}
        self._reading = threading.Lock()

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> Self:
        """Settings: ``min_lines`` (50 where it is not given), ``max_lines``, ``max_tokens``, ``count`` (use only the
        first so many programs), and those of the class."""
        check_keys(settings, (*cls.settings, "count", *SIZES, *SUITE_KEYS), f"the source {cls.name}")
        count = settings.get("count")
        if count is not None and not is_whole(count, 1, 2**31):
            raise BadSetting("count", f"'count' must be a whole number from 1, not {count!r}")
        return cls._open(settings, Sizes.read(settings, min_lines=MIN_LINES), count)

    @classmethod
    def _open(cls, settings: Mapping[str, Any], sizes: Sizes, count: int | None) -> Self:
        """A source from the settings of its own."""
        return cls(sizes, count)

    @abstractmethod
    def describe_data(self, language: str) -> list[Any]:
        """Everything that decides which programs :meth:`list_entries` gives, cheap to find out."""

    @abstractmethod
    def list_entries(self, language: str, refusals: Refusals) -> Iterator[tuple[str, SpecifiedProgram]]:
        """The programs of the data, each with its place: ``line 7``.

        Raises:
            UsageError: the data are missing or damaged.
        """

    def names(self, language: str) -> Iterator[str]:
        """The names of the programs, in the order of the data.

        Raises:
            UsageError: the data are missing, or have no program.
        """
        return iter(self._list_programs(language).programs)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name.

        Raises:
            UsageError: there is no such program.
        """
        entry = self._list_programs(language).programs.get(name)
        if entry is None:
            raise UsageError(f"{self.name} has no {language} program {name!r}")
        return Program.from_source(
            language=language,
            source=entry.source,
            facts=Facts(specification=entry.specification),
            origin=entry.origin,
            licence=entry.licence,
        )

    def notes(self, language: str) -> list[str]:
        """Which programs were left out, and why."""
        return list(self._list_programs(language).notes)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, settings, and digests of the programs read so far: those of the suite's languages."""
        shas = {f"sha256_{name}": listed.sha for name, listed in sorted(self._listed.items())}
        return {"name": self.name, "version": VERSION, "count": self._count or 0, **self._sizes.identity, **shas}

    def _list_programs(self, language: str) -> _Listed:
        with self._reading:
            if language not in self._listed:
                self._listed[language] = self._read(language)
            return self._listed[language]

    def _read(self, language: str) -> _Listed:
        state = digest(VERSION, self.name, language, self.describe_data(language), dict(self._sizes.identity))
        path = cache_folder() / "sources" / f"{self.name}-{state[:16]}.jsonl"
        if not path.is_file():
            make_once(path, lambda fresh: self._choose(language, fresh))
        frozen = open_frozen(path, "specified")
        rows = [SpecifiedProgram(*row.values()) for row in frozen.rows(SpecifiedProgram._fields)]
        chosen = {row.name: row for row in rows[: self._count]}
        return _Listed(chosen, frozen.header["notes"], frozen.header["sha256"][:16])

    def _choose(self, language: str, target: Path) -> None:
        """Writes the programs that are good for a question."""
        refusals, chosen, texts = Refusals(), dict[str, SpecifiedProgram](), set[str]()
        for place, entry in self.list_entries(language, refusals):
            name = make_name(entry.name)
            if reason := self._describe_problem(entry, language):
                refusals.add(reason, place)
            elif name in chosen:
                refusals.add("a second program of its name", f"{place}, {name}")
            elif (text := digest(entry.source)) in texts:
                refusals.add("the text of another program", place)
            else:
                chosen[name] = entry._replace(name=name)
                texts.add(text)
        notes = refusals.notes(f"{self.name}, {language}")
        if not chosen:
            raise UsageError("; ".join([f"the source {self.name} has no {language} program", *notes]))
        freeze(target, "specified", (entry._asdict() for entry in chosen.values()), language=language, notes=notes)

    def _describe_problem(self, entry: SpecifiedProgram, language: str) -> str:
        if len(entry.specification.split()) < MIN_WORDS:
            return f"a specification of fewer than {MIN_WORDS} words"
        if reason := self._sizes.describe_misfit(entry.source):
            return reason
        lang = find_language(language)
        try:
            lang.syntax.parse(entry.source)
        except DoesNotParse:
            return f"no program of {lang.title}"
        return ""


class _Listed(NamedTuple):
    programs: Mapping[str, SpecifiedProgram]
    notes: list[str]
    sha: str


def make_name(text: str) -> str:
    """The name of a program in ids: other ASCII characters than letters, digits and underscores become hyphens."""
    return make_safe_name(re.sub(r"[^\w-]+", "-", text).strip("-") if text.isascii() else text)
