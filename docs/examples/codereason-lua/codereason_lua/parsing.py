from functools import cache

import tree_sitter
import tree_sitter_lua

from pytest_codereason.languages.frame.tree import Tree


@cache
def make_parser():
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_lua.language()))


def parse(source):
    return Tree(make_parser(), source)
