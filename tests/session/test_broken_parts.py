"""A part of a user's own that raises: its name and its traceback are shown, and what does not need it goes on."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from tests.session.conftest import Project

#: Writes a module of the user: its name and its text.
Writer = Callable[[str, str], None]

SOURCE = """
from pytest_codereason.programs.sources.semtrace import SemTrace

class Broken(SemTrace):
    {decorator}
    def {method}(self, *args, **kwargs):
        raise KeyError("no such table")
"""
STAGE = """
from pytest_codereason.core import Axis, Stage

class Broken(Stage):
    name = "broken"
    place = "context"
    axes = {{"loud": Axis(name="loud", default=True, allowed="true", accepts=bool, short="loud")}}
    identity = {{}}

    @classmethod
    def create(cls, settings, *, seed, languages):
        return cls()

    def apply(self, instance, count_tokens):
        return instance

    {decorator}
    def {method}(self, *args, **kwargs):
        raise KeyError("no such table")
"""
DECORATORS = {"create": "@classmethod", "identity": "@property", "concurrency": "@property"}
TASK = """
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction

class Broken(OutputPrediction):
    def steps(self, instance):
        verdict = yield from super().steps(instance)
        if instance.id.startswith("php"):
            raise ZeroDivisionError("no score")
        return verdict
"""
POINTS = """
import dataclasses

from pytest_codereason.questions.tasks.output_prediction import OutputPrediction

class Points(OutputPrediction):
    def steps(self, instance):
        verdict = yield from super().steps(instance)
        return dataclasses.replace(verdict, metrics={**verdict.metrics, "exact": 10.0})
"""
PERTURBATION = """
from pytest_codereason.core import Perturbation

class Broken(Perturbation):
    name = "broken"
    version = 1

    def apply(self, program, draws, dose, asks):
        raise IndexError("nothing to change")
"""
TEXT_FOR_A_PROGRAM = """
from pytest_codereason.core import Perturbation

class Broken(Perturbation):
    name = "broken"
    version = 1

    def apply(self, program, draws, dose, asks):
        return program.source + "\\n"
"""
MODEL = """
from pytest_codereason.core import Completion, Model

class Broken(Model):
    identity = {{}}
    pinned = True
    stored = False

    @classmethod
    def create(cls, name, *, url, args):
        return cls()

    async def {method}(self, *given):
        raise RuntimeError("out of order")
{rest}
"""
ANSWER = """
    async def answer(self, request):
        return Completion(text=request.ask.truth, prefilled=True)
"""


@pytest.fixture
def write(project: Project, monkeypatch: pytest.MonkeyPatch) -> Writer:
    monkeypatch.syspath_prepend(project.path)

    def write_module(name: str, text: str) -> None:
        Path(project.path / f"{name}.py").write_text(textwrap.dedent(text))

    return write_module


def replace_in(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


def check_that_the_suite_is_lost_alone(project: Project, part: str) -> None:
    """Asks the suite ``bad``, of which a part raises, beside the suite ``good``."""
    project.suite("good", count=2)
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"*{part} raised KeyError: 'no such table' (*.py, line *)*"])
    assert "Traceback (most recent call last)" in result.stdout.str()
    outcomes = {(row["suite"], row["outcome"]) for row in project.records()}
    assert outcomes - {("bad", "error")} == {("good", "correct")}


@pytest.mark.parametrize("method", ["create", "names", "notes", "identity", "program", "shots"])
@pytest.mark.slow
def test_a_source_costs_its_suite_alone(project: Project, write: Writer, method: str) -> None:
    write(f"source_{method}", SOURCE.format(method=method, decorator=DECORATORS.get(method, "")))
    replace_in(project.suite("bad", count=2), '"semtrace"', f'"source_{method}:Broken"')
    check_that_the_suite_is_lost_alone(project, f"the source source_{method}:Broken")


@pytest.mark.parametrize("method", ["create", "cell", "values", "text_kinds", "apply", "cost", "identity", "versions"])
@pytest.mark.slow
def test_a_stage_costs_its_suite_alone(project: Project, write: Writer, method: str) -> None:
    write(f"stage_{method}", STAGE.format(method=method, decorator=DECORATORS.get(method, "")))
    path = project.suite("bad", count=2)
    path.write_text(path.read_text() + f'["stage_{method}:Broken"]\n')
    check_that_the_suite_is_lost_alone(project, f"the stage stage_{method}:Broken")


@pytest.mark.parametrize("kind", ["source", "task", "perturbation"])
def test_a_module_that_cannot_be_imported_costs_its_suite_alone(project: Project, write: Writer, kind: str) -> None:
    write(f"module_of_{kind}", 'raise KeyError("no such table")\n')
    path = project.suite("bad", count=2, more='perturbation = ["none"]\n')
    shipped = {"source": "semtrace", "task": "output-prediction", "perturbation": "none"}[kind]
    replace_in(path, f'"{shipped}"', f'"module_of_{kind}:Broken"')
    check_that_the_suite_is_lost_alone(project, f"the {kind} 'module_of_{kind}:Broken'")


@pytest.mark.slow
def test_a_source_that_cannot_be_made_costs_its_suite_alone_with_workers(project: Project, write: Writer) -> None:
    write("src_broken", SOURCE.format(method="create", decorator="@classmethod"))
    replace_in(project.suite("bad"), '"semtrace"', '"src_broken:Broken"')
    project.suite("good")
    result = project.run_fresh("--model=baseline:truth", "-n", "2")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*bad.suite.toml: the source src_broken:Broken raised KeyError: *src_broken.py*"])
    assert {(row["suite"], row["outcome"]) for row in project.records()} == {("good", "correct")}


def test_a_task_that_cannot_score_costs_its_questions_and_shows_its_traceback_once(
    project: Project, write: Writer
) -> None:
    write("task_broken", TASK)
    replace_in(project.suite(), '"output-prediction"', '"task_broken:Broken"')
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*the task task_broken:Broken raised ZeroDivisionError: no score*"])
    assert result.stdout.str().count("Traceback (most recent call last)") == 1
    outcomes = {(row["language"], row["outcome"]) for row in project.records()}
    assert outcomes == {("python", "correct"), ("php", "error")}
    broken = [row for row in project.records() if row["outcome"] == "error"]
    assert all("task_broken.py" in row["traceback"] for row in broken)
    assert "site-packages" not in broken[0]["traceback"].partition("task_broken.py")[0]


@pytest.mark.slow
def test_a_perturbation_that_returns_a_text_is_named(project: Project, write: Writer) -> None:
    write("change_text", TEXT_FOR_A_PROGRAM)
    project.suite(more='perturbation = ["none", "change_text:Broken"]\n')
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    said = "*the perturbation change_text:Broken raised TypeError: apply must return a Program, *, not str*"
    result.stdout.fnmatch_lines([said, "*8 passed, 8 unanswered*"])


def test_a_task_that_gives_points_for_a_share_is_named(project: Project, write: Writer) -> None:
    write("task_points", POINTS)
    replace_in(project.suite(), '"output-prediction"', '"task_points:Points"')
    result = project.run("--model=baseline:chance", "--eval-gate=small.exact >= 0.1", "--eval-claim=suite")
    assert result.ret != 0
    result.stdout.fnmatch_lines(
        ["*the task task_points:Points (task_points.py, line 7): the number exact is 10.0, and not from 0 to 1*"]
    )
    assert {row["outcome"] for row in project.records()} == {"error"}


VERDICTS = {
    "a metric, misspelt": (
        'return Verdict(outcome="correct", expected="1", metrics={"exct": 1.0})',
        "the verdict has the metric 'exct', which the task does not declare (did you mean 'exact'?)",
    ),
    "a metric, missing": (
        'return Verdict(outcome="wrong", expected="1", metrics={"points": 1.0})',
        "the verdict lacks the metric 'exact', which the task declares: it has points",
    ),
    "an outcome, misspelt": (
        'return Verdict(outcome="corect", expected="1", metrics={"exact": 1.0})',
        "unknown outcome 'corect' (did you mean 'correct'?): choose one of correct, wrong, invalid, truncated, ",
    ),
    "nothing": ("return None", "steps must return a Verdict, not None"),
    "a verdict that is yielded": (
        'yield Verdict(outcome="wrong", expected="1", metrics={"exact": 0.0})',
        "steps must return the Verdict: write `return`, not `yield`",
    ),
    "a text that is yielded": ('yield "Is it?"', "steps must yield an Ask or a Run, not str"),
}
VERDICT = """
from pytest_codereason.core import Ask, Message, Metric, Task, Verdict

class Mine(Task):
    name = "mine"
    version = 1
    needs = frozenset()
    metrics = (Metric(name="exact", title="Right"),)
    template = "=== user ===\\nWell?\\n"

    def steps(self, instance):
        yield Ask(messages=(Message("user", "Well?"),), truth="1", guess=lambda random: "2")
        {end}
"""


@pytest.mark.parametrize("mistake", VERDICTS)
def test_what_a_task_must_not_give_is_said_with_its_place(project: Project, write: Writer, mistake: str) -> None:
    end, complaint = VERDICTS[mistake]
    module = f"task_{list(VERDICTS).index(mistake)}"
    write(module, VERDICT.format(end=end))
    replace_in(project.suite(languages=("python",)), '"output-prediction"', f'"{module}:Mine"')
    replace_in(project.path / "small.suite.toml", 'prompting = ["direct"]', "")
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    output = " ".join(result.stdout.str().split())
    assert f"the task {module}:Mine ({module}.py, line 11): {complaint}" in output
    assert "Traceback" not in output
    assert {row["outcome"] for row in project.records()} == {"error"}


def test_a_dry_run_says_which_questions_a_task_spoils(project: Project, write: Writer) -> None:
    write("task_dry", VERDICT.format(end="return None"))
    replace_in(project.suite(languages=("python",)), '"output-prediction"', '"task_dry:Mine"')
    replace_in(project.path / "small.suite.toml", 'prompting = ["direct"]', "")
    result = project.run("--model=baseline:truth", "--eval-dry-run")
    said = "counted, but not asked: 4 questions: the task task_dry:Mine (task_dry.py, line 11): steps must return a *"
    result.stdout.fnmatch_lines([said])


def test_steps_that_are_no_generator_end_the_run(project: Project, write: Writer) -> None:
    text = VERDICT.format(end='return Verdict(outcome="wrong", expected="1", metrics={"exact": 0.0})')
    write("task_plain", text.replace("        yield Ask", "        Ask"))
    replace_in(project.suite(languages=("python",)), '"output-prediction"', '"task_plain:Mine"')
    replace_in(project.path / "small.suite.toml", 'prompting = ["direct"]', "")
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    said = "ERROR: the task task_plain:Mine (task_plain.py, line 11): steps must be a generator, not Verdict: *"
    result.stderr.fnmatch_lines([said])


REPLIES = {
    "no text": ("Completion(text=None)", "text of the Completion must be a str, not None"),
    "a text": ("request.ask.truth", "answer must return a Completion, not str: write Completion(text=...)"),
    "nothing": ("None", "answer must return a Completion, not None: write Completion(text=...)"),
    "an end": (
        'Completion(text="", finish="lenght")',
        "finish of the Completion cannot be 'lenght' (did you mean 'length'?): it is one of stop, length, ",
    ),
}


@pytest.mark.parametrize("mistake", REPLIES)
def test_what_a_model_must_not_give_is_said_with_its_place(project: Project, write: Writer, mistake: str) -> None:
    reply, complaint = REPLIES[mistake]
    module = f"model_{list(REPLIES).index(mistake)}"
    text = MODEL.format(method="start", rest=ANSWER).replace('raise RuntimeError("out of order")', "pass")
    write(module, text.replace("Completion(text=request.ask.truth, prefilled=True)", reply))
    project.suite()
    result = project.run(f"--model={module}:Broken", "--model=baseline:truth")
    assert result.ret == 1
    output = " ".join(result.stdout.str().split())
    assert f"the model {module}:Broken ({module}.py, line 16): {complaint}" in output
    assert "Traceback" not in output
    outcomes = {(row["model"], row["outcome"]) for row in project.records()}
    assert outcomes == {("baseline:truth", "correct"), (f"{module}:Broken", "error")}


def test_a_perturbation_costs_the_questions_that_it_changes(project: Project, write: Writer) -> None:
    write("change_broken", PERTURBATION)
    project.suite(more='perturbation = ["none", "change_broken:Broken"]\n')
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "codereason: the perturbation change_broken:Broken raised IndexError*; questions that need it become *",
            "*8 passed, 8 unanswered*",
        ]
    )


def test_a_part_that_every_question_needs_ends_the_run_before_anything_is_asked(
    project: Project, write: Writer
) -> None:
    write("change_broken", PERTURBATION)
    project.suite(more='perturbation = ["change_broken:Broken"]\n')
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: the perturbation change_broken:Broken raised IndexError*", "*Traceback*"])


@pytest.mark.parametrize("method", ["create", "identity", "concurrency"])
def test_a_model_that_cannot_be_made_ends_the_run_before_anything_is_asked(
    project: Project, write: Writer, method: str
) -> None:
    (project.path / "mine").mkdir()
    text = MODEL.format(
        method="answer",
        rest=f"""
    {DECORATORS[method]}
    def {method}(self, *args, **kwargs):
        raise RuntimeError("out of order")
""",
    )
    write(f"mine/made_{method}", text)
    project.suite()
    result = project.run(f"--model=mine.made_{method}:Broken", "--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        [f"ERROR: the model mine.made_{method}:Broken raised RuntimeError: out of order*", "*Traceback*"]
    )


def test_a_model_that_names_itself_says_so(project: Project, write: Writer) -> None:
    (project.path / "mine").mkdir()
    named = """
    @property
    def label(self):
        return "mine"
"""
    write("mine/labelled", MODEL.format(method="start", rest=ANSWER + named))
    project.suite()
    result = project.run("--model=mine.labelled:Broken")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: the model mine.labelled:Broken raised AttributeError: *label*"])


@pytest.mark.parametrize(
    ("method", "rest"), [("answer", ""), ("start", ANSWER), ("check", ANSWER)], ids=["answer", "start", "check"]
)
def test_a_model_costs_its_own_questions(project: Project, write: Writer, method: str, rest: str) -> None:
    (project.path / "mine").mkdir()
    (project.path / "mine/__init__.py").touch()
    write(f"mine/broken_{method}", MODEL.format(method=method, rest=rest))
    project.suite()
    result = project.run(f"--model=mine.broken_{method}:Broken", "--model=baseline:truth")
    result.stdout.fnmatch_lines(
        [f"*the model mine.broken_{method}:Broken raised RuntimeError: out of order*", "*Traceback*"]
    )
    outcomes = {(row["model"], row["outcome"]) for row in project.records()}
    expected = "correct" if method == "check" else "error"
    assert outcomes == {("baseline:truth", "correct"), (f"mine.broken_{method}:Broken", expected)}
    assert result.ret == (0 if method == "check" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["count_tokens", "context_length"])
def test_a_model_that_cannot_measure_says_so(project: Project, write: Writer, method: str) -> None:
    (project.path / "mine").mkdir()
    raising = f"""
    def {method}(self, *args):
        raise RuntimeError("out of order")
"""
    write(f"mine/measuring_{method}", MODEL.format(method="start", rest=ANSWER + raising).replace("start", "unused"))
    functions = [Distractor(f"g{i}", f"def g{i}(a, b):\n    return a * {i} - b") for i in range(60)]
    freeze(Pool("tiny", "python", functions), project.path / "tiny")
    project.suite(languages=("python",), more="tokens = [500]\n[context]\npool = 'tiny'\n", count=2)
    result = project.run(f"--model=mine.measuring_{method}:Broken", "--model=baseline:truth")
    result.stdout.fnmatch_lines(
        [f"*the model mine.measuring_{method}:Broken raised RuntimeError: out of order*", "*Traceback*"]
    )
    outcomes = {(row["model"], row["outcome"]) for row in project.records()}
    expected = "correct" if method == "context_length" else "error"
    assert outcomes == {("baseline:truth", "correct"), (f"mine.measuring_{method}:Broken", expected)}


def test_a_model_that_cannot_be_closed_is_a_warning_at_the_end(project: Project, write: Writer) -> None:
    (project.path / "mine").mkdir()
    write("mine/unclosed", MODEL.format(method="close", rest=ANSWER))
    project.suite(count=2)
    result = project.run("--model=mine.unclosed:Broken", "--model=baseline:truth")
    result.stdout.fnmatch_lines(["*the model mine.unclosed:Broken raised RuntimeError: out of order*", "*report: *"])
    assert result.ret == 0
    assert {row["outcome"] for row in project.records()} == {"correct"}


VALUES = """
from pytest_codereason.core import Language
from pytest_codereason.languages.python.values import PythonValues

class Bare(PythonValues):
    def read(self, text):
        return 3

class Mine(Language):
    name = fence = title = "mine"
    suffixes = (".mine",)
    values = Bare()
"""


def test_values_that_read_no_value_are_named_with_their_line(project: Project, write: Writer) -> None:
    write("values_broken", VALUES)
    row = {"language": "values_broken:Mine", "code": "f", "call": "f(1)", "output": "3"}
    (project.path / "mine.jsonl").write_text(json.dumps(row))
    suite = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n'
    (project.path / "bad.suite.toml").write_text(suite)
    result = project.run("--model=baseline:truth")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["bad.suite.toml: the values values_broken:Bare (values_broken.py, line 6): read must*"]
    )
    result.stdout.no_fnmatch_line("Traceback*")
