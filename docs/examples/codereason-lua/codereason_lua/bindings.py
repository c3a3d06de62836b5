from pytest_codereason.core.language.structure import Use
from pytest_codereason.languages.frame.scopes import Scope, resolve_bindings

FUNCTIONS = ("function_declaration", "function_definition")


class Resolver:
    """Walks over a program and declares and refers names. A local is seen behind its statement only."""

    def __init__(self, owners):
        self.owners, self.root = owners, Scope("")

    def resolve(self, tree, call, taken):
        self.in_call, self.tree = False, tree
        last = self.walk_all(tree.root.named_children, self.root)
        if call is not None:  # the call stands behind the program and sees its locals
            self.in_call, self.tree = True, call
            self.walk_all(call.root.named_children, last)
        for scope in self.root.all() if "debug" in taken else [self.root] if taken & {"_G", "_ENV", "load"} else []:
            for name in scope.names.values():
                name.taint("it may be looked up by its name")
        return resolve_bindings(self.root)

    def use(self, node):
        return self.tree.text(node), Use(self.tree.span(node), "{}", self.in_call)

    def declare(self, nodes, scope, kind):
        for node in nodes:
            if node.type == "identifier":
                name, use = self.use(node)
                scope.declare(name, kind, use)

    def walk_all(self, nodes, scope):
        for node in nodes:
            scope = self.walk(node, scope)
        return scope

    def walk(self, node, scope):
        """Walks over a node, and gives back the scope of what stands behind it."""
        kind, children = node.type, node.named_children
        if kind == "identifier":
            scope.refer(*self.use(node))
        elif kind in FUNCTIONS:
            return self.walk_function(node, scope)
        elif kind == "variable_declaration":
            inside = children[0].named_children if children[0].type == "assignment_statement" else children
            self.walk_all(inside[1:], scope)
            scope = scope.open()
            self.declare(inside[0].children_by_field_name("name"), scope, "variable")
        elif kind == "for_statement":
            clause = node.child_by_field_name("clause")
            names = clause if clause.type == "for_numeric_clause" else clause.named_children[0]
            declared = names.children_by_field_name("name")
            self.walk_all([child for child in clause.named_children if child not in (*declared, names)], scope)
            inner = scope.open()
            self.declare(declared, inner, "variable")
            self.walk_all(children[1:], inner)
        elif kind in ("block", "repeat_statement", "chunk"):
            inner = scope.open()
            for child in children:  # the condition of `repeat` sees the locals of its block
                inner = self.walk_all(child.named_children, inner) if child.type == "block" else self.walk(child, inner)
        elif kind in ("dot_index_expression", "method_index_expression"):
            self.walk(children[0], scope)  # the field is no variable
        elif kind == "field" and node.children[0].type == "identifier" and len(children) > 1:
            self.walk_all(children[1:], scope)
        elif kind not in ("goto_statement", "label_statement", "attribute"):
            self.walk_all(children, scope)
        return scope

    def walk_function(self, node, scope):
        name = node.child_by_field_name("name")
        if name is not None and any(child.type == "local" for child in node.children):
            scope = scope.open()
            self.declare([name], scope, "function")
        elif name is not None and name.type == "identifier":
            self.declare_global(name, scope)
        elif name is not None:
            self.walk(name, scope)
        inner = scope.open(self.owners.get(node.id, scope.function))
        parameters = node.child_by_field_name("parameters")
        self.declare(parameters.named_children, inner, "parameter")
        if (body := node.child_by_field_name("body")) is not None:
            self.walk_all(body.named_children, inner)
        return scope

    def declare_global(self, name, scope):
        text, use = self.use(name)
        if scope.lookup(text) is None:
            self.root.declare(text, "function", use)
        else:
            scope.refer(text, use)
