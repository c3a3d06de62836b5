"""What a call is to do: how often lines run, and whether it returns a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: How often a line is to run, where that is asked.
LEAST, MOST = 2, 12


class Want(NamedTuple):
    """How often one line is to run."""

    place: ProgramLine
    least: int
    most: int | None  #: ``None``: any number

    def accepts(self, times: int) -> bool:
        """Whether the line ran as often as wanted."""
        return self.least <= times and (self.most is None or times <= self.most)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a call is to do."""

    wants: tuple[Want, ...]
    returns: bool = False  #: whether it must return a value; it may raise an exception otherwise

    def is_met(self, call: WitnessedCall) -> bool:
        """Whether a call does it."""
        ends = call.returned or not self.returns
        return ends and all(want.accepts(call.counts.get(want.place, 0)) for want in self.wants)


class WitnessedCall(NamedTuple):
    """What was witnessed of a call."""

    arguments: str
    returned: bool
    counts: Mapping[ProgramLine, int]  #: how often each line ran; those that may be asked about are enough


#: What of one kind a call does and the recorded call does not: ``(recorded, call)``.
ListAims = Callable[[WitnessedCall, WitnessedCall], Iterator[Aim]]


def list_reached(recorded: WitnessedCall, call: WitnessedCall) -> Iterator[Aim]:
    """``reach``: L runs, which it does not in the recorded call, and M runs exactly k times."""
    for line in call.counts:
        if line not in recorded.counts:
            for other in _list_exact(call):
                if other.place != line:
                    yield Aim((Want(line, 1, None), other))


def list_avoided(recorded: WitnessedCall, call: WitnessedCall) -> Iterator[Aim]:
    """``avoid``: L, which runs in the recorded call, does not, and a value is returned.

    An empty argument keeps most lines from running. So M may have to run exactly k times besides.
    """
    for line in recorded.counts if call.returned else ():
        if line not in call.counts:
            avoided = Want(line, 0, 0)
            yield Aim((avoided,), returns=True)
            for other in _list_exact(call):
                yield Aim((avoided, other), returns=True)


def list_repeated(recorded: WitnessedCall, call: WitnessedCall) -> Iterator[Aim]:
    """``rounds``: L runs exactly k times, and not as often as in the recorded call."""
    for want in _list_exact(call):
        if want.least != recorded.counts.get(want.place, 0):
            yield Aim((want,))


def _list_exact(call: WitnessedCall) -> Iterator[Want]:
    """The lines that a call runs so often that the number may be asked for."""
    for line, times in call.counts.items():
        if LEAST <= times <= MOST:
            yield Want(line, times, times)


#: By kind.
AIMS: Mapping[str, ListAims] = {"reach": list_reached, "avoid": list_avoided, "rounds": list_repeated}
