"""Sorts edges by what a reader has to follow to find them.

    area()          # direct
    shape.area()    # method, or dispatch if several classes of the program have the method
    f()             # callback if f is a parameter, alias if it is a variable that holds a function

The kind of an edge is that of the easiest call site of the caller that leads to the callee, in the order of
:data:`KINDS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.calls import IMPLICIT, CallSite, FunctionFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    ClassValue,
    Expression,
    FileValue,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
    SuperValue,
    Variable,
)
from pytest_codereason.languages.call_graphs.resolving import Resolution, find_named_callers, read_last, read_word

#: From the easiest on.
Kind = Literal[
    "constructor",  #: the callee is a constructor, or a function after ``new``
    "direct",  #: a name that is the callee's own: ``f()``, ``shop.f()``, ``A.static_method()`` of a file or class
    "closure",  #: a callee that is written within a function, by its name or as what a call gave
    "method",  #: ``a.f()``, where one method alone among the classes that are related has the name
    "alias",  #: a name, field or item that is not called like the callee and holds it
    "dispatch",  #: ``a.f()``, where classes override each other's method, or nothing tells the class of ``a``
    "callback",  #: the callee was passed: a parameter is called, or a library calls it
    "implicit",  #: no call is written: an operator, a property, a loop, ``with``, a decorator, text from an object
    "unknown",  #: the text does not show which of these it is
]
KINDS: tuple[Kind, ...] = get_args(Kind)


class EdgeKind(NamedTuple):
    """The kind of an edge, with the call site that shows it."""

    kind: Kind
    site: CallSite | None = None


def sort_edges(resolution: Resolution, edges: Edges) -> dict[tuple[str, str], EdgeKind]:
    """The kind of each edge, by caller and callee."""
    sorter = _Sorter(resolution)
    return {(caller, callee): sorter.sort(caller, callee) for caller, callees in edges.items() for callee in callees}


@dataclass
class _Sorter:
    resolution: Resolution

    @cached_property
    def _sites(self) -> Mapping[str, list[tuple[int, CallSite]]]:
        """The sites of each caller, those of the lambdas that it may run among them."""
        behind = find_named_callers(self.resolution)
        sites: dict[str, list[tuple[int, CallSite]]] = defaultdict(list)
        for i, site in enumerate(self.resolution.facts.sites):
            for caller in behind.get(site.caller, {site.caller}):
                sites[caller].append((i, site))
        return sites

    @cached_property
    def _passed(self) -> frozenset[str]:
        """The functions that are passed on, kept or returned as values."""
        evaluator, facts = self.resolution.evaluator, self.resolution.facts
        values = [evaluator.evaluate(a.value, site.scope) for site in facts.sites for a in site.arguments]
        values += [evaluator.evaluate(m.value, m.scope) for m in facts.members if not isinstance(m.of, ClassValue)]
        values += [evaluator.list_results(function) for function in facts.functions]
        return frozenset(value.name for group in values for value in group if isinstance(value, FunctionValue))

    @cached_property
    def _wrapped(self) -> frozenset[str]:
        """The functions that a lambda calls."""
        functions, sites = self.resolution.evaluator.functions, self.resolution.facts.sites
        lambdas = {name for name, function in functions.items() if function.transparent}
        targets = zip(sites, self.resolution.targets, strict=True)
        return frozenset(name for site, entered in targets if site.caller in lambdas for name in entered)

    @cached_property
    def _bound(self) -> frozenset[tuple[str, str]]:
        """The variables that get a value other than by a call."""
        names = self.resolution.facts.names
        return frozenset((binding.owner, binding.name) for binding in names if not binding.fallback)

    def sort(self, caller: str, callee: str) -> EdgeKind:
        """The kind of one edge."""
        function = self.resolution.evaluator.functions.get(callee)
        if function is None:
            return EdgeKind("unknown")
        kinds: list[EdgeKind] = []
        for i, site in self._sites.get(caller, ()):
            entered = callee in self.resolution.targets[i]
            if entered or callee in self.resolution.callbacks[i]:
                own = site.caller == caller or self._is_inside(site.caller, caller)
                kind = self._sort_site(i, site, function) if entered and own else "callback"
                kinds.append(EdgeKind(kind, site))
            elif site.form in ("method", "name") and function.owner and read_word(site.text) == read_last(callee):
                kinds.append(EdgeKind("dispatch", site))
        if kinds:
            return min(kinds, key=lambda found: KINDS.index(found.kind))
        return EdgeKind(self._sort_unseen(function))

    def _is_inside(self, name: str, function: str) -> bool:
        """Whether a lambda is written within a function."""
        while name and name != function:
            facts = self.resolution.evaluator.functions.get(name)
            name = facts.scope if facts is not None and facts.transparent else ""
        return bool(name)

    def _sort_unseen(self, function: FunctionFacts) -> Kind:
        """The kind of an edge that no call site leads to."""
        if function.constructor:
            return "constructor"
        if function.special or function.getter:
            return "implicit"
        if function.name in self._passed | self._wrapped or self._extends_library(function.owner):
            return "callback"
        return "unknown"

    def _extends_library(self, owner: str) -> bool:
        """Whether a class stands below one of a library, which may call its methods."""
        facts = self.resolution.evaluator.classes.get(owner)
        evaluate = self.resolution.evaluator.evaluate
        return facts is not None and any(
            not any(
                value.name in self.resolution.evaluator.classes for value in values if isinstance(value, ClassValue)
            )
            for base in facts.bases
            for values in [evaluate(base, facts.scope)]
        )

    def _sort_site(self, i: int, site: CallSite, function: FunctionFacts) -> Kind:
        """The kind of a call at a site that enters the function."""
        if function.constructor or site.form == "constructor":
            return "constructor"
        if site.form in IMPLICIT:
            return "implicit"
        return self._sort_callee(i, site.callee, site.scope, function)

    def _sort_callee(self, i: int, callee: Expression, scope: str, function: FunctionFacts) -> Kind:
        own = read_last(function.name)
        match callee:
            case Variable(name=name) if self._is_parameter(name, scope):
                return "callback"
            case Variable(name=name) if name.removesuffix("()") == own and not (function.owner and function.receiver):
                return self._sort_named(function)
            case Variable(name=name) if name.removesuffix("()") == own:
                return self._sort_method(i, function)
            case Member(of=SuperValue()):
                return "method"
            case Member(of=of, name=name) if name.removesuffix("()") == own:
                values = self.resolution.evaluator.evaluate(of, scope)
                if any(isinstance(value, FileValue) for value in values):
                    return self._sort_named(function)
                if any(isinstance(value, ClassValue | Items) for value in values) and not function.receiver:
                    return "direct" if not self._is_nested(function) else "closure"
                return self._sort_method(i, function)
            case Member(of=of, name=name) if {name, ANY} & self.resolution.facts.forwarders and FunctionValue(
                function.name
            ) in self.resolution.evaluator.evaluate(of, scope):
                return self._sort_callee(i, of, scope, function)
            case Member(name=name) if self._holds_parameter(name):
                return "callback"
            case FunctionValue():
                return self._sort_named(function)
            case _:
                return "closure" if self._is_nested(function) else "alias"

    def _sort_named(self, function: FunctionFacts) -> Kind:
        return "closure" if self._is_nested(function) else "direct"

    def _is_nested(self, function: FunctionFacts) -> bool:
        """Whether a function is written within another one, and not as the method of a class."""
        return function.scope in self.resolution.evaluator.functions and not function.owner

    def _is_parameter(self, name: str, scope: str) -> bool:
        functions = self.resolution.evaluator.functions
        while scope:
            function = functions.get(scope)
            if function is not None and any(parameter.name == name for parameter in function.parameters):
                return True
            if (scope, name) in self._bound:
                return False
            scope = self.resolution.facts.scopes.get(scope, "")
        return False

    def _holds_parameter(self, name: str) -> bool:
        """Whether a field of that name is given a parameter anywhere."""
        return any(
            member.name == name
            and isinstance(member.value, Variable)
            and self._is_parameter(member.value.name, member.scope)
            for member in self.resolution.facts.members
        )

    def _sort_method(self, i: int, function: FunctionFacts) -> Kind:
        if i in self.resolution.guesses:
            return "dispatch"
        evaluator = self.resolution.evaluator
        key = next((member.name for member in self._list_own(function)), read_last(function.name))
        related = {*evaluator.list_ancestors(function.owner), *evaluator.list_descendants(function.owner)}
        others = [cls for cls in related - {function.owner} if evaluator.list_own_functions(cls, key)]
        return "dispatch" if others else "method"

    def _list_own(self, function: FunctionFacts) -> list[Member]:
        """The member that a method is."""
        return [
            Member(ObjectValue(function.owner), member.name)
            for member in self.resolution.facts.members
            if member.value == FunctionValue(function.name)
        ]
