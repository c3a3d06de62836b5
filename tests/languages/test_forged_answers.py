"""Hostile answers by the thousand: what would be run is the data that were read, and nothing else of the answer.

``CODEREASON_FUZZ_ANSWERS`` says how many answers of each language the benchmark draws, 200,000 unless it is set.
``CODEREASON_FUZZ_SEED`` draws others.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from random import Random

import pytest

from pytest_codereason.core import Arguments
from pytest_codereason.core.reading import limits
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java.values.arguments import read_forms
from pytest_codereason.languages.java.values.forms import ArgumentForm
from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.registry import language
from tests.benchmarks.extent import limit
from tests.languages.fuzzing import GRAMMARS
from tests.languages.second_parsers import Named, read_java, read_javascript, read_php, read_python
from tests.languages.written_calls import list_strangers

#: Replies in which an answer stands, and whether they continue the prefill.
REPLIES = [("{}) == 1", True), ("[ANSWER]f({})[/ANSWER]", False), ("```\nassert f({}) == 1\n```", False), ("{}", False)]
#: Seconds of processor time that a reply of :data:`LONG` characters may take in this process, where requests wait. A
#: second process parses such a reply, and the kernel ends it after a second.
CPU_S, LONG = 0.05, 100_000
SECOND_READERS: dict[str, Callable[[str], Named]] = {"python": read_python, "javascript": read_javascript}
_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")


def draw_replies(name: str, count: int, seed: int) -> Iterator[tuple[str, bool]]:
    """Replies with hostile answers, and whether they continue the prefill."""
    random = Random(f"{name} {seed}")
    for _ in range(count):
        answer = GRAMMARS[name].draw_answer(random)
        form, prefilled = random.choice(REPLIES)
        yield form.replace("{}", answer), prefilled


def read_reply(name: str, reply: str, *, prefilled: bool) -> Arguments | None:
    """The arguments that a reply gives."""
    prefill = "assert f(" if prefilled else ""
    candidate = read_call_arguments(reply, language=language(name), function="f", prefill=prefill, prefilled=prefilled)
    return None if candidate is None else candidate.arguments


def check_answers(name: str, count: int, seed: int) -> int:
    """How many answers gave arguments. Each of them would be run as the data that were read, and nothing else."""
    replies = draw_replies(name, count, seed)
    batch = [arguments for reply, cont in replies if (arguments := read_reply(name, reply, prefilled=cont))]
    texts = [arguments.text for arguments in batch]
    for arguments in batch:
        assert list_strangers(name, arguments) == [], arguments.text
    if name == "java":
        for text in texts:
            assert read_java(text) == [*map(adapt_to_javalang, read_forms(text)[1])], text
        return len(batch)
    values = language(name).values
    seconds = read_php(texts) if name == "php" else map(SECOND_READERS[name], texts)
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


def check_cost(name: str, count: int, seed: int) -> None:
    """Long replies that repeat a hostile answer take next to no processor time here."""
    for reply, prefilled in draw_replies(name, count, seed):
        long = (reply * (LONG // max(1, len(reply)) + 1))[:LONG]
        # A second try is for what the machine did meanwhile: the kernel moved the process, say.
        assert any(measure_cpu(name, long, prefilled=prefilled) < CPU_S for _ in range(2)), reply


def measure_cpu(name: str, reply: str, *, prefilled: bool) -> float:
    """Seconds of processor time that reading takes in this process."""
    started = time.process_time()
    read_reply(name, reply, prefilled=prefilled)
    return time.process_time() - started


@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_run_is_what_was_read(name: str) -> None:
    accepted = check_answers(name, 400, seed=0)
    assert 40 < accepted < 360  # else the grammar tests nothing


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_long_answer_is_read_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CPU_S", 0.2)
    read_reply(name, "x" * LONG, prefilled=False)  # starts the second process, which costs time here
    check_cost(name, 3, seed=0)


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_stranger_is_seen(name: str) -> None:
    for text in ("1 # 2", "1 /* 2 */", "exit(0)", "`id`", "'a' or f(1)", "[1]\n", "x"):
        assert list_strangers(name, Arguments((), (), text)), text


def test_a_parameter_has_a_name_of_letters() -> None:
    values = language("php").values
    assert values.read_arguments("größe: 1").text == "größe: 1"
    for blank in "\u2028\u2003":
        with pytest.raises(NotALiteral):
            values.read_arguments(f"a{blank}: 1")


@pytest.mark.benchmark
@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_run_is_what_was_read_many_times(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    count, step = int(os.environ.get("CODEREASON_FUZZ_ANSWERS", limit(200_000, 10_000))), 5_000
    seed, started = int(os.environ.get("CODEREASON_FUZZ_SEED", "0")), time.monotonic()
    accepted = 0
    for done in range(0, count, step):
        accepted += check_answers(name, min(step, count - done), seed=seed + done)
        check_cost(name, 2, seed=seed + done)
    with capsys.disabled():
        wall_s = time.monotonic() - started
        print(f"\n{name}: {count:,} answers, {accepted:,} of them data, {wall_s:,.0f} s")
