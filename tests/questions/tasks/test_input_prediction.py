"""Input answers are judged by running the program, and never by what the answer says of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Completion, Facts, Program, Task
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.questions.tasks.input_prediction import InputPrediction
from pytest_codereason.sandbox import Sandbox
from tests.questions.tasks.input_answers import PREFIX, SUM, ask, judge, judge_continuation, make_instance


def test_the_recorded_values_count_only_for_the_same_parameters(sandbox: Sandbox) -> None:
    minus = Program.from_source(
        language="python",
        source="def f(a, b):\n    return a - b\n",
        call="f(b = 1, a = 3)",
        facts=Facts(input="b = 1, a = 3", output=2),
    )
    assert judge_continuation(None, "b=1, a=3) == 2", minus).outcome == "correct"
    assert judge_continuation(sandbox, "3, 1) == 2", minus).outcome == "correct"
    assert judge_continuation(sandbox, "a=3, b=1) == 2", minus).outcome == "correct"
    assert judge_continuation(sandbox, "1, 3) == 2", minus).outcome == "wrong"
    assert judge_continuation(sandbox, "a=1, b=3) == 2", minus).outcome == "wrong"


def test_a_renamed_program_is_called_by_its_new_names(sandbox: Sandbox) -> None:
    renamed = SUM.replace_source(
        source="def g(Var_1, Var_2=1):\n    return Var_1 + Var_2\n",
        call="g(Var_2=2, Var_1=1)",
        facts=Facts(input="Var_2=2, Var_1=1", output=3),
    )
    instance = replace(make_instance(renamed, prompting="cot"), reference=replace(SUM, call="f(b=2, a=1)"), verify=True)
    for text, outcome in [
        ("```python\nassert g(Var_1=3, Var_2=0) == 3\n```", "correct"),
        ("```python\nassert g(Var_2=2, Var_1=1) == 3\n```", "correct"),
        ("```python\nassert g(Var_2=2) == 3\n```", "wrong"),
        ("```python\nassert f(b=2, a=1) == 3\n```", "invalid"),
    ]:
        assert judge(sandbox, instance, Completion(text=text))[0].outcome == outcome


def test_a_template_string_may_hold_brackets_and_go_over_lines() -> None:
    text = "`#[)[]>[^e>\n 8`, -5"
    template = Program.from_source(
        language="javascript",
        source="function f(text, n) {\n  return text.slice(n);\n}\n",
        call=f"f({text})",
        facts=Facts(input=text, output="^e>\n 8"[-5:]),
    )
    for instance in (make_instance(template), make_instance(template, prompting="cot")):
        verdict, runs = judge(
            None, instance, Completion(text=ask(instance).truth, prefilled=bool(ask(instance).prefill))
        )
        assert verdict.outcome == "correct"
        assert not runs


def test_the_registry_knows_it() -> None:
    assert registry.find(Task, "input-prediction") is InputPrediction


def test_the_question_shows_the_value_and_hides_the_input() -> None:
    step = ask(make_instance(shots=1))
    assert step.prefill.endswith(PREFIX)
    assert step.truth == "1, 2) == 3\n```"
    assert "assert f(??) == 3" in step.messages[-1].content
    assert "f(1, 2)" not in step.messages[-1].content
    assert "assert f(['oak', 'birch', 'maple'], 5) == ['BIRCH', 'MAPLE']" in step.messages[1].content


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("python", "assert f(??) == 20"),
        ("javascript", "assert.deepStrictEqual(f(??), 20);"),
        ("php", "assert(f(??) === 20);"),
        ("java", "assert Objects.equals(Problem.f(??), 20);"),
    ],
)
def test_every_language_has_its_assertion(language: str, question: str) -> None:
    step = ask(make_instance(program(EXAMPLES[1], language), prompting="cot"))
    assert question in step.messages[0].content


@pytest.mark.parametrize("prompting", ["direct", "cot"])
@pytest.mark.parametrize("language", ["python", "javascript", "php", "java"])
def test_the_recorded_input_is_right_and_nothing_is_run(language: str, prompting: str) -> None:
    for example in EXAMPLES:
        instance = make_instance(program(example, language), prompting=prompting)
        truth = ask(instance).truth
        verdict, runs = judge(None, instance, Completion(text=truth, prefilled=prompting == "direct"))
        assert (verdict.outcome, runs) == ("correct", [])


@pytest.mark.parametrize(
    "text",
    ["2, 1) == 3", "a=2, b=1) == 3", "3, 0) # as 3 + 0 is 3", "3,\n  0) == 3\n```", "```python\nassert f(2, 1)\n```"],
)
def test_any_input_that_does_is_right(sandbox: Sandbox, text: str) -> None:
    assert judge_continuation(sandbox, text).outcome == "correct"


def test_a_name_within_a_string_names_no_parameter(sandbox: Sandbox) -> None:
    same = Program.from_source(
        language="python",
        source="def f(a):\n    return a\n",
        call="f('a=1')",
        facts=Facts(input="'a=1'", output="a=1"),
    )
    assert judge_continuation(None, "'a=1') == 'a=1'", same).outcome == "correct"
    assert judge_continuation(sandbox, "'b=1') == 'a=1'", same).outcome == "wrong"
    assert judge_continuation(sandbox, "a='a=1') == 'a=1'", same).outcome == "correct"


def test_a_form_is_worked_out_and_nothing_else_is_run(sandbox: Sandbox) -> None:
    verdict, runs = judge(sandbox, make_instance(), Completion(text="*range(0, 6, 3)) == 3", prefilled=True))
    assert verdict.outcome == "correct"
    assert [(run.source, run.call) for run in runs] == [(SUM.source, "f(0, 3)")]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("range(3), 0) == 3", "correct"), ("dict(f=1, g=2), 1) == 3", "correct"), ("'range(3)') == 3", "wrong")],
)
def test_values_without_a_literal(sandbox: Sandbox, text: str, outcome: str) -> None:
    same = Program.from_source(
        language="python",
        source="def f(a, b=0):\n    return len(a) + b\n",
        call="f(range(100, 103))",
        facts=Facts(input="range(100, 103)", output=3),
    )
    assert judge_continuation(sandbox, text, same).outcome == outcome
    assert judge_continuation(None, "range(100,103)) == 3", same).outcome == "correct"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("nan, 1) == 'nan 1'", "correct"),
        ("[-inf, {2: 1e999}], b=1,) == 'nan 1'", "correct"),
        ("a=nan, b=1) == 'nan 1'", "correct"),
        ("float('nan'), 1) == 'nan 1'", "correct"),
        ("'nan', 1) == 'nan 1'", "wrong"),
        ("2.5, 1) == 'nan 1'", "wrong"),
    ],
)
def test_numbers_that_are_not_finite_are_what_was_read(sandbox: Sandbox, text: str, outcome: str) -> None:
    odd = Program.from_source(
        language="python",
        source="def f(a, b):\n    odd = a != a or a == [float('-inf'), {2: float('inf')}]\n"
        "    return f'nan {b}' if odd else [a]\n",
        call="f(float('nan'), 1)",
        facts=Facts(input="'', 7", output="nan 1"),
    )
    assert judge_continuation(sandbox, text, odd).outcome == outcome


def test_numbers_that_are_not_finite_are_written_in_java(sandbox: Sandbox) -> None:
    odd = Program.from_source(
        language="java",
        source="class Problem {\n    static boolean f(double x) { return x > 1e308; }\n}\n",
        call="Problem.f(1.7e308)",
        facts=Facts(input="1.7e308", output=True),
    )
    assert judge_continuation(sandbox, "1.0 / 0), true);", odd).outcome == "correct"


def test_the_original_is_run_where_lines_were_taken_away(sandbox: Sandbox) -> None:
    ablated = Program.from_source(language="python", source="def f(a, b=1):\n", call=SUM.call, facts=SUM.facts)
    instance = replace(make_instance(ablated), original=SUM, reference=SUM)
    verdict, runs = judge(sandbox, instance, Completion(text="2, 1) == 3", prefilled=True))
    assert verdict.outcome == "correct"
    assert runs[-1].source == SUM.source


def test_a_perfect_reader_of_an_incomplete_program_says_what_it_sees(sandbox: Sandbox) -> None:
    broken = Program.from_source(
        language="python", source="def f(a, b=1):\n    return c\n", call=SUM.call, facts=SUM.facts
    )
    for variant, opening in (
        (SUM, "1, 2) == 3\n```"),
        (broken, "With the recorded arguments the call raises NameError"),
    ):
        step = ask(make_instance(variant))
        assert step.run is not None
        assert step.reply is not None
        assert step.reply(sandbox.run(step.run)).startswith(opening)


def test_a_guess_has_the_shape_of_the_input() -> None:
    guess = ask(make_instance()).guess(iter([0.1, 0.9] * 10).__next__)
    verdict_text = guess.partition(")")[0]
    assert len(verdict_text.split(",")) == 2


def test_the_recorded_expressions_need_no_call_around_them() -> None:
    recorded = "[6, 4], (lambda x: x.reverse())"
    program = Program.from_source(
        language="python",
        source="def f(a, b):\n    b(a)\n    return a\n",
        call=f"f({recorded})",
        facts=Facts(input=recorded, output=[4, 6]),
    )
    for text in ("[6, 4], lambda x: x.reverse()", "[6, 4], (lambda x: x.reverse())"):
        for prompting, prefilled in (("cot", False), ("direct", True)):
            instance = make_instance(program, prompting=prompting)
            verdict, runs = judge(None, instance, Completion(text=text, prefilled=prefilled))
            assert (verdict.outcome, runs) == ("correct", [])
            assert judge(None, instance, Completion(text=text[:-1], prefilled=prefilled))[0].outcome == "invalid"
            cut = Completion(text=text, prefilled=prefilled, finish="length")
            assert judge(None, instance, cut)[0].outcome == "truncated"
