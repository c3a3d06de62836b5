"""Tasks without end: the same everywhere, moved in difficulty, scored by their keys, and never on both sides."""

from __future__ import annotations

import itertools
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_codereason
from pytest_codereason import score_answer, tasks_for
from pytest_codereason.errors import UsageError

GENERATED = ("horizon", "horizon-small", "ladder", "semtrace")


@pytest.mark.parametrize("name", GENERATED)
def test_an_item_has_the_shape_of_reasoning_gym_and_its_own_answer_is_right(name: str) -> None:
    tasks = tasks_for(name, 3, seed=5)
    items = list(tasks)
    assert len(tasks) == len(items) == 3
    for number, item in enumerate(items):
        assert item == tasks[number]
        assert item["question"] == "\n\n".join(message["content"] for message in item["prompt"])
        assert item["metadata"]["source_dataset"] == name
        assert item["metadata"]["source_index"] == number
        assert json.loads(json.dumps(item)) == item
        assert tasks.score_answer(item["answer"], item) == score_answer(item["key"], item["answer"]) == 1
        assert tasks.score_answer("0", item) == tasks.score_answer(None, item) == 0


def test_tasks_have_no_end_and_any_of_them_is_made_alone() -> None:
    tasks = tasks_for("horizon", seed=1, difficulty=[1, 2, 4])
    first = list(itertools.islice(tasks, 40))
    assert {item["metadata"]["difficulty"]["steps"] for item in first} == {1, 2, 4}
    assert {item["metadata"]["difficulty"]["state"] for item in first} > {"int", "grid"}
    assert tasks[39] == first[39]
    assert tasks[1_000_000_007]["metadata"]["source_index"] == 1_000_000_007
    with pytest.raises(TypeError, match="no end"):
        len(tasks)
    with pytest.raises(IndexError):
        tasks[-1]


@pytest.mark.slow
def test_another_process_makes_the_same_task_and_scores_it() -> None:
    item = tasks_for("horizon", seed=3, difficulty=8)[11]
    script = (
        "import sys, json, pytest_codereason as c\n"
        "item = json.loads(sys.stdin.read())\n"
        "assert c.score_answer(item['key'], item['answer']) == 1\n"
        "assert c.tasks_for('horizon', seed=3, difficulty=8)[11] == item\n"
    )
    subprocess.run([sys.executable, "-c", script], input=json.dumps(item), text=True, check=True)


def test_a_trainer_moves_the_difficulty_while_it_runs() -> None:
    tasks = tasks_for("horizon", seed=2, difficulty=8)
    running = iter(tasks)
    seen = [next(running)]
    tasks.difficulty = 32
    seen.append(next(running))
    assert tasks.make_harder()
    assert tasks.difficulty == 48
    seen.append(next(running))
    tasks.difficulty = [2, 3]
    assert tasks.make_easier()
    assert [*tasks.difficulties] == [1, 2]
    assert [item["metadata"]["difficulty"]["steps"] for item in seen] == [8, 32, 48]
    assert [item["metadata"]["source_index"] for item in seen] == [0, 1, 2]
    tasks.difficulty = 0
    assert not tasks.make_easier()
    assert tasks.difficulty == 0


def test_the_difficulty_ends_where_the_source_does() -> None:
    tasks = tasks_for("ladder", difficulty=8)
    assert not tasks.make_harder()
    assert tasks.difficulty == 8
    assert tasks.make_easier()
    assert tasks.difficulty == 6


def test_without_a_difficulty_the_values_of_the_suite_are_asked() -> None:
    assert tasks_for("ladder").difficulty == (1, 2, 3, 4, 5, 6, 7, 8)
    assert tasks_for("semtrace").difficulty is None


def test_a_suite_file_of_ones_own_gives_tasks(tmp_path: Path) -> None:
    suite = tmp_path / "mine.suite.toml"
    suite.write_text(
        'task = "input-prediction"\nlanguages = ["php"]\n[source]\nname = "ladder"\n[matrix]\nlevel = [3]\n'
    )
    tasks = tasks_for(suite, 2)
    assert tasks.difficulty == 3
    assert tasks[0]["metadata"]["language"] == "php"
    assert tasks.score_answer("I do not know", tasks[0]) == 0
    assert score_answer(tasks[1]["key"], "[ANSWER]f(1)[/ANSWER]") == 0


SKIPPING = """task = "moment"
languages = ["python"]
[source]
name = "ladder"
[matrix]
level = [7]
about = ["branch", "value"]
"""


@pytest.mark.slow
def test_a_question_that_cannot_be_asked_is_stepped_over(tmp_path: Path) -> None:
    suite = tmp_path / "moments.suite.toml"
    suite.write_text(SKIPPING)
    tasks = tasks_for(suite, 4, seed=1)
    items = list(tasks)
    assert {item["metadata"]["difficulty"]["about"] for item in items} == {"value"}
    assert "the run has no moment of the kind branch" in tasks.skipped
    assert items == list(tasks_for(suite, 4, seed=1))
    for number, item in enumerate(items):
        assert item["metadata"]["source_index"] == number
        assert tasks.score_answer(item["answer"], item) == score_answer(item["key"], item["answer"]) == 1
        assert tasks.score_answer(f"[ANSWER]{item['answer']} + 0[/ANSWER]", item) == 0
        assert tasks.score_answer(f"[ANSWER]{item['answer']}[/ANSWER] or 7", item) == 0


@pytest.mark.slow
def test_a_suite_without_questions_is_given_up(tmp_path: Path) -> None:
    suite = tmp_path / "moments.suite.toml"
    suite.write_text(SKIPPING.replace("[7]", "[1]"))
    with pytest.raises(UsageError, match=r"none of 64 questions .* can be asked: the run has no moment"):
        tasks_for(suite, 1)[0]


def test_tasks_travel_to_the_workers_of_a_loader() -> None:
    tasks = tasks_for("horizon", 9, seed=4, difficulty=[2, 4])
    assert pickle.loads(pickle.dumps(tasks))[3] == tasks[3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "difficulty"), [("horizon", [0, 1, 2, 64]), ("ladder", [1, 2, 3, 6]), ("semtrace", None)]
)
def test_training_and_held_out_tasks_share_no_program(name: str, difficulty: list[int] | None) -> None:
    """Whatever the seeds are, and also where there are so few programs that seeds repeat them."""

    def list_questions(split: str, seed: int) -> set[str]:
        return {item["question"] for item in tasks_for(name, 150, seed=seed, difficulty=difficulty, split=split)}

    training = list_questions("train", 0) | list_questions("train", 1)
    held_out = list_questions("test", 0) | list_questions("test", 2)
    assert not training & held_out
    assert len(training) > 200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "horizn"}, "did you mean 'horizon'"),
        ({"name": "faults"}, "fixed set of programs"),
        ({"name": "horizon", "size": 0}, "'size'"),
        ({"name": "horizon", "split": "dev"}, "train or test"),
        ({"name": "horizon", "difficulty": -1}, "steps takes whole numbers"),
        ({"name": "horizon", "difficulty": []}, "names no value"),
        ({"name": "horizon", "difficulty": "8"}, "steps takes whole numbers"),
        ({"name": "horizon-small", "difficulty": 2048}, "at most 1,024 steps"),
        ({"name": "semtrace", "difficulty": 2}, "no difficulty"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tasks_for(**arguments)  # type: ignore[arg-type]


def test_a_key_that_is_none_is_refused() -> None:
    key = tasks_for("horizon", difficulty=4)[0]["key"]
    for text, message in (
        ("python/0000[steps:4]", "is no key"),
        (key.replace("@", "@0000", 1).replace("/train", "/train", 1), "is no key"),
        (key.replace(key.partition("@")[2][:8], "00000000"), "another version"),
        (key.replace("steps:4", "steps:x"), "steps takes"),
        (key.replace("state:", "states:"), "no question"),
        (key.replace("/python/", "/cobol/"), "no question"),
        (key.replace("horizon@", "horizo@"), "'horizo' is no file, and no suite that ships"),
    ):
        with pytest.raises(UsageError, match=message):
            score_answer(text, "1")


STRICT = [
    ("{truth}", 1),
    ("assert {call} == {truth}", 1),
    ("[ANSWER]{truth}[/ANSWER]", 1),
    ("<think>[0] or [1]?</think>The answer is {truth}.", 1),
    ("[0]\n[0, 1]\nThe answer is {truth}.", 1),  # these lines lead to the answer
    ("The answer is {truth}.\n\n[ANSWER]{truth}[/ANSWER]", 1),
    ("[ANSWER][0][/ANSWER]\n[ANSWER]{truth}[/ANSWER]", 0),
    ("[ANSWER]{truth}[/ANSWER]\nOr: [0]", 0),
    ("[ANSWER]{truth}[/ANSWER] or [0]", 0),
    ("[ANSWER]{truth}[/ANSWER] That is it.", 1),
    ("[0]\n{truth}", 0),
    ("assert {call} == [0]\nassert {call} == {truth}", 0),
    ("[ANSWER]not known[/ANSWER] The answer is {truth}.", 0),
    ("[ANSWER]{sum}[/ANSWER]", 0),
    ("assert {call} == {call}", 0),
    ("", 0),
]


@pytest.mark.parametrize(("reply", "paid"), STRICT)
def test_one_answer_that_is_worked_out_is_paid(reply: str, paid: int) -> None:
    tasks = tasks_for("horizon", seed=6, difficulty=4)
    item = next(item for item in tasks if item["metadata"]["difficulty"]["state"] == "int")
    call = item["question"].partition("assert ")[2].partition(" ==")[0]
    first = int(item["answer"][1:].partition(",")[0])
    worked = item["answer"].replace(str(first), f"{first - 1} + 1", 1)
    text = reply.format(truth=item["answer"], call=call, sum=worked)
    assert tasks.score_answer(text, item) == paid


def test_a_reward_for_trl_reads_the_column_of_keys_and_refuses_unknown_metrics() -> None:
    tasks = tasks_for("ladder", 2, difficulty=2)
    items = list(tasks)
    reward = tasks.make_reward()
    completions = [[{"role": "assistant", "content": items[0]["answer"]}], [{"role": "assistant", "content": "?"}]]
    rewards = reward(
        prompts=[item["prompt"] for item in items],
        completions=completions,
        key=[item["key"] for item in items],
        metadata=[item["metadata"] for item in items],
        completion_ids=[[1], [2]],
        trainer_state=None,
    )
    assert rewards == [1.0, 0.0]
    with pytest.raises(UsageError, match=r"unknown metric 'exakt' \(did you mean 'exact'"):
        tasks.make_reward("exakt")
    with pytest.raises(UsageError, match="unknown metric 'unresolved'"):
        tasks.make_reward("unresolved")
    with pytest.raises(UsageError, match="column 'key'"):
        reward(["a"], ["b"])


def test_the_package_offers_them_without_importing_them_first() -> None:
    assert pytest_codereason.tasks_for is tasks_for
    script = "import sys, pytest_codereason; sys.exit('pytest_codereason.harvest' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)
