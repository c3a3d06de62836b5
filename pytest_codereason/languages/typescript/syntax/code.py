"""A parsed TypeScript program."""

from __future__ import annotations

from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode
from pytest_codereason.languages.typescript.parsing import parse_source
from pytest_codereason.languages.typescript.syntax.bindings import TypeScriptResolver
from pytest_codereason.languages.typescript.syntax.grammar import TABLES
from pytest_codereason.languages.typescript.syntax.hooks import TypeScriptHooks


class TypeScriptCode(JavaScriptCode):
    """A parsed program."""

    tables = TABLES
    hooks = TypeScriptHooks
    resolver = TypeScriptResolver
    parse = staticmethod(parse_source)
