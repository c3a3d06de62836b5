"""Drives Hypothesis: searches for a counterexample in rounds, then shrinks it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import HypothesisException, UnsatisfiedAssumption
from hypothesis.strategies import DataObject, SearchStrategy, none

from pytest_codereason.fuzzing.counterexample import Counterexample
from pytest_codereason.fuzzing.examiner import MORE_RIGHT, MORE_WRONG, Examiner
from pytest_codereason.fuzzing.signals import AnswerPending, ExampleEnd, LimitReached

#: Hypothesis stops shrinking after so many seconds.
HYPOTHESIS_SHRINKS_S = 300
#: One run of Hypothesis: a seed and a number.
Run = tuple[int, int]
#: Examples of one run of Hypothesis. From the eleventh on, Hypothesis mostly copies parts of the previous example.
FRESH = 10
#: Requests that the shrinking keeps in reserve, to ask about the smallest counterexample once more.
RESERVE = MORE_WRONG + MORE_RIGHT
FAILURES = (Exception, pytest.fail.Exception)
_QUIET = settings(
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    print_blob=False,
    verbosity=Verbosity.quiet,
    suppress_health_check=list(HealthCheck),
)


@runtime_checkable
class Reducible(Protocol):
    """A drawn value that knows simpler values than itself."""

    def list_simpler(self) -> Iterable[Any]:
        """The simpler values, the best first."""


class _Hit(BaseException):
    """Ends a run of Hypothesis, because it has found a counterexample."""


@dataclass(frozen=True, kw_only=True)
class SearchLimits:
    """How far a search goes."""

    seed: int
    examples: int  #: most programs
    requests: int  #: most requests of the search
    shrink: int  #: most requests of the shrinking


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """The result of a search."""

    smallest: Counterexample | None
    requests: int  #: of the search
    shrinking: int = 0  #: requests of the shrinking
    stored: int = 0  #: answers of both that come from the store
    stopped: str = ""  #: the limit that ended the search or the shrinking; empty if no limit did


class Search:
    """Runs one test under ``@given`` so that many of its questions are asked at a time.

    For Hypothesis, an example that waits for an answer is a valid example, so answers have no influence on the examples
    that follow. The same seed therefore draws a counterexample again, and Hypothesis can shrink it.

    Args:
        examiner: asks the model.
        test: the body of the test, called with the drawn arguments.
        strategies: the strategies of the arguments, by name.
        explicit: the examples of ``@example``, as Hypothesis stores them.
        limits: how far the search goes.
    """

    def __init__(
        self,
        examiner: Examiner,
        test: Callable[..., object],
        strategies: Mapping[str, SearchStrategy[Any]],
        explicit: Sequence[Any],
        limits: SearchLimits,
    ) -> None:
        self._examiner = examiner
        self._test = test
        self._strategies = strategies
        self._explicit = explicit
        self._limits = limits
        self._hits: list[Counterexample] = []
        self._run: Run = (0, 0)  #: the run that found the last counterexample
        self._cut: list[tuple[Run, Mapping[str, object]]] = []  #: the arguments of the examples that wait for an answer

    def run(self) -> SearchResult:
        """The smallest counterexample that the limits allow.

        Raises:
            NoAnswer: a question got no answer.
            Exception: the test fails without a wrong answer of the model.
        """
        stopped = self._search()
        requests = self._examiner.tally.requests
        if not self._hits:
            return SearchResult(smallest=None, requests=requests, stopped=stopped)
        stopped = self._shrink()
        return SearchResult(
            smallest=self._choose_smallest(),
            requests=requests,
            shrinking=self._examiner.tally.requests - requests,
            stored=self._examiner.tally.stored,
            stopped=stopped,
        )

    def _search(self) -> str:
        """Searches until there is a counterexample, no example is left, or a limit is reached. Returns that limit."""
        self._examiner.allow(self._limits.requests, self._limits.requests)
        return self._search_from(self._limits.seed)

    def _search_from(self, seed: int) -> str:
        self._examiner.waiting = {}
        try:
            for number in range(-(-self._limits.examples // FRESH)):
                self._run_hypothesis((seed, number), Phase.generate)
            while self._cut:
                self._ask_round()
        except _Hit:
            pass
        except LimitReached as spent:
            return str(spent)
        finally:
            self._cut.clear()
        return ""

    def _ask_round(self) -> None:
        """Asks all waiting questions, and runs their examples again."""
        examiner = self._examiner
        assert examiner.waiting is not None
        questions = list(examiner.waiting.values())
        examiner.waiting.clear()
        cut, self._cut = self._cut, []
        examiner.fetch(questions)
        for run, drawn in cut:
            self._run_again(drawn, run)

    def _shrink(self) -> str:
        """Shrinks the counterexample by Hypothesis, then searches among smaller examples. Returns the limit reached."""
        examiner, limits = self._examiner, self._limits
        first = self._hits[0]
        examiner.allow(limits.shrink - RESERVE, limits.shrink)
        seed, stopped = limits.seed, ""
        while not stopped:
            stopped = self._shrink_by_hypothesis()
            smallest = min(self._hits, key=lambda example: example.size)
            if stopped or not smallest.wrong:
                break
            stopped = self._try_simpler(smallest)
            smallest = min(self._hits, key=lambda example: example.size)
            if stopped:
                break
            seed, known = seed + 1, len(self._hits)
            examiner.smaller_than = smallest.size[:3]
            stopped = self._search_from(seed)
            if len(self._hits) == known:
                break
        examiner.smaller_than = None
        examiner.allow(examiner.left + RESERVE, limits.shrink)
        self._hits.append(first)
        return stopped

    def _shrink_by_hypothesis(self) -> str:
        """Lets Hypothesis draw the counterexample again and shrink it, one request at a time. Returns the limit."""
        examiner, began = self._examiner, time.monotonic()
        examiner.waiting, examiner.shrinking = {}, True
        try:
            self._run_hypothesis(self._run, Phase.generate, Phase.shrink)
        except LimitReached as spent:
            return str(spent)
        except FAILURES:
            if time.monotonic() - began >= HYPOTHESIS_SHRINKS_S:
                return f"Hypothesis's limit of {HYPOTHESIS_SHRINKS_S // 60} minutes"
        finally:
            examiner.shrinking, examiner.smaller_than = False, None
        return ""

    def _try_simpler(self, smallest: Counterexample) -> str:
        """Tries the simpler values that a drawn value names by itself, and theirs. Returns the limit reached."""
        examiner = self._examiner
        while True:
            known = len(self._hits)
            examiner.waiting, examiner.shrinking, examiner.smaller_than = None, True, smallest.size
            try:
                for name, value in smallest.drawn.items():
                    for simpler in value.list_simpler() if isinstance(value, Reducible) else ():
                        self._run_again({**smallest.drawn, name: simpler}, self._run)
            except LimitReached as spent:
                return str(spent)
            except FAILURES:  # one of them is a counterexample too
                pass
            finally:
                examiner.shrinking, examiner.smaller_than = False, None
            if len(self._hits) == known or not self._hits[-1].wrong or self._hits[-1].size >= smallest.size:
                return ""
            smallest = self._hits[-1]

    def _choose_smallest(self) -> Counterexample:
        """The smallest counterexample that still fails when its questions are asked as often as those of the first."""
        *shrunk, first = self._hits
        self._examiner.waiting = None
        for candidate in sorted(shrunk, key=lambda example: example.size):
            if candidate.size >= first.size:
                break
            try:
                self._run_again(candidate.drawn, self._run)
            except _Hit:
                return self._hits[-1]
            except LimitReached:
                break
        return first

    def _run_hypothesis(self, run: Run, *phases: Phase) -> None:
        def example(**drawn: Any) -> None:
            __tracebackhide__ = True
            if any(isinstance(value, DataObject) for value in drawn.values()):
                self._examiner.waiting = None  # st.data() can only draw while the example runs
            self._run_example(drawn, run)

        wrapped = given(**self._strategies)(example)
        wrapped.hypothesis_explicit_examples = self._explicit  # type: ignore[attr-defined]
        begin, number = run
        phases = phases if number else (Phase.explicit, *phases)
        most = min(FRESH, self._limits.examples - number * FRESH)
        settings(_QUIET, max_examples=most, phases=phases)(seed(f"{begin} {number}")(wrapped))()

    def _run_again(self, drawn: Mapping[str, object], run: Run) -> None:
        """Runs the test again with the same arguments, in an example, because ``assume`` and ``note`` need one."""
        errors: list[Exception] = []

        def example(_: None) -> None:
            try:
                self._run_example(drawn, run)
            except UnsatisfiedAssumption:
                pass
            except Exception as error:  # Hypothesis would run it twice
                errors.append(error)

        settings(_QUIET, max_examples=1, phases=[Phase.generate], derandomize=True)(given(none())(example))()
        if errors:
            raise errors[0]

    def _run_example(self, drawn: Mapping[str, object], run: Run) -> None:
        """Runs the test once, with the drawn arguments."""
        __tracebackhide__ = True
        examiner = self._examiner
        examiner.begin()
        try:
            self._test(**drawn)
        except AnswerPending:
            if not examiner.shrinking:
                self._cut.append((run, drawn))
                if len(examiner.waiting or ()) >= examiner.room:
                    self._ask_round()
        except ExampleEnd:
            return
        except HypothesisException:  # assume(), say
            raise
        except FAILURES as error:
            self._hits.append(hit := Counterexample.of(examiner.trail, drawn, error))
            if examiner.shrinking and hit.wrong:
                examiner.smaller_than = min(hit.size, examiner.smaller_than or hit.size)
            if not examiner.shrinking:
                self._run = run
                raise _Hit from error
            examiner.waiting = None  # Hypothesis begins to shrink
            raise
