"""Scripted models that run the Python program of a prompt in their heads, each with one blindness.

The programs come from this project's own generators and are asked about as the sandbox has run them already; here
they are run with a handful of builtins and a bound on their steps.
"""

from __future__ import annotations

import ast
import random
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from tests.servers import Answer, Body

CODE = re.compile(r"\[CODE\]\n(.*?)\n\[/CODE\]", re.DOTALL)
CALL = re.compile(r"assert (.+) == \?\?")
NAMES = (
    *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "eval", "float", "int", "isinstance", "iter", "len"),
    *("list", "max", "min", "next", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum"),
    *("tuple", "type", "zip"),
)
STEPS = 100_000


class Blindness(ast.NodeTransformer):
    """Sees a program as it is."""

    def __init__(self, tree: ast.AST) -> None:
        self.read = {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }


class IgnoresElif(Blindness):
    """Does not see ``elif``, nor what stands under it."""

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node.orelse = node.orelse[0].orelse
        return node


class BelievesDeadCode(Blindness):
    """Takes what is assigned in a branch that is never taken, and read nowhere, for what the function returns."""

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._believed(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._believed(node)

    def _believed(self, node: ast.If | ast.While) -> ast.AST:
        self.generic_visit(node)
        match node.body, node.orelse:
            case [ast.Assign(targets=[ast.Name(id=name)], value=value)], [] if name not in self.read:
                return ast.Return(value=value)
        return node


class CannotAddAbove999(Blindness):
    """Gets 999 wherever an addition gives more."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _clamped(node) if isinstance(node.op, ast.Add) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
            return node
        read = ast.Name(id=node.target.id, ctx=ast.Load())
        return ast.Assign(targets=[node.target], value=_clamped(ast.BinOp(left=read, op=ast.Add(), right=node.value)))


def _clamped(node: ast.expr) -> ast.Call:
    return ast.Call(func=ast.Name(id="_clamped", ctx=ast.Load()), args=[node], keywords=[])


def blind(how: type[Blindness] = Blindness, *, wrong: float = 0.0) -> Answer:
    """A model with a blindness; with a chance of ``wrong`` it answers nonsense, drawn anew each time it is asked."""
    draws, lock = random.Random(1), threading.Lock()

    def answer(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        prompt = next(str(message["content"]) for message in reversed(messages) if message["role"] == "user")
        code, call = CODE.findall(prompt)[-1], CALL.findall(prompt)[-1]
        with lock:
            nonsense = draws.random() < wrong
        return "'nonsense'" if nonsense else f"assert {call} == {run(code, call, how)}"

    return answer


def run(code: str, call: str, how: type[Blindness]) -> str:
    """What somebody with a blindness takes the call for, as a literal."""
    try:
        return _run(code, call, how)
    except SystemError:  # CPython before 3.12 mixes up two threads that parse at once (gh-106905)
        return _run(code, call, how)


def _run(code: str, call: str, how: type[Blindness]) -> str:
    tree = ast.parse(f"{code}\n")
    blind_tree = ast.fix_missing_locations(how(tree).visit(tree))
    builtins = vars(sys.modules["builtins"])
    scope: dict[str, Any] = {"__builtins__": {name: builtins[name] for name in NAMES}}
    scope["__builtins__"]["print"] = lambda *args, **kwargs: None
    scope["_clamped"] = lambda value: min(value, 999) if isinstance(value, (int, float)) else value
    steps = 0

    def count(frame: object, event: str, argument: object) -> Any:
        nonlocal steps
        steps += 1
        if steps > STEPS:
            raise TimeoutError
        return count

    sys.settrace(count)
    try:
        exec(compile(blind_tree, "<program>", "exec"), scope)
        return repr(eval(call, scope))
    except Exception as error:
        return repr(f"it raises {type(error).__name__}")
    finally:
        sys.settrace(None)
