"""The words by which replies state a result."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.questions.replies.statements.words import (
    BEHIND,
    LINKS,
    OTHERS,
    Words,
    join_words,
    list_words,
    lower,
)


def find(words: list[str], text: str) -> list[str]:
    return [match[0] for match in re.finditer(join_words(words), text)]


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["answer"], "the answer, answers, answer", ["answer", "answer"]),
        (["answer"], "reanswer", []),
        (["is", "is equal to"], "is equal to, is", ["is equal to", "is"]),
        (["is equal to"], "is  equal\tto", ["is  equal\tto"]),
        (["is equal to"], "is\nequal to", []),
        (["Ans", "ANSWER"], "ans answer", ["ans", "answer"]),
        (["e.g."], "e.g. so", ["e.g."]),
        (["n't"], "n't", ["n't"]),
        (["結果"], "その結果は", ["結果"]),
        (["답", "답변"], "답변은", ["답변"]),
        (["ответ", "é"], "ответ é ответы", ["ответ", "é"]),
        (["です"], "42です。", ["です"]),
        (["the", "answer"], "the answer", ["the", "answer"]),
    ],
)
def test_words_are_found_as_a_whole(words: list[str], text: str, found: list[str]) -> None:
    assert find(words, text) == found


def test_the_longest_word_counts() -> None:
    assert find(["a", "a b", "a b c"], "a b c") == ["a b c"]


def test_words_of_all_languages_are_listed_in_small_letters() -> None:
    nouns = list_words("nouns")
    assert {"answer", "antwort", "答案", "ответ", "정답"} <= nouns
    assert all(word == word.lower() for word in nouns)
    assert "returns" not in list_words("verbs")  # English verbs are judged by what stands before them
    assert "renvoie" in list_words("verbs")
    with pytest.raises(KeyError):
        list_words("adjectives")


@pytest.mark.parametrize(
    ("pattern", "found", "other"),
    [
        (LINKS, ("is", "equals", "ist", "равен"), ("or", "island")),
        (BEHIND, ("です", "입니다", "zurück"), ("is",)),
        (OTHERS, ("or", "maybe", "oder", "または"), ("order", "and")),
    ],
)
def test_each_kind_has_a_pattern(pattern: str, found: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert all(re.match(pattern, word) for word in found)
    assert not any(re.match(pattern, word) for word in other)


def test_a_text_of_ascii_is_searched_for_the_same_words() -> None:
    words = Words(["answer", "réponse", "答案"], r"|n['’]t\b")
    assert [match[0] for match in words.list("no answer, isn't réponse")] == ["answer", "n't", "réponse"]
    assert [match[0] for match in words.list("no answer, isn't")] == ["answer", "n't"]
    assert [match.start() for match in words.list("答案 answer")] == [0, 3]


def test_a_part_of_a_text_is_searched() -> None:
    words = Words(["answer", "答案"])
    for text in ("an answer", "an answer 答案"):
        found = words.search(text)
        assert found is not None
        assert found.span() == (3, 9)
        assert words.search(text, 4) is None or not text.isascii()
        assert words.search(text, 0, 8) is None
        assert words.search(text, 3, 9) is not None


@pytest.mark.parametrize(("text", "small"), [("ABC Ä", "abc ä"), ("İX", "İx"), ("ẞ", "ß"), ("", ""), ("ΑΣ", "ας")])
def test_every_letter_keeps_its_place(text: str, small: str) -> None:
    assert lower(text) == small
    assert len(lower(text)) == len(text)
