"""Programs, and specs: questions that are only named, so that pytest can list them without building them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

from pytest_codereason.core.facts import MAIN, NO_FACTS, Facts, Fault

AxisValue = str | int | float | bool

#: A combination of values of axes: ``(("level", 3), ("shots", 2))``.
Cell = tuple[tuple[str, AxisValue], ...]

EMPTY: Mapping[str, Any] = MappingProxyType({})

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode


def digest(*parts: object) -> str:
    """The SHA-256 (hex) of ``parts`` written as canonical JSON: the same in every process."""
    text = f"[{','.join([_encode(part) for part in parts])}]"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def derive_seed(seed: int, *parts: AxisValue) -> int:
    """A 64-bit seed for one purpose, from the suite's seed and the name of the purpose.

    The seed is the :func:`digest`. So a draw depends on its own name only, not on the process or on earlier draws.
    """
    return int(digest(seed, *parts)[:16], 16)


def is_whole(value: object, least: int, most: int) -> TypeGuard[int]:
    """Whether a value of a suite file is a whole number from ``least`` to ``most``. ``true`` is none."""
    return type(value) is int and least <= value <= most


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One way in which a suite varies its questions, such as ``shots``, with its values."""

    name: str
    default: AxisValue
    allowed: str  #: the values it takes, in words, for error messages
    accepts: Callable[[object], bool]
    short: str  #: what stands before a number in a ``-k`` word: ``digits`` makes ``digits4``
    changes_program: bool = False  #: whether programs at two values are different programs
    #: what stands in a suite file for several values: ``position = 11``; ``None`` where each is written out
    expand: Callable[[object], Sequence[AxisValue] | None] | None = None
    #: whether its values are numbers that make a question harder, so that a curve of right answers falls along them
    falls: bool = False
    #: values at which the model first rewrites the program, by the template of that name; what it writes is run
    rewriting: frozenset[AxisValue] = frozenset()

    @classmethod
    def of_words(
        cls,
        name: str,
        words: Iterable[str],
        *,
        default: str = "",
        changes_program: bool = False,
        rewriting: frozenset[AxisValue] = frozenset(),
    ) -> Axis:
        """An axis that takes a few words, of which the first is the default unless another is."""
        known = tuple(words)
        return cls(
            name=name,
            default=default or known[0],
            allowed=", ".join(known),
            accepts=lambda value: value in known,
            short=name,
            changes_program=changes_program,
            rewriting=rewriting,
        )


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program of one or several files, how it is run, and what is known about it.

    ``Program.from_source(language="python", source="def f(n):\\n    return n\\n", call="f(81)")`` has one file.

    Raises:
        ValueError: the fact ``fault`` names a file that the program does not have, or has texts for some of its lines.
    """

    language: str
    files: Mapping[str, str]  #: the text of each file, by its path relative to the program's folder
    entry: str  #: the file that is run
    call: str = ""  #: the entry call as an expression, ``f(81)``; where it is empty the entry is run as a script
    facts: Facts = NO_FACTS
    origin: str = ""
    licence: str = ""
    repository: str = ""  #: where it was found; programs of one repository resemble each other
    #: models that wrote a part of it, on which its facts rest: ``(("driver", "openai:x"),)``
    written_by: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if (fault := self.facts.get("fault")) is not None:
            if len(fault.spans) not in (0, 1 + len(fault.also)):
                raise ValueError("the fault has one text for each of its lines, or none: see Fault.spans")
            if fault.file not in self.files:
                object.__setattr__(self, "facts", self.facts.replace(fault=self._locate_fault()))

    def _locate_fault(self) -> Fault:
        """The fault with the name of its file. The file is fixed here, because a view has another entry."""
        fault: Fault = self.facts.fault
        if file := fault.file:
            known = ", ".join(map(repr, self.files))
            raise ValueError(f"the fault is in the file {file!r}, which the program does not have: it has {known}")
        return fault._replace(file=self.entry)

    @classmethod
    def from_source(
        cls,
        *,
        language: str,
        source: str,
        call: str = "",
        facts: Facts = NO_FACTS,
        origin: str = "",
        licence: str = "",
        entry: str = MAIN,
    ) -> Program:
        """A program of one file."""
        return cls(
            language=language,
            files={entry: source},
            entry=entry,
            call=call,
            facts=facts,
            origin=origin,
            licence=licence,
        )

    @property
    def source(self) -> str:
        """The text of the entry."""
        return self.files[self.entry]

    @property
    def function(self) -> str:
        """The called function as the call writes it: ``f``, ``Problem.f``; empty for a script."""
        return self.call.partition("(")[0]

    @property
    def shown_order(self) -> list[str]:
        """The paths of its files in the order in which they are shown: by name, the entry last."""
        return sorted(self.files, key=lambda file: (file == self.entry, file))

    @property
    def text(self) -> str:
        """The program as one text. If there are several files, each stands below its path, the entry last."""
        if len(self.files) == 1:
            return self.source
        blocks = (f"=== {file} ===\n{self.files[file].strip(chr(10))}" for file in self.shown_order)
        return "\n\n".join(blocks) + "\n"

    @property
    def sha(self) -> str:
        """Digest of language, text and call, without the facts."""
        if len(self.files) == 1:
            return digest(self.language, self.source, self.call)
        return digest(self.language, dict(self.files), self.entry, self.call)

    def replace_source(self, source: str, call: str | None = None, facts: Facts | None = None) -> Program:
        """The program with another text of its entry, at a tenth of the cost of ``dataclasses.replace``."""
        changed = object.__new__(Program)
        fields = changed.__dict__
        fields.update(self.__dict__)
        fields["files"] = {self.entry: source} if len(self.files) == 1 else {**self.files, self.entry: source}
        if call is not None:
            fields["call"] = call
        if facts is not None:
            fields["facts"] = facts
            changed.__post_init__()
        return changed

    def view(self, file: str) -> Program:
        """The program as a perturbation sees one of its files: that file is the view's entry.

        Only the view of the entry has the call, because its names mean something else in other files.
        """
        return self if file == self.entry else replace(self, entry=file, call="")

    def accept_view(self, view: Program) -> Program:
        """The program after one of its views was changed."""
        if view.entry == self.entry:
            return view
        return replace(view, entry=self.entry, call=self.call)


class Spec(NamedTuple):
    """One question by name, before anything is built: what collection handles by the 100,000."""

    language: str
    program: str  #: the program's name in its source
    axes: tuple[tuple[str, AxisValue], ...]  #: the suite's matrix, in its order

    @property
    def id(self) -> str:
        """``python/0007[digits:2,prompting:cot]``: readable, stable, without paths."""
        return f"{self.language}/{self.program}[{self.cell}]" if self.axes else f"{self.language}/{self.program}"

    @property
    def cell(self) -> str:
        """The part of the id within the brackets."""
        return ",".join([f"{name}:{value}" for name, value in self.axes])


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Functions that have nothing to do with the question, and where the program stands among them."""

    distractors: tuple[str, ...]  #: their source, in the order in which they are shown
    place: int  #: how many of them stand before the program

    def blocks(self, program: str) -> list[str]:
        """All shown functions, with the program in its place."""
        return [*self.distractors[: self.place], program, *self.distractors[self.place :]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The shown code line by line, with a label before each line: ``3f2a1c def f(n):``."""

    lines: tuple[str, ...]  #: without their labels
    labels: tuple[str, ...]  #: one for each line
    start: int  #: the program is ``lines[start:end]``
    end: int

    @property
    def text(self) -> str:
        """The lines behind their labels."""
        return "\n".join([f"{label} {line}".rstrip() for label, line in zip(self.labels, self.lines, strict=True)])

    @property
    def program_labels(self) -> tuple[str, ...]:
        """The labels of the program's own lines."""
        return self.labels[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a literal, and whether arithmetic was needed to get it."""

    value: Any
    unresolved: bool = False  #: ``81 - 43`` instead of ``38``
