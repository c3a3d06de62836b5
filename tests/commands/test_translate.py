"""``codereason translate``, as a user types it, with a scripted writer behind a real server."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.core import Facts, Program
from pytest_codereason.errors import NotALiteral
from pytest_codereason.programs.sources.cruxeval import CruxEval
from pytest_codereason.questions.authoring.translation import TranslationText, translate_call
from pytest_codereason.registry import language
from tests.servers import Server, finished, no_quota

ATTEMPTS = len(TranslationText.temperatures)


def row(name: str, code: str, given: str, output: str) -> dict[str, str]:
    return {"id": name, "code": code, "input": given, "output": output}


ROWS = [
    row("computed", "def f(a, b, c=3):\n    return [a + b, a * c]", "1, b='x' and 1", "[2, 3]"),
    row("sum", "def f(a, b, c=3):\n    return [a + b, a * c]", "1, b=1", "[2, 3]"),
    row("second", "def f(s):\n    return s[::-1]", "'né'", "'én'"),
    row("wrong", "def f(s):\n    return len(s)", "'abc'", "3"),
    row("nothing", "def f(s):\n    return s + s", "'a'", "'aa'"),
    row("broken", "def f(n):\n    return n - 1", "n=4", "3"),
    row("raising", "def f(n):\n    return n // 2", "n=4", "2"),
    row("loud", "def f(n):\n    return n * 2", "n=4", "8"),
    row("set", "def f(n):\n    return {n}", "4", "{4}"),
    row("stale", "def f(n):\n    return n", "4", "5"),
]
REPLIES: dict[str, list[str]] = {
    "a * c": ["Here:\n```javascript\nfunction f(a, b, c = 3) {\n    return [a + b, a * c];\n}\n```\nDone."],
    "[::-1]": [
        "```js\nfunction f(s) { return s; }\n```",
        "<think>\n```js\nno\n```\n</think>\n```js\nfunction f(s) { return [...s].reverse().join(''); }\n```",
    ],
    "len(s)": ["```js\nfunction f(s) { return s.length + 1; }\n```"],
    "s + s": ["I would rather not."],
    "n - 1": ["```js\nfunction f(n { return n - 1; }\n```"],
    "n // 2": ["```js\nfunction g(n) { return n / 2; }\n```"],
    "n * 2": ["```js\nfunction f(n) { return n * 2; }\nconsole.log(f(4));\n```"],
}


def writer(messages: Sequence[Mapping[str, Any]], body: Any) -> str:
    prompt = str(messages[0]["content"])
    replies = next(replies for part, replies in REPLIES.items() if part in prompt)
    return replies[min(len(messages) // 2, len(replies) - 1)]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    (tmp_path / "cruxeval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


def arguments(data: Path, server: Server, *more: str, to: str = "javascript") -> list[str]:
    where = ["--writer", "openai:scripted", "--writer-url", server.url]
    return ["translate", "cruxeval", "--to", to, *where, "--path", str(data), "-o", str(data / "out.jsonl"), *more]


@pytest.mark.slow
def test_what_returns_the_same_is_kept_and_the_rest_counted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(writer) as server:
        assert main(arguments(data, server)) == 0
        conversations = [request.messages for request in server.requests]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "10 programs: 2 kept"
    assert lines[1:8] == [
        "  2 left out: cannot be called there",
        "  1 left out: no code",
        "  1 left out: not a program",
        "  1 left out: prints",
        "  1 left out: raises ReferenceError",
        "  1 left out: returns something else",
        "  1 left out: the original does not return the recorded value",
    ]
    assert len(conversations) == 1 + 2 + 5 * ATTEMPTS
    # What the program returns is never said, and the arguments are ours.
    assert all("én" not in str(messages) for messages in conversations)
    first = next(messages for messages in conversations if "a * c" in messages[0]["content"])
    assert "\nf(1, 1)\n" in first[0]["content"]
    again = [messages[-1]["content"] for messages in conversations if len(messages) == 3]
    assert any('Called as f("né"), it returns "né", as the original does not.' in text for text in again)
    assert any("raises ReferenceError: f is not defined" in text for text in again)
    translations = CruxEval.create({"path": str(data), "translations": str(data / "out.jsonl")}, seed=0)
    assert list(translations.names("javascript")) == ["sum", "second"]
    program = translations.program("javascript", "sum", {})
    assert (program.call, program.facts) == ("f(1, 1)", Facts(input="1, 1", output=[2, 3]))
    assert program.source == "function f(a, b, c = 3) {\n    return [a + b, a * c];\n}\n"
    head = json.loads((data / "out.jsonl").read_text().partition("\n")[0])
    assert head["left_out"]["no code"] == 1
    assert (head["asked"], head["writers"]) == (10, ["openai:scripted"])


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(writer, script=[None] * 6 + [no_quota()]) as server:
        assert main(arguments(data, server)) == 1
        assert not (data / "out.jsonl").exists()
        output = capsys.readouterr().out
        assert " without an answer: " in output
        resumes = "the answers so far are stored; run the same command again to continue"
        assert output.endswith(f"nothing is written yet: {resumes}\n")
        answered = [json.dumps(request.messages) for request in server.requests[:6]]
        assert main(arguments(data, server)) == 0
        conversations = [json.dumps(request.messages) for request in server.requests]
        assert {conversations.count(messages) for messages in answered} == {1}
        assert len(set(conversations)) == 1 + 2 + 5 * ATTEMPTS
    assert (data / "out.jsonl").exists()


@pytest.mark.slow
def test_a_writer_that_refuses_is_counted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(writer, script=[finished("content_filter")] * 99) as server:
        assert main(arguments(data, server)) == 4
    captured = capsys.readouterr()
    assert "  7 left out: refused" in captured.out
    assert captured.err.splitlines()[-1] == "ERROR: no translation was kept, so nothing is written"


def test_without_an_interpreter_nothing_is_asked(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(data))
    with Server(writer) as server:
        assert main(arguments(data, server)) == 4
        assert not server.requests
    assert "JavaScript: " in capsys.readouterr().err


PHP = "```php\nfunction f($a, $b, $c = 3) {\n    return [$a + $b, $a * $c];\n}\n```"
JAVA = (
    "```java\nimport java.util.*;\n\nclass Problem {\n    public static List<Integer> f(int a, int b) {\n"
    "        return List.of(a + b, a * 3);\n    }\n}\n```"
)


@pytest.mark.parametrize(
    ("to", "reply", "call"),
    [("php", PHP, "f(1, 1)"), pytest.param("java", JAVA, "Problem.f(1, 1)", marks=pytest.mark.slow)],
)
def test_other_languages(data: Path, to: str, reply: str, call: str) -> None:
    (data / "cruxeval.jsonl").write_text(json.dumps(ROWS[1]) + "\n")
    with Server(lambda messages, body: reply) as server:
        assert main(arguments(data, server, to=to)) == 0
        assert call in server.requests[0].messages[0]["content"]
    translations = CruxEval.create({"path": str(data), "translations": str(data / "out.jsonl")}, seed=0)
    assert translations.program(to, "sum", {}).call == call


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--to", "cobol"], "--to cobol: choose one of java, javascript, php"),
        (["--count", "0"], "--count: 'count' must be a whole number from 1"),
        (["--writer", "nobody"], "unknown model 'nobody'"),
        (["--writer-arg", "price"], "--writer-arg without '=': write KEY=VALUE"),
        (["--path", "nowhere"], "cruxeval.jsonl: cannot be read"),
        (["-o", "cruxeval.jsonl"], "-o cruxeval.jsonl: the file exists"),
        (["-o", "no/out.jsonl"], "-o no/out.jsonl: there is no folder no"),
    ],
)
def test_mistakes_are_one_line(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    monkeypatch.chdir(data)
    plain = ["translate", "cruxeval", "--to", "php", "--writer", "openai:w", "--path", str(data), "-o", "out.jsonl"]
    assert main([*plain, *more]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("head", "call", "given"),
    [
        ("a, b", "f(1, [2, (3, None)])", "1, [2, [3, null]]"),
        ("a, b", "f(b=1, a=2)", "2, 1"),
        ("a, b=2, c='x'", "f(1, c='y')", '1, 2, "y"'),
        ("a, b=2, c='x'", "f(1)", "1"),
        ("a, /, b, *, c=True, d", "f(1, 2, d={'k': 1.5})", "1, 2, true, { k: 1.5 }"),
        ("*a", "f(1, 2)", "1, 2"),
        ("x", "f(\n  x = ')('  \n)", '")("'),
    ],
)
def test_arguments_are_put_in_the_order_of_the_parameters(head: str, call: str, given: str) -> None:
    program = Program.from_source(
        language="python", source=f"def f({head}):\n    pass\n", call=call, facts=Facts(output=[1, True])
    )
    carried = translate_call(program, language("javascript"))
    assert (carried.call, carried.arguments, carried.output) == (f"f({given})", given, "[1, true]")


@pytest.mark.parametrize(
    ("head", "call"),
    [
        ("a", "f(b=1)"),
        ("a, b", "f(b=1)"),
        ("a", "f({1, 2})"),
        ("a", "f(g(1))"),
        ("a", "f(**{'a': 1})"),
        ("*a, b", "f(1, 2, b=3)"),
        ("a", "g(1)"),
        ("a", "f(*[1])"),
        pytest.param("a", f"f({'-' * 20_000}1)", id="a deep call"),
        pytest.param(f"a={'-' * 20_000}1", "f()", id="a deep program"),
        ("a", "f('\0')"),
    ],
)
def test_calls_that_cannot_be_carried(head: str, call: str) -> None:
    program = Program.from_source(
        language="python", source=f"def f({head}):\n    pass\n", call=call, facts=Facts(output=1)
    )
    with pytest.raises(NotALiteral):
        translate_call(program, language("javascript"))


@pytest.mark.slow
def test_a_killed_run_goes_on(data: Path) -> None:
    """Killed after some answers; what was answered is not asked again."""
    with Server(writer, latency_s=0.2) as server:
        command = [sys.executable, "-m", "pytest_codereason.cli", *arguments(data, server)]
        killed = subprocess.Popen(command, env={**os.environ, "CODEREASON_CACHE": str(data / "cache")})
        while len(server.requests) < 12 and killed.poll() is None:
            time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        before = {json.dumps(request.messages) for request in server.requests}
        assert not (data / "out.jsonl").exists()
        assert subprocess.run(command, check=False).returncode == 0
        again = [request for request in server.requests if json.dumps(request.messages) in before]
        # Asked twice are at most those that were in flight.
        assert len(again) - len(before) <= 7
        assert len({json.dumps(request.messages) for request in server.requests}) == 1 + 2 + 5 * ATTEMPTS
    assert re.search(r'"source": "cruxeval"', (data / "out.jsonl").read_text())
