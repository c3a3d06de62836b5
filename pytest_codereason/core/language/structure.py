"""The structure of a program as plain values, the same for all languages. No parser's node leaves ``languages/``.

Offsets count characters of the source (not bytes) and spans are half open, so that
``source[span.start:span.end]`` is the text of a span.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, get_args

from pytest_codereason.core.text.suggestions import suggest_name

SiteKind = Literal[
    "condition",
    "return",
    "loop",
    "assignment",
    "operator",
    "literal",
    "collection-operation",
    "index",  #: what stands between the brackets of ``a[i]``
    "bound",  #: where a range begins or ends that a loop or a slice runs through
    "arguments",  #: the arguments of a call with two or more, none of them named
    "default",  #: the literal that a parameter has by default, or a look-up that finds nothing
    "read",  #: a variable whose value is read
]
#: A ``field`` belongs to a class, and may still be renamed: a private static field of Java.
BindingKind = Literal["parameter", "variable", "field", "function", "class", "import", "label"]
Place = Literal["statement", "member", "top"]

SITE_KINDS: frozenset[str] = frozenset(get_args(SiteKind))

#: Characters of the longest program that is parsed.
MAX_SOURCE = 2_000_000


class Span(NamedTuple):
    """A stretch of a text: its first character, counted from 0, and the character behind its last."""

    start: int
    end: int


class Function(NamedTuple):
    """A function, method, constructor or named closure."""

    name: str  #: qualified by what encloses it: ``f``, ``Class.method``, ``outer.inner``
    span: Span  #: the whole definition, with decorators, annotations and modifiers
    body: Span  #: the statements, without the braces around them
    parameters: tuple[str, ...]
    method: bool = False


class Statement(NamedTuple):
    """A statement, simple or compound. Statements inside a compound statement are listed too."""

    #: ``if``, ``while``, ``for``, ``return``, ``assignment``, ``expression``, ``declaration`` ... or ``other``
    kind: str
    span: Span
    function: str  #: the innermost function's qualified name, empty at the top
    depth: int  #: blocks around it within its function, from 0


class Block(NamedTuple):
    """A sequence of statements that run one after the other."""

    span: Span  #: from the first statement to the last, or between the braces where there is none
    indent: str  #: what stands before its statements on their lines
    function: str


class Site(NamedTuple):
    """A place of one kind that a perturbation may change or comment on."""

    kind: SiteKind
    span: Span
    statement: Span  #: the innermost statement around it
    function: str
    #: what it is within its kind. condition: ``comparison``, ``constant`` (a boolean literal) or ``other``;
    #: loop: ``for``, ``while`` or ``do``; operator: the operator; literal: ``int``, ``float``, ``str``, ``bool``,
    #: ``null``; collection-operation: the method's name; assignment: ``=``, ``+=`` ...; index and default: as literals,
    #: or ``other``; bound: ``start`` or ``end``; read: the declared type of the variable, if the text says it
    form: str
    #: condition: what it decides: ``if``, ``while``, ``do``, ``for``, ``conditional``, ``assert``; bound: the variable
    #: that runs through the range, if there is one
    holder: str = ""
    pure: bool = True  #: evaluating it twice, or not at all, cannot be noticed; see :meth:`Code.is_pure`
    #: what it consists of. operator: its operands, also those of a function such as ``any`` that joins truth values;
    #: arguments: each argument
    parts: tuple[Span, ...] = ()


class Use(NamedTuple):
    """One appearance of a binding's name."""

    span: Span
    #: what to write there: ``{}`` is the new name; ``a: {}`` for the shorthand ``{a}`` of JavaScript
    template: str = "{}"
    in_call: bool = False  #: the span counts within the entry call, not within the source


class Binding(NamedTuple):
    """A name with all its uses, its declaration among them."""

    name: str
    kind: BindingKind
    function: str  #: the function whose scope holds it, empty at the top
    uses: tuple[Use, ...]
    unsafe: str = ""  #: why renaming it might change what the program does; empty where it cannot


class Insertion(NamedTuple):
    """A place where a whole statement, member or top-level declaration may be put.

    The inserted text at ``at`` is ``before``, the text with ``indent`` on every line but the first, then ``after``.
    """

    at: int
    place: Place
    function: str
    indent: str
    before: str
    after: str
    reachable: bool = True  #: whether execution may come here


class Unit(NamedTuple):
    """A definition that can be moved among its siblings, with its comments and annotations."""

    name: str
    span: Span
    #: qualified name of what encloses it, empty at the top; with ``@`` and an offset for a second of that name
    parent: str
    needs: frozenset[str]  #: sibling names that must be defined before it


class Documentation(NamedTuple):
    """What stands beside a function, or at the top of a program, and says in words what it should do."""

    text: str  #: without the marks of a comment or a string
    span: Span  #: with these marks


class Comment(NamedTuple):
    """A comment, and how another text is written in its place: ``/* text */``."""

    span: Span  #: with its marks, without the end of its line
    opening: str  #: ``# ``, ``// ``, ``/* ``
    closing: str = ""  #: `` */``
    #: whether it is a string that documents a definition: a value, which the program can read
    docstring: bool = False


_WORD = re.compile(r"\w+")
#: Makes a blank of every character of ASCII that is in no word. To split what comes of it takes a third of the search.
_TO_BLANKS = {code: " " for code in range(128) if not _WORD.match(chr(code))}


def list_words(text: str) -> list[str]:
    """The words and numbers of a text, spelled as most languages compare names."""
    if text.isascii():
        return text.translate(_TO_BLANKS).split()
    return _WORD.findall(unicodedata.normalize("NFKC", text))


def check_site_kinds(kinds: Collection[str]) -> None:
    """Raises ``ValueError`` if there is no site of one of these kinds in any language."""
    for kind in kinds if not SITE_KINDS.issuperset(kinds) else ():
        if kind not in SITE_KINDS:
            hint = suggest_name(kind, SITE_KINDS)
            raise ValueError(f"unknown kind of site {kind!r}{hint}: choose from {', '.join(get_args(SiteKind))}")


class Code(ABC):
    """A parsed program. Each property is computed once.

    Everything is in the order of the source. Constructs that are not understood are left out: a missing
    site costs coverage, but a wrong site would change what a program does.
    """

    source: str
    call: str

    @property
    @abstractmethod
    def functions(self) -> tuple[Function, ...]:
        """Its functions, outer functions first."""

    @property
    @abstractmethod
    def statements(self) -> tuple[Statement, ...]:
        """Its statements, outer statements first."""

    @property
    @abstractmethod
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, outer blocks first."""

    @property
    @abstractmethod
    def sites(self) -> tuple[Site, ...]:
        """Its sites of every kind."""

    def sites_of(self, *kinds: SiteKind) -> Sequence[Site]:
        """Its sites of these kinds. A language may search for these only.

        Raises:
            ValueError: a kind is unknown.
        """
        check_site_kinds(kinds)
        return [site for site in self.sites if site.kind in kinds]

    def may_rebind(self, span: Span) -> bool:
        """Whether a use of a variable may give it a value, though nothing is assigned to it there.

        A language has such uses if a function can take a reference to a variable: ``sort($xs)``. The default has none.
        """
        return False

    def is_pure(self, site: Site) -> bool:
        """Whether evaluating a condition twice, or not at all, cannot be noticed.

        A language may override this where it has to resolve names to find out: most users of conditions do not ask.
        """
        return site.pure

    @property
    @abstractmethod
    def bindings(self) -> tuple[Binding, ...]:
        """The names that the program declares, with their uses in source and call.

        Of fields and methods, only those that no other code can use.
        """

    @property
    @abstractmethod
    def taken(self) -> frozenset[str]:
        """Every identifier in source, call or strings. A fresh name must not be one of these."""

    @cached_property
    def words(self) -> list[str]:
        """Every word and number of source and call, in the order of the text. Comments and texts have words, too."""
        return list_words(f"{self.source}\n{self.call}")

    @property
    @abstractmethod
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where text can be inserted without changing what the rest does."""

    @property
    @abstractmethod
    def units(self) -> tuple[Unit, ...]:
        """Its movable definitions. Only units with equal parents are siblings."""

    @property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments. A language that does not list them has none that can be replaced."""
        return ()

    def list_parameters(self, function: Function, at: int) -> tuple[str, ...]:
        """The parameters that can be read at a place in the body of a function, not within another that has a name.

        These are its own. A language overrides this where a closure does not see the variables around it.
        """
        return function.parameters

    def can_read(self, binding: Binding, at: int) -> bool:
        """Whether code at a place may read a variable that belongs to the innermost function with a name around it.

        A language overrides this where a closure does not see the variables around it.
        """
        return True

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The documentation of a function, or of the whole program; ``None`` where there is none."""
        return None
