"""Trains a LoRA adapter on conversations (TraceEval, section 3.3), by transformers, peft and trl.

The study names the rank (256) and the learning rate (1e-4). All other settings are our own choice: the factor alpha is
the rank, every linear layer is adapted, only replies are learned.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.errors import UsageError
from pytest_codereason.harvest.training import continuing
from pytest_codereason.harvest.training.holding_out import hold_out

PACKAGES = ("torch", "transformers", "peft", "trl", "datasets")


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """How an adapter is trained."""

    base: str  #: a folder in Hugging Face's layout, or a name on the hub
    rank: int = 256
    learning_rate: float = 1e-4
    epochs: float = 3.0
    max_steps: int | None = None  #: where there is a number, it counts and not the epochs
    batch_size: int = 8
    max_length: int = 8192  #: in tokens; longer conversations are left out, because cut ones teach to stop early
    held_out: float = 0.1  #: the share of conversations that a checkpoint is chosen on
    check_every: int = 50  #: steps between two checkpoints
    seed: int = 0
    merge: bool = False
    dtype: str = "auto"  #: of the base model while it is trained: ``auto``, ``float32`` or ``bfloat16``


class TuningResult(NamedTuple):
    """What came of a training."""

    steps: int
    trained: int  #: conversations
    held_out: int
    too_long: int
    losses: list[tuple[int, float]]  #: the loss on the held-out conversations after so many steps, first after 0

    @property
    def best(self) -> tuple[int, float] | None:
        """The step of the checkpoint that was kept and its loss; ``None`` if nothing was held out."""
        return min(self.losses[1:], key=lambda pair: pair[1], default=None)


def finetune(
    rows: Sequence[Mapping[str, Any]],
    settings: TuningSettings,
    output: Path,
    report_progress: Callable[[str], None] = print,
) -> TuningResult:
    """Trains on conversations and writes the adapter of the best checkpoint, its tokenizer and ``training.json``.

    Args:
        rows: each with ``messages``, of which the last is the right reply, ``family`` and ``repository``.
        settings: how.
        output: a new folder, or that of a training that was stopped: it continues after its last checkpoint.
        report_progress: takes a line every ten steps.

    Raises:
        UsageError: A package is missing, the model cannot be loaded or has no chat template, no row is left, or the
            training in the folder has ended or is another one.
    """
    begun = continuing.read(output, rows, asdict(settings))
    for package in PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise UsageError(f"finetune needs {package}: pip install 'pytest-codereason[train]'")
    os.environ.setdefault("WANDB_DISABLED", "true")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import datasets
    import torch
    import transformers
    from peft import LoraConfig
    from trl import SFTConfig, SFTTrainer

    datasets.disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()
    dtype = settings.dtype
    if dtype == "auto":
        dtype = "bfloat16" if torch.cuda.is_available() else "float32"
    model, tokenizer = _load(settings.base, getattr(torch, dtype))
    kept = [row for row in rows if _count_tokens(tokenizer, row) <= settings.max_length]
    if not kept:
        raise UsageError(f"each conversation is longer than {settings.max_length:,} tokens; raise --max-length")
    slices = hold_out(kept, settings.held_out, settings.seed)
    checks = bool(slices.held_out)
    arguments = SFTConfig(
        output_dir=str(output / "checkpoints"),
        learning_rate=settings.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=0.03,
        num_train_epochs=settings.epochs,
        max_steps=settings.max_steps or -1,
        per_device_train_batch_size=1,
        per_device_eval_batch_size=1,
        gradient_accumulation_steps=settings.batch_size,
        max_length=settings.max_length,
        gradient_checkpointing=torch.cuda.is_available(),
        bf16=dtype == "bfloat16",
        use_cpu=not torch.cuda.is_available(),
        eval_strategy="steps" if checks else "no",
        eval_steps=settings.check_every if checks else None,
        save_strategy="steps",
        save_steps=settings.check_every,
        save_total_limit=2,
        load_best_model_at_end=checks,
        metric_for_best_model="eval_loss" if checks else None,
        greater_is_better=False if checks else None,
        logging_steps=10,
        report_to=[],
        disable_tqdm=True,
        seed=settings.seed,
        data_seed=settings.seed,
    )
    trainer = SFTTrainer(
        model=model,
        args=arguments,
        train_dataset=_make_dataset(slices.training),
        eval_dataset=_make_dataset(slices.held_out) if checks else None,
        processing_class=tokenizer,
        peft_config=LoraConfig(
            r=settings.rank, lora_alpha=settings.rank, target_modules="all-linear", task_type="CAUSAL_LM"
        ),
    )
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.add_callback(_make_reporter(report_progress))
    if begun is None:
        before = float(trainer.evaluate()["eval_loss"]) if checks else 0.0  # train() forgets this one
        begun = continuing.write(output, rows, asdict(settings), before)
    last = continuing.find_last_checkpoint(output)
    if last is not None:
        report_progress(f"continues after step {continuing.count_steps(last)}")
    losses = [(0, begun.loss_before)] if checks else []
    trainer.train(resume_from_checkpoint=None if last is None else str(last))
    history = [entry for entry in trainer.state.log_history if "eval_loss" in entry]
    losses += [(int(entry["step"]), float(entry["eval_loss"])) for entry in history]
    trainer.save_model(str(output))
    tokenizer.save_pretrained(str(output))
    if settings.merge:
        trainer.model.merge_and_unload().save_pretrained(str(output / "merged"))
        tokenizer.save_pretrained(str(output / "merged"))
    result = TuningResult(
        trainer.state.global_step, len(slices.training), len(slices.held_out), len(rows) - len(kept), losses
    )
    facts = {"settings": asdict(settings), **result._asdict(), "held_out_repositories": slices.groups}
    (output / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return result


def _make_reporter(report_progress: Callable[[str], None]) -> Any:
    """Says in plain lines how far the training is."""
    from transformers import TrainerCallback

    class Reporter(TrainerCallback):  # type: ignore[misc]  # transformers need not be installed where types are checked
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
            for key, words in (("loss", "loss"), ("eval_loss", "loss on held-out conversations")):
                if logs and key in logs:
                    step = f"step {state.global_step} of {state.max_steps}" if state.max_steps else "before training"
                    report_progress(f"{step}: {words} {float(logs[key]):.3f}")

    return Reporter()


def _load(base: str, dtype: Any) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(base)
        model = AutoModelForCausalLM.from_pretrained(base, dtype=dtype)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(f"--base {base}: cannot be loaded: {' '.join(str(error).split())[:300]}") from error
    if not tokenizer.chat_template:
        raise UsageError(f"--base {base}: has no chat template; take an instruction-tuned model")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def _count_tokens(tokenizer: Any, row: Mapping[str, Any]) -> int:
    rendered = tokenizer.apply_chat_template([dict(message) for message in row["messages"]], tokenize=False)
    return len(tokenizer.encode(rendered, add_special_tokens=False))


def _make_dataset(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Prompts with their completions: only what the model has to say is learned."""
    from datasets import Dataset

    conversations = [[dict(message) for message in row["messages"]] for row in rows]
    return Dataset.from_list([{"prompt": messages[:-1], "completion": messages[-1:]} for messages in conversations])
