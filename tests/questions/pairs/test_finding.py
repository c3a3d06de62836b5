"""Which pairs are found, and what keeps others out: each rule by a test that fails without it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from pytest_codereason.changes.stages.perturbation import perturb
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Limits
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.planting import ChosenFault
from pytest_codereason.errors import Skip
from pytest_codereason.questions.pairs import finding
from pytest_codereason.questions.pairs.finding import _PairSearch, count_changed, separates
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.questions.pairs.pairing import BREAKING, PROGRAMS, find, make_instance
from tests.questions.stepping import CountingSandbox, take_steps

SOURCE, CALL = PROGRAMS["python"]


def plant_only(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    """Lets one fault be found, and no other."""

    def list_faults(program: Program, operator: str) -> list[str]:
        at = program.source.find(right)
        if operator != "off-by-one" or at < 0:
            return []
        return [ChosenFault(program.entry, Span(at, at + len(right)), wrong, 1).write()]

    monkeypatch.setattr(finding, "draw_faults", list_faults)


@pytest.mark.slow
@pytest.mark.parametrize("spoken", PROGRAMS)
def test_the_two_pairs_of_a_program_look_alike(spoken: str, sandbox: Sandbox) -> None:
    equal, different = (find(make_instance(spoken, pair=pair), sandbox) for pair in ("equal", "different"))
    assert equal.one == different.one
    assert equal.other.text != different.other.text
    assert equal.domain == different.domain
    assert abs(equal.changed - different.changed) <= finding.MOST_APART * max(equal.changed, different.changed)
    assert (equal.equal, different.equal) == (True, False)


@pytest.mark.slow
def test_the_same_seed_finds_the_same(sandbox: Sandbox) -> None:
    assert find(make_instance(), sandbox) == find(make_instance(), sandbox)
    assert len({find(make_instance(seed=seed), sandbox).other.text for seed in range(6)}) > 2


def test_two_to_four_perturbations_are_drawn_and_names_come_last() -> None:
    instance = make_instance()
    searches = [_PairSearch(instance, language("python"), instance.program, seed, "drawn") for seed in range(20)]
    names = [[part.kind.name for part in search.parts] for search in searches]
    assert {2, 3} <= {*map(len, names)} <= {2, 3, 4}
    assert all("rename" not in row[:-1] for row in names)


def test_a_program_that_fewer_than_two_perturbations_change_is_left_out(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "KNOWN", ("function-order", "conditions"))
    with pytest.raises(Skip, match="fewer than two perturbations"):
        find(make_instance(), sandbox)


def test_a_fault_that_most_calls_show_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_only(monkeypatch, "t = 0", "t = 1")
    with pytest.raises(Skip, match="no fault"):
        find(make_instance(), sandbox)
    monkeypatch.setattr(finding, "MOST_SEPARATING", 1.0)
    assert "1" in find(make_instance(), sandbox).other.text


def test_a_fault_that_no_call_shows_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_only(monkeypatch, "t = 0", "t = 0 * 1")
    with pytest.raises(Skip, match="no fault"):
        find(make_instance(), sandbox)


def test_a_fault_that_changes_many_more_tokens_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_only(monkeypatch, "t = t - 7", "t = (t - 7 + 1 - 2 + 3 - 4 + 5 - 6 + 7 - 8 + 9 - 10)")
    instance = make_instance(changes="conditions(strength=1)")
    with pytest.raises(Skip, match="no fault"):
        find(instance, sandbox)
    monkeypatch.setattr(finding, "MOST_APART", 1.0)
    assert find(instance, sandbox).changed > 20


def test_a_fault_is_given_less_time_where_it_is_looked_at_first(sandbox: Sandbox) -> None:
    counting = CountingSandbox(sandbox)
    find(make_instance(), counting)
    times = {run.call.count("f("): run.limits.cpu_s for run in counting.runs if run.limits.cpu_s < 10}
    assert {1, 2} == {*times.values()}
    assert max(times) > 5 * min(many for many, seconds in times.items() if seconds == 1)


def test_a_change_that_some_call_shows_makes_no_equal_pair(sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match="does something else than the program"):
        find(make_instance(changes=BREAKING, pair="equal"), sandbox)


def test_a_program_that_differs_from_run_to_run_is_left_out(sandbox: Sandbox) -> None:
    source = SOURCE.replace("return t", "return [t, list({'a', 'b', 'c', 'd', 'e'})]")
    with pytest.raises(Skip, match="from run to run"):
        find(make_instance(source=source), sandbox)


def test_a_program_with_few_calls_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(a, b):\n    if a and not b:\n        return 1\n    return 2\n"
    with pytest.raises(Skip, match="too few calls"):
        find(make_instance(source=source, call="f(True, False)"), sandbox)


def test_a_witness_separates_where_each_call_is_run_alone(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOURCE.replace("    t = 0\n", "    t = 0\n    SEEN.append(n)\n    if len(SEEN) > 290:\n        t = 9\n", 1)
    plant_only(monkeypatch, "t = 9", "t = 8")
    with pytest.raises(Skip, match="no fault"):
        find(make_instance(source=f"SEEN = []\n{source}"), sandbox)
    monkeypatch.setattr(finding, "separates", _always)
    assert find(make_instance(source=f"SEEN = []\n{source}"), sandbox).witness


def _always(*_: object) -> Generator[None, None, bool]:
    yield from ()
    return True


def test_a_call_that_grows_too_deep_shows_nothing(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SOURCE.replace("    return t\n", "    return deep(t) if n == 7 else t\n")
    source += "def deep(n):\n    return 3 if n < 0 else 1\n"
    plant_only(monkeypatch, "return 3 if n < 0 else 1", "return deep(n)")
    monkeypatch.setattr(finding, "MOST_APART", 1.0)
    with pytest.raises(Skip, match="no fault"):
        find(make_instance(source=source, changes="rename"), sandbox)
    monkeypatch.setattr(finding, "tells", lambda end, several: True)
    monkeypatch.setattr(finding, "separates", _always)
    assert find(make_instance(source=source, changes="rename"), sandbox)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ('"a".repeat(n - 4)', True),
        ("new Array(n - 4).length", True),
        ("(3).toFixed(n * 100)", True),
        ("f(n)", "raises RangeError: Maximum call stack size exceeded"),
        ('"ab".padEnd(2 ** 30 + n)', "is stopped at the limit on memory"),
    ],
)
def test_an_error_of_range_shows_a_difference_unless_the_program_grew_too_deep_or_large(
    end: str, said: bool | str, sandbox: Sandbox
) -> None:
    one = Program.from_source(language="javascript", source="function f(n) { return n; }", call="f(3)")
    other = one.replace_source(f"function f(n) {{ return {end}; }}")
    assert take_steps(separates(language("javascript"), one, other, "2"), sandbox) == said


@pytest.mark.slow
def test_a_program_whose_calls_never_end_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "LIMITS", Limits(cpu_s=1, wall_s=3.0))
    source = SOURCE.replace("    return t\n", "    while n == 4:\n        pass\n    return t\n")
    with pytest.raises(Skip, match="cannot be seen: it is stopped at the limit"):
        find(make_instance(source=source), sandbox)


def test_changed_tokens_are_those_without_a_like_one() -> None:
    one = Program.from_source(language="python", source="a = b + 1\n")
    other = Program.from_source(language="python", source="a = c + 1 - 2\n")
    assert count_changed(one, one) == 0
    assert count_changed(one, other) == 4
    assert count_changed(other, one) == 4
    assert perturb(one, (), 0, "0", "output").text == "a = b + 1\n"
