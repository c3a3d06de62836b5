"""A reader is right as often as its curve says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import AxisValue, Request
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.baseline import BaselineModel
from pytest_codereason.models.shared.readers import Reader
from tests.models.asking import answers, request


def ask_at(value: AxisValue, axis: str = "steps", number: int = 0) -> Request:
    asked = request(id=f"python/{number:04d}[{axis}:{value}]")
    return replace(asked, instance=replace(asked.instance, axes={axis: value}))


def share_right(place: int, **args: str) -> float:
    model = BaselineModel.create("reader", url=None, args=args)
    replies = answers(model, *(ask_at(place, number=number) for number in range(400)))
    return sum(reply.text == "[88, 69]" for reply in replies) / len(replies)


def test_half_are_right_at_the_horizon_and_the_curve_falls() -> None:
    args = {"horizon": "16", "slope": "1.5", "lapse": "0.02"}
    assert share_right(16, **args) == pytest.approx(0.5, abs=0.08)
    assert share_right(0, **args) == pytest.approx(0.98, abs=0.03)
    assert share_right(1, **args) > 0.93
    assert share_right(64, **args) == pytest.approx(0.11, abs=0.05)
    assert share_right(64, **{**args, "horizon": "64"}) == pytest.approx(0.5, abs=0.08)


def test_luck_depends_on_the_question_and_the_seed_alone() -> None:
    def reply(seed: str) -> list[str]:
        model = BaselineModel.create("reader", url=None, args={"seed": seed})
        return [each.text for each in answers(model, *(ask_at(16, number=number) for number in range(30)))]

    assert reply("0") == reply("0")
    assert reply("0") != reply("1")


def test_it_reads_the_axis_that_is_named_else_steps_or_level() -> None:
    far = BaselineModel.create("reader", url=None, args={"horizon": "1e9", "lapse": "0"})
    assert [reply.text for reply in answers(far, ask_at(4, "level"))] == ["[88, 69]"]
    with pytest.raises(ModelError, match="no number of steps: name an axis that has, --model-arg axis=NAME"):
        answers(far, ask_at(4, "digits"))
    with pytest.raises(ModelError, match="no number of steps"):
        answers(far, ask_at("many"))
    named = BaselineModel.create("reader", url=None, args={"horizon": "1e9", "lapse": "0", "axis": "digits"})
    assert [reply.text for reply in answers(named, ask_at(4, "digits"))] == ["[88, 69]"]


def test_what_it_reads_is_its_identity() -> None:
    model = BaselineModel.create("reader", url=None, args={"horizon": "37"})
    assert model.identity == {"baseline": "reader", **Reader(horizon=37.0)._asdict()}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("horizon", "0", "horizon='0' must be a number above 0"),
        ("slope", "-1", "slope='-1' must be a number from 0"),
        ("lapse", "0.5", "lapse='0.5' must be a number from 0 to less than 0.5"),
        ("horizn", "3", "did you mean 'horizon'"),
    ],
)
def test_numbers_that_cannot_be_are_refused(key: str, value: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        BaselineModel.create("reader", url=None, args={key: value})
