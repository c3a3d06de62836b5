"""The marks of models and chats: hidden reasoning is never said, whatever its marks, and strings keep theirs."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.pieces.final_text import drop_label, read_final_channel, read_spoken, read_turn

#: How models begin and end their hidden reasoning.
PAIRS = [
    ("<think>", "</think>"),
    ("<Thinking>", "</Thinking>"),
    ('<think time="3s">', "</think>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|think|>", "<|/think|>"),
    ("<unused94>thought\n", "<unused95>"),
    ('<details type="reasoning" done="true">', "</details>"),
    ("Thinking...\n", "\n...done thinking.\n"),
    ("Here is my thought process:", "Here is my response:"),
]


@pytest.mark.parametrize(("opening", "closing"), PAIRS)
def test_hidden_reasoning_is_not_said(opening: str, closing: str) -> None:
    assert read_spoken(f"{opening}so 41{closing}42").strip() == "42"
    assert read_spoken(f"\n{opening}\n```\n41\n```\n{closing}\n42").strip() == "42"
    assert read_spoken(f"{opening}so 41").strip() == ""
    assert read_spoken(f"so 41{closing}42").strip() == "42"


def test_only_its_own_mark_ends_reasoning() -> None:
    assert read_spoken("<think><scratchpad>41</scratchpad> so 42") == ""
    assert read_spoken("<think><scratchpad>41</scratchpad> so</think>43").strip() == "43"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("<|channel|>analysis<|message|>41<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>", "42"),
        ("<|start|>assistant<|channel|>final <|constrain|>json<|message|>42", "42"),
        ("<|channel|>analysis<|message|>so 42", ""),
        ("<|channel|>commentary<|message|>42<|end|>", ""),
        ("analysisWe need 41.assistantfinal42", "42"),
        ("analysisWe need 41", ""),
        ("analysis of the loop: 42", "analysis of the loop: 42"),
        ("42", "42"),
    ],
)
def test_only_the_final_channel_is_said(reply: str, said: str) -> None:
    assert read_final_channel(reply) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("42<|im_end|>", "42"),
        ("42</s>", "42"),
        ("42<｜end▁of▁sentence｜>", "42"),
        ("42<end_of_turn>\n<start_of_turn>user\n43", "42"),
        ("<|im_start|>assistant\n42<|im_end|>\n<|im_start|>user\n43", "42"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\n42<|eot_id|>", "42"),
        ("<|im_start|>user\n41<|im_end|><|im_start|>assistant\n42", "42"),
        ("<|begin_of_box|>42<|end_of_box|>", "42"),
        ("'</s>'", "'</s>'"),
        ("assert f(3) == 'a<|im_end|>b'", "assert f(3) == 'a<|im_end|>b'"),
        ("if a < b and c > d", "if a < b and c > d"),
        ("", ""),
    ],
)
def test_one_turn_is_said(text: str, said: str) -> None:
    assert read_turn(text).strip() == said


@pytest.mark.parametrize(
    ("text", "said"),
    [("Assistant: 42", "42"), ("\nA: 42", "42"), ("model:42", "42"), ("user: 42", "user: 42"), ("42: a", "42: a")],
)
def test_the_name_of_the_model_is_not_said(text: str, said: str) -> None:
    assert drop_label(text) == said
