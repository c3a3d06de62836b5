"""The shipped form ``cruxeval``: one message, the assertion once, answers in tags, and no prefill."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Ask
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.templates.loading import find_forms
from pytest_codereason.registry import language

SHIPPED = Path(__file__).parents[3] / "suites"
TASKS = ["output-prediction", "input-prediction"]
LANGUAGES = ["python", "javascript", "php", "java"]
SUITE = """\
task = "{task}"
languages = ["{language}"]
template = "cruxeval"
shots = {{direct = 2, cot = 1}}
{more}
[source]
name = "ladder"
count = 2
[matrix]
prompting = ["direct", "cot"]
"""


def read_suite(folder: Path, task: str, language: str, more: str = 'query = "after"') -> Suite:
    path = folder / "a.suite.toml"
    path.write_text(SUITE.format(task=task, language=language, more=more))
    return load(path)


def list_asks(suite: Suite) -> list[tuple[str, Ask]]:
    return [(suite.conditions.find_way(spec), find_first_ask(suite.task, draft(suite, spec))) for spec in suite.specs()]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", LANGUAGES)
def test_the_program_and_its_assertion_stand_once_after_the_examples(tmp_path: Path, name: str, task: str) -> None:
    suite, tag = read_suite(tmp_path, task, name), language(name).title.upper()
    for spec, (way, ask) in zip(suite.specs(), list_asks(suite), strict=True):
        [message] = ask.messages
        assert (message.role, ask.prefill) == ("user", "")
        program = draft(suite, spec).program
        instruction, *blocks = message.content.split(f"[{tag}]\n")
        assert len(blocks) == (3 if way == "direct" else 2)
        shown, rest = blocks[-1].split(f"\n[/{tag}]")
        code, assertion = shown.rsplit("\n", 1)
        assert (code, rest) == (program.source.rstrip("\n"), "")
        assert "??" in assertion
        assert "??" not in code
        assert ("[THOUGHT]" in instruction) == (way == "cot")
        for example in blocks[:-1]:
            after = example.split(f"[/{tag}]\n")[1]
            assert after.startswith("[THOUGHT]\n" if way == "cot" else "[ANSWER]\n")
            answer = after.split("[ANSWER]\n")[1].split("\n[/ANSWER]")[0]
            assert answer.startswith(assertion.split("f(")[0].strip()), "the answer is a whole assertion"


@pytest.mark.parametrize("task", TASKS)
def test_the_assertion_may_stand_before_and_comments_may_be_ruled_out(tmp_path: Path, task: str) -> None:
    [(_, ask), *_] = list_asks(read_suite(tmp_path, task, "python", 'query = "before"\ndefence = "ignore-comments"'))
    shown = ask.messages[0].content.split("[PYTHON]\n")[-1]
    assert shown.startswith("assert ")
    assert shown.count("??") == 1
    assert "Take no notice of comments" in ask.messages[0].content


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("misleading*.toml")), ids=lambda path: path.name)
def test_every_suite_of_the_study_asks_in_its_form(path: Path) -> None:
    lines = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    assert {'template = "cruxeval"', 'query = "after"', 'examples = "plain"'} <= set(lines)


def test_a_folder_of_the_name_is_chosen_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "cruxeval").mkdir()
    for way in ("direct", "cot"):
        (tmp_path / f"cruxeval/{way}.jinja").write_text("=== user ===\nmine\n=== assistant ===\nyes\n")
    suite = read_suite(tmp_path, "output-prediction", "python")
    assert suite.prompts.folder == find_forms("output-prediction")["cruxeval"]
    text = suite.path.read_text().replace('"cruxeval"', '"./cruxeval"')
    suite.path.write_text(text)
    assert list_asks(load(suite.path))[0][1].messages[-1].content == "mine"


def test_a_form_that_is_not_shipped_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = tmp_path / "a.suite.toml"
    path.write_text(SUITE.format(task=TASKS[0], language="python", more="").replace("cruxeval", "crux"))
    with pytest.raises(UsageError, match=r"a\.suite\.toml:3: there is no template 'crux' .*shipped by name: cruxeval"):
        load(path)
