"""No secret reaches anything that a run leaves behind, however the user gave it and whoever repeats it."""

from __future__ import annotations

import base64
import logging
import os
from collections.abc import Iterator
from itertools import cycle, repeat
from pathlib import Path
from urllib.parse import quote

import pytest

from pytest_codereason.core import secrets
from tests.servers import Disruption, Server, error, fields
from tests.session.conftest import Project

KEY = "sk-from-the-environment-4711"
TOKEN = "tok/en+with=signs&more-0815"
PIN = "7q3x"  # too short to be looked for in answers
PASSWORD = "correct horse battery"
BASIC = f"Basic {base64.b64encode(f'user:{PASSWORD}'.encode()).decode()}"
SECRETS = [KEY, TOKEN, PASSWORD, BASIC.removeprefix("Basic "), quote(TOKEN, safe=""), PIN]


@pytest.fixture(autouse=True)
def _environment(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MY_TOKEN", TOKEN)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves
    monkeypatch.setattr(secrets, "_shown", {})
    yield
    assert logging.getLogRecordFactory() is logging.LogRecord


def given(server: Server, *more: str) -> list[str]:
    """Secrets in every way in which a user can give them, and every option by which pytest shows more."""
    return [
        "--model=openai:scripted",
        f"--model-url={server.url}",
        "--model-arg=header.X-Token=env:MY_TOKEN",
        "--model-arg",
        f"header.X-Other=Bearer {TOKEN}",
        f"--model-arg=header.X-Basic={BASIC}",
        f"--codereason-model-arg=header.X-Pin={PIN}",
        f"--model-arg=body.api_key={TOKEN}",
        "--eval-report=out",
        *("-rA", "-vv", "-l", "--tb=long", "--full-trace", "--debug", "--log-level=DEBUG", "--log-file=all.log"),
        *("--junitxml=out.xml", "-pmetadata", "-phtml", "--html=out.html", "--self-contained-html", "--color=yes"),
        *more,
    ]


def leaks(project: Project, output: str) -> list[str]:
    """Where a secret stands: in the output, or in any file of the project, of the cache and of the store."""
    places = {"the output": output.encode()}
    for folder in (project.path, Path(os.environ["CODEREASON_CACHE"])):
        places |= {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(path.endswith("answers.sqlite") for path in places)
    return [f"{secret} in {place}" for place, text in places.items() for secret in SECRETS if secret.encode() in text]


EVERYTHING = " and ".join([*SECRETS, f"Bearer {TOKEN}", BASIC])
#: What the server answers, in turn.
ECHOES: dict[str, list[Disruption | None]] = {
    "nothing": [None],
    "in a refused key": [error(401, EVERYTHING, code="invalid_api_key")],
    "in an error that stops the run": [error(422, EVERYTHING, headers={"X-Echo": quote(EVERYTHING)})],
    "in all that lets a run go on": [
        fields(content=" ".join(SECRETS[:-1])),
        error(500, EVERYTHING),
        Disruption(status=307, headers={"Location": f"http://127.0.0.1:9/{quote(TOKEN, safe='')}"}, body={}),
        Disruption(body=b"<html>" + EVERYTHING.encode()),
    ],
}
QUICK = ("nothing", "in a refused key")
ALONE = [pytest.param(name, (), marks=() if name in QUICK else pytest.mark.slow, id=name) for name in ECHOES]
#: A run that goes on leaves behind all that one does to which the server echoes nothing.
WITH_WORKERS = [
    pytest.param(name, ("-n", "2"), marks=pytest.mark.slow, id=f"{name}, with workers")
    for name in ECHOES
    if name != "nothing"
]


@pytest.mark.slow
@pytest.mark.parametrize(("echo", "workers"), ALONE + WITH_WORKERS)
def test_nothing_that_a_run_leaves_behind_holds_a_secret(project: Project, echo: str, workers: tuple[str, ...]) -> None:
    project.suite(count=max(1, len(ECHOES[echo]) // 2))  # in two languages
    with Server(script=cycle(ECHOES[echo])) as server:
        result = project.run_fresh(*given(server, *workers))
        assert result.ret == (0 if echo == "nothing" else 1), result.stdout.str()
        sent = [seen.headers for seen in server.requests]
    assert len(sent) >= len(ECHOES[echo])
    assert {(seen["X-Token"], seen["X-Pin"], seen["Authorization"]) for seen in sent} == {(TOKEN, PIN, f"Bearer {KEY}")}
    output = result.stdout.str() + result.stderr.str()
    assert not leaks(project, output)
    arguments = project.run_json("out")["argv"]
    assert "--model-arg=header.X-Token=env:MY_TOKEN" in arguments, "a name of a variable is shown"
    assert "header.X-Other=[hidden]" in arguments


#: Ordinary words in settings that may be secrets, and what tells the plugin that they are not.
ORDINARY = {
    "header.X-Title": "benchmark",  # a public header
    "header.HTTP-Referer": "https://example.com/page",
    "header.X-Mode": "completion",  # a word
    "header.X-Run": "20260607",  # a number
    "header.X-Kind": "chat-template",
}


@pytest.mark.slow
def test_an_ordinary_word_in_a_header_changes_no_reply_and_no_record(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    reply = " ".join(ORDINARY.values())
    with Server(script=repeat(fields(content=reply, reasoning_content=reply))) as server:
        headers = [f"--model-arg={name}={value}" for name, value in ORDINARY.items()]
        result = project.run_fresh("--model=openai:scripted", f"--model-url={server.url}", *headers)
        assert {name: server.requests[0].headers[name.removeprefix("header.")] for name in ORDINARY} == ORDINARY
    assert result.ret == 0
    (record,) = project.records()
    assert record["response"] == record["steps"][0]["reasoning"] == reply
    assert record["usage"]["completion"] is not None, "the names of fields are not searched"
    assert "--model-arg=header.X-Title=[hidden]" in project.run_json()["argv"]


@pytest.mark.slow
def test_no_field_of_a_record_loses_its_name_to_a_secret(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    with Server() as server:
        arguments = (f"--model-url={server.url}", "--model-arg=header.X-Token=response")
        assert project.run_fresh("--model=openai:scripted", *arguments).ret == 0
    (record,) = project.records()
    assert record["response"].startswith("[")


OWN = """
import logging
from pytest_codereason.core import Model

class Mine(Model):
    @classmethod
    def create(cls, name, *, url, args):
        made = cls()
        made.token, made.url = args["password"], url
        return made
    identity = property(lambda self: {"url": self.url, "token": self.token})
    pinned = False
    async def answer(self, request):
        logging.getLogger("mine").warning("asked with %s", self.token)
        raise KeyError(self.token, self.url)
"""


@pytest.mark.slow
def test_a_model_of_the_user_that_repeats_its_secret_everywhere(project: Project) -> None:
    project.suite(count=1)
    (project.path / "own").mkdir()
    (project.path / "own/mine.py").write_text(OWN)
    (project.path / "test_it.py").write_text(
        "def test_it(request):\n    secret = request.config.getoption('codereason_model_arg')[0]\n    assert not secret"
    )
    result = project.run_fresh(
        "--model=own.mine:Mine",
        f"--model-url=http://user:{quote(PASSWORD)}@127.0.0.1:9/v1?key={quote(TOKEN, safe='')}",
        "--model-arg=password=env:MY_TOKEN",
        *("--eval-report=out", "-rA", "-l", "--debug", "--log-file=all.log", "--junitxml=out.xml"),
    )
    assert result.ret == 1
    assert not leaks(project, result.stdout.str() + result.stderr.str())
    assert "KeyError" in result.stdout.str()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--model-arg", f"Authorization: Bearer {TOKEN}"],
        [f"--model-arg=header.X={TOKEN}", "--model-arg=nothing=1"],
        [f"--model-url=ftp://user:{TOKEN}@host/v1"],
        [f"--model-url=http://host/v1?key={TOKEN}"],
        [f"--model-url=http://host/v1,http://user:{TOKEN}@other/v1"],
        [f"-ocodereason_model_arg=header.X={TOKEN}\nnothing=1"],
    ],
    ids=lambda value: value[0].partition("=")[0],
)
@pytest.mark.slow
def test_a_mistake_is_told_without_the_secret(project: Project, arguments: list[str]) -> None:
    project.suite(count=1)
    result = project.run_fresh("--model=openai:scripted", *arguments, "--debug")
    assert result.ret == 4
    files = [path.read_text() for path in project.path.glob("*") if path.is_file()]
    assert not [text for text in files if TOKEN in text]


def test_a_variable_that_is_not_set_is_named(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=openai:scripted", "--model-arg=header.Authorization=env:NOT_THERE")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["ERROR: --model-arg header.Authorization=env:NOT_THERE: set the environment variable*"]
    )


@pytest.mark.slow
def test_two_values_of_a_header_are_told_apart_by_a_digest_that_is_not_theirs(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    with Server() as server:
        for value in ("one-secret", "two-secret", "two-secret"):
            arguments = (f"--model-url={server.url}", f"--model-arg=header.X={value}", "--eval-reuse=1h")
            assert project.run("--model=openai:scripted", *arguments).ret == 0
        assert len(server.requests) == 2
    key = Path(os.environ["CODEREASON_CACHE"]) / "secret.key"
    assert key.stat().st_mode & 0o777 == 0o600
    signed = secrets.sign("two-secret")
    assert project.run_json()["models"]["openai:scripted"]["identity"]["headers"] == {"x": signed}
    key.write_bytes(b"another machine")
    assert secrets.sign("two-secret") != signed
