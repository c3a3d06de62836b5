"""Finds the names that a PHP program declares, with their uses, and says which are safe to rename.

A binding's name has no ``$``, and its spans cover only the name. So one text fits ``$x``, ``"{$x}"``, ``"${x}"``,
``$GLOBALS['x']`` and ``f(x: 1)``. Functions, classes and imports belong to the whole program, and upper and lower case
are the same for them. A variable belongs to its function. Constants and members are left out.

Names in error messages and warnings do not count as a part of what a program does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pytest_codereason.core.language.structure import Binding, BindingKind
from pytest_codereason.languages.frame.scopes import ScopedName, resolve_bindings
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.frames import Evidence, Gathered
from pytest_codereason.languages.php.syntax.resolver import gather_names

_NAMED = re.compile(r"[\\\w\x80-\U0010ffff]+(?:::\w+)?")
_STACK = frozenset(
    {
        "debug_backtrace",
        "debug_print_backtrace",
        "gettrace",
        "gettraceasstring",
        "get_defined_functions",
        "get_declared_classes",
    }
)
_SHOWS_CLASSES = frozenset(
    {
        "var_dump",
        "print_r",
        "var_export",
        "serialize",
        "unserialize",
        "get_class",
        "get_parent_class",
        "get_called_class",
        "get_object_vars",
        "get_debug_type",
        "class_implements",
        "class_parents",
        "class_uses",
        "spl_autoload_register",
        "class_alias",
        "settype",
        "__class__",
        "__method__",
    }
)
_THROWN = re.compile(r"(exception|error|throwable)$")


def resolve(tree: Tree, call: Tree | None, owners: Mapping[int, str]) -> tuple[Binding, ...]:
    """Every binding of a program, with its uses in the entry call."""
    gathered = gather_names(tree, call, owners)
    _bind_variables(gathered)
    _bind_definitions(gathered)
    return resolve_bindings(gathered.root)[0]


def _bind_variables(gathered: Gathered) -> None:
    _pass(gathered)
    for frame in gathered.frames:
        for name, use in frame.mentions:
            home = frame.home(name)
            kind: BindingKind = "parameter" if name in home.parameters else "variable"
            variable = home.scope.declare("$" + name, kind, use)
            variable.name = name
            if reason := frame.dynamic or home.dynamic:
                variable.taint(reason)
    for frame in gathered.frames:
        for name in frame.compacted:
            if compacted := frame.home(name).scope.names.get("$" + name):
                compacted.taint("compact makes a key of it")
    _bind_parameters(gathered)
    outside = _explain_outside(gathered.facts)
    if reason := outside or ("all globals are reached at once" if gathered.facts.all_globals else ""):
        for key, variable in gathered.root.names.items():
            if key[0] == "$":
                variable.taint(reason)


def _pass(gathered: Gathered) -> None:
    """Binds the names of arguments to the parameters of functions that the program declares."""
    functions = {frame.function: frame for frame in gathered.frames if frame.function}
    for key, argument, use in gathered.passed:
        if key in functions and argument in functions[key].parameters:
            functions[key].mentions.append((argument, use))


def _bind_parameters(gathered: Gathered) -> None:
    facts = gathered.facts
    by_name = facts.named | (facts.strings | facts.arguments if facts.spreads else set())
    strings, reflects = _list_names(facts), facts.reflects
    for frame in gathered.frames:
        handed = frame.function != "" and frame.function[2:] in strings
        for name, reason in frame.parameters.items():
            if parameter := frame.scope.names.get("$" + name):
                parameter.taint(reason)
                if name in by_name:
                    parameter.taint("an argument may be given by its name")
                if reflects:
                    parameter.taint("the program inspects itself")
                if handed:
                    parameter.taint("its function is handed on by name")


def _explain_outside(facts: Evidence) -> str:
    """The reason why other code may use every global name, empty if there is none."""
    if facts.evaluates:
        return "eval is called"
    return "another file is included" if facts.includes else ""


def _bind_definitions(gathered: Gathered) -> None:
    facts, root = gathered.facts, gathered.root
    for key, use in gathered.references:
        if key[0] == "\\" and facts.namespaces:
            facts.qualified.add(key.split(":")[1])
        else:
            root.refer(key.lstrip("\\"), use)
    strings, reflects = _list_names(facts), facts.reflects
    outside = _explain_outside(facts)
    for key, name in root.names.items():
        if key[:2] in ("f:", "c:") and name.kind != "import":
            name.taint(outside or _spell(key[2:], strings, facts))
            if name.kind == "function":
                _bind_function(key, name, facts)
            else:
                _bind_class(key[2:], name, facts)
                if reflects:
                    name.taint("the program inspects itself")


def _spell(name: str, strings: set[str], facts: Evidence) -> str:
    """The reason why a definition may be named where no reference is visible, empty if there is none."""
    if name in strings:
        return "a string has its name"
    if facts.calls_values and any(_builds(text, name) for text in strings):
        return "its name may be put together from strings"
    return "it has a qualified name too" if name in facts.qualified else ""


def _list_names(facts: Evidence) -> set[str]:
    """The strings that may be names of definitions, without namespace and in lower case."""
    texts = (text.split("\\")[-1].lower() for text in facts.strings if _NAMED.fullmatch(text))
    return {name for text in texts for name in text.split("::")}


def _builds(text: str, name: str) -> bool:
    return len(text) > 1 and text != name and (name.startswith(text) or name.endswith(text))


def _bind_function(key: str, name: ScopedName, facts: Evidence) -> None:
    if key in facts.told:
        name.taint("it asks for its own name")
    if facts.called & _STACK:
        name.taint("the program inspects its calls")


def _bind_class(short: str, name: ScopedName, facts: Evidence) -> None:
    if short in facts.asked or facts.asked & {"", "self", "static", "parent"}:
        name.taint("the program asks for its name")
    if facts.called & (_SHOWS_CLASSES | _STACK):
        name.taint("the program may show its name")
    seen: set[str] = set()
    waiting = {short}
    while waiting:
        seen |= waiting
        waiting = {base for one in waiting for base in facts.ancestors.get(one, ())} - seen
    if any(_THROWN.search(base) for base in seen):
        name.taint("it is shown as the type of an error")
