"""A kind of text from outside the package, with the perturbation that shows it, in one file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.servers import Server
from tests.session.conftest import Project

OWN = """
from pytest_codereason.core import Message, Perturbation, Rejected, TextKind, TextRequest
from pytest_codereason.core.language.structure import Span
from pytest_codereason.registry import language
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert


class RemarkText(TextKind):
    name = "remark"
    version = 1

    def ask(self, request):
        return (Message("user", "Say in one line something wrong about this program.\\n" + request.program.source),)

    def read(self, completion, request):
        line = completion.text.strip()
        if not line or "\\n" in line:
            raise Rejected("gave no single line", "Write exactly one line.")
        return line

    async def check(self, text, request, run):
        if "adds" in text:
            raise Rejected("told the truth", "That is true. Say something wrong.")
        return 0

    def ask_again(self, request, rejected):
        return (Message("user", rejected.words),)

    def candidates(self, request, draws):
        return ("It adds.", "It multiplies.")


class Remark(Perturbation):
    name = "remark"
    version = 1
    text_kind = "own_remark:RemarkText"

    def __init__(self, text=""):
        self.text = text

    def text_request(self, program, draws, dose, asks):
        return TextRequest(self.text_kind, program)

    def apply(self, program, draws, dose, asks):
        comment = language(program.language).dialect.comment(self.text or "Nobody checked this.")
        return change(program, Change(edits=(Insert(0, comment + "\\n"),)))
"""
SUITE = """
task = "output-prediction"
{more}
[source]
name = "cruxeval"
path = "."
[matrix]
perturbation = ["vanilla", "own_remark:Remark"]
"""
ROW = {"id": "sum", "code": "def f(a, b):\n    return a + b", "input": "1, 2", "output": "3"}


@pytest.fixture
def own(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.chdir(project.path)
    monkeypatch.syspath_prepend(project.path)
    (project.path / "own_remark.py").write_text(OWN)
    (project.path / "cruxeval.jsonl").write_text(json.dumps(ROW))
    write_suite(project)
    return project


def write_suite(project: Project, more: str = "") -> None:
    (project.path / "own.suite.toml").write_text(SUITE.format(more=more))


def list_remarks(project: Project) -> set[str]:
    prompts = [row["steps"][0]["messages"][-1]["content"] for row in project.records() if "Remark" in row["id"]]
    return {line for prompt in prompts for line in prompt.splitlines() if line.startswith("# ") and "??" not in line}


def talk(messages: Sequence[Mapping[str, Any]], body: Any) -> str:
    """A writer that is right at its third try."""
    return ["one\ntwo", "It adds them.", "It divides."][len(messages) // 2]


@pytest.mark.slow
def test_a_writer_is_told_what_was_wrong_until_its_text_passes(own: Project) -> None:
    with Server(talk) as server:
        writer = ["--eval-writer=openai:scripted", f"--eval-writer-url={server.url}"]
        own.run("--model=baseline:truth", *writer).assert_outcomes(passed=2)
        assert [request.messages[-1]["content"] for request in server.requests][1:] == [
            "Write exactly one line.",
            "That is true. Say something wrong.",
        ]
        assert list_remarks(own) == {"# It divides."}
        own.run("--model=baseline:chance", *writer, "--eval-reuse=1h")
        assert len(server.requests) == 3, "the text is kept"


def test_without_a_writer_the_rule_passes_the_same_check(own: Project) -> None:
    own.run("--model=baseline:truth").assert_outcomes(passed=2)
    assert list_remarks(own) == {"# It multiplies."}


def test_texts_are_frozen_and_shown_from_their_file(own: Project, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["prepare", "own.suite.toml", "--kind", "own_remark:RemarkText", "-o", "r.jsonl"]
    with Server(talk) as server:
        assert main([*command, "--writer=openai:scripted", f"--writer-url={server.url}"]) == 0
    assert 'next: write texts = "r.jsonl" at the top of the suite' in capsys.readouterr().out
    write_suite(own, 'texts = "r.jsonl"')
    own.run("--model=baseline:truth").assert_outcomes(passed=2)
    assert list_remarks(own) == {"# It divides."}
    own.run("--model=baseline:truth", "--eval-writer=openai:unasked", "--eval-writer-url=http://127.0.0.1:9")
    assert list_remarks(own) == {"# It divides."}


def test_a_rule_can_fill_a_file(own: Project) -> None:
    command = ["prepare", "own.suite.toml", "--kind", "own_remark:RemarkText", "--writer=rule", "-o", "r.jsonl"]
    assert main(command) == 0
    header, row = map(json.loads, Path("r.jsonl").read_text().splitlines())
    assert (header["kind"], header["writers"]) == ("own_remark:RemarkText", ["rule"])
    assert (row["program"], row["value"], row["by"]) == ("sum", "It multiplies.", "rule")


def test_two_files_of_one_kind_are_refused(own: Project) -> None:
    command = ["prepare", "own.suite.toml", "--kind", "own_remark:RemarkText", "--writer=rule", "-o"]
    assert main([*command, "r.jsonl"]) == main([*command, "s.jsonl"]) == 0
    write_suite(own, 'texts = ["r.jsonl", "s.jsonl"]')
    result = own.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*own.suite.toml:3: two files hold texts of one kind: keep one*"])
    write_suite(own, "texts = 3")
    result = own.run("--model=baseline:truth")
    result.stderr.fnmatch_lines(["*own.suite.toml:3: 'texts' must be the path of a file of texts, not 3*"])


def test_an_unknown_kind_is_one_line(own: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prepare", "own.suite.toml", "--kind", "song", "--writer=rule", "-o", "r.jsonl"]) == 4
    assert "unknown text kind 'song': choose one of comments, " in capsys.readouterr().err


#: A task and a stage that show a text each, made of the same kind.
SHOWING = """
from dataclasses import replace

from pytest_codereason.core import Ask, Axis, Context, Metric, Stage, Task, TextRequest, Verdict
from pytest_codereason.registry import language

KIND = "own_remark:RemarkText"


class Banner(Stage):
    name = "banner"
    place = "context"
    axes = {
        "banner": Axis(
            name="banner", default=False, allowed="true, false",
            accepts=lambda value: isinstance(value, bool), short="banner",
        )
    }

    @classmethod
    def create(cls, settings, *, seed, languages):
        return cls()

    def text_kinds(self, axes):
        return [KIND] if True in axes["banner"] else []

    def text_requests(self, instance):
        return [TextRequest(KIND, instance.program, place="banner")] if instance.axes["banner"] else []

    def apply(self, instance, count_tokens):
        if not instance.axes["banner"] or "banner" not in instance.texts:
            return instance
        comment = language(instance.language).dialect.comment(instance.texts["banner"].value)
        return replace(instance, context=Context(distractors=(comment,), place=0))

    @property
    def identity(self):
        return {"version": 1}


class Echo(Task):
    name = "echo"
    version = 1
    needs = frozenset()
    metrics = (Metric(name="exact", title="Exact match"),)
    template = "=== user ===\\n{{ code }}"

    def text_kinds(self, axes):
        return [KIND]

    def text_requests(self, instance):
        return [TextRequest(KIND, instance.program, place="echo")]

    def steps(self, instance):
        messages, _ = instance.template.render((), {"code": "# " + instance.texts["echo"].value})
        completion = yield Ask(messages=messages, truth="yes", guess=lambda random: "no")
        return Verdict(outcome="correct", expected="yes", answer="yes", metrics={"exact": 1.0})
"""
SHOWING_SUITE = """
task = "{task}"
["{module}:Banner"]
[source]
name = "cruxeval"
path = "."
[matrix]
banner = [{banner}]
"""


def show(own: Project, module: str, *, task: str = "", banner: str = "false", code: str = SHOWING) -> str:
    """The prompt of the one question, or the error of the run."""
    (own.path / f"{module}.py").write_text(code)  # a name for each text: Python keeps a module
    suite = SHOWING_SUITE.format(task=task or f"{module}:Echo", module=module, banner=banner)
    (own.path / "own.suite.toml").write_text(suite)
    result = own.run("--model=baseline:truth")
    if result.ret:
        return result.stderr.str()
    (record,) = own.records()
    prompt: str = record["steps"][0]["messages"][-1]["content"]
    return prompt


def test_a_stage_gets_its_texts(own: Project) -> None:
    assert "# It multiplies." in show(own, "own_showing", task="output-prediction", banner="true")


def test_a_task_gets_its_texts(own: Project) -> None:
    assert show(own, "own_showing") == "# It multiplies."


def test_a_text_of_a_kind_that_is_not_named_is_refused(own: Project) -> None:
    code = SHOWING.replace("return [KIND] if True in axes", "return ['hint'] if True in axes")
    error = show(own, "own_unnamed", task="output-prediction", banner="true", code=code)
    assert "own_unnamed:Banner: text_requests() asks for 'own_remark:RemarkText', which text_kinds() does not" in error


def test_two_texts_of_one_place_are_refused(own: Project) -> None:
    error = show(own, "own_twice", banner="true", code=SHOWING.replace('"echo"', '"banner"'))
    assert "the stage own_twice:Banner: two texts go to the place 'banner'" in error
