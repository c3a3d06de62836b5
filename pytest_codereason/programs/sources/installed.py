"""Functions and modules of installed packages, or of a folder of your own, that have documentation.

The files are parsed. No package is imported and no code is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from pytest_codereason.core import AxisValue, Language, Package
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting, DoesNotParse, UsageError
from pytest_codereason.programs.contexts.functions import MAX_BYTES, cut_documented, list_files, remove_documentation
from pytest_codereason.programs.sources._refusals import Refusals
from pytest_codereason.programs.sources._sizes import Sizes
from pytest_codereason.programs.sources._specified import SpecifiedProgram, SpecifiedSource
from pytest_codereason.registry import language as find_language
from pytest_codereason.registry import list_names

UNITS = ("functions", "modules")


class Installed(SpecifiedSource):
    """Functions and modules with documentation, which is the specification and is cut out of the program.

    A name is that of the package, the module and the function: ``python-textwrap-TextWrapper-fill``.
    """

    name = "installed"
    languages = list_names(Language)
    settings = ("packages", "path", "units")
    beside_suite: ClassVar[frozenset[str]] = frozenset({"path"})

    def __init__(
        self, packages: Sequence[str], path: Path | None, units: Sequence[str], sizes: Sizes, count: int | None
    ) -> None:
        super().__init__(sizes, count)
        self._packages, self._path, self._units = packages, path, units

    @classmethod
    def _open(cls, settings: Mapping[str, object], sizes: Sizes, count: int | None) -> Self:
        """Settings: ``packages`` (names; all that are installed if none is given), ``path`` (a folder instead of
        packages), ``units`` (``functions``, ``modules`` or both)."""
        packages, path, units = settings.get("packages", []), settings.get("path"), settings.get("units", ["functions"])
        if not isinstance(packages, list) or not all(isinstance(name, str) for name in packages):
            raise BadSetting("packages", f"'packages' must be a list of names, not {packages!r}")
        if path is not None and not (isinstance(path, str) and Path(path).is_dir()):
            raise BadSetting("path", f"'path' must be a folder, not {path!r}")
        if path is not None and packages:
            raise BadSetting("packages", "give 'packages' or 'path', not both")
        if not isinstance(units, list) or not units or any(unit not in UNITS for unit in units):
            raise BadSetting("units", f"'units' must be a list of {' and '.join(UNITS)}, not {units!r}")
        return cls(packages, None if path is None else Path(path), units, sizes, count)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """That of the base, with packages and units."""
        return {**super().identity, "packages": ",".join(self._packages), "units": ",".join(self._units)}

    def describe_data(self, language: str) -> list[Any]:
        """The packages with their versions, and the files with size and time."""
        lang = find_language(language)
        packages = self._list_packages(lang)
        status = [(str(file), file.stat()) for package in packages for file in _list_modules(package, lang)]
        files = [(path, each.st_size, each.st_mtime_ns) for path, each in status]
        return [[package[:3] for package in packages], files, list(self._units)]

    def list_entries(self, language: str, refusals: Refusals) -> Iterator[tuple[str, SpecifiedProgram]]:
        """Every function and module with documentation, package by package."""
        lang = find_language(language)
        for package in self._list_packages(lang):
            for file in _list_modules(package, lang):
                module = file.relative_to(package.root).with_suffix("").as_posix()
                place = f"{package.name}, {module}"
                try:
                    source = file.read_text(encoding="utf-8") if file.stat().st_size <= MAX_BYTES else ""
                    listed = list(self._cut(source, lang))
                except (OSError, UnicodeDecodeError, DoesNotParse):
                    refusals.add("a file that cannot be parsed", place)
                    continue
                origin = f"{package.name} {package.version}".strip() + f", {module}"
                for name, specification, text in listed:
                    known = _make_name(package.name, module, name)
                    yield place, SpecifiedProgram(known, specification, f"{text}\n", origin, package.licence)

    def _cut(self, source: str, lang: Language) -> Iterator[tuple[str, str, str]]:
        """The name, the documentation and the text of each unit of a file."""
        if "modules" in self._units and (documentation := lang.syntax.parse(source).find_documentation()):
            yield "", documentation.text, remove_documentation(source, lang).strip("\n")
        if "functions" in self._units:
            yield from cut_documented(source, lang)

    def _list_packages(self, lang: Language) -> Sequence[Package]:
        """The packages that the suite names.

        Raises:
            UsageError: a package is not installed, or none is.
        """
        if self._path is not None:
            return [Package(self._path.name, "", "", self._path, (self._path,))]
        packages = {package.name: package for package in lang.runner.list_packages()} if lang.has("runner") else {}
        for name in self._packages:
            if name not in packages:
                raise UsageError(f"the {lang.title} package {name!r} is not installed{suggest_name(name, packages)}")
        if not packages:
            raise UsageError(f"this machine has no {lang.title} packages: give a folder of code as 'path' in [source]")
        return [packages[name] for name in self._packages or packages]


def _list_modules(package: Package, lang: Language) -> Iterator[Path]:
    for path in package.paths:
        if path.is_dir() or path.suffix in lang.suffixes:
            yield from list_files(path, lang)


def _make_name(package: str, module: str, unit: str) -> str:
    """The name of a unit. Most packages have one folder, which has their name; it is not said twice."""
    module = module.removesuffix("/__init__")
    same = module.partition("/")[0].lower() == package.lower().replace("-", "_")
    return "-".join(filter(None, ("" if same else package, module, unit)))
