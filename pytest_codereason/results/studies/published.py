"""Puts published figures beside the pictures of a run, and says which of them found no place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.results.pictures import Panel, Picture, PublishedLine, PublishedRow, Table
from pytest_codereason.results.studies.published_facts import Course, Fact, FactsFile, parse_facts
from pytest_codereason.results.values import Delta, Estimate, Label

_NAMED = 3  # facts without a place that are named


def add_published(pictures: Sequence[Picture], texts: Mapping[str, str]) -> tuple[list[Picture], list[str]]:
    """The pictures with the published figures of files by name, and remarks on facts that found no place.

    Tables and panels stay as they are: published figures stand in ``Picture.published`` alone, so that no sentence, no
    average and no gate sees them.

    Raises:
        UsageError: a file holds a mistake.
    """
    complete, remarks = list(pictures), list[str]()
    for name, text in texts.items():
        file = parse_facts(name, text)
        misplaced, used = list[str](), 0
        for fact in file.facts:
            complaint = next(filter(None, (_check_cells(fact, picture) for picture in complete)), "")
            placed = 0
            for i, picture in enumerate(() if complaint else complete):
                added = list(_place(fact, picture))
                complete[i] = replace(picture, published=(*picture.published, *added))
                placed += len(added)
            used += placed
            if not placed:
                misplaced.append(f"{fact.place}: {complaint or _explain(fact, complete)}")
        remarks += _sum_up(file, complete, misplaced, used)
    return complete, remarks


def _sum_up(file: FactsFile, pictures: Sequence[Picture], misplaced: Sequence[str], used: int) -> list[str]:
    """A shipped file is about many suites, so it is mentioned only if no fact of it has a place."""
    if not misplaced or (used and file.is_shipped):
        return []
    if file.is_shipped:
        return [f"nothing of {file.name} stands beside this run: {_explain_all(file, pictures)}"]
    more = len(misplaced) - _NAMED
    return [*misplaced[:_NAMED], *([f"{more} more in {file.name}"] if more > 0 else [])]


def _is_about(fact: Fact, picture: Picture) -> bool:
    return picture.kind == fact.figure and all(picture.of.get(key) == value for key, value in fact.of.items())


def _place(fact: Fact, picture: Picture) -> Iterator[PublishedRow | PublishedLine]:
    """What a fact says that this picture has a place for."""
    if not _is_about(fact, picture):
        return
    panel = next((panel for panel in picture.panels if panel.title == fact.panel), None)
    if panel is not None:
        for model, course in (fact.courses or {}).items():
            yield _draw_course(fact, model, course, panel)
    if picture.table is None:
        return
    keys = _list_keys(picture, picture.table)
    for model, row in fact.rows:
        cells = {key: _scale(cell, fact) for key, cell in row.items() if key in keys}
        if len(cells) == len(row) or any(isinstance(cell, Decimal) for cell in cells.values()):
            yield PublishedRow(model=model, source=fact.source, cells=cells)


def _list_keys(picture: Picture, table: Table) -> list[str]:
    """What names a cell of one model: the keys of columns, or the labels of rows if models are columns."""
    if not picture.has_models_as_columns:
        return [column.key for column in table.columns]
    return [row[0].text for row in table.rows if isinstance(row[0], Label)]


def _scale(cell: Decimal | str, fact: Fact) -> Decimal | str:
    return cell.scaleb(-2) if fact.percent and isinstance(cell, Decimal) else cell


def _draw_course(fact: Fact, model: str, course: Course, panel: Panel) -> PublishedLine:
    by = 1.0 if panel.percent or not fact.percent else 0.01
    if isinstance(course, Decimal):
        return PublishedLine(model=model, panel=panel.title, source=fact.source, level=float(course) * by)
    points = [(float(x), float(y) * by) for x, y in course]
    return PublishedLine(model=model, panel=panel.title, source=fact.source, points=points)


# --- why a fact has no place ---------------------------------------------------------------------


def _explain_all(file: FactsFile, pictures: Sequence[Picture]) -> str:
    """Why no fact of a shipped file has a place. Its facts name the shipped suites."""
    known = _list_suites(fact.of for fact in file.facts)
    asked = _list_suites(picture.of for picture in pictures)
    if known and not known & asked:
        return (
            f"it is about the suites {', '.join(sorted(known))}, by the name of the suite file, and this run has "
            f"{', '.join(sorted(asked)) or 'no figure of a suite'}"
        )
    about = [fact for fact in file.facts if _list_suites([fact.of]) & asked] or list(file.facts)
    return _explain(about[0], pictures)


def _list_suites(selections: Iterable[Mapping[str, str]]) -> set[str]:
    return {suite for of in selections if "suite" in of for suite in of["suite"].split(", ")}


def _explain(fact: Fact, pictures: Sequence[Picture]) -> str:
    """Why no picture has a place for the fact, with the name that was perhaps meant."""
    kinds = {picture.kind for picture in pictures}
    if fact.figure not in kinds:
        return _say_missing(f"this run draws no figure {fact.figure!r}", fact.figure, kinds)
    alike = [picture for picture in pictures if picture.kind == fact.figure]
    for key, value in fact.of.items():
        keys = {key for picture in alike for key in picture.of}
        if key not in keys:
            return _say_missing(f"the figure {fact.figure!r} is not told apart by {key!r}", key, keys)
        values = {picture.of[key] for picture in alike if key in picture.of}
        if value not in values:
            return _say_missing(f"this run draws no figure {fact.figure!r} of {key} {value!r}", value, values)
    about = [picture for picture in alike if _is_about(fact, picture)]
    if not about:
        return f"this run draws no figure {fact.figure!r} of all of {', '.join(fact.of.values())}"
    if fact.panel is not None:
        titles = {panel.title for picture in about for panel in picture.panels}
        return _say_missing(f"the figure {fact.figure!r} has no panel {fact.panel!r}", fact.panel, titles)
    names = {key for picture in about if picture.table for key in _list_keys(picture, picture.table)}
    missing = next((key for _, row in fact.rows for key in row if key not in names), "")
    return _say_missing(f"the table of the figure {fact.figure!r} has no {missing!r}", missing, names)


def _say_missing(sentence: str, name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    listed = f"; there is {', '.join(names)}" if names else ""
    return f"{sentence}{suggest_name(name, names)}{listed}"


def _check_cells(fact: Fact, picture: Picture) -> str:
    """What is wrong with cells of a fact that stands in this picture: a key that is misspelt, or percent without %."""
    if picture.table is None or not _is_about(fact, picture):
        return ""
    keys = _list_keys(picture, picture.table)
    for model, row in fact.rows:
        for key, cell in row.items():
            meant = "" if key in keys else suggest_name(key, [key for key in keys if key not in row])
            if meant and not picture.has_models_as_columns:  # a row is missing where nothing was asked
                return f"the table of the figure {fact.figure!r} has no column {key!r}{meant}"
            if not isinstance(cell, str) and not fact.percent and not _fits(cell, picture, picture.table, key):
                return f'{cell} of {model} is no share from 0 to 1; write unit = "percent" if it counts in percent'
    return ""


def _fits(number: Decimal, picture: Picture, table: Table, key: str) -> bool:
    """Whether a number can stand beside the cells of this key: no share is above 1, and none falls by more than 1."""
    if picture.has_models_as_columns:
        cells = [cell for row in table.rows if row[0] == Label(key) for cell in row[1:]]
    else:
        cells = [row[key] for row in table.named_rows()]
    if any(isinstance(cell, Delta) for cell in cells):
        return number >= -1
    return not any(isinstance(cell, Estimate) and cell.unit == "share" for cell in cells) or 0 <= number <= 1
