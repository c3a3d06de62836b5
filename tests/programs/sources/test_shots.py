"""Worked examples as the study of misleading context has them: two when asked directly, one with its steps."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path

import pytest

from pytest_codereason.core.files.frozen import freeze
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.rehearsing import find_first_ask
from pytest_codereason.programs.sources._examples import EXAMPLES, program
from pytest_codereason.programs.sources._rows import Entry
from pytest_codereason.programs.sources._translations import COLUMNS
from pytest_codereason.questions.suites.reading import load

PYTHON = "def pick(words):\n    for word in words:\n        if len(word) > 2:\n            return word\n    return ''\n"
JAVASCRIPT = (
    "function pick(words) {\n    for (const word of words) {\n        if (word.length > 2) {\n"
    "            return word;\n        }\n    }\n    return '';\n}\n"
)
PERTURBATIONS = ["none", "vanilla", "rename", "conditions", "dead-code", "psc-all", "comments", "prints", "hint"]
SUITE = """\
task = "{task}"
shots = {{direct = 2, cot = 1}}
[source]
name = "{source}"
path = "{path}"
translations = "{path}/js.jsonl"
[matrix]
perturbation = {perturbations}
prompting = ["direct", "cot"]
"""


@pytest.mark.parametrize("task", ["output-prediction", "input-prediction"])
@pytest.mark.parametrize("source", ["cruxeval", "livecodebench"])
def test_they_are_there_in_every_version(tmp_path: Path, source: str, task: str) -> None:
    crux = {"id": "a", "code": PYTHON.replace("pick", "f"), "input": "['b', 'oak']", "output": "'oak'"}
    bench = {**crux, "code": PYTHON, "function_name": "pick", "input": "pick(words = ['b', 'oak'])"}
    name = "f" if source == "cruxeval" else "pick"
    (tmp_path / "cruxeval.jsonl").write_text(json.dumps(crux))
    (tmp_path / "livecodebench.jsonl").write_text(json.dumps(bench))
    given = '["b", "oak"]'
    entry = Entry("a", JAVASCRIPT.replace("pick", name), f"{name}({given})", given, '"oak"')
    row = dict(zip(COLUMNS, astuple(entry), strict=True))
    freeze(tmp_path / "js.jsonl", "translation", [row], source=source, language="javascript")
    path = tmp_path / "a.suite.toml"
    text = SUITE.format(task=task, source=source, path=tmp_path.as_posix(), perturbations=json.dumps(PERTURBATIONS))
    path.write_text(text)
    suite = load(path)
    for spec in suite.specs():
        instance = draft(suite, spec)
        messages = find_first_ask(suite.task, instance).messages
        replies = [message.content for message in messages if message.role == "assistant"]
        steps = str(program(EXAMPLES[0], spec.language).facts["reasoning"])
        cot = suite.conditions.find_way(spec) == "cot"
        assert len(replies) - (not cot and messages[-1].role == "assistant") >= (1 if cot else 2), spec
        assert len(instance.shots) == (1 if cot else 2)
        assert any(steps in reply for reply in replies) == cot, spec
    assert len({spec.language for spec in suite.specs()}) == 2


@pytest.mark.parametrize("language", ["python", "javascript", "php", "java"])
def test_their_steps_name_nothing_of_the_program(language: str) -> None:
    from pytest_codereason.changes.stages.perturbation import _list_names

    for example in EXAMPLES:
        shot = program(example, language)
        assert not _list_names(language, shot.source, shot.call) & set(shot.facts["reasoning"].split())
