"""Makes a program that runs by itself of a file of a repository.

A file that already runs by itself stays as it is. Otherwise the language proposes calls
(``core/language/driving.py``), a probe tries all of them in one program, and the calls that end without an error become
the driver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.driving import (
    Driven,
    DriverCall,
    Drivers,
    Excerpt,
    Shown,
    names_target,
    read_probe,
    shows_value,
)
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.errors import DoesNotParse, Refused
from pytest_codereason.harvest.making.validating import refuse_ending, shorten
from pytest_codereason.registry import language as find_language

LIMITS = Limits(cpu_s=3, wall_s=20.0)
#: How many calls a driver has at most, for each function and in all.
PER_TARGET = 3
MOST_CALLS = 16
#: Most characters that one call prints.
MOST_TEXT = 300
#: How often a probe is started anew without the candidates that do not compile, or that stopped it.
_RESTARTS = 8
#: How often a program is widened by files that a compiler misses.
_WIDENINGS = 3
_STOPS = 3
#: How many candidates one probe tries.
_BATCH = 150
_ABSENT = ("ModuleNotFoundError", "MODULE_NOT_FOUND")


class _Call(NamedTuple):
    candidate: DriverCall
    shown: Shown


def list_parts(language: str, path: str, text: str) -> Sequence[str]:
    """The definitions of a file around which slices can be cut; none if the file cannot be parsed."""
    try:
        return find_language(language).drivers.list_parts(path, text)
    except DoesNotParse:
        return ()


def drive(
    language: str,
    path: str,
    text: str,
    siblings: Mapping[str, str],
    tests: Mapping[str, str],
    run: Callable[[Run], Execution],
    draws: Draws,
    part: str = "",
) -> Driven | Refusal:
    """A program that runs by itself and calls as many of a file's functions as are found to be callable.

    Args:
        language: The name of the language.
        path: The file's path in its repository.
        text: The text of the file, which stays as it is, byte for byte. Of a slice this holds for each definition.
        siblings: The texts of the other files of the repository, by path.
        tests: The texts of its tests, where uses of the file's functions are looked for.
        run: Runs a program in the sandbox.
        draws: Decides what is drawn at random.
        part: One of :func:`list_parts` for a slice around this definition; empty for the whole file.

    Raises:
        SandboxError: A program could not be run, and is not to blame.
    """
    drivers = find_language(language).drivers
    try:
        also: list[str] = []
        excerpt = drivers.cut(path, text, siblings, part)
        if not drivers.may_start(excerpt) and not drivers.propose(excerpt, tests, draws):
            return Refusal("nothing to call")
        for _ in range(_WIDENINGS):
            excerpt = drivers.cut(path, text, siblings, part, also)
            search = _Search(language, drivers, excerpt, run)
            files, entry = drivers.write_driver(excerpt, ())
            alone = search.start(files, entry)
            blamed = drivers.blame_files(alone.message, path, text, siblings) if alone.ending == "rejected" else ()
            more = [name for name in blamed if name not in also]
            if not more:
                break
            also += more
        if alone.returned and alone.trace and _has_depth(alone.trace.edges) and shows_value(alone.stdout):
            return search.finish(files, entry, alone.trace.edges, "runs by itself")
        if alone.error in _ABSENT:
            return Refusal("needs a missing package", shorten(alone.message))
        if not alone.returned:
            return refuse_ending(alone)
        candidates = drivers.propose(excerpt, tests, draws)
        return search.search(candidates) if candidates else Refusal("nothing to call")
    except Refused as refused:
        reason, _, detail = str(refused).partition(": ")
        return Refusal(reason, detail)
    except DoesNotParse as error:
        return Refusal("does not parse", str(error))


def _has_depth(edges: Edges) -> bool:
    """Whether there are two calls, and one of them by a function that was called, of another function."""
    called = {callee for callees in edges.values() for callee in callees}
    deep = any(caller in called and {*callees} - {caller} for caller, callees in edges.items())
    return deep and sum(map(len, edges.values())) >= 2


class _Search:
    """The search for the driver of one excerpt."""

    def __init__(self, language: str, drivers: Drivers, excerpt: Excerpt, run: Callable[[Run], Execution]) -> None:
        self._language, self._drivers, self._excerpt, self._run = language, drivers, excerpt, run

    def start(self, files: Mapping[str, str], entry: str) -> Execution:
        """The execution of a program under trace."""
        return self._run(Run(language=self._language, files=files, entry=entry, limits=LIMITS, witnessed="calls"))

    def finish(self, files: Mapping[str, str], entry: str, edges: Edges, how: str) -> Driven:
        """The program with what is known of it."""
        reached = sorted({callee for callees in edges.values() for callee in callees})
        return Driven(files, entry, how, edges, tuple(reached), self._excerpt.part, self._excerpt.changes)

    def search(self, candidates: Sequence[DriverCall]) -> Driven | Refusal:
        """The program with the calls that reach most, each as plain as can be."""
        works = [call for batch in _split(candidates) for call in self._probe(batch)]
        ranks = _rank(works)
        if not ranks:
            return Refusal("no call ends without an error")
        chosen, edges = self._check(ranks[0][:MOST_CALLS])
        for rank in ranks[1:]:
            more, grown = self._check([*chosen, *rank])
            new = {caller for caller in grown if set(grown[caller]) - set(edges.get(caller, ()))}
            useful = [call for call in rank if call in more and new & _follow(grown, call.candidate.target)]
            if useful and len(chosen) < MOST_CALLS:
                chosen, edges = self._check([*chosen, *useful[: MOST_CALLS - len(chosen)]])
        if not _has_depth(edges):
            return Refusal("no call between two functions")
        if not any(call.shown.telling for call in chosen):
            return Refusal("no call shows a value")
        files, entry = self._drivers.write_driver(self._excerpt, _order(chosen))
        origins = dict.fromkeys(call.candidate.origin for call in chosen)
        return self.finish(files, entry, edges, ", ".join(sorted(origins)))

    def _probe(self, candidates: Sequence[DriverCall]) -> Iterator[_Call]:
        """The candidates that end without an error, twice in the same way."""
        first = self._try(candidates, 0)
        again = self._try([candidate for candidate, _ in first], 1)
        for call in first:
            if call in again:
                yield call

    def _try(self, candidates: Sequence[DriverCall], attempt: int) -> list[_Call]:
        """The candidates that end without an error. One that stops the probe is left out, with all of its target."""
        waiting = list(candidates)
        works: list[_Call] = []
        stops = 0
        for _ in range(_RESTARTS):
            if not waiting or stops == _STOPS:
                break
            files, entry = self._drivers.write_probe(self._excerpt, waiting)
            job = Run(language=self._language, files=files, entry=entry, limits=LIMITS, attempt=attempt)
            execution = self._run(job)
            if execution.ending == "rejected":
                blamed = set(self._drivers.blame_candidates(execution.message, files))
                if not blamed:
                    break
                waiting = [candidate for i, candidate in enumerate(waiting) if i not in blamed]
                continue
            ends = read_probe(execution.stdout, len(waiting))
            works += [_Call(waiting[i], shown) for i, shown in sorted(ends.items()) if shown is not None]
            if execution.returned or not waiting[len(ends) :]:
                break
            culprit, stops = waiting[len(ends)], stops + 1
            waiting = [candidate for candidate in waiting[len(ends) :] if candidate.target != culprit.target]
        return works

    def _check(self, calls: Sequence[_Call]) -> tuple[list[_Call], Edges]:
        """Those of the calls that work after each other in one program, and the edges of this program."""
        waiting = list(calls)
        while waiting:
            files, entry = self._drivers.write_driver(self._excerpt, _order(waiting))
            execution = self.start(files, entry)
            if execution.returned and execution.trace:
                return waiting, execution.trace.edges
            waiting = waiting[: len(waiting) // 2]
        return [], {}


def _split(candidates: Sequence[DriverCall]) -> Iterator[Sequence[DriverCall]]:
    for start in range(0, len(candidates), _BATCH):
        yield candidates[start : start + _BATCH]


def _rank(calls: Sequence[_Call]) -> list[list[_Call]]:
    """The best call for each target, then the second best, and so on. Calls of one target show different values."""
    by_target: dict[str, dict[str, _Call]] = {}
    for call in calls:
        if len(call.shown.text) <= MOST_TEXT:
            by_target.setdefault(call.candidate.target, {}).setdefault(call.shown.text, call)
    ordered = [sorted(found.values(), key=lambda call: not call.shown.telling) for found in by_target.values()]
    ranks = [[found[rank] for found in ordered if len(found) > rank] for rank in range(PER_TARGET)]
    return [rank for rank in ranks if rank]


def _order(calls: Sequence[_Call]) -> list[_Call]:
    """Calls of one object, and of one target, after each other."""
    places: dict[tuple[str, ...], int] = {}
    for call in calls:
        places.setdefault(call.candidate.setup or (call.candidate.target,), len(places))
    return sorted(calls, key=lambda call: places[call.candidate.setup or (call.candidate.target,)])


def _follow(edges: Edges, target: str) -> set[str]:
    """The functions that a call of a target may reach, by what is known."""
    waiting = [name for name in {*edges, *(c for cs in edges.values() for c in cs)} if names_target(name, target)]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += edges.get(name, ())
    return reached
