"""Logs that tools have written, of one scripted model on eight questions, and ways to damage them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_codereason.results.log_format import Log
from pytest_codereason.results.records.records import read_records
from pytest_codereason.results.runs.run_info import RECORDS, read_run

LOGS = Path(__file__).parent / "logs"
OURS = LOGS / "ours"  #: codereason
LM_EVAL = LOGS / "lm_eval"  #: lm-eval 0.4.13, a folder
INSPECT = LOGS / "inspect.json"  #: inspect_ai 0.3.285, without its events
(SAMPLES,) = LM_EVAL.glob("samples_*.jsonl")


def read_log(folder: Path = OURS) -> Log:
    """A run folder as formats write it."""
    return Log(read_run(folder), [record.row() for record in read_records(folder / RECORDS)])


def edit_lines(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> Path:
    """A copy of the samples of lm-eval in ``folder``, each line changed by ``edit``."""
    copy = folder / "log"
    shutil.copytree(LM_EVAL, copy)
    path = copy / SAMPLES.name
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        edit(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
