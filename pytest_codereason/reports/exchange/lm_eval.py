"""Samples of lm-eval (EleutherAI's lm-evaluation-harness), ``samples_TASK_DATE.jsonl``.

A line is one question with its replies and scores under one filter. Model, date and version stand in
``results_DATE.json`` beside. A folder of such files is read as one run: the latest samples of each task.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pytest_codereason.core.files import caps
from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange._files import (
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
    read_facts,
    read_outcome,
    read_score,
)
from pytest_codereason.results.runs.run_info import RunInfo

#: Versions of lm-eval whose samples are known, as the beginning of their number.
SERIES = "0.4."
_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl")
_KEYS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps")
_ENOUGH = 3  # of these keys make a line a sample of lm-eval, of whatever version


class LmEvalSamples(LogFormat):
    """Samples of lm-eval, read and written without the library."""

    title = "samples of lm-eval"

    def recognise(self, path: Path) -> bool:
        """Whether it is a file of samples, or a folder of them."""
        if path.is_dir():
            return any(path.glob("samples_*.jsonl"))
        if path.suffix != ".jsonl":
            return False
        line = read_beginning(path)
        return sum(f'"{key}":' in line for key in _KEYS) >= _ENOUGH or bool(_NAME.fullmatch(path.name))

    def read(self, path: Path) -> Log:
        """The run of the samples; its suites are the tasks.

        Raises:
            UsageError: see :class:`LogFormat`.
        """
        files = _choose_latest(path) if path.is_dir() else {_split_name(path)[0]: path}
        results = _read_results(next(iter(files.values())))
        about = results.get("higher_is_better") or {}
        model = results.get("model_name") or path.resolve().parent.name
        return build_log(
            {task: list(_read_answers(file)) for task, file in files.items()},
            tool=f"lm-eval {results['lm_eval_version']}" if "lm_eval_version" in results else "lm-eval",
            model=str(model),
            started=_read_date(next(iter(files.values()))),
            lower_is_better=[name for task in files for name, more in (about.get(task) or {}).items() if more is False],
            untold=("truncated", "refused", "invalid", "too-long"),
        )

    def write(self, log: Log, folder: Path) -> Sequence[Path]:
        """Writes ``MODEL/samples_SUITE_DATE.jsonl`` for each suite, and ``MODEL/results_DATE.json``."""
        paths: list[Path] = []
        models, suites = name_files(log.info.models), name_files(log.info.suites)
        for model in log.info.models:
            date = _format_date(log.info)
            own = folder / models[model]
            for suite in log.info.suites:
                rows = [row for row in log.rows if (row["model"], row["suite"]) == (model, suite) and row["metrics"]]
                numbers = {question: number for number, question in enumerate(dict.fromkeys(row["id"] for row in rows))}
                lines = [_write_line(numbers[row["id"]], row) for row in rows]
                paths.append(write_lines(own / f"samples_{suites[suite]}_{date}.jsonl", lines))
            paths.append(write_json(own / f"results_{date}.json", _write_results(log, model, models[model])))
        return paths


def _split_name(path: Path) -> tuple[str, str]:
    """Task and date of a file of samples; a file of another name is its own task."""
    match = _NAME.fullmatch(path.name)
    return (match["task"], match["date"]) if match else (path.stem.removeprefix("samples_"), "")


def _choose_latest(folder: Path) -> dict[str, Path]:
    by_date = sorted(folder.glob("samples_*.jsonl"), key=lambda path: (_split_name(path)[1], path.name))
    return dict(sorted((_split_name(path)[0], path) for path in by_date))


def _read_date(path: Path) -> str:
    date, _, time = _split_name(path)[1].partition("T")
    return f"{date}T{time.replace('-', ':')}" if time else ""


def _read_results(samples: Path) -> Mapping[str, Any]:
    """The results beside samples, of the same date; empty if there are none.

    Raises:
        UsageError: another series of lm-eval has written them.
    """
    path = samples.with_name(f"results_{_split_name(samples)[1]}.json")
    if not path.is_file():
        return {}
    results = read_json(path)
    version = str(results.get("lm_eval_version", SERIES))
    if not version.startswith(SERIES):
        raise UsageError(
            f"{samples}: lm-eval {version} wrote these samples, as {path.name} says; "
            f"the samples of lm-eval {SERIES}x can be read"
        )
    return results


def _read_answers(path: Path) -> Iterator[LoggedAnswer]:
    seen: dict[tuple[str, str], int] = {}
    merged: dict[tuple[str, int], list[tuple[str, Mapping[str, Any]]]] = {}
    for place, line in read_lines(path):
        if missing := [key for key in _KEYS if key not in line]:
            raise UsageError(
                f"{place}: this is no line of lm-eval {SERIES}x, for it lacks {', '.join(missing)}; samples of other "
                f"versions cannot be read"
            )
        question, filtered = _read_id(line), str(line.get("filter", "none"))
        sample = seen[question, filtered] = seen.get((question, filtered), -1) + 1
        merged.setdefault((question, sample), []).append((filtered, line))
    several = len({filtered for _, filtered in seen}) > 1
    for (question, sample), lines in merged.items():
        yield _read_answer(path, question, sample, lines, several=several)


def _read_id(line: Mapping[str, Any]) -> str:
    """The id that the document has for itself, else its number."""
    doc = line["doc"]
    own = doc.get("id") if isinstance(doc, Mapping) else None
    return str(own) if isinstance(own, (str, int)) else str(line["doc_id"])


def _read_answer(
    path: Path, question: str, sample: int, lines: Sequence[tuple[str, Mapping[str, Any]]], *, several: bool
) -> LoggedAnswer:
    _, first = lines[0]
    response = _read_first(first["resps"])
    answer = _read_first(first["filtered_resps"])
    return LoggedAnswer(
        id=question,
        messages=_read_messages(first["arguments"]),
        expected=str(first["target"]),
        response=response,
        answer=answer,
        scores={
            f"{name},{filtered}" if several else name: score
            for filtered, line in lines
            for name in line.get("metrics") or _guess_metrics(line)
            if (score := read_score(line.get(name))) is not None
        },
        sample=sample,
        outcome=read_outcome(first.get("outcome")),
        facts=read_facts(first["doc"]),
    )


def _guess_metrics(line: Mapping[str, Any]) -> list[str]:
    """The names of scores in a line of a version that does not list them."""
    return [name for name in line if name not in (*_KEYS, "filter", "doc_hash", "prompt_hash", "target_hash")]


def _read_first(value: Any) -> str | None:
    """The first text in nested lists; the whole as JSON if it holds none, such as log probabilities."""
    inner = value
    while isinstance(inner, list) and inner:
        inner = inner[0]
    if isinstance(inner, str) and not _holds_numbers(value):
        return inner
    return json.dumps(value, ensure_ascii=False) if value else None


def _holds_numbers(value: Any) -> bool:
    """Whether replies are pairs of a log probability and whether it is the greedy one."""
    while isinstance(value, list) and value:
        if len(value) == 2 and str(value[1]) in ("True", "False"):
            return True
        value = value[0]
    return False


def _read_messages(arguments: Any) -> list[dict[str, str]]:
    """The prompt as messages. A chat stands there as JSON."""
    context = arguments
    while isinstance(context, (list, Mapping)) and context:
        context = next(iter(context.values())) if isinstance(context, Mapping) else context[0]
    if not isinstance(context, str):
        return []
    if context.startswith("[{"):
        try:
            chat = caps.parse_json(context)
            return [{"role": str(each["role"]), "content": str(each["content"])} for each in chat]
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
    return [{"role": "user", "content": context}]


def _format_date(info: RunInfo) -> str:
    started = datetime.fromisoformat(info.started) if info.started else datetime.fromtimestamp(0)
    return started.replace(tzinfo=None).isoformat(timespec="microseconds").replace(":", "-")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _write_line(number: int, row: Mapping[str, Any]) -> dict[str, object]:
    steps = row.get("steps") or [{}]
    messages = [{"role": each["role"], "content": each["content"]} for each in steps[0].get("messages", ())]
    prompt = messages[0]["content"] if len(messages) == 1 else json.dumps(messages, ensure_ascii=False)
    doc = {"id": row["id"], **{name: row[name] for name in FACTS}, "expected": row.get("expected", "")}
    return {
        "doc_id": number,
        "doc": doc,
        "target": row.get("expected", ""),
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {}}},
        "resps": [[row.get("response") or ""]],
        "filtered_resps": [row.get("answer") or ""],
        "filter": "none",
        "metrics": list(row["metrics"]),
        "doc_hash": _hash(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(prompt),
        "target_hash": _hash(row.get("expected", "")),
        "outcome": row["outcome"],
        **row["metrics"],
    }


def _write_results(log: Log, model: str, name: str) -> dict[str, object]:
    return {
        "model_name": model,
        "model_name_sanitized": name,
        "higher_is_better": {
            name: {metric.name: metric.higher_is_better for metric in suite.metrics}
            for name, suite in log.info.suites.items()
        },
    }
