"""Which replies are read as arguments: prose, other languages, attempts to tamper, replies that were cut."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Completion, Finish
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow
from tests.questions.tasks.input_answers import judge, judge_continuation, judge_text, make_instance


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
        "[ANSWER]f(\n    2,  # the first\n    1,  # the second\n)[/ANSWER]",
        "```python\nassert f(\n    2, 1  # both\n) == 3\n```",
    ],
)
def test_calls_are_found_in_prose(sandbox: Sandbox, text: str) -> None:
    assert judge_text(sandbox, text).outcome == "correct"


@pytest.mark.parametrize(
    ("text", "outcome", "tampered"),
    mostly_slow(
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
        3,
    ),
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
        "# f",
        "1, 2 # f(",
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
        ("java", "x -> 1", "x -> 1 /* \\u002a/ + 1 /* */", False),  # Java reads the escape, and ends the comment
        ("java", "x -> '\\u0041'", " x -> '\\u0041'", True),
    ],
)
def test_blanks_count_in_other_languages_within_strings_and_between_words(
    name: str, recorded: str, answer: str, same: bool
) -> None:
    assert language(name).values.equal_arguments(answer, recorded) is same
