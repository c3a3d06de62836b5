"""What a writer or a model gives for hints, translations, rewritings and outputs: only a program is run, as one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from pytest_codereason.changes.perturbations.hint import Hint
from pytest_codereason.core import Ask, Completion, Dose, Facts, Program, Rejected, TextRequest
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.authoring.hint import HintText
from pytest_codereason.questions.authoring.translation import TranslationText
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.languages.written_calls import list_strangers
from tests.questions.tasks.forged_inputs import ATTACKS
from tests.questions.tasks.shared.rewritten import instance

pytestmark = pytest.mark.slow

#: Strings that end a comment or a string in one language or another. ``@`` is code.
BREAKERS = (
    "\n@\n",
    "\r@\r",
    "*/ @ /*",
    "?> <?php @",
    "\\u000a @",
    "\\",
    "'\n@",
    '"\n@',
    "\u2028@",
    "\x85@",
    "{}@",
    "\0@",
)
SECRET = 81_640_923


class Watcher:
    """Runs nothing, and keeps what would be run."""

    def __init__(self, execution: Execution) -> None:
        self.runs: list[Run] = []
        self._execution = execution

    async def run(self, run: Run) -> Execution:
        """The execution that was given beforehand."""
        self.runs.append(run)
        return self._execution


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_run_of_a_hint_at_an_input_is_data(name: str) -> None:
    attack, program, kind = ATTACKS[name], ATTACKS[name].make_program(name), HintText()
    request = TextRequest("hint", program, "input")
    read_arguments = language(name).values.read_arguments
    for answer in attack.answers:
        text = attack.write_answer(answer)
        watcher = Watcher(Execution(ending="returned", value=0))
        with suppress(Rejected):  # a text of a frozen file is checked without being read out of a reply
            asyncio.run(kind.check(text, request, watcher.run))
        with suppress(Rejected):
            said = kind.read(Completion(text=f"[ANSWER]{attack.call}({text})[/ANSWER]"), request)
            assert list_strangers(name, read_arguments(said)) == []
            asyncio.run(kind.check(said, request, watcher.run))
        for run in watcher.runs:
            arguments = read_arguments(run.call.removeprefix(f"{attack.call}(").removesuffix(")"))
            assert run.call == f"{attack.call}({arguments.text})"
            assert list_strangers(name, arguments) == []


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hint_stays_in_its_comment(name: str, sandbox: Sandbox) -> None:
    attack = ATTACKS[name]
    function = {
        "python": "def f(a=0):\n    return a\n",
        "javascript": "function f(a) {\n    return a;\n}\n",
        "php": "function f($a) {\n    return $a;\n}\n",
        "java": "    static String f(String a) {\n        return a;\n    }\n}\n",
    }[name]
    source = attack.source[: attack.source.index(function[:9])] + function
    lang, runs = language(name), []
    for breaker in BREAKERS:
        wrong = breaker.replace("@", f"{attack.code};" if name != "python" else attack.code)
        call = f"{attack.call}({lang.values.write('a')})"
        facts = Facts(input=lang.values.write("a"), output="a")
        program = Program.from_source(language=name, source=source, call=call, facts=facts)
        request = TextRequest("hint", program, "output")
        with suppress(Rejected):  # no comment can hold it
            text = HintText().read(Completion(text=f"[ANSWER]{lang.values.write(wrong)}[/ANSWER]"), request)
            asyncio.run(HintText().check(text, request, Watcher(Execution(ending="returned")).run))
            for placement, lines in (("end-of-line", 0), ("own-line", 1)):
                dose = Dose(placement=placement)
                runs.append(Run.from_program(Hint(text).apply(program, Draws(1), dose, "output")))
                assert len(runs[-1].source.splitlines()) == len(source.splitlines()) + lines
    assert len(runs) > len(BREAKERS)
    assert {each.value for each in sandbox.run_all(runs)} == {"a"}


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_run_of_an_answer_to_an_output_question(name: str) -> None:
    attack, program = ATTACKS[name], ATTACKS[name].make_program(name)
    for answer in attack.answers:
        steps = OutputPrediction().steps(
            replace(instance(program), rewriting=None, template=load("output-prediction", "cot"))
        )
        assert isinstance(next(steps), Ask)
        with pytest.raises(StopIteration) as stopped:
            steps.send(Completion(text=f"[ANSWER]{attack.write_answer(answer)}[/ANSWER]"))
        assert stopped.value.value.outcome in ("wrong", "invalid")


def test_a_translation_is_run_without_the_expected_value() -> None:
    program = Program.from_source(
        language="python", source="def f(a):\n    return 9 ** a\n", call="f(1)", facts=Facts(output=SECRET)
    )
    watcher = Watcher(Execution(ending="returned", value=0))
    request = TextRequest("translation", program, "javascript")
    with pytest.raises(Rejected, match="returns something else"):
        asyncio.run(TranslationText().check("function f(a) { return a; }\n", request, watcher.run))
    assert [(run.language, run.call) for run in watcher.runs] == [("javascript", "f(1)")]
    assert str(SECRET) not in repr(watcher.runs)


def test_a_rewriting_is_run_without_the_expected_value() -> None:
    program = Program.from_source(
        language="python", source="def f(a):\n    return 9 ** a\n", call="f(1)", facts=Facts(output=SECRET)
    )
    steps = OutputPrediction().steps(instance(program))
    assert isinstance(next(steps), Ask)
    run = steps.send(Completion(text="```python\ndef f(a):\n    return a\n```"))
    assert isinstance(run, Run)
    assert str(SECRET) not in repr(run)
