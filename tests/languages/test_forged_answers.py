"""Hostile answers by the thousand: what would be run is the data that were read, and nothing else of the answer.

``CODEREASON_FUZZ_ANSWERS`` says how many answers of each language the benchmark draws: 200,000 unless told.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from random import Random

import pytest

from pytest_codereason.core import Arguments
from pytest_codereason.languages.java.values.arguments import read_forms
from pytest_codereason.languages.java.values.forms import ArgumentForm
from pytest_codereason.registry import language
from pytest_codereason.replies.arguments import read_call_arguments
from tests.languages.fuzzing import GRAMMARS
from tests.languages.second_parsers import read_java, read_javascript, read_php, read_python

#: Replies in which an answer stands, and whether they continue the prefill.
REPLIES = [("{}) == 1", True), ("[ANSWER]f({})[/ANSWER]", False), ("```\nassert f({}) == 1\n```", False), ("{}", False)]
_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")


def draw_arguments(name: str, count: int, seed: int) -> Iterator[Arguments]:
    """The arguments that are read from answers; most answers give none."""
    random, lang = Random(f"{name} {seed}"), language(name)
    for _ in range(count):
        answer = GRAMMARS[name].draw_answer(random)
        form, prefilled = random.choice(REPLIES)
        reply, prefill = form.replace("{}", answer), "assert f(" if prefilled else ""
        started = time.process_time()
        candidate = read_call_arguments(reply, language=lang, function="f", prefill=prefill, prefilled=prefilled)
        assert time.process_time() - started < 1, reply  # a second: the machine may be busy, and Python may collect
        if candidate is not None and candidate.arguments is not None:
            yield candidate.arguments


def check_answers(name: str, count: int, seed: int) -> int:
    """How many answers gave arguments; each of them would be run as the data that were read."""
    batch = [*draw_arguments(name, count, seed)]
    values = language(name).values
    texts = [arguments.text for arguments in batch]
    if name == "java":
        for text in texts:
            assert read_java(text) == [*map(adapt_to_javalang, read_forms(text)[1])], text
        return len(batch)
    seconds = (
        read_php(texts) if name == "php" else map({"python": read_python, "javascript": read_javascript}[name], texts)
    )
    for arguments, second in zip(batch, seconds, strict=True):
        assert [name for name, _ in second] == [*arguments.names], arguments.text
        assert [values.write(value) for _, value in second] == [*map(values.write, arguments.values)], arguments.text
    return len(batch)


def adapt_to_javalang(form: ArgumentForm) -> ArgumentForm:
    """A form as javalang gives it: without escapes of Unicode, and without the sign of ``(long) (-1)``."""
    if form.kind != "literal":
        parts, filling = (tuple(map(adapt_to_javalang, inside)) for inside in (form.parts, form.filling))
        if form.kind == "cast" and parts[0].kind == "literal":
            parts = (ArgumentForm("literal", str(parts[0].name).removeprefix("-")),)
        return ArgumentForm(form.kind, form.name, parts, filling)
    text = _ESCAPE.sub(lambda match: match[1] + chr(int(match[2], 16)), str(form.name))
    return ArgumentForm("literal", text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))


@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_run_is_what_was_read(name: str) -> None:
    accepted = check_answers(name, 400, seed=0)
    assert 40 < accepted < 360  # else the grammar tests nothing


@pytest.mark.benchmark
@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_run_is_what_was_read_many_times(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    count, step = int(os.environ.get("CODEREASON_FUZZ_ANSWERS", "200000")), 5_000
    accepted = sum(check_answers(name, min(step, count - done), seed=done) for done in range(0, count, step))
    with capsys.disabled():
        print(f"\n{name}: {count:,} answers, {accepted:,} of them data")
