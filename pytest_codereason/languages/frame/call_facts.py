"""Collects what a program shows of its calls, while a language walks through its files."""

from __future__ import annotations

from pytest_codereason.core.language.calls import (
    CallFacts,
    CallSite,
    ClassFacts,
    FunctionFacts,
    MemberBinding,
    NameBinding,
)
from pytest_codereason.core.language.expressions import Argument, Expression, Items


class Collector:
    """The facts of the files that were read so far."""

    def __init__(self) -> None:
        self.sites: list[CallSite] = []
        self.names: list[NameBinding] = []
        self.members: list[MemberBinding] = []
        self.functions: list[FunctionFacts] = []
        self.classes: list[ClassFacts] = []
        self.scopes: dict[str, str] = {}

    def bind(self, owner: str, name: str, value: Expression, scope: str = "", *, fallback: bool = False) -> None:
        """Gives a variable a value. Names in the value are looked up in ``scope``, else where the variable is."""
        self.names.append(NameBinding(owner, name, value, scope or owner, fallback))

    def bind_member(self, of: Expression, name: str, value: Expression, scope: str) -> None:
        """Gives a member a value."""
        self.members.append(MemberBinding(of, name, value, scope))

    def make_items(self, name: str, members: list[tuple[str, Expression]], scope: str) -> Items:
        """A collection of these members; ``name`` is its own."""
        items = Items(name)
        for key, value in members:
            self.bind_member(items, key, value, scope)
        return items

    def finish(
        self,
        *,
        constructors: tuple[str, ...],
        calling: str = "",
        keepers: frozenset[str] = frozenset(),
        forwarders: frozenset[str] = frozenset(),
        open_classes: bool = False,
    ) -> CallFacts:
        """All facts, with what is true of the language."""
        return CallFacts(
            sites=tuple(self.sites),
            names=tuple(self.names),
            members=tuple(self.members),
            functions=tuple(self.functions),
            classes=tuple(self.classes),
            scopes=self.scopes,
            constructors=constructors,
            calling=calling,
            keepers=keepers,
            forwarders=forwarders,
            open_classes=open_classes,
        )


def pass_values(*values: Expression) -> tuple[Argument, ...]:
    """The arguments of a call that names no parameters."""
    return tuple(Argument(value) for value in values)
