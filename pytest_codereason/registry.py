"""Finds a part by its name.

A suite file says ``perturbation = ["rename"]``. The name ``rename`` is looked for in three places:

1. Shipped: ``changes/perturbations/rename.py`` holds one class derived from
   :class:`~pytest_codereason.core.Perturbation`. The file is enough; there is no list to keep.
2. Installed: a package that ``pip`` installed names a class in its entry points, in the group
   ``codereason.perturbations``. A shipped name wins over an installed one.
3. ``package.module:Name``: any class that Python can import.

The same holds for every kind of part: each has a folder in this package, and a group of that name.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
import warnings
from abc import ABC
from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_codereason.core import Language
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import PartError, UsageError, blame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.metadata import EntryPoint
    from types import ModuleType

T = TypeVar("T", bound=ABC)

#: The folder of each kind, by the name of its abstract type. The last word is that of the entry-point group:
#: ``codereason.perturbations``.
FOLDERS = {
    "FaultOperator": "changes.faults",
    "Figure": "results.figures",
    "Language": "languages",
    "LogFormat": "reports.exchange",
    "Model": "models",
    "Perturbation": "changes.perturbations",
    "Reporter": "reports.reporters",
    "Source": "programs.sources",
    "Stage": "changes.stages",
    "Task": "questions.tasks",
    "TextKind": "questions.authoring",
}


class NameClash(UserWarning):
    """An installed package gives a part a name that a shipped part has; the shipped part is used."""


@cache
def list_shipped(kind: type[ABC]) -> tuple[str, ...]:
    """The names of a kind that this package ships, sorted. Imports every module of the kind's folder."""
    package = importlib.import_module(_name_folder(kind))
    modules = [m.name for m in pkgutil.iter_modules(package.__path__) if not m.name.startswith("_")]
    return tuple(name for m in sorted(modules) if _import_shipped(kind, name := m.replace("_", "-")))


def list_names(kind: type[ABC]) -> tuple[str, ...]:
    """The names of a kind, sorted: shipped ones, and those of installed packages. Imports no installed package."""
    return tuple(sorted({*list_shipped(kind), *_list_entry_points(kind)}))


def find(kind: type[T], name: str) -> type[T]:
    """The class of that name.

    Raises:
        UsageError: nothing has that name, or what has it is no such class; says what to do.
        PartError: the module that has it raised an exception while it was imported.
    """
    part: type[T] = _find(kind, name)
    return part


def find_offered(kind: type[T], name: object) -> type[T] | None:
    """The class of that name if it is shipped or an installed package offers it, else ``None``.

    For names that a file from elsewhere gives: no such name makes Python import anything else.
    """
    if not isinstance(name, str) or name not in list_names(kind):
        return None
    try:
        return find(kind, name)
    except (UsageError, PartError):  # its package cannot be imported
        return None


@cache
def _find(kind: type[ABC], name: str) -> Any:
    if ":" in name:
        return _import_class(kind, name, f"{_name_kind(kind)} {name!r}")
    offers = _list_entry_points(kind).get(name, ())
    if shipped := _import_shipped(kind, name):
        for offer in offers:
            warnings.warn(
                f"the shipped {_name_kind(kind)} {name!r} is used; "
                f"to use that of {name_package(offer)}, write {offer.value}",
                NameClash,
                stacklevel=2,
            )
        return shipped
    if len(offers) > 1:
        packages = " and ".join(f"{name_package(offer)} ({offer.value})" for offer in offers)
        raise UsageError(f"{packages} both offer the {_name_kind(kind)} {name!r}: write package.module:Name to choose")
    for offer in offers:
        return _import_offer(kind, name, offer)
    raise UsageError(
        f"unknown {_name_kind(kind)} {name!r}{suggest_name(name, list_names(kind))}: "
        f"choose one of {', '.join(list_names(kind))}, or package.module:Name"
    )


@cache
def language(name: str) -> Language:
    """The one object of a language."""
    kind = find(Language, name)
    with blame(kind):
        return kind()


def name_language(text: str) -> str:
    """The name of a language as people write it: in any case, or as ``package.module:Name``, whose case counts.

    Raises:
        UsageError: there is no such language.
    """
    known = list_names(Language)
    name = text if ":" in text or text in known else text.lower()
    find(Language, name)
    return name


def is_language(name: object) -> bool:
    """Whether it is the name of a language, in its own case."""
    try:
        return isinstance(name, str) and name_language(name) == name
    except UsageError:
        return False


@cache
def list_printed_languages() -> tuple[str, ...]:
    """The shipped languages in which programs can be generated, the simplest first."""
    printed = [name for name in list_shipped(Language) if language(name).has("printer")]
    return tuple(sorted(printed, key=lambda name: (language(name).printer.rank, name)))


def has_name(kind: type[ABC], name: str) -> bool:
    """Whether this package ships a part of that name, or an installed one offers it. Imports no installed package."""
    return _import_shipped(kind, name) is not None or name in _list_entry_points(kind)


def is_shipped(kind: type[ABC], name: str) -> bool:
    """Whether this package ships a part of that name."""
    return _import_shipped(kind, name) is not None


def _name_kind(kind: type[ABC]) -> str:
    """The kind as messages name it: ``perturbation``, ``text kind``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.__name__).lower()


def _name_folder(kind: type[ABC]) -> str:
    return f"{__package__}.{FOLDERS[kind.__name__]}"


def _list_classes(module: ModuleType, kind: type[T]) -> list[type[T]]:
    return [
        value
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, kind)
        and not inspect.isabstract(value)
        and value.__module__ == module.__name__
    ]


@cache
def _import_shipped(kind: type[ABC], name: str) -> type[ABC] | None:
    """The class that the kind's folder has under that name. Imports that one module.

    A name has hyphens where its module has underscores: a part with two names would have two in the records.
    """
    if "_" in name or not name.replace("-", "_").isidentifier():
        return None
    module_name = f"{_name_folder(kind)}.{name.replace('-', '_')}"
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        return None
    return next(iter(_list_classes(module, kind)), None)


def _list_entry_points(kind: type[ABC]) -> Mapping[str, Sequence[EntryPoint]]:
    """What installed packages offer of a kind, by name. Imports none of them."""
    return list_offers(FOLDERS[kind.__name__].rpartition(".")[2])


@cache
def list_offers(group: str) -> Mapping[str, Sequence[EntryPoint]]:
    """What installed packages offer in the entry-point group ``codereason.GROUP``, by name.

    Reads the metadata of packages once a process, and imports none of them.
    """
    from importlib.metadata import entry_points

    offers: dict[str, list[EntryPoint]] = {}
    for offer in entry_points(group=f"codereason.{group}"):
        same = offers.setdefault(offer.name, [])
        if all(offer.value != other.value for other in same):  # one package may be seen by two paths
            same.append(offer)
    return offers


def name_package(offer: EntryPoint) -> str:
    """What to call the package of an entry point: its name and version."""
    return f"{offer.dist.name} {offer.dist.version}" if offer.dist else offer.value


def _import_offer(kind: type[T], name: str, offer: EntryPoint) -> type[T]:
    """The class of an entry point, whose own name must be the entry point's."""
    subject = f"{_name_kind(kind)} {name!r} of {name_package(offer)} ({offer.value})"
    loaded = _import_class(kind, offer.value, subject)
    own = getattr(loaded, "name", name)
    if isinstance(own, str) and own != name:
        raise UsageError(
            f"the {subject} calls itself {own!r}: give the entry point and the class's `name` the same name"
        )
    return loaded


def _import_class(kind: type[T], path: str, subject: str) -> type[T]:
    module_name, _, attribute = path.partition(":")
    if not module_name or module_name.startswith("."):
        raise UsageError(f"{subject} cannot be imported: write package.module:Name")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        hint = "; name the folder that holds it in PYTHONPATH" if error.name == module_name.partition(".")[0] else ""
        raise UsageError(f"{subject} cannot be imported: {error}{hint}") from error
    except Exception as error:
        raise PartError(f"the {subject}", error) from error
    try:
        value = getattr(module, attribute)
    except AttributeError as error:
        own = [each.__name__ for each in _list_classes(module, kind)]
        raise UsageError(f"{subject} cannot be imported: {error}{suggest_name(attribute, own)}") from error
    if not inspect.isclass(value):
        raise UsageError(f"{subject} is not a class but {value!r:.100}: {_describe_demand(kind)}")
    if not issubclass(value, kind):
        raise UsageError(f"{subject} is not derived from {kind.__name__}: {_describe_demand(kind)}")
    if missing := _list_missing_members(value):
        raise UsageError(f"{subject} is incomplete: add {', '.join(missing)}")
    if wrong := _list_wrong_members(value):
        raise UsageError(f"{subject} cannot be used: {', '.join(wrong)}")
    return value


#: The annotation of an attribute that holds several values.
_SEVERAL = re.compile(r"ClassVar\[(tuple|frozenset)\[(\w+)")


def _describe_demand(kind: type[ABC]) -> str:
    base = f"{kind.__module__}.{kind.__name__}"
    if kind.__module__.startswith(f"{__package__}.core."):
        base = f"{__package__}.core.{kind.__name__}"
    return f"write a class derived from {base}"


def _list_missing_members(value: type[ABC]) -> list[str]:
    """What a class must still define, as it would be written: its abstract methods, and attributes without a value."""
    missing = []
    for name in sorted(getattr(value, "__abstractmethods__", ())):
        member = inspect.getattr_static(value, name)
        if isinstance(member, property):
            missing.append(f"the property {name}")
        else:
            function = getattr(member, "__func__", member)
            arguments = ", ".join(inspect.signature(function).parameters)
            missing.append(f"the method {name}({arguments})")
    for base in value.__mro__:
        if not base.__module__.startswith(f"{__package__}."):
            continue
        for name, annotation in inspect.get_annotations(base).items():
            if str(annotation).startswith("ClassVar") and not hasattr(value, name):
                missing.append(f"the attribute {name}")
    return missing


def _list_wrong_members(value: type[ABC]) -> list[str]:
    """What a class defines as something else than its kind asks for, and what to write."""
    wrong = []
    for base in value.__mro__:
        if not base.__module__.startswith(f"{__package__}."):
            continue
        for name, annotation in inspect.get_annotations(base).items():
            wanted = _SEVERAL.match(str(annotation))
            given = inspect.getattr_static(value, name, ())
            if wanted is None or isinstance(given, property):
                continue
            kind = str if wanted[2] == "str" else vars(sys.modules[base.__module__]).get(wanted[2])
            if not isinstance(given, Collection) or isinstance(given, str):
                wrong.append(f"{name} must be a {wanted[1]}, not {given!r:.60}")
            elif inspect.isclass(kind) and not all(isinstance(each, kind) for each in given):
                wrong.append(f"{name} must be a {wanted[1]} of {kind.__name__}, not {given!r:.60}")
        for name, member in vars(base).items():
            if isinstance(member, property) and inspect.isclass(given := inspect.getattr_static(value, name)):
                wrong.append(f"{name} must be an object, not a class: write {given.__name__}()")
    return wrong
