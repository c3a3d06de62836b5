"""Real runs of a scripted model, compared by the command that a user types."""

from __future__ import annotations

import json
import re

import pytest

from pytest_codereason.cli import main
from tests.servers import Server, solve
from tests.session.background import args
from tests.session.conftest import Project


@pytest.mark.slow
def test_a_model_that_has_become_worse_is_told_from_itself(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    project.suite(count=12)
    for name, accuracy in (("old", 1.0), ("new", 0.2), ("again", 1.0)):
        with Server(solve(accuracy=accuracy), models=("scripted",)) as server:
            assert project.run(*args(server, f"--eval-report={name}", "--eval-reuse=0")).ret == 0
    lost = sum(row["outcome"] == "wrong" for row in project.records("new"))
    capsys.readouterr()
    assert main(["compare", "old", "new"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "small: same plan, 24 questions. B is worse than A: exact falls from 1.000 to " in text
    assert f"answers that flipped from A to B: {lost} lost, 0 won" in text
    assert main(["compare", "old", "again"]) == 0
    assert "No difference: exact is 1.000 in both" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_another_seed_asks_other_questions_under_the_same_ids(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.suite(count=3)
    for seed in ("1", "2"):
        assert project.run("--model=baseline:truth", f"--eval-seed={seed}", f"--eval-report=seed{seed}").ret == 0
    capsys.readouterr()
    assert main(["compare", "seed1", "seed2", "--model=baseline:truth"]) == 4, "nothing is compared"
    text = " ".join(capsys.readouterr().out.split())
    assert "other plans (source, seed differ)" in text or "other plans (seed differ)" in text
    assert "6 questions of one id have another program or answer." in text
    assert "A and B share no question, so nothing is compared." in text


@pytest.mark.slow
def test_the_status_of_a_run_that_stopped_at_its_first_miss(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    project.suite(count=3)
    with Server(solve(accuracy=0.0), models=("scripted",)) as server:
        assert project.run(*args(server, "-x", "--eval-report=run")).ret == 1
    capsys.readouterr()
    assert main(["status", "run"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "run: incomplete: 5 not asked" in text
    assert "small, openai:scripted: 1 of 6 questions; 1 wrong" in text
    assert "sk-secret" not in text


def strip_times(text: str) -> str:
    """The text of a record or of ``run.json`` without its times."""
    names = "latency_s|answered_at|started|finished|wall_s"
    return re.sub(rf'"({names})": ?("[^"]*"|[\d.e+-]+|null)', r'"\1": 0', text)


def read_run(project: Project, name: str) -> str:
    """``run.json`` without the digest of what a command selects, and without the estimate of prompts, which samples."""
    run = project.run_json(name)
    del run["questions"]
    for estimate in run["estimate"].values():
        del estimate["prompt"]
    return json.dumps(run, indent=2)


@pytest.mark.slow
def test_three_shards_are_joined_to_what_one_run_writes(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    project.suite("first", count=3, prompting=("direct", "cot"))
    second = project.suite("second", count=2)
    second.write_text(second.read_text().replace("seed = 7", "seed = 8"))  # equal questions would share an answer
    models = ("one", "two")
    with Server(solve(accuracy=0.6, wrap="[ANSWER]{}[/ANSWER]"), models=models) as server:
        asked = (*(f"--model=openai:{each}" for each in models), f"--model-url={server.url}", "--eval-reuse=0")
        gates = ("--eval-gate=first.exact >= 0", "--eval-allow-partial")
        assert project.run(*asked, *gates, "--eval-report=whole").ret == 0
        for part in "123":
            shard = (f"--eval-shard={part}/3", f"--eval-report=part-{part}")
            assert project.run(*asked, *gates, *shard).ret == 0
    assert main(["merge", "part-3", "part-1", "part-2", "-o", "joined"]) == 0
    records, joined = ((project.path / name / "records.jsonl").read_text() for name in ("whole", "joined"))
    assert len(records.splitlines()) == 32
    assert strip_times(joined) == strip_times(records)
    run, joined_run = (read_run(project, name) for name in ("whole", "joined"))
    assert strip_times(joined_run) == strip_times(run).replace("=whole", "=joined")
    summaries = [json.loads((project.path / name / "summary.json").read_text()) for name in ("whole", "joined")]
    for summary in summaries:
        for suite in summary["suites"].values():
            for model in suite["models"].values():
                del model["latency_s"]
    assert summaries[0] == summaries[1]
    capsys.readouterr()
    assert main(["merge", "part-1", "part-3", "part-1", "-o", "two"]) == 10  # the gate is UNMEASURED
    text = " ".join(capsys.readouterr().out.split())
    assert "NOTE first: shard 2/3 is missing, so the joined run is PARTIAL" in text
    assert project.run_json("two")["selection"].endswith(" of 32 questions")
    assert not {row["id"] for row in project.records("two")} >= {row["id"] for row in project.records("whole")}
