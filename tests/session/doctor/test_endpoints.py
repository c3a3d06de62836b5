"""Endpoints as the doctor finds them: real servers on this machine."""

from __future__ import annotations

import json

import pytest

from pytest_codereason.models.providers import PRESETS, Preset
from pytest_codereason.session.doctor import endpoints
from pytest_codereason.session.doctor.endpoints import examine_endpoints
from pytest_codereason.session.doctor.finding import Finding
from tests.core.files.file_server import serve

LIST = b'{"data": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "d"}, {"id": "e"}]}'


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for preset in PRESETS.values():
        monkeypatch.delenv(preset.key_env or "-", raising=False)
    monkeypatch.setattr(endpoints, "PRESETS", {"openai": PRESETS["openai"]})


def test_without_a_key_it_is_said_what_to_set() -> None:
    (finding,) = examine_endpoints()
    assert (finding.state, finding.remedy.split()[0]) == ("absent", "export")


def test_an_endpoint_that_answers_is_named_with_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serve(LIST) as (url, paths):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/v1/")
        (finding,) = examine_endpoints()
        assert paths == ["/v1/models"]
    assert finding.state == "ok"
    assert finding.words.endswith("answers, with a, b, c and 2 more")


@pytest.mark.parametrize("body", [b"no JSON", b"[1]", b'{"data": 3}', b'{"data": [3]}'])
def test_an_answer_that_is_no_list_is_no_crash(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serve(body) as (url, _):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        (finding,) = examine_endpoints()
    assert finding.state == ("missing" if body == b"no JSON" else "ok")


def test_an_endpoint_that_refuses_is_named_with_what_to_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " sk-secret ")
    with serve(LIST) as (url, _):
        for code, reason in ((401, "Unauthorized"), (403, "Forbidden"), (500, "Internal Server Error")):
            monkeypatch.setenv("OPENAI_BASE_URL", f"{url}/{code}")
            remedy = "" if code == 500 else "set OPENAI_API_KEY to a valid key"
            told = f"{url}/{code} answers {code} {reason}"
            assert list(examine_endpoints()) == [Finding("openai", "missing", told, remedy)]


def test_a_server_of_this_machine_is_told_only_if_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(LIST) as (url, _):
        local = [
            Preset(name, base_url=base, key_env=None)
            for name, base in (("here", url), ("busy", f"{url}/500"), ("gone", "http://localhost:9"))
        ]
        remote = Preset("far", base_url="https://far.example/v1", key_env="FAR_KEY")
        monkeypatch.setattr(endpoints, "PRESETS", {preset.name: preset for preset in (*local, remote)})
        (finding,) = examine_endpoints()
    assert (finding.subject, finding.state) == ("here", "ok")
    assert finding.words == f"{url} answers, with a, b, c and 2 more"


@pytest.mark.parametrize(("models", "words"), [(0, "answers"), (1, "answers, with a"), (3, "answers, with a, b, c")])
def test_few_models_are_all_named(monkeypatch: pytest.MonkeyPatch, models: int, words: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with serve(json.dumps({"data": [{"id": name} for name in "abc"[:models]]}).encode()) as (url, _):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        (finding,) = examine_endpoints()
    assert finding.words == f"{url} {words}"


def test_an_endpoint_that_nobody_serves_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    (finding,) = examine_endpoints()
    assert finding.state == "missing"
    assert "http://127.0.0.1:9/v1 cannot be reached" in finding.words
