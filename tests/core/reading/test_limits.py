"""No text from outside hangs a run: a second process reads it, and is stopped."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Generator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason.core import Ask, Completion, Facts, Program, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.reading import bounded, close_reader, limits
from pytest_codereason.engine.judging import Judge
from pytest_codereason.errors import DoesNotParse, NotALiteral, TakesTooLong
from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from pytest_codereason.questions.tasks.shared.defences import read_program
from pytest_codereason.registry import language
from tests.examples import examples

LANGUAGES = ("python", "javascript", "php", "java")
#: Texts for which tree-sitter takes seconds: few enough characters to end within a minute where nothing stops it.
SLOW = [("javascript", "->" * 2_500), ("java", "-->" * 2_000)]
PIECES = [
    *["-->", "->", "x=>", ")]}", "({[", "(", "[", "{", "x?", "a<", '"', "'", "`", "`${", "/*", "x=>{", "if(x)", "-"],
    *["!", "@", "#", "\\", "$", "<<<A\n", 'f"{', "lambda:", "new ", "async ", "(x,", "[...", "x:", "=>", "f("],
    *["1+", "??", "++", "--", "<a>", "</", "else ", "1", "9" * 50, "\\u0041", "\n", " ", "\t", "```\n", "~~~\n"],
    *["[ANSWER]", "[/ANSWER]", "</think>", "<think>\n", "assert f(1) == ", "f(1)", "answer is ", "\0", "\ud800"],
    *["é", "'''", '"""', "//", "1e9"],
]


@pytest.fixture(autouse=True)
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that ends tests soon, and a process that has just started: the start costs processor time here."""
    monkeypatch.setattr(limits, "CPU_S", 0.2)
    count_letters("x" * 1_000)


@bounded("text")
def count_letters(text: str) -> int:
    return len(text)


@bounded("text")
def name_process(text: str) -> int:
    return os.getpid()


@bounded("reply")
def name_process_for(program: str, reply: str, *, prefill: str = "") -> int:
    return os.getpid()


@bounded("text")
def fail(text: str, kind: str) -> None:
    if kind == "bug":
        raise KeyError(text[0])
    if kind == "memory":
        bytearray(2**43)
    raise DoesNotParse("no program", line=3)


@bounded("text")
def find_key(text: str) -> str | None:
    return os.environ.get("CODEREASON_TEST_KEY")


def read_all(reply: str, name: str) -> None:
    lang = language(name)
    read_value(reply, language=lang, call="f(1)")
    read_call_arguments(reply, language=lang, function="f")
    program = Program.from_source(language=name, source="x", call="f(1)", facts=Facts())
    read_program(reply, lang, program)


def measure_cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize(("name", "text"), SLOW)
def test_a_text_that_its_parser_chokes_on_is_given_up(name: str, text: str) -> None:
    assert measure_cpu(lambda: read_all(f"```\n{text}\n```", name)) < 0.3


@pytest.mark.parametrize("text", ["\n" * 20_000, "export x;" + "->" * 2_500])
def test_a_program_of_a_model_is_laid_out_in_little_time(text: str) -> None:
    runner = language("javascript").runner
    assert measure_cpu(lambda: runner.harness({"main.js": text}, "main.js", "f(1)")) < 0.3


@pytest.mark.slow
def test_the_reason_is_told() -> None:
    answer = read_value(f"[ANSWER]{'-->' * 2_000}[/ANSWER]", language=language("java"), call="f(1)")
    assert answer is not None
    assert answer.value is None
    assert answer.reason == "takes more than 0.2 s to read"
    assert issubclass(TakesTooLong, NotALiteral)
    assert issubclass(TakesTooLong, DoesNotParse)


def test_an_honest_text_is_read_in_the_second_process() -> None:
    assert name_process("x" * 100) == os.getpid()
    assert name_process("x" * 1_000) != os.getpid()
    answer = read_value(f"[ANSWER]{[1.5, 'a', None, (True,)] * 200}[/ANSWER]", language=language("python"), call="f(1)")
    assert answer is not None
    assert answer.value is not None
    assert answer.value.value == [1.5, "a", None, (True,)] * 200


def test_what_is_known_may_be_of_any_length() -> None:
    assert name_process_for("x" * 2_000, "[5]", prefill="y" * 2_000) == os.getpid()
    assert name_process_for(reply="[5]", program="x" * 2_000) == os.getpid()
    assert name_process_for("x", "5" * 2_000) != os.getpid()
    assert name_process_for(program="x", reply="5" * 2_000) != os.getpid()
    with pytest.raises(ValueError, match="replies"):
        bounded("replies")(count_letters)


def test_exceptions_pass() -> None:
    with pytest.raises(DoesNotParse, match=r"^line 3: no program$") as caught:
        fail("x" * 1_000, "program")
    assert caught.value.line == 3
    with pytest.raises(KeyError, match="x"):
        fail("x" * 1_000, "bug")
    with pytest.raises(TakesTooLong, match="memory"):
        fail("x" * 1_000, "memory")


def test_a_process_that_was_ended_is_replaced_by_one_without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_TEST_KEY", "secret")
    first = name_process("x" * 1_000)
    close_reader()
    assert name_process("x" * 1_000) != first
    assert find_key("x" * 1_000) is None


def test_threads_read_one_after_the_other() -> None:
    results: list[int] = []
    threads = [threading.Thread(target=lambda n=n: results.append(count_letters("x" * n))) for n in range(500, 520)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(500, 520))


def test_requests_go_on_while_a_reply_is_read() -> None:
    async def scenario() -> tuple[int, Ask | Run | Verdict]:
        judge, ticks, steps = Judge(), 0, hostile_steps()
        await judge.advance(OutputPrediction(), steps, None)
        reading = asyncio.ensure_future(judge.advance(OutputPrediction(), steps, Completion(text="->" * 2_500)))
        while not reading.done():
            await asyncio.sleep(0.005)
            ticks += 1
        judge.close()
        return ticks, reading.result()

    ticks, verdict = asyncio.run(scenario())
    assert ticks >= 5
    assert isinstance(verdict, Verdict)
    assert verdict.outcome == "invalid"


def hostile_steps() -> Generator[Ask | Run, Completion | Execution, Verdict]:
    completion = yield Ask(messages=(), truth="", guess=lambda _: "")
    assert isinstance(completion, Completion)
    answer = read_value(completion.text, language=language("javascript"), call="f(1)", prefill="=", prefilled=True)
    return Verdict(outcome="invalid" if answer is None or answer.value is None else "correct", expected="")


REPLIES = st.builds(
    lambda before, piece, after, size: before + (piece * size)[:size] + after,
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
    st.sampled_from([50, 250, 3_000, 100_000]),
)


@pytest.mark.slow
@settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(reply=REPLIES, name=st.sampled_from(LANGUAGES))
def test_no_reply_costs_much_processor_time_here(reply: str, name: str) -> None:
    """Three readers take at most 50 ms each. A second try is for what the machine did meanwhile."""
    assert any(measure_cpu(lambda: read_all(reply, name)) < 0.15 for _ in range(2))
