import re
from functools import cached_property

from codereason_lua.bindings import Resolver
from codereason_lua.grammar import TABLES
from codereason_lua.parsing import parse
from pytest_codereason.core import Syntax
from pytest_codereason.core.text.edits import apply
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.hooks import Hooks


class LuaHooks(Hooks):  # a rule of the language that no table says
    def takes_before(self, node):  # `print(1)` before `(f or g)()` would be called
        return not self.tree.text(node).startswith("(")


class LuaCode(TableCode):
    tables = TABLES
    hooks = LuaHooks
    parse = parse_call = staticmethod(parse)
    units = ()

    @cached_property
    def bindings(self):
        return Resolver(self._outline.owners).resolve(self._tree, self._call, self.taken)[0]

    @staticmethod
    def list_taken(text):
        return frozenset(re.findall(r"[^\W\d]\w*", text))

    def is_pure_node(self, node):  # a table may have a function for each operator
        return node.type in ("identifier", "true", "false", "nil", "number", "string")


class LuaSyntax(Syntax):
    def parse(self, source, call=""):
        return LuaCode(source, call)

    def check(self, source):  # there is no second parser
        try:
            parse(source)
        except DoesNotParse as error:
            return str(error)
        return ""

    def normalise(self, source):  # every layout is as good as another
        parse(source)
        return apply(source, [])
