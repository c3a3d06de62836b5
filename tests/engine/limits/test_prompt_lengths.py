"""What is too long is counted before anything is asked, from a few questions and without a tokenizer."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pytest_codereason.engine.limits.prompt_lengths import count_kinds, count_too_long, list_warnings
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.readers import Reader
from tests.engine.suite_files import load


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(tmp_path)


def count_requests(suite: Suite) -> Counter[tuple[str, str]]:
    return count_kinds(("s", spec.id) for spec in suite.specs())["s"]


def test_questions_are_told_apart_by_language_and_cell(suite: Suite) -> None:
    assert count_requests(suite) == {(lang, f"digits:{d}"): 10 for lang in ("python", "php") for d in (2, 3)}
    assert count_kinds([("a", "python/0"), ("b", "python/1[digits:2]"), ("a", "python/7")]) == {
        "a": {("python", ""): 2},
        "b": {("python", "digits:2"): 1},
    }


@pytest.mark.parametrize(("length", "many"), [(10, 40), (100_000, 0)])
def test_all_or_none_are_too_long(suite: Suite, length: int, many: int) -> None:
    assert count_too_long(suite, count_requests(suite), Reader(length), length) == many


def test_only_what_is_asked_counts(suite: Suite) -> None:
    assert count_too_long(suite, {("php", "digits:3"): 4}, Reader(10), 10) == 4
    assert count_too_long(suite, {}, Reader(10), 10) == 0


def test_the_longest_answer_counts_too(tmp_path: Path) -> None:
    suite = load(tmp_path, "[sampling]\nmax_tokens = 3000\n")
    assert count_too_long(suite, count_requests(suite), Reader(3000), 3000) == 40
    assert count_too_long(suite, count_requests(suite), Reader(3900), 3900) == 0


def test_a_tokenizer_at_hand_is_asked(suite: Suite) -> None:
    reader = Reader(600, counts=True)
    assert count_too_long(suite, count_requests(suite), reader, 600) == 40, "one token a character"
    assert len(reader.read) == 4, "one question stands for all of its kind"


def test_lines_taken_away_are_no_kind_of_their_own(tmp_path: Path) -> None:
    suite = load(tmp_path, "\n[ablation]\nversions = 8\n")
    assert len(count_requests(suite)) > 4
    assert count_too_long(suite, count_requests(suite), Reader(10), 10) == len(suite)


def test_a_warning_names_suite_model_and_numbers(suite: Suite) -> None:
    twice = Counter({kind: 2 * many for kind, many in count_requests(suite).items()})
    models = [Reader(10), Reader(None)]
    assert list(list_warnings([(suite, twice)], models)) == [
        "s: about 40 of 40 questions are longer than the 10 tokens that reader takes; they will count as too-long"
    ]
    assert not list(list_warnings([(suite, twice)], [Reader(None), Reader(100_000)]))
    many = dict.fromkeys(count_requests(suite), 4567)
    assert "about 18,000 of 18,268 questions" in next(iter(list_warnings([(suite, many)], [Reader(10)])))


def test_what_just_fits_is_not_too_long(tmp_path: Path) -> None:
    """A question and the longest answer to it may take every token of the model, and no more."""
    suite = load(tmp_path, "[sampling]\nmax_tokens = 300\n")
    asked = {("php", "digits:3"): 1}
    reader = Reader(None, counts=True)
    count_too_long(suite, asked, reader, 10)
    length = len(reader.read[-1]) + 300
    assert count_too_long(suite, asked, reader, length) == 0
    assert count_too_long(suite, asked, reader, length - 1) == 1


def test_an_answer_without_a_limit_takes_one_token_at_least(tmp_path: Path) -> None:
    suite = load(tmp_path)
    asked = {("php", "digits:3"): 1}
    reader = Reader(None, counts=True)
    reader.sampling = {"max_tokens": None}
    count_too_long(suite, asked, reader, 10)
    length = len(reader.read[-1])
    assert count_too_long(suite, asked, reader, length + 1) == 0
    assert count_too_long(suite, asked, reader, length) == 1
