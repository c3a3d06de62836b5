"""CodeSearchNet: functions of public repositories with their documentation. The fourth study has its Java programs.

The data set is not part of this package: its archive lies where ``CODEREASON_DATA`` says, or is fetched once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from pytest_codereason.core import AxisValue
from pytest_codereason.core.files import code_search_net
from pytest_codereason.errors import BadSetting
from pytest_codereason.programs.contexts.functions import remove_documentation
from pytest_codereason.programs.sources._refusals import Refusals
from pytest_codereason.programs.sources._sizes import Sizes
from pytest_codereason.programs.sources._specified import SpecifiedProgram, SpecifiedSource
from pytest_codereason.registry import language as find_language

PARTS = ("train", "valid", "test")


class CodeSearchNet(SpecifiedSource):
    """The functions of CodeSearchNet, each a program of its own; the documentation is the specification.

    A method of Java stands in a class ``C``, because it is no program without one. Nobody has run these functions: they
    use names that stand elsewhere in their repository.
    """

    name = "code-search-net"
    languages = tuple(code_search_net.ARCHIVES)
    files = code_search_net.ARCHIVES
    licence = "differs by repository"
    settings = ("part",)

    def __init__(self, part: str, sizes: Sizes, count: int | None) -> None:
        super().__init__(sizes, count)
        self._part = part

    @classmethod
    def _open(cls, settings: Mapping[str, object], sizes: Sizes, count: int | None) -> Self:
        """Settings: ``part`` (``train``, ``valid`` or ``test``)."""
        part = settings.get("part", "test")
        if part not in PARTS:
            raise BadSetting("part", f"'part' must be {', '.join(PARTS[:-1])} or {PARTS[-1]}, not {part!r}")
        return cls(part, sizes, count)

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """That of the base, with the part."""
        return {**super().identity, "part": self._part}

    def describe_data(self, language: str) -> list[AxisValue]:
        """The part, the file, and when the file was changed."""
        path = self._find_file(language)
        return [self._part, str(path), path.stat().st_mtime_ns]

    def list_entries(self, language: str, refusals: Refusals) -> Iterator[tuple[str, SpecifiedProgram]]:
        """The rows that have ``func_name``, ``code`` and ``docstring``."""
        lang = find_language(language)
        for number, row in enumerate(code_search_net.read_rows(self._find_file(language), self._part), 1):
            place, texts = f"row {number}", [row.get(key) for key in ("func_name", "code", "docstring")]
            if not all(isinstance(text, str) and text.strip() for text in texts):
                refusals.add("no 'func_name', 'code' or 'docstring'", place)
                continue
            name, code, documentation = map(str, texts)
            if reason := self._sizes.describe_misfit(code):  # said of the row, before more lines stand around it
                refusals.add(reason, place)
                continue
            source = lang.syntax.wrap_function(lang.syntax.detach_method(code.strip("\n")))
            yield (
                place,
                SpecifiedProgram(
                    name=f"{row.get('repo', '')}-{name}",
                    specification=documentation.strip(),
                    source=remove_documentation(source, lang) + "\n",
                    origin=str(row.get("url") or f"{row.get('repo', '')}/{row.get('path', '')}"),
                ),
            )

    @staticmethod
    def _find_file(language: str) -> Path:
        return code_search_net.find_file(language)
