"""Logs of Inspect (UK AISI's inspect_ai), ``DATE_TASK_ID.eval`` or ``.json``, through Inspect's own functions."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pytest_codereason.core import Outcome
from pytest_codereason.core.files.caps import TooLarge, check_zip
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange._files import name_file, name_files, read_beginning
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

#: Versions of Inspect's logs that are known.
VERSIONS = (1, 2)
#: Bytes of a log as one text, of an archive after unpacking, and of one part of an archive.
MOST_JSON, MOST_LOG, MOST_PART = 64 << 20, 1 << 30, 64 << 20
_HEADER, _JOURNAL = "header.json", "_journal/start.json"
_BEGINNING = re.compile(r'\s*\{\s*"version"\s*:\s*(\d+)\s*,\s*"status"\s*:\s*"')
_STOPS: Mapping[str, Outcome] = {"max_tokens": "truncated", "content_filter": "refused", "model_length": "too-long"}


class InspectLog(LogFormat):
    """Logs of Inspect, one task and one model each."""

    title = "a log of Inspect"

    def recognise(self, path: Path) -> bool:
        """Whether it is a file of that kind."""
        return path.is_file() and (_is_archive(path) or _find_version(path) is not None)

    def read(self, path: Path) -> Log:
        """The run of the log; its suite is the task.

        Raises:
            UsageError: see :class:`LogFormat`; or inspect_ai is not installed.
        """
        _check_version(path, _find_version(path))
        _check_size(path)
        log_module = _import_inspect("inspect_ai.log", path)
        try:
            _check_version(path, log_module.read_eval_log(str(path), header_only=True).version)
            to_float = _import_inspect("inspect_ai.scorer", path).value_to_float()
            log, samples = _read_samples(log_module, path)
            answers = [_read_answer(sample, to_float) for sample in samples]
        except UsageError:
            raise
        except Exception as error:  # what Inspect raises for a damaged file depends on where the damage is
            raise UsageError(f"{path}: Inspect cannot read this log: {error}") from error
        if not answers:
            raise UsageError(f"{path}: this log holds no samples (its status is {log.status})")
        return build_log(
            {log.eval.task: answers},
            tool=f"Inspect {log.eval.packages.get('inspect_ai', '')}".strip(),
            model=log.eval.model,
            started=log.eval.created,
        )

    def write(self, log: Log, folder: Path) -> Sequence[Path]:
        """Writes ``DATE_SUITE_MODEL.eval`` for each suite and model.

        Raises:
            UsageError: inspect_ai is not installed.
        """
        log_module = _import_inspect("inspect_ai.log", folder)
        paths: list[Path] = []
        names, suites = name_files(log.info.models), name_files(log.info.suites)
        for model in log.info.models:
            for suite in log.info.suites:
                rows = list_records(log, suite, model)
                if not rows:
                    continue
                date = re.sub(r"[:+]", "-", log.info.started)
                path = folder / "_".join(part for part in (name_file(date), suites[suite], names[model]) if part)
                path = path.with_name(f"{path.name}.eval")
                written = log_module.EvalLog.model_validate(_describe_log(log, suite, model, rows))
                log_module.write_eval_log(written, str(path))
                paths.append(path)
        return paths


def _read_samples(log_module: Any, path: Path) -> tuple[Any, Iterable[Any]]:
    """The head of a log and its samples. Those of an archive are read one by one, so that none keeps the others."""
    if not _is_archive(path):
        log = log_module.read_eval_log(str(path), resolve_attachments=True)
        return log, log.samples or ()
    read = partial(log_module.read_eval_log_sample, str(path), resolve_attachments=True)
    summaries = log_module.read_eval_log_sample_summaries(str(path))
    head = log_module.read_eval_log(str(path), header_only=True)
    return head, (read(summary.id, summary.epoch) for summary in summaries)


def _import_inspect(name: str, path: Path) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{path}: logs of Inspect are read and written by inspect_ai, which is not installed "
            f"({error}): pip install 'pytest-codereason[inspect]'"
        ) from error


def _is_archive(path: Path) -> bool:
    """Whether a file is a log as an archive. Its content is compressed in a way that only Inspect can read."""
    try:
        check_zip(path)
        with zipfile.ZipFile(path) as archive:
            return not {_HEADER, _JOURNAL}.isdisjoint(archive.namelist())
    except (zipfile.BadZipFile, TooLarge) as error:
        if path.suffix == ".eval":
            raise UsageError(f"{path}: this log of Inspect is damaged: {error}") from error
        return False


def _check_size(path: Path) -> None:
    """Refuses a log that would fill the memory: Inspect makes some ten times as much of it.

    Raises:
        UsageError: the log, or a part of its archive, is too large.
    """
    if not _is_archive(path):
        if path.stat().st_size > MOST_JSON:
            raise UsageError(
                f"{path}: larger than {MOST_JSON >> 20} MiB: convert it by 'inspect log convert --to eval'"
            )
        return
    with zipfile.ZipFile(path) as archive:
        sizes = [info.file_size for info in archive.infolist()]
    if max(sizes) > MOST_PART or sum(sizes) > MOST_LOG:
        raise UsageError(
            f"{path}: unpacks to more than {MOST_LOG >> 20} MiB, or a part of it to more than {MOST_PART >> 20} MiB"
        )


def _find_version(path: Path) -> int | None:
    """The version that stands at the beginning of a log as text; ``None`` if the file is none."""
    match = _BEGINNING.match(read_beginning(path))
    return int(match[1]) if match else None


def _check_version(path: Path, version: int | None) -> None:
    if version is not None and version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise UsageError(f"{path}: this log of Inspect has version {version}; versions {known} can be read")


def _read_answer(sample: Any, to_float: Any) -> LoggedAnswer:
    scores = dict(_list_scores(sample.scores or {}, to_float))
    first = next(iter((sample.scores or {}).values()), None)
    own = read_outcome(sample.metadata.get("outcome"))
    stop = str(sample.output.stop_reason) if sample.output.choices else ""
    right = next(iter(scores.values()), 0.0) >= 1
    told: Outcome | None = None if right else _STOPS.get(stop)
    # A moderator's refusal is told as an error too.
    trouble = sample.error.message if sample.error else sample.output.error if stop not in _STOPS else None
    failed = bool(sample.error) or bool(trouble) or not scores
    return LoggedAnswer(
        id=str(sample.id),
        messages=_read_messages(sample),
        expected=sample.target if isinstance(sample.target, str) else "\n".join(sample.target),
        response=sample.output.completion or None,
        answer=None if first is None else first.answer,
        scores=scores,
        sample=sample.epoch - 1,
        outcome=own or ("error" if failed else told or ("correct" if right else "wrong")),
        reason=trouble or "",
        facts=read_facts(sample.metadata),
        usage=_read_usage(sample.model_usage),
        latency_s=sample.total_time,
    )


def _list_scores(scores: Mapping[str, Any], to_float: Any) -> Iterator[tuple[str, float]]:
    for name, score in scores.items():
        values = score.value if isinstance(score.value, Mapping) else {"": score.value}
        for key, value in values.items():
            number = to_float(value) if isinstance(value, str) else read_score(value)
            if number is not None:
                yield (f"{name}.{key}" if key else name), number


def _read_messages(sample: Any) -> list[dict[str, str]]:
    """What the model was told before its first reply."""
    told = []
    for message in sample.messages:
        if message.role == "assistant":
            break
        told.append({"role": message.role, "content": message.text})
    if told or not isinstance(sample.input, str):
        return told
    return [{"role": "user", "content": sample.input}]


def _read_usage(usage: Mapping[str, Any]) -> dict[str, int | None]:
    if not usage:
        return {}
    every = list(usage.values())
    return {
        "prompt": sum(each.input_tokens for each in every),
        "completion": sum(each.output_tokens for each in every),
        "reasoning": sum(each.reasoning_tokens or 0 for each in every) or None,
        "cached": sum(each.input_tokens_cache_read or 0 for each in every) or None,
    }


def _describe_log(log: Log, suite: str, model: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    answered = [row for row in rows if row["metrics"]]
    return {
        "version": VERSIONS[-1],
        "status": "success" if log.info.complete else "cancelled",
        "eval": {
            "created": log.info.started,
            "task": suite,
            "dataset": {"name": suite, "samples": len({row["id"] for row in rows})},
            "model": model,
            "config": {"epochs": 1 + max(int(row["sample"]) for row in rows)},
            "packages": {"pytest_codereason": log.info.codereason},
        },
        "stats": {"started_at": log.info.started, "completed_at": log.info.finished or ""},
        "results": {
            "total_samples": len(rows),
            "completed_samples": len(answered),
            "scores": [
                {"name": name, "scorer": name, "metrics": {"mean": {"name": "mean", "value": value}}}
                for name, value in measure_scores(answered).items()
            ],
        },
        "samples": [_describe_sample(row, model) for row in rows],
    }


def _describe_sample(row: Mapping[str, Any], model: str) -> dict[str, object]:
    messages = [
        {"role": each["role"], "content": each["content"]}
        for step in (row.get("steps") or [])[:1]
        for each in step.get("messages", ())
    ]
    reply = {"role": "assistant", "content": row.get("response") or "", "source": "generate", "model": model}
    usage = row.get("usage") or {}
    tokens = {"input_tokens": usage.get("prompt") or 0, "output_tokens": usage.get("completion") or 0}
    tokens["total_tokens"] = sum(tokens.values())
    stop = next((stop for stop, outcome in _STOPS.items() if outcome == row["outcome"]), "stop")
    failed = row["outcome"] == "error"
    return {
        "id": row["id"],
        "epoch": int(row["sample"]) + 1,
        "input": messages,
        "target": row.get("expected") or "",
        "messages": [*messages, *([] if failed else [reply])],
        "output": {} if failed else {"model": model, "choices": [{"message": reply, "stop_reason": stop}]},
        "scores": {
            name: {"value": value, "answer": row.get("answer"), "explanation": row.get("reason") or None}
            for name, value in row["metrics"].items()
        },
        "metadata": {**{name: row[name] for name in FACTS}, "outcome": row["outcome"]},
        "model_usage": {model: tokens} if usage else {},
        "total_time": row.get("latency_s"),
        "error": {"message": row.get("reason") or "", "traceback": "", "traceback_ansi": ""} if failed else None,
    }
