"""Runs the jobs of the CI recipes as a runner does: each script in a bash of its own, expressions as values.

GitHub itself is a folder: its artifacts, its comments, and a command ``gh`` that reads and writes them with the real
``jq``. GitLab is :class:`GitLab`, a real HTTP server.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")
INPUT = re.compile(r"\$\[\[ inputs\.([\w-]+) \]\]")
#: ``gh`` for a folder: ``runs.json``, ``comments.json``, ``artifacts/RUN/NAME``.
GH = """#!{python}
import json, os, pathlib, shutil, subprocess, sys
state, words = pathlib.Path({state!r}), sys.argv[1:]
assert os.environ["GH_TOKEN"] == "token"
def option(name):
    return words[words.index(name) + 1] if name in words else None
def show(rows):
    subprocess.run(["jq", "-r", option("--jq")], input=json.dumps(rows), text=True, check=True)
if words[:2] == ["run", "list"]:
    show([run for run in json.loads((state / "runs.json").read_text())
          if run["headBranch"] == option("--branch") and run["conclusion"] == option("--status")])
elif words[:2] == ["run", "download"]:
    shutil.copytree(state / "artifacts" / words[2] / option("--name"), option("--dir"))
else:
    assert words[0] == "api"
    comments = json.loads((state / "comments.json").read_text())
    body = option("-F")
    if body is None:
        show(comments)
    else:
        text = pathlib.Path(body.removeprefix("body=@")).read_text()
        if option("--method") == "PATCH":
            number = int(words[3].rpartition("/")[2])
            (mine,) = [each for each in comments if each["id"] == number]
            mine["body"] = text
        else:
            comments.append({{"id": 1 + len(comments), "user": {{"type": "Bot"}}, "body": text}})
        (state / "comments.json").write_text(json.dumps(comments))
"""


@dataclass(frozen=True, kw_only=True)
class JobResult:
    """How a job ended."""

    code: int
    log: str
    summary: str = ""  #: of its steps


@dataclass
class GitHub:
    """GitHub, and the runner of its jobs. ``repository`` is the checkout, ``state`` what GitHub keeps."""

    repository: Path
    state: Path
    environment: Mapping[str, str]
    _runs: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        tools = self.state / "bin"
        tools.mkdir(parents=True)
        (tools / "gh").write_text(GH.format(python=sys.executable, state=str(self.state)))
        (tools / "gh").chmod(0o755)
        self.comment()

    def comment(self, *comments: Mapping[str, Any]) -> None:
        (self.state / "comments.json").write_text(json.dumps(comments))

    @property
    def comments(self) -> list[str]:
        return [each["body"] for each in json.loads((self.state / "comments.json").read_text())]

    def run_action(self, event: str, branch: str, inputs: Mapping[str, str]) -> JobResult:
        """Runs ``action.yml`` as a job with one step does."""
        action = read_workflow("action.yml")
        number = str(len(self._runs) + 1)
        temp = self.state / f"temp-{number}"
        temp.mkdir()
        github = {
            "action_path": str(ROOT),
            "token": "token",
            "run_id": number,
            "run_attempt": "1",
            "event_name": event,
            "event": {"repository": {"default_branch": "main"}, "pull_request": {"number": 7}},
        }
        given = {key: str(one.get("default", "")) for key, one in action["inputs"].items()} | dict(inputs)
        given = {key: _fill(one, {"github": github}) for key, one in given.items()}
        context: dict[str, Any] = {"github": github, "inputs": given, "runner": {"temp": str(temp)}, "steps": {}}
        failed, log = 0, ""
        (self.state / "runs.json").write_text(json.dumps(self._runs))
        for step in action["runs"]["steps"]:
            condition = str(step.get("if", ""))
            if (failed and "always()" not in condition) or not _holds(condition, context):
                continue
            if "uses" in step:
                self._keep(step, context)
                continue
            code, output, outputs = self._run_step(step, context, temp)
            failed, log = failed or code, log + output
            context["steps"][step.get("id", "")] = {"outputs": outputs}
        conclusion = "failure" if failed else "success"
        self._runs.append({"databaseId": int(number), "event": event, "headBranch": branch, "conclusion": conclusion})
        summary = temp / "summary"
        return JobResult(code=failed, log=log, summary=summary.read_text() if summary.exists() else "")

    def add_run(self, **run: object) -> None:
        """Adds a run that another job has left."""
        self._runs.append({"databaseId": len(self._runs) + 1, **run})

    def _keep(self, step: Mapping[str, Any], context: Mapping[str, Any]) -> None:
        if not step["uses"].startswith("actions/upload-artifact@"):
            return  # the cache of answers is empty in a first attempt
        name, path = (_fill(step["with"][key], context) for key in ("name", "path"))
        if Path(path).exists():
            shutil.copytree(path, self.state / "artifacts" / context["github"]["run_id"] / name)

    def _run_step(
        self, step: Mapping[str, Any], context: Mapping[str, Any], temp: Path
    ) -> tuple[int, str, dict[str, str]]:
        output, script = temp / "output", temp / "script"
        output.write_text("")
        script.write_text(step["run"])
        environment = {
            **self.environment,
            "PATH": f"{self.state / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(temp / "summary"),
            "GITHUB_REPOSITORY": "team/model",
            "GITHUB_RUN_ID": context["github"]["run_id"],
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_WORKFLOW_REF": "team/model/.github/workflows/gate.yml@refs/heads/main",
            "RUNNER_TEMP": str(temp),
            **{key: _fill(value, context) for key, value in step.get("env", {}).items()},
        }
        ended = run_bash(script, self.repository, environment)
        pairs = (line.partition("=")[::2] for line in output.read_text().splitlines())
        return ended.returncode, ended.stdout, dict(pairs)


def run_bash(script: Path, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs a script as ``shell: bash`` of GitHub does, which is also how GitLab's runner ends at the first failure."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder,
        env=dict(environment),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def read_workflow(name: str) -> dict[Any, Any]:
    """A file of the recipes for GitHub."""
    content: dict[Any, Any] = yaml.safe_load((ROOT / name).read_text())
    return content


def read_gitlab() -> tuple[dict[str, Any], dict[str, Any]]:
    """The inputs and the jobs of the recipe for GitLab."""
    head, jobs = yaml.safe_load_all((ROOT / "ci/gitlab/codereason.yml").read_text())
    return head["spec"]["inputs"], jobs


def read_gitlab_job(inputs: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The name and the content of the job of ``ci/gitlab/codereason.yml``, as GitLab fills in the inputs."""
    known, jobs = read_gitlab()
    given = {key: str(one.get("default", "")) for key, one in known.items()} | dict(inputs)

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {fill(key): fill(one) for key, one in value.items()}
        if isinstance(value, list):
            return [fill(one) for one in value]
        return INPUT.sub(lambda match: given[match[1]], value) if isinstance(value, str) else value

    ((name, job),) = fill(jobs).items()
    return name, job


class GitLab:
    """The API of one GitLab project, with the artifacts of the default branch and the notes of merge request 7."""

    def __init__(self, baseline: Path | None) -> None:
        self.notes: list[dict[str, Any]] = []
        self.requests: list[str] = []
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            for path in baseline.iterdir() if baseline else ():
                file.write(path, f"codereason-run/{path.name}")
        self._archive = archive.getvalue() if baseline else None
        gitlab = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                gitlab.requests.append(self.path)
                path = urlsplit(self.path)
                if self.headers["PRIVATE-TOKEN"] != "token":
                    self._send(401, b"{}")
                elif path.path == "/api/v4/projects/5/jobs/artifacts/main/download":
                    known = gitlab._archive is not None and parse_qs(path.query) == {"job": ["codereason"]}
                    self._send(200 if known else 404, gitlab._archive or b"{}")
                elif path.path == "/api/v4/user":
                    self._send(200, b'{"id": 3}')
                else:
                    assert path.path == "/api/v4/projects/5/merge_requests/7/notes"
                    self._send(200, json.dumps(gitlab.notes).encode())

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
                gitlab.notes.append({"id": 1 + len(gitlab.notes), "author": {"id": 3}, "body": body})
                self._send(201, b"{}")

            def do_PUT(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
                gitlab.notes[int(self.path.rpartition("/")[2]) - 1]["body"] = body
                self._send(200, b"{}")

            def _send(self, status: int, content: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/api/v4"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _fill(value: object, context: Mapping[str, Any]) -> str:
    return EXPRESSION.sub(lambda match: _find(match[1], context), str(value))


def _find(name: str, context: Mapping[str, Any]) -> str:
    value: Any = context
    for part in name.split("."):
        value = value.get(part, "") if isinstance(value, dict) else ""
    return str(value)


def _holds(condition: str, context: Mapping[str, Any]) -> bool:
    for part in filter(None, condition.split(" && ")):
        left, equals, right = part.partition(" == ")
        if equals and _find(left, context) != right.strip("'"):
            return False
    return True
