"""Resolves names in scopes: the part that all languages share.

A language walks its tree once. It opens a :class:`Scope` where a scope begins, and calls :meth:`Scope.declare` or
:meth:`Scope.refer` for each name. By its choice of the scope, the language follows its own rules (hoisting,
``global``, class scopes that inner functions do not see). Then :func:`bindings` resolves every reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from pytest_codereason.core.language.structure import Binding, BindingKind, Use

#: ``in_call`` and ``span`` of a :class:`Use`.
_PLACE = itemgetter(2, 0)


@dataclass(eq=False, slots=True)
class ScopedName:
    """A name declared in one scope."""

    name: str
    kind: BindingKind
    uses: list[Use] = field(default_factory=list)
    unsafe: str = ""

    def taint(self, reason: str) -> None:
        """Marks the name as unsafe to rename. The first reason stays."""
        self.unsafe = self.unsafe or reason


@dataclass(eq=False, slots=True)
class Scope:
    """A region where names are declared. ``function`` is the qualified name of the function around it."""

    function: str
    parent: Scope | None = None
    #: whether scopes inside look names up here; not so in a Python class
    transparent: bool = True
    names: dict[str, ScopedName] = field(default_factory=dict)
    references: list[tuple[str, Use]] = field(default_factory=list)
    children: list[Scope] = field(default_factory=list)
    #: the scopes in which names are looked up that this scope cannot declare: those of ``global`` and ``nonlocal``
    elsewhere: dict[str, Scope] = field(default_factory=dict)
    #: why names visible from here cannot be renamed: ``eval``, ``with``, ``locals()`` ...
    dynamic: str = ""

    def open(self, function: str | None = None, *, transparent: bool = True) -> Scope:
        """A scope inside this one."""
        inner = Scope(self.function if function is None else function, self, transparent)
        self.children.append(inner)
        return inner

    def declare(self, name: str, kind: BindingKind, use: Use | None = None) -> ScopedName:
        """Declares a name here. If the name is declared already, adds a use."""
        entry = self.names.get(name)
        if entry is None:
            entry = self.names[name] = ScopedName(name, kind)
        if use is not None:
            entry.uses.append(use)
        return entry

    def refer(self, name: str, use: Use) -> None:
        """Adds a use of a name that is declared here or in an outer scope, perhaps later in the source."""
        self.references.append((name, use))

    def lookup(self, name: str) -> ScopedName | None:
        """The declaration that ``name`` means here."""
        scope: Scope | None = self
        while scope is not None:
            if scope.transparent or scope is self:
                if name in scope.names:
                    return scope.names[name]
                if name in scope.elsewhere:
                    return scope.elsewhere[name].lookup(name)
            scope = scope.parent
        return None

    def all(self) -> Iterator[Scope]:
        """This scope and all inside."""
        stack = [self]
        while stack:
            scope = stack.pop()
            yield scope
            stack.extend(scope.children)

    def visible(self) -> Iterator[ScopedName]:
        """Every name that is declared here or in an outer scope."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names.values()
            scope = scope.parent


def resolve_bindings(root: Scope) -> tuple[tuple[Binding, ...], frozenset[str]]:
    """Every binding under ``root``, ordered by first use, and the names that nothing declares.

    Afterwards no scope knows what is around it.
    """
    free = set()
    scopes = [*root.all()]
    for scope in scopes:
        for name, use in scope.references:
            if declaration := scope.lookup(name):
                declaration.uses.append(use)
            else:
                free.add(name)
        if scope.dynamic:
            for visible in scope.visible():
                visible.taint(scope.dynamic)
    declared = [
        Binding(name.name, name.kind, scope.function, tuple(sorted(set(name.uses), key=_PLACE)), name.unsafe)
        for scope in scopes
        for name in scope.names.values()
        if name.uses
    ]
    for scope in scopes:
        scope.parent = None  # what refers to itself stays in memory until Python looks for such circles
    return tuple(sorted(declared, key=lambda binding: _PLACE(binding.uses[0]))), frozenset(free)
