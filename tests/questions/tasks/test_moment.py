"""The task ``moment``: which programs it asks about, how it asks, and what baselines get."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from pytest_codereason.changes.stages.layout import LayoutStage
from pytest_codereason.core import Ask, Context, Instance, Program, Verdict
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.errors import Skip
from pytest_codereason.questions.tasks.moment import KINDS, Moment
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow
from tests.questions import stepping
from tests.questions.moments.telling_programs import (
    BRACKETS,
    CALL,
    FEE,
    FEE_CALL,
    FEE_IN_JAVA,
    IN_JAVA,
    IN_PHP,
    JAVA_CALL,
    PAIR_IN_JAVA,
    PHP_CALL,
    SOURCE,
)
from tests.questions.moments.watching import watch


def instance(
    about: str, source: str = SOURCE, call: str = CALL, *, seed: int = 0, place: int | None = None
) -> Instance:
    others = ("def one():\n    return 1\n", "def two():\n    return 2\n")
    plain = Instance(
        id="python/0000",
        family="0000",
        suite="moment",
        program=Program.from_source(language="python", source=source, call=call),
        axes={"about": about, "layout": "numbers"},
        matrix={},
        template=load("moment", "direct"),
        seed=seed,
        context=None if place is None else Context(distractors=others, place=place),
    )
    return LayoutStage().apply(plain, lambda _: None)


@pytest.fixture(scope="module")
def remembering(sandbox: Sandbox) -> Sandbox:
    """One for all tests that take a run for granted: they ask about the same few programs."""
    return stepping.RememberingSandbox(sandbox)


def ask(of: Instance, sandbox: Sandbox) -> Ask:
    return stepping.ask(Moment(), of, sandbox)


def judge(of: Instance, reply: str, sandbox: Sandbox) -> Verdict:
    return stepping.judge(Moment(), of, sandbox, reply)[1]


def find_fair(about: str, sandbox: Sandbox) -> tuple[Instance, Ask]:
    """A question of a kind, of the first seed that has one."""
    for seed in range(10):
        try:
            return instance(about, seed=seed), ask(instance(about, seed=seed), sandbox)
        except Skip:
            continue
    raise AssertionError(about)


@pytest.mark.slow
@pytest.mark.parametrize("about", KINDS)
def test_the_truth_is_right_and_a_guess_is_mostly_not(about: str, remembering: Sandbox) -> None:
    of, question = find_fair(about, remembering)
    verdict = judge(of, question.truth, remembering)
    assert (verdict.outcome, verdict.metrics["exact"], verdict.metrics["partial"]) == ("correct", 1, 1)
    uniform = Random(3).random
    guesses = [question.guess(uniform) for _ in range(200)]
    right = sum(guess == question.truth for guess in guesses) / 200
    assert right <= (0.6 if about == "alias" else 0.2)
    assert judge(of, guesses[0], remembering).outcome in ("correct", "wrong")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("about", "source", "call"),
    [
        *((kind, IN_JAVA, JAVA_CALL) for kind in KINDS),
        *((kind, PAIR_IN_JAVA, 'pair("[[]]")') for kind in ("reach", "rounds")),
        ("avoid", FEE_IN_JAVA, FEE_CALL),
    ],
)
def test_moments_of_java_are_asked(about: str, source: str, call: str, remembering: Sandbox) -> None:
    def instance_of(seed: int) -> Instance:
        plain = Instance(
            id="java/0000",
            family="0000",
            suite="moment",
            program=Program.from_source(language="java", source=source, call=call),
            axes={"about": about, "layout": "numbers"},
            matrix={},
            template=load("moment", "direct"),
            seed=seed,
        )
        return LayoutStage().apply(plain, lambda _: None)

    for seed in range(10):
        try:
            of = instance_of(seed)
            question = ask(of, remembering)
            break
        except Skip:
            continue
    else:
        raise AssertionError(about)
    verdict = judge(of, question.truth, remembering)
    assert (verdict.outcome, verdict.metrics["exact"], verdict.metrics["partial"]) == ("correct", 1, 1)
    uniform = Random(3).random
    guesses = [question.guess(uniform) for _ in range(200)]
    assert sum(guess == question.truth for guess in guesses) <= (120 if about == "alias" else 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("about", "source", "call"),
    [("reach", BRACKETS, "pair('[[]]')"), ("avoid", FEE, "fee(30)"), ("rounds", BRACKETS, "pair('[[]]')")],
)
def test_a_call_is_asked_for_and_run(
    about: str, source: str, call: str, sandbox: Sandbox, remembering: Sandbox
) -> None:
    of = instance(about, source, call)
    question = ask(of, remembering)
    known = question.truth.removeprefix("[ANSWER]").removesuffix("[/ANSWER]")
    assert known in question.notes[-1]
    assert known not in question.messages[-1].content
    verdict = judge(of, question.truth, remembering)
    assert (verdict.outcome, verdict.expected, verdict.metrics["partial"]) == ("correct", known, 1)
    assert verdict.metrics["depth"] > 1
    assert judge(of, f"[ANSWER]{call}[/ANSWER]", remembering).outcome == "wrong"
    assert ask(of, sandbox).messages == question.messages
    uniform = Random(3).random
    guesses = [question.guess(uniform) for _ in range(20)]
    assert sum(judge(of, guess, remembering).outcome == "correct" for guess in guesses) <= 4


def test_a_script_has_no_inverse_question_and_is_not_run(sandbox: Sandbox) -> None:
    counting = stepping.CountingSandbox(sandbox)
    with pytest.raises(Skip, match="no call"):
        ask(instance("rounds", "n = 0\nfor i in range(5):\n    n += i\n", ""), counting)
    assert counting.runs == []


def test_what_a_call_does_only_after_others_is_not_asked(sandbox: Sandbox) -> None:
    source = (
        "SEEN = []\ndef f(x):\n    SEEN.append(x)\n    n = 0\n    for i in range(len(SEEN)):\n        n = n + x\n"
        "    return n\n"
    )
    with pytest.raises(Skip, match="no known call"):
        ask(instance("rounds", source, "f(30)"), sandbox)


def test_a_program_without_a_goal_is_skipped(sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match="no known call has a goal of the kind reach"):
        ask(instance("reach", "def f(x):\n    return x\n", "f(3)"), sandbox)


@pytest.mark.slow
def test_the_same_seed_asks_the_same(sandbox: Sandbox, remembering: Sandbox) -> None:
    first, second = (ask(instance("value"), sandbox) for _ in range(2))
    assert first.messages == second.messages
    questions = {ask(instance("value", seed=seed), remembering).messages for seed in range(8)}
    assert len(questions) > 2


def test_lines_have_the_numbers_that_are_shown(sandbox: Sandbox) -> None:
    def read(place: int | None) -> tuple[int, str]:
        text = ask(instance("visits", place=place), sandbox).messages[-1].content
        found = re.search(r"does line (\d+) run", text)
        assert found
        shown = re.search(rf"^ *{found[1]} +(.+)$", text, re.MULTILINE)
        assert shown
        return int(found[1]), shown[1]

    alone, among = read(None), read(1)
    assert among == (alone[0] + 3, alone[1])


def test_the_derivation_ends_with_the_moment(sandbox: Sandbox) -> None:
    question = ask(instance("value"), sandbox)
    line, visit = re.findall(r"Line (\d+) is about to run for the (\d+)", question.messages[-1].content)[0]
    assert f"line {line}, visit {visit}:" in question.derivation[-1]
    assert all(step not in question.messages[-1].content for step in question.derivation)


@pytest.mark.parametrize(
    ("source", "call", "reason"),
    mostly_slow(
        [
            ("x = 1\n", "", "no moment"),
            ("def f():\n    return 1\n", "f()", "no moment"),
            ("def f():\n    return input()\n", "f()", "no moment"),
            (
                "def f():\n    n = 0\n    for i in range(10 ** 6):\n        n += i\n    return n\n",
                "f()",
                "too many lines|limit on",
            ),
            ("def f(:\n", "f()", "does not compile"),
            ("import sys\ndef f():\n    sys.settrace(None)\n", "f()", "ends without a result"),
            (
                "def f():\n    n = 0\n    for x in {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}:\n        if x < 'd':\n"
                "            n = n * 3 + 7\n        else:\n            n = n + 1\n    return n\n",
                "f()",
                "from run to run",
            ),
            (
                "import sys\ndef f():\n    n = 0\n    for i in range(5):\n        n = n * 7 + i\n"
                "    return n if sys.gettrace() is None and not hasattr(sys, 'monitoring') else -1\n",
                "f()",
                "something else under trace|no moment" if hasattr(__import__("sys"), "monitoring") else "under trace",
            ),
            (
                "def f():\n    n = 0\n    for i in range(5):\n        n = id(object()) + i\n        m = n\n"
                "    return 0\n",
                "f()",
                "from run to run",
            ),
        ],
        3,
    ),
)
def test_a_program_without_a_fair_moment_is_skipped(source: str, call: str, reason: str, sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match=reason):
        ask(instance("value", source, call), sandbox)


@pytest.mark.slow
def test_an_endless_program_is_skipped(sandbox: Sandbox) -> None:
    steps = Moment().steps(instance("value", "def f():\n    while True:\n        pass\n", "f()"))
    run = next(steps)
    assert isinstance(run, Run)
    ended = sandbox.run(replace(run, limits=Limits(cpu_s=1)))
    with pytest.raises(Skip, match=r"limit on (cpu|time)"):
        steps.send(ended)


@pytest.mark.slow
def test_a_program_that_sleeps_is_asked(sandbox: Sandbox) -> None:
    source = "import time\n" + SOURCE.replace("    best, run", "    time.sleep(0.1)\n    best, run", 1)
    assert ask(instance("value", source), sandbox).truth


def test_a_program_that_reads_input_finds_none_and_is_asked(sandbox: Sandbox) -> None:
    source = "import sys\n" + SOURCE.replace("            run = 0\n", "            run = len(sys.stdin.read())\n", 1)
    assert source.count("stdin") == 1
    plain, reading = (ask(instance("value", text), sandbox) for text in ("\n" + SOURCE, source))
    assert reading.truth == plain.truth


def test_a_program_finds_no_secret(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    source = (
        "import os\ndef f(xs):\n    n = 0\n    for x in xs:\n"
        "        key = os.environ.get('OPENAI_API_KEY', 'none') + str(x)\n        n = n + len(key)\n    return n\n"
    )
    seen = str(watch(sandbox, source, "f([1, 2, 3])").moments.list_seen())
    assert "none2" in seen
    assert "sk-secret" not in seen


def test_a_language_without_moments_is_skipped(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(language("java").tracer), "harness_for_moments", Tracer.harness_for_moments)
    program = Program.from_source(language="java", source="class Main {}")
    other = Instance(
        id="java/0000",
        family="0000",
        suite="moment",
        program=program,
        axes={},
        matrix={},
        template=load("moment", "direct"),
    )
    with pytest.raises(Skip, match="witnesses no moments"):
        ask(other, sandbox)


def php_instance(about: str, seed: int) -> Instance:
    plain = replace(
        instance(about, seed=seed),
        id="php/0000",
        program=Program.from_source(language="php", source=IN_PHP, call=PHP_CALL),
    )
    return LayoutStage().apply(plain, lambda _: None)


@pytest.mark.slow
@pytest.mark.parametrize("about", KINDS)
def test_the_truth_is_right_and_a_guess_is_mostly_not_in_php(about: str, remembering: Sandbox) -> None:
    for seed in range(10):
        of = php_instance(about, seed)
        try:
            question = ask(of, remembering)
            break
        except Skip:
            continue
    verdict = judge(of, question.truth, remembering)
    assert (verdict.outcome, verdict.metrics["exact"]) == ("correct", 1)
    uniform = Random(3).random
    guesses = [question.guess(uniform) for _ in range(200)]
    assert sum(guess == question.truth for guess in guesses) / 200 <= (0.6 if about == "alias" else 0.2)
    assert judge(of, guesses[0], remembering).outcome in ("correct", "wrong")
    asked = question.messages[-1].content
    if found := re.search(r"value of (\S+?)\?|reads (\S+?)\. |Are (\S+) and", asked):
        assert next(filter(None, found.groups())).startswith("$")


def test_a_variable_of_php_is_named_with_its_sign_in_an_answer(sandbox: Sandbox) -> None:
    of = next(of for seed in range(10) if (of := php_instance("value", seed)))
    question = ask(of, sandbox)
    value = question.truth.removeprefix("[ANSWER]").removesuffix("[/ANSWER]")
    name = re.search(r"value of the variable (\$\w+)\?", question.messages[-1].content)
    assert name is not None
    assert judge(of, f"[ANSWER]{name[1]} = {value}[/ANSWER]", sandbox).outcome == "correct"
