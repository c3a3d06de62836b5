"""What holds in every language: spans, nesting, spelling, renaming, inserting."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import get_args

import pytest
import tree_sitter
import tree_sitter_javascript
import tree_sitter_python
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Language
from pytest_codereason.core.language.structure import SiteKind, Span
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.registry import language
from tests.languages.examples import EXAMPLES, inserted, rename_all

PROGRAMS = [
    pytest.param(language(name), source, call, id=f"{name}-{i}")
    for name, programs in EXAMPLES.items()
    for i, (source, call) in enumerate(programs)
]


@pytest.mark.parametrize(("speaker", "source", "call"), PROGRAMS)
class TestEveryLanguage:
    def test_spans_lie_inside_the_source(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        assert (code.source, code.call) == (source, call)
        spans = [s for f in code.functions for s in (f.span, f.body)]
        spans += [statement.span for statement in code.statements]
        spans += [block.span for block in code.blocks]
        spans += [span for site in code.sites for span in (site.span, site.statement, *site.parts)]
        spans += [unit.span for unit in code.units]
        assert all(0 <= span.start <= span.end <= len(source) for span in spans)
        assert all(0 <= insertion.at <= len(source) for insertion in code.insertions)

    def test_statements_nest(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        around: list[Span] = []
        for statement in code.statements:
            while around and around[-1].end <= statement.span.start:
                around.pop()
            assert not around or statement.span.end <= around[-1].end
            around.append(statement.span)

    def test_everything_stands_in_the_order_of_the_source(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        for starts in (
            [part.span.start for part in code.functions],
            [part.span.start for part in code.statements],
            [part.span.start for part in code.blocks],
            [part.span.start for part in code.sites],
            [part.span.start for part in code.units],
        ):
            assert starts == sorted(starts)
        assert [i.at for i in code.insertions] == sorted(i.at for i in code.insertions)

    def test_sites_lie_in_their_statements_and_functions(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        functions = {function.name for function in code.functions} | {""}
        statements = {statement.span for statement in code.statements}
        for site in code.sites:
            assert site.statement.start <= site.span.start <= site.span.end <= site.statement.end
            assert site.statement in statements
        assert {site.function for site in code.sites} <= functions
        assert {statement.function for statement in code.statements} <= functions
        assert {block.function for block in code.blocks} <= functions

    @given(kinds=st.sets(st.sampled_from(get_args(SiteKind))))
    def test_sites_of_some_kinds_are_those_among_all(
        self, speaker: Language, source: str, call: str, kinds: set[SiteKind]
    ) -> None:
        code = speaker.syntax.parse(source, call)
        assert [*code.sites_of(*kinds)] == [site for site in code.sites if site.kind in kinds]

    def test_uses_spell_the_name(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        for binding in code.bindings:
            assert binding.uses
            assert binding.name in code.taken
            for use in binding.uses:
                start, end = use.span
                words = re.findall(r"[\w$]+", (call if use.in_call else source)[start:end])
                assert binding.name.lstrip("$") in {word.lstrip("$") for word in words}

    def test_uses_do_not_overlap(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        for in_call in (False, True):
            spans = sorted(use.span for b in code.bindings for use in b.uses if use.in_call is in_call)
            assert all(a.end <= b.start for a, b in itertools.pairwise(spans))

    def test_renaming_all_that_is_safe_still_parses(self, speaker: Language, source: str, call: str) -> None:
        code = speaker.syntax.parse(source, call)
        assert speaker.syntax.check(source) == ""
        new_source, new_call = rename_all(speaker, code)
        assert speaker.syntax.check(new_source) == ""
        again = speaker.syntax.parse(new_source, new_call)
        safe = [b for b in code.bindings if not b.unsafe]
        assert len([b for b in again.bindings if b.name.lstrip("$").startswith("zz")]) == len(safe)
        # the form of a read is a type, whose name may have changed
        assert [(s.kind, s.form) for s in again.sites if s.kind != "read"] == [
            (s.kind, s.form) for s in code.sites if s.kind != "read"
        ]

    @pytest.mark.parametrize("text", ["one line", "two\nlines"])
    def test_comments_and_prints_may_be_inserted(self, speaker: Language, source: str, call: str, text: str) -> None:
        code = speaker.syntax.parse(source, call)
        statements = len(code.statements)
        for insertion in code.insertions:
            commented = inserted(source, insertion, speaker.dialect.comment(text))
            assert speaker.syntax.check(commented) == ""
            assert len(speaker.syntax.parse(commented).statements) == statements
            if insertion.place == "statement":
                printed = inserted(source, insertion, speaker.dialect.print_statement(text))
                assert speaker.syntax.check(printed) == ""
                assert len(speaker.syntax.parse(printed).statements) > statements

    def test_normalising_settles_at_once(self, speaker: Language, source: str, call: str) -> None:
        normal = speaker.syntax.normalise(source).text
        assert speaker.syntax.check(normal) == ""
        assert speaker.syntax.normalise(normal).text == normal


@pytest.mark.parametrize("grammar", [tree_sitter_python.language, tree_sitter_javascript.language])
def test_nodes_are_found_in_the_order_of_a_walk(grammar: Callable[[], object]) -> None:
    text = (
        "# eins\nf(f(1, (2)), [3])  # zwei\n"
        if grammar is tree_sitter_python.language
        else "f(f(1, (2)), /* a */ [3])\n"
    )
    tree = Tree(tree_sitter.Parser(tree_sitter.Language(grammar())), text)
    for kinds in (("comment",), ("(", "identifier"), ("call", "call_expression", "comment", "nothing")):
        assert tree.find_nodes(*kinds) == [node for node in walk(tree.root) if node.type in kinds] != []


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_kind_of_site_that_no_language_has_is_refused(name: str) -> None:
    source, call = EXAMPLES[name][0]
    with pytest.raises(ValueError, match=r"unknown kind of site 'operators' \(did you mean 'operator'\?\): choose"):
        language(name).syntax.parse(source, call).sites_of("return", "operators")  # type: ignore[arg-type]
