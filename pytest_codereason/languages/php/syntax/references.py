"""Which uses of a variable may give it a value though nothing is assigned to it: ``sort($xs)``, ``$a = &$xs``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.grammar import FUNCTIONS

if TYPE_CHECKING:
    from tree_sitter import Node

#: Functions of the language that take a reference.
_BUILTIN = frozenset(
    """
    array_multisort array_pop array_push array_shift array_splice array_unshift array_walk
    array_walk_recursive arsort asort current dns_get_mx each end exec extract fscanf fsockopen getimagesize
    getopt headers_sent is_callable key krsort ksort list mb_convert_variables mb_parse_str natcasesort
    natsort next openssl_sign parse_str passthru preg_match preg_match_all preg_replace preg_replace_callback
    preg_replace_callback_array prev proc_open reset rsort settype shuffle similar_text sort sscanf
    stream_select str_ireplace str_replace system uasort uksort unset usort
    """.split()
)
_CALLS = frozenset(
    {
        *("function_call_expression", "member_call_expression", "nullsafe_member_call_expression"),
        *("scoped_call_expression", "object_creation_expression"),
    }
)
_INCLUDES = tuple(f"{word}{once}_expression" for word in ("include", "require") for once in ("", "_once"))
#: What binds a variable to another place than those of its function, or to one that stays.
_BINDING = frozenset({"global_declaration", "function_static_declaration", "reference_assignment_expression", "by_ref"})


class References:
    """The references of one file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def may_rebind(self, span: Span) -> bool:
        """Whether a use of a variable may give it a value. ``span`` is that of its name."""
        start, end = map(self._tree.byte, span)
        node = self._tree.root.named_descendant_for_byte_range(start, end)
        while node is not None and node.type in ("name", "variable_name"):
            node = node.parent
        if node is None:
            return False
        if node.type == "binary_expression":
            return False
        if node.type in _BINDING or any(child.type in ("&", "reference_modifier") for child in node.children):
            return True
        if node.type == "static_variable_declaration":
            return True
        if node.type == "argument" and node.parent is not None and node.parent.parent is not None:
            return self._takes_reference(node.parent.parent)
        return False

    def _takes_reference(self, call: Node) -> bool:
        """Whether a call may take an argument by reference."""
        if call.type not in _CALLS:
            return False
        callee = call.child_by_field_name("function") or call.child_by_field_name("name")
        made = call.type == "object_creation_expression"
        if made:
            name = "__construct"
        elif callee is None or callee.type not in ("name", "qualified_name"):
            return "" in self._taking or self._loads
        else:
            name = self._tree.text(callee).rpartition("\\")[2].lower()
        if name in self._declared:
            return name in self._taking
        return (name in _BUILTIN and not made) or self._loads

    @cached_property
    def _loads(self) -> bool:
        """Whether other files may declare what is called here."""
        return bool(self._tree.find_nodes(*_INCLUDES))

    @cached_property
    def _declared(self) -> frozenset[str]:
        return frozenset(self._tree.read(node).lower() for node in self._tree.find_nodes(*FUNCTIONS))

    @cached_property
    def _taking(self) -> frozenset[str]:
        """The functions that take a reference; empty stands for those without a name."""
        return frozenset(
            self._tree.read(node).lower()
            for node in self._tree.find_nodes(*FUNCTIONS)
            for parameters in node.children
            if parameters.type == "formal_parameters"
            for each in parameters.named_children
            if each.child_by_field_name("reference_modifier") is not None
        )
