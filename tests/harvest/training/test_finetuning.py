"""An adapter is trained and asked, and a trainer of trl is driven by scores; nothing is downloaded."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.harvest.training.grading import Grader
from pytest_codereason.harvest.training.reward import make_reward, read_reply

from .tiny import needs_training

pytestmark = [pytest.mark.real, needs_training]


@pytest.fixture(scope="module")
def tuned(lesson: Path) -> Path:
    """The folder of an adapter that was trained until the tiny model gives replies in the asked form."""
    output = lesson / "adapter"
    assert main([*finetune(lesson), "-o", str(output)]) == 0
    return output


def finetune(lesson: Path) -> list[str]:
    """The command, up to the folder of the adapter."""
    settings = ["--rank", "16", "--learning-rate", "0.02", "--batch-size", "1", "--max-steps", "40", "--merge"]
    checks = ["--held-out", "0.3", "--check-every", "20"]
    return ["finetune", str(lesson / "train.jsonl"), "--base", str(lesson / "tiny"), *settings, *checks]


def ask(folder: Path, *options: str) -> dict[str, str]:
    """What the tiny model of the folder replies to each question of the suite, by its id."""
    reports = folder / f"reports-{len(options)}"
    model = [f"--model=transformers:{folder / 'tiny'}", *options, f"--eval-report={reports}"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "calls.suite.toml"), *model]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=500, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = (reports / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row["response"] for row in map(json.loads, lines) if "response" in row}


def test_training_lowers_the_loss_and_keeps_the_best_checkpoint(tuned: Path) -> None:
    from safetensors.torch import load_file

    facts = json.loads((tuned / "training.json").read_text(encoding="utf-8"))
    assert (facts["steps"], facts["trained"], facts["too_long"]) == (40, 2, 0)
    assert facts["held_out"] == 1
    assert facts["held_out_repositories"] in [[f"doubling-{number}"] for number in range(3)]
    losses = dict(facts["losses"])
    assert list(losses) == [0, 20, 40]
    best = min(losses, key=lambda step: losses[step])
    assert losses[best] < 0.3 * losses[0]
    name = "adapter_model.safetensors"
    kept, checkpoint = load_file(tuned / name), load_file(tuned / "checkpoints" / f"checkpoint-{best}" / name)
    assert kept.keys() == checkpoint.keys()
    assert all(kept[key].equal(checkpoint[key]) for key in kept)


def test_a_training_that_was_killed_continues(lesson: Path, tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = lesson / "killed"
    command = [*finetune(lesson), "-o", str(output)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    begun = [sys.executable, "-m", "pytest_codereason.cli", *command]
    with subprocess.Popen(begun, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith("step 30 of 40") for line in process.stdout)
        process.kill()
    for option, words in (("--rank=8", "--rank 16, not 8"), ("--check-every=7", "--check-every 20, not 7")):
        assert main([*command, option]) == 4
        assert f"begun here with {words}; name another folder" in capsys.readouterr().err
    assert main(command) == 0
    assert "continues after step 20\n" in capsys.readouterr().out
    facts = [json.loads((folder / "training.json").read_text(encoding="utf-8")) for folder in (output, tuned)]
    assert facts[0]["steps"] == 40
    assert facts[0]["losses"] == [[step, pytest.approx(loss, rel=1e-3)] for step, loss in facts[1]["losses"]]
    assert main(command) == 4
    assert "the folder is not empty; name another" in capsys.readouterr().err


def test_the_adapter_changes_what_the_model_replies(lesson: Path, tuned: Path) -> None:
    before = ask(lesson)
    after = ask(lesson, "--model-arg", f"adapter={tuned}")
    assert before.keys() == after.keys()
    assert not any("main.last" in reply for reply in before.values())
    assert all("main.last" in reply for reply in after.values())


def test_a_trainer_of_trl_logs_the_scores_as_rewards(lesson: Path, tuned: Path, tmp_path: Path) -> None:
    from datasets import load_dataset
    from trl import GRPOConfig, GRPOTrainer

    suite = lesson / "calls.suite.toml"
    seen: list[list[tuple[str, str]]] = []

    def keep(
        prompts: Sequence[object], completions: Sequence[Sequence[Mapping[str, str]]], id: Sequence[str], **_: object
    ) -> list[float]:
        seen.append([(name, read_reply(reply)) for name, reply in zip(id, completions, strict=True)])
        return [0.0] * len(seen[-1])

    data = load_dataset("json", data_files=str(lesson / "train.jsonl"), split="train", cache_dir=str(tmp_path / "data"))
    settings = GRPOConfig(
        output_dir=str(tmp_path / "rewarded"),
        max_steps=4,
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=16,
        temperature=0.5,
        logging_steps=1,
        use_cpu=True,
        bf16=False,
        report_to=[],
        save_strategy="no",
    )
    trainer = GRPOTrainer(
        model=str(tuned / "merged"),
        reward_funcs=[make_reward(suite), keep],
        args=settings,
        train_dataset=data.map(lambda row: {"prompt": row["messages"][:-1]}, remove_columns="messages"),
    )
    trainer.train()
    logged = [row["rewards/codereason_f1/mean"] for row in trainer.state.log_history if "reward" in row]
    with Grader(suite) as grader:
        scores = [[grader.grade(name, reply).metrics["f1"] for name, reply in step] for step in seen]
    assert len(logged) == 4
    assert logged == pytest.approx([*map(statistics.fmean, scores)])
    assert len({score for step in scores for score in step}) > 1, "replies of one score alone would show nothing"
