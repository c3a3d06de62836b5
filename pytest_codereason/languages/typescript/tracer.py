"""Witnesses the calls of TypeScript programs: those of the same program in JavaScript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.language.capabilities import Tracer
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.core.language.tracing import Body, Trace, Witnessed
from pytest_codereason.languages.javascript.tracer import JavaScriptTracer
from pytest_codereason.languages.typescript.translating import rename, translate


class TypeScriptTracer(Tracer):
    """Witnesses calls in the JavaScript that a program becomes. Its lines and names are those of the program."""

    sorting = JavaScriptTracer.sorting

    def __init__(self) -> None:
        self._tracer = JavaScriptTracer()

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        return self._tracer.harness(*translate(files, entry, call), witnessed)

    def harness_for_moments(
        self, files: Mapping[str, str], entry: str, call: str, probes: Sequence[LineProbe] = ()
    ) -> Harness:
        """How to run a program under a trace of its moments."""
        renamed = [probe._replace(file=rename(probe.file)) for probe in probes]
        return self._tracer.harness_for_moments(*translate(files, entry, call), renamed)

    def read(self, payload: Any, files: Mapping[str, str], entry: str) -> Trace:
        """The trace that a harness wrote."""
        texts, renamed, _ = translate(files, entry)
        trace = self._tracer.read(payload, texts, renamed)
        written = {rename(path): path for path in files}
        return trace._replace(
            lines={written[path]: counts for path, counts in trace.lines.items()},
            moments=trace.moments and trace.moments.rename_files(written),
        )

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every file and function of a program."""
        texts, renamed, _ = translate(files, entry)
        written = {rename(path): path for path in files}
        return [body._replace(file=written[body.file]) for body in self._tracer.list_bodies(texts, renamed)]
