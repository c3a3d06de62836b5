"""Resolves the calls of a program by its text alone, as a simple static tool does.

    >>> [*resolve_calls(facts).edges.items()]
    [("main", ["main.apply", "main.report"]), ...]

The rules, in this order:

1. A name is what any statement of the program gives it: a definition, an import, an assignment, an argument of a call
   that was resolved. A written type stands for an object of its class.
2. A member of an object is that of its class, else of the nearest class above. Where that has no body, or there is
   none, it is any of the classes below.
3. Overloads are chosen by the number of arguments, then by the types that the text shows.
4. A function that is passed to a library is called there, unless the library is known to keep it (``append``).
5. If nothing is known of a receiver, and one method alone in the program has the name, the call is of this method.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.calls import CallFacts, CallSite, FunctionFacts, ParameterFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    Argument,
    ClassValue,
    Expression,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
    OtherValue,
    SuperValue,
    Variable,
)
from pytest_codereason.languages.call_graphs.evaluation import NOTHING, Evaluator, Values

#: What one call passes to another call is known one round later.
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Resolution:
    """The calls of a program, resolved."""

    facts: CallFacts
    evaluator: Evaluator
    targets: Sequence[frozenset[str]]  #: of each site the functions that it may enter
    guesses: frozenset[int]  #: the sites that rule 5 resolved
    callbacks: Sequence[frozenset[str]]  #: of each site the functions that a library calls for it (rule 4)

    @property
    def edges(self) -> Edges:
        """The call graph. What a transparent function calls is called by its callers, else by who wrote it."""
        return _leave_out(_list_edges(self), self.evaluator.functions)


def resolve_calls(facts: CallFacts) -> Resolution:
    """Resolves every call site of a program."""
    return _Resolver(facts).resolve()


class _Resolver:
    def __init__(self, facts: CallFacts) -> None:
        self._facts = facts
        self._evaluator = Evaluator(facts)
        self._methods: dict[str, list[FunctionFacts]] = defaultdict(list)
        for function in facts.functions:
            if function.owner and not function.constructor and not function.bodiless:
                self._methods[read_last(function.name)].append(function)
        self._changed = False

    def resolve(self) -> Resolution:
        resolution = self._go_round()
        for _ in range(_ROUNDS - 1):
            if not self._changed:
                break
            further = self._go_round()
            if self._evaluator.exhausted:
                break  # a round that is cut off knows less than the one before
            resolution = further
        return resolution

    def _go_round(self) -> Resolution:
        """Resolves every site by what the rounds before have passed to functions."""
        self._changed = False
        self._evaluator.begin_round()
        guesses: set[int] = set()
        targets, callbacks = [], []
        for i, site in enumerate(self._facts.sites):
            values = self._find(site.callee, site.scope)
            entered = self._enter(site, values)
            own = any(isinstance(value, FunctionValue | ClassValue | ObjectValue) for value in values)
            called_back = frozenset[str]() if own else self._call_back(site)
            if not values and not called_back:
                entered = self._guess(site)
                guesses |= {i} if entered else set()
            targets.append(entered)
            callbacks.append(called_back)
        return Resolution(self._facts, self._evaluator, targets, frozenset(guesses), callbacks)

    def _find(self, callee: Expression, scope: str) -> Values:
        if isinstance(callee, Member):
            return self._evaluator.find_members(callee, scope)
        return self._evaluator.evaluate(callee, scope)

    def _enter(self, site: CallSite, values: Values) -> frozenset[str]:
        """The functions that a call of one of these values enters."""
        functions = self._evaluator.list_functions(values)
        if site.form == "property":
            functions = [function for function in functions if function.getter]
            values = NOTHING
        entered = self._choose(functions, site)
        names = {function.name for function in entered}
        for function in entered:
            self._pass_arguments(site, function)
            if isinstance(site.callee, Member):
                self._pass_receiver(site, function, site.callee)
            if site.form == "constructor" and not function.constructor:
                self._give(function, frozenset((ObjectValue(function.name),)))
        for value in sorted(values, key=repr):
            if isinstance(value, ClassValue):
                names |= self._construct(site, value.name)
            elif isinstance(value, ObjectValue) and self._facts.calling:
                callings = self._evaluator.find_members(Member(value, self._facts.calling), site.scope)
                for function in self._evaluator.list_functions(callings):
                    names.add(function.name)
                    self._pass_arguments(site, function)
                    self._give(function, frozenset((value,)))
        return frozenset(names)

    def _construct(self, site: CallSite, cls: str) -> set[str]:
        """The constructors that are entered when an object of a class is made."""
        names: set[str] = set()
        for constructor in self._facts.constructors:
            for ancestor in self._evaluator.list_ancestors(cls):
                if written := self._evaluator.list_own_functions(ancestor, constructor):
                    for function in self._choose(written, site):
                        names.add(function.name)
                        self._pass_arguments(site, function)
                        self._give(function, frozenset((ObjectValue(cls),)))
                    break
                known = self._evaluator.classes.get(ancestor)
                if known is not None and known.initialiser:
                    names.add(known.initialiser)
        if not names and (known := self._evaluator.classes.get(cls)) is not None:
            for i, argument in enumerate(site.arguments):
                field = argument.name or (known.fields[i] if i < len(known.fields) else "")
                self._changed |= self._evaluator.give_field(cls, field, self._evaluate(argument, site))
        return names

    def _call_back(self, site: CallSite) -> frozenset[str]:
        """Rule 4: the functions that a library calls for this site."""
        if site.form not in ("name", "method", "constructor", "expression"):
            return frozenset()
        arguments = [argument.value for argument in site.arguments]
        given = self._evaluator.list_given(site.callee, arguments, site.scope)
        passed = [value for argument in site.arguments for value in self._evaluate(argument, site)]
        functions = self._evaluator.list_functions(frozenset(passed))
        called = {FunctionValue(function.name) for function in functions}
        items = frozenset(value for value in given if not isinstance(value, OtherValue)) - called
        for function in functions:
            for parameter in function.parameters:
                self._changed |= self._pass(function, parameter, items)
        keeps = read_word(site.text) in self._facts.keepers
        if isinstance(site.callee, Member):  # ``callbacks.append(f)``
            for value in self._evaluator.evaluate(site.callee.of, site.scope):
                if isinstance(value, Items):
                    kept = frozenset(v for v in passed if not isinstance(v, OtherValue) and (keeps or v not in called))
                    self._changed |= self._evaluator.give_field(value.name, ANY, kept)
        return frozenset() if keeps else frozenset(function.name for function in functions)

    def _guess(self, site: CallSite) -> frozenset[str]:
        """Rule 5: the one method of this name."""
        callee = site.callee
        if site.form != "method" or not isinstance(callee, Member) or isinstance(callee.of, SuperValue):
            return frozenset()
        named = self._methods.get(callee.name.removesuffix("()"), [])
        if len({function.name for function in named}) != 1 or self._evaluator.evaluate(callee.of, site.scope):
            return frozenset()
        self._pass_arguments(site, named[0])
        return frozenset((named[0].name,))

    def _choose(self, functions: list[FunctionFacts], site: CallSite) -> list[FunctionFacts]:
        """Rule 3: of several methods of one class and name those that fit the arguments best."""
        overloads: dict[tuple[str, str], list[FunctionFacts]] = defaultdict(list)
        for function in functions:
            overloads[function.owner, read_last(function.name)].append(function)
        chosen = []
        for group in overloads.values():
            fitting = [f for f in group if _takes(f, len(site.arguments))] if len(group) > 1 else group
            ratings = {f.name: self._rate(f, site) for f in fitting or group}
            chosen += [f for f in fitting or group if ratings[f.name] == max(ratings.values())]
        return chosen

    def _rate(self, function: FunctionFacts, site: CallSite) -> int:
        """How well the types of arguments fit those of the parameters."""
        rating = 0
        for argument, parameter in zip(site.arguments, function.parameters, strict=False):
            for value in self._evaluate(argument, site):
                if isinstance(value, ObjectValue | OtherValue) and value.type:
                    above = [*self._evaluator.list_ancestors(value.type)]
                    rating += 3 if value.type == parameter.type else 2 if parameter.type in above else -2
        return rating - (1 if any(parameter.rest for parameter in function.parameters) else 0)

    def _pass_arguments(self, site: CallSite, function: FunctionFacts) -> None:
        parameters = function.parameters
        named = {parameter.name: parameter for parameter in parameters}
        for i, argument in enumerate(site.arguments):
            values = self._evaluate(argument, site)
            by_place = parameters[i : i + 1] or tuple(p for p in parameters if p.rest)
            for parameter in filter(None, [named.get(argument.name)] if argument.name else by_place):
                self._changed |= self._pass(function, parameter, values)

    def _pass(self, function: FunctionFacts, parameter: ParameterFacts, values: Values) -> bool:
        if parameter.closed:
            values = frozenset(value for value in values if isinstance(value, FunctionValue))
        if parameter.rest:
            rest = Items(f"{function.name}/{parameter.name}")
            changed = self._evaluator.give_field(rest.name, ANY, values)
            return self._evaluator.pass_value(function.name, parameter.name, frozenset((rest,))) or changed
        return bool(values) and self._evaluator.pass_value(function.name, parameter.name, values)

    def _pass_receiver(self, site: CallSite, function: FunctionFacts, callee: Member) -> None:
        if isinstance(callee.of, SuperValue):
            around = self._find_method(site.scope)
            values = self._evaluator.evaluate(Variable(around.receiver), around.name) if around else NOTHING
        else:
            values = self._evaluator.evaluate(callee.of, site.scope)
            target = FunctionValue(function.name)
            values = frozenset(
                value
                for value in values
                if isinstance(value, ObjectValue | ClassValue | Items)
                and target in self._evaluator.find_members(Member(value, callee.name), site.scope)
            )
        self._give(function, values)

    def _find_method(self, scope: str) -> FunctionFacts | None:
        """The innermost method around a place."""
        while scope:
            function = self._evaluator.functions.get(scope)
            if function is not None and function.receiver:
                return function
            scope = self._facts.scopes.get(scope, "")
        return None

    def _give(self, function: FunctionFacts, receivers: Values) -> None:
        """Says what a method is called on."""
        if function.of_class or function.name.endswith("__new__"):
            receivers = frozenset(ClassValue(v.type) if isinstance(v, ObjectValue) else v for v in receivers)
        if function.receiver and receivers:
            self._changed |= self._evaluator.pass_value(function.name, function.receiver, receivers)

    def _evaluate(self, argument: Argument, site: CallSite) -> Values:
        return self._evaluator.evaluate(argument.value, site.scope)


def read_last(name: str) -> str:
    """The last word of a qualified name, without the types of parameters: ``area`` for ``shop.Square:area(int)``."""
    return re.split(r"[.:]", name.partition("(")[0])[-1]


def read_word(text: str) -> str:
    """The last word of a callee as it is written: ``area`` for ``make(shape).area``."""
    return text.rpartition(".")[2].rpartition("::")[2]


def _takes(function: FunctionFacts, count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    least = sum(not parameter.rest for parameter in function.parameters)
    return count == least or (count > least < len(function.parameters))


def find_named_callers(resolution: Resolution) -> dict[str, set[str]]:
    """Of each function that edges leave out the functions with a name that may run it, and the one that wrote it."""
    edges = _list_edges(resolution)
    transparent = [name for name, facts in resolution.evaluator.functions.items() if facts.transparent]
    functions = resolution.evaluator.functions
    return {
        name: _find_named(name, edges, functions) | _find_named(functions[name].scope, {}, functions)
        for name in transparent
    }


def _list_edges(resolution: Resolution) -> dict[str, set[str]]:
    edges: dict[str, set[str]] = defaultdict(set)
    for i, site in enumerate(resolution.facts.sites):
        edges[site.caller] |= resolution.targets[i] | resolution.callbacks[i]
    return edges


def _find_named(name: str, edges: Mapping[str, set[str]], functions: Mapping[str, FunctionFacts]) -> set[str]:
    """The functions with a name that call a function, by way of others without one; else the one that wrote it."""
    named, waiting, seen = set(), [name], {name}
    while waiting:
        inner = waiting.pop()
        facts = functions.get(inner)
        if facts is None or not facts.transparent:
            named.add(inner)
            continue
        above = {caller for caller, callees in edges.items() if inner in callees} or {facts.scope}
        waiting += [*(above - seen)]
        seen |= above
    return named


def _leave_out(edges: Mapping[str, set[str]], functions: Mapping[str, FunctionFacts]) -> dict[str, list[str]]:
    """The edges between functions that have names of their own in a trace."""
    plain: dict[str, set[str]] = defaultdict(set)
    for caller, callees in edges.items():
        own = {callee for callee in callees if not functions[callee].transparent}
        for name in _find_named(caller, edges, functions) if own else ():
            plain[name] |= own
    return {caller: sorted(plain[caller]) for caller in sorted(plain)}
