"""Fenced code blocks, by the rule of Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.questions.replies.pieces.blocks import CodeBlock, find_fences, read_blocks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("no block", []),
        ("```\na\n```", [("\na\n", True)]),
        ("```python\na\n```\nand\n~~~\nb\n~~~", [("\na\n", True), ("\nb\n", True)]),
        ("```\na", [("\na", False)]),
        ("````\n```\na\n```\n````", [("\n```\na\n```\n", True)]),
        ("~~~\n```\n~~~", [("\n```\n", True)]),
        ("```\na\n```python\nb\n```", [("\na\n```python\nb\n", True)]),
        ("> ```\n> a\n> ```", [("\n> a\n", True)]),
        ("say ``` here", []),
        ("```a`b", []),
    ],
)
def test_blocks(text: str, blocks: list[tuple[str, bool]]) -> None:
    assert read_blocks(text) == [CodeBlock(*each) for each in blocks]


def test_a_fence_knows_its_tag() -> None:
    [fence] = find_fences("so\n  ~~~~ python \nx")
    assert (fence.mark, fence.tag) == ("~~~~", "python")


@given(st.lists(st.text("ab\n ", max_size=5).map(lambda text: f"\n{text}\n")), st.sampled_from(["```", "~~~~"]))
def test_what_stands_between_fences_comes_back(contents: list[str], mark: str) -> None:
    text = "\nand\n".join(f"{mark}{content}{mark}" for content in contents)
    assert [block.text for block in read_blocks(text)] == contents
