"""Records as a table with documented columns, for notebooks and for files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pytest_codereason.results.records.records import KEY, RecordSource, name_record, read_records
from pytest_codereason.results.runs.evidence import list_changes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import RUN, explain_unreadable, read_content
from pytest_codereason.results.runs.stored_runs import open_run

_TEXTS = ("expected", "answer", "response")


@dataclass(frozen=True, slots=True)
class FrameColumn:
    """A column of :func:`load_frame`; a name that ends with ``*`` stands for several columns."""

    name: str
    dtype: str
    meaning: str

    def covers(self, name: str) -> bool:
        """Whether the column of this name is this one, or one of these."""
        return name.startswith(self.name[:-1]) if self.name.endswith("*") else name == self.name


COLUMNS = (
    FrameColumn("run", "category", "the path of the run, as it was given"),
    FrameColumn("suite", "category", "the suite"),
    FrameColumn("model", "category", "the label of the model"),
    FrameColumn("id", "category", "the question: `python/0007[digits:2]`"),
    FrameColumn("sample", "int32", "which of several answers to the question, from 0"),
    FrameColumn("family", "category", "the program; answers of one family are not independent"),
    FrameColumn("cluster", "category", "the repository of the program if several are known, else the family"),
    FrameColumn("language", "category", "the language of the program"),
    FrameColumn("axes.*", "category", "the value of each other axis; missing where a suite lacks the axis"),
    FrameColumn("outcome", "category", "`correct`, `wrong`, `invalid` ...: see outcomes"),
    FrameColumn("reason", "category", "why an answer is neither right nor wrong"),
    FrameColumn("metrics.*", "float64", "each number that the task gave the answer; NaN where it gave none"),
    FrameColumn("usage.*", "float64", "tokens: `prompt`, `completion`, `reasoning`, `cached`; NaN is unknown"),
    FrameColumn("cost", "float64", "US dollars; NaN is unknown"),
    FrameColumn("latency_s", "float64", "seconds from the first request to the last reply"),
    FrameColumn("reused", "bool", "answered from the store: by an earlier run, or with an equal question of this one"),
    FrameColumn("hint_by", "category", "who wrote the hint that is shown; empty where there is none"),
    FrameColumn("unchanged", "category", "why the program is the unperturbed one; empty where it is perturbed"),
    FrameColumn("trace.*", "float64", "numbers about the reasoning"),
    FrameColumn("forms.*", "float64", "changed places of the program, by perturbation and form"),
    FrameColumn("rejections.*", "float64", "texts of the rule that failed, by place and reason"),
    FrameColumn("texts_reused.*", "float64", "when a text that comes from the store was written"),
    FrameColumn("replies.*", "float64", "replies by each address of a model that has several"),
    FrameColumn("failures.*", "float64", "requests that each address did not answer, and that another one did"),
    FrameColumn("seconds.*", "float64", "seconds that the replies of each address took"),
    FrameColumn("expected", "string", "the right answer; with `texts=True` alone"),
    FrameColumn("answer", "string", "what was read from the reply; missing where nothing was; with `texts=True` alone"),
    FrameColumn("response", "string", "the whole last reply; with `texts=True` alone"),
)


def load_frame(*runs: str | os.PathLike[str], texts: bool = False) -> pd.DataFrame:
    """The answers of stored runs, one row each, in the columns :data:`COLUMNS`.

    Questions that were asked once more (``--eval-repeat``) are there once.

    Args:
        runs: run folders, or logs of other tools.
        texts: whether to add the columns ``expected``, ``answer`` and ``response``, which may take much memory.

    Returns:
        The table. Its ``attrs["runs"]`` holds the content of ``run.json`` of each run, by its path, and
        ``attrs["changes"]`` what was changed in the runs after they ended, a clause each.

    Raises:
        UsageError: a path holds no run, or it cannot be read.
    """
    paths = dict.fromkeys(os.fspath(run) for run in runs)
    stored = {path: open_run(Path(path)) for path in paths}
    data = RunData.build(stored)
    records = data.records
    names = [name for column in COLUMNS for name in records.columns if column.covers(str(name))]
    frame = records[list(dict.fromkeys(names))].reset_index(drop=True)
    if texts:
        own = _read_texts({path: source for path, (_, source) in stored.items()})
        keys = pd.MultiIndex.from_arrays([frame[name].tolist() for name in KEY])
        frame = frame.assign(**{name: own[name].reindex(keys).array for name in _TEXTS})
    frame.attrs["runs"] = {path: _read_content(Path(path)) for path in paths}
    try:
        frame.attrs["changes"] = [text for path in paths for text in list_changes(Path(path))]
    except OSError as error:
        raise explain_unreadable(error) from error
    return frame


def _read_texts(sources: Mapping[str, RecordSource]) -> pd.DataFrame:
    keys, texts = [], []
    for run, source in sources.items():
        for record in read_records(source):
            if key := name_record(run, record):
                keys.append(key)
                texts.append([_write_whole(getattr(record, name)) for name in _TEXTS])
    index = pd.MultiIndex.from_tuples(keys, names=list(KEY))
    frame = pd.DataFrame(texts, index=index, columns=list(_TEXTS), dtype="string")
    return frame[~frame.index.duplicated(keep="last")]


def _write_whole(text: str | None) -> str | None:
    """The text, with halves of surrogate pairs written out: no column of texts can have them."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


def _read_content(path: Path) -> dict[str, object]:
    """The content of ``run.json``; empty for a log of another tool."""
    if not (path / RUN).is_file():
        return {}
    content: dict[str, object] = read_content(path)
    return content
