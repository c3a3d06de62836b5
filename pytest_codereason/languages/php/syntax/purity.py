"""Says which PHP expressions are pure: nobody notices if they are evaluated twice or not at all.

Variables, literals and names of constants are pure. Operators and a few builtin functions are pure if their operands
are. Calls, assignments, ``new`` and members of classes are not pure. Elements and properties are not pure if the
program declares the methods that PHP calls for them. A division is pure only by a literal number other than zero.
Warnings, and errors about the types of operands, do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.tree import list_children, list_words

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes that are as pure as what is in them.
_TRANSPARENT = frozenset(
    """parenthesized_expression binary_expression unary_op_expression conditional_expression arguments argument
    array_creation_expression array_element_initializer encapsed_string cast_expression""".split()
)
_ATOMS = frozenset(
    """variable_name integer float boolean null string string_content escape_sequence name
    cast_type""".split()
)
#: Builtin functions that only look.
_LOOKS = frozenset(
    """abs array_key_exists array_keys array_values array_sum array_search count ctype_alnum ctype_alpha ctype_digit
    ctype_lower ctype_punct ctype_space ctype_upper empty explode floor ceil gettype implode in_array is_array is_bool
    is_float is_int is_integer is_null is_numeric is_string isset join lcfirst ltrim max min ord rtrim str_contains
    str_ends_with str_starts_with strcmp strlen strpos strrev strrpos strtolower strtoupper substr substr_count trim
    ucfirst ucwords array_slice array_unique array_reverse array_merge str_split str_replace intval floatval strval
    boolval""".split()
)
_DIVISIONS = frozenset({"/", "%", "<<", ">>"})
#: The methods that make a plain-looking expression run code, and the nodes that they stand behind.
_HOOKS = {
    "subscript_expression": frozenset({"offsetGet", "offsetExists"}),
    "member_access_expression": frozenset({"__get", "__isset"}),
    "encapsed_string": frozenset({"__toString"}),
    "binary_expression": frozenset({"__toString"}),
    "function_call_expression": frozenset({"__toString", "count"}),
}


class PHPPurity:
    """Says which expressions of one program are pure."""

    def __init__(self, tree: Tree, declared: frozenset[str]) -> None:
        self._tree = tree
        self._declared = declared
        methods = list_words(tree.source) if "class" in tree.source else frozenset()
        self._hooked = {kind for kind, hooks in _HOOKS.items() if hooks & methods}

    def of(self, node: Node) -> bool:
        """Whether ``node`` is pure."""
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.type in _ATOMS:
                continue
            if not self._looks_pure(inner):
                return False
            stack.extend(list_children(inner))
        return True

    def _looks_pure(self, node: Node) -> bool:
        kind = node.type
        if kind in self._hooked:
            return False
        if kind == "binary_expression":
            return self._is_safe_operator(node)
        if kind == "function_call_expression":
            callee = node.child_by_field_name("function")
            name = self._tree.text(callee).lower() if callee is not None and callee.type == "name" else ""
            return name in _LOOKS and name not in self._declared
        return kind in _TRANSPARENT or kind in ("subscript_expression", "member_access_expression")

    def _is_safe_operator(self, node: Node) -> bool:
        operator, right = node.child_by_field_name("operator"), list_children(node)[-1]
        if operator is None or self._tree.text(operator) not in _DIVISIONS:
            return True
        return right.type in ("integer", "float") and self._tree.text(right).strip("0._eE+-xXbBoO") != ""
