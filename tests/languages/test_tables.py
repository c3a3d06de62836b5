"""The tables of languages name nodes, fields and signs that their grammars have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

import pytest
from tree_sitter import Language as Grammar

from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables
from pytest_codereason.registry import language

LANGUAGES = ["javascript", "java", "php", "python", "typescript"]
#: Parts of tables that hold no types of nodes: names of functions, operators, kinds of statements.
NO_NODES = {"operations": CodePlaces, "comparisons": CodePlaces, "roles": Details, "quantifiers": Details}
NO_NODES |= {"fallbacks": Details, "untyped": Details, "labels": CodePlaces, "top": CodePlaces, "trailing": CodePlaces}
#: Parts whose values are fields of nodes.
FIELDS = {"bodies", "holders", "given", "binding", "calls", "subscripts", "counting_loops", "defaults", "reads"}


def read_code(name: str) -> TableCode:
    code = language(name).syntax.parse({"php": "<?php"}.get(name, ""))
    assert isinstance(code, TableCode)
    return code


def read_grammar(code: TableCode) -> Grammar:
    grammar = code._tree._language
    assert grammar is not None
    return grammar


def list_parts(tables: Tables) -> Iterator[tuple[str, object]]:
    """The fields of all tables, and their values."""
    for table in (tables.structure, tables.places, tables.details):
        for field in fields(table):
            if NO_NODES.get(field.name) is not type(table):
                yield field.name, getattr(table, field.name)


def list_kinds(value: object) -> Iterator[str]:
    """The types of nodes that a field of a table names."""
    match value:
        case bool() | "":
            return
        case str():
            yield value
        case Mapping() | frozenset():
            yield from value
        case _:
            raise TypeError(f"a table holds {value!r}")


def list_fields(value: object) -> Iterator[str]:
    for names in value.values() if isinstance(value, Mapping) else ():
        yield from (names,) if isinstance(names, str) else names


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_type_of_node_is_one_of_the_grammar(name: str) -> None:
    code = read_code(name)
    grammar = read_grammar(code)
    kinds = {kind for _, value in list_parts(code.tables) for kind in list_kinds(value)}
    kinds |= {kind for kinds in code.tables.structure.refined.values() for kind in kinds}
    known = {grammar.node_kind_for_id(i) for i in range(grammar.node_kind_count) if grammar.node_kind_is_named(i)}
    assert kinds - known == set()


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_field_is_one_of_the_grammar(name: str) -> None:
    code = read_code(name)
    grammar = read_grammar(code)
    names = {field for part, value in list_parts(code.tables) if part in FIELDS for field in list_fields(value)}
    names |= set(code.tables.places.labels)
    assert {field for field in names if field and grammar.field_id_for_name(field) is None} == set()


@pytest.mark.parametrize("name", LANGUAGES)
def test_sequences_and_bodies_are_told_apart(name: str) -> None:
    structure: Structure = read_code(name).tables.structure
    assert structure.braced <= structure.sequences
    assert structure.sequences.isdisjoint(structure.bodies)
    assert structure.methods <= structure.functions
    assert structure.deepening <= structure.statements.keys()
