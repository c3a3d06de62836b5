"""A suite that forbids prefill is asked without any, whatever the provider and its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from tests.servers import Server, solve
from tests.session.conftest import SUITE, Project

FIELDS = {"continue_final_message", "add_generation_prompt", "stop"}
#: Every way of giving a server the beginning of the reply: presets, an engine that names itself, the setting.
WAYS = [
    pytest.param(["--model=vllm-server:m"], "continue", id="vllm-server"),
    pytest.param(["--model=sglang:m"], "continue", id="sglang"),
    pytest.param(["--model=llamacpp:m"], "assistant", id="llamacpp"),
    pytest.param(["--model=ollama:m"], "assistant", id="ollama"),
    pytest.param(["--model=openai:m"], "continue", id="an engine that names itself"),
    *(pytest.param(["--model=named"], way, id=way) for way in ("continue", "prefix", "assistant")),
]


def forbid(project: Project, *, allowed: bool) -> None:
    """Writes a suite that allows or forbids prefill."""
    text = SUITE.format(languages='["python"]', count=2, prompting='["direct"]')
    (project.path / "small.suite.toml").write_text(f"prefill = {str(allowed).lower()}\n{text}")


@pytest.mark.parametrize(("arguments", "way"), WAYS)
@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "forbidden"])
@pytest.mark.slow
def test_every_provider_obeys(project: Project, arguments: list[str], way: str, allowed: bool) -> None:
    forbid(project, allowed=allowed)
    thoughts = "I must give it in [ANSWER] tags. The call is f(81).\n\n[ANSWER]{}[/ANSWER]"
    with Server(solve(wrap=thoughts), owned_by="vllm", models=["m"]) as server:
        if arguments == ["--model=named"]:
            model = f'[tool.codereason.models.named]\nspec = "openai:m"\nurl = "{server.url}"\nprefill = "{way}"\n'
            (project.path / "pyproject.toml").write_text(model)
        else:
            arguments = [*arguments, f"--model-url={server.url}"]
        result = project.run(*arguments, "small.suite.toml")
    assert result.ret == 0, result.stdout.str()
    assert {record["outcome"] for record in project.records()} == {"correct"}
    for request in server.requests:
        last = request.body["messages"][-1]
        if allowed:
            assert last["role"] == "assistant"
            assert "assert f" in last["content"]
        else:
            assert last["role"] == "user"
            assert not FIELDS & set(request.body), way
            assert "The completed assertion" not in str(request.body)
    steps = [step for record in project.records() for step in record["steps"]]
    assert {(bool(step["prefill"]), step["prefilled"]) for step in steps} == {(allowed, allowed)}


def test_forbidding_prefill_is_part_of_the_plan(project: Project) -> None:
    plans = {}
    for allowed in (True, False):
        forbid(project, allowed=allowed)
        plans[allowed] = load(project.path / "small.suite.toml").plan
    assert plans[True] == load(project.suite(languages=("python",), count=2)).plan, "true is the default"
    assert plans[False] != plans[True]


def test_a_rewriting_gets_no_prefill_either(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    for way in ("direct", "refactor"):
        (tmp_path / f"prompts/{way}.jinja").write_text("=== user ===\n{{ code }}\n=== prefill ===\nWell\n")
    text = SUITE.format(languages='["python"]', count=1, prompting='["direct"]')
    path = tmp_path / "small.suite.toml"
    path.write_text(f'prefill = false\ntemplate = "prompts"\ndefence = "refactor"\n{text}')
    suite = load(path)
    instance = draft(suite, next(suite.specs()))
    assert instance.rewriting is not None
    for template in (instance.template, instance.rewriting):
        messages, prefill = template.render([], {"code": "x = 1"})
        assert ([message.content for message in messages], prefill) == (["x = 1"], "")


def test_a_value_that_is_no_switch_is_named(tmp_path: Path) -> None:
    path = tmp_path / "small.suite.toml"
    path.write_text('prefill = "never"\n' + SUITE.format(languages='["python"]', count=1, prompting='["direct"]'))
    with pytest.raises(UsageError, match=r"small\.suite\.toml:1: 'prefill' must be true or false, not 'never'"):
        load(path)
