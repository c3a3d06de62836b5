"""A moment is drawn from the fair ones, by weight; a naive answer is right in half of the draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.own_lines import remember_lines
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate, measure_entropy
from pytest_codereason.questions.moments.drawing import draw_candidate, list_fair
from pytest_codereason.questions.moments.kinds.branch import BranchKind
from pytest_codereason.questions.moments.kinds.following import NextKind
from pytest_codereason.questions.moments.kinds.value import ValueKind
from pytest_codereason.questions.moments.kinds.writing import WriterKind
from pytest_codereason.questions.moments.probing import MOST_NOTES, choose_probes
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.moments.wording import order
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import watch, watch_program

PLACE = ProgramLine("main", 1)
DRAWS = 400


class Listed(Kind):
    """A kind whose moments are given."""

    name = "listed"

    def __init__(self, *candidates: MomentCandidate) -> None:
        self._candidates = candidates

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """The given moments."""
        yield from self._candidates


@pytest.fixture(scope="module")
def run(sandbox: Sandbox) -> WitnessedRun:
    return watch(sandbox, "a = 1\n")


def make(answer: str, **more: object) -> MomentCandidate:
    return replace(MomentCandidate(place=PLACE, answer=answer), **more)  # type: ignore[arg-type]


def draw(run: WitnessedRun, *candidates: MomentCandidate) -> Counter[str]:
    """How often each answer is drawn; ``skipped`` where nothing is."""
    found: Counter[str] = Counter()
    for seed in range(DRAWS):
        try:
            found[draw_candidate(Listed(*candidates), run, Draws(seed)).answer] += 1
        except Skip:
            found["skipped"] += 1
    return found


def test_a_later_visit_is_more_likely_drawn_than_the_first(run: WitnessedRun) -> None:
    found = draw(run, make("first", visit=1), make("later", visit=2))
    assert 0.7 * DRAWS < found["later"] < 0.9 * DRAWS


def test_an_answer_of_an_excluded_reader_is_left_out(run: WitnessedRun) -> None:
    fair = make("a", excluded={"first": "b", "last": "c"})
    kind = Listed(fair, make("b", excluded={"first": "b"}), make("c", excluded={"first": "b", "last": "c"}))
    assert list_fair(kind, run) == [fair]


def test_nothing_fair_is_skipped(run: WitnessedRun) -> None:
    with pytest.raises(Skip, match="no moment of the kind listed"):
        draw_candidate(Listed(make("b", excluded={"first": "b"})), run, Draws(0))


def test_a_moment_is_drawn_by_its_weight(run: WitnessedRun) -> None:
    drawn = draw(run, make("a", weight=3.0), make("b", weight=1.0))
    assert drawn["a"] + drawn["b"] == DRAWS
    assert 0.68 < drawn["a"] / DRAWS < 0.82


def test_the_naive_answer_is_right_in_half_of_the_questions(run: WitnessedRun) -> None:
    drawn = draw(run, *[make("yes", naive="yes")] * 9, make("no", naive="yes"))
    assert drawn["yes"] + drawn["no"] == DRAWS
    assert 0.42 < drawn["yes"] / DRAWS < 0.58


def test_a_run_with_naive_answers_alone_is_skipped_in_half(run: WitnessedRun) -> None:
    drawn = draw(run, make("yes", naive="yes"))
    assert 0.42 < drawn["skipped"] / DRAWS < 0.58


PROGRAMS = {
    "python": "def f(xs):\n    best, run = 0, 0\n    for x in xs:\n        if x > 3:\n            run = run + x\n"
    "        else:\n            run = 0\n        best = max(best, run)\n    return best\n",
    "javascript": "function f(xs) {\n    let best = 0;\n    let run = 0;\n    for (const x of xs) {\n"
    "        if (x > 3) {\n            run = run + x;\n        } else {\n            run = 0;\n        }\n"
    "        best = Math.max(best, run);\n    }\n    return best;\n}\n",
}
CALL = "f([4, 9, 1, 15, 6, 8, 2, 7, 1, 5, 12, 3, 17])"


@pytest.mark.parametrize("spoken", PROGRAMS)
def test_moments_of_a_changed_program_are_those_of_the_program(spoken: str, sandbox: Sandbox) -> None:
    program = remember_lines(Program.from_source(language=spoken, source=PROGRAMS[spoken], call=CALL))
    changed = perturb(program, parse("dead-code"), 0, "f", "moment")
    assert changed.source.count("\n") > program.source.count("\n") + 3
    runs = [watch_program(sandbox, each) for each in (program, changed)]
    for kind in (ValueKind(), BranchKind(), WriterKind()):
        for seed in range(6):
            one, other = (draw_or_skip(kind, run, seed) for run in runs)
            assert one == other
    # What runs next may be a line that was added: nothing is asked then.
    following = list_fair(NextKind(), runs[1])
    assert all(runs[1].is_own(each.place) and runs[1].is_own(each.answer) for each in following)
    assert any(not runs[1].is_own(place) for place in runs[1].visits)


def draw_or_skip(kind: Kind, run: WitnessedRun, seed: int) -> object:
    """What is asked about, by the texts of its lines."""
    try:
        drawn = draw_candidate(kind, run, Draws(seed))
    except Skip:
        return None
    lines = run.program.source.split("\n")
    answer = lines[drawn.answer.line - 1].strip() if isinstance(drawn.answer, ProgramLine) else drawn.answer
    return lines[drawn.place.line - 1].strip(), drawn.visit, drawn.names, answer


def test_entropy_is_at_least_a_bit() -> None:
    assert measure_entropy("aaaa") == 1
    assert measure_entropy("aabb") == 1
    assert measure_entropy("abcdefgh") == 3


def test_ordinals() -> None:
    assert [order(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
    )


def test_probes_look_at_all_variables_as_long_as_there_is_room(sandbox: Sandbox) -> None:
    names = [f"v{n}" for n in range(9)]
    head = f"def f(n):\n    {' = '.join(names)} = 0\n    for i in range(n):\n"
    lines = [f"        {name} = {name} + i\n" for name in names]
    few = watch(sandbox, head + "".join(lines[:3]), "f(4)")
    assert {probe.line for probe in few.probes} == {2, 4, 5, 6}
    assert {"n", "i", "v0"} <= {*few.probes[0].names}
    many = watch(sandbox, head + "".join(lines), "f(250)")
    noted = sum(len(many.visits[many.find_probed(n)]) * len(probe.names) for n, probe in enumerate(many.probes))
    assert MOST_NOTES * 0.8 < noted <= MOST_NOTES
    assert len(many.probes) < len(lines)
    assert choose_probes(many, Draws(0)) == many.probes != choose_probes(many, Draws(1))


def test_a_kind_says_how_often_the_naive_answer_is_asked_for(
    run: WitnessedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Listed, "naive_chance", 0.1)
    drawn = draw(run, make("yes", naive="yes"), make("no", naive="yes"))
    assert 0.05 < drawn["yes"] / DRAWS < 0.16
