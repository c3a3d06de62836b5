"""Finds every name of a Python program in its scope, and the facts that decide whether it can be renamed.

One pass over the tree. It follows the rules of the language reference, "Naming and binding": a comprehension is a
scope whose first iterable is evaluated outside, a walrus inside it binds outside; defaults, decorators and
annotations belong to what surrounds a function; functions inside a class do not see the class's names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Use
from pytest_codereason.languages.frame.scopes import Scope
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.binder import BLANK, CONSTANT_EVALS, Binder, is_alias
from pytest_codereason.languages.python.syntax.entry_calls import EntryCall
from pytest_codereason.languages.python.syntax.names import Call, Callee

if TYPE_CHECKING:
    from tree_sitter import Node

COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
#: How a string without a prefix begins.
_QUOTES = frozenset(b"\"'")


class PythonResolver(Binder):
    """Reads trees into :class:`Names`. An explicit stack allows deep nesting."""

    def __init__(self) -> None:
        super().__init__()
        self._decorators: dict[int, tuple[str, ...]] = {}  #: of each definition, the last part of each name
        self._given: dict[int, str] = {}  #: of each lambda that is an argument, the function called
        self._comprehensions: set[Scope] = set()

    def read(self, tree: Tree, in_call: bool) -> None:
        """Walks a whole tree, program or entry call."""
        self._tree, self._in_call = tree, in_call
        stack, handler_of, kinds = self._stack, _HANDLERS.get, tree.kinds
        stack.append((tree.root, self.names.root))
        while stack:
            node, scope = stack.pop()
            handler = handler_of(kinds[node.kind_id])
            if handler is None:
                for child in reversed(node.named_children):
                    stack.append((child, scope))
            else:
                handler(self, node, scope)

    def read_call(self, call: EntryCall) -> None:
        """Reads the names of an entry call."""
        if call.tree is not None:
            self.read(call.tree, in_call=True)
            return
        span = Span(0, len(call.name))
        self._words.add(call.name)
        self.names.called.add((True, span))
        self.names.root.refer(call.name, Use(span, in_call=True))

    # What nodes mean. Whatever has no method here is walked through.

    def _skip(self, node: Node, scope: Scope) -> None:
        pass

    _on_identifier = Binder._refer

    def _on_string(self, node: Node, scope: Scope) -> None:
        if self._tree.bytes[node.start_byte] not in _QUOTES:  # a prefix: expressions may stand inside
            self._push(scope, *node.named_children)

    def _on_attribute(self, node: Node, scope: Scope) -> None:
        self._read_attribute(node, scope)

    _on_member_type = _on_attribute

    def _read_attribute(self, node: Node, scope: Scope) -> str:
        """Reads ``xs.sort`` and returns ``sort``."""
        children = node.named_children
        name = self._text(children[-1])
        self.names.attributes.add(name)
        self._stack.append((children[0], scope))
        return name

    def _on_assignment(self, node: Node, scope: Scope) -> None:
        left, *rest = self._list_parts(node)
        annotation = rest.pop(0) if self._tree.kinds[rest[0].kind_id] == "type" else None
        right = rest[0] if rest else None
        self._push(scope, right)
        self._visit_annotation(annotation, scope)
        if right is None and left.type == "tuple_pattern":
            self._push(scope, left)  # ``(x): int`` declares nothing
        else:
            self._assign(left, scope)

    def _on_augmented_assignment(self, node: Node, scope: Scope) -> None:
        if scope in self.names.classes and (left := self._list_parts(node)[0]).type == "identifier":
            self._refer(left, scope)  # a class reads the global of that name first
        self._on_assignment(node, scope)

    def _on_delete_statement(self, node: Node, scope: Scope) -> None:
        for child in node.named_children:
            self._assign(child, scope)

    def _on_for_statement(self, node: Node, scope: Scope) -> None:
        left, *rest = self._list_parts(node)
        self._assign(left, scope)
        self._push(scope, *rest)

    def _on_as_pattern(self, node: Node, scope: Scope) -> None:
        *value, alias = node.named_children
        self._assign(alias, scope)
        self._push(scope, *value)

    def _on_named_expression(self, node: Node, scope: Scope) -> None:
        home = scope
        while home in self._comprehensions and home.parent is not None:
            home = home.parent
        name, value = node.named_children[0], node.named_children[-1]
        self._bind(name, home)
        self._push(scope, value)

    def _on_global_statement(self, node: Node, scope: Scope) -> None:
        for child in self._list_parts(node):
            name = self._text(child)
            if scope is not self.names.root:
                scope.elsewhere[name] = self.names.root
            self._bind(child, scope)

    def _on_nonlocal_statement(self, node: Node, scope: Scope) -> None:
        home = scope.parent or scope
        while home in self.names.classes and home.parent is not None:
            home = home.parent
        for child in self._list_parts(node):
            scope.elsewhere[self._text(child)] = home
            self._bind(child, scope)

    def _on_import_statement(self, node: Node, scope: Scope) -> None:
        for child in self._list_parts(node):
            if child.type == "aliased_import":
                self._text(child.named_children[0])
                self._bind(child.named_children[-1], scope, "import")
                continue
            first = child.named_children[0]
            dotted = child.named_child_count > 1
            self._bind(first, scope, "import", "{}" if dotted else f"{self._tree.text(first)} as {{}}")
            if dotted:
                self._taint(self._text(first), scope, "imported with a dot")

    def _on_import_from_statement(self, node: Node, scope: Scope) -> None:
        module, *children = self._list_parts(node)
        self._text(module)
        for child in children:
            if child.type == "aliased_import":
                self._text(child.named_children[0])
                self._bind(child.named_children[-1], scope, "import")
            elif child.type == "dotted_name":
                self._bind(child, scope, "import", f"{self._tree.text(child)} as {{}}")
            elif child.type == "wildcard_import":
                self.names.star = True

    _on_future_import_statement = _skip

    def _on_decorated_definition(self, node: Node, scope: Scope) -> None:
        *decorators, definition = self._list_parts(node)
        texts = [self._tree.text(self._list_parts(decorator)[0]) for decorator in decorators]
        self._decorators[definition.id] = tuple(t.partition("(")[0].rpartition(".")[2].strip() for t in texts)
        self._push(scope, *decorators, definition)

    def _on_class_definition(self, node: Node, scope: Scope) -> None:
        name = node.child_by_field_name("name")
        assert name is not None
        bases = node.child_by_field_name("superclasses")
        declared = self._bind(name, scope, "class")
        if declared is not None and (node.id in self._decorators or (bases is not None and bases.named_child_count)):
            declared.taint("class with bases or decorators, which may show its name")
        outer = self._open_type_parameters(node.child_by_field_name("type_parameters"), scope)
        inner = outer.open(self._qualified(scope, name), transparent=False)
        self.names.classes.add(inner)
        self._push(inner, node.child_by_field_name("body"))
        if bases is not None:
            self._visit_arguments(bases, outer, "", "")

    def _on_function_definition(self, node: Node, scope: Scope) -> None:
        kinds = self._tree.kinds
        parts = {kinds[child.kind_id]: child for child in node.named_children}
        name = parts["identifier"]
        declared = self._bind(name, scope, "function")
        outer = self._open_type_parameters(parts.get("type_parameter"), scope)
        inner = outer.open(self._qualified(scope, name))
        callee = Callee(inner, declared, decorators=self._decorators.get(node.id, ()))
        callee.method = self._text(name) if scope in self.names.classes else ""
        self.names.callees.append(callee)
        self._push(inner, parts["block"])
        self._visit_annotation(parts.get("type"), outer)
        self._declare_parameters(parts["parameters"], outer, callee)

    def _on_lambda(self, node: Node, scope: Scope) -> None:
        callee = Callee(scope.open(), None, given_to=self._given.get(node.id, ""))
        self.names.callees.append(callee)
        self._push(callee.scope, node.child_by_field_name("body"))
        self._declare_parameters(node.child_by_field_name("parameters"), scope, callee)

    def _on_type_alias_statement(self, node: Node, scope: Scope) -> None:
        left, right = self._list_parts(node)
        left_name = left.named_children[0]
        if not is_alias(node):  # ``type(x).y = z``, which the grammar takes for one
            self._taint("type", scope, "called where the grammar sees a keyword")
            self._push(scope, left_name, right)
            return
        parameters = None
        if left_name.type == "generic_type":
            left_name, parameters = left_name.named_children
        name = self._bind(left_name, scope)
        if name is not None:
            name.taint("type alias, which shows its name")
        self._push(self._open_type_parameters(parameters, scope), right)

    def _on_case_pattern(self, node: Node, scope: Scope) -> None:
        for child in node.named_children:
            self._declare_pattern(child, scope)

    def _on_call(self, node: Node, scope: Scope) -> None:
        children, kinds = node.named_children, self._tree.kinds
        function, arguments = children[0], children[-1]
        callee = self._tree.text(function) if kinds[function.kind_id] == "identifier" else ""
        if callee == "eval" and self._tree.text(node) in CONSTANT_EVALS:
            self._refer_unseen(function, scope)
            self._push(scope, *arguments.named_children)
            return
        receiver = ""
        if callee:
            receiver = callee = self._text(function)
            self.names.called.add((self._in_call, self._tree.span(function)))
            self._refer(function, scope)
        elif kinds[function.kind_id] == "attribute":
            receiver = self._read_attribute(function, scope)
        else:
            self._stack.append((function, scope))
        if kinds[arguments.kind_id] == "argument_list":
            self._visit_arguments(arguments, scope, callee, receiver)
            if callee in {"vars", "dir"} and not arguments.named_child_count:
                self.names.watched.append((scope, callee))
        else:
            self._push(scope, arguments)

    def _on_interpolation(self, node: Node, scope: Scope) -> None:
        """``f"{x = }"`` writes the text of the expression."""
        self._push(scope, *node.named_children)
        if any(child.type == "=" for child in node.children):
            stack = [node]
            while stack:
                inner = stack.pop()
                if inner.type == "identifier":
                    self._taint(self._text(inner), scope, "written out by an f-string")
                stack.extend(inner.named_children)

    # Parts of those.

    def _visit_arguments(self, arguments: Node, scope: Scope, callee: str, receiver: str) -> None:
        keywords: list[tuple[str, Use]] = []
        spread = False
        values, kinds = [], self._tree.kinds
        for argument in arguments.named_children:
            child, kind = argument, kinds[argument.kind_id]
            if kind == "keyword_argument":
                name, child = argument.named_children[0], argument.named_children[-1]
                kind = kinds[child.kind_id]
                keywords.append((self._text(name), self._use(name)))
            elif kind == "dictionary_splat":
                spread = True
            if kind == "identifier":
                self.names.given[self._in_call, self._tree.span(child)] = receiver
            elif kind == "lambda":
                self._given[child.id] = receiver
            values.append((child, scope))
        self._stack += reversed(values)
        if callee:
            if keywords or spread:
                self.names.calls.append(Call(scope, callee, tuple(keywords), spread))
        else:
            self.names.loose |= {name for name, _ in keywords}
            self.names.spread |= spread

    def _declare_parameters(self, node: Node | None, outer: Scope, callee: Callee) -> None:
        kinds, positional = self._tree.kinds, set[str]()
        named = False  # whether what follows can only be given by name
        for child in node.named_children if node is not None else ():
            name, kind = child, kinds[child.kind_id]
            by_name = True
            default = kind in {"default_parameter", "typed_default_parameter"}
            if default:
                name = child.named_children[0]
                self._push(outer, child.named_children[-1])
            if kind in {"typed_parameter", "typed_default_parameter"}:
                name = child.named_children[0]
                self._visit_annotation(child.child_by_field_name("type"), outer)
            if kinds[name.kind_id] in {"list_splat_pattern", "dictionary_splat_pattern"}:
                name, by_name, named = name.named_children[0], False, True
            if kind == "keyword_separator":
                named = True
            elif kind == "positional_separator":
                positional |= callee.keywords
            elif kinds[name.kind_id] == "identifier":
                self._bind(name, callee.scope, "parameter")
                if by_name:
                    callee.keywords.add(self._text(name))
                    callee.optional |= {self._text(name)} if default or named else set()
                bound = callee.method and "staticmethod" not in callee.decorators
                if bound and len(callee.scope.names) == 1:
                    positional.add(self._text(name))  # ``self``: given by what stands before the dot
        callee.keywords -= positional

    def _open_type_parameters(self, node: Node | None, outer: Scope) -> Scope:
        if node is None:
            return outer
        inner = outer.open()
        for child in node.named_children:
            name = child
            while name.type != "identifier":
                name, *bounds = name.named_children
                self._push(inner, *bounds)
            if declared := self._bind(name, inner):
                declared.taint("type parameter, which shows its name")
        return inner

    def _visit_annotation(self, node: Node | None, scope: Scope) -> None:
        if node is None:
            return
        self._push(scope, node)
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.type == "string":
                self.names.annotations.append((scope, self._tree.text(inner)))
            stack.extend(inner.named_children)

    def _visit_comprehension(self, node: Node, scope: Scope) -> None:
        inner = scope.open()
        self._comprehensions.add(inner)
        body, *clauses = self._list_parts(node)
        self._push(inner, body)
        home = scope  # the first iterable is evaluated outside
        for clause in clauses:
            if clause.type == "for_in_clause":
                self._assign(clause.child_by_field_name("left"), inner)
                self._push(home, clause.child_by_field_name("right"))
                home = inner
            else:
                self._push(inner, clause)

    def _declare_pattern(self, node: Node, scope: Scope) -> None:
        if node.type == "dotted_name":  # a capture, or a value where it has a dot
            if node.named_child_count == 1:
                self._bind(node.named_children[0], scope)
            else:
                self._push(scope, node.named_children[0])
        elif node.type == "class_pattern":
            name, *patterns = node.named_children
            self._push(scope, name.named_children[0])
            for pattern in patterns:
                self._declare_pattern(pattern, scope)
        elif node.type == "keyword_pattern":
            self.names.attributes.add(self._text(node.named_children[0]))
            for pattern in node.named_children[1:]:
                self._declare_pattern(pattern, scope)
        elif node.type == "identifier":
            self._bind(node, scope)
        else:
            for child in node.named_children:
                self._declare_pattern(child, scope)


#: Literals without anything inside, of which the arguments of an entry call are full.
_LEAVES = ("integer", "float", "true", "false", "none", "string_start", "string_end", "escape_sequence")


def _list_handlers() -> Mapping[str, Callable[[PythonResolver, Node, Scope], None]]:
    """What reads each type of node."""
    kind = PythonResolver
    return {
        **{name[4:]: method for name, method in vars(kind).items() if name.startswith("_on_")},
        **dict.fromkeys(COMPREHENSIONS, kind._visit_comprehension),
        **dict.fromkeys(("typed_parameter", "typed_default_parameter", "string_content", *_LEAVES, *BLANK), kind._skip),
    }


_HANDLERS = _list_handlers()
