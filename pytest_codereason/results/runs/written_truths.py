"""What a report says of texts that models wrote: which truths rest on them, and who was asked about its own."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.core.text.wording import plural
from pytest_codereason.results.runs.run_data import RunData

#: The kinds of text that are a part of the program whose truth is asked for.
TRUTHS = ("driver", "translation")
_COLUMN = "texts_by."


def list_written(data: RunData) -> Iterator[str]:
    """``the truth of 12 programs rests on a translation by openai:x, which was run``; who was asked about its own."""
    records = data.records
    kinds = [str(name).removeprefix(_COLUMN) for name in records if str(name).startswith(_COLUMN)]
    for kind in kinds:
        if kind not in TRUTHS:
            continue
        rows = records.loc[records[_COLUMN + kind].notna(), ["suite", "language", "family", _COLUMN + kind]]
        for author, count in rows.drop_duplicates()[_COLUMN + kind].astype(str).value_counts().items():
            verb = "rests" if count == 1 else "rest"
            subject = "truth" if count == 1 else "truths"
            yield f"the {subject} of {plural(int(count), 'program')} {verb} on a {kind} by {author}, which was run"
    for model in dict.fromkeys(records["model"].astype(str)):
        mine = records[records["model"].astype(str) == model]
        own = [kind for kind in kinds if any(_is_by(str(by), model) for by in mine[_COLUMN + kind].dropna().unique())]
        if own:
            yield f"{model} was asked about texts that it wrote itself: {', '.join(sorted(own))}"


def _is_by(author: str, model: str) -> bool:
    return model in author.split(", ")
