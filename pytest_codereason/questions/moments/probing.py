"""Chooses where variables are looked at in the second run of a program."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.core.language.moments import MOST_VISITS, LineProbe
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: The most values that all probes of a run note, and the most variables of one probe.
MOST_NOTES, MOST_NAMES = 20_000, 12


def choose_probes(run: WitnessedRun, draws: Draws) -> tuple[LineProbe, ...]:
    """Probes at lines of the program, drawn as long as there is room for what they note, in the order of the text.

    A probe looks at all variables of the function around its line.
    """
    left, chosen = MOST_NOTES, list[LineProbe]()
    for place in draws.shuffle(sorted(_list_places(run))):
        names = run.lines.files[place.file].list_variables(run.name_function(place) or "")[:MOST_NAMES]
        notes = min(len(run.visits[place]), MOST_VISITS) * len(names)
        if 0 < notes <= left:
            left -= notes
            chosen.append(LineProbe(place.file, place.line, tuple(names)))
    return tuple(sorted(chosen))


def _list_places(run: WitnessedRun) -> Iterator[ProgramLine]:
    for place in run.visits:
        if run.name_function(place) is not None:
            yield place
