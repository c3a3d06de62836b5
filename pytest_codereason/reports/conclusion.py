"""Turns the records of a run that has just ended, or of a stored run, into numbers, verdicts and reports."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.results.report import Note, Report
from pytest_codereason.results.runs.run_info import RECORDS, RunInfo, parse_run
from pytest_codereason.results.verdicts.baselines import check_gates
from pytest_codereason.results.verdicts.verdict import choose_exit_code

if TYPE_CHECKING:
    from pytest_codereason.results.measures.summary import Summary
    from pytest_codereason.results.pictures import Picture
    from pytest_codereason.results.runs.run_data import RunData
    from pytest_codereason.results.verdicts.gates import Gate
    from pytest_codereason.results.verdicts.judging import Rules


@dataclass(frozen=True)
class Result:
    """The final result of a run."""

    report: Report

    @property
    def passed(self) -> bool:
        """Whether every gate passed; without gates, whether no figure and no reporter failed."""
        return self.report.passed

    @property
    def exit_code(self) -> int:
        """0 if the run passes, 1 if a gate fails or a part of the report, ``NOT_KNOWN`` if gates cannot be decided."""
        return choose_exit_code(self.report.gates) if self.report.gates else int(not self.passed)

    def lines(self, width: int, *, brief: bool = False) -> list[tuple[str, dict[str, bool]]]:
        """The summary for a terminal, or the figures that it begins with: each line with pytest's markup."""
        from pytest_codereason.reports.reporters.terminal import write_lines

        return write_lines(self.report, width, brief=brief)


def parse_gates(texts: Sequence[str], run: Mapping[str, object], baseline: RunInfo | None = None) -> list[Gate]:
    """The gates of ``--eval-gate``, checked against what ``run`` (content of ``run.json``) will measure.

    Raises:
        UsageError: a gate cannot be read, or judges what is not measured, or what the baseline has not measured.
    """
    return check_gates(texts, parse_run(run), baseline)


def check_parts(figures: Sequence[str], reporters: Sequence[str]) -> None:
    """Checks before anything is asked that the figures and reporters of these names can be imported.

    Raises:
        UsageError: a name has no part, or the part is of another kind.
    """
    from pytest_codereason import registry
    from pytest_codereason.results.figure import Figure
    from pytest_codereason.results.reporter import Reporter

    for name in figures:
        registry.find(Figure, name)
    for name in reporters:
        registry.find(Reporter, name)


def conclude(
    folder: Path,
    run: dict[str, object],
    gates: Sequence[Gate],
    rules: Rules,
    *,
    figures: Sequence[str] = (),
    reporters: Sequence[str] = (),
) -> Result:
    """Ends a live run: completes ``run.json``, judges the gates and writes every report into ``folder``.

    ``figures`` and ``reporters`` are those that the user names, as for :func:`report_run`.

    ``run``, the content of ``run.json``, is completed with what is known only from the records: cost, what was reused,
    who wrote hints, how many programs stayed unchanged, why questions were skipped, in which form places of programs
    were changed, and which faults nobody can observe.
    """
    from pytest_codereason.engine.storage.run_folder import write_run
    from pytest_codereason.results.runs.run_data import RunData
    from pytest_codereason.results.verdicts.adaptive_cells import describe_cells

    data = RunData.build({folder.name: (parse_run(run), folder / RECORDS)})
    run |= {"hints": dict(data.run.hints), "unchanged": dict(data.run.unchanged)}
    run |= {"skipped": dict(data.run.skipped), "rejections": dict(data.run.rejections)}
    run |= {"forms": dict(data.run.forms), "shared": data.run.shared, "reused": data.run.reused}
    run |= {"reused_oldest_s": data.run.reused_oldest_s, "cost": data.run.cost}
    run |= {"texts_reused": data.run.texts_reused}
    for name, cells in describe_cells(data).items():
        run["suites"][name]["adaptive"]["cells"] = [asdict(cell) for cell in cells]  # type: ignore[index]
    write_run(folder, run)
    return report_run(folder, data, gates, rules, output=folder, figures=figures, reporters=reporters)


def report_run(
    folder: Path,
    data: RunData,
    gates: Sequence[Gate],
    rules: Rules,
    *,
    output: Path,
    figures: Sequence[str] = (),
    reporters: Sequence[str] = (),
) -> Result:
    """Judges the gates and writes every report of the run in ``folder`` into the folder ``output``.

    ``figures`` and ``reporters`` are names of the user's own parts, ``package.module:Name``. What a run names is never
    imported, because anybody may have written it.

    A figure or a reporter that raises an exception becomes a note in the reports of the others.

    Raises:
        UsageError: a file of published figures holds a mistake.
    """
    from pytest_codereason.results.measures.summary import summarise
    from pytest_codereason.results.runs.account import build_accounts
    from pytest_codereason.results.runs.servers import measure_servers
    from pytest_codereason.results.runs.written_truths import list_written
    from pytest_codereason.results.studies.published import add_published
    from pytest_codereason.results.verdicts.judging import judge_gates

    summary = summarise(data)
    pictures, notes = draw_pictures(data, summary, figures)
    pictures, remarks = add_published(pictures, data.run.published)
    report = Report(
        folder=folder,
        data=data,
        summary=summary,
        accounts=build_accounts(data),
        servers=measure_servers(data),
        pictures=pictures,
        gates=judge_gates(gates, data, rules),
        notes=notes,
        remarks=remarks,
        written=tuple(list_written(data)),
    )
    return Result(write_reports(report, output, reporters))


def draw_pictures(
    data: RunData, summary: Summary | None = None, own: Sequence[str] = ()
) -> tuple[list[Picture], list[Note]]:
    """The pictures of every figure in their order, those that the user names in ``own`` too; and a note on each figure
    that failed.

    With a ``summary`` of the data, captions judge changes together with all that the summary says of axes.
    """
    from pytest_codereason.reports.words.judging_together import judge_together
    from pytest_codereason.reports.words.worded import word_picture
    from pytest_codereason.results.figure import Figure
    from pytest_codereason.results.studies.studies import find_departures

    figures, notes = _create_parts(Figure, own)
    models = {
        label: model for info in data.runs.values() for label, model in info.models.items() if not model.is_baseline
    }
    writers = {name: data.list_writers(name) for name in data.suites}
    languages = {name: data.list_languages(name) for name in data.suites}
    ranked: list[tuple[float, list[Picture]]] = []
    for name, figure in figures:
        try:
            drawn = [
                replace(
                    picture,
                    unspoken=data.unspoken,
                    departures=find_departures(picture, data.suites, models, writers, languages),
                )
                for picture in figure.pictures(data)
            ]
            drawn = [judge_together(picture, summary) for picture in drawn] if summary else drawn
            for picture in drawn:
                word_picture(picture)  # what cannot be put into words fails here, where it costs this figure alone
            ranked.append((float(figure.order), drawn))
        except Exception as error:
            notes.append(Note.of(f"figure {name}", error))
    pictures = [picture for _, drawn in sorted(ranked, key=lambda pair: pair[0]) for picture in drawn]
    return pictures, notes


def write_reports(report: Report, output: Path, own: Sequence[str] = ()) -> Report:
    """Writes the file of every reporter into ``output``, also of those that the user names in ``own``; gives the report
    with notes on the reporters that failed.
    """
    from pytest_codereason.results.reporter import Reporter

    reporters, notes = _create_parts(Reporter, own)
    working = []
    for name, reporter in reporters:
        try:
            reporter.write(report, output)
            working.append((name, reporter))
        except Exception as error:
            notes.append(Note.of(f"reporter {name}", error))
    if not notes:
        return report
    complete = replace(report, notes=(*report.notes, *notes))
    for name, reporter in working:  # once more, now that the notes are complete
        try:
            reporter.write(complete, output)
        except Exception as error:
            complete = replace(complete, notes=(*complete.notes, Note.of(f"reporter {name}", error)))
    return complete


def _create_parts(kind: type[ABC], named: Sequence[str]) -> tuple[list[tuple[str, Any]], list[Note]]:
    """Every shipped, installed or named part of a kind as an object, and notes on the parts that failed."""
    from pytest_codereason import registry

    parts, notes = [], []
    for name in dict.fromkeys((*registry.list_names(kind), *named)):
        try:
            parts.append((name, registry.find(kind, name)()))
        except Exception as error:
            notes.append(Note.of(f"{kind.__name__.lower()} {name}", error))
    return parts, notes
