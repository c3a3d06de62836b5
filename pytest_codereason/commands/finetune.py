"""``codereason finetune``: trains an adapter on conversations, by LoRA."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pytest_codereason.commands._command_line import read_count, read_whole
from pytest_codereason.core.files.caps import read_text
from pytest_codereason.errors import UsageError


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "finetune",
        help="train an adapter on the conversations that sft writes",
        description="Trains a LoRA adapter of a model on conversations. The settings are those of TraceEval, section "
        "3.3, where the study names them. Whole repositories are kept out of training, and the checkpoint with the "
        "least loss on them is kept. The same command continues a training that was stopped. Needs pip install "
        "'pytest-codereason[train]'.",
    )
    parser.add_argument("data", type=Path, metavar="FILE", help="the file that codereason sft wrote")
    parser.add_argument(
        "--base", required=True, metavar="MODEL", help="the model: a folder in Hugging Face's layout, or a hub name"
    )
    parser.add_argument("-o", dest="output", type=Path, required=True, metavar="FOLDER", help="where the adapter goes")
    parser.add_argument("--rank", type=read_count, default=256, metavar="N", help="of the adapter (default: 256)")
    parser.add_argument(
        "--learning-rate", type=_read_positive, default=1e-4, metavar="X", help="at its peak (default: 1e-4)"
    )
    parser.add_argument("--epochs", type=_read_positive, default=3.0, metavar="X", help="(default: 3)")
    parser.add_argument("--max-steps", type=read_count, metavar="N", help="stop after N steps, whatever --epochs says")
    parser.add_argument(
        "--batch-size", type=read_count, default=8, metavar="N", help="conversations of one step (default: 8)"
    )
    parser.add_argument(
        "--max-length", type=read_count, default=8192, metavar="N", help="leave out longer ones, in tokens (8192)"
    )
    parser.add_argument(
        "--held-out", type=_read_share, default=0.1, metavar="X", help="the share kept out of training (default: 0.1)"
    )
    parser.add_argument(
        "--check-every", type=read_count, default=50, metavar="N", help="steps between two checkpoints (default: 50)"
    )
    parser.add_argument(
        "--dtype",
        choices=("auto", "float32", "bfloat16"),
        default="auto",
        help="of the base model while it is trained; auto is bfloat16 on a graphics card, float32 on a processor",
    )
    parser.add_argument("--seed", type=read_whole, default=0, metavar="N", help="of all draws (default: 0)")
    parser.add_argument(
        "--merge", action="store_true", help="also write the whole model with the adapter merged, in FOLDER/merged"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Trains and writes the adapter; the exit code is 0."""
    from pytest_codereason.core.text.wording import plural
    from pytest_codereason.harvest.training.finetuning import TuningSettings, finetune

    settings = TuningSettings(
        base=args.base,
        rank=args.rank,
        learning_rate=args.learning_rate,
        epochs=args.epochs,
        max_steps=args.max_steps,
        batch_size=args.batch_size,
        max_length=args.max_length,
        held_out=args.held_out,
        check_every=args.check_every,
        seed=args.seed,
        merge=args.merge,
        dtype=args.dtype,
    )
    result = finetune(_read_rows(args.data), settings, args.output)
    trained = plural(result.trained, "conversation")
    print(f"{plural(result.steps, 'step')} on {trained}, {result.too_long:,} left out as too long")
    if result.losses:
        print(f"loss on {plural(result.held_out, 'held-out conversation')}: " + _describe_losses(result.losses))
    if result.best is not None:
        print(f"kept: the checkpoint after step {result.best[0]}")
    print(f"{args.output}: the adapter")
    print(f"next: pytest SUITE --model=transformers:{args.base} --model-arg adapter={args.output}")
    return 0


def _describe_losses(losses: list[tuple[int, float]]) -> str:
    return ", ".join(f"{loss:.3f} after step {step}" if step else f"{loss:.3f} before" for step, loss in losses)


def _read_rows(path: Path) -> list[dict[str, object]]:
    """The conversations of a file.

    Raises:
        UsageError: It cannot be read, or a line is no conversation that ends with a reply.
    """
    lines = read_text(path).splitlines()
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            roles = [message["role"] for message in row["messages"]]
            texts = [message["content"] for message in row["messages"]]
            sound = roles[-1:] == ["assistant"] and len(roles) > 1 and all(isinstance(text, str) for text in texts)
        except (ValueError, TypeError, KeyError, RecursionError):
            sound = False
        if not sound:
            raise UsageError(
                f"{path}:{number}: no conversation: a line is an object with 'messages', of which the last is the "
                "assistant's; write the file by codereason sft"
            )
        row.setdefault("family", str(number))
        rows.append(row)
    if not rows:
        raise UsageError(f"{path} holds no conversation")
    return rows


def _read_positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _read_share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share from 0 to below 1, such as 0.1")
    return number
