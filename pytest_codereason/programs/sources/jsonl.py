"""A user's own programs: a file with one program a row, as lines of JSON or as Parquet."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, Self

from pytest_codereason.core import ABSENT, EMPTY, AxisValue, Facts, Language, Program, Source, digest
from pytest_codereason.core.facts import MAIN
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.text.suggestions import check_keys, suggest_name
from pytest_codereason.errors import BadSetting, NotALiteral, UsageError, blame
from pytest_codereason.programs.sources._cruxeval_tests import find_closing
from pytest_codereason.programs.sources._examples import take_programs
from pytest_codereason.programs.sources._refusals import Refusals
from pytest_codereason.programs.sources._rows import Rows, make_safe_name
from pytest_codereason.programs.sources._settings import SUITE_KEYS
from pytest_codereason.programs.sources._sizes import SIZES, Sizes
from pytest_codereason.registry import language, name_language

#: Raised whenever the same file would give other programs.
VERSION = 3
FIELDS = (
    "id",
    "language",
    "code",
    "files",
    "entry",
    "call",
    "function",
    "input",
    "output",
    "specification",
    "licence",
    "repository",
)
SETTINGS = ("path", "columns", "defaults", "count", *SIZES)
#: Facts that rows may lack. A task that needs one of ``SOMETIMES`` leaves such rows out; an output is computed.
SOMETIMES = frozenset({"specification"})
OPTIONAL = SOMETIMES | {"output"}


#: The longest text for which a message shows the literal.
_LONGEST_WORD = 60


class _UnusableRow(Exception):
    """The reason why a row gives no program."""


class Jsonl(Source):
    """Programs from the rows of one file, in several languages."""

    name = "jsonl"
    languages: tuple[str, ...] = ()
    #: What each row has; an object adds what all of its rows have. A missing output is computed by a run.
    facts: frozenset[str] = frozenset({"input"})
    beside_suite: ClassVar[frozenset[str]] = frozenset({"path"})
    checks = True  #: nobody has looked at these programs before

    def __init__(
        self,
        rows: Rows,
        columns: Mapping[str, str],
        defaults: Mapping[str, Any],
        count: int | None,
        sizes: Sizes = Sizes(),  # noqa: B008  # frozen
        refusals: Mapping[str, str] = EMPTY,
    ) -> None:
        """``refusals`` says by fact, or by ``call``, why a row without it is left out."""
        self._rows, self._columns, self._defaults, self._count = rows, columns, defaults, count
        self._sizes, self._refusals = sizes, refusals
        self._programs: dict[str, dict[str, Program]] = {}
        there = dict[str, None]()
        for place, row in rows.lines():
            there.update(dict.fromkeys(row))
            try:
                name, program = self._read_program(row, place)
                self._check_program(program)
            except _UnusableRow as reason:
                rows.leave_out(str(reason), place)
                continue
            programs = self._programs.setdefault(program.language, {})
            if name in programs:
                rows.leave_out(f"an earlier {program.language} program is called {name!r} too", place)
            elif count is None or len(programs) < count:
                programs[name] = program
        self._programs = {language: _group_calls(programs) for language, programs in self._programs.items()}
        self.languages = tuple(self._programs)
        every = [program for programs in self._programs.values() for program in programs.values()]
        self.facts = type(self).facts | {fact for fact in OPTIONAL if all(fact in each.facts for each in every)}
        for field, column in self._columns.items():
            if there and column not in there:
                hint = suggest_name(column, there)
                raise BadSetting(
                    "columns", f"'columns': no row has {column!r} for {field!r}{hint}: rows have {', '.join(there)}"
                )
        if not self.languages:
            raise BadSetting("path", "; ".join([f"{shorten_path(rows.path)} holds no program", *rows.notes]))

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> Self:
        """Settings: ``path`` (the file), ``columns`` (the file's own name of a field), ``defaults`` (the value of a
        field that a row lacks), ``count`` (use only so many programs of each language), ``min_lines``, ``max_lines``,
        ``max_tokens`` (leave out shorter and longer programs)."""
        check_keys(settings, (*SETTINGS, *SUITE_KEYS), "the source jsonl")
        path, count = settings.get("path"), settings.get("count")
        if not isinstance(path, str):
            raise BadSetting("path", "'path' must be the path of a file with a program a row")
        if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
            raise BadSetting("count", f"'count' must be a whole number from 1, not {count!r}")
        columns, defaults = (cls._read_fields(settings, key) for key in ("columns", "defaults"))
        sizes = Sizes.read(settings)
        named = {field: column for field, column in columns.items() if isinstance(column, str)}
        for field in columns.keys() - named.keys():
            raise BadSetting("columns", f"'columns': the column of {field!r} must be a name, not {columns[field]!r}")
        try:
            return cls(Rows.of(Path(path)), named, defaults, count, sizes)
        except BadSetting:
            raise
        except UsageError as error:
            raise BadSetting("path", str(error)) from error

    @staticmethod
    def _read_fields(settings: Mapping[str, object], key: str) -> dict[str, object]:
        table = settings.get(key, {})
        if not isinstance(table, dict):
            raise BadSetting(key, f'{key!r} must be a table, such as {{code = "func"}}, not {table!r}')
        for field in table:
            if field not in FIELDS:
                hint = suggest_name(field, FIELDS)
                raise BadSetting(key, f"{key!r}: unknown field {field!r}{hint}: a row has {', '.join(FIELDS)}")
        return table

    def without_scripts(self, task: str) -> Source:
        """The rows that have a call."""
        if all(program.call for programs in self._programs.values() for program in programs.values()):
            return self
        reason = (
            f"no {self._name_column('call')}: the task {task} asks about a call; "
            "put the lines of a script into a function, and call it"
        )
        return self._refuse_rows({"call": reason})

    def with_facts(self, facts: frozenset[str], task: str) -> Source:
        """The rows that have these facts."""
        reasons = {
            fact: f"no {self._name_column(fact)}, which the task {task} needs"
            for fact in sorted(facts & SOMETIMES - self.facts)
        }
        return self._refuse_rows(reasons) if reasons else self

    def _refuse_rows(self, reasons: Mapping[str, str]) -> Jsonl:
        """The rows that have a call, or a fact, or both, each with the reason why a row without it is left out."""
        rows, refusals = replace(self._rows, left_out=Refusals()), {**self._refusals, **reasons}
        return Jsonl(rows, self._columns, self._defaults, self._count, self._sizes, refusals)

    def _check_program(self, program: Program) -> None:
        """Raises the reason why the suite cannot ask about a program, if there is one."""
        if "call" in self._refusals and not program.call:
            raise _UnusableRow(self._refusals["call"])
        for fact in self._refusals.keys() & SOMETIMES - program.facts.keys():
            raise _UnusableRow(self._refusals[fact])
        if reason := self._sizes.describe_misfit(program.text):
            raise _UnusableRow(reason)

    def names(self, language: str) -> Iterator[str]:
        """The ids of the rows in that language, in the order of the file."""
        return iter(self._programs[language])

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that id.

        Raises:
            UsageError: there is no such program.
        """
        program = self._programs.get(language, {}).get(name)
        if program is None:
            raise UsageError(f"{shorten_path(self._rows.path)} has no {language} program {name!r}")
        return program

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """The first ``count`` (up to 2) examples of our own: the same for every program."""
        return take_programs(self.name, language, count)

    def notes(self, language: str) -> list[str]:
        """Which rows were left out, and why: the same for every language, as they are rows of one file."""
        return self._rows.notes

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, settings, and the digest of the file."""
        fields = digest(dict(self._columns), dict(self._defaults))[:16]
        return {
            "name": self.name,
            "version": VERSION,
            "count": self._count or 0,
            "fields": fields,
            "sha256": self._rows.sha,
            **self._sizes.identity,
        }

    def _read_program(self, row: Mapping[str, Any], place: str) -> tuple[str, Program]:
        """The program of a row and its name; a row of which nothing can be made raises the reason."""
        fields = {field: row.get(self._columns.get(field, field)) for field in FIELDS}
        fields = {field: self._defaults.get(field) if value is None else value for field, value in fields.items()}
        if not self._columns:
            for key in row:
                if key not in FIELDS and (hint := suggest_name(key, [f for f in FIELDS if fields[f] is None])):
                    raise _UnusableRow(f"unknown key {key!r}{hint}")
        named = self._read_language(fields)
        files, entry = self._read_files(fields)
        call = self._read_call(fields)
        given = self._read_optional(fields, "input")
        known = fields["id"] if fields["id"] is not None else place.replace(" ", "-")
        if isinstance(known, float) and known.is_integer():
            known = int(known)  # pandas keeps a column of whole numbers so if one is missing
        if isinstance(known, bool) or not isinstance(known, (str, int)):
            raise _UnusableRow(f"{self._name_column('id')} is neither text nor a whole number")
        name = _make_name(str(known))
        facts = Facts(
            input=(given if given is not None else _find_arguments(call)) if call else ABSENT,
            output=self._read_output(fields["output"], language(named)) if call else self._read_printed(fields),
            specification=self._read_optional(fields, "specification") or ABSENT,
        )
        return name, Program(
            language=named,
            files=files,
            entry=entry,
            call=call,
            facts=facts,
            origin=f"{self.name}/{name}",
            licence=self._read_optional(fields, "licence") or "",
            repository=self._read_optional(fields, "repository") or "",
        )

    def _read_language(self, fields: Mapping[str, object]) -> str:
        try:
            return name_language(self._read_text(fields, "language"))
        except UsageError as error:
            raise _UnusableRow(str(error)) from None

    def _name_column(self, field: str) -> str:
        return repr(self._columns.get(field, field))

    def _read_optional(self, fields: Mapping[str, object], field: str) -> str | None:
        value = fields[field]
        if value is not None and not isinstance(value, str):
            raise _UnusableRow(f"{self._name_column(field)} is not text")
        return value

    def _read_text(self, fields: Mapping[str, object], field: str) -> str:
        if not (text := self._read_optional(fields, field)):
            raise _UnusableRow(f"no {self._name_column(field)}")
        return text

    def _read_files(self, fields: Mapping[str, Any]) -> tuple[dict[str, str], str]:
        """The files of a program by path, and the path of its entry."""
        if fields["files"] is not None and fields["code"]:
            both = f"{self._name_column('code')} and {self._name_column('files')}"
            raise _UnusableRow(f"{both}: a program is one of them; put the code into a file")
        if fields["files"] is None:
            return {MAIN: self._read_text(fields, "code").strip("\n") + "\n"}, MAIN
        column, files = self._name_column("files"), fields["files"]
        if isinstance(files, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in files):
            files = {str(path): text for path, text in files}  # a map of Parquet
        if not isinstance(files, dict):
            raise _UnusableRow(f"{column} is no object with the text of each file by its path")
        files = {path: text for path, text in files.items() if text is not None}
        for path, text in files.items():
            if not isinstance(text, str):
                raise _UnusableRow(f"{column}: the text of {path!r} is not text")
            if path != str(PurePosixPath(path)) or path.startswith("/") or ".." in path.split("/"):
                raise _UnusableRow(f"{column}: {path!r} is no path inside the program's folder")
        only = next(iter(files), "") if len(files) == 1 else ""
        entry = self._read_optional(fields, "entry") or only or self._read_text(fields, "entry")
        if entry not in files:
            raise _UnusableRow(
                f"{self._name_column('entry')} {entry!r} is none of {column}{suggest_name(entry, files)}"
            )
        return files, entry

    def _read_call(self, fields: Mapping[str, object]) -> str:
        if fields["call"] is None and fields["function"] is not None:
            return f"{self._read_text(fields, 'function')}({self._read_optional(fields, 'input') or ''})"
        return (self._read_optional(fields, "call") or "").strip()

    def _read_printed(self, fields: Mapping[str, object]) -> Any:
        """What a script prints; absent where the row does not say."""
        printed = self._read_optional(fields, "output")
        return ABSENT if printed is None else printed

    def _read_output(self, output: Any, lang: Language) -> Any:
        """The value of a literal, or of data as the language has it; absent where the row has none."""
        if output is None:
            return ABSENT
        value, complaint = _read_literal(output, lang)
        if complaint:
            as_text = f"; the text is written {json.dumps(lang.values.write(output))}" if _is_word(output) else ""
            raise _UnusableRow(f"{self._name_column('output')} is no literal of {lang.title}: {complaint}{as_text}")
        return value


def _read_literal(output: Any, lang: Language) -> tuple[Any, str]:
    """The value of a literal, or of data as the language has it; or why it is none."""
    with blame(lang.values):
        try:
            return lang.values.read(output if isinstance(output, str) else lang.values.write(output)).value, ""
        except NotALiteral as error:
            return ABSENT, str(error)


def _is_word(output: Any) -> bool:
    """Whether an output may be meant as a text, and lacks its quotes."""
    return isinstance(output, str) and len(output) <= _LONGEST_WORD and output.isprintable()


def _group_calls(programs: Mapping[str, Program]) -> dict[str, Program]:
    """The programs; calls of one text belong together, so that intervals do not take them for different programs."""
    of_text: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, program in programs.items():
        of_text.setdefault(tuple(program.files.items()), []).append(name)
    together = {name: names[0] for names in of_text.values() if len(names) > 1 for name in names}
    return {
        name: program if program.repository or name not in together else replace(program, repository=together[name])
        for name, program in programs.items()
    }


def _make_name(text: str) -> str:
    """The name of a program in ids: other ASCII characters than letters, digits and underscores become hyphens."""
    return make_safe_name(re.sub(r"[^\w-]+", "-", text) if text.isascii() else text)


def _find_arguments(call: str) -> str:
    """The arguments of a call, as they are written.

    Raises:
        _UnusableRow: it is not one call.
    """
    opened = re.match(r"(?:[\w.$:\\]|->)+\(", call)
    end = find_closing(call, opened.end()) if opened else None
    if opened is None or end is None or call[end + 1 :].strip(" ;"):
        examples = "f(1), Main.f(1) or obj.g(1)"
        raise _UnusableRow(f"'call' is not one call of a function by its name, such as {examples}: {call!r:.80}")
    return call[opened.end() : end]
