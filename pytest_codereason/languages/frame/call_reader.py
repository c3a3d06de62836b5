"""Where a walk through a syntax tree is while it reads calls: the function, the scope, the statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import CallSite, Form
from pytest_codereason.core.language.expressions import UNKNOWN, Argument, Expression
from pytest_codereason.languages.frame.call_facts import Collector
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: What is nested deeper is not worked out.
_DEEPEST = 80
#: Characters of the text of a callee.
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where the walk is."""

    caller: str  #: the function or file whose code it is
    scope: str
    cls: str = ""  #: the class whose members it reads
    results: list[Expression] | None = None  #: what the function returns
    statement: int = 0  #: the first line of the statement
    conditional: bool = False


class CallReader:
    """Reads the calls of one file. A subclass reads the statements and expressions of a language."""

    #: whether a trace counts the lines at which statements begin, and no other lines
    counts_statements = False

    def __init__(self, file: str, tree: Tree, collector: Collector, place: CallPlace) -> None:
        self.file = file
        self.tree = tree
        self.collector = collector
        self.place = place
        self._depth = 0

    @contextmanager
    def at(self, place: CallPlace) -> Iterator[None]:
        """At another place."""
        before, self.place = self.place, place
        yield
        self.place = before

    def read(self, node: Node, *, conditional: bool = False) -> Expression:
        """What an expression is worth. Notes the calls in it."""
        before = self.place
        if conditional and not before.conditional:
            self.place = replace(before, conditional=True)
        self._depth += 1
        value = self.read_expression(node)
        self._depth -= 1
        self.place = before
        return value if self._depth < _DEEPEST else UNKNOWN

    def read_expression(self, node: Node) -> Expression:
        """What an expression is worth."""
        raise NotImplementedError

    @contextmanager
    def begun(self, node: Node) -> Iterator[None]:
        """In a statement. One that begins on the line of the statement around it may be left out on that line."""
        line = node.start_point[0] + 1
        same = line == self.place.statement
        with self.at(replace(self.place, statement=line, conditional=same)):
            yield

    def shorten(self, node: Node) -> str:
        """An expression as it is written, on one line, without the start of a long one."""
        return " ".join(self.tree.text(node).split())[-_LONGEST:]

    def add_site(
        self, node: Node, form: Form, callee: Expression, text: str, arguments: tuple[Argument, ...] = ()
    ) -> None:
        """Notes a call."""
        line, end = node.start_point[0] + 1, node.end_point[0] + 1
        statement = self.place.statement or line
        self.collector.sites.append(
            CallSite(
                caller=self.place.caller,
                scope=self.place.scope,
                file=self.file,
                line=line,
                end_line=end,
                column=self.tree.at(node.start_byte) - self.tree.line_start(self.tree.at(node.start_byte)),
                text=text,
                form=form,
                callee=callee,
                arguments=arguments,
                receiver=text.rpartition(".")[0] if form == "method" else "",
                first_witness=statement if self.counts_statements else line,
                last_witness=statement if self.counts_statements else end,
                conditional=self.place.conditional,
            )
        )
