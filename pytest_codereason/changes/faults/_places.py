"""The places of a program where somebody could be blamed for a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.dialects import FaultForms
from pytest_codereason.core.language.structure import Function, Site, SiteKind, Span, Statement
from pytest_codereason.core.text.junctions import keep_apart
from pytest_codereason.errors import Skip

#: Programs that are remembered: every fault of a program reads the same places.
_MOST = 4
_WHOLE = re.compile(r"\d+")
_DECIMAL = re.compile(r"(\d+)\.(\d+)(\w*)")
_DRIVER = "main"


class FaultPlaces:
    """The functions of a program that a fault may stand in, and the sites in them.

    Left out are the driver, functions that only describe a value, and statements that print, log or raise: nobody could
    say by a specification that their text or data are wrong. If a program of one file has no other functions, all of
    its code may be faulty.
    """

    def __init__(self, language: str, source: str, call: str, *, alone: bool) -> None:
        lang = registry.language(language)
        if lang.dialect.faults is None:
            raise Skip(f"the language {language} does not say how mistakes are written")
        self.forms: FaultForms = lang.dialect.faults
        self.code = lang.syntax.parse(source, call)
        self.source = source
        self._alone = alone  #: whether the program has no other files

    @cached_property
    def functions(self) -> Sequence[Function]:
        """The functions that a fault may stand in."""
        functions = self.code.functions
        left_out = {_DRIVER, *self.forms.describing}
        blamed = [f for f in functions if left_out.isdisjoint(f.name.split("."))]
        return blamed or (functions if self._alone else ())

    def text(self, span: Span) -> str:
        """The source of a span."""
        return self.source[span.start : span.end]

    def find_function(self, offset: int) -> Function | None:
        """The innermost function around a character, its head included."""
        around = [f for f in self.code.functions if f.span.start <= offset < f.span.end]
        return max(around, key=lambda f: f.span.start, default=None)

    def is_blamed(self, offset: int, statement: Span) -> bool:
        """Whether a mistake in this statement could be somebody's fault."""
        if self.forms.messages.match(self.source, statement.start):
            return False
        function = self.find_function(offset)
        return function in self.functions if self.code.functions else self._alone

    def list_sites(self, *kinds: SiteKind) -> Iterator[Site]:
        """The sites of these kinds that stand on one line and in such a function."""
        for site in self.code.sites_of(*kinds):
            if "\n" not in self.text(site.span) and self.is_blamed(site.span.start, site.statement):
                yield site

    def list_statements(self, *kinds: str) -> Iterator[Statement]:
        """The statements of these kinds in such functions."""
        for statement in self.code.statements:
            if statement.kind in kinds and self.is_blamed(statement.span.start, statement.span):
                yield statement

    def replace(self, span: Span, text: str) -> Injection:
        """The injection that writes ``text`` in place of a span, apart from what stands beside it."""
        function = self.find_function(span.start)
        return Injection(span, keep_apart(self.source, span, text), function.name if function else "")


@lru_cache(maxsize=_MOST)
def _read_places(language: str, source: str, call: str, alone: bool) -> FaultPlaces:
    return FaultPlaces(language, source, call, alone=alone)


def read_places(program: Program) -> FaultPlaces:
    """The places of a program's entry.

    Raises:
        DoesNotParse: the program is no program of its language.
        Skip: nobody has said how mistakes are written in the language.
    """
    return _read_places(program.language, program.source, program.call, len(program.files) == 1)


def list_slips(text: str, form: str, truths: tuple[str, str]) -> list[str]:
    """The literals that are written by mistake for a literal; none for texts and for numbers of an unusual form."""
    if form == "bool" and text in truths:
        return [truths[text == truths[0]]]
    if form == "int" and _WHOLE.fullmatch(text):
        return [_slip_whole(text)]
    if form == "float" and (parts := _DECIMAL.fullmatch(text)):
        whole, fraction, suffix = parts.groups()
        return [f"{whole}.0{fraction}{suffix}" if fraction.strip("0") else f"{int(whole) + 1}.{fraction}{suffix}"]
    return []


def _slip_whole(text: str) -> str:
    """Another number: one more below ten, a zero less, or two digits exchanged."""
    if len(text) == 1:
        return str(int(text) + 1)
    if text.endswith("0"):
        return text[:-1]
    exchanged = f"{text[:-2]}{text[-1]}{text[-2]}"
    return exchanged if exchanged != text else str(int(text) + 1)
