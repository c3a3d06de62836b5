"""Models behind an endpoint of OpenAI's protocol, for tests."""

from __future__ import annotations

from pytest_codereason.core import Completion
from pytest_codereason.models.openai import OpenAIModel
from tests.models.asking import answers, request
from tests.servers import Disruption, Server

KEY = "sk-test-0123456789abcdef"


def make_model(url: str, name: str = "scripted", **args: str) -> OpenAIModel:
    return OpenAIModel.create(name, url=url, args={key.replace("__", "."): value for key, value in args.items()})


def complete_once(disruption: Disruption, **args: str) -> Completion:
    """What a model makes of a request that gets this disruption."""
    with Server(script=[disruption]) as failing:
        return answers(make_model(failing.url, **args), request())[0]


def start(endpoint: OpenAIModel) -> None:
    answers(endpoint)
