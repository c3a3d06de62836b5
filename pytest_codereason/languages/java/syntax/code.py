"""A parsed Java program."""

from __future__ import annotations

from functools import cached_property

from pytest_codereason.core.language.structure import (
    Binding,
    Block,
    Comment,
    Documentation,
    Function,
    Insertion,
    Site,
    Statement,
    Unit,
)
from pytest_codereason.languages.frame.code import DetailedCode
from pytest_codereason.languages.frame.comments import list_comments
from pytest_codereason.languages.frame.documentation import find_block_comment
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.syntax import details, sites
from pytest_codereason.languages.java.syntax import insertions as places
from pytest_codereason.languages.java.syntax.bindings import JavaResolver
from pytest_codereason.languages.java.syntax.declarations import Declarations, collect_declarations
from pytest_codereason.languages.java.syntax.escapes import list_words
from pytest_codereason.languages.java.syntax.fields import StaticFields
from pytest_codereason.languages.java.syntax.methods import Methods
from pytest_codereason.languages.java.syntax.outline import COMMENTS, JavaOutline, parse_outline
from pytest_codereason.languages.java.syntax.tree import make_parser


class JavaCode(DetailedCode):
    """A parsed Java source file and its entry call.

    Raises:
        DoesNotParse: the source or the call is not Java.
    """

    def __init__(self, source: str, call: str = "") -> None:
        self.source = source
        self.call = call
        self._outline: JavaOutline = parse_outline(source)
        self._call = Tree(make_parser(), f"{call};") if call else None

    @property
    def functions(self) -> tuple[Function, ...]:
        """Methods and constructors with a body. Names include the classes: ``Outer.Inner.method``."""
        return tuple(self._outline.functions)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements. A field is a declaration outside functions."""
        return tuple(self._outline.statements)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its blocks, and the statements after a ``case:``."""
        return tuple(sorted(self._outline.blocks, key=lambda block: (block.span.start, -block.span.end)))

    @cached_property
    def _plain_sites(self) -> tuple[Site, ...]:
        collected = sites.list_sites(self._outline, frozenset(self._declared.named), self._declared.varying)
        return tuple(sorted(collected, key=lambda site: (site.span.start, -site.span.end)))

    def find_documentation(self, function: Function | None = None) -> Documentation | None:
        """The comment ``/** ... */`` before a function; a program as a whole has none."""
        return find_block_comment(self.source, function)

    @cached_property
    def _details(self) -> tuple[Site, ...]:
        return tuple(details.list_sites(self._outline))

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Variables, parameters, type parameters, labels, local classes, and members that no other code uses."""
        methods, fields = Methods(self._outline.tree, self._declared), StaticFields(self._outline.tree, self._declared)
        if self._call is not None:
            methods.entry(self._call)
            fields.entry(self._call)
        names = {visit.node.id: visit.path for visit in self._outline.visits if visit.path}
        return JavaResolver(self._outline.tree, self._declared, methods, fields, names).run()

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every word of source and call, also in comments and strings."""
        return list_words(f"{self.source}\n{self.call}")

    @cached_property
    def insertions(self) -> tuple[Insertion, ...]:
        """The places where the compiler accepts another statement, member or class."""
        return tuple(places.list_insertions(self._outline, self._declared.varying))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Methods, constructors and nested classes, which may stand in any order."""
        return tuple(places.list_units(self._outline))

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        """Its comments."""
        return list_comments(self._outline.tree, COMMENTS)

    @cached_property
    def _declared(self) -> Declarations:
        return collect_declarations(self._outline.tree, ((visit.kind, visit.node) for visit in self._outline.visits))
