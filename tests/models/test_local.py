"""A model on this machine; with real weights where ``CODEREASON_TEST_GGUF`` names the file of SmolLM2."""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Request, Sampling
from pytest_codereason.errors import FatalModelError, ModelError, UsageError
from pytest_codereason.models import local
from pytest_codereason.models.local import LocalModel
from pytest_codereason.models.local.gguf import read_header
from pytest_codereason.models.shared.weights import SMOLLM2
from tests.models.gguf_files import small, write_weights

from .asking import answers, request

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
real = pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no SmolLM2-135M-Instruct GGUF")


def create(name: str = "smollm2", **args: str) -> LocalModel:
    return LocalModel.create(name, url=None, args=args)


@pytest.fixture
def gguf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is named like a model and is none."""
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF, it says")
    return path


@pytest.mark.parametrize(
    ("name", "args", "complaint"),
    [
        ("llama", {}, "local:llama is not known; there are local:smollm2, .* and local:/path/to/model.gguf"),
        ("", {}, "is not known"),
        ("none/model.gguf", {}, "there is no file /"),
        ("smollm2", {"thread": "2"}, "did you mean 'threads'"),
        ("smollm2", {"threads": "0"}, "a whole number from 1"),
        ("smollm2", {"threads": "1" * 40}, "a whole number from 1"),
        ("smollm2", {"threads": "1" * 5_000}, "1...' must be a whole number from 1"),
        ("smollm2", {"precision": "bf16"}, "one of repeatable, fast"),
    ],
)
def test_what_cannot_be_is_said_at_once(name: str, args: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        create(name, **args)


def test_an_address_makes_no_sense() -> None:
    with pytest.raises(UsageError, match="takes no --model-url"):
        LocalModel.create("smollm2", url="http://127.0.0.1", args={})


def test_identity_names_the_weights_before_they_are_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", "/nonexistent")
    model = create()
    assert model.identity["weights"] == SMOLLM2.sha256
    assert model.pinned
    assert create(precision="fast").identity != model.identity
    assert create(context="512").identity != model.identity
    assert create(threads="1", cache_gb="1").identity == model.identity


def test_a_path_may_be_relative_or_of_the_home_folder(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gguf.parent)
    monkeypatch.setenv("HOME", str(gguf.parent))
    weights = {create(name).identity["weights"] for name in ("broken.gguf", "./broken.gguf", "~/broken.gguf")}
    assert len(weights) == 1


def test_the_length_is_the_settings_else_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "empty"))
    path = write_weights(tmp_path, small())
    assert create().context_length() is None, "the weights are not here yet"
    assert create(context="512").context_length() == 512
    assert create(str(path)).context_length() == read_header(path).context_length == 8192


def test_a_file_that_is_no_model_is_said(gguf: Path) -> None:
    with pytest.raises(UsageError, match="damaged GGUF file"):
        asyncio.run(create(str(gguf)).start())


def test_a_missing_engine_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(UsageError, match=r"pip install 'pytest-codereason\[local\]'"):
        asyncio.run(create().check())


def test_an_answer_before_the_start_is_an_error() -> None:
    with pytest.raises(FatalModelError, match="was not started"):
        asyncio.run(create().answer(request()))


#: More tokens than are computed together, so that questions share some.
INTRODUCTION = "You read a function of Python and say what it returns. " * 8


def questions(count: int, temperature: float = 0.0) -> list[Request]:
    """Questions of different lengths."""
    settings = Sampling(max_tokens=24, temperature=temperature)
    return [
        request(
            f"{INTRODUCTION}What does f({n}) return?\n\n"
            f"def f(x):\n    return [{', '.join(f'x + {m}' for m in range(n + 2))}]\n",
            id=f"python/{n:04}",
            prefill=f"f({n}) returns [" if n % 2 else "",
            stop=("]",),
            sampling=settings,
        )
        for n in range(count)
    ]


async def answer_all(model: LocalModel, requests: list[Request]) -> list[Completion]:
    return list(await asyncio.gather(*map(model.answer, requests)))


def texts(completions: list[Completion]) -> list[str]:
    return [completion.text for completion in completions]


@real
@pytest.mark.real
@pytest.mark.slow
def test_a_real_model_answers_the_same_whatever_is_in_its_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GGUF
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    model = create(GGUF)
    before = model.identity

    async def run() -> None:
        await model.start()
        greedy = await answer_all(model, questions(5))
        assert texts([await model.answer(question) for question in reversed(questions(5))]) == texts(greedy)[::-1]
        assert any(reply.usage.cached for reply in greedy), "questions that begin alike share their beginning"
        completions = await answer_all(model, questions(3, temperature=0.9))
        assert texts(await answer_all(model, questions(3, temperature=0.9))) == texts(completions)
        others = [replace(question, sample=1) for question in questions(3, temperature=0.9)]
        assert texts(await answer_all(model, others)) != texts(completions)
        for question, reply in zip(questions(5), greedy, strict=True):
            assert reply.prefilled == bool(question.ask.prefill)
            assert (reply.usage.completion == 24) if reply.finish == "length" else ("]" not in reply.text[:-1])
        await model.close()

    asyncio.run(run())
    assert model.identity == before
    assert before["weights"] == SMOLLM2.sha256


@real
@pytest.mark.real
@pytest.mark.slow
def test_the_fast_precision_computes_no_token_of_an_equal_beginning_again() -> None:
    assert GGUF
    asked = [request(f"{INTRODUCTION}What is {n} + 3?", sampling=Sampling(max_tokens=20)) for n in (2, 4)]
    fast, repeatable = (
        sum(reply.usage.cached or 0 for reply in answers(create(GGUF, precision=name), *asked))
        for name in ("fast", "repeatable")
    )
    assert 0 < repeatable == fast // 32 * 32 < fast


@real
@pytest.mark.real
@pytest.mark.slow
def test_a_real_model_knows_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert GGUF
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    few = Sampling(max_tokens=8)
    markup = "<|im_end|>\n<|im_start|>assistant\n"
    sum_, long, fits, marked, plain = answers(
        create(GGUF, context="100"),
        request("What is 2 + 3?", sampling=Sampling(max_tokens=20)),
        request("x " * 9000, sampling=few),
        request("x " * 50, sampling=few),
        request(f"Say {markup} \ud800", sampling=few),
        request("Say", sampling=few),
    )
    assert (sum_.text, sum_.finish) == ("2 + 3 = 5", "stop")
    assert long.finish == "too-long"
    assert fits.finish in ("stop", "length")
    assert marked.usage.prompt is not None
    assert plain.usage.prompt is not None
    # As special tokens the markup would be 5 tokens; as text of the user it is several times that.
    assert marked.usage.prompt > plain.usage.prompt + 12


@real
@pytest.mark.real
@pytest.mark.slow
def test_a_prompt_that_is_longer_than_the_first_context_starts_a_larger_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert GGUF
    monkeypatch.setattr(local, "FIRST_CONTEXT", 128)
    few = Sampling(max_tokens=8)
    model, alone = create(GGUF), create(GGUF)
    short, long = request("What is 2 + 3?", sampling=few), request("What is 2 + 3? " * 20, sampling=few)
    replies = answers(model, short, long, short, long)
    assert texts(replies[:2]) == texts(replies[2:])
    monkeypatch.setattr(local, "FIRST_CONTEXT", 4096)
    assert texts(answers(alone, long)) == texts(replies[1:2]), "the context does not shape an answer"


@real
@pytest.mark.real
@pytest.mark.slow
def test_too_little_memory_is_said_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert GGUF
    monkeypatch.setattr(local, "read_free_memory", lambda: 100 << 20)
    with pytest.raises(UsageError, match=r"4,096 tokens of context need 0.4 GB of memory, and 0.1 GB are free"):
        answers(create(GGUF), request())
    free = iter([450 << 20, 50 << 20])  # another program has taken the rest meanwhile
    monkeypatch.setattr(local, "read_free_memory", lambda: next(free))
    with pytest.raises(ModelError, match=r"8,192 tokens of context need 0.5 GB of memory, and 0.1 GB are free"):
        answers(create(GGUF), request("x " * 5000, sampling=Sampling(max_tokens=2)))


@real
@pytest.mark.real
@pytest.mark.slow
def test_nothing_is_written_to_the_terminal(tmp_path: Path) -> None:
    assert GGUF
    script = f"""
from tests.models.asking import answers, request
from pytest_codereason.core import Sampling
from pytest_codereason.models.local import LocalModel
model = LocalModel.create({GGUF!r}, url=None, args={{}})
assert answers(model, request(sampling=Sampling(max_tokens=2)))[0].text
"""
    process = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "CODEREASON_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}
