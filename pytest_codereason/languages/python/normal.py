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
_SPLATS = frozenset(
    {
        *["list_splat", "dictionary_splat", "list_splat_pattern", "dictionary_splat_pattern", "splat_pattern"],
        *["splat_type", "keyword_separator", "unary_operator", "except_clause_star"],
    }
)
#: Parents of a bracket that follows a name without a blank.
_ATTACHED = frozenset({"argument_list", "parameters", "subscript", "type_parameter", "class_pattern"})
#: Parents of a comma that says nothing before a closing bracket.
_LISTS = frozenset(
    {"argument_list", "parameters", "list", "set", "dictionary", "list_pattern", "dict_pattern", "class_pattern"}
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def normalise(tree: Tree) -> str:
    """The source in a uniform layout."""
    writer = _Writer(tree)
    writer.write()
    return "".join(f"{line}\n" for line in writer.lines)


class _Writer:
    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.lines: list[str] = []
        self._line: list[str] = []
        self._last: Node | None = None
        self._depth = 0

    def write(self) -> None:
        """Visits the leaves in order; a number on the stack changes the depth."""
        stack: list[Node | int] = [self._tree.root]
        while stack:
            node = stack.pop()
            if isinstance(node, int):
                self._flush()
                self._depth += node
                continue
            if node.type in _CLAUSES or (_parent(node) in {"block", "module"} and is_statement(node)):
                self._flush()
            if node.type == "decorated_definition":
                stack.extend(reversed(node.children))
            elif node.type == "block":
                self._flush()
                self._depth += 1
                stack.append(-1)
                stack.extend(reversed(node.children))
            elif node.type in _WHOLE or not node.child_count:
                self._token(node)
            else:
                if node.type == "decorator":
                    stack.append(0)
                stack.extend(reversed(node.children))
        self._flush()

    def _flush(self) -> None:
        if self._line:
            self.lines.append(" " * (4 * self._depth) + "".join(self._line))
        self._line, self._last = [], None

    def _token(self, node: Node) -> None:
        text = self._tree.text(node)
        if node.type in {"comment", "line_continuation", ";", "newline"} or not text or _superfluous(node):
            return
        if node.type == "string":
            text = text.replace("\r\n", "\n")
        elif node.type == "relative_import":
            text = "".join(text.split())
        if self._last is not None and _apart(self._last, node):
            self._line.append(" ")
        self._line.append(text)
        self._last = node


def _superfluous(node: Node) -> bool:
    """Brackets of an import, and a comma before a closing bracket."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "import_from_statement":
        following = _next(node)
        return node.type in {"(", ")"} or (node.type == "," and following is not None and following.type == ")")
    if node.type != ",":
        return False
    following = _next(node)
    if following is None or following.type not in _CLOSING:
        return False
    elements = [child for child in parent.named_children if is_statement(child)]
    return parent.type in _LISTS or (parent.type == "tuple" and len(elements) > 1)


def _next(node: Node) -> Node | None:
    following = node.next_sibling
    while following is not None and not is_statement(following):
        following = following.next_sibling
    return following


def _apart(left: Node, right: Node) -> bool:  # noqa: PLR0911
    """Whether a blank stands between two neighbouring tokens."""
    before, after = left.type, right.type
    inside, outside = _parent(left), _parent(right)
    if before in _OPENING or after in _CLOSING or after in {",", ";"}:
        return False
    if "." in {before, after} and not (before == "integer" or {inside, outside} & {"import_prefix"}):
        return before == "import" or after == "import"
    if after == ":":
        return False
    if before == ":" and inside == "slice":
        return False
    if after in {"(", "["} and (outside in _ATTACHED or before == "type" or _argument(right)):
        return False
    if "=" in {before, after}:
        parent = inside if before == "=" else outside
        return parent not in {"keyword_argument", "default_parameter", "keyword_pattern"}
    if before == "@" and inside == "decorator":
        return False
    return not (inside in _SPLATS and left == _first(left))


def _first(node: Node) -> Node | None:
    parent = node.parent
    return parent.children[0] if parent is not None else None


def _argument(node: Node) -> bool:
    """Whether a bracket opens the generator that is a call's only argument."""
    parent = node.parent
    return (
        parent is not None
        and parent.type == "generator_expression"
        and parent.parent is not None
        and parent.parent.type == "call"
        and parent.parent.child_by_field_name("arguments") == parent
    )


def _parent(node: Node) -> str:
    return node.parent.type if node.parent is not None else ""
