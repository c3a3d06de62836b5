"""Pictures in words: the sentence, and the header and cells of the table as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pytest_codereason.reports.words.captions import write_caption
from pytest_codereason.reports.words.cells import format_cell, format_published
from pytest_codereason.reports.words.formatting import format_origin
from pytest_codereason.results.pictures import Aspect, Picture, PublishedLine, PublishedRow, Row, Table, read_label
from pytest_codereason.results.values import Delta, Estimate, Label, Undefined, Why

_SCORES = (Estimate, Delta, Undefined)


@dataclass(frozen=True, slots=True)
class WordedPicture:
    """A picture with its sentence and its table as text."""

    picture: Picture
    sentence: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    published_rows: tuple[tuple[str, ...], ...] = ()  #: of papers, to stand beneath ``rows``
    published_columns: tuple[tuple[str, ...], ...] = ()  #: of papers, to stand beside ``rows``: a title, then the cells
    #: how dark each cell of a heat map is, 0 to 10, and -1 for a cell without a share; empty for other tables
    shades: tuple[tuple[int, ...], ...] = ()
    published_note: str = ""  #: that these figures are not measured, and where they stand

    def join_published(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Header and rows of the table, with the published columns beside it and the published rows beneath it."""
        header = (*self.header, *(f"{column[0]}, published" for column in self.published_columns))
        rows = [
            (*row, *(column[place] for column in self.published_columns))
            for place, row in enumerate(self.rows, start=1)
        ]
        return header, [*rows, *((f"{row[0]}, published", *row[1:]) for row in self.published_rows)]

    @property
    def note(self) -> str:
        """What a reader has to know before comparing: what the table repeats, and which figures are not measured."""
        origin = format_origin(self.picture)
        return " ".join(filter(None, (f"{origin}." if origin else "", self.published_note)))


def word_pictures(pictures: Sequence[Picture]) -> list[WordedPicture]:
    """The pictures as a report shows them: without models that skipped all that a picture is about."""
    return [word_picture(left) for picture in pictures if (left := _leave_out_skipped(picture))]


def _leave_out_skipped(picture: Picture) -> Picture | None:
    """The picture without rows of models of which each row says ``skipped``; ``None`` if no row is left."""
    if picture.table is None or picture.has_models_as_columns:
        return picture
    rows = list(zip(picture.table.named_rows(), picture.table.rows, strict=True))
    scored = {read_label(row, "model") for row, _ in rows if not _is_skipped(row)}
    kept = [cells for row, cells in rows if read_label(row, "model") in scored]
    if len(kept) == len(rows):
        return picture
    return replace(picture, table=replace(picture.table, rows=kept)) if kept else None


def _is_skipped(row: Row) -> bool:
    """Whether a row has nothing but skipped questions."""
    scores = [cell.or_undefined() if isinstance(cell, Estimate) else cell for cell in row.values()]
    whys = {cell.why if isinstance(cell, Undefined) else None for cell in scores if isinstance(cell, _SCORES)}
    return Why.SKIPPED in whys <= {Why.SKIPPED, Why.REFERENCE}


def word_picture(picture: Picture) -> WordedPicture:
    """The picture with its sentence and its table as text."""
    table = picture.table
    columns = table.columns if table else ()
    published = [row for row in picture.published if isinstance(row, PublishedRow)] if table else []
    return WordedPicture(
        picture,
        write_caption(picture),
        tuple(column.title for column in columns),
        tuple(
            tuple(format_cell(cell, column.aspect) for cell, column in zip(row, columns, strict=True))
            for row in (table.rows if table else ())
        ),
        () if picture.has_models_as_columns or not table else tuple(_word_row(row, table) for row in published),
        tuple(_word_column(row, table) for row in published) if table and picture.has_models_as_columns else (),
        _shade(table) if table and table.heat else (),
        _note_sources(picture.published),
    )


def _shade(table: Table) -> tuple[tuple[int, ...], ...]:
    """Shares of 0 to 1 in tenths."""
    return tuple(
        tuple(round(10 * cell.value) if isinstance(cell, Estimate) and cell.value is not None else -1 for cell in row)
        for row in table.rows
    )


def _word_row(row: PublishedRow, table: Table) -> tuple[str, ...]:
    """A published row under the columns of a table; a cell that the paper does not give is empty."""
    cells: dict[str, Decimal | str] = {"model": row.model, **row.cells}
    return tuple(
        format_published(cells[column.key], column.aspect) if column.key in cells else "" for column in table.columns
    )


def _word_column(row: PublishedRow, table: Table) -> tuple[str, ...]:
    """A published column beside a table in which models are columns, with its title first."""
    aspect: Aspect = table.columns[-1].aspect
    labels = [cells[0].text if isinstance(cells[0], Label) else "" for cells in table.rows]
    return (row.model, *(format_published(row.cells[label], aspect) if label in row.cells else "" for label in labels))


def count_published(pictures: Sequence[Picture]) -> dict[str, int]:
    """How many pictures have published figures, by paper or file: ``{"Lam et al., CodeCrash": 2}``."""
    counts: dict[str, int] = {}
    for picture in pictures:
        for citation in dict.fromkeys(each.source.paper for each in picture.published):
            counts[citation] = counts.get(citation, 0) + 1
    return counts


def _note_sources(published: Sequence[PublishedRow | PublishedLine]) -> str:
    """``Published, not measured in this run: Storek et al., Sense and Sensitivity, table 1 (greedy).``

    With several sources, each names its models.
    """
    models: dict[str, dict[str, None]] = {}
    for each in published:
        models.setdefault(str(each.source), {})[each.model] = None
    sources = [f"{source}: {', '.join(names)}" if len(models) > 1 else source for source, names in models.items()]
    return f"Published, not measured in this run: {'; '.join(sources)}." if sources else ""
