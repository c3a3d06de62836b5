"""A part of the questions asked a second time: which, what is kept of them, and what a user reads of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.engine.sharing.sharding import find_family
from pytest_codereason.results.statistics.intervals import wilson_interval
from pytest_codereason.results.verdicts.planned import place_program
from pytest_codereason.session.collecting.items import Question
from pytest_codereason.session.collecting.repeating import choose_repeated
from tests.servers import Server, error, solve
from tests.session.collected import collect, read_typed
from tests.session.conftest import Project, usage_error


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def forget() -> Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], str]:
    """Answers right when a question is asked first, and wrong from then on."""
    seen: Counter[str] = Counter()
    right, wrong = solve(), solve(accuracy=0.0)

    def answer(messages: Sequence[Mapping[str, Any]], body: Any) -> str:
        seen[json.dumps(messages)] += 1
        return (right if seen[json.dumps(messages)] == 1 else wrong)(messages, body)

    return answer


def ask(project: Project, server: Server, *args: str, fresh: bool = False) -> pytest.RunResult:
    command = ("--model=openai:scripted", f"--model-url={server.url}", *args)
    return (project.run_fresh if fresh else project.run)(*command)


def list_repeated(project: Project, folder: str = "reports/latest") -> list[str]:
    return sorted(row["id"] for row in project.records(folder) if row["repeat"])


def test_a_part_is_asked_twice_and_stands_beside_the_score(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.suite(count=8)
    with Server(forget()) as server:
        result = ask(project, server, "--eval-repeat=1/4", "--eval-report=one", "--eval-gate=small.exact == 1")
        assert len(server.requests) == 20
    assert result.ret == 10, "no number of right answers shows that all are right"
    output = " ".join(result.stdout.str().split())
    rows = project.records("one")
    assert len(list_repeated(project, "one")) == 4
    programs = len({name.partition("[")[0] for name in list_repeated(project, "one")})
    low = wilson_interval(1.0, programs)[0]  # not of the answers: those about one program go together
    assert f"asked again, 4 of 4 answers flipped (1.000 [{low:.3f}, 1.000]) and 4 texts changed" in output
    assert {row["outcome"] for row in rows if row["repeat"]} == {"wrong"}
    assert {row["outcome"] for row in rows if not row["repeat"]} == {"correct"}
    model = json.loads((project.path / "one/summary.json").read_text())["suites"]["small"]["models"]["openai:scripted"]
    assert (model["counts"]["records"], model["metrics"]["exact"]["value"]) == (16, 1.0)
    assert model["noise"]["flips"] == {"lost": 4, "won": 0, "pairs": 4}
    assert "4 of 4 answers flipped" in (project.path / "one/summary.md").read_text()
    assert "4 of 4 answers flipped" in (project.path / "one/report.html").read_text()
    capsys.readouterr()
    assert main(["compare", "one", "one"]) == 0
    compared = " ".join(capsys.readouterr().out.split())
    assert "Noise floor: A asked again, 4 of 4 answers flipped" in compared


@pytest.mark.slow
def test_an_interrupted_run_and_workers_repeat_the_same_questions_and_pay_once(project: Project) -> None:
    project.suite(count=8)
    alone = ("--eval-repeat=5", "--eval-concurrency=1")
    with Server(solve(), script=[None] * 9 + [error(401, "no")]) as server:
        assert ask(project, server, *alone, "--eval-report=stopped").ret == 1
        assert ask(project, server, *alone, "--eval-report=resumed").ret == 0
        assert len(server.requests) == 16 + 5 + 1
    with Server(solve()) as server:
        assert ask(project, server, "--eval-repeat=5", "-n2", "--eval-report=shared", fresh=True).ret == 0
        assert len(server.requests) == 16 + 5
    parts = set()
    for part in ("1", "2"):
        with Server(solve()) as server:
            assert ask(project, server, "--eval-repeat=5", f"--eval-shard={part}/2", f"--eval-report={part}").ret == 0
        parts |= set(list_repeated(project, part))
    assert list_repeated(project, "resumed") == list_repeated(project, "shared") == sorted(parts)
    programs = [name.partition("[")[0] for name in list_repeated(project, "resumed")]
    assert len(set(programs)) == 5, "one question a program here"


def test_a_part_that_is_none_is_refused(project: Project) -> None:
    project.suite()
    for text in ("0", "1.5", "150%", "1/0", "some"):
        assert f"--eval-repeat {text}: must be a share such as 10%" in usage_error(
            project, "--model=baseline:truth", f"--eval-repeat={text}"
        )


def test_the_questions_asked_again_are_the_same_for_every_model_process_and_shard(project: Project) -> None:
    project.suite(count=6)
    project.pytester.makepyfile("def test_one(): pass")
    items = collect(project, "--model=baseline:truth", "--model=baseline:chance")

    def choose(among: list[pytest.Item], *args: str) -> set[str]:
        """Model and question of the items that are asked again."""
        return {nodeid.partition("::")[2] for nodeid in choose_repeated(among, read_typed(project, *args))}

    assert choose(items) == set()
    quarter = choose(items, "--eval-repeat=1/4")
    assert len(quarter) == 6
    first, second = "baseline:truth", "baseline:chance"
    of_second = {each for each in quarter if second in each}
    assert of_second == {each.replace(first, second) for each in quarter - of_second}
    assert choose(items[::-1], "--eval-repeat=1/4") == quarter
    assert choose(items, "--eval-repeat=1/4", "--eval-seed=9") != quarter
    assert choose(items, "--eval-repeat=1/4", "--eval-seed=0") == quarter
    questions = [item for item in items if isinstance(item, Question)]
    programs = {find_family(item.spec.id) for item in questions}
    begins = min(programs, key=lambda program: place_program(0, questions[0].suite.plan, program))
    assert {each.partition("::")[2].partition("[")[0] for each in choose(items, "--eval-repeat=1")} == {begins}
    assert len(choose(items, "--eval-repeat=5")) == 10
    half = items[: len(items) // 4]
    alone, in_shard = (choose(half, "--eval-repeat=1/4", *shard) for shard in ((), ("--eval-shard=1/2",)))
    assert in_shard <= quarter, "shards together repeat what one run would repeat"
    assert len(alone) == round(len([item for item in half if isinstance(item, Question)]) / 4)
