"""The tables of a suite file. An error names the file and the line of its key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_codereason.core.files.locations import is_there
from pytest_codereason.core.files.toml_files import TomlFile
from pytest_codereason.errors import MissingCapability, NotHere, UsageError
from pytest_codereason.questions.suites.keys import list_texts, suggest_misspelt


class SuiteTables:
    """The tables of one suite file, which give the values of their keys.

    Raises:
        UsageError: a text of the file has the character NUL.
    """

    def __init__(self, file: TomlFile) -> None:
        self.file = file
        self.path = file.path
        self.table = file.table
        if where := next((where for where, text in list_texts(self.table) if "\0" in text), ()):
            raise self.fail(f"{where[-1]!r} has the character NUL", *where)

    def fail(self, message: str, *where: str, kind: type[UsageError] = UsageError) -> UsageError:
        """An error at the line of the key ``where`` (tables outermost first)."""
        return self.file.fail(message, *where, kind=kind if kind in (UsageError, NotHere) else UsageError)

    @contextmanager
    def at(self, *where: str) -> Iterator[None]:
        """Puts file and line before an error of what the key ``where`` names."""
        try:
            yield
        except (UsageError, MissingCapability) as error:
            kind = NotHere if isinstance(error, NotHere) else UsageError
            raise self.fail(str(error), *where, kind=kind) from error

    def require(self, key: str, kind: type, what: str) -> Any:
        """The value of a key that every suite has; ``what`` says what it must be."""
        if key not in self.table:
            raise self.fail(f"the key {key!r} is missing{suggest_misspelt(key, self.table)}: it must be {what}")
        if not isinstance(self.table[key], kind):
            raise self.fail(f"{key!r} must be {what}, not {self.table[key]!r}", key)
        return self.table[key]

    def read_table(self, key: str) -> dict[str, Any]:
        """A table, empty if the file lacks it."""
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            raise self.fail(f"{key!r} must be a table [{key}], not {table!r}", key)
        return table

    def is_table(self, key: str) -> bool:
        """Whether the file has a table of this name, not a key."""
        return isinstance(self.table.get(key), dict)

    def read_switch(self, key: str, default: bool, *tables: str) -> bool:
        """The value of a key that is true or false."""
        table = self.read_table(*tables) if tables else self.table
        value = table.get(key, default)
        if not isinstance(value, bool):
            raise self.fail(f"{key!r} must be true or false, not {value!r}", *tables, key)
        return value

    def find_file(self, key: str, what: str, more: str = "") -> Path | None:
        """The file that a key names, ``None`` if it names none. ``more`` ends the message if it is not there."""
        name = self.table.get(key)
        return None if name is None else self.find_named_file(name, key, what, more)

    def find_named_file(self, name: object, key: str, what: str, more: str = "") -> Path:
        """The file of a name, counted from the folder of the suite file."""
        if not isinstance(name, str):
            raise self.fail(f"{key!r} must be the path of a {what}, not {name!r}", key)
        path = self.path.parent.absolute() / name
        if not is_there(path):
            raise self.fail(f"there is no {what} {name!r} (looked for {path}{more})", key)
        return path.resolve()
