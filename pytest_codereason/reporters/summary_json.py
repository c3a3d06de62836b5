"""``summary.json``: every number of the run, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.reporters import Reporter

if TYPE_CHECKING:
    import pandas as pd

    from pytest_codereason.results.gates import GateResult


class SummaryJson(Reporter):
    """The summary and the gates as strict JSON: what is undefined is ``null``."""

    def write(
        self,
        folder: Path,
        summary: Mapping[str, Any],
        frame: pd.DataFrame,
        run: Mapping[str, Any],
        gates: Sequence[GateResult],
    ) -> Path:
        """Writes ``summary.json``: the summary and, under ``gates``, one object a gate and model."""
        path = folder / "summary.json"
        content = {**summary, "gates": [asdict(gate) for gate in gates]}
        path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        return path
