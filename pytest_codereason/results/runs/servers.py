"""What each server of a model has done in a run: replies, failures and seconds by its address."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pytest_codereason.results.runs.run_data import RunData


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLoad:
    """What one server has done."""

    replies: int
    failures: int  #: requests that it did not answer, and that another server did
    mean_s: float | None  #: seconds of a reply


def measure_servers(data: RunData) -> dict[str, dict[str, ServerLoad]]:
    """What each server of each model has done, by label and address. Models with one address have none."""
    every = pd.concat([data.records, data.repeats]) if len(data.repeats) else data.records
    columns = [str(name) for name in every.columns]
    urls = [name.removeprefix("replies.") for name in columns if name.startswith("replies.")]
    urls += [name.removeprefix("failures.") for name in columns if name.startswith("failures.")]
    names = sorted(set(urls))
    measured = {
        label: {url: load for url in names if (load := _add_up(rows, url)).replies or load.failures}
        for label, rows in (data.by_subject(every) if names else ())
    }
    return {label: loads for label, loads in measured.items() if loads}


def _add_up(rows: pd.DataFrame, url: str) -> ServerLoad:
    def add(kind: str) -> float:
        column = f"{kind}.{url}"
        return float(rows[column].sum()) if column in rows else 0.0

    replies = int(add("replies"))
    return ServerLoad(
        replies=replies, failures=int(add("failures")), mean_s=add("seconds") / replies if replies else None
    )
