"""Options of the commands that make tasks to train on."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.core.endless import SPLITS
from pytest_codereason.core.text.wording import one_line, plural

if TYPE_CHECKING:
    from pytest_codereason.harvest.training.tasks import Tasks

_LONGEST = 400  #: characters of a reason that are shown


def add_task_options(parser: Any) -> None:
    """Declares which tasks a command makes."""
    parser.add_argument(
        "--difficulty",
        type=_read_values,
        metavar="VALUES",
        help="of the tasks, such as 2,4,8: each equally often (default: the values of the suite)",
    )
    parser.add_argument(
        "--split", choices=SPLITS, help="the side of the programs; no program is on both (default: train)"
    )


def open_tasks(suite: Path, args: argparse.Namespace, size: int | None) -> Tasks:
    """The tasks that the options name.

    Raises:
        UsageError: there is no such suite, or an option cannot be.
    """
    from pytest_codereason.harvest.training.tasks import tasks_for

    return tasks_for(suite, size, seed=args.eval_seed or 0, difficulty=args.difficulty, split=args.split or SPLITS[0])


def describe_skipped(skipped: Mapping[str, int]) -> str:
    """How many questions were stepped over that cannot be asked, and why the most of them."""
    reason, times = max(skipped.items(), key=lambda each: each[1])
    many = sum(skipped.values())
    why = reason if times == many else f"{times:,} of them because {reason}"
    return one_line(f"{plural(many, 'question')} stepped over that cannot be asked: {why}", _LONGEST)


def _read_values(text: str) -> list[int]:
    try:
        return [int(value) for value in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} must be whole numbers, such as 2,4,8") from None
