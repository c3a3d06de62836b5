"""Edits against a naive recomputation, character by character."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.edits import Edit, Insert, Move, Replace, apply
from pytest_codereason.errors import BadEdit
from tests.examples import examples

TEXTS = st.text("ab \n", max_size=24)


@st.composite
def texts_and_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    source = draw(TEXTS)
    place = st.integers(0, len(source))
    span = st.tuples(place, place).map(lambda pair: Span(*sorted(pair)))
    new = st.text("XY\n", max_size=3)
    one: st.SearchStrategy[Edit] = st.one_of(
        st.builds(Replace, span, new), st.builds(Insert, place, new), st.builds(Move, span, place)
    )
    return source, draw(st.lists(one, max_size=6))


def is_empty(edit: Edit) -> bool:
    return not isinstance(edit, Insert) and edit.span.start == edit.span.end


def legal(edits: list[Edit]) -> bool:
    """The rules, said a second time: pair by pair."""
    cuts = [e for e in edits if not isinstance(e, Insert) and not is_empty(e)]
    for i, one in enumerate(cuts):
        for other in cuts[i + 1 :]:
            (a, b), (c, d) = one.span, other.span
            apart = b <= c or d <= a
            within = (isinstance(other, Move) and c <= a and b <= d) or (isinstance(one, Move) and a <= c and d <= b)
            if not apart and (not within or one.span == other.span):
                return False
    places = [e.at if isinstance(e, Insert) else e.to if isinstance(e, Move) else e.span.start for e in edits]
    arriving = [
        p for e, p in zip(edits, places, strict=True) if not (is_empty(e) and isinstance(e, Move)) and e not in cuts
    ]
    arriving += [e.to for e in cuts if isinstance(e, Move)]
    if any(e.span.start < p < e.span.end for e in cuts if isinstance(e, Replace) for p in arriving):
        return False
    moves = [e for e in cuts if isinstance(e, Move)]
    for move in moves:
        at, hops = move, 0
        while (enclosing := [m for m in moves if m.span.start < at.to < m.span.end]) and hops <= len(moves):
            at, hops = min(enclosing, key=lambda m: m.span.end - m.span.start), hops + 1
        if hops > len(moves):
            return False
    return True


def naive(source: str, edits: list[Edit]) -> list[tuple[int | None, str]]:
    """The new text as (old offset or ``None``, character), by cutting a list of tokens about."""
    arrivals: list[list[Any]] = [[] for _ in range(len(source) + 1)]
    brought: dict[int, list[Any]] = {}
    for i, edit in enumerate(edits):
        if isinstance(edit, Insert):
            arrivals[edit.at].append(edit.text)
        elif isinstance(edit, Replace) and is_empty(edit):
            arrivals[edit.span.start].append(edit.text)
        elif isinstance(edit, Move) and not is_empty(edit):
            brought[i] = []
            arrivals[edit.to].append(brought[i])
    tokens: list[Any] = []
    for at in range(len(source) + 1):
        tokens += [("stop", at), *arrivals[at], ("go", at), *([(at, source[at])] if at < len(source) else [])]
    moves = sorted((e.span.end - e.span.start, i) for i, e in enumerate(edits) if isinstance(e, Move) and i in brought)
    for edit in edits:
        if isinstance(edit, Replace) and not is_empty(edit):
            first, last = tokens.index(("go", edit.span.start)), tokens.index(("stop", edit.span.end))
            tokens[first + 1 : last] = [edit.text]
    for _, i in moves:
        span = edits[i].span  # type: ignore[union-attr]
        first, last = tokens.index(("go", span.start)), tokens.index(("stop", span.end))
        brought[i][:] = tokens[first + 1 : last]
        del tokens[first + 1 : last]

    def flat(items: list[Any]) -> Iterator[tuple[int | None, str]]:
        for item in items:
            if isinstance(item, list):
                yield from flat(item)
            elif isinstance(item, str):
                yield from ((None, char) for char in item)
            elif isinstance(item[0], int):
                yield item

    return list(flat(tokens))


@pytest.mark.slow
@settings(max_examples=examples(150))
@given(texts_and_edits())
def test_text_and_maps_are_those_of_a_naive_recomputation(case: tuple[str, list[Edit]]) -> None:
    source, edits = case
    if not legal(edits):
        with pytest.raises(BadEdit):
            apply(source, edits)
        return
    applied = apply(source, edits)
    expected = naive(source, edits)
    assert applied.text == "".join(char for _, char in expected)
    went = {old: new for new, (old, _) in enumerate(expected) if old is not None}
    for old in range(len(source)):
        assert applied.offset(old) == went.get(old)
    for number, line in enumerate(lines_of(source), 1):
        left = [i for i in line if i in went]
        solid = [i for i in left if not source[i].isspace()]
        if solid:
            assert applied.line(number) == applied.text.count("\n", 0, went[solid[0]]) + 1
        elif applied.line(number) is None:
            assert not left


def lines_of(text: str) -> list[range]:
    starts = [0, *(i + 1 for i, char in enumerate(text) if char == "\n")]
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


@given(texts_and_edits())
def test_the_pieces_give_the_text(case: tuple[str, list[Edit]]) -> None:
    source, edits = case
    if not legal(edits):
        return
    applied = apply(source, edits)
    assert applied.before == source
    assert rebuild(applied) == applied.text


def rebuild(applied: Applied) -> str:
    """The new text from the map: what is kept is the old text's, and the pieces leave no hole."""
    at, parts = 0, []
    for old, new, is_kept in applied.pieces:
        assert new.start == at
        at = new.end
        parts.append(applied.before[slice(*old)] if is_kept else applied.text[slice(*new)])
    return "".join(parts)


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply("ab", [Insert(1, "1"), Insert(1, "2"), Move(Span(0, 1), 1), Insert(1, "3")]).text == "12a3b"


def test_an_insertion_at_a_border_stays_while_the_text_moves() -> None:
    assert apply("[abc]de", [Move(Span(0, 5), 7), Insert(0, "<"), Insert(5, ">"), Insert(2, "!")]).text == "<>de[a!bc]"


def test_moved_text_takes_renames_and_moves_within_it_along() -> None:
    source = "class A:\n  def f(): pass\n  def g(): f\nx = A\n"
    method, user = source.index("  def f"), source.index("  def g")
    edits: list[Edit] = [
        Move(Span(0, source.index("x =")), len(source)),
        Move(Span(method, user), source.index("x =")),
        Replace(Span(source.index("f("), source.index("f(") + 1), "h"),
        Replace(Span(source.index("f\n"), source.index("f\n") + 1), "h"),
    ]
    applied = apply(source, edits)
    assert applied.text == "  def h(): pass\nx = A\nclass A:\n  def g(): h\n"
    assert [applied.line(n) for n in (1, 2, 3, 4, 5)] == [3, 1, 4, 2, 5]


@pytest.mark.parametrize(
    ("source", "edits", "complaint"),
    [
        ("abc", [Replace(Span(0, 2), "x"), Replace(Span(1, 3), "y")], "the replacement of 1:3 lies within"),
        ("abc", [Move(Span(0, 2), 3), Replace(Span(1, 3), "y")], "the replacement of 1:3 overlaps"),
        ("abc", [Replace(Span(0, 3), "x"), Insert(1, "y")], "the insertion at 1 lies within"),
        ("abc", [Move(Span(0, 2), 3), Move(Span(0, 2), 3)], "overlaps"),
        ("abc", [Move(Span(0, 3), 1)], "moves into itself"),
        ("abcdef", [Move(Span(0, 3), 4), Move(Span(3, 6), 1)], "into each other"),
        ("abc", [Insert(4, "x")], "the insertion at 4 lies outside a text of 3 characters"),
        ("abc", [Insert(-1, "x")], "outside"),
        ("abc", [Replace(Span(2, 9), "x")], "outside"),
        ("abc", [Replace(Span(2, 1), "x")], "ends before it starts"),
        ("a\r\nb", [Insert(2, "x")], "the insertion at 2 splits a line end"),
        ("a\r\nb", [Replace(Span(0, 2), "x")], "splits a line end"),
        ("\ud83d\ude00", [Insert(1, "x")], "splits a surrogate pair"),
    ],
)
def test_what_cannot_be_is_said(source: str, edits: list[Edit], complaint: str) -> None:
    with pytest.raises(BadEdit, match=complaint):
        apply(source, edits)


def test_lines_go_where_their_text_goes() -> None:
    source = "one\ntwo\n\n  four\nfive"
    four = Span(source.index("four"), source.index("four") + 4)
    applied = apply(source, [Insert(0, "new\nlines\n"), Replace(four, "1\n2"), Replace(Span(4, 8), "")])
    assert applied.text == "new\nlines\none\n\n  1\n2\nfive"
    assert [applied.line(n) for n in range(1, 6)] == [3, None, 4, 5, 7]
    with pytest.raises(BadEdit, match="there is no line 6: the text has 5 lines"):
        applied.line(6)
    with pytest.raises(BadEdit, match="offset 99 lies outside"):
        applied.offset(99)


def test_a_text_goes_where_its_characters_go() -> None:
    source = "one = two; three"
    two, three = Span(6, 9), Span(11, 16)
    renamed = apply(source, [Replace(two, "other")])
    assert renamed.text[slice(*renamed.span(two) or ())] == "other"
    assert renamed.text[slice(*renamed.span(Span(4, 9)) or ())] == "= other"
    grown = apply(source, [Insert(7, "\n/**/\n"), Replace(three, "")])
    assert grown.text[slice(*grown.span(two) or ())] == "t\n/**/\nwo"
    assert grown.span(three) is None, "it was removed"
    torn = apply(source, [Move(Span(12, 16), 7)])
    assert torn.span(three) is None, "it was moved in two pieces"
    assert torn.span(two) is None, "other text came between"
    assert torn.span(Span(0, 3)) == Span(0, 3)
    wide = apply(source, [Replace(Span(0, 16), " 1 + 2")])
    assert wide.text[slice(*wide.span(two) or ())] == "1 + 2", "what replaced more than the text"


def test_many_edits_of_a_long_text_take_little_time() -> None:
    source = "name = 1\n" * 20_000
    edits = [Replace(Span(9 * i, 9 * i + 4), "other") for i in range(20_000)]
    applied = apply(source, edits)
    assert applied.text == "other = 1\n" * 20_000
    assert applied.line(19_999) == 19_999
