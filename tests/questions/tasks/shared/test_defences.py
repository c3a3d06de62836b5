"""What counts as a rewriting, in every language, and what becomes of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Ask, Completion, Context, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from pytest_codereason.questions.tasks.shared.defences import ROOM, read_program, rewrite_program
from pytest_codereason.registry import language
from tests.questions.tasks.shared.rewritten import SHOWN, instance

NEW = "def f(number):\n    return number + 1\n"
LANGUAGES = ("python", "javascript", "php", "java")


def read(reply: str, *, cut: bool = False, original: Program = SHOWN) -> str | None:
    return read_program(reply, language(original.language), original, cut=cut)


def block(text: str, tag: str = "python") -> str:
    return f"```{tag}\n{text}```"


OTHER, BROKEN = block("def f(a):\n    return 0\n"), block("def f(:\n")


@pytest.mark.parametrize(
    "reply",
    [
        NEW,
        block(NEW),
        f"Sure!\n\n{block(NEW)}\n\nI took the comment out.",
        f"{block(NEW)}\nSo it is called:\n{block('print(f(1))')}",
        f"First try:\n{OTHER}\nBetter:\n{block(NEW)}",
        f"{block(NEW)}\n{BROKEN}",
        f"<think>\n{OTHER}\n</think>\n{block(NEW)}",
        f"```\n{NEW}",
        block(NEW).replace("\n", "\r\n"),
        block(NEW).replace("```", "~~~~"),
    ],
    ids=["bare", "block", "words", "usage", "two", "broken", "thought", "open", "windows", "tildes"],
)
def test_the_program_is_found_in_a_reply(reply: str) -> None:
    assert read(reply) == NEW


@pytest.mark.parametrize(
    "reply",
    ["", "I cannot do that.", "f", block("def g(a):\n    return a\n"), block("def f(a:\n"), block("x = 1\n")],
)
def test_a_reply_without_a_program_that_defines_the_function_has_none(reply: str) -> None:
    assert read(reply) is None


def test_a_block_that_the_limit_cut_off_is_none() -> None:
    assert read(f"```python\n{NEW}", cut=True) is None
    assert read(NEW, cut=True) is None
    assert read(f"{block(NEW)}\nNow again:\n```python\ndef f(a):\n    return", cut=True) == NEW


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_finds_its_own_program_again(name: str) -> None:
    for example in EXAMPLES:
        original = program(example, name)
        assert (
            read(f"Here:\n```{name}\n{original.source.rstrip()}\n```\n", original=original)
            == original.source.strip("\n") + "\n"
        )


def test_php_gets_the_opening_tag_that_a_model_left_away() -> None:
    original = program(EXAMPLES[0], "php")
    assert original.source.startswith("<?php\n")
    assert read(original.source.removeprefix("<?php\n"), original=original) == original.source


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_is_right_is_a_program_without_comments(name: str) -> None:
    lang, original = language(name), program(EXAMPLES[0], name)
    function = lang.syntax.parse(original.source, original.call).functions[0]
    at = function.body.start
    commented = original.source[:at] + lang.dialect.comment("returns nothing at all") + "\n" + original.source[at:]
    ask = next(rewrite_program(instance(original.replace_source(commented))))
    assert isinstance(ask, Ask)
    assert "returns nothing" in ask.messages[0].content
    source = read(ask.truth, original=original)
    assert source is not None
    assert "returns nothing" not in source
    assert ask.guess(lambda: 0.5) == ask.truth
    assert original.call.partition("(")[0] in ask.messages[0].content


def test_a_long_program_has_room_to_be_written_again() -> None:
    def room(original: Program) -> int:
        ask = next(rewrite_program(instance(original)))
        assert isinstance(ask, Ask)
        return ask.room

    assert room(SHOWN) == ROOM
    long = "\n".join(f"    a += {i}" for i in range(500))
    assert room(SHOWN.replace_source(f"def f(a):\n{long}\n    return a\n")) > ROOM


def test_the_question_is_about_the_rewriting_in_the_context_that_was_there() -> None:
    context = Context(distractors=("def g(b):\n    return b",), place=1)
    steps = OutputPrediction().steps(instance(context=context))
    first = next(steps)
    assert isinstance(first, Ask)
    assert "def g" not in first.messages[0].content, "only the program itself is rewritten"
    run = steps.send(Completion(text=block(NEW)))
    assert run == Run.from_source(language="python", source=NEW, call="f(1)")
    question = steps.send(Execution(ending="returned", value=2))
    assert isinstance(question, Ask)
    prompt = question.messages[0].content
    assert prompt.index("def g(b)") < prompt.index("def f(number)")
    assert "returns 7" not in prompt
    assert question.run == run


def test_where_none_comes_back_the_program_is_asked_about_as_it_is() -> None:
    steps = OutputPrediction().steps(instance())
    next(steps)
    question = steps.send(Completion(text="No."))
    assert isinstance(question, Ask)
    assert "returns 7" in question.messages[0].content
    with pytest.raises(StopIteration) as stop:
        steps.send(Completion(text="2", prefilled=True))
    assert stop.value.value.outcome == "correct"
    assert stop.value.value.metrics["rewritten"] == 0.0
    assert stop.value.value.metrics.keys().isdisjoint({"rewrite_kept", "exact_own"})


@pytest.mark.parametrize(
    ("execution", "answer", "outcome", "numbers"),
    [
        (Execution(ending="returned", value=2), "2", "correct", {"rewrite_kept": 1.0, "exact_own": 1.0}),
        (Execution(ending="returned", value=3), "2", "correct", {"rewrite_kept": 0.0, "exact_own": 0.0}),
        (Execution(ending="returned", value=3), "3", "wrong", {"rewrite_kept": 0.0, "exact_own": 1.0}),
        (Execution(ending="returned", value=2), "what?", "invalid", {"rewrite_kept": 1.0, "exact_own": 0.0}),
        (Execution(ending="raised", error="NameError"), "2", "correct", {"rewrite_kept": 0.0}),
        (Execution(ending="limit", limit="cpu"), "2", "correct", {"rewrite_kept": 0.0}),
    ],
)
def test_right_is_what_the_program_shown_returns(
    execution: Execution, answer: str, outcome: str, numbers: dict[str, float]
) -> None:
    steps = OutputPrediction().steps(instance())
    next(steps)
    steps.send(Completion(text=block(NEW)))
    steps.send(execution)
    with pytest.raises(StopIteration) as stop:
        steps.send(Completion(text=answer, prefilled=True))
    verdict = stop.value.value
    assert verdict.outcome == outcome
    assert {k: v for k, v in verdict.metrics.items() if k in ("rewrite_kept", "exact_own")} == numbers
    assert verdict.metrics["rewritten"] == 1.0


def test_the_instruction_stands_in_every_template_where_it_is_asked_for_and_only_there() -> None:
    for defence, there in (("none", False), ("ignore-comments", True), ("refactor", False)):
        question = replace(instance(), rewriting=None, axes={"prompting": "direct", "defence": defence})
        ask = next(OutputPrediction().steps(question))
        assert isinstance(ask, Ask)
        assert ("Take no notice of comments" in ask.messages[0].content) == there
