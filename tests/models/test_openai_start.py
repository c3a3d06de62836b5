"""What is checked before the first request: keys, addresses, names of models."""

from __future__ import annotations

import socket
import time

import pytest

from pytest_codereason.errors import FatalModelError, UsageError
from pytest_codereason.models import openai as under_test
from pytest_codereason.models.openai import OpenAIModel
from pytest_codereason.models.providers import find_preset
from tests import servers
from tests.models.asking import answers, request
from tests.models.openai_endpoints import KEY, make_model, start
from tests.servers import Server


def test_a_key_is_needed_where_the_preset_needs_one() -> None:
    with pytest.raises(UsageError, match=r"openai:gpt-x needs a key: set the environment variable OPENAI_API_KEY"):
        start(OpenAIModel.create("gpt-x", url=None, args={}))
    with pytest.raises(UsageError, match=r"groq:m needs a key: .* GROQ_API_KEY"):
        start(OpenAIModel.create("m", url=None, args={}, preset=find_preset("groq")))


def test_the_key_is_sent_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    with Server(key=KEY) as server:
        endpoint = make_model(server.url, header__X_Secret="hush-hush-hush")
        assert answers(endpoint, request())[0].text == "[88, 69]"
        assert server.requests[0].headers["X_Secret"] == "hush-hush-hush"
        texts = f"{endpoint!r} {endpoint.label} {endpoint.identity}"
        assert KEY not in texts
        assert "hush" not in texts
    with (
        Server(key="another") as server,
        pytest.raises(UsageError, match="refuses the key: Incorrect API key") as caught,
    ):
        start(make_model(server.url))  # this server repeats the key in its message
    assert KEY not in str(caught.value)
    with Server(script=[servers.error(400, f"what is {KEY}?")]) as server, pytest.raises(FatalModelError) as fatal:
        answers(make_model(server.url), request())
    assert "what is [key]?" in str(fatal.value)


def test_a_key_from_another_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with Server(key=KEY) as server:
        assert answers(make_model(server.url, key_env="MY_KEY"), request())
        assert answers(make_model(server.url, header__Authorization=f"Bearer {KEY}"), request())
        with pytest.raises(UsageError, match=r"variable OTHER \(.*\), or remove key_env if the server needs"):
            start(make_model(server.url, key_env="OTHER"))


def test_an_endpoint_that_is_not_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    began = time.monotonic()
    with pytest.raises(UsageError, match=rf"openai:scripted: {url} cannot be reached: .*Start the server"):
        start(make_model(url))
    assert time.monotonic() - began < 10


def test_an_endpoint_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "REACH_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/v1"
        with pytest.raises(UsageError, match=r"cannot be reached: no answer within 0\.2 seconds"):
            start(make_model(url))


def test_a_missing_model_is_named_with_its_neighbours() -> None:
    with Server(models=["qwen3-8b", "qwen3-32b"]) as server, pytest.raises(UsageError) as caught:
        start(make_model(server.url, "qwen3-80b"))
    assert "has no model 'qwen3-80b'; it has qwen3-8b" in str(caught.value)


def test_a_list_that_may_be_incomplete_decides_nothing() -> None:
    with Server(models=["other", "scripted"], owned_by="someone") as server:
        start(make_model(server.url, "unlisted"))
    with Server(lists_models=False) as server:
        assert answers(make_model(server.url), request())


def test_ollama_names_have_a_default_tag() -> None:
    with Server(models=["qwen3:latest"], owned_by="library") as server:
        start(OpenAIModel.create("qwen3", url=server.url, args={}, preset=find_preset("ollama")))
        with pytest.raises(UsageError, match=r"ollama:qwen: .* has no model 'qwen'"):
            start(OpenAIModel.create("qwen", url=server.url, args={}, preset=find_preset("ollama")))


def test_base_url_from_the_environment(monkeypatch: pytest.MonkeyPatch, healthy: Server) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", healthy.url + "/")
    endpoint = OpenAIModel.create("scripted", url=None, args={})
    assert endpoint.identity["endpoint"] == healthy.url
    assert answers(endpoint, request())[0].text == "[88, 69]"
