"""A model of transformers in this process; really run where torch and transformers are installed."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Sampling
from pytest_codereason.errors import UsageError
from pytest_codereason.models.transformers import TransformersModel
from tests.harvest.training.tiny import needs_training, write_model

from .asking import PROMPT, answers, request


def create(name: str = "owner/model", **args: str) -> TransformersModel:
    return TransformersModel.create(name, url=None, args=args)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("", {}, "names no model"),
        ("./nowhere", {}, "there is no folder nowhere"),
        ("owner/model", {"dtype": "int8"}, "one of auto, float32, bfloat16"),
        ("owner/model", {"adapter": "nowhere"}, "holds no adapter_config.json"),
        ("owner/model", {"adaptor": "x"}, "did you mean 'adapter'"),
    ],
)
def test_mistakes_are_named(name: str, args: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        create(name, **args)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_model(tmp_path_factory.mktemp("tiny"), [PROMPT]))


@pytest.mark.real
@needs_training
def test_replies_repeat_and_follow_their_settings(tiny: str) -> None:
    few, drawn = Sampling(max_tokens=8), Sampling(max_tokens=8, temperature=1.0)
    plain, again, sampled, resampled, other, prefilled, long = answers(
        create(tiny, device="cpu"),
        request(sampling=few),
        request(sampling=few),
        request(sampling=drawn),
        request(sampling=drawn),
        request(sampling=drawn, sample=1),
        request(sampling=few, prefill="f(81) == "),
        request("é" * 9000, sampling=few),
    )
    assert (plain.text, plain.usage.completion) == (again.text, 8)
    assert sampled.text == resampled.text != other.text
    assert prefilled.prefilled
    assert prefilled.usage.prompt is not None
    assert plain.usage.prompt is not None
    assert prefilled.usage.prompt > plain.usage.prompt
    assert long.finish == "too-long"


@pytest.mark.real
@needs_training
def test_another_dtype_is_another_model(tiny: str) -> None:
    exact, coarse = create(tiny, device="cpu"), create(tiny, device="cpu", dtype="bfloat16")
    assert exact.identity != coarse.identity
    assert exact.identity["weights"] == coarse.identity["weights"]
    assert answers(coarse, request(sampling=Sampling(max_tokens=2)))[0].usage.completion == 2
