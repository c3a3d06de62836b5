"""Compares the scopes of a Python program before and after a renaming, as CPython's own compiler sees them."""

from __future__ import annotations

import symtable
from collections.abc import Sequence
from random import Random

from pytest_codereason.languages.python import Python
from tests.languages.renaming import list_renamed_uses

#: Ways to see a symbol that a renaming must keep.
_FLAGS = ("is_local", "is_global", "is_declared_global", "is_free", "is_nonlocal", "is_parameter", "is_imported")
#: Ways in which a scope may use a symbol.
_USES = (
    *("is_referenced", "is_assigned", "is_parameter", "is_imported", "is_declared_global", "is_nonlocal"),
    *("is_namespace", "is_annotated"),
)


def rename_each(source: str, call: str) -> str:
    """The program with every name that is safe to change under a name of its own."""
    bindings = [b for b in Python().syntax.parse(source, call).bindings if not b.unsafe]
    edits = sorted({edit for i, b in enumerate(bindings) for edit in list_renamed_uses(b, f"new_{i}")}, reverse=True)
    for span, text in edits:
        source = f"{source[: span.start]}{text}{source[span.end :]}"
    return source


def list_moved(before: str, after: str) -> list[str]:
    """The names that mean another variable after a renaming."""
    old, new = (_Table(symtable.symtable(text, "<program>", "exec")) for text in (before, after))
    return _compare(old, new, [])


class _Table:
    """A scope with its symbols in the order of the text, which no renaming changes."""

    def __init__(self, table: symtable.SymbolTable) -> None:
        self.kind = table.get_type()
        self.name = f"{table.get_name()}, line {table.get_lineno()}"
        # what only scopes inside read is left out: in a class it may go by the name of a member
        self.symbols = [symbol for symbol in table.get_symbols() if any(getattr(symbol, used)() for used in _USES)]
        self.children = [_Table(child) for child in table.get_children()]

    def find(self, name: str) -> int | None:
        """The place of a symbol; ``None`` if there is none of this name."""
        return next((i for i, symbol in enumerate(self.symbols) if symbol.get_name() == name), None)


def _compare(before: _Table, after: _Table, around: Sequence[tuple[_Table, _Table]]) -> list[str]:
    if len(before.symbols) != len(after.symbols):
        return [f"{before.name}: {len(before.symbols)} names became {len(after.symbols)}"]
    moved = []
    pairs = [*around, (before, after)]
    for old, new in zip(before.symbols, after.symbols, strict=True):
        same = all(getattr(old, flag)() == getattr(new, flag)() for flag in _FLAGS)
        # a class reads a name of its own as the global of that name, as long as it has not bound it
        seeks_global = old.is_global() or (before.kind == "class" and old.is_local() and old.is_referenced())
        if seeks_global:
            home: tuple[_Table, _Table] | None = pairs[0]
        elif old.is_free():
            home = next((pair for pair in reversed(around) if _owns(pair[0], old.get_name())), None)
        else:
            home = None
        if home is not None:
            places = [table.find(symbol.get_name()) for table, symbol in zip(home, (old, new), strict=True)]
            unknown = places == [None, None] and old.get_name() == new.get_name()
            same = same and (unknown or (places[0] is not None and places[0] == places[1]))
        if not same:
            moved.append(f"{before.name}: {old.get_name()} became {new.get_name()}")
    for old_child, new_child in zip(before.children, after.children, strict=True):
        moved += _compare(old_child, new_child, pairs)
    return moved


def _owns(table: _Table, name: str) -> bool:
    place = table.find(name)
    return table.kind == "function" and place is not None and table.symbols[place].is_local()


#: Within a class ``A``, ``__c`` is ``_A__c``.
_NAMES = ("a", "b", "c", "__c", "_A__c")
#: What may stand in a function or class, with blanks for names.
_SIMPLE = (
    *("{0} = {1}", "{0} += {1}", "use({0}, {1})", "del {0}", "import m as {0}", "for {0} in {1}: use({2})"),
    *("use(lambda {0}={1}: ({0}, {2}))", "use([{0} for {0} in {1} if {2}])", "use([({0} := {2}) for x in {1}])"),
    *("with {1} as {0}: use({2})", "use({{{0}: {1} for {0} in {2} for {1} in {0}}})", "use(f'{{{0}:{{{1}}}}}')"),
    *("{0}: {1} = {2}", "{0}: {1}", "use(({0} := {1}))", "use([[{0} for x in {1}] for y in {2}])"),
    "use(lambda: [{0} for y in [lambda: {1}]])",
)
_KINDS = ("plain", "plain", "def", "def", "class", "try")


def draw_nest(random: Random) -> str:
    """A program of nested functions and classes whose few names mean many variables, and which compiles."""
    while True:
        lines = [f"{name} = 1" for name in _NAMES if random.random() < 0.6]
        lines += ["def f(n):", *_draw_block(random, 1)]
        source = "\n".join(lines) + "\n"
        try:
            compile(source, "<program>", "exec")
        except SyntaxError:  # such as a name that is used before it is declared global
            continue
        return source


def _draw_block(random: Random, level: int) -> list[str]:
    indent, lines = "    " * level, []
    if random.random() < 0.4:
        lines.append(f"{indent}{random.choice(('global', 'global', 'nonlocal'))} {random.choice(_NAMES)}")
    for kind in random.choices(_KINDS, k=random.randint(1, 3)):
        first, second, third = random.choices(_NAMES, k=3)
        if kind == "try":
            lines += [f"{indent}try: use({second})", f"{indent}except E as {first}: use({first}, {third})"]
        elif kind == "plain" or level > 3:
            lines.append(indent + random.choice(_SIMPLE).format(first, second, third))
        elif kind == "def":
            lines += [f"{indent}def {first}({second}={third}, *x):", *_draw_block(random, level + 1)]
        else:
            lines += [f"{indent}class {first.upper()}(use({second})):", *_draw_block(random, level + 1)]
    return lines
