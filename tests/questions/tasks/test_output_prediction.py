from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import SCORED, Ask, Completion, Facts, Instance, Program, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources.horizon import Horizon
from pytest_codereason.programs.sources.semtrace import TraceSpec, build
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction, measure_partial_match
from pytest_codereason.questions.templates.loading import PromptTemplate, load
from pytest_codereason.strategies import semtrace_programs

TASK = OutputPrediction()
SPEC = TraceSpec(81, (-43, 88, -65, -74), (0, 2, 1, 3))
SHOT = TraceSpec(50, (1, 2, 3, 4), (3, 2, 1, 0))
PLUS = "def f(n):\n    return n + 1\n"
RIGHT = [38, 169, 16, 7]


def make_instance(language: str = "python", program: Program | None = None, shots: int = 0, **axes: Any) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="suite",
        program=program or build(SPEC, language),
        axes={"prompting": "direct", "shots": shots, "query": "both", **axes},
        matrix={},
        shots=tuple(build(SHOT, language) for _ in range(shots)),
        template=load("output-prediction", str(axes.get("prompting", "direct"))),
    )


def ask(instance: Instance) -> Ask:
    step = next(TASK.steps(instance))
    assert isinstance(step, Ask)
    return step


def judge(instance: Instance, completion: Completion) -> Verdict:
    steps = TASK.steps(instance)
    next(steps)
    with pytest.raises(StopIteration) as stop:
        steps.send(completion)
    verdict = stop.value.value
    assert isinstance(verdict, Verdict)
    return verdict


def judge_text(text: str, instance: Instance | None = None, **known: Any) -> Verdict:
    return judge(instance or make_instance(), Completion(text=text, prefilled=True, **known))


@pytest.mark.parametrize("value", ["x" * 100_000, [1] * 50_000])
def test_an_output_that_no_answer_could_have_is_not_asked_for(value: Any) -> None:
    program = Program.from_source(language="python", source=PLUS, call="f(1)", facts=Facts(output=value))
    with pytest.raises(Skip, match="no answer with the output would be read: longer than 100,000 characters"):
        ask(make_instance(program=program))
    longest = Program.from_source(language="python", source=PLUS, call="f(1)", facts=Facts(output="x" * 99_998))
    question = make_instance(program=longest)
    assert judge(question, Completion(text=ask(question).truth, prefilled=True)).outcome == "correct"


def test_the_registry_knows_it() -> None:
    assert registry.find(Task, "output-prediction") is OutputPrediction


@pytest.mark.parametrize(
    ("language", "ending", "truth"),
    [
        ("python", "```python\nassert f(81) ==", " [38, 169, 16, 7]\n```"),
        ("javascript", "```javascript\nassert.deepStrictEqual(f(81),", " [38, 169, 16, 7]);\n```"),
        ("php", "```php\nassert(f(81) ===", " [38, 169, 16, 7]);\n```"),
    ],
)
def test_the_direct_question(language: str, ending: str, truth: str) -> None:
    step = ask(make_instance(language))
    assert step.prefill.endswith(ending)
    assert step.prefill_stop == ("\n```",)
    assert step.truth == truth
    [message] = step.messages
    assert build(SPEC, language).source.strip() in message.content
    assert "38" not in message.content


def test_chain_of_thought_has_no_prefill() -> None:
    step = ask(make_instance(prompting="cot"))
    assert (step.prefill, step.prefill_stop) == ("", ())
    assert "arr[0] = 81 - 43 = 38" in step.truth
    assert step.truth.endswith("```python\nassert f(81) == [38, 169, 16, 7]\n```")


@pytest.mark.parametrize("prompting", ["direct", "cot"])
def test_worked_examples_are_earlier_turns(prompting: str) -> None:
    messages = ask(make_instance(prompting=prompting, shots=2)).messages
    assert [m.role for m in messages] == ["user", "assistant", "user", "assistant", "user"]
    assert "assert f(50) == [51, 52, 53, 54]" in messages[1].content
    assert ("arr[3] = 50 + 4 = 54" in messages[1].content) == (prompting == "cot")


@pytest.mark.parametrize(("query", "places"), [("both", (1, 1)), ("before", (1, 0)), ("after", (0, 1))])
def test_where_the_query_stands(query: str, places: tuple[int, int]) -> None:
    [message] = ask(make_instance(query=query)).messages
    before, _, after = message.content.partition("def f(x):")
    assert (before.count("f(81)"), after.count("f(81)")) == places


@pytest.mark.parametrize("prompting", ["direct", "cot"])
@pytest.mark.parametrize("continued", [True, False])
@given(program=semtrace_programs())
def test_the_truth_is_right_and_a_guess_is_an_answer(program: Program, continued: bool, prompting: str) -> None:
    instance = make_instance(program.language, program, prompting=prompting)
    question = ask(instance)
    truth = question.truth if continued else question.prefill + question.truth
    verdict = judge(instance, Completion(text=truth, prefilled=continued))
    assert verdict.outcome == "correct"
    assert verdict.metrics == {"exact": 1, "partial": 1, "exact_answered": 1, "unresolved": 0, "exact_resolved": 1}
    assert verdict.answer == verdict.expected
    guess = judge(instance, Completion(text=question.guess(Random(0).random), prefilled=True))
    assert guess.outcome == "wrong"
    assert guess.answer is not None
    assert guess.answer.count(",") == len(program.facts["output"]) - 1


def test_a_guess_is_pure() -> None:
    step = ask(make_instance())
    assert step.guess(Random(7).random) == step.guess(Random(7).random)
    assert step.guess(Random(7).random) != step.guess(Random(8).random)


def constant(value: float) -> Callable[[], float]:
    return lambda: value


@pytest.mark.parametrize(
    ("output", "low", "high"),
    [
        ([38, -169], "[-999, -999]", "[999, 999]"),
        (7, "-9", "9"),
        (True, "True", "False"),
        ("abc", "'aaa'", "'zzz'"),
        (b"a", "b'\\x00'", "b'\\xff'"),
        (1.5, "-10.0", "10.0"),
        (None, "None", "None"),
        ({"a": (1, [2])}, "{'a': (-9, [-9])}", "{'a': (9, [9])}"),
        ([], "[]", "[]"),
    ],
)
def test_a_guess_has_the_shape_of_the_truth(output: Any, low: str, high: str) -> None:
    program = Program.from_source(language="python", source="def f(x): ...", call="f(81)", facts=Facts(output=output))
    step = ask(make_instance(program=program))
    assert step.guess(constant(0.0)) == f" {low}\n```"
    assert step.guess(constant(math.nextafter(1, 0))) == f" {high}\n```"


def test_right_and_wrong() -> None:
    assert judge_text(" [38, 169, 16, 7]").outcome == "correct"
    wrong = judge_text(" [38, 169, 16, 8]")
    assert (wrong.outcome, wrong.expected, wrong.answer) == ("wrong", "[38, 169, 16, 7]", "[38, 169, 16, 8]")
    assert wrong.metrics == {"exact": 0, "partial": 0.75, "exact_answered": 0, "unresolved": 0, "exact_resolved": 0}


def test_an_unresolved_answer_counts_as_its_value() -> None:
    verdict = judge_text(" [81 - 43, 169, 16, 7]")
    assert verdict.outcome == "correct"
    assert verdict.metrics == {"exact": 1, "partial": 1, "exact_answered": 1, "unresolved": 1, "exact_resolved": 0}
    assert judge_text(" [81 - 43, 0, 0, 0]").metrics["unresolved"] == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no answer found"),
        (" f(81)\n```", "no Python literal: not a literal: call"),
        (" [38, 169", "no Python literal: a bracket or quote stays open"),
        (" 0 or True or f(0)", "no Python literal: not a literal: bool op"),
        (" " + "[" * 100_000, "no Python literal: a bracket or quote stays open"),
        (" " + "9" * 1_000_000, "no Python literal: longer than 100,000 characters"),
        (" '" + "x" * 10_000_000 + "'", "no Python literal: a bracket or quote stays open"),
    ],
)
def test_invalid_answers_say_why(text: str, reason: str) -> None:
    verdict = judge_text(text)
    assert (verdict.outcome, verdict.reason) == ("invalid", reason)
    assert set(verdict.metrics.values()) == {0.0}


def test_what_is_kept_of_an_answer_is_bounded() -> None:
    verdict = judge_text(" '" + "x" * 50_000 + "'")
    assert verdict.outcome == "wrong"
    assert len(verdict.answer or "") == 10_000
    assert len(judge_text(" " + "é(" * 5_000).reason) <= 200


@pytest.mark.parametrize("finish", ["refused", "too-long"])
def test_finishes_that_are_outcomes(finish: Any) -> None:
    verdict = judge_text(" [38, 169, 16, 7]", finish=finish)
    assert verdict.outcome == finish
    assert set(verdict.metrics.values()) == {0.0}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (" [38, 169, 16, 7]\n", "correct"),
        (" [38, 169, 16, 7] becau", "correct"),
        (" [38, 169, 16, 8]\n```\nHe", "wrong"),
        (" f(81)\n```\nThe", "invalid"),
        (" [38, 169, 16, 7]", "truncated"),
        (" [38, 1", "truncated"),
        ("", "truncated"),
    ],
)
def test_a_reply_cut_off(text: str, outcome: str) -> None:
    verdict = judge_text(text, finish="length")
    assert verdict.outcome == outcome
    assert outcome != "truncated" or "limit" in verdict.reason


def test_a_chain_of_thought_cut_off() -> None:
    instance = make_instance(prompting="cot")
    thinking = "First,\n\narr[0] = 81 - 43 = 38\n\nand then"
    assert judge(instance, Completion(text=thinking, finish="length")).outcome == "truncated"
    assert judge(instance, Completion(text="<think>\n[38]\n", finish="length")).outcome == "truncated"
    assert judge(instance, Completion(text=thinking)).outcome == "invalid"


def test_a_server_that_did_not_continue() -> None:
    verdict = judge(
        make_instance(), Completion(text="Sure!\n```python\nassert f(81) == [38, 169, 16, 7]\n```", prefilled=False)
    )
    assert verdict.outcome == "correct"


@pytest.mark.parametrize(
    ("language", "text"), [("javascript", " [38.0, 169, 16, 7]);"), ("php", " array(38, 169, 16, 7));")]
)
def test_the_rules_of_the_language_count(language: str, text: str) -> None:
    assert judge_text(text, make_instance(language)).outcome == "correct"
    assert judge_text(" [38.0, 169, 16, 7]", make_instance("php")).outcome == "wrong"
    assert judge_text(" (38, 169, 16, 7)", make_instance("python")).outcome == "wrong"


@pytest.mark.parametrize(
    ("answer", "expected", "share"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 0, 3, 0], [1, 2, 3, 4], 0.5),
        ([1], [1, 2], 0.5),
        ([1, 2, 9], [1, 2], 1.0),
        ([2, 1], [1, 2], 0.0),
        ((1, 2), [1, 2], 1.0),
        ([True, 2], [1, 2], 0.5),
        (1, [1, 2], 0.0),
        ([], [], 1.0),
        ([1], [], 0.0),
        ("ab", "ab", 1.0),
        ("ab", "ac", 0.0),
        ({"a": 1}, {"a": 1}, 1.0),
    ],
)
def test_partial_match(answer: Any, expected: Any, share: float) -> None:
    assert measure_partial_match(registry.language("python"), answer, expected) == share


@given(answer=st.lists(st.integers(0, 3)), expected=st.lists(st.integers(0, 3)))
def test_partial_lies_between_0_and_1_and_is_1_where_exact(answer: list[int], expected: list[int]) -> None:
    share = measure_partial_match(registry.language("python"), answer, expected)
    assert 0 <= share <= 1
    assert share == 1 or answer != expected


@given(text=st.text(), prefilled=st.booleans(), finish=st.sampled_from(["stop", "length", "refused", "too-long"]))
def test_every_reply_is_scored_with_every_metric(text: str, prefilled: bool, finish: Any) -> None:
    verdict = judge(make_instance(), Completion(text=text, prefilled=prefilled, finish=finish))
    assert verdict.outcome in SCORED
    assert set(verdict.metrics) == {m.name for m in TASK.metrics if m.only is None}


@pytest.mark.parametrize(
    ("axis", "good", "bad"),
    [
        ("prompting", ["direct", "cot"], ["", "Direct", 1, None]),
        ("shots", [0, 1, 2], [3, -1, True, 1.0, "1"]),
        ("query", ["both", "before", "after"], ["none", 0]),
    ],
)
def test_axes(axis: str, good: list[object], bad: list[object]) -> None:
    known = TASK.axes[axis]
    assert known.accepts(known.default)
    assert all(map(known.accepts, good))
    assert not any(map(known.accepts, bad))
    assert not known.changes_program


def test_a_template_of_the_users_own() -> None:
    instance = make_instance()
    mine = PromptTemplate("=== user ===\n{{ code }}\n{{ call }}?\n=== prefill ===\nIt is", "mine")
    instance = Instance(**{f: getattr(instance, f) for f in instance.__slots__} | {"template": mine})
    question = ask(instance)
    assert question.prefill == "It is"
    assert judge(instance, Completion(text=question.truth, prefilled=True)).outcome == "correct"


@pytest.mark.parametrize("prompting", ["direct", "cot"])
@pytest.mark.parametrize("language", ["python", "javascript", "php"])
def test_what_running_the_program_gives_is_a_reply(language: str, prompting: str) -> None:
    instance = make_instance(language, prompting=prompting)
    step = ask(instance)
    assert step.run == Run.from_source(language=language, source=instance.program.source, call=instance.program.call)
    assert step.reply is not None
    right = step.reply(Execution(ending="returned", value=RIGHT))
    assert judge(instance, Completion(text=right, prefilled=prompting == "direct")).outcome == "correct"


@pytest.mark.parametrize("prompting", ["direct", "cot"])
@pytest.mark.parametrize(
    "execution",
    [
        Execution(ending="raised", error="KeyError", message="[38, 169, 16, 7]"),
        Execution(ending="raised", error="ValueError", message="the answer is: [38, 169, 16, 7]"),
        Execution(ending="rejected", message="line 2: invalid syntax"),
        Execution(ending="limit", limit="time"),
        Execution(ending="tampered", message="ended with status 0"),
    ],
)
def test_a_program_that_returns_nothing_is_no_answer(execution: Execution, prompting: str) -> None:
    instance = make_instance(prompting=prompting)
    step = ask(instance)
    assert step.reply is not None
    reply = step.reply(execution)
    assert judge(instance, Completion(text=reply, prefilled=prompting == "direct")).outcome == "invalid"


def make_horizon(steps: int, language: str = "python", **axes: Any) -> Instance:
    program = Horizon(1, seed=5).program(language, "0000", {"state": "int", "form": "looped", "steps": steps})
    return make_instance(program=program, **axes)


@pytest.mark.parametrize("language", ["python", "javascript", "php", "java", "typescript"])
def test_a_reply_tells_after_how_many_steps_it_stopped(language: str) -> None:
    instance = make_horizon(12, language)
    lang, states = registry.language(language), instance.program.facts["states"]
    _, after = lang.values.assertion(instance.program.call)

    def find_stop(value: Any) -> float | None:
        return judge_text(f" {lang.values.write(value)}{after}\n```", instance).metrics.get("stopped_at")

    assert [find_stop(state) for state in states] == [*range(13)], "0 is the start, 12 the right answer"
    assert find_stop([100, 100, 100, 100]) is None


def test_a_program_without_steps_has_no_place_where_a_reply_stops() -> None:
    assert "stopped_at" not in judge_text(" [1, 2]\n```").metrics
    assert "stopped_at" not in judge_text(" nothing\n```", make_horizon(3)).metrics


def test_the_room_for_a_chain_of_thought_grows_with_the_steps() -> None:
    assert [ask(make_horizon(steps, prompting="cot")).room for steps in (0, 12, 4096)] == [300, 780, 164_140]
    assert ask(make_horizon(12)).room == 0
    assert ask(make_instance(prompting="cot")).room == 0
