"""Pictures in words: the sentence, and the header and cells of the table as text."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_codereason.reporters.captions import write_caption
from pytest_codereason.reporters.formatting import format_cell
from pytest_codereason.results.pictures import Picture


@dataclass(frozen=True, slots=True)
class WordedPicture:
    """A picture with its sentence and its table as text."""

    picture: Picture
    sentence: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def word_picture(picture: Picture) -> WordedPicture:
    """The picture with its sentence and its table as text."""
    table = picture.table
    columns = table.columns if table else ()
    return WordedPicture(
        picture,
        write_caption(picture),
        tuple(column.title for column in columns),
        tuple(
            tuple(format_cell(cell, column.aspect) for cell, column in zip(row, columns, strict=True))
            for row in (table.rows if table else ())
        ),
    )
