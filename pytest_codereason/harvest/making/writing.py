"""Has a model write drivers for files that give no program by rule, and validates what it writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_codereason.core import Program, Rejected, Text, TextKind, TextRequest
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.driving import WRITER, Driven
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.engine.building.authoring import text_kind
from pytest_codereason.engine.building.preparing import NamedRequest, PreparedText
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.harvest.journal import Journal
from pytest_codereason.harvest.making.making import Execute, validate_program
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.harvest.workers import WorkerDied, Workers, get_executor
from pytest_codereason.registry import language as find_language

KIND = "driver"
#: Why a program is refused although a writer was asked for its driver.
NO_DRIVER = "has no driver by the writer"
#: What is not as in the repository, besides the driver.
CHANGE = "the writer may have put stubs in place of imports, and changed layout and comments"
#: Has the texts of requests written, or takes them from a file.
WriteTexts = Callable[[Sequence[NamedRequest]], Sequence[PreparedText]]


class _Waiting(NamedTuple):
    """A file that waits for its driver."""

    journal: Journal
    outcome: FileOutcome
    request: NamedRequest


def add_written_drivers(journals: Sequence[Journal], write: WriteTexts, settings: Settings, workers: int) -> str:
    """Has drivers written for all files that wait for one; gives what is wrong with those that are still missing.

    Raises:
        UsageError: The writer cannot be asked.
        SandboxError: Programs cannot be run.
    """
    waiting = [*_list_waiting(journals)]
    if not waiting:
        return ""
    texts = write([each.request for each in waiting])
    pool = Workers(workers)
    try:
        calls = [
            # the text goes to another process, and nobody there asks what was rejected before
            (each, pool.call(settle, each.outcome, text.text._replace(rejections={}), text.left_out, settings))
            for each, text in zip(waiting, texts, strict=True)
            if not text.trouble
        ]
        for each, call in calls:
            try:
                outcome = pool.wait(call)
            except WorkerDied:
                outcome = refuse_text(each.outcome, "its reader crashes")
            each.journal.write(outcome)
    finally:
        pool.close()
    troubles = Counter(text.trouble for text in texts if text.trouble)
    if not troubles:
        return ""
    reason, count = troubles.most_common(1)[0]
    return f"{troubles.total():,} drivers are missing, {count:,} of them because: {reason}"


def _list_waiting(journals: Sequence[Journal]) -> Iterator[_Waiting]:
    for journal in journals:
        for outcome in sorted(journal.read(), key=lambda outcome: outcome.path) if journal.done else ():
            if outcome.source:
                yield _Waiting(
                    journal, outcome, NamedRequest(f"{journal.path.stem}/{outcome.path}", make_request(outcome))
                )


def make_request(outcome: FileOutcome) -> TextRequest:
    """What a writer is asked about a file."""
    entry = find_language(outcome.language).drivers.name_entry(outcome.path)
    program = Program.from_source(language=outcome.language, source=outcome.source, entry=entry)
    return TextRequest(KIND, program, outcome.path)


def settle(outcome: FileOutcome, text: Text, left_out: str, settings: Settings) -> FileOutcome:
    """What becomes of a file once its driver is written. Called in a worker."""
    if not text.value:
        return refuse_text(outcome, left_out or text.reason)
    return validate_text(outcome, text, settings, text_kind(KIND), get_executor().execute)


def validate_text(
    outcome: FileOutcome, text: Text, settings: Settings, kind: TextKind, execute: Execute
) -> FileOutcome:
    """The file with the program that a writer made of it. A frozen text is checked like a fresh one.

    Raises:
        SandboxError: The program could not be run, and is not to blame.
    """
    request = make_request(outcome)

    async def run(job: Run) -> Execution:
        return execute(job)

    try:
        run_to_end(kind.check(text.value, request, run))
    except Rejected as rejected:
        return refuse_text(outcome, rejected.reason)
    entry = request.program.entry
    driven = Driven({entry: text.value}, entry, f"{WRITER}{text.by}", {}, (), changes=(CHANGE,))
    return _replace_program(outcome, validate_program(outcome.language, driven, settings, execute))


def refuse_text(outcome: FileOutcome, reason: str) -> FileOutcome:
    """The file without a driver by the writer."""
    before = outcome.programs[0].refusal
    detail = f"{reason}; by rule: {before.reason}" if before else reason
    return _replace_program(outcome, HarvestedProgram(refusal=Refusal(NO_DRIVER, detail)))


def _replace_program(outcome: FileOutcome, program: HarvestedProgram) -> FileOutcome:
    """The file with another program in place of the first one, which is that of the whole file."""
    return replace(outcome, programs=(program, *outcome.programs[1:]), source="")
