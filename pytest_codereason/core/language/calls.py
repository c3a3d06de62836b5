"""What the text of a program shows of its calls: call sites, and what a reader needs to resolve them.

    def apply(f):
        f()             # a site of the caller main.apply: Variable("f")

    apply(report)       # a site of the caller main: Variable("apply") with the argument Variable("report")

A language reads its programs into these values (:class:`Calls`). ``languages/call_graphs/`` resolves them and names
no language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pytest_codereason.core.language.expressions import Argument, Expression

#: How a call is written. The last six are calls that no parentheses of their own show.
Form = Literal[
    "name",  #: ``f()``
    "method",  #: ``a.f()``
    "constructor",  #: ``new A()``, ``super()``; Python writes a class as a name
    "expression",  #: ``f()()``, ``table[key]()``
    "property",  #: ``a.total``, where ``total`` may be a getter
    "operator",  #: ``a + b``, ``a[0]``
    "iteration",  #: ``for x in a``
    "conversion",  #: ``str(a)``, a value within a template
    "decorator",  #: ``@f``, the tag of a template
    "context",  #: what a language calls by itself at this place: ``with a:``, a constructor that calls its parent's
]
IMPLICIT: frozenset[Form] = frozenset({"property", "operator", "iteration", "conversion", "decorator", "context"})


class CallSite(NamedTuple):
    """A place where the text calls, or where a language calls because of what is written there."""

    caller: str  #: the function or file in which the site stands, as edges write it
    scope: str  #: where the names of the site are looked up first
    file: str
    line: int  #: the first line of the call, from 1
    end_line: int
    column: int  #: from 0
    text: str  #: the callee as it is written: ``shop.price``
    form: Form
    callee: Expression
    arguments: tuple[Argument, ...] = ()
    receiver: str = ""  #: the text before the last dot of the callee
    #: the lines of which one is in a line trace if the place was reached
    first_witness: int = 0
    last_witness: int = 0
    #: whether the place may be left out although its line runs: ``ready and f()``
    conditional: bool = False


class NameBinding(NamedTuple):
    """A variable that gets a value, by an assignment, a definition, an import or a loop."""

    owner: str  #: the function, class or file whose variable it is
    name: str
    value: Expression
    scope: str  #: where the names in ``value`` are looked up
    fallback: bool = False  #: counts only if no call passes a value: the class of ``self``, an annotation


class MemberBinding(NamedTuple):
    """A member that gets a value: ``of.name = value``."""

    of: Expression
    name: str
    value: Expression
    scope: str


class ParameterFacts(NamedTuple):
    """A parameter of a function."""

    name: str
    type: str = ""  #: as it is written, by its full name
    rest: bool = False  #: whether it takes all arguments that are left
    closed: bool = False  #: whether its type, and no call, says what it holds; functions excepted


class FunctionFacts(NamedTuple):
    """A function or method."""

    name: str
    scope: str  #: what is around it
    file: str
    line: int
    parameters: tuple[ParameterFacts, ...] = ()
    results: tuple[Expression, ...] = ()  #: what it returns
    owner: str = ""  #: the class or object whose member it is
    receiver: str = ""  #: the variable that holds the object it is called on: ``self``, ``this``
    of_class: bool = False  #: whether the receiver is the class itself
    constructor: bool = False
    getter: bool = False  #: whether it is called by reading or writing a member
    special: bool = False  #: whether a language calls it by itself: ``__len__``, ``toString``
    bodiless: bool = False  #: whether it is only declared
    #: whether edges leave it out, so that its callers call what it calls: a lambda of Java
    transparent: bool = False


class ClassFacts(NamedTuple):
    """A class, interface or constructor function."""

    name: str
    scope: str  #: where the names of its bases are looked up
    file: str
    line: int
    bases: tuple[Expression, ...] = ()
    fields: tuple[str, ...] = ()  #: what the constructor that nobody wrote takes: the fields of a record
    initialiser: str = ""  #: the transparent function with the values of its fields, if there is one


class CallFacts(NamedTuple):
    """What the text of one program shows of its calls."""

    sites: tuple[CallSite, ...]
    names: tuple[NameBinding, ...]
    members: tuple[MemberBinding, ...]
    functions: tuple[FunctionFacts, ...]
    classes: tuple[ClassFacts, ...]
    scopes: Mapping[str, str]  #: what is around each function, class and file; empty for a file
    #: the members that are called when an object is made
    constructors: tuple[str, ...] = ()
    #: the member that is called when an object is called
    calling: str = ""
    #: functions of libraries that keep a function for later and do not call it: ``append``
    keepers: frozenset[str] = frozenset()
    #: members of a function by which it is called or handed on: ``apply``; ``*`` stands for any
    forwarders: frozenset[str] = frozenset()
    #: scopes whose members are seen by their plain names: classes of Java
    open_classes: bool = False


class Calls(ABC):
    """Reads the call sites of programs of a language, and what is needed to resolve them."""

    @abstractmethod
    def read(self, files: Mapping[str, str], entry: str) -> CallFacts:
        """What the text shows. Functions have the names of ``Tracer.list_bodies``.

        Args:
            files: The text of each file, by its path.
            entry: The file that is run.

        Raises:
            DoesNotParse: A file is no program of the language.
        """
