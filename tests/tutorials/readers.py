"""The models of the tutorials. They read Python well, and each has a weakness."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.fuzzing.blind import CALL, CODE, BelievesDeadCode, Blindness, run
from tests.servers import Body, Server
from tests.session.localisers import read_lines

CORPUS = Path(__file__).parents[2] / "corpus" / "python"
#: By the name of a model: what it does not see, and the share of questions that it gets wrong besides.
WEAKNESSES: Mapping[str, tuple[type[Blindness], float]] = {
    "my-model": (Blindness, 0.2),
    "my-release": (BelievesDeadCode, 0.0),
    "release-41": (Blindness, 0.05),
    "release-42": (BelievesDeadCode, 0.05),
}

#: The endpoint of all tutorials, which nobody has: the domain is reserved for examples.
ENDPOINT = "https://models.example.com/v1"
#: The servers of one machine with GPUs.
SERVERS = ("http://127.0.0.1:8001/v1", "http://127.0.0.1:8002/v1")

KEY = "sk-my-key"


@contextmanager
def open_endpoint() -> Iterator[Mapping[str, str]]:
    """A server with the models of the tutorials as the stand-in for their endpoint, and two for those with GPUs."""
    models = list(WEAKNESSES)
    first, second = (Server(answer, models=models) for _ in SERVERS)
    with Server(answer, models=models, key=KEY) as server, first, second:
        yield {ENDPOINT: server.url, SERVERS[0]: first.url, SERVERS[1]: second.url}


def answer(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
    """The reply of a model to a question about the output, the calls or the faulty line of a Python program."""
    prompt = next(str(message["content"]) for message in reversed(messages) if message["role"] == "user")
    if "[SPECIFICATION]" in prompt:
        return json.dumps({"line": find_new_line(*read_lines(prompt))})
    if "**Questions**" in prompt:
        return list_calls(prompt)
    blindness, wrong = WEAKNESSES[body["model"]]
    code, call = CODE.findall(prompt)[-1], CALL.findall(prompt)[-1]
    value = "None" if draw_share(body["model"] + code + call) < wrong else run(code, call, blindness)
    continues = messages[-1]["role"] == "assistant"
    return value if continues else f"[ANSWER]assert {call} == {value}[/ANSWER]"


def find_new_line(specification: str, lines: Sequence[str]) -> int:
    """The first line that the shipped program with this specification does not have, whatever is new about it."""
    (folder,) = [path.parent for path in CORPUS.glob("*/specification.md") if path.read_text().strip() == specification]
    known = {line.strip() for path in folder.rglob("*.py") for line in path.read_text().splitlines()}
    return next((number for number, line in enumerate(lines, 1) if line.strip() not in known), 1)


def list_calls(prompt: str) -> str:
    """For each function that is asked about, the functions of the file whose names stand before a parenthesis in it."""
    code, _, questions = prompt.rpartition("**Code**:")[2].partition("**Questions**:")
    tree = ast.parse(code.partition("```python\n")[2].partition("```")[0])
    bodies: dict[str, list[ast.stmt]] = {
        node.name: node.body for node in tree.body if isinstance(node, ast.FunctionDef)
    }
    names = set(bodies)
    bodies["main"] = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    replies = []
    for place, line in enumerate(re.findall(r"^\d+\. (.+)$", questions, re.MULTILINE), 1):
        name = re.findall(r"\"main\.(\w+)\"", line)[-1]
        calls = [
            node for part in bodies.get(name, bodies["main"]) for node in ast.walk(part) if isinstance(node, ast.Call)
        ]
        callees = dict.fromkeys(
            f"main.{call.func.id}" for call in calls if isinstance(call.func, ast.Name) and call.func.id in names
        )
        replies.append(f"{place}. {', '.join(callees)}")
    return "\n".join(replies)


def draw_share(text: str) -> float:
    """A number from 0 to 1 that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
