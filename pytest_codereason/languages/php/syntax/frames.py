"""The results of a walk over a PHP program: the variables of each function, and facts that make names unsafe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_codereason.core.language.structure import Use
from pytest_codereason.languages.frame.scopes import Scope


@dataclass(eq=False, slots=True)
class PHPFrame:
    """The variables of one function, or of the program outside functions."""

    scope: Scope
    parent: PHPFrame | None = None
    arrow: bool = False  #: whether it sees the variables around it
    function: str = ""  #: the key of the function it belongs to
    parameters: dict[str, str] = field(default_factory=dict)  #: a reason against renaming, or none, for each
    captured: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    mentions: list[tuple[str, Use]] = field(default_factory=list)
    compacted: set[str] = field(default_factory=set)
    dynamic: str = ""

    def home(self, name: str) -> PHPFrame:
        """The frame that owns the variable ``name`` in this place."""
        frame: PHPFrame = self
        while frame.parent is not None:
            if name in frame.globals:
                return frame.outermost()
            if name in frame.captured or (frame.arrow and name not in frame.parameters):
                frame = frame.parent
            else:
                break
        return frame

    def outermost(self) -> PHPFrame:
        """The frame of the program's globals."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame


@dataclass(eq=False, slots=True)
class Evidence:
    """The facts that decide, at the end of the walk, which names are unsafe."""

    named: set[str] = field(default_factory=set)  #: names of arguments given to no function known here
    arguments: set[str] = field(default_factory=set)  #: names of all named arguments
    strings: set[str] = field(default_factory=set)  #: what plain strings say
    called: set[str] = field(default_factory=set)  #: every name that is no variable's, lower case
    qualified: set[str] = field(default_factory=set)  #: last parts of qualified names, lower case
    asked: set[str] = field(default_factory=set)  #: classes whose name is asked for by ``::class``
    ancestors: dict[str, set[str]] = field(default_factory=dict)  #: of each class, lower case
    told: set[str] = field(default_factory=set)  #: keys of functions that ask for their own name
    namespaces: int = 0
    spreads: bool = False
    calls_values: bool = False  #: whether anything is called that is not written out
    includes: bool = False
    evaluates: bool = False
    all_globals: bool = False

    @property
    def reflects(self) -> bool:
        """Whether the program inspects itself."""
        return any(name.startswith("reflection") for name in self.called | self.qualified)


class Gathered(NamedTuple):
    """The results of the walk."""

    root: Scope  #: functions (``f:name``), classes and imports (``c:name``), and the globals, once they are resolved
    frames: list[PHPFrame]
    references: list[tuple[str, Use]]  #: by key; with a backslash before it where the name is fully qualified
    passed: list[tuple[str, str, Use]]  #: named arguments, with the key of the function they are given to
    facts: Evidence
