"""Drafts of questions: nobody is asked, and nothing is run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from pytest_codereason.core import Axis, AxisValue, Instance, Stage, TextRequest
from pytest_codereason.engine.building.drafts import apply_stages, begin, draft, draft_texts, request_texts
from pytest_codereason.errors import PartError, UsageError
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction
from tests.engine.building.loaded import ROW, load

WORD, RULED = "tests.engine.kinds:Word", "tests.engine.kinds:RuledWord"


class Banner(Stage):
    """Puts words above the code: one for each of its places, and the way of a loud question in capitals."""

    name, place = "banner", "context"
    axes: ClassVar[Mapping[str, Axis]] = {}
    identity: Mapping[str, AxisValue] = {}

    def __init__(self, *places: str, asks_for: str = WORD, names: Sequence[str] = (WORD,)) -> None:
        self._places, self._asks_for, self._names = places, asks_for, names
        self.seen: list[Mapping[str, object]] = []

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int, languages: Sequence[str]) -> Banner:
        raise NotImplementedError

    def text_kinds(self, axes: Mapping[str, Collection[AxisValue]]) -> Collection[str]:
        return self._names

    def text_requests(self, instance: Instance) -> Sequence[TextRequest]:
        self.seen.append({"source": instance.program.source})
        return [TextRequest(self._asks_for, instance.program, place=place) for place in self._places]

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        words = [instance.texts[place].value if place in instance.texts else "?" for place in self._places]
        tokens = count_tokens("word")
        lines = [f"# {word} {instance.axes.get('style', '')} {tokens}\n" for word in words]
        source = "".join(lines) + instance.program.source
        return replace(instance, program=instance.program.replace_source(source))


def draft_one(suite: Suite, *stages: Stage, **changes: object) -> Instance:
    whole = replace(suite, stages=stages, **changes)  # type: ignore[arg-type]
    (spec,) = whole.specs()
    return draft(whole, spec, len)


def test_a_fact_that_only_an_execution_could_give_is_unknown(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW)
    (spec,) = suite.specs()
    facts = draft(suite, spec).program.facts
    assert facts["output"] is None
    known = draft(load(tmp_path, ROW | {"output": "3"}), spec).program.facts
    assert known["output"] == 3


def test_a_question_begins_with_the_program_of_its_source(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW, "[matrix]\nshots = [0]\n")
    (spec,) = suite.specs()
    begun = begin(suite, spec)
    assert (begun.id, begun.family, begun.suite) == (spec.id, suite.family(spec), "s")
    assert (begun.program.source, begun.program.call) == (ROW["code"].strip("\n") + "\n", "f(2)")
    assert (begun.axes["shots"], begun.matrix, begun.shots) == (0, {"shots": 0}, ())
    assert (begun.seed, begun.asks, begun.texts_by, begun.rewriting) == (suite.seed, "output", {}, None)
    assert begun.template is suite.prompts.templates[str(begun.axes.get("prompting", ""))]


def test_every_text_is_the_first_that_the_rule_would_write(tmp_path: Path) -> None:
    first, second = Banner("one", "two"), Banner("three")
    drafted = draft_one(load(tmp_path, ROW), first, second)
    assert drafted.program.source.splitlines()[:3] == ["# drawn  4", "# drawn  4", "# drawn  4"]
    assert {place: text.value for place, text in drafted.texts.items()} == dict.fromkeys(
        ("one", "two", "three"), "drawn"
    )
    assert first.seen[0]["source"] == begin_source(tmp_path)
    assert second.seen[0]["source"] == "# ?  None\n# ?  None\n" + begin_source(tmp_path), "the stages before are seen"


def begin_source(folder: Path) -> str:
    suite = load(folder, ROW)
    (spec,) = suite.specs()
    return begin(suite, spec).program.source


def test_a_suite_without_texts_asks_for_none(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW)
    (spec,) = suite.specs()
    begun = begin(suite, spec)
    assert request_texts(suite, begun) == []
    assert draft_texts(begun, []) is begun


@pytest.mark.parametrize(
    ("stages", "complaint"),
    [
        ((Banner("a", asks_for=RULED),), rf"text_requests\(\) asks for '{RULED}', which text_kinds\(\) does not name"),
        ((Banner("a", "b", "a"),), "two texts go to the place 'a': give each TextRequest a place of its own"),
        ((Banner("a", "b"), Banner("b")), "two texts go to the place 'b'"),
    ],
)
def test_a_part_that_asks_for_other_texts_than_it_says_is_named(
    tmp_path: Path, stages: tuple[Stage, ...], complaint: str
) -> None:
    with pytest.raises(UsageError, match=f"tests.engine.building.test_drafts:Banner: {complaint}"):
        draft_one(load(tmp_path, ROW), *stages)


class TwiceAsked(OutputPrediction):
    """Asks about a plain question first."""

    twin: ClassVar[Mapping[str, AxisValue]] = {"style": "plain", "unknown": "x"}


def test_a_twin_is_the_same_question_under_other_axes(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW)
    (spec,) = suite.specs()
    begun = replace(begin(suite, spec), axes={"style": "loud"})
    stages = (Banner("a"),)
    alone = apply_stages(replace(suite, stages=stages), begun, len)
    both = apply_stages(replace(suite, stages=stages, task=TwiceAsked()), begun, len)
    assert alone.twin is None
    assert both.twin is not None
    assert both.program == alone.program
    assert (both.axes, both.twin.axes) == ({"style": "loud"}, {"style": "plain"})
    assert [each.program.source.splitlines()[0] for each in (both, both.twin)] == ["# ? loud 4", "# ? plain 4"]


def test_a_stage_that_fails_is_to_blame(tmp_path: Path) -> None:
    class Broken(Banner):
        def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
            raise ZeroDivisionError("mine")

    with pytest.raises(PartError, match="mine"):
        draft_one(load(tmp_path, ROW), Broken())
