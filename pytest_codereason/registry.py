"""Finds a part by its name: a file in the folder of its kind, or ``package.module:Name``.

There is no list to keep: ``tasks/output_prediction.py`` is the task ``output-prediction`` because
the file is there and holds one class derived from :class:`~pytest_codereason.core.Task`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from pytest_codereason.core import Language, Model, Perturbation, Source, Stage, Task
from pytest_codereason.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

T = TypeVar("T", Language, Model, Perturbation, Source, Stage, Task)

FOLDERS = {
    Language: "languages",
    Model: "models",
    Perturbation: "perturbations",
    Source: "sources",
    Stage: "stages",
    Task: "tasks",
}


def _classes(module: ModuleType, kind: type[T]) -> list[type[T]]:
    return [
        found
        for found in vars(module).values()
        if inspect.isclass(found)
        and issubclass(found, kind)
        and not inspect.isabstract(found)
        and found.__module__ == module.__name__
    ]


def _folder(kind: type[T]) -> str:
    return f"{__package__}.{FOLDERS[kind]}"


@cache
def names(kind: type[T]) -> tuple[str, ...]:
    """The names that a kind's folder offers, sorted. Imports the folder's modules: for messages."""
    folder = _folder(kind)
    package = importlib.import_module(folder)
    modules = [m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")]
    return tuple(
        sorted(m.replace("_", "-") for m in modules if _classes(importlib.import_module(f"{folder}.{m}"), kind))
    )


@cache
def find(kind: type[T], name: str) -> type[T]:
    """The class of that name.

    Raises:
        UsageError: nothing has that name; lists what there is.
    """
    what = kind.__name__.lower()
    if ":" in name:
        return _from_path(kind, name)
    module_name = f"{_folder(kind)}.{name.replace('-', '_')}"
    if name and not name.startswith(("_", ".")) and "." not in name:
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name != module_name:
                raise
        else:
            if found := _classes(module, kind):
                return found[0]
    raise UsageError(f"unknown {what} {name!r}: choose one of {', '.join(names(kind))}, or package.module:Name")


def _from_path(kind: type[T], path: str) -> type[T]:
    module_name, _, attribute = path.partition(":")
    what = kind.__name__.lower()
    try:
        found = getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise UsageError(f"{what} {path!r} cannot be imported: {error}") from error
    if not (inspect.isclass(found) and issubclass(found, kind) and not inspect.isabstract(found)):
        raise UsageError(
            f"{path} is no {what}: it must be a concrete class derived from {kind.__module__}.{kind.__name__}"
        )
    return found


@cache
def language(name: str) -> Language:
    """The one object of a language."""
    kind: type[Language] = find(Language, name)
    return kind()


def model(spec: str, *, url: str | None, args: Mapping[str, str]) -> Model:
    """The model of a spec such as ``openai:gpt-x``, ``baseline:chance`` or ``package.module:Name``.

    Raises:
        UsageError: the spec names no model; says which there are.
    """
    from pytest_codereason.models import providers

    prefix, colon, name = spec.partition(":")
    if preset := providers.preset(prefix):
        from pytest_codereason.models.openai import OpenAIModel

        return OpenAIModel.create(name, url=url, args=args, preset=preset)
    if "." in prefix and colon:
        kind: type[Model] = _from_path(Model, spec)
        own = kind.create(spec, url=url, args=args)
        own.label = spec  # by any other its records would not be found
        return own
    known: Sequence[str] = tuple(dict.fromkeys((*names(Model), *providers.PRESETS)))
    if not colon or not name or prefix not in known:
        raise UsageError(
            f"unknown model {spec!r}: write PROVIDER:NAME with one of {', '.join(known)}, or package.module:Name"
        )
    provider: type[Model] = find(Model, prefix)
    return provider.create(name, url=url, args=args)
