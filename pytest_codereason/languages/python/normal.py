"""Python: a uniform layout, made from the tokens.

One statement a line, four blanks a level, no comments, no blank lines, one blank around operators. What is kept
is what has a meaning: strings as they are written, docstrings (they are values), parentheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.python.sites import is_statement

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages._tree import Tree

_CLAUSES = frozenset({"elif_clause", "else_clause", "except_clause", "finally_clause", "case_clause", "decorator"})
#: Nodes that are written as they stand.
_WHOLE = frozenset({"string", "relative_import"})
_PREFIXED = frozenset(
    {
        *["list_splat", "dictionary_splat", "list_splat_pattern", "dictionary_splat_pattern", "splat_pattern"],
        *["splat_type", "keyword_separator", "unary_operator"],
    }
)
#: Parents of a bracket that follows a name without a blank.
_ATTACHED = frozenset({"argument_list", "parameters", "subscript", "type_parameter", "class_pattern"})
#: Parents of a comma that says nothing before a closing bracket.
_LISTS = frozenset(
    {"argument_list", "parameters", "list", "set", "dictionary", "list_pattern", "dict_pattern", "class_pattern"}
)
#: Parents of a ``=`` without blanks.
_TIGHT = frozenset({"keyword_argument", "default_parameter", "keyword_pattern"})
_NOTHING = frozenset({"comment", "line_continuation", ";"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def normalise(tree: Tree) -> str:
    """The source in a uniform layout."""
    writer = _Writer(tree)
    writer.write()
    return "".join(f"{line}\n" for line in writer.lines)


class _Token:
    """A node on its way out, with what is around it: to ask a node for its parent costs a walk from the root."""

    __slots__ = ("around", "inside", "node")

    def __init__(self, node: Node, around: _Token | None) -> None:
        self.node = node
        self.around = around
        self.inside = around.node.type if around is not None else ""

    @property
    def is_first(self) -> bool:
        """Whether nothing stands before it in what is around it."""
        return self.around is not None and self.node.start_byte == self.around.node.start_byte

    @property
    def is_argument(self) -> bool:
        """Whether it opens the generator that is a call's only argument."""
        around = self.around
        return around is not None and self.inside == "generator_expression" and around.follows

    @property
    def follows(self) -> bool:
        """Whether it is what a function is called with."""
        around = self.around
        return around is not None and around.node.type == "call" and not self.is_first


class _Writer:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.lines: list[str] = []
        self._line: list[str] = []
        self._last: _Token | None = None
        self._depth = 0

    def write(self) -> None:
        """Visits the leaves in order, each with what is around it; a number on the stack changes the depth."""
        stack: list[_Token | int] = [_Token(self._tree.root, None)]
        while stack:
            token = stack.pop()
            if isinstance(token, int):
                self._flush()
                self._depth += token
                continue
            node, kind = token.node, token.node.type
            if kind in _CLAUSES or (token.inside in {"block", "module"} and is_statement(node)):
                self._flush()
            if kind in _WHOLE or not node.child_count:
                self._write(token)
                continue
            if kind == "block":
                self._flush()
                self._depth += 1
                stack.append(-1)
            elif kind == "decorator":
                stack.append(0)
            stack.extend(_Token(child, token) for child in reversed(_needed(node)))
        self._flush()

    def _flush(self) -> None:
        if self._line:
            self.lines.append(" " * (4 * self._depth) + "".join(self._line))
        self._line, self._last = [], None

    def _write(self, token: _Token) -> None:
        text = self._tree.text(token.node)
        if not text:
            return
        if token.node.type == "string":
            text = text.replace("\r\n", "\n")
        elif token.node.type == "relative_import":
            text = "".join(text.split())
        if self._last is not None and _apart(self._last, token):
            self._line.append(" ")
        self._line.append(text)
        self._last = token


def _needed(node: Node) -> list[Node]:
    """Its children, less what has no meaning: comments, brackets of an import, a comma before a closing bracket."""
    children = [child for child in node.children if child.type not in _NOTHING]
    if node.type == "import_from_statement" and children[-1].type == ")":
        children = [child for child in children[:-1] if child.type != "("]
        return children[:-1] if children[-1].type == "," else children
    several = node.type in _LISTS or (node.type == "tuple" and len(children) > 4)
    if several and len(children) > 2 and children[-2].type == ",":
        del children[-2]
    return children


def _apart(left: _Token, right: _Token) -> bool:  # noqa: PLR0911
    """Whether a blank stands between two neighbouring tokens."""
    before, after = left.node.type, right.node.type
    if before in _OPENING or after in _CLOSING or after == ",":
        return False
    if "." in {before, after} and before != "integer":
        return False
    if after == ":":
        return before == ","
    if before == ":" and left.inside == "slice":
        return False
    if after in {"(", "["} and (right.inside in _ATTACHED or before == "type" or right.is_argument):
        return False
    if before == "=":
        return left.inside not in _TIGHT
    if after == "=":
        return right.inside not in _TIGHT
    if before == "@" and left.inside == "decorator":
        return False
    return not (left.inside in _PREFIXED and left.is_first)
