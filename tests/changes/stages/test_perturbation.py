"""The stage that changes programs and keeps what they do."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.changes.perturbations.comments import Comments
from pytest_codereason.changes.perturbations.conditions import Conditions
from pytest_codereason.changes.perturbations.misleading_names import MisleadingNames
from pytest_codereason.changes.perturbations.rename import Rename
from pytest_codereason.changes.stages.perturbation import NAMED, Part, PerturbationStage, parse, perturb, request_texts
from pytest_codereason.core import Dose, Facts, Instance, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.errors import BadSetting, PartError, Skip, UsageError
from pytest_codereason.questions.suites.reading import load as load_suite
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.sandbox import Sandbox
from tests.changes.stages.own_perturbations import Strong, Undosed
from tests.toy import Toy
from tests.toy.syntax import ToySyntax

SOURCE = "def add(a, b):\n    # adds\n    if a:\n        return a + b\n    return b\n"
PLAIN = "def add(a, b):\n    return a + b\n"
OWN = Undosed.__module__


def program(source: str = SOURCE, language: str = "python") -> Program:
    return Program.from_source(language=language, source=source, call="add(1, 2)", facts=Facts(output=3, input="1, 2"))


def instance(value: str, source: str = SOURCE) -> Instance:
    return Instance(
        id="x",
        family="x",
        suite="misleading",
        program=program(source),
        axes={"perturbation": value},
        matrix={"perturbation": value},
        shots=(program(PLAIN),),
        template=load("output-prediction", "direct"),
        asks="output",
    )


def stage(seed: int = 3) -> PerturbationStage:
    return PerturbationStage.create({}, seed=seed, languages=["python"])


def show_instance(value: str, source: str = SOURCE, seed: int = 3) -> Instance:
    return stage(seed).apply(instance(value, source), lambda _: None)


class Flat(ToySyntax):
    def normalise(self, source: str) -> Any:
        return source


class FlatToy(Toy):
    name = f"{__name__}:FlatToy"
    syntax = Flat()


def test_a_layout_that_is_none_is_blamed_on_the_language() -> None:
    flat = program(PLAIN, language=FlatToy.name)
    with pytest.raises(PartError, match=r"the syntax .*:Flat raised TypeError: normalise must return what .*, not str"):
        perturb(flat, parse("vanilla"), seed=3, family="x", asks="output")


def test_none_leaves_the_program_as_it_is_written() -> None:
    given = instance("none")
    assert stage().apply(given, lambda _: None) is given


def test_vanilla_loses_comments_and_layout() -> None:
    vanilla = show_instance("vanilla")
    assert vanilla.program.source == SOURCE.replace("    # adds\n", "")
    assert vanilla.original == program()
    assert vanilla.verify


def test_names_and_doses() -> None:
    assert parse("none") == ()
    assert parse("rename") == (Part(Rename, Dose()),)
    assert parse(" rename( strength = 3 , density=0.5,place=2 ) + conditions") == (
        Part(Rename, Dose(strength=3, density=0.5, place=2)),
        Part(Conditions, Dose()),
    )
    assert parse("comments(placement=own-line,density=0.5)") == (
        Part(Comments, Dose(density=0.5, placement="own-line")),
    )
    assert [part.kind.name for part in parse("psc-all")] == NAMED["psc-all"].split("+")


def test_compositions_share_the_steps_with_which_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    change, changed = Rename.apply, list[Program]()

    def apply(self: Rename, program: Program, draws: Draws, dose: Dose, asks: str) -> Program:
        changed.append(program)
        return change(self, program, draws, dose, asks)

    monkeypatch.setattr(Rename, "apply", apply)
    fresh = program("def add(first, second):\n    if first:\n        return first + second\n    return second\n")
    for value in ("rename", "rename+conditions", "rename+comments"):
        perturb(fresh, parse(value), 3, "x", "output")
    assert len(changed) == 1
    wrong = replace(fresh, facts=fresh.facts.replace(output=4))
    assert perturb(wrong, parse("rename"), 3, "x", "output").facts.output == 4
    perturb(fresh, parse("rename(strength=1)"), 3, "x", "output")
    perturb(fresh, parse("rename"), 4, "x", "output")
    assert len(changed) == 4


def test_texts_that_do_not_depend_on_the_program_are_asked_for_before_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(MisleadingNames, "apply", None)
    parts = parse("misleading-names+misleading-comments")
    requests = request_texts(program(), parts, 3, "x", "fault")
    assert [(place, request.kind) for place, request in requests] == [(0, "names"), (1, "comments")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("renam", "rename"),
        ("", "is not a perturbation"),
        ("rename+", "is not a perturbation"),
        ("rename(", "is not a perturbation"),
        ("none+rename", "none, which changes nothing"),
        ("rename(strength=0)", "whole number from 1 to 100"),
        ("rename(strength=x)", "whole number from 1 to 100"),
        ("rename(density=1.5)", "a number from 0 to 1"),
        ("rename(density=nan)", "a number from 0 to 1"),
        ("rename(place=5)", "from 1 to 4, or random"),
        ("rename(size=5)", "strength, density and place, each"),
        ("rename(placement=own-line)", "strength, density and place, each"),
        ("comments(size=5)", "strength, density, place and placement, each"),
        ("comments(placement=left)", "placement is end-of-line or own-line"),
        ("rename(place=1,place=2)", "at most once"),
        ("rename(strength)", "from 1 to 100"),
        ("vanilla(size=1)", "the settings are strength, density"),
        (f"{OWN}:Undosed(strength=1)", rf"^{OWN}:Undosed\(strength=1\): Undosed does not say .* strength.*doses = "),
        (f"{OWN}:Strong(density=0.5)", r"Strong\(density=0.5\): Strong does not say that it obeys density"),
        (f"{OWN}:Strong(size=5)", "the settings are strength, each"),
    ],
)
def test_what_cannot_be_is_said_with_what_there_is(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        parse(text)
    with pytest.raises(BadSetting, match=complaint):
        stage().axes["perturbation"].accepts(text)


def test_a_part_of_a_users_own_gets_the_settings_that_it_declares() -> None:
    assert parse(f"{OWN}:Undosed+{OWN}:Strong(strength=2)") == (Part(Undosed, Dose()), Part(Strong, Dose(strength=2)))


def test_a_program_that_a_perturbation_gives_back_as_it_was_has_a_reason() -> None:
    reason = f"{OWN}:Idle found nothing to change"
    shown = show_instance(f"{OWN}:Idle")
    assert (shown.program.source, shown.unchanged) == (show_instance("vanilla").program.source, reason)
    assert show_instance("vanilla").unchanged == "", "which changes nothing on purpose"
    assert show_instance(f"{OWN}:Idle(density=0.5)").unchanged == "", "a density may choose no place"
    assert show_instance(f"rename+{OWN}:Idle").program == show_instance("rename").program
    assert show_instance(f"{OWN}:Idle+conditions", PLAIN).unchanged == reason


def test_only_texts_are_accepted() -> None:
    assert not stage().axes["perturbation"].accepts(3)
    with pytest.raises(BadSetting, match="has keep"):
        PerturbationStage.create({"seed": 3}, seed=0, languages=[])


def test_programs_may_keep_their_layout_and_comments() -> None:
    source = "def f(a, b):\n    # the sum\n    return (a  +\n            b)\n"
    program = replace(instance("vanilla").program, files={"main": source})
    kept = PerturbationStage.create({"keep": "layout"}, seed=3, languages=["python"])
    for value in ("vanilla", "rename"):
        given = replace(instance(value), program=program)
        shown = kept.apply(given, lambda _: None).program.source
        assert "# the sum" in shown
        assert shown.count("\n") == 4
        assert (shown == source) == (value == "vanilla")
        assert "#" not in stage().apply(given, lambda _: None).program.source
    assert kept.identity == {**stage().identity, "keep": "layout"}
    with pytest.raises(BadSetting, match='keep is "layout", or is left out'):
        PerturbationStage.create({"keep": "comments"}, seed=0, languages=[])


def test_worked_examples_are_changed_alike() -> None:
    changed_instance = show_instance("rename")
    assert changed_instance.shots[0].source == "def f(Var_1, Var_2):\n    return Var_1 + Var_2\n"
    assert changed_instance.shots[0].call == changed_instance.program.call == "f(1, 2)"


@pytest.mark.parametrize("value", ["rename", "comments", "hint", "rename+prints"])
def test_plain_worked_examples_stay_as_vanilla_shows_them(value: str) -> None:
    given = instance(value)
    given = replace(given, axes={**given.axes, "examples": "plain"})
    requests = stage().text_requests(given)
    assert not [request for request in requests if request.place.startswith("shot")]
    plain = stage().apply(given, lambda _: None)
    assert plain.shots == show_instance("vanilla").shots
    assert plain.program == show_instance(value).program
    assert show_instance(value).shots != plain.shots


def test_a_worked_example_is_changed_once_for_all_questions_of_a_suite() -> None:
    first, other = show_instance("rename"), show_instance("rename", "def add(a, b):\n    return b\n")
    assert other.shots[0] is first.shots[0]
    assert show_instance("rename(strength=1)").shots[0] != first.shots[0]
    explained = replace(instance("rename"), shots=(replace(program(PLAIN), facts=Facts(output=3, reasoning="Sums.")),))
    assert stage().apply(explained, lambda _: None).shots[0].facts["reasoning"] == "Sums."


def test_a_worked_example_with_nothing_to_change_is_shown_as_it_is() -> None:
    assert show_instance("conditions").shots[0].source == PLAIN


def test_a_part_with_nothing_to_change_is_passed_over_where_another_finds_something() -> None:
    assert show_instance("conditions+rename", PLAIN).program.call == "f(1, 2)"


LOOP = "def add(a, b):\n    while True:\n        if a > b:\n            return b\n        a += 1\n"


def test_all_three_structural_changes_leave_no_name_in_place() -> None:
    """As in the study: names are changed last, in inserted conditions, prints and calls of ``eval`` too."""
    seen = ""
    for seed in range(60):
        changed = perturb(program(LOOP), parse("psc-all"), seed, "x", "output")
        names = set(re.findall(r"[A-Za-z_]\w*", changed.source))
        assert not names & {"a", "b", "add", "_", "i"}, changed.source
        assert not any(name.startswith("Temp") for name in names), changed.source
        assert changed.call == "f(1, 2)"
        functions = {name for name in names if re.fullmatch(r"f\d*", name)}
        assert functions == {"f", *(f"f{n}" for n in range(1, len(functions)))}, "no gap tells of a name that was there"
        assert {*changed.facts["forms"]} == {"conditions", "dead-code"}
        seen += changed.source
    assert "eval(str(True))" in seen
    assert re.search(r"print\(Var_\d\)", seen)
    assert "eval(str(False))" not in seen, "inserted conditions are not rewritten"


def test_a_str_of_the_programs_own_may_see_names() -> None:
    own = "def str(x):\n    return 'a'\ndef add(a, b):\n    return eval(str(True))\n"
    assert "def add(a, b)" in perturb(program(own), parse("rename"), 0, "x", "output").source


def test_the_forms_of_an_instance_are_plain_numbers() -> None:
    shown = PerturbationStage(0).apply(instance("conditions"), lambda text: None)
    assert shown.forms == {"conditions": {"published": 1, "safe": 0}}


def test_a_program_without_a_condition_is_asked_unchanged() -> None:
    for text in ("conditions", "conditions+conditions(strength=2)"):
        shown = show_instance(text, PLAIN)
        assert shown.program == show_instance("vanilla", PLAIN).program
        assert shown.unchanged == "there is no condition to rewrite"
    assert show_instance("conditions").unchanged == show_instance("conditions+rename", PLAIN).unchanged == ""
    with pytest.raises(Skip, match="in quarter 4"):
        show_instance("conditions(place=4)")


def test_a_program_that_cannot_be_read_is_no_question() -> None:
    with pytest.raises(Skip, match="cannot be read"):
        show_instance("rename", "def f(:\n")


def test_a_random_place_is_one_quarter_of_each_program() -> None:
    lines = [f"    v{n} = a + {n}\n" for n in range(12)]
    source = f"def add(a, b):\n{''.join(lines)}    return a + b\n"

    def change(text: str, family: str) -> str:
        return perturb(program(source), parse(text), 0, family, "output").source

    found = set()
    for family in map(str, range(24)):
        by_quarter = {change(f"comments(place={quarter})", family): quarter for quarter in (1, 2, 3, 4)}
        found.add(by_quarter[change("comments(place=random)", family)])
    assert found == {1, 2, 3, 4}


def test_a_random_place_is_a_quarter_that_has_a_place() -> None:
    """The condition stands in the first quarter alone, and no draw skips the question."""
    for seed in range(12):
        changed = perturb(program(), parse("conditions(place=random)"), seed, "x", "output")
        assert changed.source == perturb(program(), parse("conditions"), seed, "x", "output").source


def test_each_part_draws_for_itself() -> None:
    """What one part draws does not depend on which others stand before it."""
    alone = show_instance("conditions").program.source
    after = show_instance("rename+conditions").program.source
    names = {"add": "f", "a": "Var_1", "b": "Var_2"}
    assert after == re.sub(r"\b(?:add|a|b)\b", lambda match: names[match[0]], alone)


def test_the_same_part_twice_draws_anew() -> None:
    texts = {perturb(program(), parse("conditions+conditions"), seed, "x", "output").source for seed in range(8)}
    assert len(texts) > 4


def test_seed_and_family_decide() -> None:
    texts = {(seed, show_instance("conditions", seed=seed).program.source) for seed in range(9)}
    assert len({text for _, text in texts}) > 1
    assert show_instance("conditions") == show_instance("conditions")
    assert stage(1).identity != stage(2).identity


def test_what_a_perturbation_broke_is_not_asked_about(sandbox: Sandbox) -> None:
    """Run before it is asked about, and held against the facts, or else against the original."""

    async def run(job: Run) -> Execution:
        return sandbox.run(job)

    def verified(instance: Instance) -> None:
        asyncio.run(FactChecker(run).check_perturbed(instance))

    good = show_instance("psc-all")
    verified(good)
    function = good.program.call.partition("(")[0]
    broken = replace(good, program=good.program.replace_source(f"def {function}(x, y):\n    return x\n"))
    with pytest.raises(Skip, match="returns something else"):
        verified(broken)
    facts = Facts(input="1, 2")
    unknown = replace(broken, program=replace(broken.program, facts=facts))
    with pytest.raises(Skip, match="returns something else"):
        verified(unknown)
    raising = replace(good, program=good.program.replace_source("def f(x, y):\n    return z\n"))
    with pytest.raises(Skip, match="raises NameError"):
        verified(raising)


def test_it_may_stand_at_the_top_with_one_value(tmp_path: Path) -> None:
    path = tmp_path / "changed.suite.toml"
    path.write_text('task = "output-prediction"\nperturbation = "rename"\n[source]\nname = "semtrace"\ncount = 1\n')
    suite = load_suite(path)
    assert suite.conditions.fixed["perturbation"] == "rename"
    assert all(spec.axes == () for spec in suite.specs())
    path.write_text('task = "output-prediction"\n[source]\nname = "semtrace"\n[perturbation]\nkind = 1\n')
    with pytest.raises(UsageError, match=r"changed\.suite\.toml:5: .*'kind'"):
        load_suite(path)
