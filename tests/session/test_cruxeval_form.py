"""The form of CRUXEval end to end: what is sent, and how replies in its tags are read."""

from __future__ import annotations

import pytest

from tests.servers import Server, solve
from tests.session.conftest import SUITE, Project

REPLIES = {
    "tags": "[ANSWER]\nassert f(1) == {}\n[/ANSWER]",
    "one line": "[ANSWER] {} [/ANSWER]",
    "never closed": "[ANSWER]\n{}\n",
    "with thoughts": "[THOUGHT]\nMaybe [ANSWER] [0] [/ANSWER]?\n[/THOUGHT]\n[ANSWER] {} [/ANSWER]",
}


@pytest.mark.parametrize("wrap", REPLIES.values(), ids=REPLIES.keys())
def test_answers_in_tags_are_read(project: Project, wrap: str) -> None:
    text = SUITE.format(languages='["python"]', count=2, prompting='["direct", "cot"]')
    (project.path / "small.suite.toml").write_text(f'template = "cruxeval"\nquery = "after"\nshots = 2\n{text}')
    with Server(solve(wrap=wrap)) as server:
        result = project.run("--model=vllm-server:scripted", f"--model-url={server.url}", "small.suite.toml")
    assert result.ret == 0, result.stdout.str()
    assert {record["outcome"] for record in project.records()} == {"correct"}
    for request in server.requests:
        [message] = request.messages
        assert message["role"] == "user"
        assert message["content"].count("??") == 4, "in the instruction, in two examples, and in the question"
