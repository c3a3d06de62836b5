"""Every Eval Ever, one schema for the results of all tools: ``UUID.json`` with ``UUID_samples.jsonl`` beside.

The first file has the aggregate results, the second a line for each answer and score. Only answers can be compared, so
a log without the second file is refused.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_codereason.core.files import caps
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange._files import (
    name_file,
    name_files,
    read_beginning,
    read_json,
    read_lines,
    write_json,
    write_lines,
)
from pytest_codereason.results.log_format import Log, LogFormat
from pytest_codereason.results.logged_answers import (
    FACTS,
    LoggedAnswer,
    build_log,
    list_records,
    measure_scores,
    read_facts,
    read_outcome,
    read_score,
)

#: The schema that is written, and the beginning of the versions that are read.
VERSION, SERIES = "0.3.0", "0.3."
_AGGREGATE = ("schema_version", "evaluation_id", "eval_library", "evaluation_results")
_INSTANCE = ("schema_version", "evaluation_id", "sample_id", "evaluation")
_SAMPLES = "_samples.jsonl"


class EveryEvalEver(LogFormat):
    """Results in the schema of Every Eval Ever, read and written without its library."""

    title = "results of Every Eval Ever"

    def recognise(self, path: Path) -> bool:
        """Whether it is one of the two files."""
        if not path.is_file() or path.suffix not in (".json", ".jsonl"):
            return False
        text = read_beginning(path)
        keys = _INSTANCE if path.suffix == ".jsonl" else _AGGREGATE
        return all(f'"{key}"' in text for key in keys)

    def read(self, path: Path) -> Log:
        """The run of the results; its suites are the evaluations.

        Raises:
            UsageError: see :class:`LogFormat`.
        """
        if path.name.endswith(".jsonl"):
            samples, aggregate = path, path.with_name(path.name.removesuffix(_SAMPLES) + ".json")
        else:
            samples, aggregate = path.with_name(path.stem + _SAMPLES), path
        about = read_json(aggregate) if aggregate.is_file() else {}
        _check_version(str(aggregate), about or {"schema_version": VERSION})
        if not samples.is_file():
            raise UsageError(f"{path}: these results hold no answers, for there is no {samples.name} beside")
        tasks, model = _read_tasks(samples)
        library = about.get("eval_library") or {}
        results = about.get("evaluation_results") or []
        return build_log(
            tasks,
            tool=" ".join(str(library[name]) for name in ("name", "version") if library.get(name)) or self.title,
            model=str((about.get("model_info") or {}).get("name") or model),
            started=_read_time(about.get("evaluation_timestamp") or about.get("retrieved_timestamp")),
            lower_is_better=[
                _name_result(result) for result in results if (result.get("metric_config") or {}).get("lower_is_better")
            ],
            untold=("truncated", "refused", "invalid", "too-long"),
        )

    def write(self, log: Log, folder: Path) -> Sequence[Path]:
        """Writes both files for each suite and model, under ``data/SUITE/DEVELOPER/MODEL/``."""
        paths: list[Path] = []
        for model in log.info.models:
            for suite in log.info.suites:
                rows = [row for row in list_records(log, suite, model) if row["metrics"]]
                if rows:
                    paths += _write_results(log, suite, model, rows, folder)
        return paths


def _check_version(place: str, content: Mapping[str, Any]) -> None:
    version = content.get("schema_version")
    if not str(version).startswith(SERIES):
        raise UsageError(
            f"{place}: these results have version {version} of the schema of Every Eval Ever; "
            f"versions {SERIES}x can be read"
        )


def _read_tasks(path: Path) -> tuple[dict[str, list[LoggedAnswer]], str]:
    """The answers of each evaluation, and the name of the model."""
    merged: dict[tuple[str, str, int], list[tuple[str, Mapping[str, Any]]]] = {}
    seen: dict[tuple[str, str, str], int] = {}
    model = ""
    for place, line in read_lines(path):
        _check_version(place, line)
        if missing := [key for key in _INSTANCE if key not in line]:
            raise UsageError(f"{place}: this line is damaged, it lacks {', '.join(missing)}")
        model = str(line.get("model_id") or model)
        task, question, score = str(line.get("evaluation_name")), str(line["sample_id"]), _name_result(line)
        number = seen[task, question, score] = seen.get((task, question, score), -1) + 1
        merged.setdefault((task, question, number), []).append((score, line))
    tasks: dict[str, list[LoggedAnswer]] = {}
    for (task, question, number), lines in merged.items():
        tasks.setdefault(task, []).append(_read_answer(question, number, lines))
    return tasks, model


def _name_result(content: Mapping[str, Any]) -> str:
    """The name of a score: the last part of ``evaluation_result_id``."""
    named = content.get("evaluation_result_id") or (content.get("metric_config") or {}).get("metric_name")
    return str(named or "score").rpartition("/")[2]


def _read_answer(question: str, number: int, lines: Sequence[tuple[str, Mapping[str, Any]]]) -> LoggedAnswer:
    _, first = lines[0]
    asked, output = first.get("input") or {}, first.get("output") or {}
    metadata, usage = first.get("metadata") or {}, first.get("token_usage") or {}
    milliseconds = (first.get("performance") or {}).get("latency_ms")
    attribution = first.get("answer_attribution") or [{}]
    return LoggedAnswer(
        id=str(metadata.get("id") or question),
        messages=[{"role": "user", "content": str(asked["raw"])}] if asked.get("raw") else (),
        expected="\n".join(map(str, asked.get("reference") or ())),
        response=next(iter(output.get("raw") or ()), None),
        answer=attribution[-1].get("extracted_value"),
        scores={
            name: score for name, line in lines if (score := read_score(line["evaluation"].get("score"))) is not None
        },
        sample=number,
        outcome=read_outcome(metadata.get("outcome")) or ("error" if first.get("error") else None),
        reason=str(first.get("error") or ""),
        facts=read_facts({**metadata, "axes": _read_axes(metadata.get("axes"))}),
        usage={"prompt": usage.get("input_tokens"), "completion": usage.get("output_tokens")},
        latency_s=None if milliseconds is None else milliseconds / 1000,
    )


def _read_axes(text: Any) -> Any:
    try:
        return caps.parse_json(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None


def _read_time(value: Any) -> str:
    """A time as ISO text, from such a text or from seconds since the epoch; empty if it is neither."""
    try:
        return datetime.fromtimestamp(float(value), UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        pass
    try:
        return datetime.fromisoformat(str(value)).isoformat()
    except ValueError:
        return ""


def _write_results(log: Log, suite: str, model: str, rows: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[Path]:
    developer, _, name = model.replace("/", ":").partition(":")
    developer, name = (developer, name.replace(":", "_")) if name else ("unknown", developer)
    mark = name_files(log.info.models)[model].removeprefix(name_file(model))  # of a name that another model has too
    model_id = f"{name_file(developer)}/{name_file(name)}{mark}"
    seconds = str(int(datetime.fromisoformat(log.info.started).timestamp())) if log.info.started else "0"
    evaluation = f"{suite}/{model_id.replace('/', '_')}/{seconds}"
    digest = hashlib.sha256(f"{evaluation} {[row['outcome'] for row in rows]}".encode()).digest()
    own = uuid.UUID(bytes=digest[:16], version=4)  # the schema wants a version 4; the same run gets the same name
    place = Path("data", name_files(log.info.suites)[suite], model_id)
    ids = {"schema_version": VERSION, "evaluation_id": evaluation}
    lines = [{**ids, **line} for row in rows for line in _write_lines(row, suite, model_id)]
    samples = write_lines(folder / place / f"{own}{_SAMPLES}", lines)
    yield samples
    info = log.info.suites[suite]
    metrics = {metric.name: metric for metric in info.metrics}
    content = {
        **ids,
        "evaluation_timestamp": log.info.started,
        "retrieved_timestamp": seconds,
        "source_metadata": {
            "source_name": "pytest-codereason",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "pytest-codereason", "version": log.info.codereason or "unknown"},
        "model_info": {
            "name": model,
            "id": model_id,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {
                "evaluation_result_id": f"{suite}/{metric}",
                "evaluation_name": suite,
                "source_data": {"dataset_name": suite, "source_type": "other"},
                "metric_config": {
                    "metric_name": metric,
                    "lower_is_better": metric in metrics and not metrics[metric].higher_is_better,
                    **_describe_range(value[metric] for value in (row["metrics"] for row in rows) if metric in value),
                },
                "score_details": {"score": score, "uncertainty": {"num_samples": len(rows)}},
            }
            for metric, score in measure_scores(rows).items()
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{place.as_posix()}/{samples.name}",
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(samples.read_bytes()).hexdigest(),
            "total_rows": len(lines),
        },
    }
    yield write_json(folder / place / f"{own}.json", content)


def _describe_range(values: Iterator[float]) -> dict[str, object]:
    every = list(values)
    if set(every) <= {0.0, 1.0}:
        return {"score_type": "binary", "min_score": 0.0, "max_score": 1.0}
    return {"score_type": "continuous", "min_score": min(0.0, *every), "max_score": max(1.0, *every)}


def _write_lines(row: Mapping[str, Any], suite: str, model_id: str) -> Iterator[dict[str, object]]:
    steps = row.get("steps") or [{}]
    asked = {
        "raw": "\n".join(str(each["content"]) for each in steps[0].get("messages", ()) if each["role"] != "assistant"),
        "reference": [row.get("expected") or ""],
    }
    usage = row.get("usage") or {}
    tokens = {"input_tokens": usage.get("prompt"), "output_tokens": usage.get("completion")}
    known = {name: count for name, count in tokens.items() if count is not None}
    response = row.get("response") or ""
    for name, score in row["metrics"].items():
        yield {
            "model_id": model_id,
            "evaluation_name": suite,
            "evaluation_result_id": f"{suite}/{name}",
            "sample_id": row["id"],
            "sample_hash": hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest(),
            "interaction_type": "single_turn",
            "input": asked,
            "output": {"raw": [response]},
            "answer_attribution": [
                {
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": row.get("answer") or "",
                    "extraction_method": "custom",
                    "is_terminal": True,
                }
            ],
            "evaluation": {"score": score, "is_correct": row["outcome"] == "correct"},
            **({"token_usage": {**known, "total_tokens": sum(known.values())}} if len(known) == len(tokens) else {}),
            **({"performance": {"latency_ms": row["latency_s"] * 1000}} if row.get("latency_s") is not None else {}),
            "metadata": {
                **{name: row[name] for name in FACTS if name != "axes"},
                "axes": json.dumps(row["axes"]),
                "outcome": row["outcome"],
            },
        }
