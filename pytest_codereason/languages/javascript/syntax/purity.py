"""Says which JavaScript expressions are pure: nobody notices if they are evaluated twice or not at all.

Literals, declared names and ``this`` are pure. Comparisons, logic, arithmetic, ``typeof`` and reads of properties are
pure if their parts are pure. Operators that may convert an object are not pure if the program defines ``valueOf``,
``toString`` or ``Symbol.toPrimitive``. Reads of properties are not pure if the program defines getters or proxies. An
operation that throws, such as a property of ``null``, counts as pure, because it throws the second time too. So does a
``let`` before its declaration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.tree import list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_VALUES = frozenset({"number", "string", "true", "false", "null", "undefined", "this"})
_GROUPS = frozenset({"parenthesized_expression", "sequence_expression", "ternary_expression"})
_READS = frozenset({"member_expression", "subscript_expression"})
#: Operators that look at their operands as they are.
_PLAIN = frozenset({"===", "!==", "&&", "||", "??", "!", "typeof", "void"})
_CONVERTERS = frozenset({"valueOf", "toString", "toPrimitive", "hasInstance"})
_GETTERS = frozenset({"defineProperty", "defineProperties", "__defineGetter__", "Proxy", "create", "setPrototypeOf"})


class JavaScriptPurity:
    """Judges the expressions of one program. ``free`` are names that the program does not declare."""

    def __init__(self, tree: Tree, words: frozenset[str], free: frozenset[str], *, getters: bool) -> None:
        self._tree = tree
        self._free = free - {"NaN", "Infinity", "undefined"}
        self._converts = bool(words & (_CONVERTERS | _GETTERS))
        self._getters = getters or bool(words & _GETTERS)

    def of(self, node: Node) -> bool:
        """Whether an expression is pure."""
        stack = [node]
        while stack:
            inner = stack.pop()
            if not self._is_pure_itself(inner):
                return False
            if inner.type not in ("property_identifier", "private_property_identifier", "optional_chain"):
                stack.extend(list_children(inner) if inner.type not in _VALUES else [])
        return True

    def _is_pure_itself(self, node: Node) -> bool:
        """Whether a node is pure, provided that its children are."""
        kind = node.type
        if kind == "identifier":
            return self._tree.text(node) not in self._free
        if kind in ("binary_expression", "unary_expression"):
            operator = node.child_by_field_name("operator")
            return operator is not None and operator.type != "delete" and self._is_pure_operator(operator.type)
        if kind in _READS:
            return not self._getters
        return kind in _VALUES or kind in _GROUPS or kind.endswith(("property_identifier", "optional_chain"))

    def _is_pure_operator(self, operator: str) -> bool:
        return operator in _PLAIN or not self._converts
