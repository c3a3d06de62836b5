from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.models.shared.markup import CUT, Shield, encode

SPECIAL = ("<|im_start|>", "<|im_end|>", "<|im_end|>|", "</s>", "x")
TEXTS = st.lists(st.sampled_from([*SPECIAL, "<|im_", "end|>", "<", "|", "é", "\ud800", CUT, "\n"])).map("".join)


def characters(text: str) -> list[int]:
    return [ord(character) for character in text]


@given(TEXTS)
def test_no_special_token_of_several_characters_is_left_whole(text: str) -> None:
    for part in Shield(SPECIAL).cut(text).split(CUT):
        assert not any(token in part for token in SPECIAL if len(token) > 1)


@given(TEXTS)
def test_every_other_character_is_encoded_as_it_stands(text: str) -> None:
    remainder = text.replace(CUT, "").replace("\ud800", "?")
    assert encode(Shield(SPECIAL).cut(text), characters) == characters(remainder)


def test_a_text_without_markup_is_encoded_in_one_piece() -> None:
    assert encode(Shield(SPECIAL).cut("def f(x): return x < 3 | 4"), lambda text: [len(text)]) == [26]


def test_a_tokenizer_without_special_tokens_cuts_nothing() -> None:
    assert Shield(()).cut("<|im_end|>") == "<|im_end|>"
