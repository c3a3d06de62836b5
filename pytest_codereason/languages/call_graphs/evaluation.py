"""Works out what the expressions of a program may be worth, without running anything.

    shape = Square()
    shape.area()          # shape may be an object of Square, so this calls Square.area

A variable may hold whatever any statement gives it; the order of statements and conditions count for nothing. What a
call passes is known once the call is resolved, so :mod:`~pytest_codereason.languages.call_graphs.resolving` goes round
until nothing new turns up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pytest_codereason.core.language.calls import CallFacts, FunctionFacts, MemberBinding, NameBinding
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    CallResult,
    Choice,
    ClassValue,
    Expression,
    FileValue,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
    OtherValue,
    SuperValue,
    Variable,
)

Value: TypeAlias = FunctionValue | ClassValue | FileValue | ObjectValue | Items | OtherValue
Values: TypeAlias = frozenset[Value]
NOTHING: Values = frozenset()

#: Expressions nested deeper, and sets of values that are larger, are given up.
_DEEPEST, _MOST = 150, 60
#: Expressions that are worked out at most, so that a program of any size is resolved in seconds. Programs of 150 lines
#: need about 2,000.
_BUDGET = 20_000


class Evaluator:
    """The values of expressions, as far as the calls that were resolved so far tell."""

    def __init__(self, facts: CallFacts) -> None:
        self.facts = facts
        self.functions = {function.name: function for function in facts.functions}
        self.classes = {cls.name: cls for cls in facts.classes}
        self.files = frozenset(name for name, around in facts.scopes.items() if not around)
        self._passed: dict[tuple[str, str], set[Value]] = defaultdict(set)  # to a parameter
        self._given: dict[tuple[str, str], set[Value]] = defaultdict(set)  # to a field, by a constructor
        self._variables: dict[tuple[str, str], list[NameBinding]] = defaultdict(list)
        self._members: dict[tuple[str, str], list[MemberBinding]] = defaultdict(list)
        self._holders: dict[str, dict[str, None]] = defaultdict(dict)  # the names of the members of each holder
        self._known: dict[tuple[Expression, str], Values] = {}
        self._depth = 0
        self._left = _BUDGET
        for name in facts.names:
            self._variables[name.owner, name.name].append(name)
        self._parents: dict[str, list[str]] = {}
        self._children: dict[str, list[str]] = defaultdict(list)

    @property
    def exhausted(self) -> bool:
        """Whether nothing more is worked out, because the program is too large."""
        return self._left <= 0

    def begin_round(self) -> None:
        """Forgets what was worked out, and sees which objects have which members now."""
        self._known.clear()
        members: dict[tuple[str, str], list[MemberBinding]] = defaultdict(list)
        for member in self.facts.members:
            for value in self.evaluate(member.of, member.scope):
                if not isinstance(value, OtherValue):
                    members[_name_holder(value), member.name].append(member)
        self._known.clear()
        self._members = members
        self._holders = defaultdict(dict)
        for holder, name in members:
            self._holders[holder][name] = None
        self._parents = {
            cls.name: [
                _name_holder(value)
                for base in cls.bases
                for value in self.evaluate(base, cls.scope)
                if isinstance(value, ClassValue | FunctionValue)
            ]
            for cls in self.facts.classes
        }
        self._children = defaultdict(list)
        for name, parents in self._parents.items():
            for parent in parents:
                self._children[parent].append(name)
        self._known.clear()

    def pass_value(self, function: str, parameter: str, values: Values) -> bool:
        """Lets a parameter hold values; whether one of them is new."""
        return _add(self._passed[function, parameter], values)

    def give_field(self, cls: str, field: str, values: Values) -> bool:
        """Lets a field hold values; whether one of them is new."""
        return _add(self._given[cls, field], values)

    def list_ancestors(self, cls: str) -> Iterator[str]:
        """A class and those above it, the nearest first."""
        waiting, seen = [cls], {cls}
        while waiting:
            name = waiting.pop(0)
            yield name
            new = [parent for parent in self._parents.get(name, ()) if parent not in seen]
            seen.update(new)
            waiting += new

    def list_descendants(self, cls: str) -> Iterator[str]:
        """The classes below a class."""
        waiting, seen = [cls], {cls}
        while waiting:
            new = [child for child in self._children.get(waiting.pop(0), ()) if child not in seen]
            seen.update(new)
            waiting += new
            yield from new

    def evaluate(self, expression: Expression, scope: str) -> Values:
        """What an expression may be worth. Nothing means that nothing is known."""
        if isinstance(expression, FunctionValue | ClassValue | FileValue | ObjectValue | Items | OtherValue):
            return frozenset((expression,))
        key = expression, scope
        if key in self._known:
            return self._known[key]
        if self._depth > _DEEPEST or self.exhausted:
            return NOTHING
        self._left -= 1
        self._known[key] = NOTHING  # an expression that needs itself
        self._depth += 1
        values = self._evaluate(expression, scope)
        self._depth -= 1
        self._known[key] = values if len(values) <= _MOST else NOTHING
        return self._known[key]

    def _evaluate(self, expression: Expression, scope: str) -> Values:
        match expression:
            case Variable(name=name):
                return self._look_up(name, scope)
            case Member(name=name):
                return self._read_getters(self.find_members(expression, scope), name)
            case CallResult():
                return self._call(expression, scope)
            case Choice(options=options):
                return _join(self.evaluate(option, scope) for option in options)
            case _:
                return NOTHING

    def _read_getters(self, values: Values, name: str) -> Values:
        functions = [self.functions.get(v.name) for v in values if isinstance(v, FunctionValue)]
        if not any(function and function.getter and function.name.endswith(f".{name}") for function in functions):
            return values
        got = _join(self.list_results(f) for f in functions if f is not None and f.getter)
        return frozenset(v for v in values if not isinstance(v, FunctionValue)) | got

    def list_results(self, function: FunctionFacts) -> Values:
        """What a function may return."""
        return _join(self.evaluate(result, function.name) for result in function.results)

    def _look_up(self, name: str, scope: str) -> Values:
        around = scope
        while around:
            if (around, name) in self._variables or (around, name) in self._passed:
                return self._read_variable(around, name)
            if self.facts.open_classes and around in self.classes:
                values = self._find_in_class(around, name)
                if values:
                    return values
            for star in self._variables.get((around, ANY), ()):
                values = self.evaluate(Member(star.value, name), star.scope)
                if values:
                    return values
            if (function := self.functions.get(around)) and any(p.name == name for p in function.parameters):
                return NOTHING
            around = self.facts.scopes.get(around, "")
        return frozenset((OTHER,))

    def _read_variable(self, owner: str, name: str) -> Values:
        bindings = self._variables.get((owner, name), ())
        certain = _join(self.evaluate(b.value, b.scope) for b in bindings if not b.fallback)
        values = certain | self._passed.get((owner, name), NOTHING)
        if any(not isinstance(value, OtherValue) for value in values):
            return values - {OTHER}
        return values | _join(self.evaluate(b.value, b.scope) for b in bindings if b.fallback)

    def find_members(self, member: Member, scope: str) -> Values:
        """The values of a member; of a getter the function itself."""
        if isinstance(member.of, SuperValue):
            above = [*self.list_ancestors(member.of.type)][1:]
            return next((v for cls in above if (v := self._read_members(cls, member.name))), NOTHING)
        return _join(self._find_member(value, member.name) for value in self.evaluate(member.of, scope))

    def _find_member(self, value: Value, name: str) -> Values:
        match value:
            case ObjectValue(type=cls) | ClassValue(name=cls):
                return self._find_in_class(cls, name)
            case FileValue(name=file):
                return self._find_in_file(file, name)
            case Items():
                if name == ANY:
                    return _join(self._read_members(value.name, key) for key in self._holders.get(value.name, ()))
                values = self._read_members(value.name, name)
                if values or not (name.isdigit() or name.startswith("[")):
                    return values
                keys = self._holders.get(value.name, {})
                numbered = any(key.isdigit() for key in keys) or name.startswith("[")
                return self._read_members(value.name, ANY) if numbered or ANY in keys else self._find_member(value, ANY)
            case FunctionValue():
                return self._find_in_function(value, name)
            case _:
                return NOTHING

    def _find_in_class(self, cls: str, name: str) -> Values:
        for ancestor in self.list_ancestors(cls):
            values = self._read_members(ancestor, name)
            if values and not self._is_bodiless(values):
                return values
        declared = _join(self._read_members(ancestor, name) for ancestor in self.list_ancestors(cls))
        below = _join(self._read_members(child, name) for child in self.list_descendants(cls))
        return below or declared

    def _is_bodiless(self, values: Values) -> bool:
        return all(
            isinstance(v, FunctionValue) and (f := self.functions.get(v.name)) is not None and f.bodiless
            for v in values
        )

    def _find_in_file(self, file: str, name: str) -> Values:
        if (file, name) in self._variables:
            return self._read_variable(file, name)
        inner = f"{file}.{name}"
        if any(known == inner or known.startswith(f"{inner}.") for known in self.files):
            return frozenset((FileValue(inner),))
        values = self._read_members(file, name)
        return values or _join(
            self.evaluate(Member(star.value, name), star.scope) for star in self._variables.get((file, ANY), ())
        )

    def _find_in_function(self, function: FunctionValue, name: str) -> Values:
        if name == "prototype":
            return frozenset((ObjectValue(function.name),))
        values = self._read_members(function.name, name)
        if values:
            return values
        return frozenset((function,)) if {name, ANY} & self.facts.forwarders else NOTHING

    def _read_members(self, holder: str, name: str) -> Values:
        values = _join(self.evaluate(b.value, b.scope) for b in self._members.get((holder, name), ()))
        return values | self._given.get((holder, name), NOTHING)

    def list_own_functions(self, cls: str, name: str) -> list[FunctionFacts]:
        """The functions of that name which a class itself has."""
        return self.list_functions(self._read_members(cls, name))

    def list_functions(self, values: Values) -> list[FunctionFacts]:
        """The functions among values, in the order of their names."""
        names = sorted(value.name for value in values if isinstance(value, FunctionValue))
        return [self.functions[name] for name in names if name in self.functions]

    def _call(self, call: CallResult, scope: str) -> Values:
        results: set[Value] = set()
        own = False
        for value in self.evaluate(call.callee, scope):
            match value:
                case FunctionValue(name=name):
                    own = True
                    if call.new:
                        results.add(ObjectValue(name))
                    if name in self.functions:
                        results |= self.list_results(self.functions[name])
                case ClassValue(name=name):
                    own = True
                    results.add(ObjectValue(name))
                case ObjectValue() if self.facts.calling:
                    for inner in self._find_member(value, self.facts.calling):
                        if isinstance(inner, FunctionValue) and inner.name in self.functions:
                            own = True
                            results |= self.list_results(self.functions[inner.name])
        return frozenset(results) if own else self._call_library(call, scope)

    def _call_library(self, call: CallResult, scope: str) -> Values:
        """What a library gives may be what it was given, or an item of that; where it calls a method, no callback."""
        values = self.list_given(call.callee, [a.value for a in call.arguments if not a.name], scope)
        if isinstance(call.callee, Member) and OTHER not in self.evaluate(call.callee.of, scope):
            callbacks = _join(self.evaluate(argument.value, scope) for argument in call.arguments)
            values -= {value for value in callbacks if isinstance(value, FunctionValue)}
        return frozenset(value for value in values if not isinstance(value, OtherValue | FileValue))

    def list_given(self, callee: Expression, arguments: Iterable[Expression], scope: str) -> Values:
        """What a call lays before a library: the arguments, a collection whose method it is, and the items of all."""
        given = _join(self.evaluate(argument, scope) for argument in arguments)
        if isinstance(callee, Member):
            given |= frozenset(v for v in self.evaluate(callee.of, scope) if isinstance(v, Items))
        return given | _join(self._find_member(value, ANY) for value in given if isinstance(value, Items))


def _add(held: set[Value], values: Values) -> bool:
    before = len(held)
    held.update(values)
    return len(held) > before


def _join(sets: Iterable[Values]) -> Values:
    return frozenset[Value]().union(*sets)


def _name_holder(value: Value) -> str:
    return value.type if isinstance(value, ObjectValue | OtherValue) else value.name
