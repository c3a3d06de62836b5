"""Finds every name of a PHP program, and the scope that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import BindingKind, Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.frames import Evidence, Gathered, PHPFrame
from pytest_codereason.languages.php.syntax.grammar import CLASSES, FUNCTIONS
from pytest_codereason.languages.php.syntax.tree import (
    is_word,
    list_children,
    read_string,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: Variables that PHP itself provides.
PROVIDED = frozenset(
    {
        "this",
        "GLOBALS",
        "_SERVER",
        "_GET",
        "_POST",
        "_FILES",
        "_COOKIE",
        "_SESSION",
        "_REQUEST",
        "_ENV",
        "argc",
        "argv",
        "http_response_header",
    }
)
_PARAMETERS = frozenset({"simple_parameter", "variadic_parameter", "property_promotion_parameter"})
_INTERPOLATION = frozenset({"encapsed_string", "heredoc_body", "shell_command_expression"})
#: Where a name on its own is that of a class: all the names in it, or the first.
_CLASS_NAMES = frozenset(
    {
        "base_clause",
        "class_interface_clause",
        "use_declaration",
        "named_type",
        "object_creation_expression",
        "attribute",
        "use_instead_of_clause",
    }
)
_CLASS_FIRST = frozenset(
    {"class_constant_access_expression", "scoped_call_expression", "scoped_property_access_expression"}
)
_BASES = frozenset({"base_clause", "class_interface_clause"})


def gather_names(tree: Tree, call: Tree | None, owners: Mapping[int, str]) -> Gathered:
    """The names of a program and of its entry call. ``owners`` are the qualified names of its functions."""
    walk = _PHPWalk(owners)
    walk.walk(tree, called=False)
    if call is not None:
        walk.walk(call, called=True)
    return Gathered(walk.root, walk.frames, walk.references, walk.passed, walk.facts)


class _PHPWalk:
    """A walk over a program. Each ``on_...`` returns whether the walk visits the node's children."""

    def __init__(self, owners: Mapping[int, str]) -> None:
        self.owners = owners
        self.root = Scope("")
        self.top = PHPFrame(self.root)
        self.frames = [self.top]
        self.facts = Evidence()
        self.references: list[tuple[str, Use]] = []
        self.passed: list[tuple[str, str, Use]] = []

    def walk(self, tree: Tree, *, called: bool) -> None:
        self.tree, self.called, kinds = tree, called, tree.kinds
        stack: list[tuple[Node, Node | None, PHPFrame]] = [(tree.root, None, self.top)]
        while stack:
            node, parent, frame = stack.pop()
            kind = kinds[node.kind_id]
            if kind in FUNCTIONS:
                frame = self._open(node, frame)
            else:
                visit = _VISITS.get(kind)
                if visit is not None and not visit(self, node, parent, frame):
                    continue
            if children := node.children:
                stack += [(child, node, frame) for child in reversed(children) if child.is_named or child.child_count]

    def _use(self, node: Node, template: str = "{}") -> Use:
        return Use(self.tree.span(node), template, self.called)

    def _open(self, node: Node, frame: PHPFrame) -> PHPFrame:
        name = node.child_by_field_name("name")
        key = ""
        if node.type == "function_definition" and name is not None:
            key = "f:" + self.tree.text(name).lower()
        inner = PHPFrame(frame.scope.open(self.owners.get(node.id)), frame, node.type == "arrow_function", key)
        self.frames.append(inner)
        if key and name is not None:
            self._declare(key, "function", name)
        return inner

    def _declare(self, key: str, kind: BindingKind, node: Node, template: str = "{}") -> ScopedName:
        declared = self.root.declare(key, kind, self._use(node, template))
        if declared.name == key:
            declared.name = self.tree.text(node)
        return declared

    def on_parameter(self, node: Node, _parent: Node | None, frame: PHPFrame) -> bool:
        if (name := node.child_by_field_name("name")) is not None:
            promoted = node.type == "property_promotion_parameter"
            text = self.tree.text(name.named_children[-1] if name.named_children else name)
            frame.parameters[text] = "it is a property too" if promoted else ""
        return True

    def on_variable(self, node: Node, parent: Node | None, frame: PHPFrame) -> bool:
        name = node.named_children[0]
        text = self.tree.text(name)
        if parent is not None:
            if parent.type == "property_element":
                return False
            if parent.type == "scoped_property_access_expression" and parent.child_by_field_name("name") == node:
                return False
            if parent.type == "global_declaration":
                frame.globals.add(text)
            elif parent.type == "anonymous_function_use_clause":
                frame.captured.add(text)
            elif parent.type == "by_ref" and parent.parent is not None:
                if parent.parent.type == "anonymous_function_use_clause":
                    frame.captured.add(text)
            elif parent.type == "function_call_expression":
                self.facts.calls_values = True
        if text == "GLOBALS":
            self._visit_globals(node, parent)
        elif text not in PROVIDED:
            frame.mentions.append((text, self._use(name)))
        return False

    def _visit_globals(self, node: Node, parent: Node | None) -> None:
        if parent is not None and parent.type == "subscript_expression":
            key = list_children(parent)[-1]
            text = read_string(key, self.tree)
            if text is not None and is_word(text) and text not in PROVIDED:
                self.top.mentions.append((text, self._use(key.named_children[0])))
                return
        self.facts.all_globals = True

    def on_dynamic_variable(self, node: Node, parent: Node | None, frame: PHPFrame) -> bool:
        name = list_children(node)[0]
        if name.type == "subscript_expression":
            name = list_children(name)[0]
        if name.type == "name" and parent is not None and parent.type in _INTERPOLATION:
            frame.mentions.append((self.tree.text(name), self._use(name)))
            return True
        of_class = parent is not None and parent.type == "scoped_property_access_expression"
        if not (of_class and parent is not None and parent.child_by_field_name("name") == node):
            frame.dynamic = frame.dynamic or "a variable is reached by a name that is worked out"
        return True

    def on_class(self, node: Node, _parent: Node | None, _frame: PHPFrame) -> bool:
        if (name := node.child_by_field_name("name")) is not None:
            key = self.tree.text(name).lower()
            self._declare("c:" + key, "class", name)
            bases = {
                self.tree.text(n).split("\\")[-1].lower()
                for c in node.children
                if c.type in _BASES
                for n in list_children(c)
            }
            self.facts.ancestors.setdefault(key, set()).update(bases)
        return True

    def on_import(self, node: Node, parent: Node | None, _frame: PHPFrame) -> bool:
        grouped = parent is not None and parent.type == "namespace_use_group"
        outer = parent.parent if grouped and parent is not None else parent
        kinds = [c.type for n in (node, outer) if n is not None for c in n.children if c.type in ("function", "const")]
        path = list_children(node)
        if not path or "const" in kinds:
            return False
        alias = node.child_by_field_name("alias")
        last = path[0] if path[0].type == "name" else list_children(path[0])[-1]
        key = ("f:" if kinds else "c:") + self.tree.text(alias or last).lower()
        if alias is not None:
            self._declare(key, "import", alias)
        else:
            self._declare(key, "import", last, self.tree.text(last) + " as {}")
        return False

    def on_name(self, node: Node, parent: Node | None, frame: PHPFrame) -> bool:
        text = self.tree.text(node)
        kind = parent.type if parent is not None else ""
        self.facts.called.add(text.lower())
        if parent is not None and self._is_class(node, parent, kind):
            self.references.append(("c:" + text.lower(), self._use(node)))
        elif kind == "function_call_expression":
            self.references.append(("f:" + text.lower(), self._use(node)))
        elif kind in ("goto_statement", "named_label_statement"):
            frame.scope.declare("l:" + text, "label", self._use(node)).name = text
        else:
            self._asks(node, parent, frame, text.lower())
        return False

    def _is_class(self, node: Node, parent: Node, kind: str) -> bool:
        if kind in _CLASS_FIRST:
            return bool(list_children(parent)[0] == node)
        if kind == "binary_expression":
            return any(c.type == "instanceof" for c in parent.children) and list_children(parent)[-1] == node
        return kind in _CLASS_NAMES

    def _asks(self, node: Node, parent: Node | None, frame: PHPFrame, text: str) -> None:
        """Notes that the program asks for one of its own names."""
        if text in ("__function__", "__method__"):
            asking: PHPFrame | None = frame
            while asking is not None:
                self.facts.told.add(asking.function)
                asking = asking.parent
        elif text == "class" and parent is not None and parent.type == "class_constant_access_expression":
            first = list_children(parent)[0]
            self.facts.asked.add(self.tree.text(first).lower() if first.type == "name" else "")

    def on_qualified(self, node: Node, parent: Node | None, _frame: PHPFrame) -> bool:
        text = self.tree.text(node)
        first, last = list_children(node)[0], list_children(node)[-1]
        if text.count("\\") == 1 and text.startswith("\\") and last.type == "name":
            # The program's own where it is in no namespace; that is known at the end.
            prefix = "f:" if parent is not None and parent.type == "function_call_expression" else "c:"
            self.references.append(("\\" + prefix + self.tree.text(last).lower(), self._use(last)))
            self.facts.called.add(self.tree.text(last).lower())
        else:
            self.facts.qualified.add(text.rsplit("\\", 1)[-1].lower())
            if not text.startswith("\\") and first.type == "namespace_name":
                start = list_children(first)[0]
                self.references.append(("c:" + self.tree.text(start).lower(), self._use(start)))
        return False

    def on_namespace(self, node: Node, _parent: Node | None, _frame: PHPFrame) -> bool:
        self.facts.namespaces += 1
        return True

    def on_path(self, _node: Node, _parent: Node | None, _frame: PHPFrame) -> bool:
        return False

    def on_string(self, node: Node, _parent: Node | None, _frame: PHPFrame) -> bool:
        text = read_string(node, self.tree)
        self.facts.strings.add(text if text is not None else self.tree.text(node)[1:-1].replace("\\\\", "\\"))
        return node.type != "string"

    def on_call(self, node: Node, _parent: Node | None, frame: PHPFrame) -> bool:
        callee = node.child_by_field_name("function")
        if callee is None or callee.type not in ("name", "qualified_name", "relative_name"):
            self.facts.calls_values = True
            return True
        name = self.tree.text(callee).split("\\")[-1].lower()
        if name == "compact":
            self._visit_compact(node, frame)
        elif name in ("extract", "get_defined_vars", "parse_str", "mb_parse_str"):
            frame.dynamic = frame.dynamic or f"{name} is called in the same function"
        elif name == "eval":
            self.facts.evaluates = True
            frame.dynamic = frame.dynamic or "eval is called in the same function"
        elif name in ("call_user_func", "call_user_func_array", "forward_static_call", "forward_static_call_array"):
            self.facts.calls_values = self.facts.spreads = True
        return True

    def _visit_compact(self, node: Node, frame: PHPFrame) -> None:
        stack = [n for n in (node.child_by_field_name("arguments"),) if n is not None]
        while stack:
            inner = stack.pop()
            if inner.type in ("arguments", "argument", "array_creation_expression", "array_element_initializer"):
                stack.extend(list_children(inner))
            elif (text := read_string(inner, self.tree)) is None:
                frame.dynamic = frame.dynamic or "compact is called in the same function"
            else:
                frame.compacted.add(text)

    def on_include(self, _node: Node, _parent: Node | None, frame: PHPFrame) -> bool:
        self.facts.includes = True
        frame.dynamic = frame.dynamic or "another file is included in the same function"
        return True

    def on_argument(self, node: Node, parent: Node | None, _frame: PHPFrame) -> bool:
        name = node.child_by_field_name("name")
        if name is None or parent is None or parent.parent is None:
            return True
        text = self.tree.text(name)
        self.facts.arguments.add(text)
        callee = parent.parent.child_by_field_name("function")
        if callee is not None and callee.type == "name":
            self.passed.append(("f:" + self.tree.text(callee).lower(), text, self._use(name)))
        else:
            self.facts.named.add(text)
        return True

    def on_spread(self, _node: Node, _parent: Node | None, _frame: PHPFrame) -> bool:
        self.facts.spreads = True
        return True


PHPVisit = Callable[[_PHPWalk, "Node", "Node | None", PHPFrame], bool]
#: What is done at a node of each type; what it gives says whether the walk goes on below.
_VISITS: dict[str, PHPVisit] = {
    **dict.fromkeys(_PARAMETERS, _PHPWalk.on_parameter),
    **dict.fromkeys(CLASSES, _PHPWalk.on_class),
    **dict.fromkeys(("string", "encapsed_string"), _PHPWalk.on_string),
    **dict.fromkeys(("qualified_name", "relative_name"), _PHPWalk.on_qualified),
    **dict.fromkeys(("include_expression", "include_once_expression"), _PHPWalk.on_include),
    **dict.fromkeys(("require_expression", "require_once_expression"), _PHPWalk.on_include),
    **dict.fromkeys(("namespace_name", "comment"), _PHPWalk.on_path),
    "variable_name": _PHPWalk.on_variable,
    "dynamic_variable_name": _PHPWalk.on_dynamic_variable,
    "namespace_use_clause": _PHPWalk.on_import,
    "namespace_definition": _PHPWalk.on_namespace,
    "name": _PHPWalk.on_name,
    "function_call_expression": _PHPWalk.on_call,
    "argument": _PHPWalk.on_argument,
    "variadic_unpacking": _PHPWalk.on_spread,
}
