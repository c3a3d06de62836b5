"""Which models are compared with which.

Example: two runs of the models ``x`` and ``y`` are compared as ``x`` with ``x`` and ``y`` with ``y``. One run is
compared as ``x`` with ``y``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_data import RunData, Subject
from pytest_codereason.results.runs.run_info import RunInfo


@dataclass(frozen=True, slots=True)
class Side:
    """One model in one run, with the letter that stands for it in tables."""

    letter: str
    subject: Subject
    info: RunInfo = field(hash=False)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs of sides to compare, the earlier side first, and the models without a partner, in words."""

    pairs: tuple[tuple[Side, Side], ...]
    left_out: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[Side, ...]:
        """Every side, in the order of its letter."""
        return tuple(dict.fromkeys(side for pair in self.pairs for side in pair))


def pair_sides(data: RunData, models: Sequence[str] = ()) -> Pairing:
    """Pairs the models of one run, or the models of a first run with those of each other run.

    Within one run the first model is compared with each other. Between two runs every model is compared with itself.
    Where the runs share no model and one of them has a single model, that model is compared with each of the other
    run. Baselines count only where ``models`` names them.

    Args:
        models: labels of the models that count; empty for all.

    Raises:
        UsageError: there are no two sides, or no way to tell which models belong together.
    """
    _check_names(data, models)
    by_run = {run: [subject for subject in data.subjects if subject.run == run] for run in data.runs}
    by_run = {run: _choose(data, subjects, models) for run, subjects in by_run.items()}
    first, *others = by_run
    if not others:
        pairs = [(by_run[first][0], other) for other in by_run[first][1:]]
        if not pairs:
            only = by_run[first][0].model if by_run[first] else "no model"
            raise UsageError(f"{first}: there is nothing to compare {only} with; name a second run, or a second model")
        return _give_letters(data, pairs, [])
    pairs, left_out = [], []
    for other in others:
        joined = _join(by_run[first], by_run[other])
        pairs += joined
        for run, place in ((first, 0), (other, 1)):
            paired = {pair[place].model for pair in joined}
            left_out += [f"{each.model} ({run})" for each in by_run[run] if each.model not in paired]
    return _give_letters(data, pairs, left_out)


def _check_names(data: RunData, models: Sequence[str]) -> None:
    known = list(dict.fromkeys(subject.model for subject in data.subjects))
    for model in models:
        if model not in known:
            raise UsageError(
                f"--model {model}: no run has it{suggest_name(model, known)}; there are {', '.join(known)}"
            )


def _choose(data: RunData, subjects: Sequence[Subject], models: Sequence[str]) -> list[Subject]:
    if models:
        chosen = [subject for model in models for subject in subjects if subject.model == model]
        return list(dict.fromkeys(chosen))
    asked = [subject for subject in subjects if not data.runs[subject.run].models[subject.model].is_baseline]
    return asked or list(subjects)


def _join(before: Sequence[Subject], after: Sequence[Subject]) -> list[tuple[Subject, Subject]]:
    """Raises:
    UsageError: nothing says which models belong together.
    """
    after_by_model = {subject.model: subject for subject in after}
    same = [(subject, after_by_model[subject.model]) for subject in before if subject.model in after_by_model]
    if same:
        return same
    if before and after and 1 in (len(before), len(after)):
        return [(old, new) for old in before for new in after]
    raise UsageError(
        f"the runs share no model: one asked {_list(before)}, the other {_list(after)}; "
        "choose one of each with --model NAME --model NAME"
    )


def _list(subjects: Iterable[Subject]) -> str:
    return ", ".join(subject.model for subject in subjects) or "none of these"


def _give_letters(data: RunData, pairs: Sequence[tuple[Subject, Subject]], left_out: Sequence[str]) -> Pairing:
    sides: dict[Subject, Side] = {}
    for subject in dict.fromkeys(subject for pair in pairs for subject in pair):
        sides[subject] = Side(_name_letter(len(sides)), subject, data.runs[subject.run])
    return Pairing(tuple((sides[old], sides[new]) for old, new in pairs), tuple(dict.fromkeys(left_out)))


def _name_letter(place: int) -> str:
    """``A`` to ``Z``, then ``A2`` to ``Z2`` and so on."""
    rounds, letter = divmod(place, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(rounds + 1) if rounds else "")
