"""The facts about names that one pass over a Python program collects."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_codereason.core.language.structure import Span, Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName


@dataclass(eq=False, slots=True)
class Callee:
    """A function or lambda: how its parameters may be given by name."""

    scope: Scope
    name: ScopedName | None  #: where its own name is declared; ``None`` for a lambda or a method
    keywords: set[str] = field(default_factory=set)  #: parameters that a caller can name
    optional: set[str] = field(default_factory=set)  #: those with a default, or only ever given by name
    decorators: tuple[str, ...] = ()
    #: the called function where it is an argument: ``sorted`` of ``sorted(xs, key=lambda x: -x)``
    given_to: str = ""
    method: str = ""  #: its name, where it is a method


@dataclass(eq=False, slots=True)
class Call:
    """A call of a plain name, ``f(x, k=1, **more)``."""

    scope: Scope
    callee: str
    keywords: tuple[tuple[str, Use], ...]
    spread: bool  #: whether it holds ``**``


@dataclass(eq=False, slots=True)
class Names:
    """The facts that one pass over a program collects."""

    root: Scope
    classes: set[Scope] = field(default_factory=set)
    callees: list[Callee] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    called: set[tuple[bool, Span]] = field(default_factory=set)  #: uses of names that are called on the spot
    given: dict[tuple[bool, Span], str] = field(default_factory=dict)  #: uses that are arguments, and of what
    loose: set[str] = field(default_factory=set)  #: keywords of calls of anything but a plain name
    spread: bool = False  #: whether such a call holds ``**``
    attributes: set[str] = field(default_factory=set)
    declarations: dict[ScopedName, int] = field(default_factory=dict)
    rebound: list[tuple[Scope, str]] = field(default_factory=list)  #: through ``nonlocal``
    watched: list[tuple[Scope, str]] = field(default_factory=list)  #: uses of :data:`WATCHED`
    constant_evals: list[Scope] = field(default_factory=list)  #: where a constant is evaluated
    tainted: list[tuple[Scope, str, str]] = field(default_factory=list)  #: scope, name, reason
    annotations: list[tuple[Scope, str]] = field(default_factory=list)  #: those written as strings
    star: bool = False
    words: set[str] = field(default_factory=set)  #: every identifier
