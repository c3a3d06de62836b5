"""Reads the call sites of Python programs."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from pytest_codereason.core.language.calls import CallFacts, Calls, ClassFacts, FunctionFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    CallResult,
    ClassValue,
    Expression,
    FileValue,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
)
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.call_facts import Collector, pass_values
from pytest_codereason.languages.python.bodies import list_definitions, name_module, parse_file
from pytest_codereason.languages.python.call_expressions import PythonExpressions, list_parameters

_Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Decorators that change how a function is reached, and not which function it is.
_PLAIN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "override", "final", "overload", "wraps"}
)
_GETTERS = frozenset({"property", "cached_property", "setter", "getter", "deleter"})
#: Functions of the library that keep a function and do not call it before they return.
_KEEPERS = frozenset(
    "append add insert extend update setdefault put register signal Thread Timer Process partial submit wraps "
    "isinstance issubclass type callable id repr print create_task gather field TypeVar cast "
    "signature getsource hasattr getattr setattr super".split()
)


class PythonCalls(Calls):
    """Reads Python by its own parser.

    A variable may hold whatever any statement gives it, in whatever order. A class body's calls are those of the
    function or file around it, as in a trace.
    """

    def read(self, files: Mapping[str, str], entry: str) -> CallFacts:
        """What the text shows."""
        trees = {file: parse_file(file, text) for file, text in files.items() if file == entry or file.endswith(".py")}
        modules = {name_module(file) for file in trees}
        nodes = [node for tree in trees.values() for node in ast.walk(tree)]
        defined = {node.name for node in nodes if isinstance(node, _Function)}
        getters = {node.name for node in nodes if isinstance(node, _Function) and _list_words(node) & _GETTERS}
        collector = Collector()
        for file, tree in trees.items():
            try:
                _FileReader(file, files[file], tree, modules, defined, getters, collector).read_file()
            except RecursionError as error:
                raise DoesNotParse(f"{file}: nested too deeply") from error
        return collector.finish(
            constructors=("__new__", "__init__", "__post_init__"),
            calling="__call__",
            keepers=_KEEPERS,
            forwarders=frozenset({"__call__", "__get__", "__wrapped__", "__func__"}),
        )


def _list_words(node: _Function | ast.ClassDef) -> set[str]:
    """The last words of a definition's decorators: ``setter`` for ``@total.setter``."""
    words = set()
    for decorator in node.decorator_list:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        words.add(named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else "")
    return words


class _FileReader(PythonExpressions):
    """Walks through the statements of one file."""

    def __init__(
        self,
        file: str,
        text: str,
        tree: ast.Module,
        modules: set[str],
        defined: set[str],
        getters: set[str],
        collector: Collector,
    ) -> None:
        module = name_module(file)
        super().__init__(file, text, module, dict(list_definitions(tree, module)), defined, getters, collector)
        self._tree = tree
        self._module = module
        self._package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
        self._modules = modules
        self._elsewhere: dict[tuple[str, str], str] = {}  # the scope of a name that is global or nonlocal

    def read_file(self) -> None:
        """Reads all statements."""
        self.collector.scopes[self._module] = ""
        self._read_statements(self._tree.body)

    def _read_statements(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._read_statement(statement)

    def _read_statement(self, node: ast.stmt) -> None:  # noqa: PLR0912 - one case for each kind of statement
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define_function(node)
            case ast.ClassDef():
                self._define_class(node)
            case ast.Return(value=value):
                if value is not None:
                    self.results.append(self.read(value))
            case ast.Assign(targets=targets, value=value):
                given = self.read(value)
                for target in targets:
                    self.assign(target, given)
            case ast.AnnAssign(target=target, value=value, annotation=annotation):
                if value is not None:
                    self.assign(target, self.read(value))
                elif isinstance(target, ast.Name):
                    self.bind_name(target.id, self.read_type(annotation), fallback=True)
            case ast.AugAssign(target=target, value=value, op=op):
                given = self.read(value)
                stored = self.read_operator(node, op, self.read_stored(target), given, self.read_text(target), aug=True)
                self.assign(target, stored)
            case ast.For() | ast.AsyncFor():
                self.assign(node.target, self.iterate(node.iter))
                self._read_body(node)
            case ast.With() | ast.AsyncWith():
                self._read_with(node)
            case ast.Import(names=names):
                for alias in names:
                    module = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.bind_name(alias.asname or module, self._import(module))
            case ast.ImportFrom():
                self._read_import_from(node)
            case ast.Global(names=words):
                self._elsewhere.update({(self.scope, word): self._module for word in words})
            case ast.Nonlocal(names=words):
                self._elsewhere.update({(self.scope, word): self.collector.scopes[self.scope] for word in words})
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Subscript):
                        self.read(target.slice)
                        self.call_special(target, "operator", self.read(target.value), "__delitem__")
            case ast.Match():
                self._read_match(node)
            case ast.If(test=test) | ast.While(test=test):
                self.read_truth(test)
                self._read_body(node)
            case ast.Assert(test=test, msg=message):
                self.read_truth(test)
                if message is not None:
                    self.read(message, conditional=True)
            case _:
                self._read_rest(node)

    def _read_body(self, node: ast.If | ast.While | ast.For | ast.AsyncFor) -> None:
        """What may be left out, and shows it by its lines unless it stands on the line of the condition."""
        with self.maybe(node.body[0].lineno == node.lineno):
            self._read_statements(node.body)
        self._read_statements(node.orelse)

    def _read_rest(self, node: ast.stmt) -> None:
        """A statement that binds nothing: ``try``, ``raise``, an expression, ``del``."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._read_statement(child)
            elif isinstance(child, ast.ExceptHandler):
                if child.name and child.type is not None:
                    self.bind_name(child.name, CallResult(self.read(child.type)))
                self._read_statements(child.body)
            elif isinstance(child, ast.expr):
                value = self.read(child)
                if isinstance(node, ast.Raise) and isinstance(child, ast.Name | ast.Attribute):
                    self.add_site(child, "context", value, self.read_text(child))  # a class that is raised is made

    def bind_name(self, name: str, value: Expression, *, fallback: bool = False) -> None:
        """Gives a name of the current scope a value."""
        owner = self._elsewhere.get((self.scope, name), self.scope)
        self.collector.bind(owner, name, value, self.scope, fallback=fallback)
        if self.cls == self.scope:
            self.collector.bind_member(ClassValue(self.cls), name, value, self.scope)

    def _read_with(self, node: ast.With | ast.AsyncWith) -> None:
        kind = "a" if isinstance(node, ast.AsyncWith) else ""
        for item in node.items:
            manager = self.read(item.context_expr)
            given = self.call_special(item.context_expr, "context", manager, f"__{kind}enter__")
            self.call_special(item.context_expr, "context", manager, f"__{kind}exit__")
            if item.optional_vars is not None:
                self.assign(item.optional_vars, given)
        self._read_statements(node.body)

    def _read_match(self, node: ast.Match) -> None:
        subject = self.read(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                    self.bind_name(part.name, subject if part is case.pattern else Member(subject, ANY))
                elif isinstance(part, ast.MatchValue):
                    self.read(part.value)
            if case.guard is not None:
                self.read_truth(case.guard)
            self._read_statements(case.body)

    def _import(self, name: str) -> Expression:
        """The file of that name, or a folder that holds files; else a library."""
        known = name in self._modules or any(module.startswith(f"{name}.") for module in self._modules)
        return FileValue(name) if known else OTHER

    def _read_import_from(self, node: ast.ImportFrom) -> None:
        package = self._package
        for _ in range(node.level - 1):
            package = package.rpartition(".")[0]
        name = ".".join(part for part in ((package if node.level else ""), node.module or "") if part)
        for alias in node.names:
            inner = f"{name}.{alias.name}" if name else alias.name
            whole = self._import(name) if name else OTHER
            if alias.name == "*":
                self.bind_name(ANY, whole)
            elif inner in self._modules:
                self.bind_name(alias.asname or alias.name, FileValue(inner))
            else:
                self.bind_name(alias.asname or alias.name, OTHER if whole is OTHER else Member(whole, alias.name))

    def _define_function(self, node: _Function) -> None:
        name = self.names[node]
        words = _list_words(node)
        value: Expression = FunctionValue(name)
        for decorator in reversed(node.decorator_list):
            last = self.read_text(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2]
            if last in _PLAIN_DECORATORS or last in _GETTERS:
                continue
            callee = self.read(decorator)
            self.add_site(decorator, "decorator", callee, self.read_text(decorator), pass_values(value))
            value = CallResult(callee, pass_values(value))
        self.bind_name(node.name, value)
        self.read_defaults(node.args, name)
        owner = self.cls if self.cls == self.scope else ""
        arguments = [*node.args.posonlyargs, *node.args.args]
        receiver = arguments[0].arg if owner and arguments and "staticmethod" not in words else ""
        of_class = bool(receiver) and ("classmethod" in words or node.name in _OF_CLASSES)
        if receiver:
            held = ClassValue(owner) if of_class else ObjectValue(owner)
            self.collector.bind(name, receiver, held, fallback=True)
        results = self._read_inside(name, node.body)
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in _list_own(node)):
            results = [Items(f"{name}/yields")]
        self.collector.functions.append(
            FunctionFacts(
                name=name,
                scope=self.outer_scope(),
                file=self.file,
                line=node.lineno,
                parameters=list_parameters(node.args, skipped=bool(receiver)),
                results=tuple(results),
                owner=owner,
                receiver=receiver,
                of_class=of_class,
                constructor=bool(owner) and node.name in ("__new__", "__init__", "__post_init__"),
                getter=bool(owner) and bool(words & _GETTERS),
                special=node.name.startswith("__") and node.name.endswith("__"),
                bodiless="abstractmethod" in words,
            )
        )

    def _read_inside(self, name: str, body: Sequence[ast.stmt]) -> list[Expression]:
        """Reads the body of a function; what it returns."""
        self.collector.scopes[name] = self.outer_scope()
        with self.entered(caller=name, scope=name, cls=""):
            self._read_statements(body)
            return self.results

    def _define_class(self, node: ast.ClassDef) -> None:
        name = self.names[node]
        bases = [self.read(base) for base in node.bases]
        for keyword in node.keywords:
            value = self.read(keyword.value)
            if keyword.arg == "metaclass":
                self.add_site(node, "context", Member(value, "__new__"), self.read_text(keyword.value))
                bases.append(value)
        value = ClassValue(name)
        self.bind_name(node.name, value)
        for decorator in node.decorator_list:
            callee = self.read(decorator)
            self.add_site(decorator, "decorator", callee, self.read_text(decorator), pass_values(value))
        fields = [
            inner.target.id
            for inner in node.body
            if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name)
        ]
        self.collector.classes.append(
            ClassFacts(name, self.scope, self.file, node.lineno, tuple(bases), fields=tuple(fields))
        )
        self.collector.scopes[name] = self.outer_scope()
        with self.entered(caller=self.caller, scope=name, cls=name):
            self._read_statements(node.body)


#: Methods whose first parameter is the class without a decorator that says so.
_OF_CLASSES = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


def _list_own(node: _Function) -> list[ast.AST]:
    """What stands in a function and in no function within it."""
    own: list[ast.AST] = []
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        inner = waiting.pop()
        own.append(inner)
        if not isinstance(inner, _Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(inner)
    return own
