"""Reads Java sources in which characters are written as escapes: ``\\u0061bc`` is the name ``abc``.

Java decodes escapes before it reads anything else. The grammar does not. So it is given a name of the same length,
``a_____bc``. Escapes for anything but letters of names are not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.syntax.grammar import CLASSES, STRUCTURE
from pytest_codereason.languages.java.syntax.tree import WORDS, make_parser

if TYPE_CHECKING:
    from tree_sitter import Node

#: An escape for one of the characters that end a line, a string, a comment or another escape.
_ENDING = re.compile(r"(?<!\\)(?:\\\\)*\\u+(?:00(?:0[aAdD]|2[27aAfF]|5[cC]))")
_QUOTED = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_HARMLESS = {"//": "22 27 2a 2f 5c", "/*": "0a 0d 22 27 5c"}
_ESCAPE = re.compile(r"\\u+([0-9A-Fa-f]{4})")
#: A word with an escape in it.
_WORD = re.compile(rf"[\w$]*(?:{_ESCAPE.pattern}[\w$]*)+")
_NAME = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
#: What may stand in a file outside classes.
_TOP = CLASSES | STRUCTURE.comments | {"package_declaration", "import_declaration", "module_declaration", ";"}


class _EscapedTree(Tree):
    """A tree whose names are read as Java reads them."""

    def text(self, node: Node) -> str:
        """The source of a node, with its escapes decoded unless they stand in strings."""
        text = super().text(node)
        return text if "\\u" not in text or '"' in text or "'" in text else decode(text)


def parse(source: str) -> Tree:
    """The tree of a source.

    Raises:
        DoesNotParse: the text is not Java, or has escapes that change where a line, a string or a word ends.
    """
    if "\\u" not in source:
        return Tree(make_parser(), source)
    plain = _write_plain(source).encode("utf-8", "surrogatepass")
    return _EscapedTree(make_parser(), source, lambda _code, _root: plain)


def parse_program(source: str) -> Tree:
    """The tree of a source file.

    Raises:
        DoesNotParse: as :func:`parse` does, or something stands outside a class.
    """
    tree = parse(source)
    for node in tree.root.named_children:
        if node.type not in _TOP:
            line = node.start_point[0] + 1
            raise DoesNotParse(f"{node.type.replace('_', ' ')} outside a class", line=line)
    return tree


def decode(text: str) -> str:
    """A text with its escapes decoded."""
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)


def list_words(text: str) -> frozenset[str]:
    """Every word of a text, also in comments and strings."""
    words = frozenset(_NAME.findall(text))
    return words.union(_NAME.findall(decode(text))) if "\\u" in text else words


def _write_plain(source: str) -> str:
    """The source with other names of the same length, in bytes, in place of those that are written with escapes."""
    pieces, at = [], 0
    for quoted in _QUOTED.finditer(source):
        harmless = _HARMLESS.get(quoted[0][:2], "2a 2f").split()
        for escape in _ENDING.finditer(quoted[0]):
            if escape[0][-2:].lower() not in harmless:
                line = source.count("\n", 0, quoted.start() + escape.end()) + 1
                raise DoesNotParse(f"the escape \\u{escape[0][-4:]} is not read", line=line)
        pieces += [_WORD.sub(_write_word, source[at : quoted.start()]), quoted[0]]
        at = quoted.end()
    pieces.append(_WORD.sub(_write_word, source[at:]))
    outside = "".join(pieces[::2])
    if "\\u" in outside:
        before = "".join(pieces).find(outside[outside.find("\\u") :][:8])
        raise DoesNotParse("an escape outside strings and names is not read", line=source.count("\n", 0, before) + 1)
    return "".join(pieces)


def _write_word(word: re.Match[str]) -> str:
    """A name of the same length; the word itself if it is none."""
    plain = decode(word[0])
    if plain in WORDS or not _NAME.fullmatch(plain):
        return word[0]
    return _ESCAPE.sub(_fill, word[0])


def _fill(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character + "_" * (len(escape[0]) - len(character.encode()))
