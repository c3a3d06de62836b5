"""Answer tags, and where their content may end."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.pieces.tags import MAX_ENDS, Tag, find_tags


def contents(text: str) -> list[list[str]]:
    return [[text[tag.start : end] for end in tag.ends] for tag in find_tags(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", []),
        ("[ANSWER]1[/ANSWER]", [["1"]]),
        ("<answer>1</Answer>", [["1"]]),
        ("[ANSWER]1", [[]]),
        ("[/ANSWER]1", []),
        ("[ANSWER]1[/ANSWER][ANSWER]2[/ANSWER]", [["1", "1[/ANSWER][ANSWER]2"], ["2"]]),
        ("[ANSWER]'[/ANSWER]'[/ANSWER]", [["'", "'[/ANSWER]'"]]),
    ],
)
def test_the_content_of_tags(text: str, expected: list[list[str]]) -> None:
    assert contents(text) == expected


def test_tags_know_what_stands_around_them() -> None:
    outer, inner, quoted = find_tags("[ANSWER][ANSWER]1[/ANSWER]'[ANSWER]")
    assert (outer.innermost, inner.innermost, quoted.innermost) == (False, True, False)
    assert (outer.in_string, inner.in_string, quoted.in_string) == (False, False, True)
    assert quoted == Tag(35, (), in_string=True, innermost=False)


def test_the_ends_of_a_tag_are_few() -> None:
    assert [len(tag.ends) for tag in find_tags("[ANSWER]" + "[/ANSWER]" * 100)] == [MAX_ENDS]
