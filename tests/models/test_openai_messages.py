"""The message of a completion: its answer, its reasoning, its refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import TransientModelError
from pytest_codereason.models.openai.messages import MessageText, read_message
from tests import servers
from tests.models.openai_endpoints import complete_once

ANSWER = {"type": "text", "text": "[1]"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize(
    ("part", "reasoning"),
    [
        ({"type": "thinking", "thinking": "hm"}, "hm"),
        ({"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"type": "text", "text": "m"}]}, "hm"),
        ({"type": "thinking", "text": "hm", "signature": "c2ln"}, "hm"),
        ({"type": "reasoning", "reasoning": "hm"}, "hm"),
        ({"type": "reasoning", "text": "hm"}, "hm"),
        ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "content": None}, "hm"),
        ({"type": "reasoning_text", "text": "hm"}, "hm"),
        ({"type": "reasoning.summary", "summary": "hm"}, "hm"),
        ({"type": "text", "text": "hm", "thought": True}, "hm"),
        ({"type": "redacted_thinking", "data": "c2VjcmV0"}, None),
        ({"type": "reasoning.encrypted", "data": "c2VjcmV0"}, None),
    ],
)
def test_a_part_with_reasoning_is_no_answer(part: dict[str, Any], reasoning: str | None) -> None:
    reply = complete_once(servers.fields(content=[part, ANSWER]))
    assert (reply.finish, reply.text, reply.reasoning) == ("stop", "[1]", reasoning)
    alone = complete_once(servers.fields(content=[part]))
    assert (alone.finish, alone.text, alone.reasoning) == ("stop", "", reasoning)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([ANSWER], "[1]"),
        (["[1]"], "[1]"),
        (ANSWER, "[1]"),
        ([{"text": "[1"}, {"type": "output_text", "text": "]"}], "[1]"),
        ([{"type": "text", "text": {"value": "[1]", "annotations": []}}], "[1]"),
        ([ANSWER, IMAGE, {"type": "reference", "reference_ids": [1]}], "[1]"),
        ([{"type": "tool_result", "text": "[2]"}, ANSWER], "[1]"),
        ([{"type": "text", "text": ""}], ""),
        ([IMAGE], ""),
        ("", ""),
    ],
)
def test_parts_of_text_are_the_answer(content: object, text: str) -> None:
    reply = complete_once(servers.fields(content=content))
    assert (reply.finish, reply.text, reply.reasoning) == ("stop", text, None)


@pytest.mark.parametrize("content", [None, [], {}])
def test_a_message_that_holds_nothing_is_trouble(content: object) -> None:
    with pytest.raises(TransientModelError, match="no text"):
        complete_once(servers.fields(content=content))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "refusal", "refusal": "I will not."}], "I will not."),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "refusal", "refusal": "I will not."}], "I will not."),
        ([ANSWER, {"type": "refusal", "refusal": "I will not."}], "[1]"),
    ],
)
def test_a_refusal_among_parts_is_a_refusal(content: object, text: str) -> None:
    reply = complete_once(servers.fields(content=content))
    assert (reply.finish, reply.text) == ("refused", text)


def test_reasoning_beside_the_content_may_be_parts() -> None:
    details = [{"type": "reasoning.text", "text": "hm"}, {"type": "reasoning.encrypted", "data": "c2VjcmV0"}]
    reply = complete_once(servers.fields(content="[1]", reasoning=None, reasoning_details=details))
    assert (reply.text, reply.reasoning) == ("[1]", "hm")


VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "thinking", "refusal", "content", "summary", "thought"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["content", "refusal", "reasoning", "tool_calls"]), VALUES))
def test_any_message_is_read(message: dict[str, Any]) -> None:
    assert all(isinstance(text, str | None) for text in read_message(message))
    assert isinstance(read_message(message), MessageText)
