"""Reads models that a user names in a file, each with its own address and settings.

In ``pyproject.toml``::

    [tool.codereason.models.small]
    spec = "openai:qwen3-4b"
    url = "http://127.0.0.1:8001/v1"
    temperature = 0.2

``--model=small`` asks this model. In a file of its own (``--eval-models``) the table is ``[models.small]``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_codereason.core.files.toml_files import TomlFile, read_toml
from pytest_codereason.core.secrets import REFERENCE, read_value
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.models.shared.arguments import EVERY_MODEL
from pytest_codereason.questions.suites.sampling import check_sampling

PROJECT_FILE = "pyproject.toml"
#: A name stands in ids, gates and arguments. A colon would make it a spec.
NAME = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)
#: Settings that are tables of their own: ``body.top_k = 20`` is the argument ``body.top_k``.
NESTED = ("body", "header")
#: Keys of a table beside the settings of sampling and of the provider.
OWN_KEYS = ("spec", "url", "concurrency")


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """What a user has set for one model."""

    spec: str
    url: str | None = None
    concurrency: int | None = None  #: the most requests in flight
    sampling: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)  #: of the provider, as ``--model-arg`` writes them


class ModelTables:
    """The models that a file names. A table is read when its model is asked for.

    Args:
        file: the file that names them.
        passed_by: a project file in which a user may expect them to be read, and which is not read.
    """

    def __init__(self, file: TomlFile | None = None, *, passed_by: Path | None = None) -> None:
        self._file = file
        self._passed_by = passed_by
        self._outer: tuple[str, ...] = ()
        self._tables: Mapping[str, Any] = {}
        if file is None:
            return
        table: Any = file.table
        for key in ("tool", "codereason") if file.path.name == PROJECT_FILE else ():
            table = table.get(key, {})
            self._outer += (key,)
        if unknown := [key for key in table if key != "models"]:
            wrong = ".".join((*self._outer, unknown[0]))
            hint = suggest_name(unknown[0], ["models"])
            raise self._fail(f"unknown key {wrong}{hint}: a model is a table {self._show('NAME')}", unknown[0])
        self._outer += ("models",)
        self._tables = table.get("models", {})
        if not isinstance(self._tables, dict):
            raise self._fail(f"a model is a table: write {self._show('NAME')}")
        for name, settings in self._tables.items():
            if not NAME.fullmatch(name):
                raise self._fail(f"the name {name!r} cannot be: it has letters, digits and any of . _ + -", name)
            if not isinstance(settings, dict):
                raise self._fail(f"{name!r} must be a table: write {self._show(name)}", name)

    def __contains__(self, name: str) -> bool:
        return name in self._tables

    def read(self, name: str) -> ModelSettings:
        """The settings of a model.

        Raises:
            UsageError: a key has a value that it cannot have, or an environment variable is not set.
        """
        table = dict(self._tables[name])
        spec, url = self._take_text(table, name, "spec"), self._take_urls(table, name)
        if spec is None:
            near = next((key for key in table if suggest_name(key, ["spec"])), "")
            instead = f", not {near!r}" if near else ""
            raise self._fail(f"{self._show(name)} needs a key 'spec'{instead}, such as spec = 'openai:gpt-x'", name)
        if spec in self:
            raise self._fail(f"spec = {spec!r} is the name of a table: write PROVIDER:NAME", name, "spec")
        sampling: dict[str, object] = {}
        for key in [key for key in EVERY_MODEL if key in table]:
            try:
                sampling[key] = check_sampling(key, table.pop(key))
            except BadSetting as error:
                raise self._fail(str(error), name, key) from error
        concurrency = table.pop("concurrency", None)
        if concurrency is not None and not (type(concurrency) is int and concurrency >= 1):
            raise self._fail(f"'concurrency' must be a whole number from 1, not {concurrency!r}", name, "concurrency")
        arguments = {}
        for key, value in _flatten(table).items():
            top = key.partition(".")[0]
            try:
                arguments[key] = read_value(f"{self._show(name)}:", key, _write_argument(key, value))
            except UsageError as error:
                raise self._fail(str(error), name, top) from error
            except (TypeError, ValueError) as error:
                allowed = "text, a number, true, false, a list or a table"
                raise self._fail(f"{key!r} must be {allowed}, not {value!r}", name, top) from error
        return ModelSettings(spec=spec, url=url, concurrency=concurrency, sampling=sampling, arguments=arguments)

    def fail(self, message: str, name: str, key: str = "") -> UsageError:
        """An error in the table of a model, at the line of ``key`` if there is one."""
        top = key if key in self._tables[name] else key.partition(".")[0]
        return self._fail(f"{self._show(name)}: {message}", name, *([top] if top else []))

    def explain_unknown(self, name: str) -> str:
        """What to tell a user who asks for a model that no table names. Empty if there are no tables."""
        if self._passed_by is not None and name in ModelTables(read_toml(self._passed_by)):
            return (
                f"{PROJECT_FILE} in this folder names it, but pytest's root folder is another one: add "
                f"--eval-models={PROJECT_FILE}"
            )
        if self._file is None or not self._tables:
            return ""
        near = get_close_matches(name, self._tables, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return f"{hint}{self._file.path.name} names {', '.join(self._tables)}"

    def _take_text(self, table: dict[str, object], name: str, key: str) -> str | None:
        value = table.pop(key, None)
        if value is not None and not (isinstance(value, str) and value):
            raise self._fail(f"{key!r} must be text, not {value!r}", name, key)
        try:
            return None if value is None else read_value(f"{self._show(name)}:", key, value)
        except UsageError as error:
            raise self._fail(str(error), name, key) from error

    def _take_urls(self, table: dict[str, object], name: str) -> str | None:
        """The address, or several with commas between them: ``url`` may be a list."""
        urls = table.pop("url", None)
        if not isinstance(urls, list):
            return self._take_text({} if urls is None else {"url": urls}, name, "url")
        if not urls:
            raise self._fail("'url' must be an address or a list of addresses, not []", name, "url")
        return ",".join(str(self._take_text({"url": url}, name, "url")) for url in urls)

    def _fail(self, message: str, *where: str) -> UsageError:
        assert self._file is not None, "there is a table"
        place = (*self._outer, *where)
        return self._file.fail(message, *place)

    def _show(self, name: str) -> str:
        outer = self._outer if self._outer[-1:] == ("models",) else (*self._outer, "models")
        quoted = name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'
        return f"[{'.'.join((*outer, quoted))}]"


def load_tables(path: Path | None, root: Path) -> ModelTables:
    """The models that a file names: the file at ``path``, else ``pyproject.toml`` in pytest's root folder, if any.

    Raises:
        UsageError: the file cannot be read, or names a model in a way that cannot be.
    """
    if path is not None:
        return ModelTables(read_toml(path))
    own, here = root / PROJECT_FILE, Path.cwd() / PROJECT_FILE
    passed_by = here if here.is_file() and root.resolve() != Path.cwd() else None
    return ModelTables(read_toml(own) if own.is_file() else None, passed_by=passed_by)


def _flatten(table: Mapping[str, Any]) -> dict[str, object]:
    """The keys of a table as ``--model-arg`` writes them: ``body.top_k`` for ``top_k`` in the table ``body``."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        if key in NESTED and isinstance(value, dict):
            flat |= {f"{key}.{inner}": each for inner, each in value.items()}
        else:
            flat[key] = value
    return flat


def _write_argument(key: str, value: object) -> str:
    """A value as ``--model-arg`` writes it.

    Raises:
        TypeError: a date or a time.
        ValueError: a number that is not finite.
    """
    if isinstance(value, str) and (not key.startswith("body.") or REFERENCE.fullmatch(value)):
        return value
    return json.dumps(value, allow_nan=False)  # also a text in a body: "5" stays a text
