"""Collects suite files: one collector for each file, one item for each question."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import AxisValue, Record, Spec
from pytest_codereason.core.text.wording import clip, plural
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.recording import make_unasked
from pytest_codereason.engine.sharing.selection import select
from pytest_codereason.engine.sharing.sharding import Work, find_family, find_shared
from pytest_codereason.engine.tallies import Answered, AnswerTally
from pytest_codereason.errors import NotHere, PartError, UsageError
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.interviewer import Assignment, Interviewer
from pytest_codereason.session.shared import SHARED

#: The one item of a suite that cannot be read: stands for it in a worker until the controller says why.
UNREADABLE = "unreadable"
#: The one item of a suite that needs data which this machine does not have.
LEFT_OUT = "left-out"


class Miss(Exception):  # an answer that is not right is no error
    """The model's answer is not right; the text says what was expected and what came."""


class Unanswered(Exception):  # named as users meet it
    """The question got no answer, for a reason that says nothing about the model."""


class NotAsked(pytest.skip.Exception):  # type: ignore[name-defined,misc]
    """Adaptive asking did not need the question; the text says why. pytest sees a skipped item."""

    __module__, __qualname__ = "builtins", "Skipped"  # what pytest writes before the text, as for its own


class IdleSuites:
    """Counts the suites that are not asked because no model is given, and says so below the collection."""

    def __init__(self) -> None:
        self.count = 0

    def pytest_report_collectionfinish(self) -> str:
        """How many suites are skipped, and what to do."""
        return f"codereason: {plural(self.count, 'suite')} skipped: pass --model=PROVIDER:NAME"


IDLE: pytest.StashKey[IdleSuites] = pytest.StashKey()


def count_idle(config: pytest.Config) -> None:
    """Notes that one more suite is not asked."""
    idle = config.stash.get(IDLE, None)
    if idle is None:
        idle = config.stash[IDLE] = IdleSuites()
        config.pluginmanager.register(idle, "codereason-idle")
    idle.count += 1


class SuiteFile(pytest.File):
    """A ``*.suite.toml`` file: its questions, under one collector a model where there are several."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Items in the suite's order. No program is generated here."""
        shared = self.config.stash.get(SHARED, None)
        if shared is None:
            count_idle(self.config)
            yield Placeholder.from_parent(self, name="no-model", reason="no model: give --model=PROVIDER:NAME")
            return
        try:
            suite = shared.suites.read(self.path)
        except PartError as error:
            yield BrokenSuite.from_parent(self, name="broken", error=error)
            return
        except NotHere as error:
            yield Placeholder.from_parent(self, name=LEFT_OUT, reason=str(error))
            return
        except UsageError:
            yield Placeholder.from_parent(self, name=UNREADABLE, reason="the suite file cannot be read")
            return
        specs = select(suite, limit=shared.limit, shard=shared.shard)
        if len(shared.models) == 1:
            yield from make_questions(self, suite, shared.models[0], specs)
        else:
            listed = list(specs)
            for model in shared.models:
                yield ModelCollector.from_parent(self, name=model, suite=suite, specs=listed)


class ModelCollector(pytest.Collector):
    """The questions of one suite to one of several models."""

    def __init__(self, *, suite: Suite, specs: list[Spec], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.suite = suite
        self.specs = specs

    def collect(self) -> Iterator[pytest.Item]:
        """Items in the suite's order."""
        return make_questions(self, self.suite, self.name, self.specs)


def make_questions(parent: pytest.Collector, suite: Suite, model: str, specs: Iterable[Spec]) -> Iterator[pytest.Item]:
    """An item for each question."""
    node_id = _make_ids(parent)
    cells = {cell: Spec("", "", cell).cell for cell in suite.cells}  # most of them; stages may add values
    # Items live to the end of the session: looking through 100,000 of them for garbage, here and each
    # time after, takes longer than making them. The end of the run unfreezes them.
    collecting = gc.isenabled()
    gc.disable()
    try:
        for spec in specs:
            program = f"{spec.language}/{spec.program}"
            cell = cells.get(spec.axes)
            if cell is None:
                cell = cells[spec.axes] = spec.cell
            name = f"{program}[{cell}]" if cell else program
            yield Question.from_parent(
                parent, name=name, nodeid=node_id(program, cell), suite=suite, model=model, spec=spec
            )
    finally:
        gc.freeze()
        if collecting:
            gc.enable()


def _make_ids(parent: pytest.Collector) -> Callable[[str, str], Any]:
    """A function that makes the ids of items below ``parent``. pytest reads the axes in them as parameters.

    Left to itself pytest takes them for a part of the name, but not where it reads an id from text: ``--lf``
    would find nothing. Reading 100,000 ids from text is slow, so where pytest has ids as values (9.2) they
    are made as such.
    """
    known = getattr(parent, "id", None)
    if known is None or not hasattr(known, "params"):
        return lambda program, cell: f"{parent.nodeid}::{program}[{cell}]" if cell else f"{parent.nodeid}::{program}"
    kind, path, names = type(known), known.path, known.names
    return lambda program, cell: kind(path=path, names=(*names, program), params=cell or None)


class Question(pytest.Item):
    """All samples of one instance on one model."""

    answered: Answered | None = None  #: set when it has been asked, taken by its report
    unneeded = ""  #: why it was not asked, where adaptive asking did not need it
    ends = ""  #: why the session ends behind it

    def __init__(self, *, suite: Suite, model: str, spec: Spec, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.suite = suite
        self.model = model
        self.spec = spec

    def runtest(self) -> None:
        """Waits for the answer. The request was usually sent before.

        Raises:
            Miss: an answer is not right.
            Unanswered: no answer came, and the model is not to blame.
            NotAsked: adaptive asking did not need it.
        """
        interviewer = self.config.stash[SHARED].interviewer
        tally = self._find_tally(interviewer)
        outcome, line = tally.outcome, tally.line
        stop = interviewer.find_stop(self.model) if outcome == "error" else ""
        if stop and not self.session.shouldstop:
            self._end_session(interviewer, clip(stop, 400))
        elif self.ends:
            self.session.shouldstop = self.ends
        if outcome == "skipped":
            pytest.skip(line)
        if outcome == "error":
            raise Unanswered(line)
        if outcome == "miss":
            raise Miss(line)

    def _end_session(self, interviewer: Interviewer, reason: str) -> None:
        """Ends the session behind the last question whose answers are there: they were paid for, and are recorded."""
        items, left = self.session.items, list[Question]()
        # A worker of xdist finds items by their numbers. Where pytest sets items up, it has the next one in hand.
        if not hasattr(self.config, "workerinput") and not self.session._setupstate.stack:
            here = items.index(self) + 1
            later = [item for item in items[here:] if isinstance(item, Question)]
            answered = interviewer.list_answered([item.nodeid for item in later])
            items[here:] = left = [item for item in later if item.nodeid in answered]
        if left:
            left[-1].ends = reason
        else:
            self.session.shouldstop = reason

    def _find_tally(self, interviewer: Interviewer) -> AnswerTally:
        """What the answers add up to. Their lines are kept for the report alone.

        Whoever keeps the exception of a miss keeps the frame that raised it: the lines must not be in that frame.
        """
        answered = interviewer.find_answers(self.nodeid)
        if isinstance(answered, str):
            self.unneeded = f"not asked: {answered}"
            raise NotAsked(self.unneeded)
        self.answered = answered
        return answered.tally

    def record_skip(self, reason: str) -> list[Record]:
        """The records of this question if a mark or a hook skips it."""
        samples = range(self.suite.samples_for(self.spec))
        return [make_unasked(self.suite, self.spec, self.model, s, reason, outcome="skipped") for s in samples]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """One line for a miss or an unanswered question: neither is a defect of the code."""
        if isinstance(excinfo.value, (Miss, Unanswered)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it comes from: the suite file."""
        return self.path, 0, self.name

    def assign(self, repeats: int = 0) -> Assignment:
        """What the interviewer must know of this question, which is asked ``repeats`` times more."""
        work = Work(find_shared(self.nodeid, self.suite.chosen_axis), self.suite.cost_of(self.spec))
        return Assignment(self.nodeid, work, Job(self.model, self.suite, self.spec, repeats=repeats))

    def listextrakeywords(self) -> set[str]:
        """Words for ``-k``: ``digits4`` where the id has ``digits:4``, which cannot be typed there."""
        axes = self.suite.axes
        words = {f"{axes[name].short}{value}" for name, value in self.spec.axes if not isinstance(value, str)}
        return super().listextrakeywords() | words

    def iter_markers_with_node(self, name: str | None = None) -> Iterator[tuple[Any, pytest.Mark]]:
        """The axes as markers, for ``-m 'digits(n=4)'``. They are made on demand, to save memory."""
        for axis, value in (("language", self.spec.language), *self.spec.axes):
            if name in (None, axis):
                yield self, axis_mark(axis, value)
        yield from super().iter_markers_with_node(name)


def axis_mark(axis: str, value: AxisValue) -> pytest.Mark:
    """``digits(n=4)`` for a number, ``prompting(name="cot")`` for a word."""
    word = {"name": value} if isinstance(value, str) else {"n": value}
    mark: pytest.MarkDecorator = getattr(pytest.mark, axis)(**word)
    return mark.mark


class Placeholder(pytest.Item):
    """Stands for a suite that asks nothing, and is skipped with the reason."""

    def __init__(self, *, reason: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reason = reason

    def runtest(self) -> None:
        """Skips."""
        pytest.skip(self.reason)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it comes from: the suite file."""
        return self.path, 0, self.name


class BrokenSuite(pytest.Item):
    """Stands for a suite of which a part raised an exception; the other suites go on."""

    def __init__(self, *, error: PartError, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.error = error

    def runtest(self) -> None:
        """Fails.

        Raises:
            Unanswered: with the name of the part and its traceback.
        """
        raise Unanswered(f"{self.error}\n{self.error.trace}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The traceback of the part, and none of this package."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it comes from: the suite file."""
        return self.path, 0, self.name


def assign_item(item: pytest.Item, repeats: int = 0) -> Assignment:
    """What the interviewer must know of any item; a question is asked ``repeats`` times more."""
    if isinstance(item, Question):
        return item.assign(repeats)
    return Assignment(item.nodeid, Work(find_family(item.nodeid), 1), None)
