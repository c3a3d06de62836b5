"""Requests with one key get one answer: which may share an answer, and which may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_codereason.core import Model, Sampling
from pytest_codereason.engine.storage.answer_keys import name_answer
from pytest_codereason.models.local import LocalModel
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.transformers import TransformersModel
from pytest_codereason.models.vllm import VLLMModel
from tests.models.asking import request

WARM = Sampling(temperature=0.7)
KEY = "45c65b0ee0ef81fbe675aab6db1239f27231e38d310bc85a86f3c835784359b4"
WARM_KEY = "0975b7b3bc4234ec6f96185a7a7e8c1c27b35b229282aad4ab55b62899d9009d"


def name(seed: int, sampling: Sampling, kind: type[Model]) -> str:
    return name_answer("m", request(seed=seed, sampling=sampling), by_seed=kind.draws_by_seed)


@pytest.mark.parametrize("kind", [LocalModel, TransformersModel, VLLMModel])
def test_a_model_that_draws_by_the_seed_gives_each_seed_an_answer_of_its_own(kind: type[Model]) -> None:
    """Before, ``--eval-seed=2`` gave the questions of a data set the stored answers of seed 1."""
    assert name(1, WARM, kind) != name(2, WARM, kind)


@pytest.mark.parametrize(("sampling", "kind"), [(Sampling(), LocalModel), (WARM, OpenAIModel)])
def test_suites_of_other_seeds_share_answers_that_no_seed_shapes(sampling: Sampling, kind: type[Model]) -> None:
    assert name(1, sampling, kind) == name(2, sampling, kind)


def test_another_sample_step_or_prompt_has_another_answer() -> None:
    asked = [
        request(),
        request(sample=1),
        request("What is f(82)?"),
        request(prefill="assert f(81) =="),
        request(id="2"),
    ]
    names = [name_answer("m", each) for each in asked]
    assert len(set(names)) == 4
    assert names[0] == names[4], "equal questions of one suite share an answer too"


def test_an_answer_asked_once_more_is_another_and_other_models_have_others() -> None:
    asked = request()
    again = replace(asked, repeat=1)
    assert len({name_answer("m", asked), name_answer("m", again), name_answer("n", asked)}) == 3
    assert name_answer("m", asked) == name_answer("m", request(seed=9)), "a model draws by no seed unless it says so"


def test_the_keys_of_stored_answers_stay_what_they_are() -> None:
    """A key that changed would have every stored answer paid for again."""
    assert name_answer("m", request()) == KEY
    assert name_answer("m", request(seed=9, sampling=WARM), by_seed=True) == WARM_KEY
