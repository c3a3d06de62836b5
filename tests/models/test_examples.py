"""What every kind of model holds to, tried with its own examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Model, ModelExample, Price, digest
from pytest_codereason.errors import UsageError
from pytest_codereason.models import specs
from tests.models.asking import answers, request

KINDS = {name: registry.find(Model, name) for name in registry.list_shipped(Model)}
EXAMPLES = [example for kind in KINDS.values() for example in kind.examples()]


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_an_example_of_its_own(name: str) -> None:
    assert f"{name}:" in {f"{example.spec.partition(':')[0]}:" for example in KINDS[name].examples()}


@pytest.fixture(params=EXAMPLES, ids=lambda example: example.spec)
def example(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelExample:
    chosen: ModelExample = request.param
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name, text in chosen.files.items():
        (tmp_path / name).write_text(text)
    return chosen


def make(example: ModelExample) -> Model:
    try:
        return specs.create_model(example.spec, url=example.url, args=example.args)
    except UsageError as error:
        if not any(words in str(error) for words in ("models need vLLM", "models need torch")):
            raise
        pytest.skip(str(error))


def test_it_is_called_what_the_user_typed(example: ModelExample) -> None:
    assert make(example).label == example.spec


def test_it_says_how_it_is_asked_and_what_it_costs(example: ModelExample) -> None:
    model = make(example)
    assert model.concurrency >= 1
    assert model.price is None or Price(*model.price).prompt >= 0
    assert model.pinned in (True, False)


def test_its_identity_is_the_same_each_time_it_is_made(example: ModelExample) -> None:
    first, second = (digest(dict(make(example).identity)) for _ in range(2))
    assert first == second


def test_a_spec_without_a_name_is_refused(example: ModelExample) -> None:
    with pytest.raises(UsageError):
        specs.create_model(example.spec.partition(":")[0] + ":", url=None, args={})


def test_it_gives_its_reply_where_that_is_free(example: ModelExample) -> None:
    if example.reply is not None:
        (completion,) = answers(make(example), request())
        assert completion.text == example.reply
