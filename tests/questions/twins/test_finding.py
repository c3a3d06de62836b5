"""Which fresh calls are taken, and what keeps others out: each rule by a test that fails without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pytest_codereason.core import Ask, Instance, Program
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.planting import ChosenFault
from pytest_codereason.errors import Skip
from pytest_codereason.questions.authoring import further_calls
from pytest_codereason.questions.twins import finding
from pytest_codereason.questions.twins.finding import Twin, find_twin, measure_bits
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow
from tests.questions.twins.twin_programs import PROGRAMS, make_instance


def find(instance: Instance, sandbox: Sandbox) -> Twin:
    steps = find_twin(instance, language(instance.language), str(instance.axes["twin"]))
    try:
        step = next(steps)
        while True:
            assert not isinstance(step, Ask)
            step = steps.send(sandbox.run(step))
    except StopIteration as done:
        twin: Twin = done.value
        return twin


@pytest.mark.slow
@pytest.mark.parametrize("spoken", PROGRAMS)
def test_a_fresh_call_gives_another_output(spoken: str, sandbox: Sandbox) -> None:
    published = find(make_instance(sandbox, "published", spoken), sandbox)
    fresh = find(make_instance(sandbox, "fresh-input", spoken), sandbox)
    call = PROGRAMS[spoken][1]
    assert published.program.call == call
    assert fresh.program.call != call
    assert fresh.value != published.value
    assert fresh.program.source == published.program.source
    assert sandbox.run(Run.from_program(fresh.program)).value == fresh.value


def test_every_call_has_as_many_arguments_as_the_published_one(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[str]()

    def make_run(program: Program, calls: Sequence[str], limits: Limits) -> Run | None:
        tried.extend(calls)
        return further_calls.make_run(program, calls, limits)

    monkeypatch.setattr(finding, "make_run", make_run)
    source = "function f(a, b, c) { return [a, b, c].join('-'); }"
    instance = make_instance(sandbox, "fresh-input", "javascript", source, "f('abc', 'xyz', [1])")
    fresh = find(instance, sandbox).program.call
    values = language("javascript").values
    assert len(tried) > 100
    assert {len(values.read_arguments(call[2:-1]).values) for call in [fresh, *tried]} == {3}


def test_a_changed_program_gives_another_output_for_the_fresh_call(sandbox: Sandbox) -> None:
    fresh, changed = (find(make_instance(sandbox, kind), sandbox) for kind in ("fresh-input", "fresh-program"))
    assert changed.program.call == fresh.program.call
    assert changed.program.source != fresh.program.source
    assert changed.program.source.count("\n") == fresh.program.source.count("\n")
    assert changed.value != fresh.value
    assert sandbox.run(Run.from_program(changed.program)).value == changed.value


def plant_only(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    """Lets one small change be found, and no other."""

    def draw_faults(program: Program, operator: str) -> list[str]:
        at = program.source.index(right)
        fault = ChosenFault(program.entry, Span(at, at + len(right)), wrong, 1)
        return [fault.write()] if operator == "off-by-one" else []

    monkeypatch.setattr(finding, "draw_faults", draw_faults)


@pytest.mark.parametrize(
    "wrong",
    [
        "x * 2 + 0",  # the same output
        "[x] * 400",  # much longer
        "[].pop()",  # an exception
        "list({str(x), 'c', 'd', 'e'})",  # another output from run to run
    ],
)
def test_a_changed_program_that_will_not_do(wrong: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_only(monkeypatch, "x * 2", wrong)
    with pytest.raises(Skip, match="no small change"):
        find(make_instance(sandbox, "fresh-program"), sandbox)
    plant_only(monkeypatch, "x * 2", "x * 3")
    assert find(make_instance(sandbox, "fresh-program"), sandbox)


def test_a_changed_program_that_gives_the_published_output_is_left_out(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_only(monkeypatch, "[x * 2 for x in xs if x > 3]", "[14, 8, 18] + [x for x in xs if x > 99]")
    with pytest.raises(Skip, match="no small change"):
        find(make_instance(sandbox, "fresh-program"), sandbox)
    plant_only(monkeypatch, "[x * 2 for x in xs if x > 3]", "[14, 8, 17] + [x for x in xs if x > 99]")
    assert find(make_instance(sandbox, "fresh-program"), sandbox).value == [14, 8, 17]


def test_a_changed_program_with_many_more_lines_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(xs):\n    t = 10\n    while t > 9:\n        t -= 1\n    return [x * 2 + t for x in xs]\n"
    plant_only(monkeypatch, "t = 10", "t = 99")
    assert find(make_instance(sandbox, "fresh-input", source=source), sandbox)
    plant_only(monkeypatch, "t > 9", "t > 1")
    with pytest.raises(Skip, match="no small change"):
        find(make_instance(sandbox, "fresh-program", source=source), sandbox)


def test_the_same_seed_takes_the_same(sandbox: Sandbox) -> None:
    calls = [find(make_instance(sandbox, "fresh-input", seed=seed), sandbox).program.call for seed in (0, 0, 1, 2)]
    assert calls[0] == calls[1]
    assert len({*calls}) == 3


@pytest.mark.parametrize("spoken", mostly_slow(["python", "javascript"], 2))
def test_arguments_stay_in_their_places(spoken: str, sandbox: Sandbox) -> None:
    source = {
        "python": "def f(text, sign, n=3, *more):\n    return text + sign * n\n",
        "javascript": "function f(text, sign, n) { return text + sign.repeat(n); }",
    }[spoken]
    for seed in range(4):
        instance = make_instance(sandbox, "fresh-input", spoken, source, "f('abcdefghij', 'x', 4)", seed)
        _, _, arguments = find(instance, sandbox).program.call.partition("(")
        text, sign, number = language(spoken).values.read_arguments(arguments.removesuffix(")")).values
        assert (8 <= len(text) <= 12, len(sign), type(number)) == (True, 1, int)


def test_an_answer_that_could_be_guessed_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(xs):\n    return len(xs) % 2 == 0\n"
    for kind in ("published", "fresh-input"):
        with pytest.raises(Skip, match="could be guessed"):
            find(make_instance(sandbox, kind, source=source), sandbox)
    monkeypatch.setattr(finding, "LEAST_BITS", 0.0)
    assert find(make_instance(sandbox, "fresh-input", source=source), sandbox).value is True


def test_an_answer_of_another_length_is_left_out(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(n):\n    return 'x' * 40 if n == 5000 else 'yz' * (n % 12)\n"
    with pytest.raises(Skip, match="about as long"):
        find(make_instance(sandbox, "fresh-input", source=source, call="f(5000)"), sandbox)
    monkeypatch.setattr(finding, "MOST_APART", 1.0)
    assert find(make_instance(sandbox, "fresh-input", source=source, call="f(5000)"), sandbox)


@pytest.mark.slow
def test_a_call_with_many_more_lines_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    t = 0\n    if n != 5000:\n        while t < 100:\n            t += 1\n    return n + 1\n"
    with pytest.raises(Skip, match="as many lines"):
        find(make_instance(sandbox, "fresh-input", source=source, call="f(5000)"), sandbox)
    short = source.replace("while t < 100:\n            t += 1", "t += 1")
    assert find(make_instance(sandbox, "fresh-input", source=short, call="f(5000)"), sandbox)


@pytest.mark.slow
def test_an_output_that_differs_from_run_to_run_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    return 1234 if n == 5000 else list({str(n + k) for k in range(5)})[0]\n"
    with pytest.raises(Skip, match="no other call"):
        find(make_instance(sandbox, "fresh-input", source=source, call="f(5000)"), sandbox)


@pytest.mark.slow
def test_a_broken_call_raises_in_half_of_the_programs(sandbox: Sandbox) -> None:
    twins = [find(make_instance(sandbox, "fresh-raise", seed=seed), sandbox) for seed in range(8)]
    assert {twin.returned for twin in twins} == {True, False}
    assert {twin.value for twin in twins if not twin.returned} == {"TypeError"}


def test_a_call_that_recurses_too_deep_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(n):\n    return 1 if n == 5 else f(n)\n"
    for seed in range(3):
        with pytest.raises(Skip, match=r"no broken call|cannot be seen"):
            find(make_instance(sandbox, "fresh-raise", source=source, call="f(5)", seed=seed), sandbox)


@pytest.mark.parametrize("call", ["f()", "f(xs=[1])"])
def test_a_call_without_plain_arguments_is_left_out(call: str, sandbox: Sandbox) -> None:
    with pytest.raises(Skip, match=r"no arguments, or names some"):
        find(make_instance(sandbox, "fresh-input", source="def f(xs=()):\n    return [*xs]\n", call=call), sandbox)


def test_entropy() -> None:
    assert measure_bits(["a"] * 8) == 0
    assert measure_bits(["a", "b"] * 4) == 1
    assert measure_bits([*"abcdefgh"]) == 3
