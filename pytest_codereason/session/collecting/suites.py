"""The suites of a session: each file is read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pytest_codereason.core import Spec
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.engine.building.authoring import name_writer
from pytest_codereason.errors import CodereasonError, NotHere, PartError
from pytest_codereason.questions.suites import reading
from pytest_codereason.questions.suites.suite import Suite


class Suites:
    """Reads suite files.

    Args:
        seed: replaces the seed of every file.
        sampling: settings that replace those of every file.
        writer: what the model that writes hints and other texts is identified by.
        add_marker: registers a marker for each axis, so that ``-m 'digits(n=4)'`` is known to pytest.
    """

    def __init__(
        self,
        *,
        seed: int | None,
        sampling: Mapping[str, object],
        writer: Mapping[str, object] | None,
        add_marker: Callable[[str], None],
    ) -> None:
        self._seed = seed
        self._sampling = sampling
        self._writer = writer
        self._add_marker = add_marker
        self._suites: dict[Path, Suite] = {}
        self._broken: dict[Path, PartError | NotHere] = {}

    def read(self, path: Path) -> Suite:
        """The suite of a file.

        Raises:
            UsageError: the file is not a suite, or has a mistake.
            NotHere: it needs data or a package that this machine does not have.
            PartError: a source, a stage or a task of it raised an exception.
        """
        if path in self._broken:
            raise self._broken[path]
        if path not in self._suites:
            try:
                suite = reading.load(path, seed=self._seed, sampling=self._sampling)
                if self._writer is not None:
                    suite = name_writer(self._writer, suite)
                _try_parts(suite)
            except Exception as error:
                if isinstance(error, NotHere):  # not looked for again: fetching may wait for a network
                    self._broken[path] = error
                if isinstance(error, CodereasonError) and not isinstance(error, PartError):
                    raise
                known = error if isinstance(error, PartError) else PartError("a part of the suite", error)
                self._broken[path] = known.at(shorten_path(path))
                raise self._broken[path] from error
            staged = [axis for stage in suite.stages for axis in stage.axes]  # perhaps not in the matrix
            for axis in dict.fromkeys(("language", *suite.conditions.matrix, *staged)):
                self._add_marker(f"{axis}: an axis of a codereason suite")
            self._suites[path] = suite
        return self._suites[path]


def _try_parts(suite: Suite) -> None:
    """Calls once what a session calls of a suite's parts outside of questions: an exception costs the suite alone."""
    len(suite)
    suite.plan  # noqa: B018
    suite.list_notes()
    if first := next(suite.specs(), None):
        for cell in suite.cells_of(first.language, first.program):
            suite.cost_of(Spec(first.language, first.program, cell))
