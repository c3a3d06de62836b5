"""Input answers are judged by running the program, and never by what the answer says of itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Ask, Completion, Facts, Finish, Instance, Program, Task, Verdict
from pytest_codereason.core.execution import Run
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sources._examples import EXAMPLES, program
from pytest_codereason.tasks.input_prediction import InputPrediction
from pytest_codereason.templates.loading import load

TASK = InputPrediction()
SUM = Program.from_source(
    language="python",
    source="def f(a, b=1):\n    return a + b\n",
    call="f(1, 2)",
    facts=Facts(input="1, 2", output=3),
)
PREFIX = "```python\nassert f("


def make_instance(subject: Program = SUM, shots: int = 0, **axes: Any) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="suite",
        program=subject,
        axes={"prompting": "direct", "shots": shots, "query": "both", **axes},
        matrix={},
        shots=tuple(program(example, subject.language) for example in EXAMPLES[:shots]),
        template=load("input-prediction", str(axes.get("prompting", "direct"))),
    )


def ask(instance: Instance) -> Ask:
    step = next(TASK.steps(instance))
    assert isinstance(step, Ask)
    return step


def judge(sandbox: Sandbox | None, instance: Instance, completion: Completion) -> tuple[Verdict, list[Run]]:
    """The verdict on a reply, and all that was run for it."""
    steps, runs = TASK.steps(instance), list[Run]()
    next(steps)
    try:
        step = steps.send(completion)
        while True:
            assert isinstance(step, Run)
            assert sandbox is not None, "nothing should have to be run"
            runs.append(step)
            step = steps.send(sandbox.run(step))
    except StopIteration as stop:
        verdict = stop.value
        assert isinstance(verdict, Verdict)
        return verdict, runs


def judge_continuation(sandbox: Sandbox | None, text: str, subject: Program = SUM) -> Verdict:
    return judge(sandbox, make_instance(subject), Completion(text=text, prefilled=True))[0]


def judge_text(sandbox: Sandbox | None, text: str) -> Verdict:
    return judge(sandbox, make_instance(prompting="cot"), Completion(text=text))[0]


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


@pytest.mark.parametrize(
    "text",
    [
        "[ANSWER]2, 1[/ANSWER]",
        "[ANSWER]assert f(2, 1) == 3[/ANSWER]",
        "[ANSWER]f(2, 2)[/ANSWER] no: [ANSWER]f(2, 1)[/ANSWER]",
        "```python\nassert f(2, 1) == 3\n```",
        "```python\ndef f(a, b=1):\n    return a + b\n```\nso `f(2, 1)` does it",
        "assert f(5, 5) == 10\nassert f(2, 1) == 3",
        "<think>f(9, 9)</think>The answer is f(2, 1).",
    ],
)
def test_calls_are_found_in_prose(sandbox: Sandbox, text: str) -> None:
    assert judge_text(sandbox, text).outcome == "correct"


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
    assert judge_continuation(sandbox, "1e999), true);", odd).outcome == "correct"


@pytest.mark.parametrize(
    ("text", "outcome", "tampered"),
    [
        ("0) or True or f(0) == 3", "invalid", False),
        ("999 # f(", "invalid", False),
        ("f(2, 1)) == 3", "invalid", False),
        ("```\nassert f(f(2, 1)) == 3\n```", "invalid", False),
        ("type('E', (), {'__eq__': lambda s, o: True})()) == 3", "invalid", False),
        ("(f := lambda *a: 3)(), 1) == 3", "invalid", False),
        ("globals().update(f=lambda *a: 3) or 5, 5) == 3", "invalid", False),
        ("globals().__setitem__(chr(102), lambda *a: 3) or 5, 5) == 3", "invalid", False),
        ("__import__('sys')._getframe(1).f_globals['expected'], 0) == 3", "invalid", False),
        ("__import__('os')._exit(0)) == 3", "invalid", False),
        ("__import__('sys').exit(0)) == 3", "invalid", False),
        ("__import__('atexit').register(print, 'PASSED') and 5, 5) == 3", "invalid", False),
        ("[0] * 10**11, 1) == 3", "invalid", False),
        ("[[[0] * 1000] * 1000] * 1000, 1) == 3", "invalid", False),
        ("list(range(10**11)), 1) == 3", "invalid", False),
        ("(lambda: 1)(), 2) == 3", "invalid", False),
        ("1 if 1 else 0, 2) == 3", "invalid", False),
        ("f'{1}', 2) == 3", "invalid", False),
        ("''.join.__self__, 2) == 3", "invalid", False),
        ("''.format(1), 2) == 3", "invalid", False),
        ("9" * 1_000_000 + ", 1) == 3", "invalid", False),
        ("1" * 50_000 + ", 1) == 3", "invalid", False),
        ("[" * 100_000, "invalid", False),
        ("'" + "x" * 10_000_000 + "', 1) == 3", "invalid", False),
        ("1e999, 1) == 3", "wrong", False),
        ("'a == b', 1) == 3", "wrong", False),
        ("'\ud800', 1) == 3", "invalid", False),
        ("open('/etc/shadow').read(), 1) == 3", "invalid", False),
        ("2.0, 1) == 3", "wrong", False),
        ("", "invalid", False),
        ("[ANSWER]" * 20_000, "invalid", False),
        ("f(" * 50_000, "invalid", False),
        ("'''" * 50_000 + "\\'" * 50_000, "invalid", False),
    ],
)
def test_hostile_answers(sandbox: Sandbox, text: str, outcome: str, tampered: bool | None) -> None:
    verdict = judge_continuation(sandbox, text)
    assert verdict.outcome == outcome
    if tampered is not None:
        assert verdict.metrics["tampered"] == tampered
        assert verdict.reason.startswith("tampering") == tampered
    assert judge_continuation(sandbox, "2, 1) == 3").outcome == "correct"  # whatever came before


@pytest.mark.parametrize(
    "text",
    [
        "[ANSWER]0 or True or f(0)[/ANSWER]",
        "assert 0 or True or f(0) == 3",
        "[ANSWER]999 # f([/ANSWER]",
        "def f(a, b): return 3",
        "I do not know.",
        "",
        "range(3)",
        "[1, 2",
        "1, 2\n3, 4",
        "1 2",
    ],
)
def test_no_call_is_no_answer(text: str) -> None:
    assert judge_text(None, text).outcome == "invalid"


@pytest.mark.parametrize("text", ["1, 2", " a=1, b=2\n", "<think>f(9)</think>\n1, 2"])
def test_nothing_but_arguments_are_the_arguments(sandbox: Sandbox, text: str) -> None:
    assert judge_text(sandbox, text).outcome == "correct"
    continued, _ = judge(sandbox, make_instance(), Completion(text=text, prefilled=True))
    assert continued.outcome == "correct"


@pytest.mark.parametrize(
    ("finish", "text", "outcome"),
    [
        ("length", "[1, 2", "truncated"),
        ("length", "1, 2", "truncated"),
        ("stop", "1, 2 and", "invalid"),
        ("length", "1, 2) == 3", "correct"),
        ("refused", "", "refused"),
        ("too-long", "", "too-long"),
    ],
)
def test_other_ends_of_a_reply(finish: Finish, text: str, outcome: str) -> None:
    verdict, _ = judge(None, make_instance(), Completion(text=text, prefilled=True, finish=finish))
    assert verdict.outcome == outcome
    assert verdict.expected == "1, 2"


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


@pytest.mark.parametrize(
    ("language", "text", "outcome"),
    [
        ("javascript", "[4, 917].reduce((a, b) => a * 10000 + b)), 20);", "invalid"),
        ("javascript", "40000 + 917), 20);", "correct"),
        ("javascript", "({ valueOf: () => 20 })), 20);", "invalid"),
        ("javascript", "process.exit(0)), 20);", "invalid"),
        ("javascript", "constructor.constructor('return process')().pid), 20);", "invalid"),
        ("javascript", "f = () => 20), 20);", "invalid"),
        ("php", "intdiv(40917, 1)) === 20);", "invalid"),
        ("php", "array_sum([40917])) === 20);", "invalid"),
        ("php", "exit(0)) === 20);", "invalid"),
        ("php", "number: 40917) === 20);", "correct"),
        ("java", 'Integer.parseInt("40917")), 20);', "invalid"),
        ("java", "40917L), 20);", "invalid"),
        ("java", "0x9FD5), 20);", "correct"),
        ("java", "0x9FD5 /* \\u002a/ + 0 * Problem.f(1) /* */), 20);", "invalid"),
        ("java", "// \r 0 * Problem.f(1) + \n 0x9FD5), 20);", "invalid"),
        ("java", "0x9FD5 // \\u000a + 0 * Problem.f(1)\n), 20);", "invalid"),
    ],
)
def test_answers_in_other_languages(sandbox: Sandbox, language: str, text: str, outcome: str) -> None:
    assert judge_continuation(sandbox, text, program(EXAMPLES[1], language)).outcome == outcome


@pytest.mark.parametrize(
    "text",
    [
        "float('nan') #, __import__('os').write(3, b'{\"value\":3}\\n') and 1\n, 1) == 3",
        "nan #, __import__('os').write(3, b'{\"value\":3}\\n') and 1\n, 1) == 3",
        "[nan], b=1 #, __import__('os')._exit(0)\n) == 3",
        "0, # `\n) if 0 else 3 if 1 else (1, # `\n 0) == 3",
        "0, 0) if 0 else 3 if 1 else f(0, 0) == 3",
        "'''\\''' \"\"\"''' and print(1) or '''\"\"\" \\''' ''', 0) == 3",
    ],
)
def test_no_code_of_an_answer_is_run(sandbox: Sandbox, text: str) -> None:
    verdict, runs = judge(sandbox, make_instance(), Completion(text=text, prefilled=True))
    assert verdict.outcome != "correct"
    for run in runs:
        values = language("python").values
        assert values.read_arguments(run.call[2:-1]).text == run.call[2:-1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("javascript", "NaN //, process.exit(0)\n), 20);"),
        ("javascript", "NaN /*, process.exit(0) */), 20);"),
        ("php", "NAN //, exit(0)\n) === 20);"),
        ("php", "NAN #, exit(0)\n) === 20);"),
        ("php", "number: NAN #, exit(0)\n) === 20);"),
        ("java", "Double.NaN //, System.exit(0)\n), 20);"),
        ("java", "Double.NaN /*, System.exit(0) */), 20);"),
    ],
)
def test_no_comment_of_an_answer_is_run_in_other_languages(sandbox: Sandbox, name: str, text: str) -> None:
    instance = make_instance(program(EXAMPLES[1], name))
    verdict, runs = judge(sandbox, instance, Completion(text=text, prefilled=True))
    assert verdict.outcome != "correct"
    assert not verdict.metrics["tampered"]
    assert not [run.call for run in runs if run.source and "exit" in run.call]


@pytest.mark.parametrize(
    ("recorded", "answer", "same"),
    [
        ("'0 t 1 c o s'", "'0t1cos'", False),
        ("[0, 3], lambda x: x < 2", "[0, 3], lambdax: x < 2", False),
        ("[0, 3], lambda x: x < 2", "[0,3],  (lambda x: x<2)", True),
        ("[1, 15]", "[1, 1 5]", False),
        ("[1, 15], range(3)", "[1,15], range( 3 )", True),
        ("lambda x: 'a b'", "lambda x: 'ab'", False),
        ("1, b=2", "1, b = 2", True),
        ("1, b=2", "1, 2", False),
        ("1", "True", False),
    ],
)
def test_blanks_count_where_python_says_so(recorded: str, answer: str, same: bool) -> None:
    assert language("python").values.equal_arguments(answer, recorded) is same


@pytest.mark.parametrize(
    ("name", "recorded", "answer", "same"),
    [
        ("javascript", "(a, b) => 'a b'", "( a,b )=>'a b'", True),
        ("javascript", "(a, b) => 'a b'", "(a, b) => 'ab'", False),
        ("javascript", "async x => x", "asyncx => x", False),
        ("php", "fn($x) => 1 . 5", "fn($x) => 15", False),
        ("java", "x -> x + 1", "x->x+1", True),
    ],
)
def test_blanks_count_in_other_languages_within_strings_and_between_words(
    name: str, recorded: str, answer: str, same: bool
) -> None:
    assert language(name).values.equal_arguments(answer, recorded) is same


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
