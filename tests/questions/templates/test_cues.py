"""What no prompt of a study's suite says: the studies have no such cue. Each instruction of ours is a variant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.templates.loading import WithoutPrefill, find_forms
from pytest_codereason.questions.templates.loading import load as load_template
from pytest_codereason.registry import language

#: Words of a hint at what a perturbed program is about, or at how to see through it.
CUE = re.compile(
    r"only what the code does|exactly as it is written|take no notice|mislead|comment|printed message|never r[ua]n|"
    r"dead code|branch|really has|work backwards|gap\b",
    re.IGNORECASE,
)
SUITE = """\
task = "{task}"
languages = ["{language}"]
{more}
[source]
name = "{source}"
"""
PREDICTIONS = [
    (task, form, way)
    for task in ("output-prediction", "input-prediction")
    for form in ("", "cruxeval")
    for way in ("direct", "cot")
]


def render(folder: Path, task: str, lang: str, *, source: str = "ladder", more: str = "") -> str:
    """The text of the first question, without the program itself."""
    path = folder / "a.suite.toml"
    path.write_text(SUITE.format(task=task, language=lang, source=source, more=more))
    suite = load(path)
    instance = draft(suite, next(iter(suite.specs())))
    text = "\n".join(message.content for message in find_first_ask(suite.task, instance).messages)
    for shown in (instance.program, *instance.shots):
        for file in shown.files.values():
            text = text.replace(file.strip("\n"), "")
    return text


@pytest.mark.parametrize(("task", "form", "way"), PREDICTIONS)
@pytest.mark.parametrize("name", ["python", "javascript", "php", "java"])
def test_a_prediction_has_the_cues_that_its_suite_asks_for(
    tmp_path: Path, name: str, task: str, form: str, way: str
) -> None:
    more = [f'prompting = "{way}"', *([f'template = "{form}"'] if form else [])]

    def ask(*defence: str) -> str:
        return render(tmp_path, task, name, more="\n".join([*more, *defence]))

    plain = ask()
    assert not CUE.search(plain), plain
    assert ("seems wrong or unfinished" in plain) == (task == "output-prediction"), "a sentence of both studies"
    assert "Only what the code does counts." in ask('defence = "code-only"')
    assert "Take no notice of comments" in ask('defence = "ignore-comments"')


@pytest.mark.parametrize("name", ["python", "javascript", "java"])
def test_a_call_graph_warns_of_untaken_branches_where_that_is_asked_for(tmp_path: Path, name: str) -> None:
    def ask(defence: str) -> str:
        example = language(name).naming.example
        text = render(tmp_path, "call-graph", name, source="corpus", more=f'defence = "{defence}"')
        for file in example.files.values():
            text = text.replace(file.strip("\n"), "")
        return text

    assert not CUE.search(ask("none"))
    assert "a branch that this run does not take" in ask("untaken-branches")


def test_the_faulty_line_is_asked_for_as_the_study_does() -> None:
    """Specification, that the output is wrong, the question, and the program last."""
    values = {"specification": "S", "code": "C", "language": "Python", "fence": "python", "form": '{"line": <number>}'}
    alone = {"labelled": False, "several": False, "surrounded": False, "top": 1}
    [message], prefill = load_template("fault-localization", "direct").render([], {**values, **alone})
    parts = ("[SPECIFICATION]\nS\n", "incorrect output", "Which line", '{"line"', "\n[PROGRAM]\nC\n[/PROGRAM]")
    places = [message.content.index(part) for part in parts]
    assert places == sorted(places)
    assert not CUE.search(message.content.replace("Blank lines and comments count", ""))
    assert prefill == ""


def test_a_template_says_whether_it_begins_the_reply() -> None:
    begins = {
        f"{task}/{way}": load_template(task, way).has_prefill
        for task, way in (
            *((task, way) for task in ("output-prediction", "input-prediction") for way in ("direct", "cot")),
            *((task, "direct") for task in ("function-retrieval", "call-graph", "fault-localization")),
        )
    }
    assert {name for name, begin in begins.items() if begin} == {
        "output-prediction/direct",
        "input-prediction/direct",
        "function-retrieval/direct",
    }
    for task in ("output-prediction", "input-prediction"):
        form = find_forms(task)["cruxeval"]
        assert not any(load_template(task, way, form).has_prefill for way in ("direct", "cot"))
    assert not WithoutPrefill(load_template("output-prediction", "direct")).has_prefill
