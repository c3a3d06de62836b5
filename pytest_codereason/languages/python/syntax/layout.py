"""Gives a Python program a uniform layout, from its tokens.

One statement a line, four blanks a level, no comments, no blank lines, one blank around operators. Text with a
meaning is kept: strings as they are written, docstrings (they are values), parentheses.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.layout import LaidOut, walk_tokens
from pytest_codereason.languages.python.syntax.tree import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node, TreeCursor

    from pytest_codereason.languages.frame.tree import Tree


#: What is special about a node: it begins a line though it is no statement, it may be plain (below), it is written as
#: it stands, it is not written. All others have none of these roles.
_NO_ROLE, _BEGINNING, _MAYBE_PLAIN, _WHOLE, _NOTHING = range(5)
_ROLES = {
    **dict.fromkeys(("block", "elif_clause", "else_clause", "except_clause", "finally_clause"), _BEGINNING),
    **dict.fromkeys(("case_clause", "decorator"), _BEGINNING),
    **dict.fromkeys(("call", "attribute", "subscript", "parameters"), _MAYBE_PLAIN),
    **dict.fromkeys(("expression_statement", "return_statement", "comparison_operator"), _MAYBE_PLAIN),
    **dict.fromkeys(("string", "relative_import"), _WHOLE),
    **dict.fromkeys(("comment", "line_continuation", ";"), _NOTHING),
}


#: A pattern of a string on one line, without a prefix.
SHORT_TEXT = "|".join(rf"{q}[^{q}\\\r\n]*+(?:\\[^\r\n][^{q}\\\r\n]*+)*{q}" for q in "'\"")


def _compile_plain() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """What is written as the layout writes it, and headers that are: of statements with a block.

    These are names, numbers, short strings, and between them the right blanks.

    The tree has been read without an error, so brackets need no counting here: the blanks depend on neighbours only.
    Left out is what has blanks by its place in the tree (the colons of dictionaries, the ``=`` of later keyword
    arguments), and keywords that a bracket may follow. What is repeated with ``++`` or ``*+`` is never given back: no
    shorter stretch of it could match, and the search for one takes longer than all the rest.
    """
    keywords = "and|as|async|await|else|for|from|if|in|is|lambda|not|or|return|yield"
    name = rf"(?:[b-dghjkmp-qs-xzA-Z_]\w*+|(?!(?:{keywords})\b)[aefilnory]\w*+)"  # most begin like no keyword
    value = rf"(?:{name}|\d++(?:\.\d++)?|{SHORT_TEXT}|\(\)|\[\]|\{{\}})"
    # what stands between the colons of a slice: nothing, or a name, a number, a call, perhaps with one more added
    bound = r"(?:-?\w++(?:\.\w++)?(?:\(\w*+\))?(?: [-+*] -?\w++)?)?"
    behind = rf"(?:[)\]]|\.{name}|\(\)|\[{bound}:{bound}(?::{bound})?\])*"
    operator = r"[-+%<>]|[<>=!]=|//?|\*\*?|and|or|(?:not )?in|is(?: not)?|if|else|for"
    unit = rf"(?:[(\[-]|not )*{value}{behind}"
    join = rf"(?:\((?:\*{{1,2}}|{name}=)?|, \*{{0,2}}|\[| (?:{operator}) )"
    index = r"-?\w++(?:\[-?\w++\]| [-+] \w++)?"
    target = rf"{name}(?:\.{name}|\[{index}\]|\[{bound}:{bound}\])*"
    names = rf"(?:{name}(?:, {name})*)?"
    targets = rf"(?:{target}(?:, {target})* (?:[-+*/%]|//|\*\*)?= )*"
    values = rf"{unit}(?:{join}{unit})*"
    headers = rf"(?:if|elif|while) {values}|for {target}(?:, {target})* in {values}|else|def {name}\({names}\)"
    headers += rf"|try|except(?: {target}(?: as {name})?)?|finally"
    return re.compile(rf"return|(?:return |{targets}){values}".encode()), re.compile(rf"(?:{headers}):".encode())


#: Most statements, calls, comparisons and headers are plain. They are written as they stand, which saves most nodes.
_PLAIN, _PLAIN_HEADER = _compile_plain()
#: The statements and clauses that may have such a header.
_HEADED = frozenset(
    {
        *["if_statement", "elif_clause", "else_clause", "while_statement", "for_statement", "function_definition"],
        *["try_statement", "except_clause", "finally_clause"],
    }
)
_PREFIXED = frozenset(
    {
        *["list_splat", "dictionary_splat", "list_splat_pattern", "dictionary_splat_pattern", "splat_pattern"],
        *["splat_type", "keyword_separator", "unary_operator"],
    }
)
_GENERATOR = "generator_expression"
#: What the only argument of a call is called here where it is a generator.
_ARGUMENT = "generator_argument"
#: Parents of a bracket that follows a name without a blank.
_ATTACHED = frozenset({"argument_list", "parameters", "subscript", "type_parameter", "class_pattern", _ARGUMENT})
#: Parents of a comma that says nothing before a closing bracket.
_LISTS = frozenset(
    {"argument_list", "parameters", "list", "set", "dictionary", "list_pattern", "dict_pattern", "class_pattern"}
)
_TRIMMED = _LISTS | {"tuple", "import_from_statement"}
#: Parents of a ``=`` without blanks.
_TIGHT = frozenset({"keyword_argument", "default_parameter", "keyword_pattern"})
#: Nodes that end a line.
_ENDING = frozenset({"block", "decorator"})
_INDENT = b"    "
_SUITES = frozenset({"block", "module"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_BRACKETS = frozenset("()")
#: Nodes that a layout takes as they are, and those that no layout keeps.
_UNCUT, _DROPPED = frozenset({"string", "relative_import"}), frozenset({"comment", "line_continuation"})


def normalise(source: str) -> LaidOut:
    """The source in a uniform layout, with its map."""
    text = source if source.endswith("\n") else f"{source}\n"
    return LaidOut(source, _print(parse(text)), partial(_list_tokens, text))


def _list_tokens(source: str) -> Iterable[tuple[int, int]]:
    """Start and end of each token. Parses the text again, because a stored layout would keep its tree in memory."""
    tree = parse(source)
    return tree.spans(walk_tokens(tree.root, _UNCUT, _DROPPED))


def _print(tree: Tree) -> str:  # noqa: PLR0912, PLR0915 - calls for each node would take longer than all there is to do
    """The source in a uniform layout.

    Visits the tree by a cursor, which makes no lists of nodes: deep trees do not overflow the stack.
    """
    cursor, code, kinds = tree.root.walk(), tree.bytes, tree.kinds
    descend, advance, ascend = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    role_of, apart = _ROLES.get, _APART
    pieces: list[bytes] = []
    line: list[bytes] = []
    depth = 0
    parents: list[str] = []
    inside = "module"  # the type of the node around
    before = around = ""  # the type of the last leaf, and of what it stands in
    going = descend()
    while going:
        node = cursor.node
        assert node is not None
        kind = kinds[node.kind_id]
        role = role_of(kind, _NO_ROLE)
        if line and (role == _BEGINNING or inside in _SUITES):
            pieces += _INDENT * depth, *line, b"\n"
            line.clear()
        if role == _MAYBE_PLAIN and (plain := _PLAIN.fullmatch(code, node.start_byte, node.end_byte)):
            text = plain[0]
            if inside in _SUITES:
                pieces += _INDENT * depth, plain[0], b"\n"
                text = b""
        elif (header := kind in _HEADED and _pass_header(cursor, node, code, kinds)) or (role < _WHOLE and descend()):
            if header:
                line.append(header)
            parents.append(inside)
            inside = _ARGUMENT if kind == _GENERATOR and inside == "call" and node.prev_sibling is not None else kind
            depth += kind == "block"
            continue
        else:
            text = b"" if role == _NOTHING else code[node.start_byte : node.end_byte]
        if text:
            if text == b"=":
                kind = "="  # which the grammar read as another sign, in type parameters
            elif role == _WHOLE:
                text = text.replace(b"\r\n", b"\n") if kind == "string" else b"".join(text.split())
            if before == "," and kind in _CLOSING and inside in _TRIMMED and not _is_needed(node, inside):
                line.pop()
            if inside != "import_from_statement" or kind not in _BRACKETS:
                if line and apart[before, around, kind, inside]:
                    line.append(b" ")
                line.append(text)
                before, around = kind, inside
            if inside in _PREFIXED:  # only the sign stands close to what follows
                inside = ""
        while not (going := advance()) and ascend():
            if inside in _ENDING:
                if line:
                    pieces += _INDENT * depth, *line, b"\n"
                    line.clear()
                depth -= inside == "block"
            inside = parents.pop() if parents else ""
    return b"".join([*pieces, *line, b"\n"] if line else pieces).decode()


def _pass_header(cursor: TreeCursor, node: Node, code: bytes, kinds: tuple[str, ...]) -> bytes:
    """The plain header of the statement or clause at the cursor, which goes to the block; nothing if it is not plain.

    What looks like the end of a header may be the colon of a slice. Then no block follows.
    """
    header = _PLAIN_HEADER.match(code, node.start_byte)
    if header is None or cursor.goto_first_child_for_byte(header.end()) is None:
        return b""
    inner = cursor.node
    assert inner is not None
    if kinds[inner.kind_id] == "block":
        return header[0]
    cursor.goto_parent()
    return b""


def _is_needed(closing: Node, inside: str) -> bool:
    """Whether the comma before a closing bracket makes a tuple of one element."""
    around = closing.parent
    return inside == "tuple" and around is not None and [node.type for node in around.children].count(",") == 1


class _Apart(dict[tuple[str, str, str, str], bool]):
    """The answers of :func:`_are_apart`, in a dictionary, which is faster than a cached function."""

    def __missing__(self, key: tuple[str, str, str, str]) -> bool:
        self[key] = _are_apart(*key)
        return self[key]


def _are_apart(before: str, around: str, after: str, inside: str) -> bool:
    """Whether a blank stands between two neighbouring leaves, by their types and the types of their parents."""
    if before in _OPENING or after in _CLOSING or after == ",":
        return False
    if before == "." or (after == "." and before != "integer"):
        return False
    if after == ":":
        return before == ","
    if before == ":" and around == "slice":
        return False
    if after == "parameters" or (after in {"(", "["} and inside in _ATTACHED):
        return False
    if before == "type" and after in {"(", "[", "attribute", "subscript", "call"}:  # of ``type(x).y = z``
        return False
    if before == "=":
        return around not in _TIGHT
    if after == "=":
        return inside not in _TIGHT
    if before == "@" and around == "decorator":
        return False
    return around not in _PREFIXED


_APART = _Apart()
