"""Reads the expressions of a Python file: what each is worth, and the calls in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_codereason.core.language.calls import CallSite, Form, FunctionFacts, ParameterFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    UNKNOWN,
    Argument,
    CallResult,
    Choice,
    Expression,
    FunctionValue,
    Items,
    Member,
    OtherValue,
    SuperValue,
    Variable,
)
from pytest_codereason.languages.frame.call_facts import Collector, pass_values
from pytest_codereason.languages.python.bodies import Definition
from pytest_codereason.languages.python.special_methods import CONVERSIONS, OPERATORS

_LINE_END = re.compile(rb"\r\n|\r|\n")
#: Characters of the text of a callee.
_LONGEST = 80
#: What is nested deeper is not worked out.
_DEEPEST = 80


class PythonExpressions:
    """Reads expressions in the place where the reader of statements is."""

    def __init__(
        self,
        file: str,
        text: str,
        module: str,
        names: dict[Definition, str],
        defined: set[str],
        getters: set[str],
        collector: Collector,
    ) -> None:
        self.file = file
        self._lines = _LINE_END.split(text.encode("utf-8", "replace"))
        self.names = names
        self.collector = collector
        self.caller = self.scope = module
        self.cls = ""
        self.results: list[Expression] = []
        self._defined = defined
        self._getters = getters
        self._conditional = False
        self._depth = 0

    @contextmanager
    def entered(self, *, caller: str, scope: str, cls: str) -> Iterator[None]:
        """Within another function or class."""
        before = self.caller, self.scope, self.cls, self.results, self._conditional
        self.caller, self.scope, self.cls, self.results, self._conditional = caller, scope, cls, [], False
        yield
        self.caller, self.scope, self.cls, self.results, self._conditional = before

    @contextmanager
    def maybe(self, conditional: bool) -> Iterator[None]:
        """In code that may be left out although its line runs, if ``conditional``."""
        before = self._conditional
        self._conditional = before or conditional
        yield
        self._conditional = before

    def outer_scope(self) -> str:
        """Where a function that is defined here looks up names: classes are left out."""
        return self.collector.scopes[self.scope] if self.cls == self.scope else self.scope

    def bind_name(self, name: str, value: Expression, *, fallback: bool = False) -> None:
        """Gives a name of the current scope a value."""
        raise NotImplementedError

    def read_text(self, node: ast.expr) -> str:
        """An expression as it is written, on one line, without the start of a long one."""
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        lines = self._lines[first : last + 1]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())[-_LONGEST:]

    def add_site(
        self, node: ast.expr | ast.stmt, form: Form, callee: Expression, text: str, arguments: tuple[Argument, ...] = ()
    ) -> None:
        """Notes a call."""
        end = node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef):
            end = node.lineno
        self.collector.sites.append(
            CallSite(
                caller=self.caller,
                scope=self.scope,
                file=self.file,
                line=node.lineno,
                end_line=end,
                column=node.col_offset,
                text=text,
                form=form,
                callee=callee,
                arguments=arguments,
                receiver=text.rpartition(".")[0] if form == "method" else "",
                first_witness=node.lineno,
                last_witness=end,
                conditional=self._conditional,
            )
        )

    def call_special(self, node: ast.expr, form: Form, of: Expression, *names: str) -> Expression:
        """Notes that Python calls one of these methods, if the program defines such a method."""
        for name in names:
            if name in self._defined:
                self.add_site(node, form, Member(of, name), f"{self.read_text(node)}.{name}")
        return CallResult(Member(of, names[0]))

    def read_truth(self, node: ast.expr) -> Expression:
        """A condition."""
        value = self.read(node)
        if not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call):
            self.call_special(node, "conversion", value, "__bool__")
        return value

    def iterate(self, node: ast.expr) -> Expression:
        """What a loop over a value gives, one by one."""
        value = self.read(node)
        iterator = self.call_special(node, "iteration", value, "__iter__", "__aiter__")
        step = self.call_special(node, "iteration", iterator, "__next__", "__anext__")
        items = Member(value, ANY)
        return Choice((items, step)) if {"__iter__", "__next__"} & self._defined else items

    def assign(self, target: ast.expr, value: Expression) -> None:
        """Gives a target a value."""
        match target:
            case ast.Name(id=name):
                self.bind_name(name, value)
            case ast.Attribute(value=of, attr=name):
                holder = self.read(of)
                self._note_property(target, holder)
                self.collector.bind_member(holder, name, value, self.scope)
            case ast.Subscript(value=of, slice=key):
                holder = self.read(of)
                self.read(key)
                self.call_special(target, "operator", holder, "__setitem__")
                self.collector.bind_member(holder, _read_key(key), value, self.scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                starred = any(isinstance(part, ast.Starred) for part in parts)
                for i, part in enumerate(parts):
                    self.assign(part, Member(value, ANY if starred else str(i)))
            case ast.Starred(value=inner):
                self.assign(inner, value)
            case _:
                self.read(target)

    def read_stored(self, target: ast.expr) -> Expression:
        """The value that a target has before ``+=`` changes it."""
        return Variable(target.id) if isinstance(target, ast.Name) else self.read(target)

    def read_type(self, annotation: ast.expr) -> Expression:
        """An object of an annotation's class."""
        named = isinstance(annotation, ast.Name | ast.Attribute)
        if (
            isinstance(annotation, ast.Constant)
            and isinstance(annotation.value, str)
            and annotation.value.isidentifier()
        ):
            return CallResult(Variable(annotation.value))
        return CallResult(self._read_path(annotation)) if named else OTHER

    def _read_path(self, node: ast.expr) -> Expression:
        if isinstance(node, ast.Attribute):
            return Member(self._read_path(node.value), node.attr)
        return Variable(node.id) if isinstance(node, ast.Name) else OTHER

    def read(self, node: ast.expr, *, conditional: bool = False) -> Expression:
        """What an expression is worth. Notes the calls in it."""
        self._depth += 1
        with self.maybe(conditional):
            value = self._read(node)
        self._depth -= 1
        return value if self._depth < _DEEPEST else UNKNOWN

    def _read(self, node: ast.expr) -> Expression:  # noqa: PLR0912 - one case for each kind of expression
        match node:
            case ast.Name(id=name):
                return Variable(name)
            case ast.Attribute(value=of, attr=name):
                holder = self.read(of)
                self._note_property(node, holder)
                return Member(holder, name)
            case ast.Call():
                return self._read_call(node)
            case ast.Lambda():
                return self._read_lambda(node)
            case ast.Constant(value=value):
                return OtherValue(type(value).__name__)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                starred = any(isinstance(part, ast.Starred) for part in parts)
                items = [(ANY if starred else str(i), self.read(part)) for i, part in enumerate(parts)]
                return self._make_items(node, items)
            case ast.Dict(keys=keys, values=values):
                members = [
                    (ANY, Member(self.read(value), ANY)) if key is None else (_read_key(key), self.read(value))
                    for key, value in zip(keys, values, strict=True)
                ]
                for key in keys:
                    if key is not None:
                        self.read(key)
                return self._make_items(node, members)
            case ast.Starred(value=inner):
                return Member(self.read(inner), ANY)
            case ast.Subscript(value=of, slice=key):
                holder = self.read(of)
                self.read(key)
                self.call_special(node, "operator", holder, "__getitem__")
                return Member(holder, _read_key(key))
            case ast.IfExp(test=test, body=body, orelse=other):
                self.read_truth(test)
                return Choice((self.read(body, conditional=True), self.read(other, conditional=True)))
            case ast.BoolOp(values=values):
                return Choice(tuple(self.read(value, conditional=i > 0) for i, value in enumerate(values)))
            case ast.NamedExpr(target=target, value=value):
                given = self.read(value)
                self.assign(target, given)
                return given
            case ast.BinOp(left=left, op=op, right=right):
                return self.read_operator(node, op, self.read(left), self.read(right), self.read_text(node))
            case ast.UnaryOp(op=op, operand=operand):
                return self.call_special(node, "operator", self.read(operand), f"__{OPERATORS.get(type(op), 'bool')}__")
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._read_comparison(node, left, ops, others)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._read_comprehension(node)
            case ast.Await(value=value):
                given = self.read(value)
                self.call_special(node, "context", given, "__await__")
                return given
            case ast.Yield(value=value):
                if value is not None:
                    given = self.read(value)
                    self.collector.bind_member(Items(f"{self.caller}/yields"), ANY, given, self.scope)
                return OTHER
            case ast.YieldFrom(value=value):
                self.collector.bind_member(Items(f"{self.caller}/yields"), ANY, self.iterate(value), self.scope)
                return OTHER
            case ast.FormattedValue(value=value, format_spec=width):
                self.call_special(node, "conversion", self.read(value), "__format__", "__str__", "__repr__")
                if width is not None:
                    self.read(width)
                return OTHER
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.read(child)
                return OTHER

    def _note_property(self, node: ast.Attribute, holder: Expression) -> None:
        if node.attr in self._getters:
            self.add_site(node, "property", Member(holder, node.attr), self.read_text(node))

    def _read_call(self, node: ast.Call) -> Expression:
        text = self.read_text(node.func)
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return SuperValue(self._find_class())
        callee = self.read(node.func)
        arguments = tuple(Argument(self.read(value)) for value in node.args)
        arguments += tuple(Argument(self.read(keyword.value), keyword.arg or ANY) for keyword in node.keywords)
        form: Form = "expression"
        if isinstance(node.func, ast.Name):
            form = "name"
            for name in CONVERSIONS.get(node.func.id, ()) if arguments else ():
                if name in self._defined:
                    of = Member(arguments[0].value, ANY) if name in ("__lt__", "__gt__") else arguments[0].value
                    of = CallResult(Member(of, "__iter__")) if name == "__next__" and node.func.id != "next" else of
                    self.add_site(node, "conversion", Member(of, name), f"{text}.{name}")
        elif isinstance(node.func, ast.Attribute):
            form = "method"
        self.add_site(node, form, callee, text, arguments)
        if isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "sorted", "reversed", "iter"):
            return arguments[0].value if arguments else OTHER
        return CallResult(callee, arguments)

    def _find_class(self) -> str:
        """The class in whose method the place is."""
        scope = self.scope
        known = {facts.name for facts in self.collector.classes}
        while scope:
            around = scope.rpartition(".")[0]
            if around in known:
                return around
            scope = around
        return ""

    def _make_items(self, node: ast.expr, members: list[tuple[str, Expression]]) -> Items:
        return self.collector.make_items(f"{self.file}:{node.lineno}:{node.col_offset}", members, self.scope)

    def read_operator(
        self,
        node: ast.expr | ast.stmt,
        op: ast.operator,
        left: Expression,
        right: Expression,
        text: str,
        *,
        aug: bool = False,
    ) -> Expression:
        """What an operator between two values gives."""
        name = OPERATORS.get(type(op), "")
        methods = [(left, f"__i{name}__")] if aug else []
        for of, method in [*methods, (left, f"__{name}__"), (right, f"__r{name}__")]:
            if method in self._defined:
                self.add_site(node, "operator", Member(of, method), text, pass_values(right if of is left else left))
        return Choice((left, right)) if isinstance(op, ast.Add | ast.BitOr) else CallResult(Member(left, f"__{name}__"))

    def _read_comparison(
        self, node: ast.Compare, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]
    ) -> Expression:
        value = self.read(left)
        for op, other in zip(ops, others, strict=True):
            right = self.read(other)
            if isinstance(op, ast.In | ast.NotIn):
                self.call_special(node, "operator", right, "__contains__")
            elif name := OPERATORS.get(type(op)):
                known = f"__{name}__" if f"__{name}__" in self._defined or name != "ne" else "__eq__"
                self.call_special(node, "operator", value, known)
            value = right
        return OTHER

    def _read_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Expression:
        for generator in node.generators:
            self.assign(generator.target, self.iterate(generator.iter))
            for condition in generator.ifs:
                self.read_truth(condition)
        if isinstance(node, ast.DictComp):
            self.read(node.key)
            return self._make_items(node, [(ANY, self.read(node.value))])
        return self._make_items(node, [(ANY, self.read(node.elt))])

    def read_defaults(self, arguments: ast.arguments, function: str) -> None:
        """The defaults and types of parameters."""
        plain = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)]
        pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
        for argument, default in pairs:
            self.collector.bind(function, argument.arg, self.read(default), self.scope)
        for argument in [*plain, *arguments.kwonlyargs]:
            if argument.annotation is not None:
                self.collector.bind(
                    function, argument.arg, self.read_type(argument.annotation), self.scope, fallback=True
                )

    def _read_lambda(self, node: ast.Lambda) -> Expression:
        name = self.names[node]
        self.read_defaults(node.args, name)
        around = self.outer_scope()
        self.collector.scopes[name] = around
        with self.entered(caller=name, scope=name, cls=""):
            result = self.read(node.body)
        self.collector.functions.append(
            FunctionFacts(name, around, self.file, node.lineno, list_parameters(node.args), (result,))
        )
        return FunctionValue(name)


def _read_key(key: ast.expr) -> str:
    """The name of an item: ``0``, and ``[key]`` so that it is no attribute."""
    if not isinstance(key, ast.Constant) or isinstance(key.value, bool):
        return ANY
    return str(key.value) if isinstance(key.value, int) else f"[{key.value!s}]"


def list_parameters(arguments: ast.arguments, *, skipped: bool = False) -> tuple[ParameterFacts, ...]:
    """The parameters of a function, without the one that holds the object."""
    plain = [ParameterFacts(argument.arg) for argument in (*arguments.posonlyargs, *arguments.args)][skipped:]
    rest = [ParameterFacts(arguments.vararg.arg, rest=True)] if arguments.vararg else []
    return (*plain, *rest, *(ParameterFacts(argument.arg) for argument in arguments.kwonlyargs))
