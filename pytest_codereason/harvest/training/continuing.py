"""A training that was stopped continues: what it was begun with, and where it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pytest_codereason.core import digest
from pytest_codereason.errors import UsageError

#: A training that continues may have other values of these settings.
FREE = frozenset({"epochs", "max_steps", "merge"})
NOTE, END = "begun.json", "training.json"


class Begun(NamedTuple):
    """What a training was begun with."""

    settings: Mapping[str, object]
    conversations: str  #: their digest
    loss_before: float  #: on the held-out conversations, 0 without any


def read(output: Path, rows: Sequence[Mapping[str, object]], settings: Mapping[str, object]) -> Begun | None:
    """What the training in a folder was begun with; ``None`` in a new folder.

    Raises:
        UsageError: the training in the folder has ended or is another one, or the folder holds other files.
    """
    if not output.exists() or not any(output.iterdir()):
        return None
    try:
        begun = Begun(**json.loads((output / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        begun = None
    if begun is None or (output / END).exists():
        raise UsageError(f"-o {output}: the folder is not empty; name another")
    for key, value in settings.items():
        if key not in FREE and (earlier := begun.settings.get(key)) != value:
            words = f"with --{key.replace('_', '-')} {earlier}, not {value}"
            raise UsageError(f"-o {output}: a training was begun here {words}; name another folder to begin anew")
    if begun.conversations != _digest(rows):
        raise UsageError(f"-o {output}: a training was begun here on other conversations; name another folder")
    return begun


def write(
    output: Path, rows: Sequence[Mapping[str, object]], settings: Mapping[str, object], loss_before: float
) -> Begun:
    """Notes in a folder what its training is begun with."""
    output.mkdir(parents=True, exist_ok=True)
    begun = Begun(settings, _digest(rows), loss_before)
    (output / NOTE).write_text(json.dumps(begun._asdict(), indent=2) + "\n", encoding="utf-8")
    return begun


def find_last_checkpoint(output: Path) -> Path | None:
    """The latest checkpoint that was written whole: the state of the trainer is its last file."""
    whole = (path.parent for path in output.glob("checkpoints/checkpoint-*/trainer_state.json"))
    return max(whole, key=count_steps, default=None)


def count_steps(checkpoint: Path) -> int:
    """The steps before a checkpoint."""
    return int(checkpoint.name.removeprefix("checkpoint-"))


def _digest(rows: Sequence[Mapping[str, object]]) -> str:
    return digest([dict(row) for row in rows])
