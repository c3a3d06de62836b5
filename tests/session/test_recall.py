"""The recall study end to end: real requests to a server that reads in a known way."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from tests.servers import Server, trace
from tests.session.conftest import Project

POSITIONS = (0, 25, 50, 75, 100)
SUITE = """
task = "{task}"
languages = ["python"]
query = "both"

[source]
name = "semtrace"
count = {count}
seed = 11

[context]
pool = "pool"

[matrix]
distractors = [0, 12]
position = 5
"""
KEYED = re.compile(r"^([0-9a-f]{6})(?: (.*))?$", re.MULTILINE)


def suites(project: Project, *tasks: str, count: int = 40) -> None:
    """A suite for each task, named after it, over one pool."""
    functions = [Distractor(f"g{i}", f"def g{i}(a, b):\n    c = a * {i}\n    return c - b") for i in range(30)]
    freeze(Pool("pool", "python", functions), project.path / "pool")
    for task in tasks:
        (project.path / f"{task}.suite.toml").write_text(SUITE.format(task=task, count=count))


def retrieved(prompt: str) -> str:
    """The lines between the two keys that a prompt names."""
    start, end = re.findall(r"key ([0-9a-f]{6})\b", prompt)[:2]
    block = prompt.split("```python\n", 1)[1].split("\n```", 1)[0]
    lines = [(m[1], m[2] or "") for m in KEYED.finditer(block)]
    keys = [key for key, _ in lines]
    return "\n".join(line for _, line in lines[keys.index(start) : keys.index(end) + 1])


def fraction(text: str) -> float:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32


def parrot(messages: Sequence[Mapping[str, Any]], _: object) -> str:
    """Copies any function, and guesses every value."""
    prompt = str(messages[0]["content"])
    if "hexadecimal" in prompt:
        return f"\n{retrieved(prompt)}\n```"
    return json.dumps([int(200 * fraction(prompt + str(i))) for i in range(5)])


def forgetful(messages: Sequence[Mapping[str, Any]], _: object) -> str:
    """Reads a program at either end of a long context, and half as often one in its middle."""
    prompt = str(messages[0]["content"])
    code = prompt.split("[CODE]", 1)[1].split("[/CODE]", 1)[0]
    others = code.count("def g")
    depth = code[: code.index("def f(")].count("def g") / others if others else 0.0
    reads = 0.5 + abs(depth - 0.5)
    target = code[code.rindex("def f(") :]
    body = target.split("\ndef g", 1)[0]
    call = prompt[prompt.index("assert f(") :].split("\n", 1)[0]
    values = trace(f"{body}\n{call}")
    return json.dumps(values if fraction(prompt) < reads else [0, *values[1:]])


def summary(project: Project) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((project.path / "reports/latest/summary.json").read_text())
    return content


def picture(project: Project, name: str) -> dict[str, Any]:
    return next(p for p in summary(project)["figures"] if p["name"] == name)


@pytest.mark.usefixtures("charts")
@pytest.mark.slow
def test_a_model_that_copies_but_does_not_read_shows_as_exactly_that(project: Project) -> None:
    suites(project, "function-retrieval", "output-prediction", count=8)
    with Server(parrot) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}")
    assert result.ret == 0
    exact = {name: s["models"]["openai:scripted"]["metrics"]["exact"] for name, s in summary(project)["suites"].items()}
    assert exact["function-retrieval"]["value"] == 1.0
    assert exact["output-prediction"]["value"] == 0.0
    both = picture(project, "dissociation-python")
    lexical, semantic = both["panels"]
    assert lexical["title"] == "lexical: function-retrieval"
    assert [p["value"] for p in lexical["lines"]["openai:scripted"]] == [0.0] * 5
    assert [p["value"] for p in semantic["lines"]["openai:scripted"]] == [None] * 5
    assert (
        "drops by 0.0 % at most, by chance alone by 0.0 %; semantic recall in output-prediction has no right answer"
        in both["sentence"]
    )
    page = (project.path / "reports/latest/report.html").read_text()
    assert both["sentence"] in page
    assert page.count('class="picture"') == len(summary(project)["figures"])
    departures = ["on 8 of 800 programs", "on the pool pool, median 25 tokens"]
    departures += ["distractors 0, 12 instead of 20 to 80", "at 5 positions instead of 11"]
    undefined = page.split("Exact match against the best position: output-prediction", 1)[1].split("</figure>", 1)[0]
    assert "<svg" not in undefined, "what is undefined is said, not drawn as empty axes"
    assert picture(project, "output-prediction-python-exact-by-position")["departures"] == departures
    assert f"Like Sense and Sensitivity, section 5, but {', '.join(departures[:-1])} and {departures[-1]}." in page
    assert f"Like Sense and Sensitivity, figure 8, but {departures[0]}, " in page
    alone = f"Like Sense and Sensitivity, tables 1 and 2, but {departures[0]}."
    assert alone in page, "programs that stand alone have no distractors"
    assert page.count("Nothing to draw: never right.") == 1, "beside the panel that has something to draw"


@pytest.mark.slow
def test_a_model_that_forgets_the_middle_shows_the_curve_with_its_depth(project: Project) -> None:
    suites(project, "output-prediction", count=120)
    with Server(forgetful) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", "-q")
    assert result.ret == 0
    assert picture(project, "baseline")["rows"][0][1].startswith("100.00")
    (panel,) = picture(project, "output-prediction-python-exact-by-position")["panels"]
    values = [p["value"] for p in panel["lines"]["openai:scripted"]]
    assert [p["x"] for p in panel["lines"]["openai:scripted"]] == list(POSITIONS)
    assert values == pytest.approx([1, 0.75, 0.5, 0.75, 1], abs=0.14)
    (panel,) = picture(project, "output-prediction-python-relative-by-position")["panels"]
    deepest = min(panel["lines"]["openai:scripted"], key=lambda p: p["value"])
    assert deepest["x"] == 50
    assert deepest["low"] < deepest["value"] < deepest["high"] < -20
    assert deepest["value"] == pytest.approx(-50, abs=14)


def test_positions_of_a_program_are_asked_one_after_the_other_and_share_their_beginning(project: Project) -> None:
    suites(project, "output-prediction", count=2)
    with Server(forgetful) as server:
        project.run("--model=openai:scripted", f"--model-url={server.url}", "--eval-concurrency=1")
        prompts = [str(request.messages[0]["content"]) for request in server.requests]
    longer = [p for p in prompts if "def g" in p]
    assert len(prompts) == 12
    assert len(longer) == 10
    for sweep in (longer[:5], longer[5:]):
        last = sweep[max(range(5), key=lambda i: sweep[i].index("def f("))]
        for prompt in sweep:
            start = prompt.index("[CODE]")
            target = prompt.index("def f(", start)
            assert last[:target] == prompt[:target]


@pytest.mark.parametrize("in_flight", [1, 32])
@pytest.mark.slow
def test_a_prefix_cache_finds_the_most_there_is_whatever_is_in_flight(project: Project, in_flight: int) -> None:
    """A server that keeps what it has read, block by block, reads least when positions come one after the other."""
    suites(project, "output-prediction", count=3)
    path = project.path / "output-prediction.suite.toml"
    path.write_text(path.read_text().replace("[0, 12]", "[20]").replace("position = 5", "position = 11"))
    with Server(forgetful, latency_s=0.005) as server:
        flight = f"--eval-concurrency={in_flight}"
        project.run("--model=openai:scripted", f"--model-url={server.url}", flight, "--eval-report=run")
        prompts = [str(request.messages[0]["content"]) for request in server.requests]
    order = [row["steps"][0]["messages"][0]["content"] for row in project.records("run")]
    assert len(prompts) == 33
    # Connections may overtake each other, never by more than what is in flight.
    assert max(abs(place - order.index(prompt)) for place, prompt in enumerate(prompts)) < in_flight
    assert computed(prompts, capacity=12) < 0.65
    assert computed(prompts, capacity=0) == 1.0


def shared(left: str, right: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def computed(prompts: Sequence[str], *, capacity: int, block: int = 64) -> float:
    """The share of characters that a server reads which remembers the last ``capacity`` prompts."""
    read, memory = 0, list[str]()
    for prompt in prompts:
        common = max((shared(prompt, earlier) for earlier in memory), default=0)
        read += len(prompt) - common // block * block
        memory = [*memory, prompt][-capacity:] if capacity else []
    return read / sum(map(len, prompts))


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)])
def test_contexts_longer_than_the_model_takes_are_counted_before_and_are_an_outcome(
    project: Project, workers: tuple[str, ...]
) -> None:
    suites(project, "output-prediction", count=3)
    path = project.path / "output-prediction.suite.toml"
    path.write_text(path.read_text().replace("[0, 12]", "[0, 30]"))
    with Server(forgetful, max_model_len=640) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}", *workers)
        assert result.ret == 0
        warning = (
            "output-prediction: about 15 of 18 questions are longer than the 640 tokens that openai:scripted takes"
        )
        if not workers:
            result.stdout.fnmatch_lines([f"codereason: {warning}; they will count as too-long"])
        outcomes = Counter((bool(row["axes"]["distractors"]), row["outcome"]) for row in project.records())
        assert outcomes[True, "too-long"] == 15
        assert outcomes[False, "too-long"] == 0
        assert len(server.requests) == 18, "what is too long is not sent again"
        some = project.run("--model=openai:scripted", f"--model-url={server.url}", "-k", "d0", "--eval-report=some")
        some.stdout.no_fnmatch_line("*longer than*")


def test_a_pool_that_is_not_there_is_said_before_anything_is_asked(project: Project) -> None:
    suites(project, "output-prediction")
    path = project.path / "pool" / "python.jsonl"
    path.unlink()
    result = project.run("--model=baseline:truth")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    complaint = result.stderr.str()
    assert "there is no pool of python distractors at pool/python.jsonl: write one with 'codereason pool" in complaint
    assert "Traceback" not in complaint + result.stdout.str()


def test_a_context_that_the_pool_cannot_fill_is_skipped_and_counted(project: Project) -> None:
    suites(project, "output-prediction", count=2)
    path: Path = project.path / "output-prediction.suite.toml"
    path.write_text(path.read_text().replace("[0, 12]", "[0, 31]"))
    result = project.run("--model=baseline:truth", "-rs")
    result.assert_outcomes(passed=2, skipped=10)
    assert "the pool pool holds 30 python functions, not 31" in result.stdout.str()
    assert summary(project)["suites"]["output-prediction"]["models"]["baseline:truth"]["counts"]["skipped"] == 10


def test_versions_with_lines_missing_are_asked_about_and_can_be_selected(project: Project) -> None:
    (project.path / "sensitivity.suite.toml").write_text(
        'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "semtrace"\ncount = 2\n'
        "[ablation]\nversions = 16\n"
    )
    result = project.run("--model=baseline:truth", "--strict-markers")
    result.assert_outcomes(passed=32)
    assert {r["axes"]["removed"].partition("of")[0] for r in project.records()} > {"0"}
    (sensitivity,) = (p for p in summary(project)["figures"] if p["name"].endswith("sensitivity"))
    assert sensitivity["rows"][0][:4] == ["baseline:truth", "0.000 [0.000, 0.658]", "0.000", "2"]


@pytest.mark.slow
def test_a_language_without_a_pool_is_skipped_and_the_rest_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    suites(project, "output-prediction", count=2)
    path = project.path / "output-prediction.suite.toml"
    path.write_text(
        path.read_text().replace('pool = "pool"', 'pool = "auto"').replace('["python"]', '["python", "php"]')
    )
    monkeypatch.setattr(
        "pytest_codereason.programs.contexts.corpora.find_installed_code", installed_here(project.path / "pool")
    )
    result = project.run("--model=baseline:truth", "-rs")
    result.assert_outcomes(passed=14, skipped=10)
    assert "no php code is installed" in result.stdout.str()


def installed_here(folder: Path) -> Callable[[str], list[Path]]:
    """Python code lies in ``folder``; there is none of another language."""
    functions = [f"def g{i}(a, b):\n    return a * {i} - b\n" for i in range(40)]
    (folder / "code.py").write_text("\n\n".join(functions))

    def paths(language: str) -> list[Path]:
        if language == "python":
            return [folder / "code.py"]
        raise UsageError(f"no {language} code is installed that distractors could come from")

    return paths
