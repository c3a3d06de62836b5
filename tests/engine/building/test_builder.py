"""Questions are built with the facts, texts and checks of a run."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Instance, Model, Program, RunProgram
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.authoring import Commission, Writer
from pytest_codereason.engine.building.builder import Builder, Built
from pytest_codereason.engine.sending import Sender
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import FatalModelError, SandboxError, Skip
from pytest_codereason.fuzzing.probes import Probe, Probes
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.askers import make_sender
from tests.engine.building.loaded import ROW, load
from tests.engine.tellers import Teller

RENAMED = 'check = false\n[matrix]\nperturbation = ["rename"]\n'


def run_here(ran: list[Run], *endings: Execution) -> RunProgram:
    """Runs nothing, and says that each program ended so."""
    left = list(endings)

    async def run(program: Run) -> Execution:
        ran.append(program)
        return left.pop(0) if len(left) > 1 else left[0]

    return run


def build(suite: Suite, run: RunProgram) -> Built:
    (spec,) = suite.specs()
    return asyncio.run(Builder(run).build(suite, spec))


def end(value: object) -> Execution:
    return Execution(ending="returned", value=value, tier="namespaces")


def test_an_output_that_the_source_does_not_know_is_computed(tmp_path: Path) -> None:
    ran = list[Run]()
    built = build(load(tmp_path, ROW), run_here(ran, end(3)))
    assert built.instance.program.facts["output"] == 3
    assert built.tier == "namespaces"
    assert [run.attempt for run in ran][:2] == [0, 1], "an output that differs each time is no right answer"
    with pytest.raises(Skip, match="something else each time"):
        build(load(tmp_path, ROW), run_here(ran, end(3), end(4)))


def test_a_known_output_is_believed_unless_the_suite_checks_it(tmp_path: Path) -> None:
    ran, row = list[Run](), ROW | {"output": "3"}
    assert build(load(tmp_path, row, "check = false\n"), run_here(ran, end(4))).tier == ""
    assert ran == []
    with pytest.raises(Skip, match="the recorded output is wrong"):
        build(load(tmp_path, row), run_here(ran, end(4)))


def test_an_output_is_not_checked_in_a_language_that_nothing_runs(tmp_path: Path) -> None:
    """The message says how to ask all the same."""
    row = ROW | {"language": "tests.engine.building.loaded:Mute", "output": "3"}
    ran = list[Run]()
    suite = load(tmp_path, row)
    with pytest.raises(SandboxError, match=r"language mute has no runner, so .*: to trust them, write check = false"):
        build(suite, run_here(ran, end(3)))
    assert build(load(tmp_path, row, "check = false\n"), run_here(ran, end(3))).instance.program.facts["output"] == 3
    assert not ran


def test_a_changed_program_must_do_what_the_reference_does(tmp_path: Path) -> None:
    suite, ran = load(tmp_path, ROW | {"output": "3"}, RENAMED), list[Run]()
    built = build(suite, run_here(ran, end(3)))
    assert built.instance.program.source != ROW["code"]
    assert built.instance.checked_calls >= 1
    assert built.tier == "namespaces"
    with pytest.raises(Skip, match="returns something else"):
        build(suite, run_here(ran, end(4)))


def test_a_question_can_be_seen_before_its_changed_program_is_run(tmp_path: Path) -> None:
    suite, ran = load(tmp_path, ROW | {"output": "3"}, RENAMED), list[Run]()
    (spec,) = suite.specs()
    builder = Builder(run_here(ran, end(4)))
    built = asyncio.run(builder.complete(suite, spec))
    assert (ran, built.instance.checked_calls, built.instance.verify) == ([], 0, True)
    with pytest.raises(Skip):
        asyncio.run(builder.verify(built))
    plain = built._replace(instance=replace(built.instance, verify=False))
    assert asyncio.run(builder.verify(plain)) is plain


def test_a_script_is_not_asked_for_the_value_of_its_call() -> None:
    script = Program.from_source(language="python", source="print(1)\n")
    suite, spec = Probes({}).add(Probe(program=script, task="output-prediction"))
    with pytest.raises(Skip, match="is a script, and the task output-prediction asks about a call"):
        asyncio.run(Builder(run_here([], end(3))).begin(suite, spec))


def commission(store: Store, writer: Model, asked: Sender) -> Commission:
    hired = Writer(writer, writer.answer, run_here([], end(3)), store, session="s", reuse_s=0.0, stop=asked.stop)
    return Commission(hired, OpenRuns(store, asked.model), asked)


def test_a_writer_is_paid_only_after_the_program_was_seen_to_work(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW | {"output": "3"}, '[matrix]\nperturbation = ["hint"]\n')
    (spec,) = suite.specs()
    writer = Teller(lambda request: Completion(text="[ANSWER]4[/ANSWER]"), label="writer")
    with closing(Store(tmp_path / "store")) as store:
        asked = make_sender(Teller(), store)

        def build(*endings: Execution) -> Instance:
            builder = Builder(run_here([], *endings), writer=commission(store, writer, asked))
            return asyncio.run(builder.build(suite, spec)).instance

        with pytest.raises(Skip, match="returns something else"):
            build(end(3), end(9))
        assert writer.asked == []
        asked.stop("the key is bad")
        with pytest.raises(FatalModelError, match="the key is bad"):
            build(end(3))
        assert writer.asked == [], "the question will not be asked"
        asked.fatal = None
        instance = build(end(3))
        assert len(writer.asked) == 1
        assert (instance.texts_by, instance.hint_by, instance.texts_reused) == ({"hint": "writer"}, "writer", {})
        assert "4" in instance.code
        asked.stop("the key is bad")
        assert build(end(3)) == instance, "a text that is there is paid already"
