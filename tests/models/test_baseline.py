"""Baselines answer from the question alone."""

from __future__ import annotations

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.models.baseline import BASELINES, BaselineModel
from tests.models.asking import answers, request


def test_truth_is_the_truth_and_continues_the_prefill() -> None:
    (reply,) = answers(BaselineModel.create("truth", url=None, args={}), request(prefill="f(81) == "))
    assert (reply.text, reply.finish, reply.prefilled) == ("[88, 69]", "stop", True)
    assert reply.usage.prompt is None


def test_chance_depends_on_question_sample_and_seed_alone() -> None:
    def guess(**changes: object) -> str:
        (reply,) = answers(BaselineModel.create("chance", url=None, args={}), request(**changes))  # type: ignore[arg-type]
        return reply.text

    assert guess() == guess(prompt="asked in other words")
    drawn = [guess(), guess(sample=1), guess(id="python/0008"), guess(seed=1), guess(suite="other")]
    assert len(set(drawn)) == len(drawn)
    # Written down, because it must not change with the process, its hash seed or the version of Python.
    assert drawn[0] == "0.25263926624829425"


@pytest.mark.parametrize("name", BASELINES)
def test_label_price_and_identity(name: str) -> None:
    model = BaselineModel.create(name, url=None, args={})
    assert model.label == f"baseline:{name}"
    assert model.price == (0.0, 0.0)
    assert model.pinned
    assert model.identity == {"baseline": name}


def test_unknown_name_and_argument() -> None:
    with pytest.raises(UsageError, match=r"unknown baseline 'luck': choose one of truth, chance"):
        BaselineModel.create("luck", url=None, args={})
    with pytest.raises(UsageError, match=r"baseline:chance has no --model-arg 'seed': it takes none"):
        BaselineModel.create("chance", url=None, args={"seed": "1"})
