"""Finds the names of a Python program that can be renamed without changing what the program does.

With an entry call the program is closed: nothing else reads its names. Without a call it is a module: other code may
use its top-level names, and pass parameters by name to functions that leave the module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from pytest_codereason.core.language.structure import Binding
from pytest_codereason.languages.frame.scopes import Scope, ScopedName, resolve_bindings
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.dialect import BUILTINS
from pytest_codereason.languages.python.syntax.entry_calls import EntryCall
from pytest_codereason.languages.python.syntax.names import Callee, Names
from pytest_codereason.languages.python.syntax.scopes import PythonResolver

#: Decorators that look at no name of what they decorate.
TRANSPARENT = frozenset(
    {
        *["staticmethod", "classmethod", "property", "abstractmethod", "override", "final", "cached_property"],
        *["cache", "lru_cache", "wraps", "contextmanager", "asynccontextmanager", "setter", "getter", "deleter"],
    }
)
#: Functions that call what they are given without keywords.
POSITIONAL = frozenset(
    {
        *["sorted", "sort", "min", "max", "map", "filter", "reduce", "groupby", "accumulate", "takewhile", "dropwhile"],
        *["filterfalse", "starmap", "defaultdict", "sub", "subn", "cmp_to_key", "iter", "nlargest", "nsmallest"],
    }
)
#: Methods that are called with keywords; Python calls the others of the form ``__m__`` by position.
_CALLED = frozenset({"__init__", "__new__", "__call__", "__init_subclass__", "__post_init__", "__prepare__"})

#: Attributes and names that let a program see the names of ...
_FRAMES = frozenset({"f_locals", "tb_frame", "getargvalues", "getinnerframes", "getouterframes", "extract_stack"}) | {
    *["co_varnames", "co_names", "co_cellvars", "co_freevars"],
}
_SIGNATURES = frozenset(
    {
        *["signature", "getfullargspec", "getargspec", "getcallargs", "__code__", "co_varnames", "__annotations__"],
        *["get_type_hints", "get_annotations", "__kwdefaults__", "__wrapped__", "__signature__"],
    }
)
_TITLES = frozenset(
    {
        *["__name__", "__qualname__", "co_name", "__class__", "__mro__", "__bases__", "traceback", "format_exc"],
        *["pickle", "copyreg", "shelve", "getsource", "print_exc", "__subclasses__", "__module__"],
    }
)
_GLOBALS = frozenset(
    {
        *[
            "getattr",
            "setattr",
            "hasattr",
            "delattr",
            "__dict__",
            "__import__",
            "import_module",
            "attrgetter",
            "modules",
        ],
        *["methodcaller", "globals", "eval", "exec", "compile", "doctest", "__doc__", "patch", "timeit", "f_globals"],
        *["pickle", "copyreg", "shelve", "__main__", "get_type_hints", "runpy", "__globals__", "getmembers"],
    }
)
#: What finds an attribute by a string.
_LOOKUPS = frozenset(
    {"getattr", "attrgetter", "methodcaller", "eval", "exec", "__import__", "import_module", "__dict__"}
)
#: Where the private name may begin of which a class made another.
_PRIVATE = re.compile(r"(?=__)")
WORD = re.compile(r"[^\W\d]\w*")
#: The text between quotes, roughly: too much does no harm.
_QUOTED = re.compile(r"""('''|\"\"\"|'|")(.*?)(?<!\\)\1""", re.DOTALL)


def find(program: Tree, call: EntryCall | None) -> tuple[Binding, ...]:
    """Every name that a program declares, with its uses in program and call. Class members are left out."""
    walker = PythonResolver()
    walker.read(program, in_call=False)
    if call is not None:
        walker.read_call(call)
    names = walker.names
    text = program.source if call is None else f"{program.source}\n{call.text}"
    _close_classes(names)
    known = _list_keywords(names)
    passed, abroad = _list_escaping(names, known)
    judge = _BindingJudge(names, text, closed=call is not None)
    judge.judge(own=known - passed, near=known - abroad)
    return resolve_bindings(names.root)[0]


def _close_classes(names: Names) -> None:
    """Removes uses of a class's own names within its body: they belong to no binding.

    Before the class binds such a name, its body reads the global of that name, also within a function that has a
    variable of that name. So the global stays.
    """
    for scope in names.classes:
        for name, _ in scope.references:
            if name in scope.names and (outer := names.root.names.get(name)):
                outer.taint("read in the body of a class that has a member of that name")
        scope.references = [(name, use) for name, use in scope.references if name not in scope.names]


def _list_keywords(names: Names) -> set[ScopedName]:
    """Joins the keywords of calls to the parameters that they name. A keyword that may name several becomes loose.

    Returns the names that mean one function and nothing else.
    """
    known: dict[ScopedName, Callee] = {}
    for callee in names.callees:
        if callee.name is not None and names.declarations.get(callee.name) == 1:
            known[callee.name] = callee
    for scope, name in names.rebound:
        if target := scope.lookup(name):
            known.pop(target, None)
    for call in names.calls:
        target = call.scope.lookup(call.callee)
        callee_name = known.get(target) if target is not None else None
        if callee_name is None:
            names.loose |= {name for name, _ in call.keywords}
            names.spread |= call.spread
            continue
        for name, use in call.keywords:
            if name in callee_name.keywords:
                callee_name.scope.names[name].uses.append(use)
        if call.spread:
            for name in callee_name.keywords:
                callee_name.scope.names[name].taint("given by a call with **")
    return set(known)


def _list_escaping(names: Names, known: set[ScopedName]) -> tuple[set[ScopedName], set[ScopedName]]:
    """The functions of ``known`` that are used other than by a call, and those of them that leave the program.

    Functions that are only passed to ``sorted`` and the like do not leave the program.
    """
    wanted = {name.name for name in known}
    passed: set[ScopedName] = set()
    abroad: set[ScopedName] = set()
    for scope in names.root.all():
        for name, use in scope.references:
            if name not in wanted:
                continue
            at = (use.in_call, use.span)
            if at not in names.called and (target := scope.lookup(name)):
                passed.add(target)
                if names.given.get(at) not in POSITIONAL:
                    abroad.add(target)
    return passed, abroad


class _BindingJudge:
    """Marks every name as unsafe that something other than its uses may see."""

    def __init__(self, names: Names, text: str, *, closed: bool) -> None:
        self._names, self._text, self._closed = names, text, closed
        self._words = names.words
        if not self._words.isdisjoint(_LOOKUPS):  # then names may be made of strings
            self._words = names.words.union(WORD.findall(text))

    @cached_property
    def _quoted(self) -> frozenset[str]:
        return frozenset(word for literal in _QUOTED.finditer(self._text) for word in WORD.findall(literal[2]))

    def judge(self, own: set[ScopedName], near: set[ScopedName]) -> None:
        """Checks every reason that makes a name unsafe.

        All calls of a function in ``own`` are known. ``near`` also has functions that are passed to a caller that
        passes arguments by position.
        """
        self._judge_spelling()
        self._judge_dynamic()
        self._judge_program()
        self._judge_evidence()
        for callee in self._names.callees:
            self._judge_parameters(callee, callee.name in own, callee.name in near)
        if not self._closed:
            for name in self._names.root.names.values():
                name.taint("may be imported by another module")

    def _list_names(self) -> Iterator[ScopedName]:
        for scope in self._names.root.all():
            if scope not in self._names.classes:
                yield from scope.names.values()

    def _judge_spelling(self) -> None:
        """Marks names whose spelling has a meaning, such as ``__name__``."""
        for name in self._list_names():
            text = name.name
            if text.startswith("__"):
                if text.endswith("__"):
                    name.taint("special name")
                elif self._names.classes:
                    name.taint("changed by classes around it")
            elif text[0] == "_" and self._names.classes and self._is_mangled(text):
                name.taint("what a class makes of a private name")
            elif name.kind == "class" and any(word.startswith(f"_{text.lstrip('_')}__") for word in self._words):
                name.taint("class with private members used outside")
        for name in self._names.root.names.values():
            if name.name in BUILTINS:
                name.taint("named like a builtin")
            elif self._names.star:
                name.taint("may be overwritten by a star import")

    def _is_mangled(self, text: str) -> bool:
        """Whether a class may make the name of a private one: ``__limit`` in a class ``Tool`` is ``_Tool__limit``."""
        return any(text[at.start() :] in self._words for at in _PRIVATE.finditer(text, 1))

    def _judge_program(self) -> None:
        """Marks the names that a program can see when it inspects itself."""
        words = self._words
        frames, signatures, titles = not words.isdisjoint(_FRAMES), not words.isdisjoint(_SIGNATURES), self._is_title()
        for name in self._list_names() if frames or signatures or titles else ():
            if frames:
                name.taint("the program reads frames")
            elif signatures and name.kind == "parameter":
                name.taint("the program reads signatures")
            elif titles and name.kind in {"function", "class"}:
                name.taint("the program reads names of functions or classes")
        if not self._words.isdisjoint(_GLOBALS):
            for name in self._names.root.names.values():
                if name.name in self._quoted:
                    name.taint("named in a string")

    def _judge_evidence(self) -> None:
        """Marks single names by what the walk has noticed about them."""
        named = list(self._names.tainted)
        named += [
            (scope, word, "named in an annotation written as a string")
            for scope, annotation in self._names.annotations
            for word in WORD.findall(annotation)
        ]
        for scope, word, reason in named:
            if declared := scope.lookup(word):
                declared.taint(reason)

    def _is_title(self) -> bool:
        """Whether the program can read the names of functions and classes. A bare ``__name__`` is the module's name."""
        seen = self._words & _TITLES
        if seen == {"__name__"}:
            return "__name__" in self._names.attributes
        return bool(seen) or "__name__" in self._names.attributes

    def _judge_dynamic(self) -> None:
        root = self._names.root
        unsure = [(scope, "eval") for scope in self._names.constant_evals if scope.lookup("str") is not None]
        for scope, name in (*self._names.watched, *unsure):
            if scope.lookup(name) is not None:
                continue
            if name == "globals":
                for declared in root.names.values():
                    declared.taint("the program calls globals()")
                continue
            inner: Scope | None = scope
            local = name not in {"eval", "exec"}
            while inner is not None:
                if not (local and inner is root and scope is not root):
                    for declared in inner.names.values():
                        declared.taint(f"the program calls {name}()")
                inner = inner.parent

    def _judge_parameters(self, callee: Callee, own: bool, near: bool) -> None:
        names = callee.scope.names
        if any(decorator not in TRANSPARENT for decorator in callee.decorators):
            if callee.name is not None:
                callee.name.taint("decorated")
            for name in callee.keywords:
                names[name].taint("the function is decorated")
        abroad = not self._closed and self._is_abroad(callee, near)
        if abroad and callee.name is not None:
            callee.name.taint("function that other code may look at")
        # Python gives an operator's method no more than it needs, and that by position; others may call it too.
        operator = not self._closed and callee.method
        for name in () if own and not abroad and not callee.decorators else callee.keywords:
            if abroad or (operator and name in callee.optional):
                names[name].taint("may be given by name from elsewhere")
            elif name in self._names.loose:
                names[name].taint("may be given by name")
            elif self._names.spread and name in self._quoted:
                names[name].taint("may be given by name in a call with **")

    def _is_abroad(self, callee: Callee, near: bool) -> bool:
        """Whether other code may call a function of the module and pass its parameters by name."""
        if callee.method:
            operator = callee.method.startswith("__") and callee.method.endswith("__")
            return not operator or callee.method in _CALLED
        if callee.name is None:
            return callee.given_to not in POSITIONAL
        return callee.scope.parent is self._names.root or not near
