"""The names of TypeScript's functions in call graphs."""

from __future__ import annotations

from pytest_codereason.languages.frame.examples import read_graph
from pytest_codereason.languages.javascript.naming import JavaScriptNaming


class TypeScriptNaming(JavaScriptNaming):
    """``main.Stack.push``: the file, what encloses the function, the function. Types are left out."""

    example = read_graph(__package__)
    rule = JavaScriptNaming.rule.replace('.js"', '.ts"') + " The signatures of an overloaded function are no functions."
