"""Many texts are written before any question is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Model, Program, Request, Text, TextRequest
from pytest_codereason.core.facts import Facts
from pytest_codereason.engine.building.preparing import STALE, NamedRequest, Preparation, PreparedText
from pytest_codereason.errors import ModelError, UsageError
from tests.engine.kinds import Word
from tests.engine.tellers import Teller

PROGRAM = Program.from_source(language="python", source="def f():\n    return 3\n", call="f()", facts=Facts(output=3))
WORD = "tests.engine.kinds:Word"


def make_job(name: str, program: Program = PROGRAM, **more: Any) -> NamedRequest:
    return NamedRequest(name, TextRequest(WORD, program, **more))


JOBS = [make_job(name, of=name) for name in "ab"]


def write(
    folder: Path, model: Model | None, jobs: Sequence[NamedRequest] = JOBS, *, kind: type[Word] = Word, **more: float
) -> tuple[list[PreparedText], list[int]]:
    seen: list[int] = []
    prepared = Preparation(kind(), model, folder / "store", "plan", **more).write_all(jobs, seen.append)
    return prepared, seen


def test_a_model_writes_each_text_once_and_a_stopped_preparation_goes_on(tmp_path: Path) -> None:
    left: list[str | ModelError] = ["one", ModelError("gone"), "two"]

    def say(request: Request) -> Completion:
        word = left.pop(0)
        if isinstance(word, ModelError):
            raise word
        return Completion(text=word)

    model = Teller(say, label="w")
    first, seen = write(tmp_path, model)
    assert seen == [1, 2]
    assert [text.name for text in first] == ["a", "b"]
    assert sum(bool(text.trouble) for text in first) == 1
    assert any("gone" in text.trouble for text in first)
    second, _ = write(tmp_path, model)
    assert {text.text.value for text in second} == {"one", "two"}
    assert [text.trouble for text in second] == ["", ""]
    assert len(model.asked) == 3, "what was written is not paid again"


def test_texts_of_an_earlier_preparation_are_reused_up_to_an_age(tmp_path: Path) -> None:
    model = Teller(lambda request: Completion(text="one"), label="w")
    write(tmp_path, model)
    reused, _ = write(tmp_path, model)
    assert len(model.asked) == 2
    assert all(text.text.written is not None for text in reused)
    write(tmp_path, model, reuse_s=0)
    assert len(model.asked) == 4


def test_the_rule_writes_without_a_model(tmp_path: Path) -> None:
    prepared, seen = write(tmp_path, None)
    assert [text.text.value for text in prepared] == ["drawn", "drawn"]
    assert seen == [1, 2]
    assert not (tmp_path / "store").exists()


def test_a_kind_without_a_rule_leaves_the_program_out(tmp_path: Path) -> None:
    job = make_job("a", candidates=("xx",))
    (prepared,), _ = write(tmp_path, None, [job])
    assert prepared.left_out == "no word can be written"
    assert prepared.text == Text(rejections={"had an x": 1})


def test_a_program_that_does_not_return_what_is_recorded_is_left_out(tmp_path: Path) -> None:
    class Checked(Word):
        checks_original = True

    stale = make_job("a", replace(PROGRAM, facts=Facts(output=4)))
    good = make_job("b")
    prepared, _ = write(tmp_path, None, [stale, good], kind=Checked)
    assert [text.left_out for text in prepared] == [STALE, ""]


def test_texts_cost_no_more_than_is_allowed(tmp_path: Path) -> None:
    dear = Teller(lambda request: Completion(text="one"), label="w")
    dear.price = (1.0, 1.0)
    refused, seen = write(tmp_path, dear, max_cost=1e-9)
    assert (dear.asked, seen) == ([], [1, 2])
    assert all("1e-09" in text.trouble or "cost" in text.trouble for text in refused)
    allowed, _ = write(tmp_path, dear, max_cost=1.0)
    assert [text.text.value for text in allowed] == ["one", "one"]


def test_an_interpreter_that_is_missing_is_named_before_anybody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Translated(Word):
        def languages(self, request: TextRequest) -> Sequence[str]:
            return ("javascript",)

    monkeypatch.setenv("PATH", str(tmp_path))  # no node
    model = Teller(lambda request: Completion(text="one"), label="w")
    for writer in (model, None):
        with pytest.raises(UsageError, match=r"^JavaScript: .*node"):
            write(tmp_path, writer, kind=Translated)
    assert model.asked == []


def test_a_model_that_is_not_there_is_refused_first(tmp_path: Path) -> None:
    class Absent(Teller):
        async def check(self) -> None:
            raise UsageError("the key is missing")

    with pytest.raises(UsageError, match="the key is missing"):
        write(tmp_path, Absent())
