"""The stages of a suite: their order follows from their places, and an outside package can add one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_codereason.core import Spec
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.stages import find_shipped
from pytest_codereason.questions.suites.suite import Suite

MODULE = "outside_stages"
STAGES = '''
from dataclasses import replace

from pytest_codereason.core import Axis, Stage
from pytest_codereason.errors import BadSetting


class Shout(Stage):
    """Writes the program in capitals."""

    name = "shout"
    place = "{place}"
    axes = {{
        "volume": Axis(name="volume", default=0, allowed="0 to 9", accepts=lambda v: v in range(10), short="volume")
    }}

    def __init__(self, mark):
        self.mark = mark

    @classmethod
    def create(cls, settings, *, seed, languages):
        for key in settings:
            if key != "mark":
                raise BadSetting(key, f"unknown key {{key!r}}: there is mark")
        return cls(settings.get("mark", "!"))

    def apply(self, instance, count_tokens):
        end = self.mark * int(instance.axes["volume"]) + "\\n"
        changed = instance.program.replace_source(instance.program.source.upper() + end)
        return replace(instance, program=changed, original=instance.original or instance.program)

    def cost(self, axes):
        return int(axes["volume"])

    @property
    def identity(self):
        return {{"mark": self.mark}}


class Twin(Shout):
    name = "twin"
'''

HEAD = 'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "semtrace"\ncount = 2\n'
TABLE = f'["{MODULE}:Shout"]\n'


@pytest.fixture(params=["fault", "layout"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / f"{MODULE}.py").write_text(STAGES.format(place=request.param))
    monkeypatch.syspath_prepend(tmp_path)
    yield request.param
    sys.modules.pop(MODULE, None)


def read(folder: Path, tail: str, count: int = 2) -> Suite:
    path = folder / "small.suite.toml"
    path.write_text(HEAD.replace("count = 2", f"count = {count}") + tail)
    return load(path)


def test_the_order_follows_from_the_places() -> None:
    assert list(find_shipped()) == ["fault", "ablation", "perturbation", "context", "layout"]


@pytest.mark.usefixtures("fresh_registry")
def test_a_stage_of_an_outside_package_takes_part_like_a_shipped_one(place: str, tmp_path: Path) -> None:
    suite = read(tmp_path, f'{TABLE}mark = "?"\n[matrix]\nvolume = [1, 3]\nperturbation = ["vanilla"]\n')
    order = [stage.name for stage in suite.stages]
    assert order == (["shout", "perturbation"] if place == "fault" else ["perturbation", "shout"])
    spec = list(suite.specs())[1]
    assert spec.id == "python/0000[volume:3,perturbation:vanilla]"
    assert suite.cost_of(spec) == 4
    if place == "layout":  # behind the perturbation, which reads the program
        instance = draft(suite, spec)
        assert instance.program.source.endswith("???\n")
        assert instance.program.source.startswith("DEF F(X):")
        assert instance.original is not None
        assert instance.original.source.startswith("def f(x):")
    assert suite.plan != read(tmp_path, f"{TABLE}[matrix]\nvolume = [1, 3]\nperturbation = ['vanilla']\n").plan


@pytest.mark.usefixtures("place", "fresh_registry")
@pytest.mark.parametrize(
    ("tail", "message"),
    [
        (f"{TABLE}loud = 1\n", r"toml:7: unknown key 'loud': there is mark"),
        (f"{TABLE}[matrix]\nvolume = 11\n", r"toml:8: 'volume' cannot be 11: it takes 0 to 9"),
        ("[matrix]\nvolume = 1\n", r"toml:7: unknown axis 'volume'"),
        (f'["{MODULE}:Silence"]\n', rf"toml:6: .*{MODULE}:Silence.* cannot be imported"),
        (f'{TABLE}["{MODULE}:Twin"]\n', "both have an axis 'volume': use one of them"),
        (
            "[shout]\n",
            r"toml:6: unknown key 'shout' \(did you mean 'shots'\?\): a suite has .*perturbation, context, layout",
        ),
    ],
)
def test_mistakes_in_it_are_named_like_any_other(tmp_path: Path, tail: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path, tail)


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """The registry without what it keeps of modules that tests write anew."""
    from pytest_codereason import registry

    registry._find.cache_clear()
    yield
    registry._find.cache_clear()


def test_the_cost_of_a_question_is_what_there_is_to_read(tmp_path: Path) -> None:
    suite = read(tmp_path, "[matrix]\ndistractors = [0, 30]\nposition = [0, 50]\n")
    assert {spec.cell: suite.cost_of(spec) for spec in suite.specs() if spec.program == "0000"} == {
        "distractors:0": 1,
        "distractors:30,position:0": 31,
        "distractors:30,position:50": 31,
    }
    suite = read(tmp_path, "[matrix]\ntokens = [1000, 128000]\n")
    short, long = (suite.cost_of(Spec("python", "0000", (("tokens", count),))) for count in (1000, 128000))
    assert 1 < short < long
    assert 100 < long / short < 150


def test_a_plan_covers_the_perturbations_that_the_suite_names_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_codereason.changes.perturbations.comments import Comments
    from pytest_codereason.changes.perturbations.rename import Rename

    tail = '[matrix]\nperturbation = ["none", "rename+conditions"]\n'
    before = read(tmp_path, tail).plan
    monkeypatch.setattr(Comments, "version", 99)
    assert read(tmp_path, tail).plan == before
    monkeypatch.setattr(Rename, "version", 99)
    assert read(tmp_path, tail).plan != before


OUTSIDE = """
from pytest_codereason.core import Perturbation


class Loud(Perturbation):
    name = "loud"
    version = {version}

    def apply(self, program, draws, dose, asks):
        return program
"""


def test_a_plan_covers_perturbations_of_outside_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    plans = set()
    for module, version in (("loud_one", 1), ("loud_two", 1), ("loud_three", 2)):
        (tmp_path / f"{module}.py").write_text(OUTSIDE.format(version=version))
        plans.add(read(tmp_path, f'[matrix]\nperturbation = ["{module}:Loud"]\n').plan)
        sys.modules.pop(module)
    assert len(plans) == 3


def test_a_matrix_of_tens_of_millions_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    numbers = list(range(1, 5001))
    tail = f"[matrix]\ndistractors = {numbers}\ntokens = {numbers}\nposition = 101\n"
    with pytest.raises(
        UsageError, match=r"toml:6: the suite small asks [\d,]+ questions, 2,525,000,000 about each program"
    ):
        read(tmp_path, tail)
    tail = f"[matrix]\ndistractors = {numbers[:100]}\nposition = 101\n"
    small = read(tmp_path, tail)
    assert len(small) == 2 * 100 * 101
    with pytest.raises(UsageError, match=r"asks 72,720,000 questions, 10,100 about each .* divide the suite"):
        read(tmp_path, tail, count=7_200)
